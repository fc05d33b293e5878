/* Faults on demand, for the tests of survival: loaded before the C library, it counts the calls that
 * change something under one folder, and at the n-th it fails, writes less, or ends the process.
 *
 * SHIM_FOLDER  the folder, as an absolute path without links
 * SHIM_LOG     where each such call is told, a line each: number, call, path
 * SHIM_AT      the number, from 1, of the call that is struck; 0: none
 * SHIM_KIND    enospc, eio, erofs: the call fails so;  short: a write takes half of what it is given;
 *              kill, torn: the process is killed before it, or when half of it is written;
 *              int, int2: it gets SIGINT, once or twice, before the call
 * SHIM_STICKY  1: every later call is struck too
 * SHIM_DISK    a folder to which all that is synced goes: the content of a file under its inode's
 *              number, the names and inodes of a folder under `names-` and its inode's number; by it
 *              a power cut can be made that loses what was not synced
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[PATH_MAX];
static size_t folder_length;
static const char *disk;
static int log_file = -1;
static long struck_at;
static int is_sticky;
static char kind[16];
static atomic_long calls;

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

#define REAL(name) ((__typeof__(&name))real(#name))

__attribute__((constructor)) static void begin(void) {
    const char *value = getenv("SHIM_FOLDER");
    if (!value) return;
    snprintf(folder, sizeof folder, "%s", value);
    folder_length = strlen(folder);
    if ((value = getenv("SHIM_AT"))) struck_at = atol(value);
    if ((value = getenv("SHIM_KIND"))) snprintf(kind, sizeof kind, "%s", value);
    disk = getenv("SHIM_DISK");
    is_sticky = (value = getenv("SHIM_STICKY")) && *value == '1';
    if ((value = getenv("SHIM_LOG")))
        log_file = (int)syscall(SYS_openat, AT_FDCWD, value,
                                O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* The path that a directory and a name stand for, in full; 0 where it cannot be told. */
static int full(int at, const char *name, char *out) {
    char base[PATH_MAX];
    if (!name) return 0;
    if (*name == '/') return snprintf(out, PATH_MAX, "%s", name) < PATH_MAX;
    if (at == AT_FDCWD) {
        if (!getcwd(base, sizeof base)) return 0;
    } else {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", at);
        ssize_t length = readlink(link, base, sizeof base - 1);
        if (length < 0) return 0;
        base[length] = 0;
    }
    return snprintf(out, PATH_MAX, "%s/%s", base, name) < PATH_MAX;
}

static int of_file(int file, char *out) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, out, PATH_MAX - 1);
    if (length < 0) return 0;
    out[length] = 0;
    return 1;
}

static int is_under(const char *path) {
    return folder_length && !strncmp(path, folder, folder_length) &&
           (path[folder_length] == 0 || path[folder_length] == '/');
}

enum verdict { PASS, FAIL, HALF, TORN };

/* Counts a call; what is to become of it. */
static enum verdict strike(const char *call, const char *path) {
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (log_file >= 0) {
        char line[PATH_MAX + 64];
        int length = snprintf(line, sizeof line, "%ld %s %s\n", number, call, path);
        syscall(SYS_write, log_file, line, (size_t)length);
    }
    if (!struck_at || number < struck_at || (number > struck_at && !is_sticky)) return PASS;
    if (!strcmp(kind, "kill")) syscall(SYS_kill, getpid(), SIGKILL);
    if (!strcmp(kind, "torn")) return TORN;
    if (!strcmp(kind, "short")) return HALF;
    if (!strcmp(kind, "int") || !strcmp(kind, "int2")) {
        raise(SIGINT);
        if (kind[3]) raise(SIGINT);
        return PASS;
    }
    errno = !strcmp(kind, "enospc") ? ENOSPC : !strcmp(kind, "erofs") ? EROFS : EIO;
    return FAIL;
}

/* A call by name that writes nothing itself: it is torn before it happens. */
static int fails_at(const char *call, int at, const char *name) {
    char path[PATH_MAX];
    if (!full(at, name, path) || !is_under(path)) return 0;
    enum verdict verdict = strike(call, path);
    if (verdict == TORN) syscall(SYS_kill, getpid(), SIGKILL);
    return verdict == FAIL;
}

static int fails_file(const char *call, int file) {
    char path[PATH_MAX];
    if (!of_file(file, path) || !is_under(path)) return 0;
    enum verdict verdict = strike(call, path);
    if (verdict == TORN) syscall(SYS_kill, getpid(), SIGKILL);
    return verdict == FAIL;
}

/* What was synced is on the disk: under another name first, as the process may end meanwhile. */
static void synced(int file) {
    char path[PATH_MAX], from[64], to[PATH_MAX], draft[PATH_MAX];
    struct stat about;
    if (!disk || !of_file(file, path) || !is_under(path) || fstat(file, &about)) return;
    int is_folder = S_ISDIR(about.st_mode);
    snprintf(to, sizeof to, "%s/%s%llu", disk, is_folder ? "names-" : "",
             (unsigned long long)about.st_ino);
    snprintf(draft, sizeof draft, "%s/draft-%llu", disk, (unsigned long long)about.st_ino);
    int out = (int)syscall(SYS_openat, AT_FDCWD, draft, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (out < 0) return;
    if (is_folder) {
        DIR *names = opendir(path);
        for (struct dirent *one; names && (one = readdir(names));) {
            char line[PATH_MAX];
            int length = snprintf(line, sizeof line, "%llu %s\n",
                                  (unsigned long long)one->d_ino, one->d_name);
            if (*one->d_name != '.' || one->d_name[1] == 'g')
                syscall(SYS_write, out, line, (size_t)length);
        }
        if (names) closedir(names);
    } else {
        char part[1 << 16];
        snprintf(from, sizeof from, "/proc/self/fd/%d", file);
        int in = (int)syscall(SYS_openat, AT_FDCWD, from, O_RDONLY, 0);
        for (ssize_t got; in >= 0 && (got = syscall(SYS_read, in, part, sizeof part)) > 0;)
            syscall(SYS_write, out, part, (size_t)got);
        if (in >= 0) syscall(SYS_close, in);
    }
    syscall(SYS_close, out);
    syscall(SYS_renameat2, AT_FDCWD, draft, AT_FDCWD, to, 0);
}

static int writes(int flags) {
    return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
}

#define MODE(flags)                                            \
    mode_t mode = 0;                                           \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                     \
        va_list list;                                          \
        va_start(list, flags);                                 \
        mode = va_arg(list, mode_t);                           \
        va_end(list);                                          \
    }

#define OPEN(name)                                                       \
    int name(const char *path, int flags, ...) {                         \
        MODE(flags)                                                      \
        if (writes(flags) && fails_at("open", AT_FDCWD, path)) return -1; \
        return REAL(name)(path, flags, mode);                            \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                               \
    int name(int at, const char *path, int flags, ...) {           \
        MODE(flags)                                                \
        if (writes(flags) && fails_at("open", at, path)) return -1; \
        return REAL(name)(at, path, flags, mode);                  \
    }
OPENAT(openat)
OPENAT(openat64)

#define CREAT(name)                                      \
    int name(const char *path, mode_t mode) {            \
        if (fails_at("open", AT_FDCWD, path)) return -1; \
        return REAL(name)(path, mode);                   \
    }
CREAT(creat)
CREAT(creat64)

/* How many bytes of a write pass; -1: it fails. Of a torn one half is written by `WRITE`. */
#define STRUCK(call, file, count, WRITE)                     \
    char path[PATH_MAX];                                     \
    if (of_file(file, path) && is_under(path)) {             \
        switch (strike(call, path)) {                        \
        case FAIL:                                           \
            return -1;                                       \
        case HALF:                                           \
            count = count > 1 ? count / 2 : count;           \
            break;                                           \
        case TORN:                                           \
            count = count / 2;                               \
            WRITE;                                           \
            syscall(SYS_kill, getpid(), SIGKILL);            \
            break;                                           \
        case PASS:                                           \
            break;                                           \
        }                                                    \
    }

ssize_t write(int file, const void *bytes, size_t count) {
    STRUCK("write", file, count, syscall(SYS_write, file, bytes, count))
    return REAL(write)(file, bytes, count);
}

#define PWRITE(name, offset_type)                                               \
    ssize_t name(int file, const void *bytes, size_t count, offset_type at) {   \
        STRUCK("pwrite", file, count, syscall(SYS_pwrite64, file, bytes, count, at)) \
        return REAL(name)(file, bytes, count, at);                              \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t writev(int file, const struct iovec *parts, int number) {
    int count = number;
    STRUCK("writev", file, count, syscall(SYS_writev, file, parts, count))
    return REAL(writev)(file, parts, count);
}

ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *at_to, size_t count,
                        unsigned flags) {
    STRUCK("copy_file_range", to, count,
           syscall(SYS_copy_file_range, from, at, to, at_to, count, flags))
    return REAL(copy_file_range)(from, at, to, at_to, count, flags);
}

#define SENDFILE(name, offset_type)                                               \
    ssize_t name(int to, int from, offset_type *at, size_t count) {               \
        STRUCK("sendfile", to, count, syscall(SYS_sendfile, to, from, at, count)) \
        return REAL(name)(to, from, at, count);                                   \
    }
SENDFILE(sendfile, off_t)
SENDFILE(sendfile64, off64_t)

#define OF_FILE(name)                             \
    int name(int file) {                          \
        if (fails_file(#name, file)) return -1;   \
        int done = REAL(name)(file);              \
        if (!done) synced(file);                  \
        return done;                              \
    }
OF_FILE(fsync)
OF_FILE(fdatasync)

#define CUT(name, offset_type)                          \
    int name(int file, offset_type length) {            \
        if (fails_file("ftruncate", file)) return -1;   \
        return REAL(name)(file, length);                \
    }
CUT(ftruncate, off_t)
CUT(ftruncate64, off64_t)

int rename(const char *from, const char *to) {
    if (fails_at("rename", AT_FDCWD, to)) return -1;
    return REAL(rename)(from, to);
}

int renameat(int at, const char *from, int at_to, const char *to) {
    if (fails_at("rename", at_to, to)) return -1;
    return REAL(renameat)(at, from, at_to, to);
}

int renameat2(int at, const char *from, int at_to, const char *to, unsigned flags) {
    if (fails_at("rename", at_to, to)) return -1;
    return REAL(renameat2)(at, from, at_to, to, flags);
}

int link(const char *from, const char *to) {
    if (fails_at("link", AT_FDCWD, to)) return -1;
    return REAL(link)(from, to);
}

int linkat(int at, const char *from, int at_to, const char *to, int flags) {
    if (fails_at("link", at_to, to)) return -1;
    return REAL(linkat)(at, from, at_to, to, flags);
}

int unlink(const char *path) {
    if (fails_at("unlink", AT_FDCWD, path)) return -1;
    return REAL(unlink)(path);
}

int unlinkat(int at, const char *path, int flags) {
    if (fails_at("unlink", at, path)) return -1;
    return REAL(unlinkat)(at, path, flags);
}

int rmdir(const char *path) {
    if (fails_at("rmdir", AT_FDCWD, path)) return -1;
    return REAL(rmdir)(path);
}

int mkdir(const char *path, mode_t mode) {
    if (fails_at("mkdir", AT_FDCWD, path)) return -1;
    return REAL(mkdir)(path, mode);
}

int mkdirat(int at, const char *path, mode_t mode) {
    if (fails_at("mkdir", at, path)) return -1;
    return REAL(mkdirat)(at, path, mode);
}

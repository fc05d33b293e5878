//! A folder with a scenario and small fixtures, and the program run in it.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// Three jobs of 2, 8 and 9 processors.
const TRACE: &str = "; MaxProcs: 4\n\
    1 0 0 10 2 -1 -1 2 20 -1 1 1 1 -1 1 -1 -1 -1\n\
    2 5 0 10 8 -1 -1 8 20 -1 1 2 1 -1 1 -1 -1 -1\n\
    3 6 0 10 9 -1 -1 9 20 -1 1 2 1 -1 1 -1 -1 -1\n";

/// The first lines of a scenario: an organization `a` with four processors.
pub const A: &str = "name = \"test\"\n[[organization]]\nname = \"a\"\n\
    cluster.space_shared = { processors = 4, scheduler.easy = {} }\n";

/// A line that gives the organization above it nine drawn jobs.
pub const NINE: &str = "workload.synthetic = { arrivals.poisson.rate = 0.2, \
    size.exponential.mean = 4.0, jobs = 9 }\n";

/// A command as if nobody had set anything: what the person who runs the tests has set in the shell
/// changes nothing.
pub fn command(of: impl AsRef<std::ffi::OsStr>) -> std::process::Command {
    let mut command = std::process::Command::new(of);
    for name in ["GRIDPACT_LOG", "COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM"] {
        command.env_remove(name);
    }
    command.env("TZ", "UTC").env("LC_ALL", "C.UTF-8");
    command
}

/// The program as such a command.
pub fn program() -> std::process::Command {
    command(crate::tested())
}

/// The same, killed after this much of processors' time: clocks of the wall tell how busy a machine is.
const PROCESSOR_SECONDS: &str = "10";
fn quick_program() -> std::process::Command {
    let mut program = command("sh");
    program.arg("-c").arg(format!("ulimit -t {PROCESSOR_SECONDS}; exec \"$0\" \"$@\""));
    program.arg(crate::tested());
    program
}

/// Output without the lines of progress that a slow machine adds, such as `0:00:10: 40.0% done`.
pub fn without_progress(text: &str) -> String {
    let is_progress = |line: &str| {
        let clock = line.split_once(": ").map_or("", |(clock, _)| clock);
        clock.matches(':').count() == 2 && clock.chars().all(|c| c == ':' || c.is_ascii_digit())
    };
    text.split_inclusive('\n').filter(|line| !is_progress(line)).collect()
}

/// A blank within a word of a command, which is told by its words with blanks between them.
const BLANK: char = '\u{1}';

/// A path as one word of a command.
pub fn word(path: impl AsRef<Path>) -> String {
    path.as_ref().display().to_string().replace(' ', &BLANK.to_string())
}

/// A file or folder of the project as one word of a command.
pub fn of_the_project(path: &str) -> String {
    word(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().map(|word| word.replace(BLANK, " "))
}

/// Output and exit code of the program.
pub struct Said {
    pub code: i32,
    pub out: String,
    pub error: String,
}

impl Said {
    /// The output with every sentence on one line.
    pub fn prose(&self) -> String {
        self.out.replace("\n  ", " ")
    }
}

/// A folder of its own, gone at the end.
pub struct Folder(TempDir);

impl Folder {
    /// With the scenario `s.toml`, traces that are right, wrong, cut and empty, and a list of jobs.
    pub fn new(scenario: &str) -> Folder {
        let folder = Folder(TempDir::new().unwrap());
        folder.write("s.toml", scenario);
        folder.write("trace.swf", TRACE);
        folder.write("garbage.swf", "hello world\n");
        folder.write("empty.swf", "; nothing\n");
        folder.write("jobs.csv", "submit,runtime,processors\n0,1,4\n2,3,5\n");
        folder.write("owners.csv", "user,organization\n1,x\n");
        let packed = fs::read(kth()).unwrap();
        fs::write(folder.path("cut.swf.gz"), &packed[..50_000]).unwrap();
        fs::write(folder.path("latin1.toml"), b"name = \"caf\xe9\"\n").unwrap();
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names in a folder, in order, but for the one with what it takes to go on with a run.
    pub fn names(&self, name: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(name)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| name != "state");
        names.sort();
        names
    }

    /// Runs the program here, with words parted by blanks.
    pub fn run(&self, words: &str) -> Said {
        self.run_as(self::words(words), "", "")
    }

    /// The same with the whole summary in raw figures, whose lines are not broken.
    pub fn run_whole(&self, words: &str) -> Said {
        let said = self.run(&format!("{words} --all --units raw"));
        Said { out: said.prose(), ..said }
    }

    /// The same with output of a width, in colour or not.
    pub fn run_shown(&self, words: &str, width: usize, color: bool) -> Said {
        let width = width.to_string();
        let color = if color { ("CLICOLOR_FORCE", "1") } else { ("NO_COLOR", "1") };
        self.run_in(self::words(words), "", &[("COLUMNS", &width), color])
    }

    /// The same with words that may hold blanks.
    pub fn run_words(&self, words: &[&str]) -> Said {
        self.run_as(words.iter().map(|word| (*word).to_owned()), "", "")
    }

    /// The same with something on standard input.
    pub fn run_with(&self, words: &str, input: &str) -> Said {
        self.run_as(self::words(words), input, "")
    }

    /// The same with `GRIDPACT_LOG` set.
    pub fn run_logging(&self, words: &str, log: &str) -> Said {
        self.run_as(self::words(words), "", log)
    }

    fn run_as(&self, words: impl Iterator<Item = String>, input: &str, log: &str) -> Said {
        let log: &[_] = if log.is_empty() { &[] } else { &[("GRIDPACT_LOG", log)] };
        self.run_in(words, input, log)
    }

    fn run_in(
        &self,
        words: impl Iterator<Item = String>,
        input: &str,
        environment: &[(&str, &str)],
    ) -> Said {
        let mut program = quick_program();
        program.envs(environment.iter().copied());
        let output = Command::from_std(program)
            .args(words)
            .current_dir(&self.0)
            .write_stdin(input)
            .timeout(std::time::Duration::from_secs(600))
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let (out, error) = (text(output.stdout), without_progress(&text(output.stderr)));
        let wrong = one_of_many(&out).or_else(|| one_of_many(&error));
        assert_eq!(wrong, None, "one thing is told as several");
        // A number of 1e308 does not fill a screen.
        let is_long = |word: &str| word.len() > 100 && word.bytes().all(|c| c.is_ascii_digit());
        let long = error.split(|c: char| !c.is_ascii_digit()).find(|word| is_long(word));
        assert_eq!(long, None, "{error}");
        Said { code: output.status.code().unwrap_or(-1), out, error }
    }
}

/// Words that end in `s` and may follow a 1.
const SINGULAR: [&str; 23] = [
    "s", "is", "was", "has", "does", "as", "takes", "says", "ends", "starts", "runs", "stands",
    "needs", "uses", "waits", "gains", "loses", "plus", "times", "this", "ms", "makes", "goes",
];

/// A number 1 before a noun in the plural, as in `1 processors`.
fn one_of_many(text: &str) -> Option<&str> {
    // Headers of traces name things by their numbers.
    text.lines().filter(|line| !line.starts_with(';')).find(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        // A formula, such as `k + 1 units`, is no count.
        let is_formula = |at: usize| at > 0 && ["+", "-"].contains(&words[at - 1]);
        words.windows(2).enumerate().any(|(at, pair)| {
            let noun = pair[1].trim_end_matches(|c: char| !c.is_ascii_lowercase());
            let is_plural = noun.ends_with('s') && noun.chars().all(|c| c.is_ascii_lowercase());
            let is_one = pair[0] == "1" && !is_formula(at);
            is_one && is_plural && !noun.ends_with("ss") && !SINGULAR.contains(&noun)
        })
    })
}

/// The trace that lives in the project.
pub fn kth() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let project = folders.find(|folder| folder.join("scenarios").is_dir());
    project.expect("the project").join("scenarios/traces/KTH-SP2-1996-2.1-cln.swf.gz")
}

/// Runs the program on a scenario; `expected` is all of standard error where it has several lines,
/// else a part of it.
#[track_caller]
pub fn check_with(words: &str, scenario: &str, code: i32, expected: &str) {
    let said = Folder::new(scenario).run(words);
    if expected.contains('\n') {
        assert_eq!(said.error, expected);
    } else {
        assert!(said.error.contains(expected), "{scenario}{words}: {}", said.error);
    }
    assert_eq!(said.code, code, "{scenario}{words}: {}", said.error);
}

/// The same for `gridpact check`.
#[track_caller]
pub fn check(scenario: &str, code: i32, expected: &str) {
    check_with("check s.toml", scenario, code, expected);
}

/// Checks that the help page of a command is short or long as asked; `page` are the words that ask for
/// it.
#[track_caller]
pub fn check_help(folder: &Folder, page: &str) {
    let short = folder.run(&format!("{page} -h"));
    let long = folder.run(&format!("{page} --help"));
    assert_eq!((short.code, long.code), (0, 0), "{page}");
    assert!(short.out.lines().count() < 40, "{page}");
    assert!(short.out.contains("`--help` shows examples"), "{page}");
    for heading in ["\nExamples", "\nExit codes:\n  0   done\n", "\nEnvironment:\n"] {
        assert!(long.out.contains(heading), "{page}: {heading}: {}", long.out);
    }
    assert!(long.out.lines().all(|line| line.chars().count() <= 100), "{page}");
}

//! Resource usage of this process: memory, and rounded seconds.

/// Rounds seconds to the millisecond.
pub(super) fn rounded(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}

/// Peak memory of this process in bytes, if the system reports it.
pub(super) fn peak_memory() -> Option<u64> {
    memory("VmHWM:")
}

/// Reads a line of this process's status in bytes, by its first word.
pub(super) fn memory(begin: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(begin))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

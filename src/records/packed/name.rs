//! Names of record files.
//!
//! `jobs.csv` holds the lines of all replications. With rotation each replication has its own
//! files, `jobs-r0000-000001.csv` and so on, so that no merging is necessary. These names sort in
//! the order of their lines, up to 10⁴ replications and 10⁶ files in each. Compressed files end in
//! `.gz`.

use std::fmt;

/// Suffix of compressed files.
pub const PACKED: &str = ".gz";

/// Name of a record file, whether or not it is compressed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// Kind of its records, such as `jobs`.
    pub kind: String,
    /// Replication and page, both from 0; `None` if all lines are in one file.
    pub page: Option<(u32, u64)>,
}

impl Name {
    /// The file that holds all lines.
    pub fn single(kind: &str) -> Name {
        Name { kind: kind.to_owned(), page: None }
    }

    /// The file of one page of a replication.
    pub fn page(kind: &str, replication: u32, page: u64) -> Name {
        Name { kind: kind.to_owned(), page: Some((replication, page)) }
    }

    /// Parses a file name, compressed or not; `None` if it is not the name of a record file.
    pub fn of(file: &str) -> Option<Name> {
        let name = file.strip_suffix(PACKED).unwrap_or(file);
        let stem = name.strip_suffix(".csv")?;
        let mut parts = stem.rsplitn(3, '-');
        let (last, before, kind) = (parts.next()?, parts.next(), parts.next());
        let name = match (before, kind) {
            (None, None) => Name::single(last),
            (Some(before), Some(kind)) => Name::page(
                kind,
                before.strip_prefix('r')?.parse().ok()?,
                last.parse::<u64>().ok()?.checked_sub(1)?,
            ),
            _ => return None,
        };
        // Only the canonical spelling counts: numbers could have signs or extra leading zeros.
        (file.strip_suffix(PACKED).unwrap_or(file) == name.to_string()).then_some(name)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.page {
            None => write!(f, "{}.csv", self.kind),
            Some((replication, page)) => {
                write!(f, "{}-r{replication:04}-{:06}.csv", self.kind, page + 1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for name in [
            Name::single("jobs"),
            Name::page("jobs", 0, 0),
            Name::page("rounds", 41, 999_998),
            Name::page("moves", 12_345, 1_234_567),
        ] {
            assert_eq!(Name::of(&name.to_string()), Some(name.clone()));
            assert_eq!(Name::of(&format!("{name}.gz")), Some(name));
        }
        assert_eq!(Name::page("jobs", 3, 16).to_string(), "jobs-r0003-000017.csv");
    }

    #[test]
    fn what_is_called_otherwise_is_none_of_them() {
        for file in [
            "jobs",
            "jobs.txt",
            "jobs.csv.gz.gz",
            "jobs-r0-0001.csv",
            "jobs-r0000-000000.csv",
            "jobs-r0000-+00001.csv",
            "jobs-0000-000001.csv",
            "jobs-r0000.csv",
            "jobs-r0000-000001-x.csv",
        ] {
            assert_eq!(Name::of(file), None, "{file}");
        }
    }

    #[test]
    fn pages_sort_as_their_names_do() {
        let pages = [(0, 0), (0, 1), (0, 9), (0, 10), (1, 0), (2, 5), (10, 0)];
        let names: Vec<Name> = pages.map(|(r, p)| Name::page("jobs", r, p)).into();
        let texts: Vec<String> = names.iter().map(Name::to_string).collect();
        assert!(names.is_sorted() && texts.is_sorted());
    }
}

//! What files with records are called.
//!
//! `jobs.csv` holds the lines of all replications. Where files are rotated, each replication has
//! files of its own, `jobs-r0000-000001.csv` and so on, so that nothing need be put together; their
//! names sort in the order of their lines, as long as there are less than 10⁴ replications and 10⁶
//! files in each. Packed files have `.gz` behind that.

use std::fmt;

/// What is behind the name of a packed file.
pub const PACKED: &str = ".gz";

/// A file of records by its content: packed or not, it is the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// What its lines are about, such as `jobs`.
    pub kind: String,
    /// The replication and the page, from 0; none where all lines are in one file.
    pub page: Option<(u32, u64)>,
}

impl Name {
    /// The file of all lines.
    pub fn single(kind: &str) -> Name {
        Name { kind: kind.to_owned(), page: None }
    }

    /// A page of a replication.
    pub fn page(kind: &str, replication: u32, page: u64) -> Name {
        Name { kind: kind.to_owned(), page: Some((replication, page)) }
    }

    /// What a file's name says, packed or not; none where it is not called as records are.
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
        // Only as it would be written itself: numbers may have signs, or other zeros in front.
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

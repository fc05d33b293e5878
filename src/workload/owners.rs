//! Owners of a trace's jobs: its users or groups become organizations.

use kernel::map::Map;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::invalid::Invalid;
use super::opened::{self, Lines};
use super::swf::{Share, Survey};
use kernel::order::InOrder as _;
use model::bounds::{ONE_OR_MORE, parameters};
use model::entry::Entry;
use stats::shown::counted;

/// Sources of the ways to distribute jobs.
pub const ENTRIES: &[Entry] = &[Entry::new(
    "balanced",
    "Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17(2), 1969",
)];

parameters! {
    /// Rule that assigns the jobs of a trace to organizations.
    #[derive(Eq)]
    pub enum Owners {
        /// All jobs belong to one organization.
        One {},
        /// Every user is an organization.
        PerUser {},
        /// Every group is an organization.
        PerGroup {},
        /// Organizations of about equal work: users are assigned by decreasing area, each to the
        /// organization with the least so far (longest processing time first, Graham 1969). Ties go
        /// to the smaller user number, and to an organization without users or else the earlier one.
        Balanced {
            /// Number of organizations.
            parts: u32 as ONE_OR_MORE,
        },
        /// A CSV file with the columns `user` and `organization`; the user `*` stands for all users
        /// not listed.
        File {
            /// Path of the file.
            path: PathBuf,
        },
    }
}

/// The reason why jobs cannot be assigned to organizations.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OwnersError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {error}", file.display())]
    Read {
        /// The file of owners.
        file: PathBuf,
        /// The error of the reader.
        error: csv::Error,
    },
    /// A row is invalid.
    #[error("{}: line {line}: {message}", file.display())]
    Row {
        /// The file of owners.
        file: PathBuf,
        /// The line.
        line: u64,
        /// The problem and the expected value.
        message: String,
    },
    /// The trace has a user that the file does not list.
    #[error("{}: user {user} of the trace is not listed; add a row for it, or a row `*,NAME` for all others", file.display())]
    Unlisted {
        /// The file of owners.
        file: PathBuf,
        /// The first such user.
        user: u32,
    },
    /// A parameter is invalid.
    #[error(transparent)]
    Options(#[from] Invalid),
}

/// The organization of each user or group of a trace, by number from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    names: Vec<String>,
    by: By,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum By {
    Nothing,
    User(Table),
    Group(Table),
}

/// A map from numbers to numbers: an array for small keys, else a map.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Table {
    Dense(Vec<u32>),
    Sparse(FxHashMap<u32, u32>),
}

/// Keys below this are stored in an array.
const DENSE: u32 = 1 << 16;

impl Table {
    fn new(pairs: &Map<u32, u32>) -> Table {
        match pairs.last_key_value() {
            Some((&last, _)) if last >= DENSE => {
                Table::Sparse(pairs.iter().map(|(&key, &value)| (key, value)).collect())
            }
            last => {
                let mut dense = vec![0; last.map_or(0, |(&last, _)| last as usize + 1)];
                pairs.iter().for_each(|(&key, &value)| dense[key as usize] = value);
                Table::Dense(dense)
            }
        }
    }

    /// Returns the value of a key, or 0 for an unknown one.
    #[inline]
    fn get(&self, key: u32) -> u32 {
        match self {
            Table::Dense(dense) => dense.get(key as usize).copied().unwrap_or(0),
            Table::Sparse(map) => map.get(&key).copied().unwrap_or(0),
        }
    }
}

impl Assignment {
    /// Returns the names of the organizations, by number.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the number of the organization that owns a job.
    #[inline]
    pub fn of(&self, user: u32, group: u32) -> u32 {
        match &self.by {
            By::Nothing => 0,
            By::User(table) => table.get(user),
            By::Group(table) => table.get(group),
        }
    }

    /// Returns the jobs of each organization in a surveyed trace, by number.
    pub fn shares(&self, survey: &Survey) -> Vec<Share> {
        let mut shares = vec![Share::default(); self.names.len()];
        let of: &Map<u32, Share> = match self.by {
            By::Nothing | By::User(_) => &survey.users,
            By::Group(_) => &survey.groups,
        };
        for (&key, share) in of {
            shares[self.of(key, key) as usize].add(*share);
        }
        shares
    }

    /// Assigns all jobs to one organization of this name.
    pub fn one(name: &str) -> Assignment {
        Assignment { names: vec![name.to_owned()], by: By::Nothing }
    }

    fn numbered(
        keys: impl Iterator<Item = u32>,
        name: impl Fn(u32) -> String,
    ) -> (Vec<String>, Table) {
        let keys: Vec<u32> = keys.collect();
        let pairs = keys.iter().enumerate().map(|(index, &key)| (key, index as u32)).collect();
        (keys.into_iter().map(name).collect(), Table::new(&pairs))
    }
}

impl Owners {
    /// Returns the organizations of a surveyed trace, and the assignment of its users or groups.
    ///
    /// They are named `user-12`, `group-3` or `part-1` with `prefix` in front (`kth-user-12` for
    /// the prefix `kth-`), in the order of their numbers. A single organization is named `prefix`
    /// itself; those of a file have the names in the file, in order of first appearance.
    ///
    /// # Errors
    /// More parts than users, or a file of owners that cannot be read, is malformed or omits a user
    /// of the trace.
    pub fn assign(&self, survey: &Survey, prefix: &str) -> Result<Assignment, OwnersError> {
        self.check()?;
        let users = survey.users.keys().copied();
        let (names, by) = match self {
            Owners::One {} => return Ok(Assignment::one(prefix)),
            Owners::PerUser {} => {
                let (names, table) = Assignment::numbered(users, |n| format!("{prefix}user-{n}"));
                (names, By::User(table))
            }
            Owners::PerGroup {} => {
                let groups = survey.groups.keys().copied();
                let (names, table) = Assignment::numbered(groups, |n| format!("{prefix}group-{n}"));
                (names, By::Group(table))
            }
            Owners::Balanced { parts } => {
                let areas = survey.users.iter().map(|(&user, share)| (user, share.area));
                let table = balanced(areas.collect(), *parts)?;
                ((1..=*parts).map(|n| format!("{prefix}part-{n}")).collect(), By::User(table))
            }
            Owners::File { path } => {
                let (names, table) = OwnersFile::read(path)?.of_numbers(users)?;
                (names, By::User(table))
            }
        };
        Ok(Assignment { names, by })
    }
}

/// Assigns users by decreasing area, each to the lightest part. O(users log users).
fn balanced(mut users: Vec<(u32, i128)>, parts: u32) -> Result<Table, Invalid> {
    if parts as usize > users.len() {
        let message = format!(
            "{parts} parts of {} leave some without a job; ask for at most {}",
            counted(users.len() as u64, "user", "users"),
            users.len()
        );
        return Err(Invalid::new("balanced.parts", message));
    }
    users.order_by_key(|&(user, area)| (Reverse(area), user));
    // Load, whether it has a user, number: users without work go first to a part without users.
    let mut loads: BinaryHeap<_> = (0..parts).map(|n| Reverse((0_i128, false, n))).collect();
    let mut pairs = Map::new();
    for (user, area) in users {
        let mut lightest = loads.peek_mut().expect("parts > 0");
        let Reverse((load, has_user, part)) = &mut *lightest;
        *load += area;
        *has_user = true;
        pairs.insert(user, *part);
    }
    Ok(Table::new(&pairs))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnerRow {
    user: String,
    organization: String,
}

/// A file of owners: the organization of each user, by the name or number in the first column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnersFile {
    file: PathBuf,
    /// The organizations, in order of first appearance.
    names: Vec<String>,
    /// Each user with the place of its organization and its line.
    rows: Map<String, (u32, u64)>,
    others: Option<u32>,
}

impl OwnersFile {
    /// Reads a CSV file with the columns `user` and `organization`; the user `*` stands for all
    /// users not listed.
    ///
    /// # Errors
    /// A file that cannot be read, or its first invalid line.
    pub fn read(file: &Path) -> Result<OwnersFile, OwnersError> {
        let read = |error| OwnersError::Read { file: file.to_owned(), error };
        let open = opened::open(file).map_err(|error| read(error.into()))?;
        let mut builder = csv::ReaderBuilder::new();
        let builder = builder.trim(csv::Trim::All).flexible(true);
        let mut reader = builder.from_reader(Lines::of(open));
        let headers = reader.headers().map_err(read)?.clone();
        let refuse = |line: u64, message| OwnersError::Row { file: file.to_owned(), line, message };
        if headers.len() != 2
            || !headers.iter().any(|h| h == "user")
            || !headers.iter().any(|h| h == "organization")
        {
            return Err(refuse(1, "the header must be `user,organization`".to_owned()));
        }
        let mut names: Vec<String> = Vec::new();
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let mut rows = Map::new();
        let mut others = None;
        let mut bytes = csv::ByteRecord::new();
        while reader.read_byte_record(&mut bytes).map_err(read)? {
            // As in logs, names are of any encoding.
            let record = csv::StringRecord::from_byte_record_lossy(bytes);
            let line = opened::line(&reader, record.as_byte_record());
            if record.len() != 2 {
                return Err(refuse(line, format!("there are {} values, not 2", record.len())));
            }
            let row: OwnerRow = record.deserialize(Some(&headers)).map_err(read)?;
            if row.organization.is_empty() {
                return Err(refuse(line, format!("user {} has no organization", row.user)));
            }
            let next = names.len() as u32;
            let number = *numbers.entry(row.organization).or_insert_with_key(|name| {
                names.push(name.clone());
                next
            });
            let twice = if row.user == "*" {
                others.replace(number).is_some()
            } else {
                rows.insert(row.user.clone(), (number, line)).is_some()
            };
            if twice {
                return Err(refuse(line, format!("user {} is listed twice", row.user)));
            }
            bytes = record.into_byte_record();
        }
        Ok(OwnersFile { file: file.to_owned(), names, rows, others })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// Returns the users that are listed, without `*`, in the order of their names.
    pub fn users(&self) -> impl Iterator<Item = &str> {
        self.rows.keys().map(String::as_str)
    }

    /// Returns the organization of a user by name, if it is listed or all others are.
    pub fn organization(&self, user: &str) -> Option<&str> {
        let number = self.rows.get(user).map(|&(number, _)| number).or(self.others)?;
        self.names.get(number as usize).map(String::as_str)
    }

    /// Returns the organizations, and those of the users of a trace, which are numbers.
    fn of_numbers(
        self,
        users: impl Iterator<Item = u32>,
    ) -> Result<(Vec<String>, Table), OwnersError> {
        let mut rows: Map<u32, u32> = Map::new();
        let mut listed: Vec<_> = self.rows.into_iter().collect();
        listed.order_by_key(|&(_, (_, line))| line);
        for (user, (number, line)) in listed {
            let refuse = |message| OwnersError::Row { file: self.file.clone(), line, message };
            let key = user.parse().map_err(|_| {
                refuse(format!(
                    "`{user}` is not a user's number, nor `*`; a trace in the Standard Workload \
                     Format numbers its users"
                ))
            })?;
            if rows.insert(key, number).is_some() {
                return Err(refuse(format!("user {user} is listed twice")));
            }
        }
        let mut pairs = Map::new();
        for user in users {
            let number = rows.get(&user).copied().or(self.others);
            let unlisted = || OwnersError::Unlisted { file: self.file.clone(), user };
            pairs.insert(user, number.ok_or_else(unlisted)?);
        }
        Ok((self.names, Table::new(&pairs)))
    }
}

//! Names by which people know jobs elsewhere: account, partition and label.

use rustc_hash::FxHashMap;

/// The columns of a tag, in its order.
pub(super) const TAGS: [&str; 3] = ["account", "partition", "label"];

/// The tags of jobs by their numbers; they change nothing in a simulation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// The first stands for none.
    names: Vec<String>,
    /// Accounts and partitions, which many jobs share.
    known: FxHashMap<String, u32>,
    rows: FxHashMap<u64, [u32; 3]>,
}

impl Tags {
    /// Sets the account, the partition and the label of a job; empty texts stand for none.
    pub fn insert(&mut self, job: u64, tag: [&str; 3]) {
        if tag == [""; 3] {
            return;
        }
        let [account, partition, label] = tag;
        let shared = [account, partition].map(|name| {
            if let Some(&known) = self.known.get(name) {
                return known;
            }
            let number = self.add(name);
            self.known.insert(name.to_owned(), number);
            number
        });
        let label = self.add(label);
        self.rows.insert(job, [shared[0], shared[1], label]);
    }

    fn add(&mut self, name: &str) -> u32 {
        if self.names.is_empty() {
            self.names.push(String::new());
        }
        if name.is_empty() {
            return 0;
        }
        self.names.push(name.to_owned());
        self.names.len() as u32 - 1
    }

    /// Returns true if no job has a tag.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the account, the partition and the label of a job.
    pub fn of(&self, job: u64) -> [&str; 3] {
        self.rows.get(&job).map_or([""; 3], |row| row.map(|name| &*self.names[name as usize]))
    }

    /// Returns the tag as one text, such as `account=physics;partition=cpu;label=4211_3`, with a comma
    /// for a semicolon of a name.
    pub fn text(&self, job: u64) -> String {
        let mut text = String::new();
        for (name, value) in
            TAGS.into_iter().zip(self.of(job)).filter(|(_, value)| !value.is_empty())
        {
            text += if text.is_empty() { "" } else { ";" };
            text += name;
            text.push('=');
            text.extend(value.chars().map(|c| if c == ';' { ',' } else { c }));
        }
        text
    }

    /// Returns the tags with other spellings of all names.
    #[must_use]
    pub fn spelled(mut self, spell: impl Fn(&str) -> String) -> Tags {
        self.names.iter_mut().for_each(|name| *name = spell(name));
        self.known.clear();
        self
    }
}

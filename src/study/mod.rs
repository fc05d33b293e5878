//! Studies: the claims of a paper, each answered by a measurement, a proof by enumeration, or a
//! test.
//!
//! A study is a list of [`Part`]s; each answers some [claims](claim) in [rows](row) that hold what
//! the paper says beside what we find, with a [`verdict`] by a stated rule. A row is the same for
//! any number of threads: rounds are played in parallel and taken up by their numbers.

pub mod claim;
pub mod contest;
pub mod folder;
pub mod row;
pub mod sample;
pub mod selfish_lb;
pub mod verdict;

use std::sync::atomic::{AtomicU64, Ordering};

use claim::{Answer, Claim};
use row::Row;

/// A paper.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// What the command line calls it.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Who wrote it.
    pub authors: &'static str,
    /// How it is reproduced, if it is.
    pub study: Option<&'static Study>,
}

/// How a paper is reproduced.
#[derive(Debug)]
pub struct Study {
    /// Everything that the paper claims.
    pub claims: &'static [Claim],
    /// What answers the claims that have rows.
    pub parts: &'static [Part],
}

/// A part of a study, the smallest thing that is played.
#[derive(Debug)]
pub struct Part {
    /// The table of the paper that it redoes, if it does.
    pub table: Option<&'static str>,
    /// The figures of the paper that it redoes.
    pub figures: &'static [&'static str],
    /// The claims that it answers.
    pub claims: &'static [&'static str],
    /// Plays it.
    pub play: Play,
}

/// Plays a part.
pub type Play = fn(&Bench) -> Result<Vec<Row>, StudyError>;

/// What stops a study: an invariant that broke, or a world that cannot go on.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct StudyError(pub String);

/// The papers that gridpact is about.
pub const PAPERS: [Paper; 5] = [
    Paper {
        name: "selfish-lb",
        title: "Promoting Cooperation in Selfish Computational Grids",
        authors: "K. Rzadca and D. Trystram",
        study: Some(&selfish_lb::STUDY),
    },
    Paper {
        name: "online-grids",
        title: "Online Scheduling in Grids",
        authors: "U. Schwiegelshohn, A. Tchernykh and R. Yahyapour",
        study: None,
    },
    Paper {
        name: "mosp",
        title: "Cooperation in multi-organization scheduling",
        authors: "F. Pascual, K. Rzadca and D. Trystram",
        study: None,
    },
    Paper {
        name: "dedicated-grids",
        title: "Fair Game-Theoretic Resource Management in Dedicated Grids",
        authors: "K. Rzadca, D. Trystram and A. Wierzbicki",
        study: None,
    },
    Paper {
        name: "sequential-games",
        title: "A Sequential Cooperative Game Theoretic Approach to Scheduling Multiple Large-scale \
                Applications in Grids",
        authors: "R. Duan, R. Prodan and X. Li",
        study: None,
    },
];

/// The paper of a name.
pub fn paper(name: &str) -> Option<&'static Paper> {
    PAPERS.iter().find(|paper| paper.name == name)
}

/// Is this the figure or table that is named, or a part of it: 3a is of 3?
pub fn is_of(own: &str, named: &str) -> bool {
    let number = own.trim_end_matches(|one: char| one.is_ascii_alphabetic());
    own.eq_ignore_ascii_case(named) || number == named
}

/// What of a study is wanted: all that is named; nothing: all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// One table.
    pub table: Option<String>,
    /// One figure, or of a number all its parts.
    pub figure: Option<String>,
    /// One claim.
    pub claim: Option<String>,
}

impl Wanted {
    fn is_all(&self) -> bool {
        *self == Wanted::default()
    }

    /// Are all rows of a part wanted?
    fn whole(&self, part: &Part) -> bool {
        let is = |wanted: &Option<String>, ours: &[&str]| {
            let wanted = wanted.as_deref();
            wanted.is_some_and(|wanted| ours.iter().any(|own| is_of(own, wanted)))
        };
        self.is_all() || is(&self.table, part.table.as_slice()) || is(&self.figure, part.figures)
    }

    /// Is a row of a part wanted? Not one of another figure that the same part redoes.
    fn row(&self, part: &Part, row: &Row) -> bool {
        let is_of_another = self.figure.as_deref().is_some_and(|figure| {
            let own = row.place.strip_prefix("Figure ");
            own.is_some_and(|own| part.figures.contains(&own) && !is_of(own, figure))
        });
        self.whole(part) && !is_of_another || self.claim(row.claim)
    }

    /// Are the rows of a claim wanted, wherever they are?
    fn claim(&self, id: &str) -> bool {
        let wanted = self.claim.as_deref();
        self.is_all() || wanted.is_some_and(|wanted| id.eq_ignore_ascii_case(wanted))
    }

    /// Is anything of a part wanted?
    fn part(&self, part: &Part) -> bool {
        self.whole(part) || part.claims.iter().any(|id| self.claim(id))
    }
}

/// How much is played, by which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Rounds of each configuration.
    pub rounds: u32,
    /// Runs of learners are cut short, and sweeps thin.
    pub quick: bool,
    /// The master seed.
    pub seed: u64,
}

impl Effort {
    /// The rounds of the papers' tables.
    pub const FULL: u32 = 1000;
    /// Enough to see the shape of a table within seconds.
    pub const QUICK: u32 = 40;
}

/// What the parts of a study share: how much is played, what was played before, how far it is.
#[derive(Debug)]
pub struct Bench {
    /// How much is played.
    pub effort: Effort,
    /// What was played of the first paper.
    shelf: selfish_lb::play::Shelf,
    done: AtomicU64,
}

impl Bench {
    /// Nothing was played yet.
    pub fn new(effort: Effort) -> Bench {
        Bench { effort, shelf: Default::default(), done: AtomicU64::new(0) }
    }

    /// Rounds that were played.
    pub fn rounds(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Some more rounds were played.
    pub fn add_rounds(&self, rounds: u64) {
        self.done.fetch_add(rounds, Ordering::Relaxed);
    }
}

impl Study {
    /// The claim of a name.
    pub fn claim(&self, id: &str) -> Option<&Claim> {
        self.claims.iter().find(|claim| claim.id.eq_ignore_ascii_case(id))
    }

    /// The names of the tables that it redoes, in order.
    pub fn tables(&self) -> Vec<&'static str> {
        let mut all: Vec<&str> = self.parts.iter().filter_map(|part| part.table).collect();
        all.dedup();
        all
    }

    /// The names of the figures that it redoes, in order.
    pub fn figures(&self) -> Vec<&'static str> {
        let mut all: Vec<&str> = self.parts.iter().flat_map(|part| part.figures).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Plays what is wanted: the rows in the order of the register, rows of one claim as their part
    /// gives them. `before` is told the number of each part before it is played, and of how many.
    ///
    /// # Errors
    /// See [`StudyError`].
    pub fn play(
        &self,
        wanted: &Wanted,
        bench: &Bench,
        before: impl Fn(usize, usize),
    ) -> Result<Vec<Row>, StudyError> {
        let parts: Vec<&Part> = self.parts.iter().filter(|part| wanted.part(part)).collect();
        let mut rows = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            before(number, parts.len());
            let played = (part.play)(bench)?.into_iter();
            rows.extend(played.filter(|row| wanted.row(part, row)));
        }
        let elsewhere = self.claims.iter().filter(|claim| wanted.claim(claim.id));
        rows.extend(elsewhere.filter_map(Row::elsewhere));
        let order = |row: &Row| self.claims.iter().position(|claim| claim.id == row.claim);
        rows.sort_by_key(order);
        Ok(rows)
    }

    /// The claims that are to have rows.
    pub fn answered_in_rows(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(|claim| matches!(claim.answer, Answer::Rows))
    }
}

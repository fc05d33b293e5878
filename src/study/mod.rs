//! Studies: the claims of a paper, each answered by a measurement, an enumeration, or a test.
//!
//! A study is a list of [`Part`]s. Each part answers some [claims](claim) in [rows](row) that show
//! the paper's figure beside ours, with a [`verdict`] by a stated rule. Rows do not depend on the
//! number of threads: rounds are simulated in parallel and collected by their numbers.

pub mod claim;
pub mod contest;
pub mod folder;
pub mod row;
pub mod sample;
pub mod selfish_lb;
pub mod verdict;

use std::sync::atomic::{AtomicU64, Ordering};

use claim::Claim;
use row::Row;

/// A paper.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// Name on the command line.
    pub name: &'static str,
    /// Title of the paper.
    pub title: &'static str,
    /// Authors of the paper.
    pub authors: &'static str,
    /// Study that reproduces it, if there is one.
    pub study: Option<&'static Study>,
}

/// Reproduction of a paper.
#[derive(Debug)]
pub struct Study {
    /// All testable claims of the paper.
    pub claims: &'static [Claim],
    /// Parts that answer the claims with rows.
    pub parts: &'static [Part],
}

/// A part of a study, the smallest unit that can be run.
#[derive(Debug)]
pub struct Part {
    /// Table of the paper that it reproduces, if any.
    pub table: Option<&'static str>,
    /// Figures of the paper that it reproduces.
    pub figures: &'static [&'static str],
    /// Claims that it answers.
    pub claims: &'static [&'static str],
    /// Function that runs it.
    pub play: Play,
}

/// Function that runs a part.
pub type Play = fn(&Bench) -> Result<Vec<Row>, StudyError>;

/// Error that stops a study: a broken invariant, or a simulation that cannot go on.
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

/// Finds a paper by name.
pub fn paper(name: &str) -> Option<&'static Paper> {
    PAPERS.iter().find(|paper| paper.name == name)
}

/// True if a figure or table is the named one or a part of it, as 3a is of 3.
pub fn is_of(own: &str, named: &str) -> bool {
    let number = own.trim_end_matches(|one: char| one.is_ascii_alphabetic());
    own.eq_ignore_ascii_case(named) || number == named
}

/// Selection of a study's rows; an empty selection means all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// A table.
    pub table: Option<String>,
    /// A figure; a bare number selects all its parts.
    pub figure: Option<String>,
    /// A claim.
    pub claim: Option<String>,
}

impl Wanted {
    fn is_all(&self) -> bool {
        *self == Wanted::default()
    }

    /// True if all rows of a part are selected.
    fn whole(&self, part: &Part) -> bool {
        let is = |wanted: &Option<String>, ours: &[&str]| {
            let wanted = wanted.as_deref();
            wanted.is_some_and(|wanted| ours.iter().any(|own| is_of(own, wanted)))
        };
        self.is_all() || is(&self.table, part.table.as_slice()) || is(&self.figure, part.figures)
    }

    /// True if a row of a part is selected; other figures that the same part reproduces are not.
    fn row(&self, part: &Part, row: &Row) -> bool {
        let is_of_another = self.figure.as_deref().is_some_and(|figure| {
            let own = row.place.strip_prefix("Figure ");
            own.is_some_and(|own| part.figures.contains(&own) && !is_of(own, figure))
        });
        self.whole(part) && !is_of_another || self.claim(row.claim)
    }

    /// True if the rows of a claim are selected, in whatever part they are.
    fn claim(&self, id: &str) -> bool {
        let wanted = self.claim.as_deref();
        self.is_all() || wanted.is_some_and(|wanted| id.eq_ignore_ascii_case(wanted))
    }

    /// True if any row of a part is selected.
    fn part(&self, part: &Part) -> bool {
        self.whole(part) || part.claims.iter().any(|id| self.claim(id))
    }
}

/// Rounds and seeds of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Rounds of each configuration.
    pub rounds: u32,
    /// True if runs of learners are shortened and sweeps thinned out.
    pub quick: bool,
    /// Master seed.
    pub seed: u64,
    /// Number of seeds, consecutive from the master seed.
    ///
    /// Verdicts are those of the first seed; rows say if another seed gives another verdict.
    pub seeds: u32,
}

impl Effort {
    /// Rounds in the papers' tables.
    pub const FULL: u32 = 1000;
    /// Rounds that are enough to show the shape of a table within seconds.
    pub const QUICK: u32 = 40;
    /// Default number of seeds.
    pub const SEEDS: u32 = 2;
}

/// State shared by the parts of a study: effort, earlier results, progress.
#[derive(Debug)]
pub struct Bench {
    /// Rounds and seeds.
    pub effort: Effort,
    /// True for seeds after the first: only the settled reading is judged, no others are tried.
    is_again: bool,
    /// Earlier results of the first paper.
    shelf: selfish_lb::play::Shelf,
    done: AtomicU64,
}

impl Bench {
    /// A bench without results.
    pub fn new(effort: Effort) -> Bench {
        Bench { effort, is_again: false, shelf: Default::default(), done: AtomicU64::new(0) }
    }

    /// Number of rounds simulated so far.
    pub fn rounds(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Adds to the number of rounds simulated.
    pub fn add_rounds(&self, rounds: u64) {
        self.done.fetch_add(rounds, Ordering::Relaxed);
    }
}

impl Study {
    /// Finds a claim by its identifier.
    pub fn claim(&self, id: &str) -> Option<&Claim> {
        self.claims.iter().find(|claim| claim.id.eq_ignore_ascii_case(id))
    }

    /// Names of the tables reproduced, in order.
    pub fn tables(&self) -> Vec<&'static str> {
        let mut all: Vec<&str> = self.parts.iter().filter_map(|part| part.table).collect();
        all.dedup();
        all
    }

    /// Names of the figures reproduced, in order.
    pub fn figures(&self) -> Vec<&'static str> {
        let mut all: Vec<&str> = self.parts.iter().flat_map(|part| part.figures).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Runs the selected parts and returns their rows.
    ///
    /// Rows are in the order of the register, and rows of the same claim in the order of their
    /// part. `before` is called before each part with its number and their total number, over all
    /// seeds.
    ///
    /// # Errors See [`StudyError`].
    pub fn play(
        &self,
        wanted: &Wanted,
        bench: &Bench,
        before: impl Fn(usize, usize),
    ) -> Result<Vec<Row>, StudyError> {
        let parts: Vec<&Part> = self.parts.iter().filter(|part| wanted.part(part)).collect();
        let mut rows = Vec::new();
        let all = parts.len() * bench.effort.seeds.max(1) as usize;
        for (number, part) in parts.iter().enumerate() {
            before(number, all);
            let played = (part.play)(bench)?.into_iter();
            rows.extend(played.filter(|row| wanted.row(part, row)));
        }
        for other in 1..bench.effort.seeds {
            let seed = bench.effort.seed.wrapping_add(u64::from(other));
            let effort = Effort { seed, seeds: 1, ..bench.effort };
            let again = Bench { is_again: true, ..Bench::new(effort) };
            let mut at = 0;
            for (number, part) in parts.iter().enumerate() {
                before(other as usize * parts.len() + number, all);
                let done = again.rounds();
                let played = (part.play)(&again)?.into_iter();
                bench.add_rounds(again.rounds() - done);
                let again = played.filter(|row| wanted.row(part, row));
                for (own, other) in rows[at..].iter_mut().zip(again) {
                    debug_assert_eq!(own.what, other.what, "parts give the same rows");
                    own.beside(&other);
                    at += 1;
                }
            }
        }
        let elsewhere = self.claims.iter().filter(|claim| wanted.claim(claim.id));
        rows.extend(elsewhere.filter_map(Row::elsewhere));
        let order = |row: &Row| self.claims.iter().position(|claim| claim.id == row.claim);
        rows.sort_by_key(order);
        Ok(rows)
    }

    /// Claims that must have rows.
    pub fn answered_in_rows(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(|claim| claim.is_played())
    }
}

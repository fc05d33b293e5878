//! Studies: the claims of a paper, each answered by a measurement, an enumeration, or a test.
//!
//! A study is a list of [parts](lines::Part), which are [lines] of its register of [claims](claim). Each
//! part answers some claims in [rows](row) that show the paper's figure beside ours, with a [`verdict`] by
//! one rule for all papers, and may draw [pictures](picture) of the paper's figures. Rows do not depend on
//! the number of threads: samples are played in parallel on a [`mod@bench`] and collected by their numbers.
//!
//! Another paper is a folder here and a line in [`PAPERS`].

pub mod adversary;
pub mod bench;
pub mod claim;
pub mod contest;
pub mod count;
mod dedicated_grids;
mod experiments;
pub mod federation;
pub mod fingerprint;
pub mod folder;
pub mod lines;
pub mod mosp;
mod number;
mod online_grids;
pub mod picture;
pub mod played;
pub mod program;
pub mod resume;
pub mod row;
pub mod sample;
pub mod selfish_lb;
mod sequential_games;
pub mod told;
pub mod verdict;
pub mod whole;
pub mod worst_case;

pub use bench::{Bench, Effort};
pub use experiments::EXPERIMENTS;
use std::sync::LazyLock;

use claim::{Claim, Register};
use lines::Part;
use picture::Drawing;
use played::Record;
use resume::{Ended, Parts};
use row::Row;
use verdict::Rule;

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
    /// All testable claims of the paper, what its main results say, and the parts that answer claims.
    pub register: &'static LazyLock<Register>,
    /// The rule, with the paper's number of samples; as many are played by default.
    pub rule: Rule,
    /// Number of samples that shows the shape of the results within seconds.
    pub quick: u32,
}

/// The results of a study.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Rows, in the order of the register of claims.
    pub rows: Vec<Row>,
    /// Figures of the paper, by name.
    pub pictures: Vec<Drawing>,
    /// Configurations that were played with the first seed, by part.
    pub played: Vec<Record>,
}

/// Plays a part on a bench, unless it has ended before.
fn played(
    bench: &Bench,
    (part, register): (&'static Part, &'static Register),
    kept: &Parts,
    which: (u32, usize),
) -> Result<Ended, StudyError> {
    kept.ended(which, || {
        let done = bench.samples();
        let rows = part.play(bench, register)?;
        let log = bench.take_log();
        let samples = bench.samples() - done;
        Ok(Ended { rows, pictures: log.pictures, played: log.played, samples })
    })
}

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
        study: Some(&online_grids::STUDY),
    },
    Paper {
        name: "mosp",
        title: "Cooperation in multi-organization scheduling",
        authors: "F. Pascual, K. Rzadca and D. Trystram",
        study: Some(&mosp::STUDY),
    },
    Paper {
        name: "dedicated-grids",
        title: "Fair Game-Theoretic Resource Management in Dedicated Grids",
        authors: "K. Rzadca, D. Trystram and A. Wierzbicki",
        study: Some(&dedicated_grids::STUDY),
    },
    Paper {
        name: "sequential-games",
        title: "A Sequential Cooperative Game Theoretic Approach to Scheduling Multiple Large-scale \
                Applications in Grids",
        authors: "R. Duan, R. Prodan and X. Li",
        study: Some(&sequential_games::STUDY),
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
        let figures: Vec<&str> = part.figures.iter().map(String::as_str).collect();
        self.is_all()
            || is(&self.table, part.table.as_deref().as_slice())
            || is(&self.figure, &figures)
    }

    /// True if a row of a part is selected; other figures that the same part reproduces are not.
    fn row(&self, part: &Part, row: &Row) -> bool {
        let is_of_another = self.figure.as_deref().is_some_and(|figure| {
            let own = row.place.strip_prefix("Figure ");
            own.is_some_and(|own| part.figures.iter().any(|one| one == own) && !is_of(own, figure))
        });
        self.whole(part) && !is_of_another || self.claim(row.claim)
    }

    /// True if the rows of a claim are selected, in whatever part they are.
    fn claim(&self, id: &str) -> bool {
        let wanted = self.claim.as_deref();
        self.is_all() || wanted.is_some_and(|wanted| id.eq_ignore_ascii_case(wanted))
    }

    /// True unless another figure is selected; a picture belongs to all rows of its part.
    fn picture(&self, picture: &Drawing) -> bool {
        self.figure.as_deref().is_none_or(|figure| is_of(picture.told().0, figure))
    }

    /// True if any row of a part is selected.
    fn part(&self, part: &Part) -> bool {
        self.whole(part) || part.claims().iter().any(|id| self.claim(id))
    }
}

impl Study {
    /// All its parts.
    pub fn parts(&self) -> &'static [Part] {
        let register: &'static Register = self.register;
        &register.parts
    }

    /// All testable claims of the paper, in its order.
    pub fn claims(&self) -> &'static [Claim] {
        &self.register.claims
    }

    /// Finds a claim by its identifier.
    pub fn claim(&self, id: &str) -> Option<&Claim> {
        self.claims().iter().find(|claim| claim.id.eq_ignore_ascii_case(id))
    }

    /// Names of the tables reproduced, in order.
    pub fn tables(&self) -> Vec<&'static str> {
        let mut all: Vec<&str> =
            self.parts().iter().filter_map(|part| part.table.as_deref()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Names of the figures reproduced, in order.
    pub fn figures(&self) -> Vec<&'static str> {
        let figures = self.parts().iter().flat_map(|part| &part.figures);
        let mut all: Vec<&str> = figures.map(String::as_str).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Runs the selected parts.
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
        kept: &Parts,
        before: impl Fn(usize, usize),
    ) -> Result<Found, StudyError> {
        let register: &'static Register = self.register;
        let parts: Vec<(usize, &'static Part)> =
            self.parts().iter().enumerate().filter(|(_, part)| wanted.part(part)).collect();
        let mut found = Found::default();
        let all = parts.len() * bench.effort.seeds.max(1) as usize;
        for (number, (place, part)) in parts.iter().enumerate() {
            before(number, all);
            let ended = played(bench, (part, register), kept, (0, *place))?;
            let rows = ended.rows.into_iter().filter(|row| wanted.row(part, row));
            found.rows.extend(rows.map(|row| Row { part: place + 1, ..row }));
            found.pictures.extend(ended.pictures.into_iter().filter(|one| wanted.picture(one)));
            found
                .played
                .extend(ended.played.into_iter().map(|one| Record { part: place + 1, ..one }));
        }
        for other in 1..bench.effort.seeds {
            bench.forget();
            let again = bench.again(other);
            let mut at = 0;
            for (number, (place, part)) in parts.iter().enumerate() {
                before(other as usize * parts.len() + number, all);
                let ended = played(&again, (part, register), kept, (other, *place))?;
                bench.add_samples(ended.samples);
                let again = ended.rows.into_iter().filter(|row| wanted.row(part, row));
                for (own, other) in found.rows[at..].iter_mut().zip(again) {
                    debug_assert_eq!(own.what, other.what, "parts give the same rows");
                    own.beside(&other);
                    at += 1;
                }
            }
        }
        let order = |row: &Row| self.claims().iter().position(|claim| claim.id == row.claim);
        found.rows.sort_by_key(order);
        found.pictures.sort_by_key(|picture| picture.told().0);
        found.played.sort_unstable();
        found.played.dedup();
        Ok(found)
    }
}

//! Records of what a study played: enough to play it again.

use report::table::{Column, Table};
use serde::{Deserialize, Serialize};

/// A configuration that was played, and how long.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Record {
    /// Number of the study's part that used it, from 1.
    pub part: usize,
    /// Its name: that of its scenario file.
    pub configuration: String,
    /// Differences from the scenario, in words or as arguments; empty if there are none.
    pub reading: String,
    /// First master seed, and the number of consecutive ones.
    pub seeds: (u64, u64),
    /// Samples with each seed.
    pub samples: u64,
    /// Scenario that `gridpact run` can play; empty if none describes it.
    pub scenario: String,
}

impl Record {
    /// Samples of code, by its name and settings.
    pub fn code(name: &str, set: &[String], (samples, seed): (u32, u64)) -> Record {
        Record {
            part: 0,
            configuration: format!("code {name}"),
            reading: set.join(" "),
            seeds: (seed, 1),
            samples: samples.into(),
            scenario: String::new(),
        }
    }
}

/// The configurations as a table.
pub fn table(played: &[Record], unit: &'static str) -> Table {
    let columns = [
        Column::figure("part"),
        Column::text("configuration"),
        Column::figure("first_seed"),
        Column::figure("seeds"),
        Column::figure(unit),
        Column::prose("reading"),
    ];
    let mut table = Table::new("played", columns);
    for one in played {
        table.row([
            (one.part as u64).into(),
            one.configuration.as_str().into(),
            one.seeds.0.into(),
            one.seeds.1.into(),
            one.samples.into(),
            one.reading.as_str().into(),
        ]);
    }
    table
}

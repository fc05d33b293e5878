//! Queues and how they are sampled; what came of many seeds of one.

use std::fmt::Write as _;

use gridpact::report::grid::warnings;
use gridpact::run::{self, Progress};
use gridpact::scenario::files::Files;
use gridpact::scenario::{self, Input, Overrides};
use gridpact::stats::distribution::QUANTILES;
use gridpact::stats::interval::Interval;
use rayon::prelude::*;

use super::theory::{Law, Queue};

/// Length and number of runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Design {
    /// So many replications of so many jobs.
    Replications(u32, u64),
    /// One run of so many jobs.
    One(u64),
    /// Replications of so many jobs are added until the mean flow is known within a share.
    Precision(u64, f64),
    /// One run goes on until its mean flow is known within a share.
    PrecisionOfOne(f64),
}

/// Where the warm-up ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WarmUp {
    None,
    /// After so many units.
    Fixed(u64),
    Mser5,
}

/// A queue and how it is sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    pub queue: Queue,
    pub design: Design,
    pub warm_up: WarmUp,
    pub level: f64,
}

/// Estimated figures, in the order of the table: of the flow, and of the wait.
pub const FIGURES: [&str; 8] = [
    "mean flow",
    "p95 of flow",
    "p99 of flow",
    "p99.9 of flow",
    "mean wait",
    "p95 of wait",
    "p99 of wait",
    "p99.9 of wait",
];

/// The head of the table.
pub const HEADER: &str = "| queue | sample | warm-up | figure | seeds | covers | ± | without a \
    warning | cover | missed and warned | covers and warned |\n|---|---|---|---|---|---|---|---|---|---|---|";

impl Cell {
    const fn new(load: f64, law: Law, design: Design, warm_up: WarmUp) -> Cell {
        Cell { queue: Queue { load, law }, design, warm_up, level: 0.95 }
    }

    /// Its name in the table.
    pub fn name(&self) -> String {
        let Queue { load, law } = self.queue;
        let law = match law {
            Law::Exponential => "M/M/1".to_owned(),
            Law::Lognormal { variation } => format!("lognormal, cv {variation}"),
            Law::BoundedPareto { .. } => "bounded Pareto".to_owned(),
            Law::Weibull => "Weibull 1/2".to_owned(),
            Law::Hyperexponential { squared_variation } => {
                format!("hyperexponential, c² {squared_variation}")
            }
        };
        let design = match self.design {
            Design::Replications(number, jobs) => format!("{number} × {jobs}"),
            Design::One(jobs) => format!("one run of {jobs}"),
            Design::Precision(jobs, share) => {
                format!("{}% by replications of {jobs}", 100.0 * share)
            }
            Design::PrecisionOfOne(share) => format!("{}% by one run", 100.0 * share),
        };
        let warm_up = match self.warm_up {
            WarmUp::None => "none".to_owned(),
            WarmUp::Fixed(units) => format!("{units}"),
            WarmUp::Mser5 => "MSER-5".to_owned(),
        };
        format!("| {law} at {load} | {design} | {warm_up} ")
    }

    /// Jobs of a seed, about.
    pub fn jobs(&self) -> f64 {
        // What a mean is known within is about 1.96 sqrt(memory / jobs) of it.
        let needed = |share: f64| 4.0 / (share * share) * 4.0 / (1.0 - self.queue.load).powi(2);
        match self.design {
            Design::Replications(number, jobs) => f64::from(number) * jobs as f64,
            Design::One(jobs) => jobs as f64,
            Design::Precision(_, share) | Design::PrecisionOfOne(share) => needed(share),
        }
    }

    fn scenario(&self, seed: u64) -> String {
        let run = match self.design {
            Design::Replications(number, jobs) => {
                format!("replications = {number}\nuntil.jobs = {jobs}")
            }
            Design::One(jobs) => format!("until.jobs = {jobs}"),
            Design::Precision(jobs, share) => format!(
                "until.precision = {{ metric = \"flow\", relative = {share:?}, each.jobs = {jobs} }}"
            ),
            Design::PrecisionOfOne(share) => {
                format!("until.precision = {{ metric = \"flow\", relative = {share:?} }}")
            }
        };
        let warm_up = match self.warm_up {
            WarmUp::None => String::new(),
            WarmUp::Fixed(units) => format!("warm_up.fixed = {units}.0\n"),
            WarmUp::Mser5 => "warm_up.mser_5 = {}\n".to_owned(),
        };
        let Queue { law, .. } = self.queue;
        format!(
            "name = \"cell\"\nseed = {seed}\n[run]\n{run}\n[output]\nconfidence = {:?}\n\
             timeline = false\n{warm_up}[[organization]]\nname = \"queue\"\n\
             cluster.time_shared = {{}}\nworkload.synthetic = {{ arrivals.poisson.rate = {:?}, \
             size.{} }}\n",
            self.level,
            self.queue.rate(),
            law.written()
        )
    }

    /// By figure, the interval, where there is one; and whether anything was warned of.
    fn run(&self, seed: u64) -> ([Option<Interval>; 8], bool) {
        let mut files = Files::new();
        let input = Input::Bytes { name: "cell", bytes: self.scenario(seed).into_bytes() };
        let (plan, _) = scenario::load(input, &Overrides::default(), &mut files)
            .unwrap_or_else(|wrong| panic!("{wrong:?}\n{}", self.scenario(seed)));
        let results = run::run(&plan, None, 1, 0.0, &Progress::default());
        let results = results.expect("nothing fails").grid().expect("a grid");
        let precision = results.precision(0, &results.accounts.organizations()[0]);
        let [flow, wait, ..] = precision.distributions;
        let of = |of: gridpact::findings::grid::precision::OfDistribution| {
            let [p95, p99, last] = ["p95", "p99", "p99.9"].map(|name| {
                let at = QUANTILES.iter().position(|one| one.0 == name).expect("it is printed");
                of.quantiles[at]
            });
            [of.mean.map(|mean| mean.interval), p95, p99, last]
        };
        let [[a, b, c, d], [e, f, g, h]] = [of(flow), of(wait)];
        ([a, b, c, d, e, f, g, h], !warnings::of(&plan, &results).is_empty())
    }

    /// Bounds of the truth, by figure.
    fn truth(&self, points: usize) -> [[f64; 2]; 8] {
        let wait = self.queue.mean_wait();
        let quantile = |share, is_flow| self.queue.quantile(share, is_flow, points);
        let flow = wait + self.queue.law.moment(1);
        let [f95, f99, f999] = [0.95, 0.99, 0.999].map(|share| quantile(share, true));
        let [w95, w99, w999] = [0.95, 0.99, 0.999].map(|share| quantile(share, false));
        [[flow; 2], f95, f99, f999, [wait; 2], w95, w99, w999]
    }

    /// Tally over so many seeds, with quantiles without a closed form on so many points.
    pub fn tally(&self, seeds: u64, points: usize) -> Tally {
        let truth = self.truth(points);
        let runs: Vec<_> = (1..=seeds).into_par_iter().map(|seed| self.run(seed)).collect();
        let mut figures = [Of::default(); 8];
        for (intervals, is_warned) in &runs {
            for ((of, interval), truth) in figures.iter_mut().zip(intervals).zip(truth) {
                let Some(interval) = interval else { continue };
                // Quantiles are read off a histogram that knows them within 0.1%.
                let covers = interval.low <= truth[1] * 1.001 && truth[0] * 0.999 <= interval.high;
                of.known += 1;
                of.missed += u64::from(!covers);
                of.silent += u64::from(!is_warned);
                of.missed_and_warned += u64::from(!covers && *is_warned);
                of.width += if interval.high.is_finite() { interval.half_width() } else { 0.0 };
                of.open += u64::from(interval.high.is_infinite());
            }
        }
        Tally { seeds, truth, figures }
    }
}

/// Counts of runs for one figure.
#[derive(Clone, Copy, Debug, Default)]
pub struct Of {
    /// There is an interval.
    pub known: u64,
    pub missed: u64,
    /// Nothing was warned of.
    pub silent: u64,
    pub missed_and_warned: u64,
    /// The upper end is open.
    pub open: u64,
    width: f64,
}

/// Counts for all figures.
#[derive(Clone, Debug)]
pub struct Tally {
    pub seeds: u64,
    truth: [[f64; 2]; 8],
    pub figures: [Of; 8],
}

impl Tally {
    /// The shares that cover.
    pub fn coverage(&self) -> Vec<(&'static str, f64)> {
        let known = FIGURES.into_iter().zip(self.figures).filter(|(_, of)| of.known > 0);
        known.map(|(name, of)| (name, 1.0 - of.missed as f64 / of.known as f64)).collect()
    }

    /// Lines of the table.
    pub fn rows(&self, cell: &Cell) -> String {
        let mut rows = String::new();
        let percent = |part: u64, all: u64| match all {
            0 => "-".to_owned(),
            _ => format!("{:.1}%", 100.0 * part as f64 / all as f64),
        };
        for ((figure, of), truth) in FIGURES.iter().zip(self.figures).zip(self.truth) {
            let Of { known, missed, silent, missed_and_warned, .. } = of;
            let covering = known - missed;
            let share = covering as f64 / known.max(1) as f64;
            let error = 100.0 * (share * (1.0 - share) / known.max(1) as f64).sqrt();
            let silent_cover = silent - (missed - missed_and_warned);
            let warned_cover = covering - silent_cover;
            let _ = writeln!(
                rows,
                "{}| {figure} {:.4} | {known} of {} | {} | {error:.1} | {} | {} | {} of {missed} | {} |{}",
                cell.name(),
                f64::midpoint(truth[0], truth[1]),
                self.seeds,
                percent(covering, known),
                percent(silent, known),
                percent(silent_cover, silent),
                missed_and_warned,
                percent(warned_cover, covering),
                if of.open > 0 { format!(" <!-- {} open -->", of.open) } else { String::new() },
            );
        }
        rows
    }
}

const LOGNORMAL: Law = Law::Lognormal { variation: 3.0 };
const PARETO: Law = Law::BoundedPareto { shape: 1.8, min: 1.0, max: 1e4 };

/// Cells of the test that always runs.
pub fn small() -> Vec<Cell> {
    let of = |design| Cell::new(0.5, Law::Exponential, design, WarmUp::Fixed(200));
    vec![of(Design::Replications(10, 2_600)), of(Design::One(26_000))]
}

/// Cells where most runs miss the rare jobs that matter.
pub fn heavy() -> Vec<Cell> {
    let of = |law, design| Cell::new(0.7, law, design, WarmUp::None);
    vec![of(LOGNORMAL, Design::Replications(20, 2_000)), of(PARETO, Design::One(40_000))]
}

/// On which rules are developed.
pub fn development() -> Vec<Cell> {
    let balanced = Law::Hyperexponential { squared_variation: 4.0 };
    let wild = Law::Lognormal { variation: 2.0 };
    let of = |load, law, design| Cell::new(load, law, design, WarmUp::Fixed(2_000));
    let mut cells = Vec::new();
    for (load, law) in [(0.8, Law::Exponential), (0.6, balanced), (0.6, Law::Weibull), (0.6, wild)]
    {
        for design in [
            Design::Replications(10, 20_000),
            Design::Replications(20, 20_000),
            Design::One(20_000),
            Design::One(200_000),
        ] {
            cells.push(of(load, law, design));
        }
    }
    cells
}

/// Those of the book.
pub fn table() -> Vec<Cell> {
    let mut cells = Vec::new();
    for (load, law, fixed, book, one) in [
        (0.7, Law::Exponential, 500, 10_000, 100_000),
        (0.9, Law::Exponential, 4_000, 44_000, 800_000),
        (0.7, LOGNORMAL, 4_000, 44_000, 800_000),
        (0.7, PARETO, 8_000, 44_000, 800_000),
    ] {
        for warm_up in [WarmUp::Mser5, WarmUp::Fixed(fixed), WarmUp::None] {
            for design in
                [Design::Replications(20, 20_000), Design::Replications(10, book), Design::One(one)]
            {
                cells.push(Cell::new(load, law, design, warm_up));
            }
        }
        for share in [0.02, 0.05] {
            let replications = Design::Precision(20_000, share);
            cells.push(Cell::new(load, law, replications, WarmUp::Mser5));
            // MSER-5 needs to know how long the run is.
            let one = Design::PrecisionOfOne(share);
            cells.push(Cell::new(load, law, one, WarmUp::Fixed(fixed)));
        }
    }
    cells
}

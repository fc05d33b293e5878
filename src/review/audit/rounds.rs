//! Audits the folder of a coalition's run: reads and judges its rounds and moves, and compares them
//! with the run's own tables.

use std::path::Path;

use super::jobs::{Places, place};
use super::table::{Table, read_table};
use super::{AuditError, collect, has, in_words, needs};
use audit::rounds::choices::{self, Menus};
use audit::rounds::{
    self, ChoiceFacts, Learning, MoveFacts, PoolJobFacts, RoundsFacts, SeatFacts, TurnFacts,
    interval_of, score_of,
};
use audit::{Check, Report, Violation};
use kernel::time::{Span, TICKS_PER_UNIT, Time, Units, sum_as_units};
use policy::learn::{LearnerOptions, ratio};
use records::coalition::rounds::Line;
use records::coalition::{jobs, moves};
use records::record::Record as _;
use records::recorded::Row;
use report::coalition::entry::{CoalitionEntry, SeatEntry};
use report::files::Manifest;
use sim::pool::Sends;
use stats::interval::Level;
use stats::student;

/// Audits the rounds.
pub(super) fn audit(
    manifest: &Manifest,
    coalition: &CoalitionEntry,
    folder: &Path,
) -> Result<Report, AuditError> {
    needs(manifest, folder, "rounds", "rounds")?;
    let names: Places = manifest.organizations.iter().cloned().zip(0..).collect();
    let menus: Vec<Menus> = coalition.seats.iter().map(menus).collect();
    let mut chosen = choices::check();
    let turns = collect(manifest, folder, "rounds", |row| {
        let line = Line::read(row)?;
        let turn = turn(row, &line, &names)?;
        choices::look(&mut chosen, &choice(row.number, &line), &menus[turn.organization]);
        Ok(turn)
    })?;
    let moves = has(manifest, "moves")
        .then(|| collect(manifest, folder, "moves", |row| one_move(row, &names)))
        .transpose()?;
    let jobs = has(manifest, "jobs")
        .then(|| collect(manifest, folder, "jobs", |row| job(row, &names)))
        .transpose()?;
    let facts = RoundsFacts {
        organizations: manifest.organizations.clone(),
        seats: coalition.seats.iter().map(seat).collect(),
        replications: manifest.replications,
        rounds: coalition.rounds,
        continuing: coalition.continuing,
        turns,
        moves,
        jobs,
        keeps_promises: !matches!(coalition.sends, Sends::Head | Sends::AllTogether),
    };
    let mut report = rounds::audit(&facts);
    report.checks.push(chosen);
    let organizations = read_table(&folder.join("organizations.csv"))?;
    report.checks.push(accounts(&facts, &organizations)?);
    let learning = read_table(&folder.join("learning.csv"))?;
    report.checks.push(learned(&facts, &learning, manifest.level)?);
    Ok(report)
}

fn menus(seat: &SeatEntry) -> Menus {
    Menus { choices: seat.choices.clone(), alternatives: seat.alternatives.clone() }
}

/// The learning rule of an organization, as far as it is known.
fn seat(seat: &SeatEntry) -> SeatFacts {
    let (learning, begins) = match &seat.learner {
        LearnerOptions::Ratio(options) => {
            let alone_counts = options.alone == ratio::Alone::Counts;
            let learning = Learning::Ratio { rate: options.rate, alone_counts };
            (learning, Some([Some(options.initial), options.level]))
        }
        LearnerOptions::Level(options) => {
            let bounds = (options.least, options.most);
            let learning = Learning::Level { rate: options.rate, bounds };
            (learning, Some([Some(1.0), Some(options.initial)]))
        }
        LearnerOptions::Always(_)
        | LearnerOptions::Never(_)
        | LearnerOptions::Fixed(_)
        | LearnerOptions::Threshold(_) => (Learning::Fixed, None),
        // The inputs of the other learners are not in the files.
        _ => (Learning::Unknown, None),
    };
    SeatFacts { learning, begins, first: seat.first_round, last: seat.last_round }
}

fn turn(row: &Row<'_>, line: &Line<'_>, names: &Places) -> Result<TurnFacts, AuditError> {
    Ok(TurnFacts {
        line: row.number,
        replication: line.replication,
        round: line.round,
        organization: place(row, "organization", line.organization, names)?,
        joined: line.joined,
        jobs: line.jobs,
        flow: line.flow,
        alone: line.flow_alone,
        score: line.score,
        sent: line.sent,
        received: line.received,
        before: [line.probability, line.level],
        after: [line.next_probability, line.next_level],
    })
}

fn choice<'a>(number: u64, line: &'a Line<'_>) -> ChoiceFacts<'a> {
    let terms = [line.played_level, line.played_threshold];
    ChoiceFacts {
        line: number,
        replication: line.replication,
        round: line.round,
        organization: line.organization,
        action: line.action,
        joined: line.joined,
        terms: terms.map(|term| term.map(|span| span.ticks().into())),
        probability: line.probability,
        score: line.score,
        law: &line.probabilities,
        instead: &line.counterfactuals,
    }
}

fn one_move(row: &Row<'_>, names: &Places) -> Result<MoveFacts, AuditError> {
    let line = moves::Line::read(row)?;
    let time = |time: Time| i128::from(time.ticks());
    let work = |span: Span| i128::from(span.ticks());
    Ok(MoveFacts {
        line: row.number,
        replication: line.replication,
        round: line.round,
        balancing: line.balancing,
        time: time(line.time),
        sender: place(row, "sender", line.sender, names)?,
        receiver: place(row, "receiver", line.receiver, names)?,
        amount: work(line.amount),
        promised: time(line.promised),
        before: [line.sender_load, line.receiver_load].map(work),
        after: work(line.receiver_load_after),
    })
}

fn job(row: &Row<'_>, names: &Places) -> Result<PoolJobFacts, AuditError> {
    let line = jobs::Line::read(row)?;
    let time = |time: Time| i128::from(time.ticks());
    Ok(PoolJobFacts {
        line: row.number,
        replication: line.replication,
        round: line.round,
        organization: place(row, "organization", line.organization, names)?,
        number: line.job_id,
        submit: time(line.submission_time),
        finish: time(line.finish_time),
        turnaround: line.turnaround_time.ticks().into(),
        promised: time(line.promised),
        alone: time(line.finish_alone),
    })
}

/// A check that compares reported figures with recomputed ones.
struct Compared {
    check: Check,
}

impl Compared {
    /// Compares exact sums, formatted by `shown` in messages.
    fn exact(
        &mut self,
        row: &Row<'_>,
        column: &str,
        [told, found]: [i128; 2],
        shown: fn(i128) -> String,
    ) -> Result<(), AuditError> {
        self.check.looked_at += 1;
        if told != found {
            let found = shown(found);
            self.differs(row, column, &shown(told), &found)?;
        }
        Ok(())
    }

    /// Compares one figure of a line.
    fn near(&mut self, row: &Row<'_>, column: &str, found: Option<f64>) -> Result<(), AuditError> {
        self.check.looked_at += 1;
        let told: Option<f64> = row.get(column)?;
        // Tables leave out infinite figures.
        let found = found.filter(|found| found.is_finite());
        let agree = match (told, found) {
            (Some(told), Some(found)) => (told - found).abs() <= 1e-6 * found.abs().max(1.0),
            (None, None) => true,
            _ => false,
        };
        if !agree {
            self.differs(row, column, &in_words(told), &in_words(found))?;
        }
        Ok(())
    }

    fn differs(
        &mut self,
        row: &Row<'_>,
        column: &str,
        told: &str,
        found: &str,
    ) -> Result<(), AuditError> {
        let who: &str = row.get("organization")?;
        let file = row.path.file_name().unwrap_or_default().display();
        let line = row.line;
        let text =
            format!("{who}: {column} is {told}, but {found} by the rounds ({file}, line {line})");
        self.check.violated(|| Violation::new(0, text));
        Ok(())
    }
}

/// Compares `organizations.csv` with the rounds.
fn accounts(facts: &RoundsFacts, table: &Table) -> Result<Check, AuditError> {
    let means = "organizations.csv has the exact sums over the rounds";
    let mut compared = Compared { check: Check::new("conservation of work", means) };
    let mut sums = vec![[0_i128; 7]; facts.organizations.len() + 1];
    for turn in &facts.turns {
        let joined = i128::from(turn.joined);
        let one = [1, joined, turn.jobs.into(), turn.flow, turn.alone, turn.sent, turn.received];
        for at in [turn.organization, facts.organizations.len()] {
            sums[at].iter_mut().zip(one).for_each(|(sum, one)| *sum += one);
        }
    }
    for row in table.lines() {
        let who: &str = row.get("organization")?;
        let at = facts.organizations.iter().position(|name| name == who);
        let found = sums[at.unwrap_or(facts.organizations.len())];
        let ticks = i128::from(TICKS_PER_UNIT);
        let [rounds, joined, jobs, ..] = found;
        for (column, found) in [
            ("submitted", jobs),
            ("rejected", 0),
            ("started", jobs),
            ("finished", jobs),
            ("killed", 0),
            ("rounds", rounds),
            ("joined", joined),
            ("jobs", jobs),
        ] {
            let told = row.get::<i128>(column)? / ticks;
            compared.exact(&row, column, [told, found], |count| count.to_string())?;
        }
        for (column, found) in
            ["flow_sum", "flow_alone_sum", "sent", "received"].into_iter().zip(&found[3..])
        {
            compared
                .exact(&row, column, [row.get(column)?, *found], |sum| Units(sum).to_string())?;
        }
        let mean = |sum: i128| (found[2] > 0).then(|| sum_as_units(sum) / found[2] as f64);
        compared.near(&row, "flow_mean", mean(found[3]))?;
        compared.near(&row, "flow_alone_mean", mean(found[4]))?;
        let score = (found[2] > 0).then(|| score_of(found[3], found[4]));
        compared.near(&row, "score_of_sums", score)?;
    }
    Ok(compared.check)
}

/// Column name, whether only the last quarter counts, and the value read from a turn.
type Figure = (&'static str, bool, fn(&TurnFacts) -> Option<f64>);

const FIGURES: [Figure; 8] = [
    ("joined", false, |turn| Some(f64::from(u8::from(turn.joined)))),
    ("score", false, |turn| Some(score_of(turn.flow, turn.alone))),
    ("sent", false, |turn| Some(sum_as_units(turn.sent))),
    ("received", false, |turn| Some(sum_as_units(turn.received))),
    ("final_joined", true, |turn| Some(f64::from(u8::from(turn.joined)))),
    ("final_score", true, |turn| Some(score_of(turn.flow, turn.alone))),
    ("final_probability", true, |turn| turn.before[0]),
    ("final_level", true, |turn| turn.before[1]),
];

/// Compares the organizations' lines of `learning.csv` with the rounds: means over the rounds of
/// each replication, then over the replications, with their confidence intervals.
fn learned(facts: &RoundsFacts, table: &Table, level: Level) -> Result<Check, AuditError> {
    let means = "learning.csv has the means over the rounds";
    let mut compared = Compared { check: Check::new("what was learned", means) };
    let late = facts.rounds - facts.rounds.div_ceil(4);
    // For each organization and figure, and each replication: the sum and the number of terms.
    let replications = facts.replications as usize;
    let mut sums = vec![vec![(0.0, 0.0); replications]; facts.organizations.len() * FIGURES.len()];
    for turn in &facts.turns {
        for (at, (_, is_late, of)) in FIGURES.iter().enumerate() {
            let value = of(turn).filter(|_| !is_late || turn.round >= late);
            let sums = &mut sums[turn.organization * FIGURES.len() + at];
            if let (Some(value), Some(sum)) = (value, sums.get_mut(turn.replication as usize)) {
                *sum = (sum.0 + value, sum.1 + 1.0);
            }
        }
    }
    for row in table.lines() {
        let who: &str = row.get("organization")?;
        // Classes have their own lines.
        let Some(index) = facts.organizations.iter().position(|name| name == who) else { continue };
        for (at, (name, ..)) in FIGURES.iter().enumerate() {
            let sums = &sums[index * FIGURES.len() + at];
            let means: Vec<f64> =
                sums.iter().filter(|sum| sum.1 > 0.0).map(|sum| sum.0 / sum.1).collect();
            let (mean, interval) =
                interval_of(&means, |freedom| student::two_sided(level.share(), freedom));
            compared.near(&row, name, mean)?;
            // The interval is only comparable if the organization was there in every replication; a
            // single replication uses batches.
            if means.len() == replications && replications > 1 {
                for (end, found) in ["low", "high"].into_iter().zip(interval) {
                    let column = format!("{name}_{end}");
                    compared.near(&row, &column, found)?;
                }
            }
        }
    }
    Ok(compared.check)
}

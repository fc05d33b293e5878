//! Checks the rounds of a game: what was paid, and the figures of its players.

use std::collections::BTreeMap;
use std::path::Path;

use super::figures::{Values, copies, figure_of};
use super::printed::Printed;
use super::rounds::members;
use super::table::Compared;
use super::{AuditError, collect, has};
use audit::estimates::{Pooled, Section};
use audit::{Check, Report, Violation};
use report::files::Manifest;
use report::game::entry::GameEntry;

/// The measures of a player that `players.csv` has.
const MEASURES: [&str; 5] =
    ["payoff", "final_payoff", "external_regret", "swap_regret", "best_reply_gain"];

/// The columns of the rounds that are looked at.
const ROUNDS: &str = "replication round player action payoff counterfactuals";

/// A player in one replication.
#[derive(Clone, Debug, Default)]
struct Course {
    payoff: f64,
    late: f64,
    /// By action: rounds in which it was played, and those in the last quarter.
    played: Vec<[f64; 2]>,
    /// By action played: what each action would have brought more, summed.
    instead: Vec<Vec<f64>>,
}

/// Audits a game that learners played, or that dynamics moved; also returns the values of the
/// replications.
pub(super) fn audit(
    manifest: &Manifest,
    folder: &Path,
    printed: &mut Printed,
) -> Result<(Report, Values), AuditError> {
    let mut checks = Vec::new();
    let Some(game) = &manifest.game else { return Ok((Report { checks }, Values::new())) };
    let names: Vec<String> = game.players.iter().map(|one| one.player.clone()).collect();
    let mut courses = BTreeMap::new();
    if has(manifest, "rounds") {
        checks.push(rounds(manifest, game, folder, &mut courses)?);
        printed.sees("rounds", ROUNDS);
    }
    checks.extend(players(printed, game, &names));
    checks.extend(actions(printed, manifest, game, &courses, &names));
    let values = values(printed, manifest, game, &courses, &names);
    Ok((Report { checks }, values))
}

/// Courses by replication and player.
type Courses = BTreeMap<(u64, usize), Course>;

/// Reads the rounds and checks each line.
fn rounds(
    manifest: &Manifest,
    game: &GameEntry,
    folder: &Path,
    courses: &mut Courses,
) -> Result<Check, AuditError> {
    let means = "each player has a line in each round, with an action and a law of its own, and what it \
                 got is what its action brought";
    let mut check = Check::new("rounds", means);
    let late = game.rounds - game.rounds.div_ceil(4);
    let mut line = 0_u64;
    collect(manifest, folder, "rounds", |row| {
        let count = game.players.len() as u64;
        let (replication, round): (u64, u64) = (row.get("replication")?, row.get("round")?);
        let player = (line % count) as usize;
        let expected = (line / count / game.rounds, line / count % game.rounds);
        let entry = &game.players[player];
        line += 1;
        check.looked_at += 1;
        let mut wrong = |what: String| {
            let text = format!("{}: {what} (rounds.csv, line {})", entry.player, row.number);
            check.violated(|| Violation::new(replication as u32, text));
        };
        if (replication, round) != expected || row.get::<&str>("player")? != entry.player {
            wrong("this line is not in its place".to_owned());
        }
        let action: &str = row.get("action")?;
        let Some(action) = entry.actions.iter().position(|one| one == action) else {
            wrong(format!("it has no action {action}"));
            return Ok(());
        };
        let list = |column: &str| -> Result<Vec<f64>, AuditError> {
            let text: &str = row.get(column)?;
            let numbers = text.split_whitespace().map(str::parse).collect::<Result<_, _>>();
            numbers.map_err(|_| row.wrong(column, text, "numbers"))
        };
        let (law, brought) = (list("probabilities")?, list("counterfactuals")?);
        let payoff: f64 = row.get("payoff")?;
        let count = entry.actions.len();
        if !law.is_empty() && (law.len() != count || (law.iter().sum::<f64>() - 1.0).abs() > 1e-6) {
            wrong("its probabilities do not sum to 1".to_owned());
        }
        if law.get(action).is_some_and(|&chance| chance <= 0.0) {
            wrong("it did what had the probability 0".to_owned());
        }
        if brought.len() != count || (brought[action] - payoff).abs() > 1e-9 * payoff.abs() {
            wrong(format!("it got {payoff}, and what its actions bring is another"));
            return Ok(());
        }
        let none = || Course {
            played: vec![[0.0; 2]; count],
            instead: vec![vec![0.0; count]; count],
            ..Course::default()
        };
        let course = courses.entry((replication, player)).or_insert_with(none);
        course.payoff += payoff;
        course.played[action][0] += 1.0;
        if round >= late {
            course.late += payoff;
            course.played[action][1] += 1.0;
        }
        let instead = course.instead[action].iter_mut().zip(&brought);
        instead.for_each(|(sum, other)| *sum += other - payoff);
        Ok(())
    })?;
    let lines = game.rounds * game.players.len() as u64 * u64::from(manifest.replications);
    if line != lines {
        let text = format!("rounds.csv has {line} lines, not {lines}");
        check.violated(|| Violation::new(0, text));
    }
    Ok(check)
}

/// The values of the replications, of every player, class and of all.
fn values(
    printed: &Printed,
    manifest: &Manifest,
    game: &GameEntry,
    courses: &Courses,
    names: &[String],
) -> Values {
    let mut all = Values::new();
    let Some(figures) = printed.table("figures.csv").filter(|_| !courses.is_empty()) else {
        return all;
    };
    let mut units: Vec<&str> = (0..figures.len()).map(|line| figures.text(line, "unit")).collect();
    units.dedup();
    let (rounds, late) = (game.rounds as f64, game.rounds.div_ceil(4) as f64);
    for replication in 0..u64::from(manifest.replications) {
        for unit in &units {
            let own = members(unit, names).filter_map(|one| courses.get(&(replication, one)));
            let own: Vec<&Course> = own.collect();
            let mut put = |measure: &str, sum: f64| {
                let key = (replication, (*unit).to_owned(), measure.to_owned());
                all.insert(key, Section { sum, weight: 1.0 });
            };
            let add = |of: fn(&Course) -> f64| own.iter().map(|one| of(one)).sum::<f64>();
            let (paid, last) = (add(|one| one.payoff) / rounds, add(|one| one.late) / late);
            let count = own.len() as f64;
            put("payoff", paid / count);
            put("final_payoff", last / count);
            // Regrets are measured without noise, which the rounds have.
            if game.noise.is_none() {
                put("external_regret", add(external) / rounds / count);
                put("swap_regret", add(swap) / rounds / count);
            }
            if *unit == "*" {
                put("welfare", paid);
                put("final_welfare", last);
                let squares = add(|one| one.payoff * one.payoff) / rounds / rounds;
                if own.iter().all(|one| one.payoff >= 0.0) && squares > 0.0 {
                    put("fairness", paid * paid / (count * squares));
                }
            }
        }
    }
    all
}

/// Gain of the best single action.
fn external(course: &Course) -> f64 {
    let actions = 0..course.instead.len();
    let gains = actions.map(|other| course.instead.iter().map(|row| row[other]).sum());
    gains.fold(f64::NEG_INFINITY, f64::max)
}

/// Gain of the best action in the place of each.
fn swap(course: &Course) -> f64 {
    course.instead.iter().map(|row| row.iter().copied().fold(0.0, f64::max)).sum()
}

/// Compares `players.csv` with the figures and the manifest.
fn players(printed: &Printed, game: &GameEntry, names: &[String]) -> Option<Check> {
    let means = "players.csv has the figures of figures.csv";
    let mut check = Compared::new("players", means, "by figures.csv");
    let table = printed.table("players.csv")?;
    let is_figure = |column: &str| {
        MEASURES.iter().any(|one| {
            column.strip_prefix(one).is_some_and(|rest| ["", "_low", "_high"].contains(&rest))
        })
    };
    copies(&mut check, printed, table, |column| is_figure(column).then(|| figure_of(column)));
    let figures = printed.table("figures.csv")?;
    let places = super::figures::places(figures);
    for line in 0..table.len() {
        let (at, unit) = ((table, line), table.text(line, "player"));
        let members = members(unit, names);
        let is_right = names.get(line).map_or(members.len() > 1, |name| name == unit);
        check.judge(at, "player", is_right, || "another".to_owned());
        check.same(at, "members", &members.len().to_string());
        let learner = game.players.get(members.start).map_or("", |one| one.learner.name());
        check.same(at, "learner", learner);
        let method = places.get(&(unit, "payoff")).map_or("", |&line| figures.text(line, "method"));
        check.same(at, "intervals", if method == "none" { "" } else { method });
    }
    Some(check.check)
}

/// Compares the shares of `actions.csv` with the rounds.
fn actions(
    printed: &Printed,
    manifest: &Manifest,
    game: &GameEntry,
    courses: &Courses,
    names: &[String],
) -> Option<Check> {
    let means = "actions.csv has the shares of the rounds in which actions were played";
    let mut check = Compared::new("actions", means, "by the rounds");
    let table = printed.table("actions.csv")?;
    let mut before = (String::new(), 0);
    for line in 0..table.len() {
        let (at, unit) = ((table, line), table.text(line, "player"));
        let members = members(unit, names);
        before = if before.0 == unit { (before.0, before.1 + 1) } else { (unit.to_owned(), 0) };
        let of = game.players.get(members.start).map_or(&[][..], |one| &one.actions);
        check.same(at, "action", of.get(before.1).map_or("", |name| name));
        let is_right = !members.is_empty();
        check.judge(at, "player", is_right, || "nobody".to_owned());
        let whole = [game.rounds, game.rounds.div_ceil(4)];
        for (which, column) in ["share", "final_share"].into_iter().enumerate() {
            let shares = (0..u64::from(manifest.replications)).map(|replication| {
                let own = members.clone().filter_map(|one| courses.get(&(replication, one)));
                let shares: Vec<f64> = own
                    .filter_map(|one| Some(one.played.get(before.1)?[which] / whole[which] as f64))
                    .collect();
                shares.iter().sum::<f64>() / shares.len() as f64
            });
            let shares: Vec<f64> = shares.filter(|share| share.is_finite()).collect();
            let level = manifest.level.share();
            let Some(pooled) = Pooled::of_values(&shares, shares.len() as u64, level) else {
                continue;
            };
            check.near(at, column, Some(pooled.mean), 1e-9);
            let ends = pooled.ends_of(column);
            check.near(at, &format!("{column}_low"), ends.map(|ends| ends[0]), 1e-6);
            check.near(at, &format!("{column}_high"), ends.map(|ends| ends[1]), 1e-6);
        }
    }
    Some(check.check)
}

//! Audits the folder of a coalition's run: reads and judges its rounds and moves, and compares them
//! with the run's own tables.

use std::collections::BTreeMap;
use std::path::Path;

use super::figures::{QUANTILES, Values, copies, figure_of, places};
use super::jobs::{Names, Places, place};
use super::printed::Printed;
use super::table::Compared;
use super::{AuditError, collect, has};
use audit::estimates::{Section, Spread};
use audit::federation::{FederationFacts, Measure, PlansMade};
use audit::rounds::choices::{self, Menus};
use audit::rounds::{
    self, ChoiceFacts, ExclusionFacts, JudgedFacts, Learning, LieFacts, MoveFacts, PoolJobFacts,
    RoundsFacts, SeatFacts, TurnFacts, score_of,
};
use audit::{Check, Report};
use kernel::time::{Span, TICKS_PER_UNIT, Time, Units, sum_as_units};
use model::asked::Asked;
use policy::learn::{LearnerOptions, ratio};
use policy::plan::PlaysBy;
use records::coalition::acts::LIE;
use records::coalition::rounds::{EXCLUDED, Line};
use records::coalition::{jobs, moves};
use records::record::Record as _;
use records::recorded::Row;
use report::coalition::entry::{CoalitionEntry, SeatEntry};
use report::files::Manifest;
use report::grid::entry::ClusterEntry;
use sim::clairvoyance::Clairvoyance;
use sim::federation::stakes::{Plays, Score};
use sim::pool::{Lie, Sends};

/// The columns of the records that are looked at.
const ROUNDS: &str = "replication round organization action joined played_level played_threshold probability \
    level jobs flow flow_alone score sent received next_probability next_level probabilities \
    counterfactuals measures caught";
const MOVES: &str = "replication round balancing time sender receiver amount";
/// Those of a federation's jobs; where a job waited, and behind which others, is not replayed.
const RIGID: &str = "profile submission_time success final_state starting_time execution_time finish_time \
    waiting_time turnaround_time stretch consumed_energy replication organization";
/// Those that tell what an owner states.
const STATED: &str = "requested_time expected_time";
/// Those that the queues are computed from, where all jobs are recorded.
const QUEUES: &str = "submission_time load finish_alone promised";
const JOBS: &str = "replication organization round finish_time turnaround_time";

/// Audits the rounds; also returns the values of the replications.
pub(super) fn audit(
    manifest: &Manifest,
    coalition: &CoalitionEntry,
    folder: &Path,
    printed: &mut Printed,
) -> Result<(Report, Values), AuditError> {
    let names: Places = manifest.organizations.iter().cloned().zip(0..).collect();
    let menus: Vec<Menus> = coalition.seats.iter().map(menus).collect();
    let mut chosen = choices::check();
    let turns = collect(manifest, folder, "rounds", |row| {
        let line = Line::read(row)?;
        let turn = turn(row, &line, &names, coalition)?;
        choices::look(&mut chosen, &choice(row.number, &line), &menus[turn.organization]);
        Ok(turn)
    })?;
    let moves = has(manifest, "moves")
        .then(|| collect(manifest, folder, "moves", |row| one_move(row, &names)))
        .transpose()?;
    let is_federation = coalition.balancer.is_none();
    let jobs = (has(manifest, "jobs") && !is_federation)
        .then(|| collect(manifest, folder, "jobs", |row| job(row, &names)))
        .transpose()?;
    let facts = RoundsFacts {
        organizations: manifest.organizations.clone(),
        seats: coalition.seats.iter().map(seat).collect(),
        replications: manifest.replications,
        rounds: coalition.rounds,
        lengths: coalition.lengths.clone(),
        continuing: coalition.continuing,
        follows: coalition.plays == Plays::Follow,
        turns,
        moves,
        jobs,
        records_all: coalition.window == [Span::ZERO, coalition.period],
        exclusion: coalition.exclusion.map(|rule| ExclusionFacts {
            rounds: rule.rounds,
            doubles: rule.doubles,
            votes: rule.votes,
            probation: rule.probation,
            probes: rule.probes.is_some(),
        }),
        groups: (coalition.groups.iter())
            .map(|group| group.iter().map(|&one| one as usize).collect())
            .collect(),
        keeps_promises: !matches!(coalition.sends, Sends::Head | Sends::AllTogether),
    };
    let mut report = rounds::audit(&facts);
    report.checks.push(chosen);
    printed.sees("rounds", ROUNDS);
    printed.sees("moves", MOVES);
    let mut waits = Waits::new();
    if has(manifest, "jobs") && is_federation {
        let (checks, found) = federation(manifest, coalition, folder, &facts)?;
        report.checks.extend(checks);
        waits = found;
        printed.sees("jobs", RIGID);
        let is_stated = facts.turns.iter().any(|turn| turn.lie.stated > 0);
        if is_stated && manifest.clairvoyance == Clairvoyance::Estimate {
            printed.sees("jobs", STATED);
        }
    } else {
        printed.sees("jobs", JOBS);
        if facts.records_all && !facts.continuing {
            printed.sees("jobs", QUEUES);
        }
    }
    report.checks.push(accounts(manifest, &facts, printed));
    report.checks.push(learned(&facts, printed));
    let values = values(&facts, printed, &waits);
    Ok((report, values))
}

/// Waits of a federation's jobs in ticks, and their number, by replication and organization.
type Waits = BTreeMap<(u32, usize), (i128, u64)>;

/// Audits the rigid jobs of a federation; also adds up the waits of those that count and ended.
fn federation(
    manifest: &Manifest,
    coalition: &CoalitionEntry,
    folder: &Path,
    rounds: &RoundsFacts,
) -> Result<(Vec<Check>, Waits), AuditError> {
    let known = Names::of(manifest);
    let mut derived = super::jobs::check();
    let jobs = collect(manifest, folder, "jobs", |row| {
        let line = records::jobs::Line::read(row)?;
        let job = super::jobs::facts(row, &line, &known)?;
        super::jobs::derived(row.number, &line, &job, manifest, &mut derived);
        Ok(job)
    })?;
    let cluster = |one: &ClusterEntry| super::cluster_facts(one, &known.organizations);
    let measure = match coalition.score {
        Score::Flow => Measure::Flow,
        Score::Wait => Measure::Wait,
        Score::BoundedSlowdown => Measure::BoundedSlowdown(coalition.tau.unwrap_or_default()),
        Score::Makespan => Measure::Makespan,
    };
    let planning = manifest.planner.as_ref().map(|entry| &entry.planning);
    let plans = match planning.map(|planning| (planning.asked, planning.plays_by)) {
        Some((Asked::Arrival, _)) => PlansMade::AtSubmissions,
        Some((Asked::Batch, PlaysBy::Order)) => PlansMade::InBatches,
        Some((Asked::Every(units), _)) => {
            PlansMade::Every(Span::from_units(units).unwrap_or_default())
        }
        _ => PlansMade::Unknown,
    };
    let facts = FederationFacts {
        plans,
        by_estimates: manifest.clairvoyance == Clairvoyance::Estimate,
        clusters: manifest.clusters.iter().map(cluster).collect(),
        follows: coalition.plays == Plays::Follow,
        measure,
        job_costs: coalition.cost.of_job(),
        way: coalition.cost.of_way(),
        shares: coalition.shares.clone(),
        period: coalition.period,
        independent: !coalition.continuing,
        window: coalition.window,
        jobs,
    };
    let mut checks = audit::federation::audit(rounds, &facts);
    checks.push(derived);
    let mut waits = Waits::new();
    for job in facts.jobs.iter().filter(|job| job.finish.is_some() && facts.counts(job)) {
        let Some(start) = job.start else { continue };
        let sum = waits.entry((job.replication, job.organization)).or_default();
        *sum = (sum.0 + i128::from((start - job.submit).ticks()), sum.1 + 1);
    }
    Ok((checks, waits))
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
    let (first, last) = (seat.first_round, seat.last_round);
    let any = |is: fn(&Lie) -> bool| seat.lies.iter().chain(&seat.menu).any(is);
    let (lies, breaks) = (any(|lie| !lie.is_honest()), any(Lie::breaks_promises));
    let hides = any(|lie| lie.delay > Span::ZERO || lie.dummy > Span::ZERO);
    SeatFacts { learning, begins, first, last, lies, breaks, hides }
}

/// The way in which an organization cheats by an action.
fn lie(seat: &SeatEntry, action: &str) -> LieFacts {
    let number = action.split_once(LIE).and_then(|(_, number)| number.parse::<usize>().ok());
    let told = number.and_then(|number| seat.menu.get(number.checked_sub(1)?)).copied();
    let lie = told.or(seat.lies).unwrap_or(Lie::HONEST);
    let breaks = lie.breaks_promises().then(|| lie.delay.ticks().into());
    let stated = if lie.factor == 1.0 { 0 } else { (lie.factor * 1e6).round() as i64 };
    LieFacts { lies: !lie.is_honest(), breaks, new_name: lie.new_name, stated }
}

fn turn(
    row: &Row<'_>,
    line: &Line<'_>,
    names: &Places,
    coalition: &CoalitionEntry,
) -> Result<TurnFacts, AuditError> {
    let ticks = |units: &f64| units * TICKS_PER_UNIT as f64;
    let measures = line.measures.as_deref().map(|both| match both {
        [measure, alone] => [ticks(measure), ticks(alone)],
        _ => [f64::NAN; 2],
    });
    let judged = JudgedFacts { measures, cost: coalition.cost.round };
    let organization = place(row, "organization", line.organization, names)?;
    let lie = coalition.seats.get(organization).map(|seat| lie(seat, line.action));
    let chooses = coalition.seats.iter().any(|seat| !seat.menu.is_empty());
    Ok(TurnFacts {
        line: row.number,
        replication: line.replication,
        round: line.round,
        organization,
        joined: line.joined,
        excluded: line.action == EXCLUDED,
        caught: line.caught,
        lie: lie.unwrap_or_default(),
        chooses,
        level: line.played_level,
        jobs: line.jobs,
        flow: line.flow,
        alone: line.flow_alone,
        judged: coalition.balancer.is_none().then_some(judged),
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
        load: line.load.ticks().into(),
        finish: time(line.finish_time),
        turnaround: line.turnaround_time.ticks().into(),
        promised: time(line.promised),
        alone: time(line.finish_alone),
    })
}

/// Compares `organizations.csv` with the rounds.
fn accounts(manifest: &Manifest, facts: &RoundsFacts, printed: &Printed) -> Check {
    let means = "organizations.csv has the exact sums over the rounds";
    let mut check = Compared::new("conservation of work", means, "by the rounds");
    let Some(table) = printed.table("organizations.csv") else { return check.check };
    let everyone = facts.organizations.len();
    let mut sums = vec![[0_i128; 7]; everyone + 1];
    for turn in &facts.turns {
        let joined = i128::from(turn.joined);
        let one = [1, joined, turn.jobs.into(), turn.flow, turn.alone, turn.sent, turn.received];
        for at in [turn.organization, everyone] {
            sums[at].iter_mut().zip(one).for_each(|(sum, one)| *sum += one);
        }
    }
    let mut spreads = vec![Spread::default(); everyone + 1];
    for job in facts.jobs.iter().flatten() {
        let flow = i64::try_from(job.turnaround).unwrap_or(i64::MAX);
        for at in [job.organization, everyone] {
            spreads[at].add(flow);
        }
    }
    let mut names = facts.organizations.iter().map(String::as_str).chain(["*"]);
    for line in 0..table.len() {
        let at = (table, line);
        check.same(at, "organization", names.next().unwrap_or("nobody"));
        let Some(&[rounds, joined, jobs, ..]) = sums.get(line) else { continue };
        let owns = |owner: &str| line == everyone || owner == facts.organizations[line];
        let own = manifest.clusters.iter().filter(|cluster| owns(&cluster.owner));
        let own = own.fold([0, 0], |all, one| [all[0] + 1, all[1] + i128::from(one.processors)]);
        for (column, found) in [
            ("clusters", own[0]),
            ("processors", own[1]),
            ("submitted", jobs),
            ("rejected", 0),
            ("started", jobs),
            ("finished", jobs),
            ("killed", 0),
            ("rounds", rounds),
            ("rounds_joined", joined),
            ("jobs", jobs),
        ] {
            check.same(at, column, &found.to_string());
        }
        for (column, sum) in ["flow_sum", "flow_alone_sum", "sent_sum", "received_sum"]
            .into_iter()
            .zip(&sums[line][3..])
        {
            check.same(at, column, &Units(*sum).to_string());
        }
        let [flow, alone] = [sums[line][3], sums[line][4]];
        check.close(at, "score_of_sums", (jobs > 0).then(|| score_of(flow, alone)));
        let spread = &spreads[line];
        if facts.jobs.is_some() {
            let largest = (spread.count() > 0).then(|| Units(spread.largest.into()).to_string());
            check.same(at, "flow_max", &largest.unwrap_or_default());
        }
        for (name, share) in QUANTILES {
            let column = format!("flow_{name}");
            // A run may leave them out.
            if facts.jobs.is_some() && table.number(line, &column).is_some() {
                check.quantile(at, &column, spread.quantile(share), 0.001);
            }
        }
    }
    let is_figure = |column: &str| {
        PRINTED.iter().any(|one| {
            column.strip_prefix(one).is_some_and(|rest| ["", "_low", "_high"].contains(&rest))
        })
    };
    copies(&mut check, printed, table, |column| is_figure(column).then(|| figure_of(column)));
    check.check
}

/// Columns of `organizations.csv` that are figures.
const PRINTED: [&str; 10] = [
    "flow_mean",
    "flow_alone_mean",
    "score",
    "wait_mean",
    "bounded_slowdown_mean",
    "utilization",
    "alone_flow_mean",
    "alone_wait_mean",
    "alone_bounded_slowdown_mean",
    "gain",
];

/// Column name, whether only the last quarter counts, and the value read from a turn.
type Figure = (&'static str, bool, fn(&TurnFacts) -> Option<f64>);

const FIGURES: [Figure; LEARNED + 4] = [
    ("joined", false, |turn| Some(f64::from(u8::from(turn.joined)))),
    ("score", false, |turn| Some(turn.found())),
    ("sent", false, |turn| Some(sum_as_units(turn.sent))),
    ("received", false, |turn| Some(sum_as_units(turn.received))),
    ("final_joined", true, |turn| Some(f64::from(u8::from(turn.joined)))),
    ("final_score", true, |turn| Some(turn.found())),
    ("final_probability", true, |turn| turn.before[0]),
    ("final_level", true, |turn| turn.before[1]),
    ("caught", false, |turn| turn.caught.map(|caught| f64::from(u8::from(caught)))),
    ("false_alarms", false, |turn| Some(f64::from(u8::from(turn.caught? && !turn.lie.lies)))),
    ("excluded", false, |turn| turn.caught.map(|_| f64::from(u8::from(turn.excluded)))),
    ("final_lying", true, |turn| {
        turn.chooses.then(|| f64::from(u8::from(turn.joined && turn.lie.lies)))
    }),
];

/// Those that `learning.csv` has too.
const LEARNED: usize = 8;

/// For each replication, organization and figure: the sum over its rounds, and their number.
fn sums(facts: &RoundsFacts) -> Vec<Vec<[Section; FIGURES.len()]>> {
    let late = |turn: &TurnFacts| {
        let rounds = facts.rounds_of(turn.replication);
        turn.round >= rounds - rounds.div_ceil(4)
    };
    let none = vec![[Section::default(); FIGURES.len()]; facts.organizations.len()];
    let mut sums = vec![none; facts.replications as usize];
    for turn in &facts.turns {
        let Some(sums) = sums.get_mut(turn.replication as usize) else { continue };
        for (section, (_, is_late, of)) in sums[turn.organization].iter_mut().zip(&FIGURES) {
            if let Some(value) = of(turn).filter(|_| !is_late || late(turn)) {
                section.sum += value;
                section.weight += 1.0;
            }
        }
    }
    sums
}

/// The organizations of a unit: one, the class `name-1..9`, or all (`*`).
pub(super) fn members(unit: &str, organizations: &[String]) -> std::ops::Range<usize> {
    let place = |name: &str| organizations.iter().position(|one| one == name);
    let class = || {
        let (first, last) = unit.split_once("..")?;
        let (stem, _) = first.rsplit_once('-')?;
        Some(place(first)?..place(&format!("{stem}-{last}"))? + 1)
    };
    match place(unit) {
        Some(one) => one..one + 1,
        None if unit == "*" => 0..organizations.len(),
        None => class().unwrap_or(0..0),
    }
}

/// The values of the replications: work weighs every round, all else every organization equally.
///
/// What a federation gains over the run follows from the flow time of the grid in which nobody ever
/// joined, of which no record is kept.
fn values(facts: &RoundsFacts, printed: &Printed, waits: &Waits) -> Values {
    let mut all = Values::new();
    let Some(figures) = printed.table("figures.csv") else { return all };
    let mut units: Vec<&str> = (0..figures.len()).map(|line| figures.text(line, "unit")).collect();
    units.dedup();
    let apart = apart(printed);
    let mut totals = vec![[0_i128; 3]; facts.organizations.len() * facts.replications as usize];
    for turn in &facts.turns {
        let at = turn.replication as usize * facts.organizations.len() + turn.organization;
        let Some(totals) = totals.get_mut(at) else { continue };
        let one = [turn.jobs.into(), turn.flow, turn.alone];
        totals.iter_mut().zip(one).for_each(|(total, one)| *total += one);
    }
    for (replication, sums) in sums(facts).iter().enumerate() {
        for unit in &units {
            let members = members(unit, &facts.organizations);
            let mut put = |measure: &str, sum: f64, weight: f64| {
                let key = (replication as u64, (*unit).to_owned(), measure.to_owned());
                all.insert(key, Section { sum, weight });
            };
            for (at, (measure, ..)) in FIGURES.iter().enumerate() {
                let own = sums[members.clone()].iter().map(|sums| sums[at]);
                let own: Vec<Section> = own.filter(|one| one.weight > 0.0).collect();
                let add = |of: fn(&Section) -> f64| own.iter().map(of).sum::<f64>();
                let (sum, weight) = match *measure {
                    "sent" | "received" => (add(|one| one.sum), add(|one| one.weight)),
                    _ => (add(|one| one.sum / one.weight), own.len() as f64),
                };
                if weight > 0.0 {
                    put(measure, sum / weight, 1.0);
                }
            }
            let first = replication * facts.organizations.len();
            let own = &totals[first + members.start..first + members.end];
            let add = |at: usize| own.iter().map(|totals| totals[at]).sum::<i128>();
            let [jobs, flow, alone] = [0, 1, 2].map(add);
            put("flow", sum_as_units(flow), jobs as f64);
            put("flow_alone", sum_as_units(alone), jobs as f64);
            let apart = apart.get(&(replication as u64, *unit)).map(|mean| mean * jobs as f64);
            let alone = apart.unwrap_or(sum_as_units(alone));
            put("gain", alone - sum_as_units(flow), alone);
            let own = members.filter_map(|one| waits.get(&(replication as u32, one)));
            let (wait, ended) = own.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
            if !waits.is_empty() {
                put("wait", sum_as_units(wait), ended as f64);
            }
        }
    }
    all
}

/// Mean flow times in the grid in which nobody ever joined, by replication and unit.
fn apart(printed: &Printed) -> BTreeMap<(u64, &str), f64> {
    let Some(table) = printed.table("replications.csv") else { return BTreeMap::new() };
    let of_it = (0..table.len()).filter(|&line| table.text(line, "measure") == "alone_flow");
    let mean = |line| {
        let number = table.number(line, "replication")? as u64;
        Some(((number, table.text(line, "unit")), table.number(line, "value")?))
    };
    of_it.filter_map(mean).collect()
}

/// Compares `learning.csv` with the rounds, and its means and intervals with `figures.csv`.
fn learned(facts: &RoundsFacts, printed: &Printed) -> Check {
    let means = "learning.csv has the means over the rounds";
    let mut check = Compared::new("what was learned", means, "by the rounds");
    let Some(table) = printed.table("learning.csv") else { return check.check };
    let is_figure = |column: &str| {
        FIGURES[..LEARNED].iter().any(|(name, ..)| {
            column.strip_prefix(name).is_some_and(|rest| ["", "_low", "_high"].contains(&rest))
        })
    };
    copies(&mut check, printed, table, |column| is_figure(column).then(|| figure_of(column)));
    let all = sums(facts);
    let places = printed.table("figures.csv").map(|figures| (figures, places(figures)));
    for line in 0..table.len() {
        let (at, unit) = ((table, line), table.text(line, "organization"));
        let members = members(unit, &facts.organizations);
        let expected = facts.organizations.get(line);
        let is_right = match expected {
            Some(name) => unit == name,
            None => members.len() > 1,
        };
        check.judge(at, "organization", is_right, || "another".to_owned());
        check.same(at, "members", &members.len().to_string());
        let own = || all.iter().flat_map(|sums| &sums[members.clone()]);
        let rounds: f64 = own().map(|sums| sums[0].weight).sum();
        check.same(at, "rounds", &rounds.to_string());
        for (which, (name, ..)) in FIGURES[..LEARNED].iter().enumerate() {
            let own = own().map(|sums| sums[which]).filter(|one| one.weight > 0.0);
            let own: Vec<f64> = own.map(|one| one.sum / one.weight).collect();
            let count = own.len() as f64;
            let mean = own.iter().sum::<f64>() / count;
            let squares: f64 = own.iter().map(|value| (value - mean).powi(2)).sum();
            let deviation = (own.len() > 1).then(|| (squares / (count - 1.0)).sqrt());
            let scale = own.iter().map(|value| value.abs()).fold(0.0, f64::max);
            check.near(at, &format!("{name}_deviation"), deviation, 1e-9 * scale);
        }
        let Some((figures, places)) = &places else { continue };
        let score = |unit: &str| places.get(&(unit, "score")).copied();
        let method = score(unit).map_or("none", |line| figures.text(line, "method"));
        check.same(at, "intervals", if method == "none" { "" } else { method });
        let own = facts.organizations[members.clone()].iter();
        let own = own.filter_map(|name| figures.number(score(name)?, "mean"));
        let [least, largest] = own.fold([None; 2], |[least, largest]: [Option<f64>; 2], score| {
            let less = least.map_or(score, |least| least.min(score));
            [Some(less), Some(largest.map_or(score, |largest| largest.max(score)))]
        });
        check.close(at, "score_least", least);
        check.close(at, "score_largest", largest);
    }
    check.check
}

//! Lemmas and theorems on random instances: what the paper says of every instance must hold on each.

use super::drawn::{ALONE, Arm, Case, Cases, SHAPES, Shape, cases};
use super::printed::{Led, Reading, led};
use crate::picture::{Curve, Picture, Points};
use crate::played::Record;
use crate::row::Row;
use crate::sample::mean;
use crate::verdict::{Figure, Measured, Verdict};
use crate::{Bench, Effort, StudyError};
use kernel::rng::Streams;
use report::picture::Scale;
use run::instance::play;

/// A row of a claim on every instance: how many break it.
fn never(claim: &'static str, place: &str, what: String, broken: u64, of: String) -> Row {
    Row::new(claim, place, what).never(broken).note(format!("of {of}"))
}

fn count(cases: &[Case], is: impl Fn(&Case) -> bool) -> u64 {
    cases.iter().filter(|case| is(case)).count() as u64
}

/// Cases of all shapes.
fn all(bench: &Bench) -> Result<Vec<(Shape, Cases)>, StudyError> {
    SHAPES.into_iter().map(|shape| Ok((shape, cases(bench, &shape)?))).collect()
}

/// The model, the sets of jobs, and the lower bound.
pub(super) fn model(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    const MISPRINT: Verdict =
        Verdict::Errs("a misprint: the least makespan is meant, as all theorems use it");
    let mut rows = vec![
        Row::new("OG-M-02", "2", "C*max is the max or the min over all schedules")
            .found("max", "min", MISPRINT)
            .note("and s_m is m_m, the processors of the largest cluster"),
    ];
    for (shape, cases) in all(bench)? {
        let of = format!("{} schedules, {}", cases.len() * Arm::ALL.len(), shape.words());
        let broken = cases.iter().map(|case| case.broken).sum();
        let what = format!(
            "{}: schedules with too few processors, or a start before submission",
            shape.name
        );
        rows.push(never("OG-M-01", "2", what, broken, of));
        let claims = [
            (
                "OG-D-51a",
                "Definition 5.1",
                "a job in no set or in two, or both B and H of a cluster",
            ),
            ("OG-D-51b", "5", "sets that do not nest"),
        ];
        for (index, (claim, place, told)) in claims.into_iter().enumerate() {
            let broken = count(&cases, |case| !case.sets_hold[index]);
            let what = format!("{}: instances with {told}", shape.name);
            rows.push(never(claim, place, what, broken, format!("{} instances", cases.len())));
        }
        let solved = count(&cases, |case| case.optimum.is_some());
        if shape.is_solved {
            let broken = count(&cases, |case| case.optimum.is_some_and(|least| case.bound > least));
            let what = format!("{}: instances whose lower bound is above the optimum", shape.name);
            let of = format!("{solved} instances with a proved optimum, of {}", cases.len());
            rows.push(never("OG-E-01", "5, equation 1", what, broken, of));
            let met = count(&cases, |case| case.optimum == Some(case.bound));
            let what =
                format!("{}: share of instances whose lower bound is the optimum", shape.name);
            rows.push(
                Row::new("OG-E-01", "5, equation 1", what).shown(met as f64 / solved.max(1) as f64),
            );
        }
    }
    Ok(rows)
}

/// List scheduling on one cluster stays within 2 - 1/m.
pub(super) fn one_cluster(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let cases = cases(bench, &ALONE)?;
    let solved = count(&cases, |case| case.optimum.is_some());
    let row = |arm: Arm| {
        let broken = count(&cases, |case| {
            // C <= (2 - 1/m) C*, in whole numbers.
            case.optimum.is_some_and(|least| {
                case.makespan(arm) * case.processors > (2 * case.processors - 1) * least
            })
        });
        let what = format!("instances of one cluster above 2 - 1/m: {}", arm.name());
        let of = format!("{solved} with a proved optimum, {}", ALONE.words());
        let greatest = cases.iter().map(|case| case.ratio(arm)).fold(0.0, f64::max);
        never("OG-T-GG", "1, 4", what, broken, format!("{of}; the greatest ratio is {greatest:.3}"))
    };
    Ok([Arm::Submit, Arm::Largest, Arm::Smallest, Arm::Random].map(row).into())
}

/// Lemmas 5.2 and 5.3, and the readings of Figure 5.
pub(super) fn lemmas(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = Vec::new();
    for (shape, cases) in all(bench)? {
        let broken = count(&cases, |case| !case.is_half_busy);
        let of = format!("{} instances, {}", cases.len(), shape.words());
        if shape.over_time {
            let what = format!(
                "{}: instances with half of a cluster idle after the last submission and the longest \
                 job, before its last job starts",
                shape.name
            );
            rows.push(never("OG-T-61b", "Theorem 6.1", what, broken, of));
            continue;
        }
        let what = format!(
            "{}: instances with half of a cluster or more idle before its last job starts",
            shape.name
        );
        rows.push(never("OG-L-52", "Lemma 5.2", what, broken, of));
        let [met, changed] = [
            cases.iter().map(|case| case.dropped.cases).sum::<u64>(),
            cases.iter().map(|case| case.dropped.changed).sum(),
        ];
        let what = format!(
            "{}: makespans that change when the jobs of an idle smaller cluster and below are removed",
            shape.name
        );
        let of = format!("{met} cases of the lemma in {} instances, scheduled again", cases.len());
        rows.push(never("OG-L-53", "Lemma 5.3", what, changed, of));
    }
    rows.extend(readings(bench)?);
    Ok(rows)
}

/// Figure 5 as printed, under each of its readings.
fn readings(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    const BROKEN: &str =
        "Figure 5 lacks an endfor, and only one reading keeps the paper's own claims";
    let samples = u64::from(bench.effort.samples);
    let at_once = Shape { clusters: [2, 6], jobs: [6, 30], ..SHAPES[0] };
    let mut rows = Vec::new();
    let algorithms = [
        ("OG-A-01", "Figure 4", at_once),
        ("OG-A-62", "6", Shape { clusters: [2, 6], jobs: [6, 30], ..SHAPES[1] }),
    ];
    for (claim, place, shape) in algorithms {
        let differs = differing(bench, &shape)?;
        let of = format!("{samples} instances, {}: start and cluster of every job", shape.words());
        let what = "schedules of the engine that differ from the pseudo-code by the letter";
        rows.push(never(claim, place, what.into(), differs, of));
    }
    let seed = bench.effort.seed;
    let all = bench.each(samples, |sample| {
        let instance = at_once.instance(seed, sample);
        Ok(Reading::ALL.map(|reading| led(&instance, reading).0))
    })?;
    for (index, reading) in Reading::ALL.into_iter().enumerate() {
        let over = |of: fn(&Led) -> u64| all.iter().map(|one| of(&one[index])).sum::<u64>();
        let half_idle = over(|led| led.is_half_idle.into());
        let (lost, empty) = (over(|led| led.lost), over(|led| led.empty));
        let updates = over(|led| led.updates);
        let note = format!(
            "{half_idle} of {samples} instances break lemma 5.2, {lost} jobs never start, after {empty} \
             of {updates} updates a list is empty below which one is not"
        );
        let holds = half_idle + lost + empty == 0;
        let what = format!("Figure 5 keeps what the paper claims of it: {}", reading.words());
        let row = Row::new("OG-A-02", "Figure 5", what).holds(holds).note(note);
        rows.push(match reading {
            Reading::Settled => row,
            _ => row.or(Verdict::Errs(BROKEN)),
        });
        if reading == Reading::Settled {
            let what = "updates after which a list is empty while one of a smaller cluster is not";
            let of = format!("{updates} updates");
            rows.push(never("OG-A-03", "5", what.into(), empty, of));
        }
    }
    Ok(rows)
}

/// Instances on which the engine's schedule is not that of the pseudo-code by the letter.
fn differing(bench: &Bench, shape: &Shape) -> Result<u64, StudyError> {
    let Effort { samples, seed, .. } = bench.effort;
    let how = format!("random instances, {}, Figures 4 and 5 by the letter", shape.words());
    bench.log(Record::drawn(&how, bench, samples));
    let same = bench.each(samples.into(), |sample| {
        let instance = shape.instance(seed, sample);
        let engine = play(&Arm::Lists.options(), &instance, &Streams::new(seed));
        let (_, literal) = led(&instance, Reading::Settled);
        Ok(literal.into_iter().eq(engine.schedule.into_iter().map(Some)))
    })?;
    Ok(same.iter().filter(|&&same| !same).count() as u64)
}

/// Instances on which a makespan is not below a factor of the least one.
fn above(cases: &[Case], arm: Arm, factor: i128) -> u64 {
    count(cases, |case| case.makespan(arm) >= factor * case.least())
}

/// Theorems 5.4 and 6.1, batches, and any order within lists.
pub(super) fn factors(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = Vec::new();
    for (shape, cases) in all(bench)? {
        let against = if shape.is_solved { "the optimum" } else { "the lower bound" };
        let mut add = |claim, place: &str, arm: Arm, factor: i128| {
            let greatest = cases.iter().map(|case| case.ratio(arm)).fold(0.0, f64::max);
            let what = format!(
                "{}: instances not below {factor} times {against}: {}",
                shape.name,
                arm.name()
            );
            let of = format!(
                "{} instances, {}; the greatest ratio is {greatest:.3}",
                cases.len(),
                shape.words()
            );
            rows.push(never(claim, place, what, above(&cases, arm, factor), of));
        };
        let factor = if shape.over_time { 5 } else { 3 };
        let (claim, place) = match shape.over_time {
            true => ("OG-T-61", "Theorem 6.1"),
            false => ("OG-T-54", "Theorem 5.4"),
        };
        add(claim, place, Arm::Lists, factor);
        add("OG-A-04", "5", Arm::Shuffled, factor);
        add("OG-A-61", "6", Arm::Batches, 6);
        if shape.over_time {
            let broken =
                count(&cases, |case| case.makespan(Arm::Lists) >= case.tail + 3 * case.least());
            let what = format!(
                "{}: instances not below the last submission, the longest job and 3 times {against} \
                 together",
                shape.name
            );
            let of = format!("{} instances, {}", cases.len(), shape.words());
            rows.push(never("OG-T-61", "Theorem 6.1", what, broken, of));
        }
    }
    Ok(rows)
}

/// Distributions of the ratio, and of stealing against the lists.
pub(super) fn ratios(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = Vec::new();
    let shown = [Arm::Submit, Arm::Largest, Arm::Smallest, Arm::Lists, Arm::Near, Arm::Batches];
    for ((shape, cases), name) in
        all(bench)?.into_iter().zip(["ratios-a", "ratios-b", "ratios-c", "ratios-d"])
    {
        let against = if shape.is_solved { "optimum" } else { "lower bound" };
        let mut curves = Vec::new();
        for arm in shown {
            let mut ratios: Vec<f64> = cases.iter().map(|case| case.ratio(arm)).collect();
            ratios.sort_unstable_by(f64::total_cmp);
            let at = |share: f64| {
                let place = (share * ratios.len() as f64).ceil() as usize;
                ratios[place.clamp(1, ratios.len()) - 1]
            };
            let ours = mean(ratios.iter().copied());
            let what = format!("{}: mean of makespan / {against}, {}", shape.name, arm.name());
            let note = format!("p99 {:.3}, greatest {:.3}", at(0.99), at(1.0));
            let claim = match arm {
                Arm::Near => "OG-D-02",
                _ => "OG-Q-01",
            };
            rows.push(Row::new(claim, "7", what).shown(ours).note(note));
            let count = ratios.len() as f64;
            let points: Points = (ratios.iter().enumerate())
                .flat_map(|(place, &ratio)| {
                    [(ratio, place as f64 / count), (ratio, (place + 1) as f64 / count)]
                })
                .collect();
            curves.push(Curve::new(arm.name(), points));
        }
        bench.draw(Picture {
            name,
            title: format!("makespan / {against}: {}", shape.name),
            caption: format!(
                "share of {} random instances up to a ratio; {}",
                cases.len(),
                shape.words()
            ),
            axes: ["ratio", "share of instances"],
            scale: Scale::Linear(0.0, 1.0),
            curves,
            paper: Vec::new(),
        });
        rows.extend(stolen(&shape, &cases));
    }
    Ok(rows)
}

/// Rows on stealing, for a shape.
fn stolen(shape: &Shape, cases: &[Case]) -> Vec<Row> {
    let of = |arm: Arm| {
        mean(cases.iter().map(|case| case.makespan(arm) as f64 / case.makespan(Arm::Lists) as f64))
    };
    let share =
        |index: usize| count(cases, |case| case.differs[index]) as f64 / cases.len().max(1) as f64;
    let mut rows = Vec::new();
    for (index, arm) in [Arm::Near, Arm::Big].into_iter().enumerate() {
        let [shorter, longer] = [
            count(cases, |case| case.makespan(arm) < case.makespan(Arm::Lists)),
            count(cases, |case| case.makespan(arm) > case.makespan(Arm::Lists)),
        ];
        let what = format!(
            "{}: makespan of {} / that of Grid Over-Time-Submission",
            shape.name,
            arm.name()
        );
        let note = format!(
            "schedules differ on {:.1}% of {} instances; shorter on {shorter}, longer on {longer}",
            100.0 * share(index),
            cases.len()
        );
        rows.push(Row::new("OG-D-02", "7", what).shown(of(arm)).note(note));
    }
    let messages: Measured = mean(cases.iter().map(|case| {
        let [messages, jobs] = case.messages;
        messages as f64 / jobs.max(1) as f64
    }));
    let what = format!("{}: messages of stealing, for each job", shape.name);
    rows.push(Row::new("OG-D-01", "7", what).shown(Figure::from(messages)));
    rows
}

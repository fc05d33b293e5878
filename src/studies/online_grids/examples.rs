//! The paper's examples, and families that show how tight its theorems are.
//!
//! Members are built by [`worst_case`](crate::worst_case), which proves their optimum or an
//! upper bound of it by a schedule. So ratios are certified from below.

use super::drawn::Arm;
use crate::picture::Drawing;
use crate::played::Record;
use crate::row::Row;
use crate::verdict::{Measured, Printed, Verdict};
use crate::worst_case::{Known, Worst, family};
use crate::{Bench, StudyError};
use bounds::instance::Placement;
use bounds::optimum::optimum;
use kernel::rng::Streams;
use kernel::time::{Span, Time};
use report::picture::Scale;
use report::picture::rows::{Job, Row as Lanes, Rows, site};
use run::instance::{Played, play};

/// Parameters of a member, by name.
type Given<'a> = &'a [(&'a str, u64)];

fn member(name: &str, given: Given<'_>) -> Result<Worst, StudyError> {
    family(name).and_then(|family| family.build(given)).map_err(StudyError)
}

/// A member, played under a scheduler.
struct Example {
    worst: Worst,
    played: Played,
}

impl Example {
    fn new(bench: &Bench, name: &str, given: Given<'_>, arm: Arm) -> Result<Example, StudyError> {
        let worst = member(name, given)?;
        let given: String =
            given.iter().map(|(name, value)| format!(" --{name} {value}")).collect();
        let how = format!("gridpact new worst-case --family {name}{given}, under {}", arm.name());
        bench.log(Record::drawn(&how, bench, 1));
        let played = play(&arm.options(), &worst.instance, &Streams::new(bench.effort.seed));
        Ok(Example { worst, played })
    }

    fn makespan(&self) -> f64 {
        self.played.makespan.as_units()
    }

    /// Makespan over that of the reference schedule.
    fn ratio(&self) -> f64 {
        self.makespan() / self.worst.optimum.at_most().as_units()
    }

    fn known(&self) -> &'static str {
        match self.worst.optimum {
            Known::Exactly(_) => "optimum",
            Known::AtMost(_) => "schedule known",
        }
    }
}

fn exact(value: f64) -> Printed {
    Printed::calculated(value, 0.0)
}

/// Rows of a Gantt chart: the jobs on each cluster that start before an end, in a series. Clusters that
/// do the same share a row.
fn rows(
    (name, series): (&str, usize),
    worst: &Worst,
    schedule: &[Placement],
    (until, unit): (Time, f64),
) -> Vec<Lanes> {
    let clusters = &worst.instance.clusters;
    let mut jobs = vec![Vec::new(); clusters.len()];
    let all = worst.instance.tasks.iter().zip(schedule);
    for (task, place) in all.filter(|(_, place)| place.start < until) {
        let end = (place.start + task.length).min(until);
        // Lengths have room for ends apart, which no picture shows.
        let span =
            [place.start, end].map(|at| (200.0 * unit * at.as_units()).round() / 200.0).into();
        let (processors, label) = (task.processors as usize, task.processors.to_string());
        jobs[place.cluster].push(Job { span, processors, series, label });
    }
    // Times are not negative, so they are in the order of their bits.
    let in_order =
        |jobs: &mut Vec<Job>| jobs.sort_by_key(|job| (job.span.0.to_bits(), job.processors));
    jobs.iter_mut().for_each(in_order);
    let mut groups: Vec<(u32, &[Job], usize)> = Vec::new();
    for (&processors, jobs) in clusters.iter().zip(&jobs) {
        match groups.iter_mut().find(|one| one.0 == processors && one.1 == &jobs[..]) {
            Some(group) => group.2 += 1,
            None => groups.push((processors, jobs, 1)),
        }
    }
    let row = |(processors, jobs, count): &(u32, &[Job], usize)| {
        let count = if *count > 1 { format!("{count} clusters") } else { "cluster".to_owned() };
        site(format!("{name}: {count} of {processors}"), *processors as usize, jobs)
    };
    groups.iter().map(row).collect()
}

/// Draws the schedule of a scheduler above the reference schedule, until an end, in units of time that
/// are so long.
fn draw(
    bench: &Bench,
    (name, title): (&'static str, &str),
    example: &Example,
    listed: &str,
    until: (Time, f64),
) {
    let Example { worst, played } = example;
    let mut all = rows(("lists", 0), worst, &played.schedule, until);
    all.extend(rows(("reference", 1), worst, &worst.reference, until));
    let ends = all.iter().flat_map(|row| row.marks.iter().map(|mark| mark.to));
    let last = ends.fold(0.0, f64::max);
    let rows = Rows {
        title: title.to_owned(),
        subtitle: "jobs with their processors; clusters that do the same share a row".to_owned(),
        x: "time".to_owned(),
        scale: Scale::Linear(0.0, 1.02 * last),
        rows: all,
        series: vec![listed.to_owned(), "reference schedule".to_owned()],
    };
    bench.draw(Drawing::Rows(name, rows));
}

/// Example 4.1 and Figure 1: smallest first.
pub(super) fn example_4_1(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = Vec::new();
    let place = "Example 4.1";
    for k in [2, 3, 4] {
        let rising = Example::new(bench, "example-4.1", &[("k", k)], Arm::Smallest)?;
        let falling = Example::new(bench, "example-4.1", &[("k", k)], Arm::Largest)?;
        let (jobs, clusters) = (&rising.worst.instance.tasks, &rising.worst.instance.clusters);
        let power = 4_f64.powi(k as i32);
        let count = |what: &str, paper: f64, ours: usize| {
            let what = format!("k = {k}: number of {what}");
            let ours = Measured::exact(ours as f64);
            Row::new("OG-X-41a", place, what).compared(exact(paper), ours)
        };
        let processors: u32 = clusters.iter().sum();
        rows.push(count("clusters", 1.0 + 2.0 * (power - 1.0) / 3.0, clusters.len()));
        rows.push(count("processors", power, processors as usize));
        rows.push(count("unit jobs", (4.0 * power - 1.0) / 3.0, jobs.len()));
        let what = format!("k = {k}: makespan of list scheduling, smallest first");
        let ours = Measured::exact(rising.makespan());
        rows.push(
            Row::new("OG-X-41b", "Example 4.1, Figure 1", what)
                .compared(exact(k as f64 + 1.0), ours),
        );
        let what = format!("k = {k}: makespan of list scheduling, largest first, the optimum");
        let ours = Measured::exact(falling.makespan());
        rows.push(Row::new("OG-X-41c", place, what).compared(exact(2.0), ours));
        if k == 3 {
            let whole = (Time::NEVER, 1.0);
            draw(
                bench,
                ("1", "Example 4.1, k = 3"),
                &rising,
                "list scheduling, smallest first",
                whole,
            );
        }
    }
    Ok(rows)
}

/// Example 4.2 and Figure 2: one large job beside sequential ones.
pub(super) fn example_4_2(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = Vec::new();
    for (mu, processors) in [(2, 8), (4, 12)] {
        let given = [("mu", mu), ("processors", processors)];
        let example = Example::new(bench, "example-4.2", &given, Arm::Largest)?;
        let Example { worst, played } = &example;
        // The last large job, and what runs beside it.
        let jobs = || worst.instance.tasks.iter().zip(&played.schedule);
        let mut large = jobs().filter(|(task, _)| u64::from(task.processors) == mu + 1);
        let Some((_, last)) = large.next_back() else { continue };
        let beside = jobs()
            .filter(|(task, place)| {
                task.processors == 1
                    && place.cluster == last.cluster
                    && place.start <= last.start
                    && last.start < place.start + task.length
            })
            .count();
        let place = "Example 4.2, Figure 2";
        let what = format!(
            "mu = {mu}, m_i = {processors}: sequential jobs beside the last large job, m_i - mu - 1"
        );
        rows.push(
            Row::new("OG-X-42", place, what)
                .compared(exact((processors - mu - 1) as f64), Measured::exact(beside as f64))
                .note(format!("it starts at {}", last.start.as_units())),
        );
        if mu == 2 {
            // The paper's figure shows the first instants, in which the large jobs run.
            let first = (Time::ZERO + Span::from_ticks(Span::UNIT.ticks() / 1000) * 12, 1000.0);
            let title = "Example 4.2, mu = 2, m_i = 8: the first instants, in large jobs";
            draw(bench, ("2", title), &example, "list scheduling, largest first", first);
        }
    }
    Ok(rows)
}

/// Counts of jobs and clusters of each type of Example 4.3.
fn counts(worst: &Worst, types: u32) -> [Vec<usize>; 2] {
    let size = |kappa: u32| 1_u32 << (kappa * (kappa - 1) / 2);
    let processors = |kappa: u32| 1_u32 << ((kappa + 2) * (kappa - 1) / 2);
    let tasks = &worst.instance.tasks;
    let clusters = &worst.instance.clusters;
    [
        (1..=types)
            .map(|one| tasks.iter().filter(|job| job.processors == size(one)).count())
            .collect(),
        (1..=types).map(|one| clusters.iter().filter(|&&m| m == processors(one)).count()).collect(),
    ]
}

fn listed(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
}

/// Example 4.3, Figure 3 and Table 1: largest first has no constant factor.
pub(super) fn example_4_3(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    const SLIP: Verdict = Verdict::Errs(
        "Table 1's numbers for k = 3 are those of its recursion with jobs of the third type on 4 \
         processors, where the example's own definition gives 8; they fulfil its inequalities too",
    );
    let place = "Example 4.3";
    let mut rows = Vec::new();
    let fits = (2..=12_u32).all(|kappa| {
        let (processors, size) = ((kappa + 2) * (kappa - 1) / 2, kappa * (kappa - 1) / 2);
        processors - size == kappa - 1
    });
    let what = "2^(kappa - 1) jobs of type kappa fit on a cluster of their type";
    rows.push(Row::new("OG-X-43a", place, what).holds(fits).note("kappa = 2 to 12"));
    let printed: [(&str, Given<'_>, u32, &str, &str); 3] = [
        ("example-4.3", &[("k", 3)], 3, "112 56 6", "56 14 1"),
        ("example-4.3-table", &[], 3, "112 56 6", "56 14 1"),
        ("example-4.3", &[("k", 4)], 4, "4480 2240 224 11", "2240 560 28 1"),
    ];
    for (name, given, k, jobs, clusters) in printed {
        let example = Example::new(bench, name, given, Arm::Largest)?;
        let ours = counts(&example.worst, k);
        let (id, of) = match (name, k) {
            ("example-4.3-table", _) => ("OG-T1-k3", "as printed"),
            (_, 3) => ("OG-T1-k3", "by the recursion"),
            _ => ("OG-T1-k4", "by the recursion"),
        };
        for (what, paper, ours) in [("a", jobs, &ours[0]), ("b", clusters, &ours[1])] {
            let (what, ours) = (format!("k = {k}, {of}: {what} of types 1 to {k}"), listed(ours));
            let verdict = Verdict::of(ours == paper).or(SLIP);
            rows.push(Row::new(id, "Table 1", what).found(paper, ours, verdict));
        }
        let lies = (0..k as usize).all(|kappa| {
            // a above b m / size and at most twice it.
            let (jobs, side) = (ours[0][kappa], ours[1][kappa] << kappa);
            side < jobs && jobs <= 2 * side
        });
        let what = format!("k = {k}, {of}: b m / size < a <= 2 b m / size for each type");
        rows.push(Row::new("OG-X-43c", place, what).holds(lies));
        let best = example.worst.optimum.at_most().as_units();
        let what = format!("k = {k}, {of}: makespan, largest first");
        let about = |value: f64, ours: f64| Verdict::of((ours - value).abs() < 0.02);
        rows.push(
            Row::new("OG-X-43b", "Example 4.3, Figure 3", what)
                .found(
                    f64::from(k),
                    example.makespan(),
                    about(k.into(), example.makespan()),
                )
                .note(
                    "the paper says about k; lengths have a unit, and room for ends apart; its index of \
                     the phase in which the rest of a type starts is one too high",
                ),
        );
        let what = format!("k = {k}, {of}: makespan of the reference schedule");
        rows.push(
            Row::new("OG-X-43b", "Example 4.3, Figure 3", what)
                .found(2.0, best, about(2.0, best))
                .note("the paper says about 2"),
        );
        if name == "example-4.3" && k == 3 {
            let title = "Example 4.3, k = 3, by the recursion";
            draw(
                bench,
                ("3", title),
                &example,
                "list scheduling, largest first",
                (Time::NEVER, 1.0),
            );
        }
    }
    Ok(rows)
}

/// Example 5.5 and Figure 6, and a harder example on two clusters.
pub(super) fn example_5_5(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = Vec::new();
    let mut last = 0.0;
    for n in [10, 100, 1000] {
        let example = Example::new(bench, "example-5.5", &[("n", n)], Arm::Lists)?;
        let eps = 1.0 / n as f64;
        let proved = optimum(&example.worst.instance, 1_000_000).ok();
        let proved = proved.and_then(|found| found.makespan.proved());
        let ours = proved.map_or(Measured { value: f64::NAN, half_width: f64::INFINITY }, |time| {
            Measured::exact(time.as_units())
        });
        let place = "Example 5.5";
        let what = format!("epsilon = 1/{n}: makespan of Grid Concurrent-Submission");
        let makespan = Measured::exact(example.makespan());
        rows.push(Row::new("OG-X-55", place, what).compared(exact(10.0), makespan));
        let what = format!("epsilon = 1/{n}: least makespan, by branch and bound");
        rows.push(Row::new("OG-X-55", place, what).compared(exact(4.0 + eps), ours));
        last = example.ratio();
        if n == 10 {
            let starts: Vec<f64> =
                example.played.schedule[7..].iter().map(|at| at.start.as_units()).collect();
            let expected = [0.0, 3.0, 3.0, 3.0 + eps, 4.0 + eps, 5.0 + eps, 6.0];
            let shown = |all: &[f64]| {
                all.iter().map(|one| format!("{one:.1}")).collect::<Vec<_>>().join(" ")
            };
            let what = "starts of the jobs of the larger cluster; epsilon = 1/10";
            let holds = shown(&starts) == shown(&expected);
            rows.push(
                Row::new("OG-X-55b", "Example 5.5, Figure 6", what)
                    .found(shown(&expected), shown(&starts), Verdict::of(holds))
                    .note("the paper leaves epsilon out: 0, 3, 3, 3, 4, 5, 6"),
            );
            let title = "Example 5.5, epsilon = 1/10";
            draw(bench, ("6", title), &example, "Grid Concurrent-Submission", (Time::NEVER, 1.0));
        }
    }
    let what = "ratio of Grid Concurrent-Submission; epsilon = 1/1000";
    rows.push(
        Row::new("OG-X-55", "Example 5.5", what)
            .compared(exact(10.0 / 4.001), Measured::exact(last))
            .note("10 / (4 + epsilon), which tends to 2.5"),
    );
    let harder = Example::new(bench, "two-clusters-8/3", &[], Arm::Lists)?;
    rows.push(
        Row::new("OG-X-218", "5", "an example reaches a ratio of 21/8, on two clusters")
            .holds(harder.ratio() >= 21.0 / 8.0)
            .note(format!(
                "the paper's example is not printed; ours was found for the purpose: its ratio is {:.4}, \
                 and tends to 8/3 with shorter tiny jobs",
                harder.ratio()
            )),
    );
    Ok(rows)
}

/// Families that come close to the factors 3 and 4.5.
pub(super) fn families(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    const NOT_TIGHT: Verdict = Verdict::Errs(
        "the factor is tight: the family gcs3 comes as close to 3 as wanted, although the paper believes \
         that no instance does",
    );
    let sizes: &[u64] = if bench.effort.quick { &[4, 8] } else { &[4, 6, 8, 12, 20] };
    let mut rows = Vec::new();
    let mut comes_close = true;
    for &k in sizes {
        let example = Example::new(bench, "gcs3", &[("k", k)], Arm::Lists)?;
        comes_close &= example.ratio() >= 3.0 - 2.0 / k as f64 - 2e-3;
        let what = format!("family gcs3, k = {k}: makespan / {}", example.known());
        rows.push(
            Row::new("OG-T-54b", "5", what)
                .shown(example.ratio())
                .note(format!("3 - 2/k is {:.4}", 3.0 - 2.0 / k as f64)),
        );
    }
    let what =
        "the factor of 3 is not tight: no family of instances comes as close to it as wanted";
    rows.push(
        Row::new("OG-T-54b", "5", what)
            .holds(!comes_close)
            .or(NOT_TIGHT)
            .note("each member of the family gcs3 has a ratio of 3 - 2/k, but for the length of its tiny jobs"),
    );
    let sizes: &[u64] = if bench.effort.quick { &[4, 8] } else { &[4, 8, 16, 30] };
    let mut greatest = 0.0_f64;
    for &k in sizes {
        let example = Example::new(bench, "gots45", &[("k", k)], Arm::Lists)?;
        greatest = greatest.max(example.ratio());
        let what = format!("family gots45, k = {k}: makespan / {}", example.known());
        rows.push(
            Row::new("OG-T-61c", "6", what)
                .shown(example.ratio())
                .note(format!("4.5 - 1/k is {:.4}", 4.5 - 1.0 / k as f64)),
        );
    }
    let what = "greatest ratio of the family gots45";
    rows.push(
        Row::new("OG-T-61c", "6", what)
            .found("close to 4.5", greatest, Verdict::of((4.3..4.5).contains(&greatest)))
            .note("the paper's example is not printed"),
    );
    Ok(rows)
}

/// Theorem 3.1: instances of the partition problem.
pub(super) fn partition(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let samples = u64::from(bench.effort.samples);
    bench.log(Record::drawn(
        "gridpact new worst-case --family partition, one seed a sample",
        bench,
        bench.effort.samples,
    ));
    let seed = bench.effort.seed;
    let ends = bench.each(samples, |sample| {
        let jobs = 3 + sample % 6;
        let given = [("jobs", jobs), ("seed", seed.wrapping_mul(1 << 32).wrapping_add(sample))];
        let worst = member("partition", &given)?;
        Ok([Arm::Submit, Arm::Largest, Arm::Lists].map(|arm| {
            let played = play(&arm.options(), &worst.instance, &Streams::new(seed));
            played.makespan.ticks() / Span::UNIT.ticks()
        }))
    })?;
    let one_or_two = ends.iter().flatten().all(|&end| end == 1 || end == 2);
    let place = "Theorem 3.1";
    let mut rows = vec![
        Row::new("OG-T-31", place, "schedules of partition instances end after 1 or 2 units")
            .holds(one_or_two)
            .note(format!("{samples} instances of two equal clusters, under three schedulers")),
    ];
    for (index, arm) in [Arm::Submit, Arm::Largest, Arm::Lists].into_iter().enumerate() {
        let late = ends.iter().filter(|ends| ends[index] == 2).count();
        let what =
            format!("share of partition instances on which {} takes twice the optimum", arm.name());
        rows.push(Row::new("OG-T-31", place, what).shown(late as f64 / samples.max(1) as f64));
    }
    Ok(rows)
}

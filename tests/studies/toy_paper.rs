//! Another paper needs nothing of the first: a toy paper on a single queue, with a register, exact
//! and measured claims, samples of its own kind, a shelf of its own type, a figure and its series.

use std::sync::{LazyLock, Mutex};

use gridpact::report::picture::Scale;
use gridpact::report::table::Format;
use gridpact_studies::claim::Register;
use gridpact_studies::picture::{Curve, Picture};
use gridpact_studies::resume::Parts;
use gridpact_studies::row::{self, Row};
use gridpact_studies::sample::mean;
use gridpact_studies::verdict::{Figure, Measured, Printed, Rule, Verdict};
use gridpact_studies::{Bench, Effort, Found, Paper, Part, Study, StudyError, Wanted, folder};

/// It says that its figures are means over 30 replications.
const RULE: Rule = Rule::of(30, "replications");

static REGISTER: LazyLock<Register> = LazyLock::new(|| {
    Register::read(
        "claims.toml",
        r#"claims = [
            { id = "TQ-01", place = "2", says = "the mean flow of an M/M/1 queue is 1 / (mu - lambda)" },
            { id = "TQ-02", place = "2", says = "a simulation at load 0.5 has a mean flow of 2.00" },
            { id = "TQ-03", place = "2", says = "the flow grows with the load" },
        ]"#,
    )
});

static STUDY: Study = Study {
    register: &REGISTER,
    rule: RULE,
    quick: 4,
    parts: &[
        Part { table: None, figures: &[], claims: &["TQ-01"], play: theory },
        Part { table: Some("1"), figures: &["7"], claims: &["TQ-02", "TQ-03"], play: flows },
    ],
};

const PAPER: Paper =
    Paper { name: "toy-queue", title: "A Queue", authors: "N. N.", study: Some(&STUDY) };

/// Flow of a queue at each load, kept for later parts.
#[derive(Default)]
struct Shelf(Mutex<Vec<(f64, Measured)>>);

const SCENARIO: &str = "
name = \"a queue\"
run.until.jobs = 20000
output.jobs = false
[[organization]]
name = \"queue\"
cluster.time_shared = {}
workload.synthetic = { arrivals.poisson.rate = 0.5, size.exponential.mean = 1.0 }
";

fn theory(_: &Bench) -> Result<Vec<Row>, StudyError> {
    let ours = Measured::exact(1.0 / (1.0 - 0.8));
    let row = |what| Row::new("TQ-01", "2", what);
    Ok(vec![
        row("flow at load 0.8").compared(Printed::calculated(5.0, 0.1), ours),
        row("the same, as misprinted").compared(Printed::calculated(5.3, 0.1), ours),
    ])
}

fn flows(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let shelf = bench.shelf::<Shelf>();
    for load in [0.3, 0.5, 0.7] {
        let key = "organization.queue.workload.synthetic.arrivals.poisson.rate";
        let outcome = bench.run(
            "queue",
            SCENARIO,
            &[format!("{key}={load}")],
            (bench.effort.samples, bench.effort.seed),
        )?;
        let sample = outcome.grid().expect("a queue is a grid").sample;
        let flows = sample.values().filter(|one| one.measure.name == "flow" && one.unit == 0);
        let flow = mean(flows.map(|one| one.value));
        shelf.0.lock().unwrap().push((load, flow));
    }
    let flows = bench.shelf::<Shelf>().0.lock().unwrap().clone();
    let points = |of: fn(f64, f64) -> f64| {
        flows.iter().map(|&(load, flow)| (load, of(load, flow.value))).collect::<Vec<_>>()
    };
    bench.draw(Picture {
        name: "7",
        title: "flow by load".to_owned(),
        caption: "line: means over replications".to_owned(),
        axes: ["load", "flow (units)"],
        scale: Scale::Linear(0.0, 4.0),
        curves: vec![Curve::new("simulated", points(|_, flow| flow))],
        paper: points(|load, _| 1.0 / (1.0 - load)).into_iter().map(|one| vec![one]).collect(),
    });
    // Its printed standard deviation over replications is 0.05.
    let printed = |value| RULE.estimated(value, 0.01, 0.05);
    let row = |claim, what| Row::new(claim, "Table 1", what);
    let grows = flows.windows(2).all(|pair| pair[0].1.value < pair[1].1.value);
    Ok(vec![
        row("TQ-02", "flow at load 0.5").compared(printed(2.0), flows[1].1),
        row("TQ-02", "the same, as if it were 2.40").compared(printed(2.4), flows[1].1),
        row("TQ-03", "the flow grows").holds(grows),
    ])
}

fn play(threads: usize, wanted: &Wanted, samples: u32) -> Found {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let bench = Bench::new(Effort { samples, quick: true, seed: 1, seeds: 2 });
    let found = pool.install(|| STUDY.play(wanted, &bench, &Parts::default(), |_, _| ())).unwrap();
    assert_eq!(bench.samples(), 2 * 3 * u64::from(samples));
    found
}

#[test]
fn its_claims_are_judged_by_the_one_rule() {
    let rows = play(2, &Wanted::default(), 30).rows;
    let verdicts: Vec<&str> = rows.iter().map(|row| row.verdict.name()).collect();
    assert_eq!(verdicts, ["agrees", "differs", "agrees", "differs", "agrees"], "{rows:#?}");
    // The interval of a difference: ours, the paper's 30 replications, half a last digit.
    let Figure::Number(_, Some(ours)) = rows[2].ours else { panic!("{:?}", rows[2]) };
    let off = rows[2].difference.unwrap();
    let sampling = 1.959_963_984_540_054 * 0.05 / 30.0_f64.sqrt();
    assert!((off.half_width - ours.hypot(sampling) - 0.005).abs() < 1e-9, "{off:?}");
    let text = row::numbered(&rows).render(Format::Text, None);
    assert!(text.contains("differs by -5.7%"), "{text}");
    // With two replications nothing can be told.
    let few = play(1, &Wanted::default(), 2).rows;
    assert_eq!(few[2].verdict, Verdict::Open, "{:?}", few[2]);
}

#[test]
fn its_folder_has_rows_pictures_series_and_records_on_any_number_of_threads() {
    let folders = [1, 3].map(|threads| {
        let folder = tempfile::tempdir().unwrap();
        let (wanted, path) = (Wanted::default(), folder.path());
        let effort = Effort { samples: 4, quick: true, seed: 1, seeds: 2 };
        let stamp = folder::stamp(&PAPER, &STUDY, effort, &wanted);
        assert!(stamp.contains("4 replications, seed 1"), "{stamp}");
        let found = play(threads, &wanted, 4);
        for _ in 0..2 {
            folder::prepare(path, &PAPER, &stamp, false).unwrap();
            folder::write(path, &PAPER, &STUDY, &stamp, &found).unwrap();
        }
        let mut files = Vec::new();
        for inner in ["", "toy-queue-played"] {
            for entry in std::fs::read_dir(path.join(inner)).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                files.extend(std::fs::read(&path).ok().map(|bytes| (name, bytes)));
            }
        }
        files.sort();
        files
    });
    assert_eq!(folders[0], folders[1]);
    let names: Vec<&str> = folders[0].iter().map(|(name, _)| name.as_str()).collect();
    assert!(names[0].ends_with(".toml") && folders[0][0].1 == SCENARIO.as_bytes(), "{names:?}");
    assert_eq!(
        names[1..],
        [
            "toy-queue-figure-7.csv",
            "toy-queue-figure-7.svg",
            "toy-queue-played.csv",
            "toy-queue.csv",
            "toy-queue.html",
            "toy-queue.md"
        ]
    );
    let text = |place: usize| String::from_utf8(folders[0][place + 1].1.clone()).unwrap();
    let series = text(0);
    assert!(series.starts_with("source,series,x,y\nours,simulated,0.3,1.4"), "{series}");
    assert!(series.contains("\npaper,paper-2,0.5,2\n"), "{series}");
    // Three points, and one in the legend.
    assert!(text(1).contains("Figure 7: flow by load") && text(1).matches("<circle").count() == 4);
    let played = text(2);
    assert_eq!(played.lines().count(), 4, "{played}");
    assert!(played.contains(",1,1,4,"), "{played}");
    assert!(played.contains("arrivals.poisson.rate=0.7 --set run.replications=4"), "{played}");
    assert!(text(5).contains("![Figure 7: flow by load](toy-queue-figure-7.svg)"));
}

//! Another paper needs nothing of the first: a toy paper on a single queue, with a register, exact
//! claims that code answers and measured ones of a scenario, samples of its own kind, a figure and its
//! series.

use std::sync::LazyLock;

use gridpact::report::table::Format;
use gridpact_studies::claim::Register;
use gridpact_studies::lines::code::{Asked, Code, Figures, exact};
use gridpact_studies::resume::Parts;
use gridpact_studies::row;
use gridpact_studies::verdict::{Figure, Rule, Verdict};
use gridpact_studies::{Bench, Effort, Found, Paper, Study, StudyError, Wanted, folder};

/// It says that its figures are means over 30 replications.
const RULE: Rule = Rule::of(30, "replications");

const CODE: &[(&str, Code)] = &[("theory", theory)];

static REGISTER: LazyLock<Register> = LazyLock::new(|| {
    let register = Register::read(
        "claims.toml",
        r#"
claims = [
    { id = "TQ-01", place = "2", says = "the mean flow of an M/M/1 queue is 1 / (mu - lambda)" },
    { id = "TQ-02", place = "2", says = "a simulation at load 0.5 has a mean flow of 2.00" },
    { id = "TQ-03", place = "2", says = "the flow grows with the load" },
]

[[parts]]
[[parts.tables]]
place = "2"
scenario = "theory"
set = ['load=0.8']
lines = [
    { claim = "TQ-01", what = "flow at load 0.8", measure = "flow", printed = "5.0" },
    { claim = "TQ-01", what = "the same, as misprinted", measure = "flow", printed = "5.3" },
]

[[parts]]
table = "1"
figures = ["7"]
[[parts.tables]]
place = "Table 1"
scenario = "queue"
set = ['organization.queue.workload.synthetic.arrivals.poisson.rate=<load>']
columns = ["load", "flow"]
rows = [["0.3", "1.43"], ["0.5", "2.00"], ["0.7", "3.33"]]
lines = [
    { claim = "TQ-02", what = "flow at load <load>", measure = "flow", printed = "flow", sampled = true, curve = "simulated" },
    { claim = "TQ-02", what = "the same, as if it were 2.40", measure = "flow", printed = "2.40", sampled = true },
    { claim = "TQ-03", what = "the flow grows", measure = "flow", order = "rises" },
]
draw = { name = "7", title = "flow by load", of = "score", over = ["load", "load", "flow (units)"] }
"#,
    );
    register.played_by(RULE, &[("queue", SCENARIO)]).counted_by(CODE)
});

static STUDY: Study = Study { register: &REGISTER, rule: RULE, quick: 4 };

const PAPER: Paper =
    Paper { name: "toy-queue", title: "A Queue", authors: "N. N.", study: Some(&STUDY) };

const SCENARIO: &str = "
name = \"a queue\"
run.until.jobs = 20000
output.jobs = false
[[organization]]
name = \"queue\"
cluster.time_shared = {}
workload.synthetic = { arrivals.poisson.rate = 0.5, size.exponential.mean = 1.0 }
";

#[derive(serde::Deserialize)]
struct Load {
    load: f64,
}

fn theory(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Load { load } = asked.options()?;
    Ok(exact([("flow", 1.0 / (1.0 - load))]))
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
    let each_load = ["agrees", "differs"].repeat(3);
    assert_eq!(
        verdicts,
        [&["agrees", "differs"][..], &each_load, &["agrees"]].concat(),
        "{rows:#?}"
    );
    // The interval of a difference: ours, that of the paper's 30 replications, which spread like ours, and
    // half a last digit. A Student's t of 29 degrees of freedom is behind ours.
    let Figure::Number(_, Some(ours)) = rows[2].ours else { panic!("{:?}", rows[2]) };
    let off = rows[2].difference.unwrap();
    let sampling = 1.959_963_984_540_054 * ours / 2.045_229_642_132_703;
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
    let is_printed = |line: &str| line.starts_with("paper,") && line.ends_with(",0.5,2");
    assert!(series.lines().any(is_printed), "{series}");
    let picture = text(1);
    assert!(
        picture.contains("Figure 7: flow by load")
            && picture.contains("black: what the paper says"),
        "{picture}"
    );
    let played = text(2);
    assert_eq!(played.lines().count(), 5, "{played}");
    assert!(played.contains(",1,1,4,"), "{played}");
    assert!(played.contains("arrivals.poisson.rate=0.7 --set run.replications=4"), "{played}");
    assert!(text(5).contains("![Figure 7: flow by load](toy-queue-figure-7.svg)"));
}

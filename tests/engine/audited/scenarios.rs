//! Random small scenarios, run and audited as a user would: from TOML to a folder, and back.
//!
//! `GRIDPACT_AUDITED=2500` lets it try so many instead of the few of every day.

use std::fmt::Write as _;
use std::path::Path;

use gridpact::kernel::rng::Rng;
use gridpact::review::audit::{self, Audited};
use gridpact::run::control::Every;
use gridpact::run::folder::Claim;
use gridpact::run::kept::SavedRun;
use gridpact::run::{self, Progress};
use gridpact::scenario::diagnostics::render;
use gridpact::scenario::files::Files;
use gridpact::scenario::origin::Origin;
use gridpact::scenario::{self, Input, Overrides};

use crate::common::{below, draws};

const EVERY_DAY: u64 = 60;

fn one_of<'a>(rng: &mut Rng, all: &[&'a str]) -> &'a str {
    all[below(rng, all.len() as u64) as usize]
}

/// An order by a formula.
fn formula(rng: &mut Rng) -> String {
    let formulas = [
        "estimate - 0.5 * wait",
        "area / (1 + wait)",
        "use - submit",
        "max(use, wait) ^ 0.5 * processors",
    ];
    format!("order.by = \"{}\"", one_of(rng, &formulas))
}

/// A number from 0 to 1 with all its digits.
fn share(rng: &mut Rng) -> f64 {
    below(rng, 1 << 53) as f64 / (1_u64 << 53) as f64
}

/// Times with and without fractions.
fn time(rng: &mut Rng, most: u64) -> f64 {
    let whole = below(rng, most) as f64;
    match below(rng, 3) {
        0 => whole + below(rng, 1_000_000) as f64 / 1e6,
        1 => whole + 0.5,
        _ => whole,
    }
}

fn output(rng: &mut Rng, text: &mut String, coalition: bool) {
    text.push_str("[output]\n");
    if coalition {
        let _ = writeln!(
            text,
            "rounds = true\nmoves = {}\njobs = {}",
            below(rng, 2) == 0,
            below(rng, 2) == 0
        );
    }
    if below(rng, 3) == 0 {
        let _ = writeln!(text, "rotate = {}", 1 + below(rng, 30));
    }
    let _ = writeln!(text, "compress = {}", below(rng, 3) == 0);
}

fn grid(rng: &mut Rng) -> String {
    let mut text = "name = \"random\"\n".to_owned();
    let organizations = 1 + below(rng, 3);
    let clairvoyance = one_of(rng, &["runtime", "estimate", "estimate", "predicted"]);
    let _ = writeln!(
        text,
        "[run]\nreplications = {}\nclairvoyance = \"{clairvoyance}\"\nphase_order = \"{}\"",
        [1, 1, 2, 3][below(rng, 4) as usize],
        one_of(rng, &["instant", "instant", "per_event"])
    );
    match below(rng, 4) {
        0 => drop(writeln!(text, "until.time = {}", 20.0 + time(rng, 60))),
        1 => drop(writeln!(text, "until.jobs = {}", 1 + below(rng, 60))),
        _ => {}
    }
    output(rng, &mut text, false);
    let mut largest = 0;
    for index in 0..organizations {
        let processors = 1 + below(rng, 12);
        largest = largest.max(processors);
        let _ = writeln!(text, "[[organization]]\nname = \"org-{index}\"");
        let scheduler =
            one_of(rng, &["fcfs", "easy", "easy", "conservative", "conservative", "list"]);
        let options = match scheduler {
            "list" => {
                let orders = [
                    "submit",
                    "shortest",
                    "longest",
                    "smallest",
                    "largest",
                    "smallest_area",
                    "largest_area",
                    "random",
                ];
                match below(rng, 3) {
                    0 => formula(rng),
                    _ => format!("order = \"{}\"", one_of(rng, &orders)),
                }
            }
            "easy" if below(rng, 3) == 0 => formula(rng),
            _ => String::new(),
        };
        if below(rng, 8) == 0 {
            text.push_str("cluster.time_shared = {}\n");
        } else {
            let _ = writeln!(
                text,
                "cluster.space_shared = {{ processors = {processors}, kill_at_estimate = {}, \
                 scheduler.{scheduler} = {{ {options} }} }}",
                below(rng, 2) == 0
            );
        }
        if below(rng, 2) == 0 {
            let estimates =
                one_of(rng, &["estimates.exact = {}", "estimates.f_model.factor = 3.0"]);
            let _ = writeln!(
                text,
                "workload.synthetic = {{ arrivals.poisson.rate = {}, size.exponential.mean = {}, \
                 processors.uniform = {{ min = 1, max = {} }}, {estimates}, jobs = {} }}",
                0.05 + share(rng),
                0.5 + 4.0 * share(rng),
                1 + below(rng, processors),
                1 + below(rng, 60)
            );
        }
    }
    for _ in 0..1 + below(rng, 12) {
        let runtime = time(rng, 9);
        let _ = writeln!(
            text,
            "[[job]]\norganization = \"org-{}\"\nsubmit = {}\nruntime = {runtime}\nprocessors = {}\n\
             estimate = {}",
            below(rng, organizations),
            time(rng, 12),
            1 + below(rng, largest),
            (runtime + time(rng, 6) - 2.0).max(0.0)
        );
    }
    text
}

fn coalition(rng: &mut Rng) -> String {
    let mut text = format!(
        "name = \"random\"\n[run]\nuntil.rounds = {}\nreplications = {}\n[coalition]\nperiod = {}\n\
         rounds = \"{}\"\nbalancer.{}\n",
        1 + below(rng, 12),
        1 + below(rng, 3),
        20.0 + time(rng, 100),
        one_of(rng, &["independent", "continuing"]),
        one_of(
            rng,
            &[
                "averaging = {}",
                "averaging = { unit = 1.0 }",
                "bilb = {}",
                "bilb = { unit = 1.0 }",
                "none = {}"
            ]
        )
    );
    output(rng, &mut text, true);
    for index in 0..2 + below(rng, 3) {
        let learner = match below(rng, 9) {
            0 | 1 => format!(
                "ratio = {{ initial = {}, rate = {} }}",
                share(rng),
                0.01 + 0.9 * share(rng)
            ),
            2 | 3 => format!(
                "level = {{ initial = {}, rate = {} }}",
                20.0 * share(rng),
                0.01 + 0.9 * share(rng)
            ),
            4 => format!("cross = {{}}\nchoices.initial = {}", share(rng)),
            5 => "hedge = {}".to_owned(),
            6 => "ucb = {}".to_owned(),
            7 => "always = {}".to_owned(),
            _ => "never = {}".to_owned(),
        };
        let _ = writeln!(
            text,
            "[[organization]]\nname = \"org-{index}\"\ncluster.time_shared = {{}}\n\
             learner.{learner}\nworkload.synthetic = {{ arrivals.poisson.rate = {}, \
             size.exponential.mean = {} }}",
            0.02 + 0.3 * share(rng),
            0.5 + 2.0 * share(rng)
        );
    }
    text
}

/// Runs a scenario and audits it; none where it is not a right one.
fn audited(text: &str, folder: &Path) -> Option<Audited> {
    let mut files = Files::new();
    let input = Input::Bytes { name: "random.toml", bytes: text.as_bytes().to_vec() };
    let overrides = Overrides { seed: Some(7), ..Overrides::default() };
    let (plan, _) = match scenario::load(input.clone(), &overrides, &mut files) {
        Ok(read) => read,
        Err(wrong) => {
            let told = render(&wrong, &files, false);
            // Estimates and runtimes that contradict each other, and grids on which a job never
            // runs, are drawn too.
            assert!(!told.contains("unknown"), "{told}\n{text}");
            return None;
        }
    };
    run::run(&plan, Some(folder), 1, 0.0, &Progress::default()).expect("nothing fails");
    let origin = Origin::new(&input, &overrides, &files, folder);
    let claim = Claim::of(folder).expect("the folder is there");
    SavedRun::new(&plan, origin, Every::default(), folder).write(&claim).expect("there is room");
    Some(audit::audit(folder).unwrap_or_else(|error| panic!("{error}\n{text}")))
}

#[test]
fn random_scenarios_pass_the_audit_of_their_folders() {
    let count = std::env::var("GRIDPACT_AUDITED").ok().and_then(|count| count.parse().ok());
    let count: u64 = count.unwrap_or(EVERY_DAY);
    let (mut seed, mut right, mut looked_at) = (0, 0, 0);
    while right < count {
        let rng = &mut draws(seed, "scenario");
        seed += 1;
        assert!(seed < 10 * count + 100, "{right} of {seed} are right");
        let text = if below(rng, 4) == 0 { coalition(rng) } else { grid(rng) };
        let folder = tempfile::tempdir().expect("there is room");
        let Some(audited) = audited(&text, folder.path()) else { continue };
        right += 1;
        let told = format!("seed {seed}\n{}{:?}\n{text}", audited.report, audited.changed);
        assert!(audited.passed(), "{told}");
        if let Some(workload) = audited.report.check("workload") {
            assert!(workload.notes.is_empty(), "{told}");
            looked_at += workload.looked_at;
        }
    }
    assert!(looked_at > count);
    eprintln!("{right} scenarios of {seed} drawn, {looked_at} jobs against their workload");
}

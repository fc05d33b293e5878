//! Orders of waiting jobs by a formula, in lists and under EASY.

use crate::cli::support::{Folder, check};

/// Two users on a cluster, some of whose jobs wait.
const DRAWN: &str = r#"
name = "drawn"
run = { until.jobs = 120, clairvoyance = "estimate" }
output = { decisions = true, page = false }
[[organization]]
name = "a"
cluster.space_shared = { processors = 8, scheduler.RULE }
workload.synthetic = { arrivals.poisson.rate = 0.1, size.exponential.mean = 20.0, processors.uniform = { min = 1, max = 6 }, estimates.f_model.factor = 1.7 }
"#;

/// Starts of jobs that are given, in the order of their numbers.
fn starts(rule: &str, jobs: &[(u32, u32, u32, u32)]) -> Vec<String> {
    let mut scenario = format!(
        "name = \"o\"\n[[organization]]\nname = \"a\"\n\
         cluster.space_shared = {{ processors = 4, scheduler.{rule} }}\n"
    );
    for (submit, runtime, processors, user) in jobs {
        scenario.push_str(&format!(
            "[[job]]\norganization = \"a\"\nsubmit = {submit}.0\nruntime = {runtime}.0\n\
             processors = {processors}\nuser = {user}\n"
        ));
    }
    let folder = Folder::new(&scenario);
    let said = folder.run("run s.toml -q --out r");
    assert_eq!(said.code, 0, "{}", said.error);
    let text = folder.read("r/jobs.csv");
    let mut starts: Vec<(u32, String)> = (text.lines().skip(1))
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|parts| (parts[0].parse().unwrap(), parts[8].to_owned()))
        .collect();
    starts.sort();
    starts.into_iter().map(|(_, start)| start).collect()
}

#[test]
fn a_formula_orders_as_the_order_that_it_says() {
    let run = |rule: &str| {
        let folder = Folder::new(&DRAWN.replace("RULE", rule));
        let said = folder.run("run s.toml -q --out r");
        assert_eq!(said.code, 0, "{}", said.error);
        let audit = folder.run("audit r").out;
        let is_checked = !(rule.contains("by") && rule.contains("shortest_first"));
        assert_eq!(!audit.contains("easy in this order"), is_checked, "{audit}");
        assert!(audit.ends_with("\nall rules were kept\n"), "{audit}");
        (folder.read("r/jobs.csv"), folder.read("r/decisions.csv"))
    };
    for [named, lasting, changing] in [
        ["list = {}", "list.order.by = \"submit\"", "list.order.by = \"submit + 0 * use\""],
        [
            "list.order = \"shortest\"",
            "list.order.by = \"estimate\"",
            "list.order.by = \"estimate * max(1, 0 * wait)\"",
        ],
        ["easy = {}", "easy.order.by = \"-wait\"", "easy.order.by = \"-wait * (1 + 0 * use)\""],
        [
            "easy.backfill = \"shortest_first\"",
            "easy = { backfill = \"shortest_first\", order.by = \"submit\" }",
            "easy = { backfill = \"shortest_first\", order.by = \"-wait - 0 * use\" }",
        ],
    ] {
        let expected = run(named);
        assert!(run(lasting) == expected, "{lasting}");
        assert!(run(changing) == expected, "{changing}");
    }
    for formula in ["use / sqrt(1 + wait)", "area - 0.3 * wait", "log(1 + wait) * processors - use"]
    {
        for rule in ["list", "easy"] {
            run(&format!("{rule}.order.by = \"{formula}\""));
        }
    }
}

#[test]
fn the_first_of_the_order_has_the_reservation() {
    // Three are submitted while the first runs to 10; a job of 3 processors leaves one.
    let jobs = [(0, 10, 4, 1), (1, 8, 4, 1), (2, 3, 3, 2), (3, 9, 1, 2)];
    assert_eq!(starts("easy = {}", &jobs), ["0", "10", "18", "18"]);
    // The shortest starts first, and the next one in length has the reservation, which the last would delay.
    assert_eq!(starts("easy.order = \"shortest\"", &jobs), ["0", "13", "10", "21"]);
    assert_eq!(starts("easy.order.by = \"estimate - 5 * wait\"", &jobs), ["0", "10", "18", "18"]);
    assert_eq!(
        starts("list.order.by = \"-processors * estimate\"", &jobs),
        ["0", "10", "18", "18"]
    );
    // The second user has used nothing, and goes first.
    assert_eq!(starts("easy.order.by = \"use\"", &jobs), ["0", "19", "10", "10"]);
}

#[test]
fn a_formula_that_cannot_be_is_told_at_its_place() {
    let scenario = |key: &str| {
        format!(
            "name = \"o\"\n{key}\n[[organization]]\nname = \"a\"\ncluster.space_shared = {{ processors = 4 }}\n\
             workload.synthetic = {{ arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0, jobs = 9 }}\n"
        )
    };
    for (formula, wrong) in [
        (
            "estimate - age",
            "a formula has no `age`; it has submit, wait, estimate, processors, area, use",
        ),
        ("estimate -", "a number or a name is missing at the end"),
        ("sine(wait)", "there is no function `sine`"),
        ("use", "the list of a grid keeps the order in which its jobs came to wait"),
    ] {
        let key = format!("grid_scheduler.list.order.by = \"{formula}\"");
        check(&scenario(&key), 2, wrong);
    }
}

//! `gridpact deviate`: who would gain, what is refused; and what a run says of the same.

use crate::cli::support::{Folder, Said};

/// A big organization that always takes part, and three small ones that always or never do.
const PAIR: &str = "\
name = \"test\"
run = { until.rounds = 40, replications = 10 }
[coalition]
period = 1000.0
balancer.averaging = { unit = 1.0 }
[[organization]]
name = \"big\"
cluster.time_shared = {}
workload.synthetic = { arrivals.poisson.rate = 0.2, size.gamma = { shape = 3.0, scale = 3.0 }, \
rounding = { arrivals = \"floor\", size = \"ceil\" } }
learner.always = {}
[[organization]]
name = \"small\"
count = 3
cluster.time_shared = {}
workload.synthetic = { arrivals.poisson.rate = 0.1, size.gamma = { shape = 2.0, scale = 2.0 }, \
rounding = { arrivals = \"floor\", size = \"ceil\" } }
learner.always = {}
";

fn lines(said: &Said) -> Vec<Vec<&str>> {
    assert_eq!(said.code, 0, "{}", said.error);
    said.out.lines().map(|line| line.split(',').collect()).collect()
}

/// The overloaded one gains by the small ones, which lose: leaving is worth the score they lose,
/// exactly, as their scores outside are 0. Threads change nothing.
#[test]
fn who_loses_would_gain_by_leaving() {
    let folder = Folder::new(PAIR);
    let sweep = "deviate s.toml --after 0 --rounds 30 --format csv --threads";
    let said = folder.run(&format!("{sweep} 1"));
    assert_eq!(folder.run(&format!("{sweep} 2")).out, said.out);
    let lines = lines(&said);
    assert_eq!(
        lines[0],
        [
            "organization",
            "action",
            "score",
            "score_low",
            "score_high",
            "gain",
            "gain_low",
            "gain_high",
            "is_best"
        ]
    );
    let actions: Vec<[&str; 2]> = lines[1..].iter().map(|line| [line[0], line[1]]).collect();
    let swept = ["as it stands", "out", "in"];
    let expected: Vec<[&str; 2]> =
        ["big", "small-1"].iter().flat_map(|&name| swept.map(|action| [name, action])).collect();
    assert_eq!(actions, expected);
    let number = |line: usize, column: usize| lines[line][column].parse::<f64>().expect("a number");
    for (stands, gains) in [(1, false), (4, true)] {
        let (score, out) = (number(stands, 2), number(stands + 1, 5));
        assert_eq!(number(stands + 1, 2), 0.0);
        assert!((score + out).abs() < 1e-9, "{score} and {out}");
        assert_eq!(lines[stands + 1][8], gains.to_string());
        // In is what it does anyway.
        assert_eq!([5, 6, 7].map(|column| number(stands + 2, column)), [0.0; 3]);
        // The ends lie on both sides of each figure.
        for (line, low) in [(stands, 3), (stands + 1, 3), (stands + 1, 6)] {
            let [below, figure, above] = [low, low - 1, low + 1].map(|at| number(line, at));
            assert!(below <= figure && figure <= above, "{below} {figure} {above}");
        }
    }
    let text = folder.run("deviate s.toml --after 0 --rounds 30 --organization small-2").out;
    assert!(text.contains("small-2 (p = 1.000): not a best response, `out` would gain"), "{text}");
    assert!(text.contains("yes, best"), "{text}");
    let few = folder.run("deviate s.toml --after 0 --rounds 4 --format csv");
    assert!(few.error.contains("come from 4 sections of the compared rounds"), "{}", few.error);
    let quiet = folder.run("deviate s.toml --after 0 --rounds 2 -q");
    assert_eq!((quiet.code, &*quiet.out, &*quiet.error), (0, "", ""));
}

/// The name in the scenario and the name in the reports both stand for the first of the class.
#[test]
fn a_class_is_swept_by_its_name() {
    let folder = Folder::new(PAIR);
    for name in ["small-1", "small", "small-1..3"] {
        let said = folder.run(&format!(
            "deviate s.toml --after 0 --rounds 2 --format csv --organization {name}"
        ));
        let swept: Vec<&str> = lines(&said)[1..].iter().map(|line| line[0]).collect();
        assert_eq!(swept, ["small-1"; 3], "{name}");
    }
}

#[test]
fn levels_are_swept_with_bilb_or_as_asked() {
    let folder = Folder::new(&PAIR.replace("averaging = { unit = 1.0 }", "bilb = { unit = 1.0 }"));
    let actions = |options: &str| -> Vec<String> {
        let said = folder.run(&format!(
            "deviate s.toml --after 0 --rounds 10 --format csv --organization big {options}"
        ));
        lines(&said)[2..].iter().map(|line| line[1].to_owned()).collect()
    };
    assert_eq!(actions("--levels 1,2.5,20"), ["out", "in at 1", "in at 2.5", "in at 20"]);
    assert_eq!(actions("").len(), 13);
    let levels = "--set organization.big.learner=cross --set organization.big.choices.levels=[1,7]";
    assert_eq!(actions(levels), ["out", "in at 1", "in at 7"]);
}

#[test]
fn what_cannot_be_swept_is_refused_with_a_remedy() {
    let folder = Folder::new(PAIR);
    for (options, expected) in [
        ("--organization smal-1", "did you mean `small-1`?"),
        ("--organization xyz", "the organizations are `big` and `small-1..3`\n"),
        ("--levels -1", "unexpected argument '-1'"),
        ("--levels=-1", "-1 is not a level\nhelp: give units of work"),
        ("--levels nan", "NaN is not a level"),
        ("--rounds 1", "1 is not in 2..=1000000"),
    ] {
        let said = folder.run(&format!("deviate s.toml --after 0 {options}"));
        assert_eq!((said.code, &*said.out), (2, ""), "{options}");
        assert!(said.error.contains(expected), "{options}: {}", said.error);
    }
    let grid = Folder::new(&format!("{}{}", crate::cli::support::A, crate::cli::support::NINE));
    let said = grid.run("deviate s.toml");
    assert_eq!(said.code, 2);
    assert!(
        said.error.contains("the scenario has no coalition, so there is nothing"),
        "{}",
        said.error
    );
}

/// A run says the same of its own last rounds, in words and in a file.
#[test]
fn a_run_tells_who_would_have_gained() {
    let folder = Folder::new(&PAIR.replace("always = {}", "fixed = { probability = 0.9 }"));
    let said = folder.run_whole("run s.toml --out o");
    assert_eq!(said.code, 0, "{}", said.error);
    let sentence = "not an equilibrium: small-1..3 took part in ";
    assert!(
        said.out.contains(sentence) && said.out.contains("; leaving in these would have gained")
    );
    assert!(!said.out.contains("stopped changing"), "controls are not: {}", said.out);
    let file = folder.read("o/alternatives.csv");
    assert!(file.starts_with("organization,did,share,instead,rounds,gain,gain_low,gain_high\n"));
    let leaves = file.lines().find(|line| line.starts_with("small-1..3,in,")).expect("a line");
    let gain: f64 = leaves.split(',').nth(5).expect("a gain").parse().expect("a number");
    assert!(gain > 0.0, "{leaves}");
    let said = folder.run("run s.toml --out p --set output.alternatives=false");
    assert!(!said.out.contains("equilibrium"), "{}", said.out);
    assert_eq!(folder.read("p/alternatives.csv").lines().count(), 1);
    let without = |path: &str| -> Vec<String> {
        let text = folder.read(path);
        text.lines().map(|line| line.rsplit_once(',').expect("columns").0.to_owned()).collect()
    };
    assert_eq!(without("p/rounds.csv"), without("o/rounds.csv"), "asking changes nothing");
    // The rounds that were asked about give the gain again: out is the first alternative.
    let (mut gains, mut asked) = (0.0, 0.0);
    let rounds = folder.read("o/rounds.csv");
    let mut rows = csv::Reader::from_reader(rounds.as_bytes());
    for row in rows.deserialize::<std::collections::BTreeMap<String, String>>() {
        let row = row.expect("a line of the file");
        let is_it = row["organization"].starts_with("small-") && row["action"] == "in";
        if let (true, Some(out)) = (is_it, row["counterfactuals"].split(' ').next()) {
            let Ok(out) = out.parse::<f64>() else { continue };
            gains += out - row["score"].parse::<f64>().expect("a score");
            asked += 1.0;
        }
    }
    assert!((gain - gains / asked).abs() < 1e-9, "{gain}, but {gains} / {asked}");
}

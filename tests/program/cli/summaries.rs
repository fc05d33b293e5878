//! Summaries on a screen: how short they are, what they leave out, and the form of times.

use std::fmt::Write as _;

use crate::cli::support::{A, Folder, NINE, kth};

/// This many organizations with jobs of their own, each with more work than the one before it, and a
/// group of ten that are alike.
fn many(organizations: u32) -> String {
    let mut text = "name = \"many\"\nrun.until.jobs = 900\n".to_owned();
    for number in 0..organizations {
        let _ = write!(
            text,
            "[[organization]]\nname = \"o{number}\"\ncluster.time_shared = {{}}\n\
             workload.synthetic = {{ arrivals.poisson.rate = 0.1, size.exponential.mean = {} }}\n",
            1.0 + f64::from(number)
        );
    }
    text + "[[organization]]\nname = \"typical\"\ncount = 10\ncluster.time_shared = {}\n\
            workload.synthetic = { arrivals.poisson.rate = 0.1, size.exponential.mean = 20.0 }\n"
}

/// Checks that a text fits a screen.
#[track_caller]
fn fits(text: &str) {
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.lines().count() <= 25, "{text}");
}

#[test]
fn of_many_organizations_those_with_the_most_work_come_first() {
    let folder = Folder::new(&many(30));
    let said = folder.run("run s.toml --out r");
    fits(&said.out);
    let names: Vec<&str> =
        said.out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let table = folder.read("r/organizations.csv");
    let mut table = csv::Reader::from_reader(table.as_bytes());
    let place = table.headers().unwrap().iter().position(|one| one == "area").unwrap();
    let area = |row: csv::StringRecord| (row[0].to_owned(), row[place].parse::<f64>().unwrap());
    let areas = table.records().map(|row| area(row.unwrap()));
    let single = areas.filter(|(name, _)| name.starts_with('o'));
    let (shown, left): (Vec<_>, Vec<_>) = single.partition(|(name, _)| names.contains(&&**name));
    let least = shown.iter().map(|one| one.1).fold(f64::INFINITY, f64::min);
    assert!(shown.len() > 2 && left.iter().all(|one| one.1 <= least), "{}", said.out);
    assert!(names.contains(&"typical-1..10") && names.contains(&"whole"), "{}", said.out);
    let last = said.out.lines().last().unwrap();
    assert!(last.starts_with("not shown: ") && last.contains(" organizations, "), "{last}");
    // On a wide terminal it is the same, and all of it has every organization.
    assert_eq!(folder.run_shown("run s.toml --no-files", 200, false).out.lines().count(), {
        folder.run_shown("run s.toml --no-files", 80, false).out.lines().count()
    });
    let all = folder.run("run s.toml --no-files --all").out;
    let names: Vec<&str> = all.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let mut expected: Vec<String> = (0..30).map(|number| format!("o{number}")).collect();
    expected.extend((1..=10).map(|number| format!("typical-{number}")));
    assert!(expected.iter().all(|name| names.contains(&&**name)), "{all}");
    for column in ["area", "flow", "slowdown*", "makespan", "for others", "by others"] {
        assert!(all.lines().any(|line| line.starts_with(" organization") && line.contains(column)));
    }
    let is_prose = |line: &&str| !line.starts_with([' ', '─', '═']) || line.starts_with("  ");
    assert!(all.lines().filter(is_prose).all(|line| line.chars().count() <= 80), "{all}");
    assert!(!all.contains("not shown"), "{all}");
}

/// Copies of an entry that jobs are dealt to by Zipf's law, or that are named by jobs, are not alike.
#[test]
fn only_organizations_that_are_alike_share_a_row() {
    let shared = |owners: &str| {
        format!(
            "name = \"s\"\nrun.until.jobs = 500\n[[organization]]\nname = \"lab\"\ncount = 3\n\
             cluster.time_shared = {{}}\n[workload.shared]\nowners.{owners} = {{}}\n\
             source.synthetic = {{ arrivals.poisson.rate = 1.0, size.exponential.mean = 1.0 }}\n"
        )
    };
    for (owners, is_one) in [("uniform", true), ("zipf", false)] {
        let said = Folder::new(&shared(owners)).run("run s.toml --no-files");
        assert_eq!(said.out.contains(" lab-1..3 "), is_one, "{}", said.out);
        assert_eq!(said.out.contains(" lab-2 "), !is_one, "{}", said.out);
    }
    let given = "name = \"s\"\n[[organization]]\nname = \"lab\"\ncount = 2\n\
        cluster.time_shared = {}\n[[job]]\norganization = \"lab-2\"\nsubmit = 0\nruntime = 10\n";
    assert!(Folder::new(given).run("run s.toml --no-files").out.contains(" lab-2 "));
}

/// Seconds of a trace are told by the clock, and raw where they are asked for; files keep numbers.
#[test]
fn times_of_traces_are_told_by_the_clock() {
    let scenario = format!(
        "{}workload.swf = {{ file = \"{}\", import.first = 500 }}\n",
        A.replace("processors = 4", "processors = 100"),
        kth().display()
    );
    let folder = Folder::new(&scenario);
    let said = folder.run("run s.toml --no-files");
    assert!(said.out.contains(" h ") && said.out.contains(" min "), "{}{}", said.out, said.error);
    let raw = folder.run("run s.toml --units raw --out r");
    assert!(!raw.out.contains(" h ") && !raw.out.contains(" min "), "{}", raw.out);
    assert!(!folder.read("r/summary.json").contains(" min"));
    // Drawn jobs have units.
    let drawn = Folder::new(&format!("{A}{NINE}"));
    let [human, raw] = ["human", "raw"].map(|form| {
        let said = drawn.run(&format!("run s.toml --no-files --units {form}"));
        said.out.lines().filter(|line| !line.starts_with("simulated")).collect::<String>()
    });
    assert_eq!(human, raw);
    let wrong = Folder::new(A).run("run s.toml --units hours");
    assert_eq!(wrong.code, 2);
    assert!(wrong.error.contains("invalid value 'hours' for '--units <FORM>'"), "{}", wrong.error);
    assert!(wrong.error.contains("[possible values: human, raw]"), "{}", wrong.error);
}

/// Twelve runs on one measure after the other, and twenty points.
#[test]
fn comparisons_sweeps_and_games_fit_a_screen_too() {
    let folder = Folder::new(&many(3));
    let rates: Vec<String> = (11..=22).map(|rate| format!("0.{rate}")).collect();
    let vary = format!(
        "compare s.toml --no-files --replications 2 --set run.until.jobs=100 --vary \
         organization.o0.workload.synthetic.arrivals.poisson.rate={}",
        rates.join(",")
    );
    let said = folder.run(&vary);
    fits(&said.out);
    assert!(said.out.contains("\nnot shown: ") && said.out.contains(" rows, "), "{}", said.out);
    let all = folder.run(&format!("{vary} --all")).out;
    assert!(all.lines().count() > 60 && !all.contains("not shown"), "{all}");
    let jobs: Vec<u32> = (101..=120).collect();
    let sweep = format!("extends = \"s.toml\"\n[sweep.grid]\nrun.until.jobs = {jobs:?}\n");
    folder.write("sweep.toml", &sweep);
    let said = folder.run("sweep sweep.toml --no-files");
    fits(&said.out);
    assert!(said.out.contains(" points"), "{}{}", said.out, said.error);
    let game = folder.run(&format!(
        "game {} --no-files --set rounds=200",
        crate::cli::support::of_the_project("scenarios/games/stag-hunt.toml")
    ));
    fits(&game.out);
}

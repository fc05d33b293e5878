//! `gridpact reproduce`: what it prints, what it writes, what it refuses.

use crate::program::support::Folder;

const Q03: &str = "reproduce selfish-lb --claim lb-q-03";

#[test]
fn without_a_paper_the_papers_are_listed() {
    let said = Folder::new("").run("reproduce --format csv");
    assert_eq!((said.code, &*said.error), (0, ""));
    assert_eq!(said.out.lines().count(), 6, "{}", said.out);
    assert!(said.out.starts_with("paper,title,authors,claims,reproduced\nselfish-lb,"));
}

#[test]
fn rows_stand_beside_what_the_paper_says() {
    let folder = Folder::new("");
    let said = folder.run(&format!("{Q03} --format csv"));
    assert_eq!((said.code, &*said.error), (0, ""));
    let head = "claim,place,what,paper,paper_half_width,ours,half_width,difference,\
                difference_half_width,verdict,note,part,figure,command\n";
    assert!(said.out.starts_with(head), "{}", said.out);
    assert!(said.out.contains("3 steps of reasoning\",76,,"), "{}", said.out);
    let text = folder.run(Q03).out;
    assert!(text.contains("agrees 6, the paper errs 1\n"), "{text}");
    assert!(text.contains("agrees: the 95% interval of the difference"), "{text}");
    let json = folder.run(&format!("{Q03} --format json")).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["rows"].as_array().unwrap().len(), 7);
    assert_eq!(json["tally"][0]["agrees"], 6);
}

/// Ten lines or so on the results, then the causes of differences; every row only on request, within 100
/// columns.
#[test]
fn main_results_and_causes_of_differences_are_told_first() {
    let folder = Folder::new("");
    let first = folder.run("reproduce mosp --quick").out;
    assert!(first.starts_with("Cooperation in multi-organization scheduling\n"), "{first}");
    for part in ["nobody ends later", "holds in part", "the paper errs      1   MO-L-1", "--all`"] {
        assert!(first.contains(part), "{part}: {first}");
    }
    let all = folder.run("reproduce mosp --quick --all").out;
    assert!(all.contains(" MO-N-07 ") && !first.contains(" MO-N-07 "), "{all}");
    assert!(first.lines().chain(all.lines()).all(|line| line.chars().count() <= 100), "{first}");
}

/// All choices are played, and nothing twice.
#[test]
fn choices_add_up() {
    let folder = Folder::new("");
    let rows = |choice: &str| {
        let said = folder.run(&format!("reproduce selfish-lb {choice} --format csv"));
        assert_eq!((said.code, &*said.error), (0, ""), "{choice}");
        said.out.lines().count() - 1
    };
    let [table, figure, claim] = ["--table 1", "--figure 2a", "--claim LB-Q-03"].map(rows);
    assert!(table > 0 && figure > 0 && claim > 0);
    assert_eq!(rows("--table 1 --figure 2a"), table + figure);
    assert_eq!(rows("--figure 2"), figure + rows("--figure 2b"));
    assert_eq!(rows("--table 1 --figure 2a --claim LB-Q-03"), table + figure + claim);
    assert_eq!(rows("--table 1 --claim LB-G-02"), table);
}

#[test]
fn a_folder_of_rows_is_replaced_only_by_the_same() {
    let folder = Folder::new("");
    let again = format!("{Q03} --quiet --output studies");
    for _ in 0..2 {
        let said = folder.run(&again);
        assert_eq!((said.code, &*said.error, &*said.out), (0, "", ""));
    }
    assert_eq!(
        folder.names("studies"),
        [
            "selfish-lb-played",
            "selfish-lb-played.csv",
            "selfish-lb.csv",
            "selfish-lb.html",
            "selfish-lb.md"
        ]
    );
    assert!(folder.read("studies/selfish-lb.md").starts_with("# Promoting Cooperation in"));
    let other = folder.run(&format!("{again} --seed 2"));
    assert_eq!(other.code, 2);
    assert!(
        other.error.contains(
            "other rows of `selfish-lb` (gridpact 0.2.0, 1000 rounds, seed 1, 2 in all, cla"
        ),
        "{}",
        other.error
    );
    assert!(other.error.contains("`--force`"), "{}", other.error);
    assert_eq!(folder.run(&format!("{again} --seed 2 --force")).code, 0);
    folder.write("studies/mine.txt", "");
    let foreign = folder.run(&format!("{again} --seed 2"));
    assert_eq!(foreign.code, 2);
    assert!(foreign.error.contains("mine.txt"), "{}", foreign.error);
}

/// A figure comes with its picture, its series, and a scenario that plays it again.
#[test]
fn a_figure_is_drawn_and_can_be_played_again() {
    let folder = Folder::new("");
    let words = "reproduce selfish-lb --figure 5a --quick --rounds 4 --quiet";
    for threads in [1, 2] {
        let said = folder.run(&format!("{words} --threads {threads} --output {threads}"));
        assert_eq!((said.code, &*said.error), (0, ""));
    }
    let names = folder.names("1");
    let figure = ["selfish-lb-figure-5a.csv", "selfish-lb-figure-5a.svg"];
    assert_eq!(names[..2], figure, "{names:?}");
    assert_eq!(names.len(), 7, "{names:?}");
    for name in names.iter().filter(|name| *name != "selfish-lb-played") {
        assert_eq!(folder.read(&format!("1/{name}")), folder.read(&format!("2/{name}")), "{name}");
    }
    let series = folder.read("1/selfish-lb-figure-5a.csv");
    assert!(series.starts_with("source,series,x,y\nours,overloaded,0,10\n"), "{series}");
    assert!(series.ends_with("\npaper,paper-2,39,1000\n"), "{series}");
    assert!(folder.read("1/selfish-lb.md").contains("](selfish-lb-figure-5a.svg)"));
    let played = folder.read("1/selfish-lb-played.csv");
    assert!(played.starts_with("part,configuration,first_seed,seeds,rounds,reading\n"), "{played}");
    let rows = folder.read("1/selfish-lb.csv");
    let command = rows.lines().find_map(|row| row.split("gridpact run ").nth(1)).unwrap();
    if let Some(gridpact) = super::help::gridpact() {
        let (scenario, rest) = command.split_once(' ').unwrap();
        let sets = rest.trim_end_matches('"').replace("\"\"", "\"");
        let mut ran = std::process::Command::new(gridpact);
        ran.args(["run", &format!("1/selfish-lb-played/{scenario}"), "--no-files"]);
        ran.args(sets.split(' ').map(|one| one.trim_matches('\'')));
        let ran = ran.current_dir(folder.path("")).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }
    // Pictures of an earlier selection do not stay.
    let said = folder.run("reproduce selfish-lb --figure 1 --quiet --output 1 --force");
    assert_eq!(said.code, 0, "{}", said.error);
    assert_eq!(folder.names("1")[..2], ["selfish-lb-figure-1.csv", "selfish-lb-figure-1.svg"]);
    assert_eq!(folder.names("1/selfish-lb-played").len(), 0);
}

#[test]
fn what_is_not_there_is_refused_with_the_nearest_name() {
    let folder = Folder::new("");
    let wrong = [
        ("selfish-bl", "there is no paper called `selfish-bl`\nhelp: did you mean `selfish-lb`?\n"),
        ("selfish-lb --table 9", "called `9`\nhelp: there are `1`, `2`, `3`, `4` and `5`\n"),
        ("selfish-lb --figure 6", "called `6`\nhelp: there are `1`, `2a`, `2b`, `3a`, `3b`, "),
        ("selfish-lb --claim LB-Q-3", "no claim called `LB-Q-3`\nhelp: did you mean `LB-Q-03`?\n"),
    ];
    for (words, expected) in wrong {
        let said = folder.run(&format!("reproduce {words}"));
        assert_eq!((said.code, &*said.out), (2, ""), "{words}");
        assert!(said.error.contains(expected), "{words}: {}", said.error);
    }
}

//! `gridpact study contest`: what it prints, what it writes, what it refuses.

use crate::program::support::Folder;

/// Two learners, one start, few rounds.
const SHORT: &str = "study contest --rounds 80 --seeds 3 --start 0.5 --learner ratio \
                     --learner cross --against self";

const HEAD: &str = "grid,balancer,play,learner,label,against,start,joined,joined_half_width,score,\
                    score_half_width,gain,gain_half_width,overloaded_joined,\
                    overloaded_joined_half_width,overloaded_score,overloaded_score_half_width,\
                    settled,rounds_to_settle,level\n";

#[test]
fn studies_are_listed() {
    let folder = Folder::new("");
    let said = folder.run("study --format csv");
    assert_eq!((said.code, &*said.error), (0, ""));
    assert!(
        said.out.starts_with(
            "study,about\ncontest,\"Let learners compete on the first paper's grids, and compare \
             results\"\nfederation,\"Play a federation in several settings on the same draws: \
             schedulers, levels, learners, promises\"\n"
        ),
        "{}",
        said.out
    );
    assert!(folder.run("study contst").error.contains("a similar subcommand exists: 'contest'"));
}

/// Every claim of the experiments has a command and rows; one is played.
#[test]
fn an_experiment_says_what_was_expected_and_whether_it_holds() {
    let folder = Folder::new("");
    let listed = folder.run("study --format csv").out;
    let study = gridpact_studies::EXPERIMENTS.study.unwrap();
    for claim in study.claims() {
        assert!(listed.contains(&format!("\n{},", claim.id)), "{}", claim.id);
        assert!(
            study.parts().iter().any(|part| part.claims().contains(&&*claim.id)),
            "{}",
            claim.id
        );
    }
    let said = folder.run("study blocking --samples 20 --seeds 1 --output it --quick");
    assert_eq!((said.code, &*said.error), (0, ""));
    assert!(
        said.out.starts_with("Who gains, who pays, and who would block?\nexpected: "),
        "{}",
        said.out
    );
    assert!(
        said.out.lines().last().is_some_and(|line| line.starts_with("CANNOT TELL: ")),
        "{}",
        said.out
    );
    assert!(folder.read("it/experiments.csv").contains("least excess"));
    // The page begins with the same verdict, and has no other.
    let page = folder.read("it/experiments.html");
    let shown = page.split("<script").next().expect("a text has a part");
    assert!(shown.contains("CANNOT TELL: ") && !shown.contains(">Results<"), "{shown}");
}

#[test]
fn a_question_about_a_federation_is_answered_for_people_and_programs() {
    let folder = Folder::new("");
    folder.write("my.toml", include_str!("../../../scenarios/federation.toml"));
    let short = "--set replications=3 --set until.rounds=6";
    let text = folder.run(&format!("study federation my.toml --ask levels {short}"));
    assert_eq!((text.code, &*text.error), (0, ""));
    assert!(text.out.contains("level=1e7") && text.out.contains("jobs take least"), "{}", text.out);
    let text = folder.run(&format!("study federation my.toml --ask divisible {short}"));
    assert!(text.out.contains("rigid jobs") && text.out.contains("upper bound"), "{}", text.out);
    let csv = folder.run(&format!("study federation my.toml --ask learners {short} --format csv"));
    let head = "question,setting,organization,joined,flow_alone,flow,saved,saved_low,saved_high\n";
    assert!(csv.out.starts_with(head), "{}", csv.out);
    assert_eq!(csv.out.lines().count(), 1 + 4 * 4, "{}", csv.out);
    let page = folder.run(&format!("study federation my.toml --ask learners {short} -o my.html"));
    let html = folder.read("my.html");
    let shown = html.split("<script").next().expect("a text has a part");
    for part in ["<h2 id=\"answer\">", "most take part", "mean flow time of all jobs against"] {
        assert!(shown.contains(part), "{part}: {}", page.out);
    }
    assert!(!shown.contains("NaN"), "{}", page.out);
    for (words, wrong, remedy) in [
        ("my.toml --ask promises", "no question about this federation", "`--ask levels`"),
        (
            "my.toml --ask goes-on --set replications=1",
            "needs several replications",
            "replications=40",
        ),
        ("my.toml --ask level", "a similar value exists: 'levels'", "levels"),
    ] {
        let said = folder.run(&format!("study federation {words}"));
        assert_eq!((said.code, &*said.out), (2, ""), "{words}");
        assert!(
            said.error.contains(wrong) && said.error.contains(remedy),
            "{words}: {}",
            said.error
        );
    }
    folder.write("pool.toml", include_str!("../../../scenarios/selfish-lb-figure-3b.toml"));
    let said = folder.run("study federation pool.toml --ask levels");
    assert!(said.error.contains("no federation") && said.code == 2, "{}", said.error);
}

#[test]
fn the_same_rows_come_from_any_number_of_threads() {
    let folder = Folder::new("");
    let [one, two] = ["1", "2"].map(|threads| {
        let words = format!("{SHORT} --threads {threads} --output {threads}.csv --format csv");
        let said = folder.run(&words);
        assert_eq!((said.code, &*said.error), (0, ""));
        assert_eq!(said.out, folder.read(&format!("{threads}.csv")));
        said.out
    });
    assert_eq!(one, two);
    assert!(one.starts_with(HEAD), "{one}");
    let rows: Vec<Vec<&str>> =
        one.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>()).collect();
    // Joins on two grids with two balancers, both learners; levels on two grids, of cross.
    assert_eq!(rows.len(), 4 * 2 + 2, "{one}");
    for row in &rows {
        let is_paper = row[3] == "ratio";
        assert_eq!(is_paper, row[11] == "0.0" || row[11] == "0", "{row:?}");
        assert_eq!(row[0] == "heterogeneous", !row[15].is_empty(), "{row:?}");
        assert_eq!(row[2] == "levels", !row[19].is_empty(), "{row:?}");
        let joined: f64 = row[7].parse().unwrap();
        assert!((0.0..=1.0).contains(&joined), "{row:?}");
    }
    let again = folder.run(&format!("{SHORT} --output 1.csv"));
    assert_eq!(again.code, 2);
    assert!(again.error.contains("`--force`"), "{}", again.error);
}

#[test]
fn every_learner_plays_or_is_said_not_to() {
    let folder = Folder::new("");
    let words = "study contest --rounds 8 --seeds 2 --start 0.5 --grid homogeneous --balancer bilb";
    let said = folder.run(words);
    assert_eq!(said.code, 0, "{}", said.error);
    // On a busy machine it takes long enough to show progress.
    assert!(said.error.lines().all(|line| line.contains("% done, ")), "{}", said.error);
    // A program is not known here.
    let learners = gridpact::policy::learn::REGISTRY.iter();
    for entry in learners.filter(|entry| entry.name != "process") {
        assert!(said.out.contains(entry.name), "{}: {}", entry.name, said.out);
    }
    assert!(said.out.contains("`always` cannot play: "), "{}", said.out);
    assert!(said.out.contains("8 rounds, 2 seeds from master seed 1"), "{}", said.out);
}

/// The target of level learners: all typical clusters at level 5.
#[test]
fn a_fixed_level_scores_what_it_is_known_to() {
    let folder = Folder::new("");
    let words = "study contest --rounds 400 --seeds 4 --play levels --grid heterogeneous \
                 --learner fixed --against self --format csv";
    let said = folder.run(words);
    assert_eq!((said.code, &*said.error), (0, ""));
    let row: Vec<&str> = said.out.lines().nth(1).unwrap().split(',').collect();
    let score: f64 = row[9].parse().unwrap();
    // 1.756 in 8000 rounds. The mean of nine clusters has a deviation of about .6 a round, in 4
    // times 100 rounds an error of .03.
    assert!((score - 1.756).abs() < 4.0 * 0.03, "{score}");
    let [joined, level] = [7, 19].map(|column: usize| row[column].parse::<f64>().unwrap());
    assert_eq!((joined, level), (1.0, 5.0), "{row:?}");
}

#[test]
fn what_cannot_be_is_refused_with_a_remedy() {
    let folder = Folder::new("");
    let wrong = [
        ("--learner crss", "no learner called `crss`\nhelp: did you mean `cross`?"),
        ("--payoffs 5 -1", "is no range\nhelp: give the payoff that counts as 0"),
        ("--start 1.5", "give a probability from 0 to 1"),
        ("--grid mixed", "heterogeneous"),
        ("--rounds 3", "3 is not in 4..=1000000"),
        ("--play levels --balancer averaging", "nobody plays\nhelp: levels are learned under"),
        ("--learner always", "nobody plays\n  `always`: it has no probability"),
        ("--output none/there.csv --learner ratio --quick", "none/there.csv"),
    ];
    for (words, expected) in wrong {
        let said = folder.run(&format!("study contest {words}"));
        assert_eq!(said.out, "", "{words}");
        assert!([2, 4].contains(&said.code), "{words}: {}", said.code);
        assert!(said.error.contains(expected), "{words}: {}", said.error);
    }
    for (words, expected) in [
        ("--learner crss", "did you mean `cross`?"),
        ("--learner cross --learner fictitious_play", "asks for the payoffs of the whole game"),
        ("--output none/there.csv", "none/there.csv"),
    ] {
        let said = folder.run(&format!("study fingerprints {words}"));
        assert!(said.out.is_empty() && said.error.contains(expected), "{words}: {}", said.error);
    }
}

/// A row for each of 441 points, the same for any number of threads; those left out are told.
#[test]
fn a_fingerprint_has_all_points_on_any_threads() {
    let folder = Folder::new("");
    let words = "study fingerprints --learner cross --rounds 8 --runs 2 --format csv --threads";
    let [one, two] = [1, 2].map(|threads| folder.run(&format!("{words} {threads}")).out);
    assert_eq!(one.lines().count(), 1 + 441);
    assert!(one == two && one.starts_with("learner,mean_gain,deviation,joined\ncross,-2,4,"));
    let all = folder.run("study fingerprints --rounds 4 --runs 1");
    assert!(all.out.contains("`fictitious_play` asks for the payoffs"), "{}", all.out);
}

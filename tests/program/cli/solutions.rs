//! `gridpact game solve`: figures known from textbooks and papers, and by hand.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::support::{Folder, Said};

/// A game by its payoffs alone, as `s.toml`.
fn game(payoffs: &str) -> Folder {
    Folder::new(&format!("name = \"g\"\n[game]\n{payoffs}\n"))
}

const HUNT: &str = "actions = [\"stag\", \"hare\"]\npayoffs.symmetric = [[4, 0], [3, 2]]";
const DILEMMA: &str = "payoffs.symmetric = [[3, 0], [5, 1]]";
const DOVES: &str = "actions = [\"hawk\", \"dove\"]\npayoffs.symmetric = [[-0.5, 2], [0, 0]]";

#[track_caller]
fn solved(payoffs: &str, words: &str) -> Value {
    let said = game(payoffs).run(&format!("game solve s.toml --format json {words}"));
    assert_eq!((said.code, &*said.error), (0, ""), "{payoffs}");
    serde_json::from_str(&said.out).unwrap()
}

/// The figures of a column, row by row.
#[track_caller]
fn column(rows: &Value, name: &str) -> Vec<f64> {
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| row[name].as_f64().unwrap_or(f64::NAN)).collect()
}

fn texts<'a>(rows: &'a Value, name: &str) -> Vec<&'a str> {
    rows.as_array().unwrap().iter().map(|row| row[name].as_str().unwrap()).collect()
}

#[track_caller]
fn near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?} {expected:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance, "{found} {expected}");
    }
}

#[test]
fn equilibria_of_a_stag_hunt_and_their_prices() {
    let found = solved(HUNT, "");
    assert_eq!(texts(&found["pure_equilibria"], "profile"), ["(stag, stag)", "(hare, hare)"]);
    assert!(found["pure_equilibria"][0]["strict"].as_bool().unwrap());
    // In the mixed equilibrium each hunts the stag with probability 2/3 and gets 8/3.
    let mixed = &found["mixed_equilibria"];
    let third = 1.0 / 3.0;
    let shares = [1.0, 1.0, 1.0, 1.0, 2.0 * third, third, 2.0 * third, third];
    near(&column(mixed, "probability"), &shares, 1e-15);
    near(&column(mixed, "payoff")[4..], &[8.0 * third; 4], 1e-15);
    near(&column(&found["efficiency"], "price_of_anarchy"), &[2.0, 2.0], 0.0);
    near(&column(&found["efficiency"], "price_of_stability"), &[1.0, 1.0], 0.0);
    assert_eq!(found["dominance"], Value::Array(Vec::new()));
    assert_eq!(found["skipped"], Value::Array(Vec::new()));
    // Costs of 1 and 2: the dilemma with its sums below 0, and a strict dominance.
    let costs = solved("payoffs.symmetric = [[-1, -3], [0, -2]]", "");
    near(&column(&costs["efficiency"], "price_of_anarchy"), &[2.0, 2.0], 1e-15);
    assert_eq!(texts(&costs["dominance"], "dominance"), ["strict", "strict"]);
    assert_eq!(texts(&costs["dominance"], "action"), ["2", "2"]);
}

/// Braess's and Pigou's kind of game with ten players: a road that takes an hour, and one on which
/// each adds six minutes. Both 9 and 10 on the second are equilibria, 5 on each are best:
/// 10 against 7.5 hours.
#[test]
fn the_price_of_anarchy_of_two_roads() {
    let found = solved(
        "actions = [\"wide\", \"narrow\"]\npayoffs.counts = { out = [-1, -1, -1, -1, -1, -1, -1, -1, -1, -1], in = \
         [-0.1, -0.2, -0.3, -0.4, -0.5, -0.6, -0.7, -0.8, -0.9, -1.0] }",
        "",
    );
    let pure = &found["pure_equilibria"];
    assert_eq!(texts(pure, "profile"), ["(1 wide, 9 narrow)", "(10 narrow)"]);
    assert!(pure.as_array().unwrap().iter().all(|row| row["strict"] == false));
    near(&column(pure, "total"), &[-9.1, -10.0], 1e-12);
    let efficiency = &found["efficiency"];
    near(&column(efficiency, "optimum"), &[-7.5], 1e-12);
    near(&column(efficiency, "price_of_anarchy"), &[4.0 / 3.0], 1e-12);
    near(&column(efficiency, "price_of_stability"), &[9.1 / 7.5], 1e-12);
    // The narrow road is never slower, and mostly faster.
    assert_eq!(texts(&found["dominance"], "dominance"), ["weak"]);
    assert_eq!(texts(&found["dominance"], "action"), ["narrow"]);
}

/// A game written by counts, by meetings and by a table has the same solutions.
#[test]
fn the_form_of_the_payoffs_does_not_matter() {
    let pairwise = "payoffs.pairwise = [[-0.5, 2], [0, 0]]\n[[player]]\nname = \"p\"\ncount = 4\n\
                    learner.cross = {}";
    let of = |own: usize, second: usize| {
        let pays = [[-0.5, 2.0], [0.0, 0.0]];
        (pays[own][0] * (3 - second) as f64 + pays[own][1] * second as f64) / 3.0
    };
    let row = |own: usize| (0..4).map(|second| of(own, second)).collect::<Vec<f64>>();
    let counts = format!("payoffs.counts = {{ out = {:?}, in = {:?} }}", row(0), row(1));
    let profile = |number: usize| [3, 2, 1, 0].map(|bit| number >> bit & 1);
    let table: Vec<Vec<f64>> = (0..16)
        .map(|number| {
            let profile = profile(number);
            let all: usize = profile.iter().sum();
            profile.iter().map(|&own| of(own, all - own)).collect()
        })
        .collect();
    let table = format!("payoffs.table = {{ choices = [2, 2, 2, 2], payoffs = {table:?} }}");
    let [by_meetings, by_counts, by_table] =
        [pairwise, &counts, &table].map(|payoffs| solved(payoffs, "--population 4"));
    assert_eq!(texts(&by_counts["pure_equilibria"], "profile"), ["(3 1, 1 2)"]);
    for other in [&by_meetings, &by_counts] {
        for name in ["total", "least", "most"] {
            let all = column(&by_table["pure_equilibria"], name);
            near(&column(&other["pure_equilibria"], name), &all[..1], 1e-12);
        }
        let efficiency = |found: &Value| column(&found["efficiency"], "optimum");
        near(&efficiency(other), &efficiency(&by_table), 1e-12);
        let all = column(&by_table["logit_equilibria"], "probability");
        near(&column(&other["logit_equilibria"], "probability"), &all[..2], 1e-9);
        near(&column(&other["fixation"], "log10"), &column(&by_counts["fixation"], "log10"), 1e-12);
    }
    assert_eq!(by_table["pure_equilibria"].as_array().unwrap().len(), 4);
}

/// Probabilities of the first action, from McKelvey and Palfrey's equation by hand: temperatures 4,
/// 1 and 1/4. At precision 0 all is even.
#[test]
fn logit_equilibria_of_small_games() {
    let first = |payoffs: &str, precisions: &str| -> Vec<f64> {
        let found = solved(payoffs, &format!("--logit {precisions}"));
        let rows = found["logit_equilibria"].as_array().unwrap().clone();
        let of = |row: &&Value| row["player"] == "player-1";
        let rows: Vec<&Value> = rows.iter().filter(of).step_by(2).collect();
        rows.iter().map(|row| row["probability"].as_f64().unwrap()).collect()
    };
    near(&first(DILEMMA, "0,1,2,4"), &[0.5, 0.226_75, 0.099_79, 0.016_83], 5e-6);
    near(&first(HUNT, "1,2"), &[0.1958, 0.0203], 5e-5);
    near(&first(HUNT, "4"), &[0.000_337, 0.765_05, 0.976_21], 5e-6);
    near(&first("payoffs.zero_sum = [[1, -1], [-1, 1]]", "3"), &[0.5], 1e-12);
    // Hawks and doves also have two that are not symmetric; each is the reply to the other.
    let found = first(DOVES, "8");
    assert_eq!(found.len(), 3, "{found:?}");
    let reply = |x: f64| 1.0 / (1.0 + (8.0 * (0.5 * x - 2.0 * (1.0 - x))).exp());
    near(
        &[reply(found[0]), reply(found[1]), reply(found[2])],
        &[found[0], found[2], found[1]],
        1e-8,
    );
    // Nobody gains in a Nash equilibrium, and a logit equilibrium comes close.
    let gains = column(&solved(HUNT, "--logit 400")["logit_equilibria"], "gain");
    assert!(
        gains.len() == 12 && gains.iter().all(|&gain| (0.0..1e-2).contains(&gain)),
        "{gains:?}"
    );
}

/// The shares of Omidshafiei and others for these games, and the fixation probabilities of
/// `docs/book/src/background/games.md`, which are those of Traulsen, Nowak and Pacheco's formula.
#[test]
fn populations_play_what_they_are_known_to_play() {
    let doves = solved(DOVES, "--alpha 1 --population 20");
    let rows = doves["alpha_rank"].as_array().unwrap();
    let each: Vec<&Value> =
        rows.iter().filter(|row| row["populations"] == "one a player").collect();
    assert_eq!(
        (&each[0]["profile"], &each[1]["profile"]),
        (&"(hawk, dove)".into(), &"(dove, hawk)".into())
    );
    for row in &each[..2] {
        assert!((row["share"].as_f64().unwrap() - 0.499_98).abs() <= 5e-6, "{row}");
    }
    let fixation =
        |payoffs: &str, words: &str| column(&solved(payoffs, words)["fixation"], "probability");
    let hawk = fixation(DOVES, "--alpha 1 --population 100");
    near(&hawk[1..], &[0.864_115_6], 5e-8);
    near(&fixation(HUNT, "--alpha 0.5 --population 20"), &[0.035_578_2, 8.818_94e-5], 5e-8);
    near(&fixation(DILEMMA, "--alpha 0.1 --population 10"), &[0.215_544, 0.039_376_3], 5e-7);
    near(&fixation(DILEMMA, "--alpha 0 --population 10"), &[0.1, 0.1], 1e-12);
    let neutral = solved(DILEMMA, "--alpha 0 --population 10");
    near(&column(&neutral["fixation"], "over_neutral"), &[1.0, 1.0], 1e-12);
    near(&column(&neutral["alpha_rank"], "share"), &[0.5, 0.5, 0.25, 0.25, 0.25, 0.25], 1e-12);
    // Who invades whom, by two states alone.
    let hunt = solved(HUNT, "--alpha 0.05 --population 20");
    let [hare, stag] = column(&hunt["fixation"], "probability")[..] else { panic!("{hunt}") };
    let shares = column(&hunt["alpha_rank"], "share");
    near(&shares[..1], &[hare / (hare + stag)], 1e-12);
}

/// Self-play in the dilemma with 5 % errors, and what a strategy of four probabilities by hand: one
/// that cooperates with p whatever happened meets one with q.
#[test]
fn memory_one_strategies_in_the_dilemma() {
    let gets = |words: &str| -> Vec<f64> {
        let rows = &solved(DILEMMA, words)["memory_one"];
        column(rows, "first_gets").into_iter().chain(column(rows, "second_gets")).collect()
    };
    for (name, cooperates, payoff) in [
        ("tit_for_tat", 0.5, 2.25),
        ("win_stay", 0.8645, 2.7765),
        ("grim", 0.0725, 1.1925),
        ("1,0.3333333333333333,1,0.3333333333333333", 0.875, 2.859),
    ] {
        let words = format!("--memory-one {name} --error 0.05");
        near(&gets(&words), &[payoff; 2], 5e-4);
        let rows = &solved(DILEMMA, &words)["memory_one"];
        near(&column(rows, "first_cooperates"), &[cooperates], 5e-5);
    }
    let (p, q) = (0.3, 0.8);
    let words = "--memory-one 0.3,0.3,0.3,0.3 --memory-one 0.8,0.8,0.8,0.8 --error 0";
    let of = |p: f64, q: f64| 3.0 * p * q + 5.0 * (1.0 - p) * q + (1.0 - p) * (1.0 - q);
    near(&gets(words), &[of(p, p), of(p, q), of(q, q), of(p, p), of(q, p), of(q, q)], 1e-12);
    // Of two players who are not alike each pair meets in both orders; without errors two who
    // imitate each other go on as they began.
    let words = "--memory-one always --memory-one tit_for_tat --error 0";
    let rows = &solved("payoffs.zero_sum = [[1, -2], [-3, 4]]", words)["memory_one"];
    assert_eq!(texts(rows, "first"), ["always", "always", "tit_for_tat", "tit_for_tat"]);
    near(&column(rows, "first_gets")[..3], &[1.0; 3], 1e-12);
    assert!(rows[3]["first_gets"].is_null());
}

/// The gloves, a majority of three and a runway for planes that need 1, 2 and 3.
#[test]
fn shares_of_what_coalitions_earn() {
    let folder = Folder::new("");
    let gloves =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/games/gloves.toml");
    let said = folder.run_words(&["game", "solve", gloves.to_str().unwrap(), "--format", "json"]);
    let found: Value = serde_json::from_str(&said.out).unwrap();
    near(&column(&found["allocations"], "shapley"), &[1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0], 1e-12);
    near(&column(&found["allocations"], "least_core"), &[0.0, 0.0, 1.0], 1e-9);
    assert_eq!(
        (&found["core"][0]["in_core"], &found["core"][1]["in_core"]),
        (&false.into(), &true.into())
    );
    assert_eq!(found["core"][0]["of"], "left-1 + right");
    let majority = solved("payoffs.sizes = [0, 1, 1]", "");
    near(&column(&majority["allocations"], "shapley"), &[1.0 / 3.0; 3], 1e-12);
    near(&column(&majority["core"], "excess"), &[1.0 / 3.0; 2], 1e-9);
    assert_eq!(majority["core"][1]["in_core"], false);
    let runway = solved(
        "[game.payoffs.coalitions]\nplayers = [\"a\", \"b\", \"c\"]\nothers = -3\nworth = [\n\
         { of = [\"a\"], is = -1 }, { of = [\"b\"], is = -2 }, { of = [\"a\", \"b\"], is = -2 } ]",
        "",
    );
    let shares = column(&runway["allocations"], "shapley");
    near(&shares, &[-1.0 / 3.0, -5.0 / 6.0, -11.0 / 6.0], 1e-12);
    near(&column(&runway["allocations"], "alone"), &[-1.0, -2.0, -3.0], 0.0);
    near(&column(&runway["core"], "excess")[1..], &[-0.5], 1e-9);
}

fn says(said: &Said, code: i32, words: &[&str]) {
    assert_eq!(said.code, code, "{}{}", said.out, said.error);
    words.iter().for_each(|words| assert!(said.error.contains(words), "{words}: {}", said.error));
}

#[test]
fn games_of_coalitions_are_solved_and_not_played() {
    for payoffs in ["payoffs.sizes = [0, 1, 3]", "payoffs.coalitions = { a = 1.0 }"] {
        let said = game(payoffs).run("run s.toml");
        says(&said, 2, &["this is a game, without a grid", "`gridpact game solve FILE` solves it"]);
    }
    let folder = game("payoffs.sizes = [0, 1, 1]");
    says(
        &folder.run("game s.toml"),
        2,
        &["s.toml:3:", "a game of coalitions is solved, not played", "`gridpact game solve FILE`"],
    );
    let said = folder.run("check s.toml");
    assert!(said.code == 0 && said.out.contains("3 players: player-1, player-2, player-3"));
    assert_eq!(
        folder.run("check s.toml --format csv").out,
        "player\nplayer-1\nplayer-2\nplayer-3\n"
    );
    for (payoffs, words) in [
        ("payoffs.sizes = [1]", "a game of coalitions has 2 to 20 players"),
        ("payoffs.sizes = [0, nan]", "must be a finite number"),
        (
            "payoffs.sizes = [0, 1]\nactions = [\"x\"]",
            "leave this out: the game is its `payoffs` alone",
        ),
        (COALITIONS, "the worth of `b` is not given"),
        (&COALITIONS.replace("\"b\"] }", "\"c\"] }"), "there is no player called `c`"),
        (&COALITIONS.replace("\"b\"] }", "\"a\"] }"), "this member is named twice"),
        (&COALITIONS.replace("\"b\"] }", "] }"), "the worth of this coalition is given twice"),
        (&COALITIONS.replace("of = [\"a\"]", "of = []"), "this coalition has no member"),
        (&COALITIONS.replace("[\"a\", \"b\"]\n", "[\"a\", \"a\"]\n"), "two players called `a`"),
    ] {
        says(&game(payoffs).run("game solve s.toml"), 2, &[words, "s.toml:"]);
    }
}

const COALITIONS: &str = "[game.payoffs.coalitions]\nplayers = [\"a\", \"b\"]\n\
    worth = [{ is = 1, of = [\"a\"] }, { is = 2, of = [\"a\", \"b\"] }]\n";

#[test]
fn tables_are_chosen_and_what_is_missing_has_a_reason() {
    let folder = game(HUNT);
    let csv = folder.run("game solve s.toml --format csv");
    assert_eq!(csv.out.lines().next(), Some("profile,strict,total,least,most"));
    let said = folder.run("game solve s.toml --table core");
    says(
        &said,
        2,
        &["no table `core`: this game has no such table", "help: the tables of this game"],
    );
    let said = folder.run("game solve s.toml --memory-one tit-for-tat");
    says(&said, 2, &["`tit_for_tat`", "four probabilities"]);
    says(&folder.run("game solve s.toml --logit -1"), 2, &[]);
    says(&folder.run("game solve s.toml --population 1"), 2, &[]);
    says(&folder.run("game s.toml"), 2, &["nobody plays this game"]);
    let folder = game("payoffs.sizes = [0, 1, 1]");
    assert!(folder.run("game solve s.toml --format csv").out.starts_with("player,alone,shapley"));
    let markdown = folder.run("game solve s.toml --format markdown").out;
    assert!(markdown.contains("## allocations\n\n| player |"), "{markdown}");
    let said = game("payoffs.counts = { out = [0, 0, 0], in = [0, 1, 2] }")
        .run("game solve s.toml --table memory_one");
    says(&said, 2, &["no table `memory_one`: it is for two players with two actions"]);
}

/// Large games take a few seconds at most, and what is left out is said.
#[test]
fn large_games_are_cut_and_not_waited_for() {
    let row = |count: usize, seed: u64| -> String {
        let number = |at: usize| (at as u64 * 7919 + seed * 104_729) % 1009;
        format!("{:?}", (0..count).map(number).collect::<Vec<u64>>())
    };
    let square = |count: usize| {
        let rows: Vec<String> = (0..count).map(|seed| row(count, seed as u64)).collect();
        format!("[{}]", rows.join(","))
    };
    let worth = row(20, 3);
    for (payoffs, skipped) in [
        (
            format!("payoffs.counts = {{ out = {}, in = {} }}", row(10_000, 1), row(10_000, 2)),
            &["logit_equilibria", "memory_one", "mixed_equilibria", "pure_equilibria"][..],
        ),
        (
            format!("payoffs.symmetric = {}", square(400)),
            &[
                "alpha_rank",
                "dominance",
                "efficiency",
                "fixation",
                "logit_equilibria",
                "memory_one",
                "mixed_equilibria",
                "pure_equilibria",
            ],
        ),
        (
            format!("payoffs.bimatrix = {{ row = {0}, column = {0} }}", square(10)),
            &["fixation", "memory_one"],
        ),
        (format!("payoffs.sizes = {worth}"), &[]),
    ] {
        let begun = Instant::now();
        let found = solved(&payoffs, "");
        let mut names = texts(&found["skipped"], "table");
        names.sort_unstable();
        names.dedup();
        assert_eq!(names, skipped);
        println!("{skipped:?}: {:?}", begun.elapsed());
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    }
}

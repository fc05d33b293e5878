//! `gridpact game solve`: figures known from textbooks and papers, and by hand.

use serde_json::Value;

use crate::cli::support::{Folder, Said};

/// A game by its payoffs alone, as `s.toml`.
fn game(payoffs: &str) -> Folder {
    Folder::new(&format!("name = \"g\"\n[game]\n{payoffs}\n"))
}

const HUNT: &str = "actions = [\"stag\", \"hare\"]\npayoffs.symmetric = [[4, 0], [3, 2]]";
const DILEMMA: &str = "payoffs.symmetric = [[3, 0], [5, 1]]";
const DOVES: &str = "actions = [\"hawk\", \"dove\"]\npayoffs.symmetric = [[-0.5, 2], [0, 0]]";

/// The lines of a solution, and the solvers that found none.
struct Lines(Vec<Value>, Vec<String>);

#[track_caller]
fn lines(said: &Said) -> Lines {
    assert_eq!((said.code, &*said.error), (0, ""));
    let mut found: Value = serde_json::from_str(&said.out).unwrap();
    let skipped = found["skipped"].as_array().unwrap().iter();
    let skipped = skipped.map(|line| line["solver"].as_str().unwrap().to_owned()).collect();
    Lines(found["solution"].take().as_array().unwrap().clone(), skipped)
}

#[track_caller]
fn solved(payoffs: &str, words: &str) -> Lines {
    lines(&game(payoffs).run(&format!("game solve s.toml --format json {words}")))
}

impl Lines {
    /// The lines of a solver with this quantity.
    fn of<'a>(&'a self, solver: &'a str, quantity: &'a str) -> impl Iterator<Item = &'a Value> {
        let is_one = move |line: &&Value| line["solver"] == solver && line["quantity"] == quantity;
        self.0.iter().filter(is_one)
    }

    /// The figures of a quantity; none where there is no figure.
    fn figures(&self, solver: &str, quantity: &str) -> Vec<f64> {
        self.of(solver, quantity).map(|line| line["value"].as_f64().unwrap_or(f64::NAN)).collect()
    }

    /// The texts of a column in the lines of a quantity.
    fn texts<'a>(&'a self, solver: &'a str, quantity: &'a str, column: &str) -> Vec<&'a str> {
        self.of(solver, quantity).map(|line| line[column].as_str().unwrap()).collect()
    }
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
    let profiles = found.texts("pure_equilibria", "strict", "profile");
    assert_eq!(profiles, ["(stag, stag)", "(hare, hare)"]);
    near(&found.figures("pure_equilibria", "strict"), &[1.0, 1.0], 0.0);
    // In the mixed equilibrium each hunts the stag with probability 2/3 and gets 8/3.
    let third = 1.0 / 3.0;
    let pure = [1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0];
    let shares = [&pure[..], &[2.0 * third, third, 2.0 * third, third]].concat();
    near(&found.figures("mixed_equilibria", "probability"), &shares, 1e-15);
    near(&found.figures("mixed_equilibria", "payoff")[4..], &[8.0 * third; 2], 1e-15);
    near(&found.figures("efficiency", "price_of_anarchy"), &[2.0, 2.0], 0.0);
    near(&found.figures("efficiency", "price_of_stability"), &[1.0, 1.0], 0.0);
    assert_eq!(found.of("dominance", "strict").count(), 0);
    assert!(found.1.is_empty(), "{:?}", found.1);
    // Costs of 1 and 2: the dilemma with its sums below 0, and a strict dominance.
    let costs = solved("payoffs.symmetric = [[-1, -3], [0, -2]]", "");
    near(&costs.figures("efficiency", "price_of_anarchy"), &[2.0, 2.0], 1e-15);
    near(&costs.figures("dominance", "strict"), &[1.0, 1.0], 0.0);
    assert_eq!(costs.texts("dominance", "strict", "action"), ["2", "2"]);
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
    let profiles = found.texts("pure_equilibria", "strict", "profile");
    assert_eq!(profiles, ["(1 wide, 9 narrow)", "(10 narrow)"]);
    near(&found.figures("pure_equilibria", "strict"), &[0.0, 0.0], 0.0);
    near(&found.figures("pure_equilibria", "total"), &[-9.1, -10.0], 1e-12);
    near(&found.figures("efficiency", "optimum"), &[-7.5], 1e-12);
    near(&found.figures("efficiency", "price_of_anarchy"), &[4.0 / 3.0], 1e-12);
    near(&found.figures("efficiency", "price_of_stability"), &[9.1 / 7.5], 1e-12);
    // The narrow road is never slower, and mostly faster.
    near(&found.figures("dominance", "strict"), &[0.0], 0.0);
    assert_eq!(found.texts("dominance", "strict", "action"), ["narrow"]);
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
    assert_eq!(by_counts.texts("pure_equilibria", "total", "profile"), ["(3 1, 1 2)"]);
    for other in [&by_meetings, &by_counts] {
        for column in ["value", "low", "high"] {
            let totals = |found: &Lines| -> Vec<f64> {
                let all = found.of("pure_equilibria", "total");
                all.map(|line| line[column].as_f64().unwrap()).collect()
            };
            near(&totals(other), &totals(&by_table)[..1], 1e-12);
        }
        let optimum = |found: &Lines| found.figures("efficiency", "optimum");
        near(&optimum(other), &optimum(&by_table), 1e-12);
        let all = by_table.figures("logit_equilibria", "probability");
        near(&other.figures("logit_equilibria", "probability"), &all[..2], 1e-9);
        let fixation = |found: &Lines| found.figures("fixation", "log10");
        near(&fixation(other), &fixation(&by_counts), 1e-12);
    }
    assert_eq!(by_table.of("pure_equilibria", "total").count(), 4);
}

/// Probabilities of the first action, from McKelvey and Palfrey's equation by hand: temperatures 4,
/// 1 and 1/4. At precision 0 all is even.
#[test]
fn logit_equilibria_of_small_games() {
    let first = |payoffs: &str, precisions: &str| -> Vec<f64> {
        let found = solved(payoffs, &format!("--logit {precisions}"));
        let rows = found.of("logit_equilibria", "probability");
        let rows = rows.filter(|row| row["player"] == "player-1").step_by(2);
        rows.map(|row| row["value"].as_f64().unwrap()).collect()
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
    let gains = solved(HUNT, "--logit 400").figures("logit_equilibria", "gain");
    assert!(gains.len() == 6 && gains.iter().all(|&gain| (0.0..1e-2).contains(&gain)), "{gains:?}");
}

/// The shares of Omidshafiei and others for these games, and the fixation probabilities of
/// `docs/book/src/background/games.md`, which are those of Traulsen, Nowak and Pacheco's formula.
#[test]
fn populations_play_what_they_are_known_to_play() {
    let doves = solved(DOVES, "--alpha 1 --population 20");
    let each: Vec<&Value> =
        doves.of("alpha_rank", "share").filter(|row| row["player"].is_null()).collect();
    assert_eq!(
        (&each[0]["profile"], &each[1]["profile"]),
        (&"(hawk, dove)".into(), &"(dove, hawk)".into())
    );
    for row in &each[..2] {
        assert!((row["value"].as_f64().unwrap() - 0.499_98).abs() <= 5e-6, "{row}");
    }
    let fixation =
        |payoffs: &str, words: &str| solved(payoffs, words).figures("fixation", "probability");
    let hawk = fixation(DOVES, "--alpha 1 --population 100");
    near(&hawk[1..], &[0.864_115_6], 5e-8);
    near(&fixation(HUNT, "--alpha 0.5 --population 20"), &[0.035_578_2, 8.818_94e-5], 5e-8);
    near(&fixation(DILEMMA, "--alpha 0.1 --population 10"), &[0.215_544, 0.039_376_3], 5e-7);
    near(&fixation(DILEMMA, "--alpha 0 --population 10"), &[0.1, 0.1], 1e-12);
    let neutral = solved(DILEMMA, "--alpha 0 --population 10");
    near(&neutral.figures("fixation", "over_neutral"), &[1.0, 1.0], 1e-12);
    near(&neutral.figures("alpha_rank", "share"), &[0.5, 0.5, 0.25, 0.25, 0.25, 0.25], 1e-12);
    // Who invades whom, by two states alone.
    let hunt = solved(HUNT, "--alpha 0.05 --population 20");
    let fixation = hunt.figures("fixation", "probability");
    let [hare, stag] = fixation[..] else { panic!("{fixation:?}") };
    let shares = hunt.figures("alpha_rank", "share");
    near(&shares[..1], &[hare / (hare + stag)], 1e-12);
}

/// Self-play in the dilemma with 5 % errors, and what a strategy of four probabilities by hand: one
/// that cooperates with p whatever happened meets one with q.
#[test]
fn memory_one_strategies_in_the_dilemma() {
    let gets = |words: &str| solved(DILEMMA, words).figures("memory_one", "payoff");
    for (name, cooperates, payoff) in [
        ("tit_for_tat", 0.5, 2.25),
        ("win_stay", 0.8645, 2.7765),
        ("grim", 0.0725, 1.1925),
        ("1,0.3333333333333333,1,0.3333333333333333", 0.875, 2.859),
    ] {
        let words = format!("--memory-one {name} --error 0.05");
        near(&gets(&words), &[payoff; 2], 5e-4);
        let found = solved(DILEMMA, &words).figures("memory_one", "cooperation");
        near(&found, &[cooperates; 2], 5e-5);
    }
    let (p, q) = (0.3, 0.8);
    let words = "--memory-one 0.3,0.3,0.3,0.3 --memory-one 0.8,0.8,0.8,0.8 --error 0";
    let of = |p: f64, q: f64| 3.0 * p * q + 5.0 * (1.0 - p) * q + (1.0 - p) * (1.0 - q);
    near(&gets(words), &[of(p, p), of(p, p), of(p, q), of(q, p), of(q, q), of(q, q)], 1e-12);
    // Of two players who are not alike each pair meets in both orders; without errors two who
    // imitate each other go on as they began.
    let words = "--memory-one always --memory-one tit_for_tat --error 0";
    let found = solved("payoffs.zero_sum = [[1, -2], [-3, 4]]", words);
    let firsts = || found.of("memory_one", "payoff").filter(|line| line["player"] == "player-1");
    let profiles: Vec<&str> = firsts().map(|line| line["profile"].as_str().unwrap()).collect();
    let [a, t] = ["always", "tit_for_tat"];
    assert_eq!(profiles, [(a, a), (a, t), (t, a), (t, t)].map(|(a, b)| format!("({a}, {b})")));
    let gets: Vec<Option<f64>> = firsts().map(|line| line["value"].as_f64()).collect();
    near(&gets[..3].iter().map(|one| one.unwrap()).collect::<Vec<_>>(), &[1.0; 3], 1e-12);
    assert_eq!(gets[3], None);
}

/// The gloves, a majority of three and a runway for planes that need 1, 2 and 3.
#[test]
fn shares_of_what_coalitions_earn() {
    let folder = Folder::new("");
    let gloves =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/games/gloves.toml");
    let said = folder.run_words(&["game", "solve", gloves.to_str().unwrap(), "--format", "json"]);
    let found = lines(&said);
    near(&found.figures("allocations", "shapley"), &[1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0], 1e-12);
    near(&found.figures("allocations", "banzhaf"), &[0.25, 0.25, 0.75], 1e-12);
    for share in ["least_core", "nucleolus"] {
        near(&found.figures("allocations", share), &[0.0, 0.0, 1.0], 1e-9);
    }
    near(&found.figures("core", "in_core"), &[0.0, 1.0, 1.0], 0.0);
    assert_eq!(found.texts("core", "excess", "player")[0], "left-1 + right");
    let majority = solved("payoffs.sizes = [0, 1, 1]", "");
    near(&majority.figures("allocations", "shapley"), &[1.0 / 3.0; 3], 1e-12);
    near(&majority.figures("core", "excess"), &[1.0 / 3.0; 3], 1e-9);
    near(&majority.figures("core", "in_core"), &[0.0; 3], 0.0);
    let runway = solved(
        "[game.payoffs.coalitions]\nplayers = [\"a\", \"b\", \"c\"]\nothers = -3\nworth = [\n\
         { of = [\"a\"], is = -1 }, { of = [\"b\"], is = -2 }, { of = [\"a\", \"b\"], is = -2 } ]",
        "",
    );
    let shares = runway.figures("allocations", "shapley");
    near(&shares, &[-1.0 / 3.0, -5.0 / 6.0, -11.0 / 6.0], 1e-12);
    near(&runway.figures("allocations", "alone"), &[-1.0, -2.0, -3.0], 0.0);
    near(&runway.figures("core", "excess")[1..], &[-0.5; 2], 1e-9);
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
    let columns = "solver,profile,player,action,quantity,value,low,high\n";
    assert!(csv.out.starts_with(columns), "{}", csv.out);
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
    let csv = folder.run("game solve s.toml --format csv").out;
    assert!(
        csv.starts_with(columns) && csv.contains("\nallocations,,player-1,,alone,0,,\n"),
        "{csv}"
    );
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
        (format!("payoffs.sizes = {worth}"), &["allocations"]),
    ] {
        let mut names = solved(&payoffs, "").1;
        names.sort_unstable();
        names.dedup();
        assert_eq!(names, skipped);
    }
}

/// A game in Gambit's format is solved, played and written again; its mistakes are shown in its own text.
#[test]
fn games_of_gambit_are_read_and_written() {
    let folder = Folder::new("");
    let pd = "NFG 1 R \"Prisoner's dilemma\" { \"Ann\" \"Bob\" } { 2 2 }\n9 9 10 0 0 10 1 1\n";
    folder.write("pd.nfg", pd);
    let solved = folder.run("game solve pd.nfg --table mixed_equilibria --format csv");
    let rows: Vec<&str> = solved.out.lines().filter(|row| row.contains("probability")).collect();
    let row = |name: &str, action: u32, p: u32| {
        format!("mixed_equilibria,1,{name},{action},probability,{p},,")
    };
    assert_eq!(rows, [row("Ann", 1, 0), row("Ann", 2, 1), row("Bob", 1, 0), row("Bob", 2, 1)]);
    assert_eq!(folder.run("game pd.nfg -q --out r").code, 0);
    let said = folder.run("game export pd.nfg --to nfg");
    assert_eq!(
        said.out,
        "NFG 1 R \"Prisoners dilemma\" { \"Ann\" \"Bob\" }\n\n{ { \"1\" \"2\" }\n  { \"1\" \"2\" } }\n\n\
         9 9\n10 0\n0 10\n1 1"
    );
    let said = folder.run("game export pd.nfg --to openspiel");
    assert!(
        said.out.ends_with("{ \"Ann\" \"Bob\" }\n\n{ 2 2 }\n\n9 9\n10 0\n0 10\n1 1"),
        "{}",
        said.out
    );
    let json = folder.run("game export pd.nfg --to gameanalysis").out;
    assert!(json.contains(r#"{"Ann":[["1",1,0.0]],"Bob":[["2",1,10.0]]}"#), "{json}");
    assert!(folder.run("game export pd.nfg --to csv").out.contains("\n1,2,Bob,10\n"));
    for words in ["workload import --from sacct pd.nfg", "new trace pd.nfg"] {
        let said = folder.run(words);
        assert!(said.code == 2 && said.error.contains("gridpact game solve"), "{}", said.error);
    }
    folder.write("wrong.nfg", &pd.replace("10 1 1", "10 x 1"));
    let said = folder.run("game solve wrong.nfg");
    assert_eq!(said.code, 2);
    assert!(
        said.error.contains("wrong.nfg:2:15") && said.error.contains("a payoff"),
        "{}",
        said.error
    );
}

/// Written as a list and read again, games are the same, to the last digit.
#[test]
fn lists_of_payoffs_are_read_as_they_are_written() {
    let scenarios = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/games");
    for name in ["stag-hunt", "rock-paper-scissors", "membership"] {
        let folder = Folder::new(
            &std::fs::read_to_string(scenarios.join(name).with_extension("toml")).unwrap(),
        );
        assert_eq!(folder.run("game export s.toml --to csv --out list.csv").code, 0);
        assert_eq!(folder.run("game export list.csv --to csv --out again.csv").code, 0);
        assert_eq!(folder.read("list.csv"), folder.read("again.csv"), "{name}");
    }
    let three = "payoffs.table = { choices = [2, 1, 2], payoffs = [[1, 2, 3], [0.1, -5e-9, 0], [1e12, 0, 7], [0, 0, 1]] }";
    let folder = game(three);
    let list = folder.run("game export s.toml --to csv").out;
    let mut lines: Vec<&str> = list.lines().collect();
    lines[1..].reverse();
    folder.write("list.csv", &lines.join("\n"));
    lines[1..].reverse();
    assert_eq!(folder.run("game export list.csv --to csv").out, list);
    let hedged = "extends = \"list.csv\"\nname = \"hedged\"\n[[player]]\nname = \"player-1\"\nlearner.hedge = {}\n";
    folder.write("hedged.toml", hedged);
    assert_eq!(folder.run("game hedged.toml -q --out r").code, 0);
    assert!(folder.read("r/players.csv").contains("player-3"));
    folder.write("wrong.csv", &list.replace("player-2,2", "player-2,two"));
    let said = folder.run("game solve wrong.csv");
    assert!(said.code == 2 && said.error.contains("wrong.csv:3:16"), "{}", said.error);
    folder.write("wrong.toml", &hedged.replace("list", "wrong"));
    let said = folder.run("game wrong.toml --no-files");
    assert!(
        said.code == 2
            && said.error.contains("wrong.csv:3:16")
            && said.error.contains("wrong.toml:1"),
        "{}",
        said.error
    );
    let said = game("payoffs = \"list.csv\"").run("game solve s.toml");
    assert!(said.error.contains("`extends = \"FILE\"`"), "{}", said.error);
}

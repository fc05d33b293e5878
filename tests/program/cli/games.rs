//! `gridpact game`: learners on a game, without a grid.

use serde_json::Value;

use crate::cli::support::Folder;

/// A game of two that reinforce what they got, as `s.toml`.
const HUNT: &str = r#"name = "hunt"
[run]
until.rounds = 6000
replications = 40
[game]
actions = ["stag", "hare"]
payoffs.symmetric = [[4.0, 0.0], [3.0, 2.0]]
[[player]]
name = "row"
learner.cross = { rate = 0.02 }
[[player]]
name = "column"
learner.cross = { rate = 0.02 }
"#;

fn summary(folder: &Folder, results: &str) -> Value {
    serde_json::from_str(&folder.read(&format!("{results}/summary.json"))).unwrap()
}

/// Share of replications that ended at a profile, and true if that is an equilibrium.
fn ended(summary: &Value, profile: &str) -> (f64, bool) {
    let rows = summary["profiles"].as_array().unwrap();
    let row = rows.iter().find(|row| row["profile"] == profile);
    row.map_or((0.0, false), |row| {
        (row["share"].as_f64().unwrap(), row["equilibrium"].as_bool().unwrap())
    })
}

/// Known shares for L_R-I with b = .02 over 6000 rounds, by an independent simulator: 1.000, .995
/// from .5 in the stag hunt and .975 from .8. That 6 or more of 40 pairs end elsewhere has a
/// probability below 1e-3 even for the last (binomial).
#[test]
fn reward_inaction_ends_where_it_is_known_to() {
    for (payoffs, initial, wanted) in [
        ("[[4, 0], [3, 2]]", 0.5, &["(hare, hare)"][..]),
        ("[[4, 0], [3, 2]]", 0.2, &["(stag, stag)"]),
        ("[[3, 0], [5, 1]]", 0.5, &["(hare, hare)"]),
        ("[[-0.5, 2], [0, 0]]", 0.5, &["(stag, hare)", "(hare, stag)"]),
    ] {
        let folder = Folder::new(&HUNT.replace("[[4.0, 0.0], [3.0, 2.0]]", payoffs));
        let set = format!("--set choices.initial={initial}");
        let said = folder.run(&format!("game s.toml --out r {set}"));
        assert_eq!((said.code, &*said.error), (0, ""));
        let summary = summary(&folder, "r");
        let found: Vec<(f64, bool)> = wanted.iter().map(|one| ended(&summary, one)).collect();
        assert!(found.iter().all(|one| one.1), "{payoffs}: {found:?}");
        let share: f64 = found.iter().map(|one| one.0).sum();
        assert!(share > 34.0 / 40.0, "{payoffs}: {share}");
    }
}

#[test]
fn a_game_leaves_its_files_and_a_summary_in_words() {
    let folder = Folder::new(HUNT);
    let said = folder.run_whole("game s.toml --replications 3 --set run.until.rounds=2000");
    assert_eq!((said.code, &*said.error), (0, ""));
    for words in [
        "hunt  (seed 1, 3 replications)",
        "2 players, 2 000 rounds; learners see payoffs from 0 to 4.000 as 0 to 1",
        "stopped changing at (hare, hare)",
        "; this is an equilibrium",
        "the game has 2 pure equilibria, (stag, stag), (hare, hare)",
        "the largest total payoff is 8.000, at (stag, stag)",
        "results: results/hunt",
    ] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    let names = [
        "actions.csv",
        "figures.csv",
        "learning.svg",
        "manifest.json",
        "phase.svg",
        "players.csv",
        "profiles.csv",
        "replications.csv",
        "report.html",
        "report.json",
        "rounds.csv",
        "summary.json",
        "timing.json",
    ];
    assert_eq!(folder.names("results/hunt"), names);
    let rounds = folder.read("results/hunt/rounds.csv");
    let mut lines = rounds.lines();
    let header = "replication,round,player,action,payoff,probabilities,counterfactuals";
    assert_eq!(lines.next(), Some(header));
    assert_eq!(rounds.lines().count(), 1 + 3 * 2000 * 2);
    // Cross by hand: u = payoff / 4 moves the action played by .02 u (1 - x).
    let mut x = 0.5;
    for line in lines.filter(|line| line.starts_with("0,") && line.contains(",row,")).take(500) {
        let cells: Vec<&str> = line.split(',').collect();
        let law: Vec<f64> = cells[5].split(' ').map(|x| x.parse().unwrap()).collect();
        assert!((law[0] - x).abs() < 1e-12 && (law[0] + law[1] - 1.0).abs() < 1e-12, "{line}");
        let step = 0.02 * cells[4].parse::<f64>().unwrap() / 4.0;
        x += if cells[3] == "stag" { step * (1.0 - x) } else { -step * x };
        // By the matrix: against stag, where stag brings 4, hare brings 3; against hare 0 and 2.
        assert!(["4 3", "0 2"].contains(&cells[6]), "{line}");
        let got: Vec<&str> = cells[6].split(' ').collect();
        assert_eq!(got[usize::from(cells[3] == "hare")], cells[4], "{line}");
    }
    let again = folder.run("game s.toml");
    assert_eq!(again.code, 2, "{}", again.error);
    assert!(
        again.error.contains("results of `hunt` (seed 1) with other values"),
        "{}",
        again.error
    );
    assert_eq!(folder.run("game s.toml --force --replications 3 -q").out, "");
    let audited = folder.run("audit results/hunt");
    assert!(audited.out.ends_with("\nall rules were kept\n"), "{}", audited.out);
}

/// The files of a command are the same with 1, 2 and 8 threads.
fn same_bytes(folder: &Folder, words: &str) {
    for (threads, out) in [(1, "a"), (2, "b"), (8, "c")] {
        let said = folder.run(&format!("{words} --threads {threads} --out {out}"));
        assert_eq!((said.code, &*said.error), (0, ""));
    }
    for name in folder.names("a").iter().filter(|name| *name != "timing.json") {
        let whole = folder.read(&format!("a/{name}"));
        assert_eq!(whole, folder.read(&format!("b/{name}")), "{name}");
        assert_eq!(whole, folder.read(&format!("c/{name}")), "{name}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = Folder::new(&(HUNT.to_owned() + "[output]\nrounds = true\n"));
    let words = "game s.toml --set run.until.rounds=500 --set learner.hedge={}";
    same_bytes(&folder, &format!("{words} --set game.noise.normal.deviation=0.5"));
}

/// Every form of payoffs, as the same prisoner's dilemma of two, leads to the same rounds.
#[test]
fn the_forms_of_payoffs_agree() {
    let forms = [
        "symmetric = [[3, 0], [5, 1]]",
        "bimatrix = { row = [[3, 0], [5, 1]], column = [[3, 5], [0, 1]] }",
        "counts = { out = [3, 0], in = [5, 1] }",
        "pairwise = [[3, 0], [5, 1]]",
        "table = { choices = [2, 2], payoffs = [[3, 3], [0, 5], [5, 0], [1, 1]] }",
    ];
    let rounds = forms.map(|form| {
        let game = HUNT.replace("symmetric = [[4.0, 0.0], [3.0, 2.0]]", form);
        let folder = Folder::new(&game);
        let said = folder.run_whole("game s.toml --out r --set run.until.rounds=300");
        assert_eq!((said.code, &*said.error), (0, ""), "{form}");
        assert!(said.out.contains("one pure equilibrium, (hare, hare)"), "{}", said.out);
        folder.read("r/rounds.csv")
    });
    assert!(rounds.iter().all(|one| *one == rounds[0]));
}

#[test]
fn what_is_absorbed_off_equilibrium_says_who_would_gain() {
    // Two that never learn: the first hunts the stag, the second never does.
    let game = HUNT.replacen("learner.cross = { rate = 0.02 }", "learner.always = {}", 1);
    let game = game.replacen("learner.cross = { rate = 0.02 }", "learner.never = {}", 1);
    let game = game.replace("[game]\n", "[game]\ncooperate = \"stag\"\n");
    let said = Folder::new(&game).run_whole("game s.toml --no-files --set run.replications=1");
    let words = "stopped changing at (stag, hare) (from the first round on); not an equilibrium: row would \
                 gain 2.000 by playing hare";
    assert!(said.out.contains(words), "{}", said.out);
}

/// Payoffs of the row are in other units than those of the column, who would gain half of what it could
/// have: it was called an equilibrium to within 6e3, as the row's payoffs are large.
#[test]
fn players_are_at_an_equilibrium_by_what_their_own_payoffs_span() {
    let game = "name = \"d\"\nrun.until.rounds = 300\nrun.replications = 4\n[game]\nactions = \
        [\"c\", \"d\"]\npayoffs.bimatrix = { row = [[3e9, 0], [5e9, 1e9]], column = [[3, 5], [0, 1]] }\n\
        [[player]]\nname = \"row\"\nlearner.hedge = { horizon = 300 }\n[[player]]\n\
        name = \"column\"\nlearner.hedge = { horizon = 300 }\n";
    let said = Folder::new(game).run("game s.toml --no-files");
    let words = "the final strategies are not an equilibrium: column would gain 0.5000";
    assert!(
        said.out.contains(words) && said.out.contains("10.0% of what its payoffs span"),
        "{}",
        said.out
    );
}

/// The dilemma, cooperation first, between two learners.
fn dilemma(cooperate: &str, first: &str, second: &str) -> Folder {
    Folder::new(&format!(
        "name = \"d\"\nrun.until.rounds = 20000\nrun.replications = 10\n[game]\nactions = \
         [\"cooperate\", \"defect\"]\n{cooperate}payoffs.symmetric = [[3, 0], [5, 1]]\n\
         [[player]]\nname = \"one\"\nlearner.{first}\n[[player]]\nname = \"two\"\nlearner.{second}\n"
    ))
}

const COOPERATE: &str = "cooperate = \"cooperate\"\n";

/// Share of the rounds in which each player cooperated.
fn cooperation(folder: &Folder) -> [f64; 2] {
    let said = folder.run("game s.toml --force --out r");
    assert_eq!((said.code, &*said.error), (0, ""));
    let text = folder.read("r/actions.csv");
    let share = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(&format!("{name},cooperate,")));
        line.and_then(|line| line.split(',').nth(2)?.parse().ok()).expect("a share")
    };
    ["one", "two"].map(share)
}

/// A run and `game solve` agree on what the strategies of one file do. The mean over 10 x 20 000
/// rounds has a standard error of less than 0.004: a return to a state takes some 40 rounds.
#[test]
fn memory_one_strategies_play_as_they_are_solved() {
    let learners = [
        ("always", "always = {}"),
        ("never", "never = {}"),
        ("tit_for_tat", "tit_for_tat = { error = 0.05 }"),
        ("win_stay", "win_stay = { error = 0.05 }"),
        ("grim", "grim = { when = \"anyone_out\", rounds = 1, error = 0.05 }"),
    ];
    for (first, second) in [(2, 3), (3, 4), (2, 4), (3, 3)] {
        let ((one, rule), (other, reply)) = (learners[first], learners[second]);
        let folder = dilemma(COOPERATE, rule, reply);
        let words = format!("--memory-one {one} --memory-one {other} --error 0.05");
        let said =
            folder.run(&format!("game solve s.toml --table memory_one --format csv {words}"));
        let profile = format!("memory_one,\"({one}, {other})\",");
        let lines = said.out.lines().filter(|line| line.starts_with(&profile));
        let lines = lines.filter_map(|line| line.split_once(",cooperation,")?.1.split(',').next());
        let solved: Vec<f64> = lines.take(2).map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(solved.len(), 2, "{}", said.out);
        for (found, expected) in cooperation(&folder).into_iter().zip(solved) {
            assert!((found - expected).abs() < 0.016, "{one} {other}: {found}, not {expected}");
        }
    }
    assert_eq!(cooperation(&dilemma(COOPERATE, learners[0].1, learners[1].1)), [1.0, 0.0]);
    let other = COOPERATE.replace("\"cooperate\"", "\"defect\"");
    assert_eq!(cooperation(&dilemma(&other, learners[0].1, learners[1].1)), [0.0, 1.0]);
    // The defaults act in a game without payoffs below 0: two in three rounds of mutual cooperation.
    let [one, _] = cooperation(&dilemma(COOPERATE, "win_stay = {}", "win_stay = {}"));
    assert!(one > 0.99, "win_stay comes back to cooperation: {one}");
    let [one, _] =
        cooperation(&dilemma(COOPERATE, "grim = {}\nchoices = { initial = 0.0 }", "never = {}"));
    assert!(one < 0.001, "grim leaves who defects: {one}");
}

/// Learners that cooperate or not ask which action that is, and `check` says what they will do.
#[test]
fn a_game_names_the_action_that_cooperates() {
    let said = dilemma("", "always = {}", "win_stay = {}").run("check s.toml");
    assert_eq!(said.code, 2);
    for words in [
        "s.toml:9:18",
        "`always` cooperates or does not, and the game does not say which action cooperates",
        "name it in `[game]`: `cooperate = \"cooperate\"` or `\"defect\"`",
    ] {
        assert!(said.error.contains(words), "{words}: {}", said.error);
    }
    let wrong = COOPERATE.replace("\"cooperate\"", "\"help\"");
    let said = dilemma(&wrong, "always = {}", "win_stay = {}").run("check s.toml");
    assert!(said.error.contains("`help` is no action of every player"), "{}", said.error);
    let rules = [
        ("always = {}", "always plays cooperate"),
        ("never = {}", "never plays cooperate"),
        ("fixed = { probability = 0.25 }", "plays cooperate with probability 0.25"),
        ("tit_for_tat = {}", "plays cooperate while at least 50.0% of the others do"),
        ("grim = {}", "plays cooperate until that pays less than 2.500"),
        ("win_stay = {}", "stays where it gets 2.500 or more"),
        ("win_stay = { aspiration = 2 }", "stays where it gets 2.000 or more"),
    ];
    for (rule, words) in rules {
        let said = dilemma(COOPERATE, rule, "cross = {}").run("check s.toml");
        assert!(said.out.contains(words), "{words}: {}{}", said.out, said.error);
    }
}

/// A late player stays out, learns nothing until it comes, and begins with its own first law.
#[test]
fn who_comes_later_stays_out_till_then() {
    let late = HUNT.replace("\"column\"\n", "\"column\"\nfirst_round = 3\n");
    refused_file(
        &late,
        &[
            "s.toml:13:15",
            "before round 3 it does not cooperate, and the game does not say which action",
            "`cooperate = \"stag\"` or `\"hare\"`",
        ],
    );
    let named = late.replace("[game]\n", "[game]\ncooperate = \"stag\"\n");
    let folder = Folder::new(&(named + "[output]\nrounds = true\n"));
    let checked = folder.run("check s.toml");
    assert!(checked.out.contains("column: from round 3, learner cross"), "{}", checked.out);
    let said = folder.run("game s.toml --out r --set run.until.rounds=5 --set run.replications=30");
    assert_eq!((said.code, &*said.error), (0, ""));
    let mut played = std::collections::BTreeSet::new();
    for line in folder.read("r/rounds.csv").lines().filter(|line| line.contains(",column,")) {
        let cells: Vec<&str> = line.split(',').collect();
        match cells[1] {
            "0" | "1" | "2" => assert!(line.contains(",hare,") && line.contains("0 1"), "{line}"),
            "3" => {
                assert!(line.contains("0.5 0.5"), "{line}");
                played.insert(line.contains(",stag,"));
            }
            _ => {}
        }
    }
    assert_eq!(played.len(), 2, "both actions are drawn");
    assert_eq!(folder.run("audit r").code, 0);
}

#[test]
fn a_game_is_checked_and_others_are_told_apart() {
    let folder = Folder::new(HUNT);
    let said = folder.run("check s.toml");
    assert_eq!((said.code, &*said.error), (0, ""));
    for words in ["this game is valid", "row: learner cross", "2 pure equilibria"] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    assert_eq!(folder.run("check s.toml --format csv").out.lines().count(), 3);
    let said = folder.run("run s.toml");
    assert_eq!(said.code, 2);
    for words in ["this is a game, without a grid", "[game]", "`gridpact game FILE` plays it"] {
        assert!(said.error.contains(words), "{}", said.error);
    }
    folder.write("grid.toml", "name = \"g\"\n[[organization]]\nname = \"a\"\n");
    let said = folder.run("game grid.toml");
    assert_eq!(said.code, 2);
    for words in ["a scenario of a grid, not a game", "`gridpact run FILE` simulates it"] {
        assert!(said.error.contains(words), "{}", said.error);
    }
    let starter = folder.run("new game");
    folder.write("g.toml", &starter.out);
    assert_eq!(folder.run("check g.toml -q").code, 0);
    let said = folder.run("game g.toml");
    assert_eq!((said.code, &*said.error), (0, ""));
    assert!(serde_json::from_str::<Value>(&folder.run("schema --game").out).is_ok());
    assert!(folder.run("list game-keys").out.contains("game.payoffs.symmetric"));
}

/// Asserts that a game is refused for these reasons.
#[track_caller]
fn refused_file(file: &str, expected: &[&str]) {
    let said = Folder::new(file).run("check s.toml");
    assert_eq!(said.code, 2);
    for words in expected {
        assert!(said.error.contains(words), "{words}: {}", said.error);
    }
}

/// Asserts that a changed game is refused, with place and remedy.
#[track_caller]
fn refused(from: &str, to: &str, expected: &[&str]) {
    assert!(HUNT.contains(from), "{from}");
    let said = Folder::new(&HUNT.replacen(from, to, 1)).run("game s.toml");
    assert_eq!(said.code, 2, "{to}: {}", said.error);
    assert!(said.error.contains(" --> s.toml:"), "{}", said.error);
    for words in expected {
        assert!(said.error.contains(words), "{words}: {}", said.error);
    }
    assert!(said.error.ends_with("nothing was played\n"), "{}", said.error);
}

#[test]
fn wrong_payoffs_are_refused() {
    let form = "symmetric = [[4.0, 0.0], [3.0, 2.0]]";
    for (to, expected) in [
        ("symmetric = [[4.0, 0.0], [3.0]]", "this row has 1 number, the first 2"),
        ("symmetric = [[4.0, nan], [3.0, 2.0]]", "must be a finite number, not NaN"),
        ("symmetric = [[4.0, inf], [3.0, 2.0]]", "must be a finite number"),
        ("symmetric = [[4.0, 1e300], [3.0, 2.0]]", "is no payoff"),
        ("symmetric = []", "there are no payoffs"),
        ("symmetric = [[]]", "there are no payoffs"),
        ("symmetric = [[4, 0, 1], [3, 2, 1]]", "are not for two alike"),
        ("symmetric = [[4.0, \"x\"], [3.0, 2.0]]", "found a string"),
        ("zero_sum = [[1], [2, 3]]", "this row has 2 numbers, the first 1"),
        ("bimatrix = { row = [[1, 2], [3, 4]] }", "missing key `column`"),
        (
            "bimatrix = { row = [[1, 2]], column = [[1], [2]] }",
            "`column` is 2 by 1, where `row` is 1 by 2",
        ),
        ("counts = { out = [1, 2], in = [1] }", "`out` has 2 numbers and `in` has 1"),
        ("counts = { out = [1, 2, 3], in = [1, 2, 3] }", "for 3 players, and there are 2"),
        ("counts = { out = [1], in = [1] }", "at least two players"),
        ("table = { choices = [2, 2], payoffs = [[1, 1]] }", "1 list of payoffs for 4 profiles"),
        ("table = { choices = [1, 1], payoffs = [[1]] }", "for 2 players there stand 1 number"),
        ("table = { choices = [2, 0], payoffs = [] }", "`choices`: 0 is too small"),
        ("table = { choices = [2], payoffs = [[1], [2]] }", "at least two players"),
        ("table = { choices = [90000, 90000], payoffs = [] }", "too many profiles"),
        ("square = [[1]]", "`square`"),
    ] {
        refused(form, to, &[expected]);
    }
}

#[test]
fn wrong_players_are_refused() {
    let row = "name = \"row\"\nlearner.cross = { rate = 0.02 }";
    for (to, expected) in [
        ("name = \"row\"", "missing key `learner`"),
        ("name = \"column\"\nlearner.cross = {}", "two players called `column`"),
        ("name = \"a-1..2\"\nlearner.cross = {}", "is what several are called"),
        ("name = \"NA\"\nlearner.cross = {}", "`NA` is no name"),
        ("name = \"row\"\ncount = 0\nlearner.cross = {}", "`count`: 0 is too small"),
        ("name = \"row\"\ncount = 2\nlearner.cross = {}", "for 2 players, and there are 3"),
        ("name = \"row\"\ncount = 4000000000\nlearner.cross = {}", "players are too many"),
        ("name = \"row\"\nlearner.cross = { rate = 2 }", "not a learning rate"),
        (
            "name = \"row\"\nlearner.cross = {}\nchoices.first = [0.5, 0.3, 0.2]",
            "there are 2 choices",
        ),
        (
            "name = \"row\"\nlearner.cross = {}\nchoices.levels = [1.0, 2.0]",
            "the actions are those of the payoffs",
        ),
        (
            "name = \"row\"\nlearner.cross = {}\nchoices.level = 1.0",
            "belongs to a coalition, and this is a game",
        ),
        ("name = \"row\"\nlearner.level = {}", "a game has no levels"),
        ("name = \"row\"\nlearner.threshold = {}", "a game has no levels"),
        ("name = \"row\"\nlearner.crosss = {}", "did you mean `cross`"),
        ("name = \"row\"\nactions = [\"a\"]\nlearner.cross = {}", "by the payoffs `row` has 2"),
        ("name = \"row\"\ncluster.time_shared = {}\nlearner.cross = {}", "unknown key `cluster`"),
    ] {
        refused(row, to, &[expected]);
    }
    let column = "[[player]]\nname = \"column\"\nlearner.cross = { rate = 0.02 }\n";
    refused(column, "", &["one player alone plays no game"]);
    let three = "symmetric = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]";
    let game = HUNT.replace("symmetric = [[4.0, 0.0], [3.0, 2.0]]", three);
    let game = game.replace("actions = [\"stag\", \"hare\"]\n", "");
    let ratio = game.replacen("learner.cross = { rate = 0.02 }", "learner.ratio = {}", 1);
    let said = Folder::new(&ratio).run("game s.toml");
    assert!(said.error.contains("and here are 3 actions"), "{}", said.error);
    let initial = game.replacen("rate = 0.02", "initial = 0.2", 1);
    let said = Folder::new(&initial).run("game s.toml");
    assert!(said.error.contains("`initial` is for two actions"), "{}", said.error);
}

#[test]
fn wrong_heads_are_refused() {
    for (from, to, expected) in [
        ("name = \"hunt\"", "name = \"../x\"", "also names its results directory"),
        ("until.rounds = 6000", "until.rounds = 0", "`rounds`: 0 is too small"),
        ("until.rounds = 6000", "until.time = 5.0", "`time`"),
        ("until.rounds = 6000", "until.rounds = 9223372036854775807", "rounds are too many"),
        ("[game]\n", "[game]\nnoise.normal.deviation = 1e300\n", "`deviation`: 1e300 is too large"),
        ("replications = 40", "replications = 0", "`replications`: 0 is too small"),
        ("\"hare\"]", "\"stag\"]", "two actions called `stag`"),
        ("\"hare\"]", "\"a,b\"]", "`a,b` is no name"),
        ("\"hare\"]", "\"hare\", \"fox\"]", "3 actions are named"),
        ("[game]\n", "[game]\nnoise.normal.deviation = -1.0\n", "`deviation`: -1 is too small"),
        ("[game]\n", "[game]\nlevels = 3\n", "unknown key `levels`"),
        ("[run]", "[coalition]\nperiod = 1.0\n[run]", "a scenario of a grid, not a game"),
        ("[run]", "[dynamic]\nreplicator = {}\n[run]", "unknown key `dynamic`"),
    ] {
        refused(from, to, &[expected]);
    }
    let said = Folder::new(HUNT).run("game s.toml --set run.repications=3");
    assert!(said.error.contains("did you mean `replications`?"), "{}", said.error);
    assert_eq!(Folder::new(HUNT).run("game absent.toml").code, 4);
}

/// Every game of the gallery opens with its question, and plays.
#[test]
fn the_games_of_the_gallery_play() {
    let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/games");
    let folder = Folder::new("");
    let mut count = 0;
    for entry in std::fs::read_dir(games).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines = text.lines();
        let question = lines.next().unwrap_or_default();
        assert!(question.starts_with("# ") && question.ends_with('?'), "{}", path.display());
        assert_eq!(lines.next(), Some("#"), "{}", path.display());
        let head: Vec<&str> = lines.map_while(|line| line.strip_prefix("# ")).collect();
        assert!(head.len() <= 7 && head.join(" ").contains(". It takes "), "{}", path.display());
        folder.write("game.toml", &text);
        let few = if text.contains("replications = ") { " --replications 2" } else { "" };
        let is_solved = text.contains("payoffs.coalitions") || text.contains("payoffs.sizes");
        let words = match is_solved {
            true => "game solve game.toml".to_owned(),
            false => format!("game game.toml --no-files{few}"),
        };
        let said = folder.run(&words);
        assert_eq!((said.code, &*said.error), (0, ""), "{}", path.display());
        count += 1;
    }
    assert_eq!(count, 9);
}

/// A game whose players have other numbers of actions, with a first law.
#[test]
fn a_first_law_of_any_length_is_taken() {
    let game = HUNT.replace("symmetric = [[4.0, 0.0], [3.0, 2.0]]", {
        "bimatrix = { row = [[1, 0], [0, 1], [2, 2]], column = [[1, 2], [3, 0], [0, 1]] }"
    });
    let game = game.replace("actions = [\"stag\", \"hare\"]\n", "");
    let game =
        game.replacen("cross = { rate = 0.02 }", "hedge = {}\nchoices.first = [0.2, 0.3, 0.5]", 1);
    let said = Folder::new(&game).run("game s.toml --replications 2");
    assert_eq!((said.code, &*said.error), (0, ""));
}

/// A game that dynamics move.
fn moved(payoffs: &str, dynamics: &str) -> Folder {
    Folder::new(&format!(
        "name = \"d\"\nseed = 3\n[game]\npayoffs.{payoffs}\n[dynamics]\n{dynamics}\n"
    ))
}

const ROCK: &str = "symmetric = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]";
const STAG: &str = "symmetric = [[4, 0], [3, 2]]";
const PENNIES: &str = "zero_sum = [[1, -1], [-1, 1]]";

/// The replicator of rock, paper, scissors keeps the product of the shares, to 1e-9.
#[test]
fn the_replicator_goes_round_and_keeps_the_product() {
    let folder = moved(ROCK, "replicator = { from = [[0.6, 0.3, 0.1]], until = 100 }");
    let said = folder.run("game s.toml");
    assert_eq!((said.code, &*said.error), (0, ""));
    assert!(said.out.contains("the shares cycle with a period of about"), "{}", said.out);
    let names = [
        "dynamics.csv",
        "figures.csv",
        "learning.svg",
        "manifest.json",
        "phase.svg",
        "replications.csv",
        "report.html",
        "report.json",
        "summary.json",
        "timing.json",
    ];
    assert_eq!(folder.names("results/d"), names);
    let text = folder.read("results/d/dynamics.csv");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("solver,profile,player,action,quantity,value,low,high"));
    let rows: Vec<(f64, f64)> = lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            (cells[1].parse().unwrap(), cells[5].parse().unwrap())
        })
        .collect();
    assert_eq!(rows.len(), 401 * 3);
    assert_eq!((rows[0], rows[1200].0), ((0.0, 0.6), 100.0));
    for row in rows.chunks(3) {
        let product: f64 = row.iter().map(|&(_, share)| share).product();
        assert!((product - 0.018).abs() < 1e-9, "{row:?}");
    }
}

/// Where dynamics end, in words.
#[test]
fn dynamics_end_where_they_are_known_to() {
    let clusters = "counts = { out = [0, 0, 0, 0, 0, 0, 0, 0, 0], in = [-7.17, -4.33, -2.79, \
                    -1.84, -1.2, -0.75, -0.41, -0.12, 0.1] }";
    for (payoffs, dynamics, expected) in [
        (STAG, "replicator = { from = [[0.7, 0.3]], until = 40 }", "the end point is an equilib"),
        (STAG, "best_reply = { from = [[0.6, 0.4]], until = 40 }", "the shares converged"),
        (STAG, "generations = { from = [[0.7, 0.3]], steps = 500, background = 1 }", "converged"),
        (
            PENNIES,
            "gradient = { from = [[0.9, 0.1], [0.3, 0.7]], until = 200, losing = 2 }",
            "the shares converged",
        ),
        (PENNIES, "turns = {}", "never settles"),
        (STAG, "turns = { from = [\"2\", \"1\"] }", "settled at"),
        (clusters, "turns = { from = [\"2\"] }", "settled at (9 2) after 1 turn per player"),
        (clusters, "log_linear = { temperature = 1, steps = 20000 }", "in the long run"),
        (
            STAG,
            "imitation = { rule.fermi.intensity = 1, population = 20, from = 3, steps = 100000 }",
            "everyone ended with 1 in 100.0% of the replications",
        ),
        (
            STAG,
            "imitation = { rule.moran.selection = 0.5, population = 5, steps = 100000 }",
            "a single 2 among 4 takes over with probability",
        ),
        (
            STAG,
            "imitation = { rule.proportional = {}, population = 20, from = 19, steps = 100000 }",
            "everyone ended with 2",
        ),
    ] {
        let folder = moved(payoffs, dynamics);
        let said = folder.run("game s.toml");
        assert_eq!((said.code, &*said.error), (0, ""), "{dynamics}");
        assert!(said.out.contains(expected), "{dynamics}: {}", said.out);
        assert_eq!(folder.run("check s.toml -q").code, 0);
    }
}

#[test]
fn random_dynamics_give_the_same_bytes_with_any_number_of_threads() {
    let folder = moved(STAG, "imitation = { rule.fermi = {}, population = 30, steps = 5000 }");
    same_bytes(&folder, "game s.toml --replications 40");
}

#[test]
fn wrong_dynamics_are_refused() {
    for (payoffs, dynamics, expected) in [
        (STAG, "replicator = { from = [[0.7, 0.2]], until = 40 }", "these shares sum to"),
        (STAG, "replicator = { from = [[1.5, -0.5]], until = 40 }", "a share is negative"),
        (STAG, "replicator = { from = [[1]], until = 40 }", "1 share is given for 2 actions"),
        (STAG, "replicator = { from = [], until = 40 }", "0 lists of shares"),
        (STAG, "replicator = { from = [[0.5, 0.5]], until = 40, step = 1 }", "give at most 0.125"),
        (STAG, "replicator = { from = [[0.5, 0.5]], until = -1 }", "`until`: -1 is too small"),
        (STAG, "replicator = { from = [[0.5, 0.5]], until = 1e30 }", "give a step that fits"),
        (PENNIES, "replicator = { from = [[0.5, 0.5]], until = 4 }", "players who are alike"),
        (STAG, "generations = { from = [[0.5, 0.5]], steps = 4 }", "the least payoff, 0, is not"),
        (ROCK, "gradient = { from = [[1, 0, 0], [1, 0, 0]], until = 4 }", "two actions each"),
        (STAG, "turns = { from = [\"hare\"] }", "there is no action called `hare`"),
        (STAG, "turns = { steps = 0 }", "`steps`: 0 is too small"),
        (STAG, "turns = { players = 3 }", "3 play, but the payoffs are for 2"),
        ("pairwise = [[4, 0], [3, 2]]", "turns = {}", "how many play is not said"),
        (STAG, "log_linear = { temperature = 0, steps = 9 }", "`temperature`: 0 is too small"),
        (ROCK, "imitation = { rule.fermi = {}, population = 9, steps = 9 }", "two actions"),
        (STAG, "imitation = { rule.fermi = {}, steps = 9 }", "how many play is not said"),
        (
            STAG,
            "imitation = { rule.fermi = {}, population = 9, from = 10, steps = 9 }",
            "10 are more than the 9",
        ),
        (
            "symmetric = [[-4, 0], [3, 2]]",
            "imitation = { rule.moran = {}, population = 9, steps = 9 }",
            "a fitness is not above 0",
        ),
        (STAG, "turns = {}\n[run]\nreplications = 2", "the same way in every replication"),
        (STAG, "turns = {}\n[run]\nuntil.rounds = 2", "give `until` or `steps` of the dynamics"),
        (STAG, "turns = {}\n[output]\nrounds = true", "dynamics have no rounds"),
        (
            STAG,
            "turns = {}\n[[player]]\nname = \"a\"\nlearner.cross = {}",
            "leave out either `[[player]]` or `[dynamics]`",
        ),
    ] {
        let said = moved(payoffs, dynamics).run("game s.toml");
        assert_eq!(said.code, 2, "{dynamics}: {}", said.error);
        assert!(said.error.contains(expected), "{dynamics}: {}", said.error);
        let has_remedy = said.error.contains("help: ") || said.error.contains("; give ");
        assert!(has_remedy, "{dynamics}: {}", said.error);
    }
}

/// Matching pennies, both replying best to the last round at once: heads heads, heads tails, tails
/// tails, tails heads, and so on for ever.
const MATCHING: &str = r#"name = "pennies"
[run]
until.rounds = 300
replications = 5
[game]
actions = ["heads", "tails"]
payoffs.zero_sum = [[1.0, -1.0], [-1.0, 1.0]]
[[player]]
name = "one"
learner.best_reply = { inertia = 0.0 }
[[player]]
name = "other"
learner.best_reply = { inertia = 0.0 }
"#;

fn figures(folder: &Folder, results: &str, columns: [&str; 3]) -> Vec<[String; 3]> {
    let text = folder.read(&format!("{results}/players.csv"));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let places = columns.map(|name| reader.headers().unwrap().iter().position(|one| one == name));
    let line = |row: csv::StringRecord| places.map(|at| row[at.unwrap()].to_owned());
    reader.records().map(|row| line(row.unwrap())).collect()
}

#[test]
fn a_cycle_of_four_rounds_is_found_in_a_run_of_any_length() {
    let folder = Folder::new(MATCHING);
    for rounds in [40, 200, 300, 450, 511, 512, 2000, 20_000] {
        let said =
            folder.run_whole(&format!("game s.toml --force --out r --set until.rounds={rounds}"));
        assert_eq!((said.code, &*said.error), (0, ""));
        let columns = ["cycles", "period", "drifting"];
        for row in figures(&folder, "r", columns) {
            assert_eq!(row.each_ref().map(|one| &**one), ["1", "4", "0"], "{rounds} rounds");
        }
        let words = [
            "play repeated every 4 rounds in 100.0% of the replications",
            "cycling: one (100.0%, median period 4 rounds), other (100.0%, median period 4 rounds)",
        ];
        for words in words {
            assert!(said.out.contains(words), "{words}: {}", said.out);
        }
        assert!(!said.out.contains("mixing"), "{}", said.out);
    }
}

/// Two that follow the leader mix nothing and find no cycle; a third of the time each in rock,
/// paper, scissors, in ever longer stretches.
#[test]
fn who_goes_on_changing_without_chance_does_not_mix() {
    let rock = "name = \"rock\"\nrun.until.rounds = 1000\n[game]\nactions = [\"rock\", \
                \"paper\", \"scissors\"]\npayoffs.symmetric = [[0, -1, 1], [1, 0, -1], [-1, 1, \
                0]]\n[[player]]\nname = \"p\"\ncount = 2\nchoices.first = [1, 0, 0]\n\
                learner.fictitious_play = {}\n";
    let said = Folder::new(rock).run("game s.toml --no-files");
    assert_eq!((said.code, &*said.error), (0, ""));
    let words = "some player kept changing its action, without mixing";
    assert!(said.out.contains(words), "{}", said.out);
    let mixes = rock.replace("fictitious_play", "exp3").replace("choices.first = [1, 0, 0]\n", "");
    let said = Folder::new(&mixes).run("game s.toml --no-files");
    assert!(said.out.contains("some player kept mixing its actions"), "{}", said.out);
}

#[test]
fn who_still_drifts_or_searches_has_not_settled() {
    for (learner, rounds) in [("phc = {}", 400), ("cross = { rate = 0.0005 }", 6000)] {
        let dilemma = HUNT.replace("[[4.0, 0.0], [3.0, 2.0]]", "[[3.0, 0.0], [5.0, 1.0]]");
        let dilemma = dilemma.replace("cross = { rate = 0.02 }", learner);
        let folder = Folder::new(&dilemma);
        let set = format!("--set until.rounds={rounds}");
        let said = folder.run(&format!("game s.toml --out r {set}"));
        assert_eq!((said.code, &*said.error), (0, ""));
        for [settled, drifting, _] in figures(&folder, "r", ["settled", "drifting", "period"]) {
            let (settled, drifting): (f64, f64) =
                (settled.parse().unwrap(), drifting.parse().unwrap());
            assert!(drifting >= 0.9 && settled <= 0.1, "{learner}: {drifting} drift");
        }
        assert!(said.out.contains("still drifting at the end: row ("), "{}", said.out);
    }
    // Of three choices one is left after 1400 rounds.
    let unison = HUNT.replace("cross = { rate = 0.02 }", "unison = {}");
    let folder = Folder::new(&unison);
    for (rounds, searches) in [(1000, true), (3000, false)] {
        let set = format!("--set until.rounds={rounds} --force");
        assert_eq!(folder.run(&format!("game s.toml --out r {set}")).code, 0);
        for [settled, drifting, _] in figures(&folder, "r", ["settled", "drifting", "period"]) {
            let expected = if searches { ["0", "1"] } else { ["1", "0"] };
            assert!(!searches || [&*settled, &*drifting] == expected, "{rounds}: {settled}");
            assert!(searches || drifting == "0", "{rounds}: {drifting} drift");
        }
    }
}

#[test]
fn titles_tell_what_was_set() {
    let folder = Folder::new(MATCHING);
    let said =
        folder.run("game s.toml --out r --set run.replications=2 --set best_reply.inertia=0.5");
    assert_eq!((said.code, &*said.error), (0, ""));
    let title = "pennies (best_reply.inertia = 0.5)";
    assert!(said.out.starts_with(title), "{}", said.out);
    assert!(folder.read("r/learning.svg").contains(title));
    let manifest: Value = serde_json::from_str(&folder.read("r/manifest.json")).unwrap();
    assert_eq!(manifest["name"], "pennies");
    assert_eq!(manifest["changes"], serde_json::json!(["best_reply.inertia=0.5"]));
}

//! `gridpact lab`: who gains by joining, from the runs of every number of members.

use std::fs;
use std::process::Command;

use crate::cli::support::Folder;

/// Two that are alike and one that has too much work, for a few short rounds.
const SCENARIO: &str = "name = \"Lab\"\n[run]\nuntil.rounds = 20\nreplications = 6\n[coalition]\n\
    period = 500.0\nbalancer.averaging = {}\n[[organization]]\nname = \"busy\"\n\
    cluster.time_shared = {}\nlearner.ratio = {}\nworkload.synthetic = { arrivals.poisson.rate = 0.2, \
    size.gamma = { shape = 3.0, scale = 3.0 } }\n[[organization]]\nname = \"calm\"\ncount = 2\n\
    cluster.time_shared = {}\nmembers = 1\nworkload.synthetic = { arrivals.poisson.rate = 0.2, \
    size.gamma = { shape = 2.0, scale = 2.0 } }\n";

/// Two owners, of whom the first learns whether to state half of the runtimes of its jobs.
const FEDERATION: &str = "name = \"Federation\"\n[run]\nuntil.rounds = 12\n[coalition]\nperiod = 100.0\n\
    [output]\njobs = true\n[grid_scheduler]\nlist.order.by = \"estimate\"\n[[organization]]\nname = \"a\"\n\
    cluster.space_shared = { processors = 4, scheduler.easy = {} }\nlearner.hedge = {}\nchoices.lies = [{ factor = 0.5 }]\n\
    workload.synthetic = { arrivals.poisson.rate = 0.3, size.exponential.mean = 9.0 }\n[[organization]]\n\
    name = \"b\"\ncluster.space_shared = { processors = 4, scheduler.easy = {} }\nlearner.always = {}\n\
    workload.synthetic = { arrivals.poisson.rate = 0.3, size.exponential.mean = 9.0 }\n";

/// The value of a figure in `lab.csv`.
fn figure(lab: &str, of: &str) -> f64 {
    let line = lab.lines().find_map(|line| line.strip_prefix(&format!("{of},")));
    let value = line.and_then(|rest| rest.split(',').next()).unwrap_or_else(|| panic!("{of}"));
    value.parse().unwrap()
}

#[test]
fn its_figures_are_those_of_runs_with_so_many_members() {
    let folder = Folder::new(SCENARIO);
    let said = folder.run_whole("lab s.toml -o lab --threads 2");
    assert_eq!(said.code, 0, "{}", said.error);
    for told in ["equilibria (nobody gains", "its Shapley value is", "many coalitions, by consent"]
    {
        assert!(said.prose().contains(told), "{told}: {}", said.out);
    }
    let lab = folder.read("lab/lab.csv");
    let set = "--set organization.busy.members=1 --set organization.calm.members=2";
    assert_eq!(folder.run(&format!("run s.toml {set} -o one -q")).code, 0);
    let figures = folder.read("one/figures.csv");
    for (unit, name) in [("busy", "busy"), ("calm-1..2", "calm")] {
        let line = figures.lines().find_map(|line| line.strip_prefix(&format!("{unit},score,")));
        let score: f64 = line.unwrap().split(',').next().unwrap().parse().unwrap();
        let found = figure(&lab, &format!("membership,busy + 2 calm,{name},in,payoff"));
        assert!((score - found).abs() < 1e-12, "{name}: {score} {found}");
        let gain = figure(&lab, &format!("membership,busy + 2 calm,{name},leaves,gain"));
        assert!((score + gain).abs() < 1e-12, "who is out scores nothing: {name}: {gain}");
    }
    // A coalition of one saves nothing, and the shares of all are what all save.
    assert_eq!(figure(&lab, "membership,busy,busy,in,saved"), 0.0);
    let sum = |quantity: &str| {
        let [busy, calm] =
            ["busy", "calm"].map(|name| figure(&lab, &format!("allocations,,{name},,{quantity}")));
        busy + 2.0 * calm
    };
    for share in ["shapley", "least_core", "nucleolus"] {
        assert!((sum(share) - sum("received")).abs() < 1e-6, "{share}");
    }
    // The game that it writes has the same equilibria as the scores.
    let solved = folder.run("game solve lab/membership.nfg --table pure_equilibria --format csv");
    assert_eq!(solved.code, 0, "{}", solved.error);
    let is_in = solved.out.contains("\"(in, in, in)\"") || solved.out.contains("(in, in, in)");
    let stays = ["busy", "calm"]
        .map(|name| figure(&lab, &format!("membership,busy + 2 calm,{name},leaves,gain")) <= 0.0);
    assert_eq!(is_in, stays == [true, true], "{}", solved.out);
}

/// One run of 200 rounds says what 40 runs of 5 say, with intervals that are as wide: the jobs of rounds
/// are drawn anew, so both are samples of 200 rounds. A standard error by 24 or 39 degrees of freedom is
/// itself known within 14% and 11%.
#[test]
fn rounds_of_one_replication_stand_for_replications() {
    let folder = Folder::new(SCENARIO);
    let said = folder.run_whole("lab s.toml -o one --replications 1 --set run.until.rounds=203");
    assert_eq!(said.code, 0, "{}", said.error);
    let told = "intervals are over 25 batches of 8 rounds of one replication";
    assert!(said.prose().contains(told) && !said.out.contains("replication 20"), "{}", said.out);
    assert_eq!(
        folder
            .run("lab s.toml -o many -q --seed 7 --replications 40 --set run.until.rounds=5")
            .code,
        0
    );
    let [one, many] = ["one", "many"].map(|lab| folder.read(&format!("{lab}/lab.csv")));
    let half = |lab: &str, of: &str| {
        let line = lab.lines().find_map(|line| line.strip_prefix(&format!("{of},"))).expect(of);
        let ends: Vec<f64> = line.split(',').filter_map(|one| one.parse().ok()).collect();
        (ends[2] - ends[1]) / 2.0
    };
    for of in [
        "membership,busy + 2 calm,calm,in,payoff",
        "membership,busy + 2 calm,,,flow",
        "allocations,,busy,,shapley",
        "allocations,,busy,,received",
    ] {
        // Student's t with 24 degrees of freedom is 2.06, with 39 it is 2.02.
        let errors = [half(&one, of) / 2.06, half(&many, of) / 2.02];
        let apart = figure(&one, of) - figure(&many, of);
        assert!(apart.abs() < 3.5 * errors[0].hypot(errors[1]), "{of}: {apart} {errors:?}");
        let ratio = (errors[0] / errors[1]).ln().abs();
        assert!(ratio < 3.0 * 0.14_f64.hypot(0.11), "{of}: {errors:?}");
    }
    // Twenty rounds have intervals too, also in the table, which the audit does not take for replications'.
    let short = folder.run_whole("lab s.toml -o short --replications 1");
    assert!(!short.out.contains("too little") && short.out.contains("20 batches of 1 round"));
    assert!(folder.read("short/figures.csv").contains(",round_means,20"));
    let said = folder.run("audit short");
    assert_eq!(said.code, 0, "{}", said.out);
    // A mean is that of all rounds, also of those after the last full batch.
    let set = "--set organization.busy.members=1 --set organization.calm.members=2";
    let run =
        format!("run s.toml {set} -o run -q --set run.until.rounds=203 --set run.replications=1");
    assert_eq!(folder.run(&run).code, 0);
    let figures = folder.read("run/figures.csv");
    let score = figures.lines().find_map(|line| line.strip_prefix("busy,score,")).expect("a score");
    let score: f64 = score.split(',').next().unwrap().parse().unwrap();
    let found = figure(&one, "membership,busy + 2 calm,busy,in,payoff");
    assert!((score - found).abs() < 1e-12, "{score} {found}");
}

/// Six owners that differ: orders play fewer than their 64 coalitions, and more orders add to the same
/// folder. Shares add up to what all save, and the exact ones are where the errors by orders say.
#[test]
fn drawn_orders_stand_for_all_coalitions() {
    let owner = |number: usize| {
        let rate = 0.05 + 0.03 * ((number * 5) % 6) as f64;
        format!(
            "[[organization]]\nname = \"o{number}\"\ncluster.time_shared = {{}}\nlearner.always = {{}}\n\
             workload.synthetic = {{ arrivals.poisson.rate = {rate}, size.gamma = {{ shape = 2.0, scale = 3.0 }} }}\n"
        )
    };
    let owners: String = (0..6).map(owner).collect();
    let scenario = "name = \"Six\"\n[run]\nuntil.rounds = 5\nreplications = 6\n[coalition]\n\
                    period = 300.0\nbalancer.averaging = {}\n";
    let folder = Folder::new(&format!("{scenario}{owners}"));
    let short = folder.run("lab s.toml --orders 4 -o some");
    assert_eq!(short.code, 0, "{}", short.error);
    let said = folder.run_whole("lab s.toml --orders 8 -o some");
    let told = said.prose();
    assert!(
        told.contains("8 orders of joining, each drawn with its reverse, pass"),
        "{}",
        said.out
    );
    assert!(told.contains("would make each error by orders as small as that by replications"));
    assert!(folder.read("some/points.csv").lines().count() < 1 + 64);
    // As many again as asked, until all errors by orders are below the bound.
    let said = folder.run_whole("lab s.toml --orders 4 --orders-within 1e5 -o bound");
    assert!(said.prose().contains("4 orders of joining"), "{}", said.out);
    let said = folder.run_whole("lab s.toml --orders 4 --orders-within 1000 -o bound");
    assert!(said.prose().contains("8 orders of joining"), "{}", said.out);
    // Sixteen orders of six may pass 96 coalitions: all 64 cost no more.
    assert_eq!(folder.run("lab s.toml -o all -q --orders 4 --orders-within 1e-3").code, 0);
    let [some, all] = ["some", "all"].map(|lab| folder.read(&format!("{lab}/lab.csv")));
    let mut sum = 0.0;
    let mut received = 0.0;
    for number in 0..6 {
        let of = |quantity: &str| format!("allocations,,o{number},,{quantity}");
        let [shapley, _] = ["shapley", "banzhaf"].map(|value| {
            let exact = figure(&all, &of(value));
            let by_orders = of(&format!("{value}_by_orders"));
            let line = some.lines().find(|line| line.starts_with(&by_orders)).unwrap();
            let ends: Vec<f64> = line.split(',').filter_map(|one| one.parse().ok()).collect();
            let half = (ends[2] - ends[1]) / 2.0;
            assert!((ends[0] - exact).abs() < 2.0 * half, "o{number}: {ends:?} {exact}");
            assert!((figure(&some, &of(value)) - ends[0]).abs() < 1e-9 * ends[0].abs());
            ends[0]
        });
        assert_eq!(figure(&some, &of("received")), figure(&all, &of("received")));
        sum += shapley;
        received += figure(&all, &of("received"));
    }
    assert!((sum - received).abs() < 1e-6 * received.abs(), "{sum} {received}");
}

/// Reads the JSON of gameanalysis as that does: roles, strategies and, by profile, who plays what for
/// which payoff. Prints the profiles from which nobody gains alone.
const READER: &str = r#"
import json, sys
game = json.load(open(sys.argv[1]))
pays, counts = {}, {}
for profile in game["profiles"]:
    key = []
    for role, players in game["players"].items():
        own = {name: (count, pay) for name, count, pay in profile[role]}
        assert sum(count for count, _ in own.values()) == players
        assert set(own) <= set(game["strategies"][role])
        key.append(own.get("in", (0, 0))[0])
    pays[tuple(key)] = profile
roles = list(game["players"])
def pay(key, role, strategy):
    return next(pay for name, _, pay in pays[key][role] if name == strategy)
def stays(key):
    for at, role in enumerate(roles):
        for own, other, step in [("in", "out", -1), ("out", "in", 1)]:
            moved = key[:at] + (key[at] + step,) + key[at + 1:]
            if moved in pays and pay(moved, role, other) > pay(key, role, own):
                return False
    return True
print(game["type"], len(pays), [key for key in sorted(pays) if stays(key)])
"#;

#[test]
fn other_programs_read_its_game() {
    let folder = Folder::new(SCENARIO);
    folder.write("reader.py", READER);
    assert_eq!(folder.run("lab s.toml -o lab -q").code, 0);
    let python = Command::new("python3")
        .args([folder.path("reader.py"), folder.path("lab/membership.json")])
        .output();
    let Ok(python) = python else { return eprintln!("skipped: there is no python3") };
    let lab = folder.read("lab/lab.csv");
    let gain = |of: &str, class: &str, change: &str| {
        figure(&lab, &format!("membership,{of},{class},{change},gain"))
    };
    let mut stay = Vec::new();
    for (busy, calm, name) in [
        (0, 0, "nobody"),
        (0, 1, "1 calm"),
        (0, 2, "2 calm"),
        (1, 0, "busy"),
        (1, 1, "busy + 1 calm"),
        (1, 2, "busy + 2 calm"),
    ] {
        let of_busy = gain(name, "busy", if busy == 1 { "leaves" } else { "joins" });
        let leaves = if calm > 0 { gain(name, "calm", "leaves") } else { 0.0 };
        let joins = if calm < 2 { gain(name, "calm", "joins") } else { 0.0 };
        if of_busy <= 0.0 && leaves <= 0.0 && joins <= 0.0 {
            stay.push(format!("({busy}, {calm})"));
        }
    }
    let expected = format!("game.1 6 [{}]\n", stay.join(", "));
    let said = String::from_utf8_lossy(&python.stdout).into_owned();
    assert_eq!(said, expected, "{}", String::from_utf8_lossy(&python.stderr));
}

/// Replications are added until all equilibria are told, or there are as many as allowed; the files are
/// those of so many from the start.
#[test]
fn replications_are_added_until_all_is_told() {
    let folder = Folder::new(SCENARIO);
    let few = folder.run_whole("lab s.toml --replications 3 --set run.until.rounds=3 -o few");
    assert!(few.prose().contains("undecided: "), "{}", few.out);
    let said = folder
        .run_whole("lab s.toml --replications 3 --set run.until.rounds=3 --until-told 60 -o told");
    assert_eq!(said.code, 0, "{}", said.error);
    let summary: serde_json::Value =
        serde_json::from_str(&folder.read("told/summary.json")).unwrap();
    let number = summary["replications"].as_u64().unwrap() / 6;
    assert!(number > 3 && (number == 60) == said.prose().contains("undecided: "), "{}", said.out);
    let once = format!("lab s.toml --replications {number} --set run.until.rounds=3 -o once -q");
    assert_eq!(folder.run(&once).code, 0);
    for file in ["lab.csv", "figures.csv", "summary.json"] {
        assert_eq!(folder.read(&format!("told/{file}")), folder.read(&format!("once/{file}")));
    }
    // Also of several games at once.
    let several = "lab s.toml --replications 3 --set run.until.rounds=3 --until-told 5 -o several -q \
                   --set sweep.grid.balancer=[\"averaging\",{bilb={}}]";
    assert_eq!(folder.run(several).code, 0);
    let summary: serde_json::Value =
        serde_json::from_str(&folder.read("several/summary.json")).unwrap();
    assert_eq!(summary["replications"], 2 * 6 * 5);
    let said = folder.run("lab s.toml --replications 1 --until-told 9 -o one");
    assert!(said.code == 2 && said.error.contains("its rounds are the sample"), "{}", said.error);
}

/// Learners are set aside, not the level that they declare.
#[test]
fn a_level_that_is_declared_stays() {
    let bilb = SCENARIO.replace("averaging", "bilb");
    let flow = |learner: &str| {
        let folder = Folder::new(&bilb.replace("learner.ratio = {}", learner));
        let said = folder.run("lab s.toml --replications 2 -o lab -q");
        assert_eq!(said.code, 0, "{}", said.error);
        figure(&folder.read("lab/lab.csv"), "membership,busy + 2 calm,busy,in,saved")
    };
    let level = flow("learner.fixed = { level = 3 }");
    assert_eq!(flow("learner.cross = {}\nchoices.level = 3"), level);
    assert_eq!(flow("learner.ratio = { level = 3 }"), level);
    assert_ne!(flow("learner.ratio = {}"), level);
}

#[test]
fn it_is_a_sweep_that_goes_on_and_gives_the_same_on_any_number_of_threads() {
    let folder = Folder::new(SCENARIO);
    assert_eq!(folder.run("lab s.toml --replications 2 -o a -q --threads 1").code, 0);
    assert_eq!(folder.run("lab s.toml --replications 3 -o a -q --threads 2").code, 0);
    let sweep = "sweep s.toml --members --replications 3 -o b -q --threads 1";
    assert_eq!(folder.run(sweep).code, 0);
    for file in ["lab.csv", "figures.csv", "membership.nfg", "gains.svg", "summary.json"] {
        let [one, other] = ["a", "b"].map(|results| {
            fs::read(folder.path(&format!("{results}/{file}"))).unwrap_or_else(|_| panic!("{file}"))
        });
        assert!(one == other, "{file}");
    }
}

/// Another key that varies gives a game for each of its values, with the tipping points of the game alone.
#[test]
fn balancers_stand_side_by_side() {
    let folder = Folder::new(SCENARIO);
    let vary = "--set sweep.grid.balancer=[\"averaging\",\"none\"]";
    let six = "--set organization.calm.count=6 --set run.until.rounds=8 --replications 3";
    let said = folder.run(&format!("lab s.toml {six} {vary} -o both"));
    assert_eq!(said.code, 0, "{}", said.error);
    let told = said.prose();
    for part in ["averaging: equilibria (nobody", "none: equilibria (nobody"] {
        assert!(told.contains(part), "{part}: {}", said.out);
    }
    let line = |of: &str| said.out.lines().find(|line| line.trim().starts_with(of)).unwrap_or("");
    assert!(line("none").contains("nothing to gain"), "{}", said.out);
    assert_eq!(folder.run(&format!("lab s.toml {six} -o one -q")).code, 0);
    let [both, one] = ["both", "one"].map(|lab| folder.read(&format!("{lab}/lab.csv")));
    let tips = |lab: &str, before: &str| -> Vec<String> {
        let lines = lab.lines().filter(|line| line.starts_with("tipping,"));
        lines.map(|line| line.replace(before, "").replace('"', "")).collect()
    };
    assert_eq!(tips(&both, "averaging, "), tips(&one, ""));
    assert!(tips(&one, "").concat().contains("with busy in,calm,,tips_at"), "{one}");
}

/// A liar gets less foreign work, and what it sends too much may come back late; all others are served as
/// they were told, and the files have the queues as they are.
#[test]
fn who_overstates_its_queue_breaks_no_promise_to_others() {
    let folder = Folder::new(SCENARIO);
    let set = "--set organization.busy.members=1 --set organization.calm.members=2 --set output.jobs=true \
               --set output.moves=true --set organization.calm.lies={factor=1.5,add=3,of=1}";
    assert_eq!(folder.run(&format!("run s.toml {set} -o r -q")).code, 0);
    let said = folder.run("audit r");
    assert_eq!(said.code, 0, "{}", said.out);
    assert!(said.prose().contains("declare other queues than they have"), "{}", said.out);
    let received = |results: &str, name: &str| -> f64 {
        let figures = folder.read(&format!("{results}/figures.csv"));
        let line = figures.lines().find_map(|line| line.strip_prefix(&format!("{name},received,")));
        line.unwrap().split(',').next().unwrap().parse().unwrap()
    };
    assert_eq!(folder.run("run s.toml --set organization.busy.members=1 --set organization.calm.members=2 -o h -q").code, 0);
    assert!(received("r", "calm-1") < received("h", "calm-1"));
    assert!(received("r", "calm-2") > received("h", "calm-2"));
}

/// Lies are swept as memberships are: the payoffs of a dilemma are those of the runs.
#[test]
fn lies_make_a_game_too() {
    let folder = Folder::new(SCENARIO);
    let set = "--set organization.calm.members=2 --set organization.busy.members=0";
    let lies = "--set organization.calm.lies.factor=1.5 --set sweep.grid.organization.calm.lies.of=[0,1,2]";
    let said = folder.run_whole(&format!("sweep s.toml {set} {lies} -o l"));
    assert_eq!(said.code, 0, "{}", said.error);
    let lab = folder.read("l/lab.csv");
    let payoff =
        |of: &str, action: &str| figure(&lab, &format!("membership,{of},calm,{action},payoff"));
    let dilemma = [
        payoff("1 calm lying", "lie"),
        payoff("all honest", "honest"),
        payoff("2 calm lying", "lie"),
        payoff("1 calm lying", "honest"),
    ];
    let told =
        said.out.lines().find(|line| line.contains("Prisoner's Dilemma")).unwrap_or_default();
    assert!(dilemma[1] > dilemma[2], "lies cost: {dilemma:?}");
    assert!(told.contains("the only calm lying scores"), "{}", said.out);
    assert!(folder.read("l/membership.nfg").contains("\"honest\" \"lie\""));
}

/// Probes without noise catch half of the liars' rounds and no honest one; delays are caught at once.
#[test]
fn who_is_caught_is_excluded() {
    let folder = Folder::new(SCENARIO);
    let set = "--set organization.busy.members=1 --set organization.calm.members=2 --set output.jobs=true \
               --set output.moves=true";
    let figure = |results: &str, of: &str| -> f64 {
        let figures = folder.read(&format!("{results}/figures.csv"));
        let line = figures.lines().find_map(|line| line.strip_prefix(&format!("{of},")));
        line.unwrap().split(',').next().unwrap().parse().unwrap()
    };
    for (results, cheats) in [
        (
            "probed",
            "lies={add=5,of=1} --set coalition.exclusion={rounds=0,probes={rate=0.5,tolerance=4}}",
        ),
        ("late", "lies={delay=5,of=1} --set coalition.exclusion.rounds=3"),
        ("named", "lies={factor=0.8,new_name=true} --set coalition.exclusion.probation=4"),
        (
            "voted",
            "lies={dummy=9,of=1} --set coalition.groups=[[\"calm\",\"busy\"],[\"calm-1\",\"calm-2\"]] \
             --set coalition.exclusion={rounds=1,doubles=true,votes=0.9}",
        ),
    ] {
        let run = format!("run s.toml {set} --set organization.calm.{cheats} -o {results} -q");
        assert_eq!(folder.run(&run).code, 0);
        let checked =
            folder.run(&format!("check s.toml {set} --set organization.calm.{cheats}")).out;
        assert!(checked.contains("may cheat; a member that is caught is excluded "), "{checked}");
        let said = folder.run(&format!("audit {results}"));
        assert_eq!(said.code, 0, "{}", said.out);
    }
    assert!((figure("probed", "calm-1,caught") - 0.5).abs() < 0.15);
    assert_eq!(figure("probed", "*,false_alarms"), 0.0);
    assert_eq!(figure("late", "calm-1,caught"), 0.25);
    assert_eq!(figure("late", "calm-1,excluded"), 0.75);
    assert_eq!(figure("named", "calm-2,excluded"), 0.8);
    assert!(figure("voted", "busy,excluded") > 0.0);
    let said = folder.run(
        "run s.toml --set run.until.precision={metric=\"caught\",absolute=0.1,each.rounds=2} -o p",
    );
    assert!(said.error.contains("without exclusions a coalition has no caught"), "{}", said.error);
}

/// A lie is an action: the records name it, and what it breaks is caught in its rounds alone.
#[test]
fn lies_are_chosen_and_audited() {
    let chooses = "learner.epsilon_greedy = {}\nchoices.lies = [{ delay = 5 }, { add = 5 }]";
    let folder = Folder::new(&SCENARIO.replace("members = 1", chooses));
    let set = "--set coalition.exclusion.rounds=1 --set output.jobs=true --set output.moves=true";
    assert_eq!(folder.run(&format!("run s.toml {set} -o r -q")).code, 0);
    let said = folder.run("audit r");
    assert_eq!(said.code, 0, "{}", said.out);
    let rounds = folder.read("r/rounds.csv");
    for action in ["in", "in with lie 1", "in with lie 2", "excluded"] {
        assert!(rounds.contains(&format!(",calm-2,{action},")), "{action}");
    }
    assert!(folder.read("r/figures.csv").contains("calm-1..2,final_lying,"));
}

/// An owner of a federation lies about the runtimes of its jobs.
#[test]
fn stated_runtimes_are_audited() {
    let folder = Folder::new(FEDERATION);
    assert_eq!(folder.run("run s.toml -o r -q").code, 0);
    let said = folder.run("audit r");
    assert_eq!(said.code, 0, "{}", said.out);
    assert!(said.out.contains("stated runtimes"), "{}", said.out);
    for (set, refused) in [
        ("organization.a.lies.delay=5", "owners of a federation declare no queues"),
        ("run.clairvoyance=none", "lie about expected runtimes, and this run knows none"),
    ] {
        let said = folder.run(&format!("check s.toml --set {set}"));
        assert!(said.code == 2 && said.error.contains(refused), "{}", said.error);
    }
}

#[test]
fn what_it_cannot_measure_is_refused() {
    let folder = Folder::new(SCENARIO);
    let said = folder.run("run s.toml --set organization.calm.members=3 -o r");
    assert_eq!(said.code, 2);
    assert!(
        said.error.contains("3 members are more than there are organizations"),
        "{}",
        said.error
    );
    let grid = Folder::new(
        "name = \"G\"\n[[organization]]\nname = \"a\"\ncluster.space_shared = { processors = 1, scheduler = \"fcfs\" }\n\
        [[job]]\norganization = \"a\"\nsubmit = 0\nruntime = 1\n",
    );
    let said = grid.run("lab s.toml");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("this is no coalition"), "{}", said.error);
    let owner = |number: usize| {
        format!(
            "[[organization]]\nname = \"o{number}\"\ncluster.time_shared = {{}}\nlearner.always = {{}}\n\
             workload.synthetic = {{ arrivals.poisson.rate = 0.1, size.exponential.mean = 5.0 }}\n"
        )
    };
    let owners: String = (0..24).map(owner).collect();
    let many = Folder::new(&format!(
        "name = \"Many\"\n[run]\nuntil.rounds = 5\n[coalition]\nperiod = 300.0\nbalancer.averaging = {{}}\n{owners}"
    ));
    let said = many.run("lab s.toml");
    assert_eq!(said.code, 2);
    assert!(
        said.error.contains("16 777 216 coalitions") && said.error.contains("--orders 40"),
        "{}",
        said.error
    );
}

/// Two prisoners of whom one may follow another learner: the payoffs are those of the runs, and who
/// always defects invades and resists.
#[test]
fn learners_meet_each_other_in_a_tournament() {
    let dilemma = "name = \"Dilemma\"\n[run]\nuntil.rounds = 8\nreplications = 4\n[game]\n\
        actions = [\"cooperate\", \"defect\"]\ncooperate = \"cooperate\"\n\
        payoffs.symmetric = [[3.0, 0.0], [5.0, 1.0]]\nnoise.normal.deviation = 0.1\n[[player]]\n\
        name = \"prisoner\"\ncount = 2\nlearner.cross = {}\nchoices.initial = 0.4\n";
    let folder = Folder::new(dilemma);
    let lab = "lab s.toml --learners always,never,grim={least=2} --replications";
    assert_eq!(folder.run(&format!("{lab} 2 -o t -q")).code, 0);
    let said = folder.run_whole(&format!("{lab} 4 -o t --threads 2"));
    assert_eq!(said.code, 0, "{}", said.error);
    for told in [
        "resists every other, as nobody gains by leaving it alone: never",
        "invaded, as one gains by another learner: always by never",
        "alpha-rank (one population, in which everybody meets everybody; populations of 50",
        "alpha-rank (two that meet each other",
    ] {
        assert!(said.prose().contains(told), "{told}: {}", said.out);
    }
    let found = folder.read("t/lab.csv");
    let set = "--set player.prisoner.learner.always={} --set player.prisoner.mutants.learner.never={} \
               --set run.replications=4";
    assert_eq!(folder.run(&format!("game s.toml {set} -o one -q")).code, 0);
    let figures = folder.read("one/figures.csv");
    let line = figures.lines().find_map(|line| line.strip_prefix("prisoner-1,final_payoff,"));
    let payoff: f64 = line.unwrap().split(',').next().unwrap().parse().unwrap();
    assert!((payoff - 5.0).abs() < 0.5, "{payoff}");
    assert!((figure(&found, "learners,always,,never,payoff") - payoff).abs() < 1e-12);
    let share = |name: &str| figure(&found, &format!("alpha_rank,one population,,{name},share"));
    let all = share("always") + share("never") + share("grim={least=2}");
    assert!((all - 1.0).abs() < 1e-9 && share("never") > 0.3, "{all}");
    let solved = folder.run("game solve t/learners.nfg --table pure_equilibria --format csv");
    assert!(solved.out.contains("never, never"), "{}{}", solved.out, solved.error);
    // With staggered starts there is a game for each.
    let said = folder.run_whole(&format!("{lab} 2 --starts 0,2 -o s"));
    assert!(said.prose().contains("apart = 2: invaded"), "{}{}", said.out, said.error);
}

/// Copies of an organization come one after the other, and the mutants are its first ones.
#[test]
fn mutants_and_starts_are_those_of_the_copies() {
    let coalition = SCENARIO.replace(
        "members = 1\n",
        "learner.cross = {}\napart = 3\n\
        mutants = { learner.always = {} }\n",
    );
    let folder = Folder::new(&coalition);
    assert_eq!(folder.run("run s.toml -o r -q").code, 0);
    let manifest: serde_json::Value =
        serde_json::from_str(&folder.read("r/manifest.json")).unwrap();
    let seats = manifest["coalition"]["seats"].as_array().unwrap();
    let told: Vec<String> = seats[1..]
        .iter()
        .map(|seat| format!("{} {}", seat["first_round"], seat["learner"]))
        .collect();
    assert!(told[0].starts_with("0 ") && told[0].contains("always"), "{told:?}");
    assert!(told[1].starts_with("3 ") && told[1].contains("cross"), "{told:?}");
    assert_eq!(folder.run("audit r").code, 0);
    for (from, to, expected) in [
        ("mutants = {", "mutants = { of = 3,", "3 mutants are more than there are"),
        ("always = {}", "fictitious_play = {}", "nobody knows"),
        ("apart = 3", "apart = 30", "the last `calm` is never there"),
    ] {
        let said = Folder::new(&coalition.replace(from, to)).run("check s.toml");
        assert!(said.error.contains(expected), "{expected}: {}", said.error);
    }
    let said = folder.run("lab s.toml --learners cross,hedgee");
    assert!(said.error.contains("did you mean `hedge`"), "{}", said.error);
}

//! The checks of rounds find every error, and nothing else.

use super::*;

fn turn(round: u64, organization: usize, joined: bool, p: [f64; 2]) -> TurnFacts {
    TurnFacts {
        line: 2,
        replication: 0,
        round,
        organization,
        joined,
        excluded: false,
        caught: None,
        lie: LieFacts::default(),
        chooses: false,
        level: None,
        jobs: 3,
        flow: if joined { 80 } else { 100 },
        alone: 100,
        judged: None,
        score: if joined { 0.25 } else { 0.0 },
        sent: 0,
        received: 0,
        before: [Some(p[0]), None],
        after: [Some(p[1]), None],
    }
}

/// Two organizations, one of them in: its q is 1/2 + 1.25/2 - 1/2 = 0.625.
fn facts() -> RoundsFacts {
    let learning = Learning::Ratio { rate: 0.1, alone_counts: true };
    let begins = Some([Some(0.5), None]);
    let (lies, breaks, hides) = (false, false, false);
    let seat = SeatFacts { learning, begins, first: 0, last: None, lies, breaks, hides };
    let mut turns = vec![
        turn(0, 0, true, [0.5, 0.5125]),
        turn(0, 1, true, [0.5, 0.5125]),
        turn(1, 0, false, [0.5125, 0.5125]),
        turn(1, 1, false, [0.5125, 0.5125]),
    ];
    (turns[0].sent, turns[1].received) = (7, 7);
    RoundsFacts {
        organizations: vec!["a".to_owned(), "b".to_owned()],
        seats: vec![seat; 2],
        replications: 1,
        rounds: 2,
        lengths: Vec::new(),
        continuing: false,
        follows: false,
        turns,
        moves: Some(vec![MoveFacts {
            line: 2,
            replication: 0,
            round: 0,
            balancing: 4,
            time: 100,
            sender: 0,
            receiver: 1,
            amount: 7,
            promised: 110,
            before: [17, 3],
            after: 10,
        }]),
        jobs: None,
        records_all: false,
        keeps_promises: true,
        exclusion: None,
        groups: Vec::new(),
    }
}

#[track_caller]
fn breaks(change: impl FnOnce(&mut RoundsFacts), names: &[&str]) {
    let mut facts = facts();
    change(&mut facts);
    let report = audit(&facts);
    let broken: Vec<&str> =
        report.checks.iter().filter(|check| !check.passed()).map(|check| check.name).collect();
    assert_eq!(broken, names);
}

#[test]
fn every_rule_is_kept_or_found_broken() {
    breaks(|_| {}, &[]);
    let one_less = |facts: &mut RoundsFacts| {
        facts.turns.remove(2);
    };
    breaks(one_less, &["everyone in every round"]);
    breaks(|facts| facts.turns[0].sent = 8, &["conservation of load", "moves and rounds"]);
    let both = |facts: &mut RoundsFacts| (facts.turns[2].sent, facts.turns[3].received) = (1, 1);
    breaks(both, &["outsiders are alone", "moves and rounds"]);
    breaks(|facts| facts.turns[2].flow = 99, &["outsiders are alone", "scores"]);
    breaks(|facts| facts.turns[0].score = 0.26, &["scores"]);
    breaks(|facts| facts.turns[0].score = f64::INFINITY, &["scores"]);
    breaks(|facts| facts.turns[0].after[0] = Some(0.52), &["learning"]);
    breaks(|facts| facts.turns[2].before[0] = Some(0.5), &["learning"]);
    let first = |facts: &mut RoundsFacts, change: fn(&mut MoveFacts)| {
        change(&mut facts.moves.as_mut().expect("there are moves")[0]);
    };
    breaks(|facts| first(facts, |one| one.promised = 109), &["promises"]);
    breaks(|facts| first(facts, |one| one.after = 9), &["promises"]);
    breaks(|facts| first(facts, |one| one.before[0] = 6), &["promises"]);
    breaks(|facts| first(facts, |one| one.round = 1), &["moves and rounds"]);
}

/// The second organization does its work at 113, as it begins 3 later than it could, and not by 110.
#[test]
fn exclusions_follow_what_was_caught() {
    let caught = |change: fn(&mut RoundsFacts)| {
        move |facts: &mut RoundsFacts| {
            let (rounds, probation, probes) = (Some(1), 0, false);
            let rule = ExclusionFacts { rounds, doubles: true, votes: None, probation, probes };
            facts.exclusion = Some(rule);
            facts.seats[1].breaks = true;
            facts.turns[1].lie.breaks = Some(3);
            facts.turns.iter_mut().for_each(|turn| turn.caught = Some(false));
            facts.turns[1].caught = Some(true);
            facts.turns[3].excluded = true;
            change(facts);
        }
    };
    breaks(caught(|_| {}), &[]);
    for change in [
        (|facts| facts.turns[3].excluded = false) as fn(&mut RoundsFacts),
        |facts| facts.turns[2].excluded = true,
        |facts| facts.turns[0].caught = Some(true),
        |facts| facts.turns[1].caught = Some(false),
        |facts| facts.turns[1].lie.new_name = true,
        |facts| facts.moves.as_mut().unwrap()[0].promised = 113,
        |facts| facts.turns[2].caught = Some(true),
        |facts| facts.exclusion.as_mut().unwrap().votes = Some(0.5),
    ] {
        breaks(caught(change), &["exclusions"]);
    }
    let new_name = |facts: &mut RoundsFacts| {
        facts.turns[1].lie.new_name = true;
        facts.turns[3].excluded = false;
    };
    breaks(caught(new_name), &[]);
    // The second one did 7 units for the first one, and is against it.
    let votes = |facts: &mut RoundsFacts| {
        facts.exclusion.as_mut().unwrap().votes = Some(0.5);
        facts.turns[2].excluded = true;
    };
    breaks(caught(votes), &[]);
    // Seven rounds on, it is out of two more.
    let again = |facts: &mut RoundsFacts, excluded: u64| {
        for round in 2..6 {
            for organization in 0..2 {
                let mut turn = facts.turns[2 + organization];
                (turn.round, turn.organization) = (round, organization);
                turn.excluded = organization == 1 && (3..3 + excluded).contains(&round);
                (turn.joined, turn.flow, turn.score) = (false, 100, 0.0);
                facts.turns.push(turn);
            }
        }
        (facts.rounds, facts.turns[5].joined, facts.turns[5].caught) = (6, true, Some(true));
        facts.moves = None;
        let turn = facts.turns[5];
        facts.turns[5] = TurnFacts { flow: 80, score: 0.25, after: [Some(0.52375), None], ..turn };
        facts.turns[7..].iter_mut().step_by(2).for_each(|turn| {
            (turn.before, turn.after) = ([Some(0.52375), None], [Some(0.52375), None]);
        });
    };
    breaks(caught(|_| {}), &[]);
    for (excluded, broken) in [(2, &[][..]), (1, &["exclusions"]), (3, &["exclusions"])] {
        breaks(
            |facts| {
                caught(|_| {})(facts);
                again(facts, excluded);
            },
            broken,
        );
    }
}

#[test]
fn work_moves_within_a_group() {
    breaks(|facts| facts.groups = vec![vec![0, 1]], &[]);
    breaks(|facts| facts.groups = vec![vec![0], vec![1]], &["promises"]);
}

fn choice<'a>(action: &'a str, law: &'a [f64], instead: &'a [f64]) -> ChoiceFacts<'a> {
    ChoiceFacts {
        line: 2,
        replication: 0,
        round: 3,
        organization: "a",
        action,
        joined: action != "out",
        terms: [(action == "in at 5").then_some(5_000_000), None],
        probability: None,
        score: 0.25,
        law,
        instead,
    }
}

#[test]
fn choices_are_possible_and_agree_with_their_round() {
    let words = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<String>>();
    let menu = choices::Menus {
        choices: words(&["out", "in at 2", "in at 5"]),
        alternatives: words(&["out", "in at 2", "in at 5"]),
    };
    let own = choices::Menus { choices: words(&["out", "in"]), alternatives: Vec::new() };
    let told = |fact: &ChoiceFacts<'_>, menus: &choices::Menus| {
        let mut check = choices::check();
        choices::look(&mut check, fact, menus);
        check.violations.pop().map_or(String::new(), |violation| violation.text)
    };
    let (law, instead) = ([0.5, 0.2, 0.3], [0.0, -1.0, 0.25]);
    let fact = choice("in at 5", &law, &instead);
    assert_eq!(told(&ChoiceFacts { probability: Some(0.5), ..fact }, &menu), "");
    assert_eq!(told(&choice("out", &law, &[0.25, -1.0, 0.3]), &menu), "");
    assert_eq!(told(&choice("out", &[], &[]), &menu), "");
    assert_eq!(told(&choice("in at 5", &[0.4, 0.6], &[]), &own), "");
    for (fact, phrase) in [
        (ChoiceFacts { joined: false, ..fact }, "its other columns say `out at 5`"),
        (ChoiceFacts { terms: [None, Some(7)], ..fact }, "say `in above 0.000007`"),
        (choice("in with lie 1", &law, &[]), "`in with lie 1` is not"),
        (choice("in", &law, &instead), "`in` is not one of its choices"),
        (choice("in at 5", &[0.5, 0.5], &[]), "its 2 probabilities sum to 1"),
        (choice("in at 5", &[0.5, 0.2, 0.2], &[]), "its 3 probabilities sum to 0.8999"),
        (choice("in at 5", &[-0.5, 0.5, 1.0], &[]), "is not between 0 and 1"),
        (choice("in at 5", &[0.5, f64::NAN, 0.5], &[]), "sum to NaN"),
        (choice("in at 5", &[0.5, 0.5, 0.0], &[]), "`in at 5`, whose probability is 0"),
        (ChoiceFacts { probability: Some(0.4), ..fact }, "taking part is 0.5 by its law"),
        (choice("in at 5", &law, &[0.0]), "has 1 counterfactuals, but 3 alternatives"),
        (choice("in at 5", &law, &[0.0, -1.0, 0.3]), "would have scored 0.3"),
        (choice("in at 5", &law, &[0.1, -1.0, 0.25]), "`out` would have scored 0.1"),
    ] {
        let said = told(&fact, &menu);
        assert!(said.contains(phrase) && said.ends_with("(rounds.csv, line 2)"), "{said}");
    }
}

/// Three jobs of each organization in each round that sum to its flow time and its counterfactual.
fn with_jobs(facts: &mut RoundsFacts) -> &mut Vec<PoolJobFacts> {
    let jobs_of = |turn: &TurnFacts| {
        let TurnFacts { replication, round, organization, flow, alone, .. } = *turn;
        [1, 1, 2].map(|share| PoolJobFacts {
            line: 2,
            replication,
            round,
            organization,
            number: share as u64,
            submit: 10,
            load: 0,
            finish: 10 + flow * share / 4,
            turnaround: flow * share / 4,
            promised: 10 + alone,
            alone: 10 + alone * share / 4,
        })
    };
    facts.jobs.insert(facts.turns.iter().flat_map(jobs_of).collect())
}

#[test]
fn jobs_keep_promises_and_add_up() {
    breaks(|facts| with_jobs(facts).truncate(12), &[]);
    breaks(|facts| with_jobs(facts)[0].promised = 29, &["promises to jobs"]);
    let literal = |facts: &mut RoundsFacts| {
        with_jobs(facts)[0].promised = 29;
        facts.keeps_promises = false;
    };
    breaks(literal, &[]);
    let both = ["promises to jobs", "jobs and rounds"];
    breaks(|facts| with_jobs(facts)[0].turnaround += 1, &both);
    breaks(|facts| with_jobs(facts)[0].alone += 1, &["jobs and rounds"]);
    breaks(|facts| with_jobs(facts).truncate(11), &["jobs and rounds"]);
    breaks(|facts| with_jobs(facts)[0].round = 7, &["jobs and rounds"]);
}

/// Jobs of the first round: of the sender at 90, 95 and 120, of the receiver at 101. The sender has 10
/// after the balancing at 100, so has the receiver.
fn with_queues(facts: &mut RoundsFacts) {
    let job = |organization, number, [submit, load, promised, alone]: [i128; 4]| PoolJobFacts {
        line: 2,
        replication: 0,
        round: 0,
        organization,
        number,
        submit,
        load,
        finish: promised,
        turnaround: promised - submit,
        promised,
        alone,
    };
    facts.jobs = Some(vec![
        job(0, 1, [90, 20, 110, 110]),
        job(0, 2, [95, 7, 117, 117]),
        job(0, 3, [120, 3, 123, 123]),
        job(1, 1, [101, 5, 115, 106]),
    ]);
    let sums = [[20 + 22 + 3, 20 + 22 + 3], [14, 5]];
    for (turn, (jobs, [flow, alone])) in facts.turns.iter_mut().zip([3, 1].into_iter().zip(sums)) {
        (turn.jobs, turn.flow, turn.alone, turn.joined) = (jobs, flow, alone, true);
        turn.score = score_of(flow, alone);
    }
    facts.records_all = true;
    facts.turns.truncate(2);
    facts.rounds = 1;
    facts.turns[1].received = 7;
    for turn in &mut facts.turns {
        turn.after = moves_to(facts.seats[0].learning, turn, false).unwrap();
    }
}

#[test]
fn queues_are_served_one_after_the_other() {
    breaks(with_queues, &[]);
    let change = |change: fn(&mut PoolJobFacts)| {
        move |facts: &mut RoundsFacts| {
            with_queues(facts);
            change(&mut facts.jobs.as_mut().unwrap()[1]);
        }
    };
    breaks(change(|job| job.load = 8), &["queues"]);
    breaks(change(|job| job.promised = 118), &["queues"]);
    let later = |job: &mut PoolJobFacts| (job.finish, job.turnaround) = (118, 23);
    breaks(change(later), &["promises to jobs", "jobs and rounds"]);
    breaks(change(|job| job.alone = 118), &["jobs and rounds", "queues"]);
    let unseen = |facts: &mut RoundsFacts| {
        change(|job| job.load = 8)(facts);
        facts.records_all = false;
    };
    breaks(unseen, &[]);
}

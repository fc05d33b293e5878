//! Federations of two owners, A and B, whose rounds are worked out by hand.

use super::*;

/// A and B with a cluster of so many processors each, under first come, first served; a round of 100
/// ticks in which both are in.
fn two(processors: [u32; 2], places: Places, jobs: Vec<Job>) -> Case {
    let fcfs = || LocalOptions::Fcfs(Default::default());
    let owned = (0..).zip(processors);
    Case {
        clusters: owned.map(|(owner, of)| (owner, of, Foreign::Always, fcfs())).collect(),
        organizations: 2,
        places,
        jobs,
        period: 100,
        stakes: Stakes::default(),
        shares: Vec::new(),
        levels: Vec::new(),
        rounds: vec![vec![true, true]],
    }
}

fn list() -> Places {
    Places::Grid(GridOptions::List(Default::default()))
}

/// A job that ran on a cluster from one tick to another.
fn ran(number: u64, cluster: u32, from: i64, to: i64) -> Ran {
    (number, ClusterId(cluster), ticks(from), Some(ticks(to)))
}

/// Two clusters of 4 processors; A submits two jobs of 4 x 10 at 0, B nothing. Alone A ends at 10 and 20
/// (F = 30), together at 10 and 10 (F = 20): S_A = 0.5. With B's job of 4 x 1 at 1, alone B ends at 2
/// (F~ = 1), together at 11 (F = 10): S_B = 1 - 10 = -9.
#[test]
fn two_clusters_by_hand() {
    let mut case = two([4, 4], list(), vec![job(1, 0, 0, 10, 4), job(2, 0, 0, 10, 4)]);
    assert_eq!(case.play().1[0].payoffs, [0.5, 0.0]);
    case.jobs.push(job(3, 1, 1, 1, 4));
    assert_eq!(case.play().1[0].payoffs, [0.5, -9.0]);
    // The same where the round is over before its jobs.
    case.period = 5;
    let outcome = &case.play().1[0];
    assert_eq!(outcome.payoffs, [0.5, -9.0]);
    // Whoever is out is told what it would get.
    case.period = 100;
    case.rounds = vec![vec![true, false]];
    let outcome = &case.play().1[0];
    // It was the only one, as learners may want to know.
    assert_eq!((outcome.members, &outcome.payoffs), (1, &vec![0.0, 0.0]));
    assert_eq!(outcome.instead, [vec![0.0, 0.0], vec![0.0, -9.0]]);
}

/// The same case by other measures, and with costs. Waits: alone A has 0 and 10, together 0 and 0,
/// so that both get a tick; B has 0 alone and 9 together. Makespans: A 20 against 10, B 2 against
/// 11.
#[test]
fn scores_and_costs_by_hand() {
    let mut case =
        two([4, 4], list(), vec![job(1, 0, 0, 10, 4), job(2, 0, 0, 10, 4), job(3, 1, 1, 1, 4)]);
    let payoffs = |case: &Case| case.play().1[0].payoffs.clone();
    case.stakes.score = Score::Wait;
    assert_eq!(payoffs(&case), [10.0, -9.0]);
    case.stakes.score = Score::Makespan;
    assert_eq!(payoffs(&case), [1.0, -4.5]);
    // Slowdowns: A 1 and 2 against 1 and 1, B 1 against 10; with tau = 20, A 1 and 1, B 1 and 1.
    case.stakes.score = Score::BoundedSlowdown;
    assert_eq!(payoffs(&case), [0.5, -9.0]);
    case.stakes.tau = Span::from_ticks(20);
    assert_eq!(payoffs(&case), [0.0, 0.0]);
    // Abroad A's job runs for 15, so that its flow time is 25, and B ends at 16 or, at home, at 11.
    case.stakes = Stakes { costs: costs(5, 0, 0.25), ..Stakes::default() };
    assert_eq!(payoffs(&case), [30.0 / 25.0 - 1.0 - 0.25, 1.0 - 15.0 - 0.25]);
}

/// B takes work of A up to a level of 45, or on 2 of its processors. Job 2 brings 4 x 10 and job 3
/// 2 x 10.
#[test]
fn levels_and_shares_by_hand() {
    let mut case = two(
        [4, 8],
        list(),
        vec![job(1, 0, 0, 30, 4), job(2, 0, 0, 10, 4), job(3, 0, 1, 10, 2), job(4, 0, 2, 3, 1)],
    );
    case.levels = vec![None, Some(45)];
    // At 2 job 2 has 32 left, so that job 4 fits; when it ends at 5, job 2 has 20 left.
    let expected = [ran(1, 0, 0, 30), ran(2, 1, 0, 10), ran(3, 1, 5, 15), ran(4, 1, 2, 5)];
    assert_eq!(case.play().0, expected);
    case.levels = Vec::new();
    case.shares = vec![None, Some(2)];
    let expected = [ran(1, 0, 0, 30), ran(2, 0, 30, 40), ran(3, 1, 1, 11), ran(4, 1, 11, 14)];
    assert_eq!(case.play().0, expected);
}

/// A needs only half of B's level of 45 if it states half of the runtimes: job 2 has 16 left at 1,
/// so that job 3 fits and need not wait until 5.
#[test]
fn stated_runtimes_by_hand() {
    let mut case = two(
        [4, 8],
        list(),
        vec![job(1, 0, 0, 30, 4), job(2, 0, 0, 10, 4), job(3, 0, 1, 10, 2), job(4, 0, 2, 3, 1)],
    );
    case.levels = vec![None, Some(45)];
    let half = Lie { factor: 0.5, ..Lie::HONEST };
    for (lies, told, start) in
        [(vec![half], 0, 1), (vec![Lie::HONEST, half], 0, 5), (vec![Lie::HONEST, half], 1, 1)]
    {
        let mut game = case.game();
        game.deceive(0, &lies);
        let mut acts = case.acts(0);
        acts[0] = Act::In(Terms { lie: told, ..Terms::ANY });
        game.begin(0, &acts, &[Wanted::default(); 2]).unwrap();
        while game.advance().unwrap() {}
        game.outcome(&mut Outcome::default()).unwrap();
        let expected =
            [ran(1, 0, 0, 30), ran(2, 1, 0, 10), ran(3, 1, start, start + 10), ran(4, 1, 2, 5)];
        assert_eq!(sorted(game.observer().0.clone()), expected);
        assert_eq!(game.turns().map(|turn| turn.lies).collect::<Vec<_>>(), [start == 1, false]);
    }
}

/// A member would get at another level what it gets when it plays that.
#[test]
fn each_level_of_a_menu_is_played_in_a_copy() {
    let mut case = two(
        [4, 8],
        Places::Grid(GridOptions::LeastDemand(Default::default())),
        vec![job(1, 0, 0, 30, 4), job(2, 0, 1, 10, 4), job(3, 0, 1, 7, 2), job(4, 1, 2, 5, 8)],
    );
    let levels = [0, 20, 60];
    let payoffs = levels.map(|level| {
        case.levels = vec![None, Some(level)];
        case.play().1[0].payoffs[1]
    });
    assert_eq!(payoffs, [0.0, 1.0 - 11.0 / 5.0, 1.0 - 14.0 / 5.0]);
    case.levels = vec![None, Some(20)];
    let mut game = case.game();
    let menu = levels.map(|level| Act::In(Terms::level(Span::from_ticks(level))));
    game.offer(1, [&[Act::Out], &menu[..]].concat());
    begin(&case, &mut game, 0);
    while game.advance().unwrap() {}
    let mut outcome = Outcome::default();
    game.outcome(&mut outcome).unwrap();
    assert_eq!(outcome.instead[1], [&[0.0], &payoffs[..]].concat());
}

/// Jobs under way turn back when somebody leaves. Job 2 sets out for B's cluster at 0, where it
/// would arrive at 10; A leaves at 5, and it is back at 15, after job 1 has ended at 10. What is
/// sent to its owner's cluster arrives as it would have.
#[test]
fn jobs_under_way_turn_back_by_hand() {
    let mut case =
        two([4, 4], list(), vec![job(1, 0, 0, 10, 4), job(2, 0, 0, 10, 4), job(3, 1, 6, 1, 4)]);
    case.period = 5;
    case.stakes = Stakes { costs: costs(0, 10, 0.0), ..Stakes::default() };
    case.rounds = [vec![vec![true, true]], vec![vec![false, true]; 5]].concat();
    assert_eq!(case.play().0, [ran(1, 0, 0, 10), ran(2, 0, 15, 25), ran(3, 1, 6, 7)]);
    // Nobody leaves: it holds B's processors from 0 on.
    case.rounds = vec![vec![true, true]; 6];
    assert_eq!(case.play().0, [ran(1, 0, 0, 10), ran(2, 1, 10, 20), ran(3, 0, 20, 21)]);
    // B leaves at 5, and job 2 arrives at its own owner's at 15, as does job 3 at 6.
    case.rounds = [vec![vec![true, true]], vec![vec![true, false]; 5]].concat();
    assert_eq!(case.play().0, [ran(1, 0, 0, 10), ran(2, 0, 15, 25), ran(3, 1, 6, 7)]);
    // Sent to the owner's own cluster, 3 ticks away.
    let sends = dispatch::Options { delay: Span::from_ticks(7).as_units() };
    case.places = Places::Grid(GridOptions::RoundRobin(sends));
    (case.stakes, case.jobs) = (Stakes::default(), vec![job(1, 0, 0, 10, 4), job(2, 0, 0, 10, 4)]);
    case.rounds = [vec![vec![true, true]], vec![vec![false, true]; 5]].concat();
    assert_eq!(case.play().0, [ran(1, 0, 7, 17), ran(2, 0, 17, 27)]);
}

/// A plan for both puts A's second job behind B's own, on B's cluster. Whoever is out has its own
/// jobs first there, and they run nowhere else.
#[test]
fn plans_are_followed_or_not_by_hand() {
    let mut case = two(
        [4, 4],
        Places::Plan(PlannerOptions::Ilba(Default::default())),
        vec![job(1, 0, 0, 10, 4), job(2, 0, 0, 10, 4), job(3, 1, 0, 5, 4)],
    );
    case.stakes = Stakes { plays: Plays::Follow, ..Stakes::default() };
    let together = [ran(1, 0, 0, 10), ran(2, 1, 5, 15), ran(3, 1, 0, 5)];
    let (all, outcomes) = case.play();
    assert_eq!((&all[..], &outcomes[0].payoffs), (&together[..], &vec![30.0 / 25.0 - 1.0, 0.0]));
    // B does not follow: A's job comes after its own all the same.
    case.rounds = vec![vec![true, false]];
    assert_eq!(case.play().0, together);
    case.rounds = vec![vec![false, true]];
    let (all, outcomes) = case.play();
    assert_eq!(all, [ran(1, 0, 0, 10), ran(2, 0, 10, 20), ran(3, 1, 0, 5)]);
    assert_eq!(outcomes[0].instead, [vec![0.0, 30.0 / 25.0 - 1.0], vec![0.0, 0.0]]);
}

/// A job that is bound to another's cluster keeps to the limits there, under a scheduler that sends too.
#[test]
fn bound_jobs_keep_to_limits_by_hand() {
    let sends = Places::Grid(GridOptions::LeastDemand(Default::default()));
    let bound = Job { recorded: Recorded::new(None, Some(ClusterId(0))), ..job(1, 1, 0, 10, 2) };
    let mut case = two([4, 4], sends, vec![bound]);
    assert_eq!(case.play().0, [ran(1, 0, 0, 10)]);
    case.shares = vec![Some(1), None];
    assert_eq!(case.play().0, []);
}

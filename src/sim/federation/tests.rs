//! Federations against plain grids, a case by hand, and what holds in any of them.

use proptest::prelude::*;

use super::super::cluster::{Bare, ClusterAgent, SpaceShared};
use super::super::grid::Settings;
use super::super::observer::{Finished, Started};
use super::super::pool::Rounds;
use super::*;
use kernel::time::Span;
use model::foreign::Foreign;
use model::ids::ClusterId;
use model::machine::Machine;
use policy::grid::{GridOptions, dispatch, stealing};
use policy::local::{AnyLocal, LocalOptions, Setup};
use policy::plan::{Planned, PlannerOptions};
use site::OnLoan;
use stakes::{Costs, Plays, Score};
use workload::jobs::ListSource;

/// A start: job, cluster, its start, and its end if it came.
type Ran = (u64, ClusterId, Time, Option<Time>);

/// Notes what ran.
#[derive(Clone, Debug, Default, PartialEq)]
struct Notes(Vec<Ran>);

impl State for Notes {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.0, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.0 = take(from)?;
        Ok(())
    }
}

impl Observer for Notes {
    fn started(&mut self, Started { job, cluster, start, .. }: Started<'_>) {
        self.0.push((job.number, cluster, start, None));
    }
    fn finished(&mut self, finished: Finished<'_>) {
        // Independent rounds play a job again.
        let (number, start) = (finished.job.number, finished.start);
        let is_it = |one: &&mut Ran| (one.0, one.2, one.3) == (number, start, None);
        self.0.iter_mut().find(is_it).expect("it started").3 = Some(finished.finish);
    }
}

/// The way in which members' jobs are placed.
#[derive(Clone, Debug)]
enum Places {
    Grid(GridOptions),
    Plan(PlannerOptions),
}

impl Places {
    fn starts(&self) -> bool {
        match self {
            Places::Grid(options) => options.starts(),
            Places::Plan(_) => true,
        }
    }

    /// True if clusters are asked whether they take jobs.
    fn asks(&self) -> bool {
        match self {
            Places::Grid(options) => options.asks(),
            Places::Plan(_) => true,
        }
    }

    fn plan_or_delay(&self) -> bool {
        match self {
            Places::Grid(options) => options.delays(),
            Places::Plan(_) => true,
        }
    }
}

/// A federation.
#[derive(Clone, Debug)]
struct Case {
    /// Owner, processors, terms and scheduler of each cluster.
    clusters: Vec<(u32, u32, Foreign, LocalOptions)>,
    organizations: u32,
    places: Places,
    jobs: Vec<Job>,
    period: i64,
    stakes: Stakes,
    /// By cluster, and by organization.
    shares: Vec<Option<u32>>,
    levels: Vec<Option<i64>>,
    /// By round and organization: in or out.
    rounds: Vec<Vec<bool>>,
}

fn ticks(ticks: i64) -> Time {
    Time::from_ticks(ticks)
}

fn local(options: &LocalOptions, processors: u32) -> AnyLocal {
    options.build(&Setup { name: "c", processors, streams: &Streams::new(1) })
}

impl Case {
    /// The clusters that an organization may use if `pooled`, else its own.
    fn uses(&self, organization: u32, pooled: bool) -> Uses {
        let may = |(_, (owner, _, foreign, _)): &(u32, &(u32, u32, Foreign, LocalOptions))| {
            *owner == organization || pooled && *foreign != Foreign::Never
        };
        let all = (0..).zip(&self.clusters).filter(may);
        all.map(|(cluster, _)| ClusterId(cluster)).collect()
    }

    fn grid<C: ClusterAgent, O: Observer>(
        &self,
        observer: O,
        pooled: bool,
        agent: impl Fn(u32, &LocalOptions) -> C,
    ) -> Grid<C, ListSource, O> {
        let mut grid = Grid::new(Settings::default(), observer);
        for (owner, processors, foreign, scheduler) in &self.clusters {
            let cluster = agent(*processors, scheduler);
            grid.add_owned_cluster(cluster, OrganizationId(*owner), *foreign);
        }
        for organization in 0..self.organizations {
            grid.add_organization(self.uses(organization, pooled));
        }
        match &self.places {
            Places::Grid(options) => grid.schedule(options.clone()),
            Places::Plan(planner) => {
                let planning = Default::default();
                grid.plan(Planned { planner: planner.clone(), planning });
            }
        }
        grid.add_source(ListSource::new(self.jobs.clone())).expect("a list can be read");
        grid
    }

    fn game(&self) -> FederationGame<ListSource, Notes> {
        self.game_of(Rounds::Continuing)
    }

    fn game_of(&self, rounds: Rounds) -> FederationGame<ListSource, Notes> {
        let owned = |(owner, processors, ..): &(u32, u32, Foreign, LocalOptions)| Owned {
            owner: OrganizationId(*owner),
            processors: *processors,
        };
        let grounds = Grounds {
            clusters: self.clusters.iter().map(owned).collect(),
            uses: (0..self.organizations).map(|one| self.uses(one, true)).collect(),
            lists: Vec::new(),
            shares: self.shares.clone(),
            stakes: self.stakes,
            pieces: Pieces { first: vec![Time::ZERO], is_given: vec![false], count: 0 },
        };
        let period = Span::from_ticks(self.period);
        let season = Season { period, window: Span::ZERO..period, rounds };
        let site = |processors, scheduler: &LocalOptions| {
            SpaceShared::new(processors, OnLoan::new(local(scheduler, processors)))
        };
        let build = |watched| Ok::<_, ()>(self.grid(watched, true, site));
        let presence = vec![Presence::default(); self.organizations as usize];
        let streams = Streams::new(7);
        FederationGame::new(build, grounds, presence, season, streams, Notes::default()).unwrap()
    }

    fn acts(&self, round: usize) -> Vec<Act> {
        let act = |(organization, &is_in): (usize, &bool)| match is_in {
            true => Act::In(Terms { level: self.level(organization), above: None }),
            false => Act::Out,
        };
        self.rounds[round].iter().enumerate().map(act).collect()
    }

    fn follows(&self) -> bool {
        self.stakes.plays == Plays::Follow
    }

    /// Members of a round, of whom there are at least two, unless they follow a plan.
    fn members(&self, round: usize) -> Vec<bool> {
        let is_in = &self.rounds[round];
        if self.follows() {
            return is_in.clone();
        }
        let count = is_in.iter().filter(|&&one| one).count();
        if count < 2 { vec![false; is_in.len()] } else { is_in.clone() }
    }

    /// Time for which a job runs on a cluster.
    fn runs(&self, job: &Job, cluster: ClusterId) -> Span {
        let is_abroad = self.clusters[cluster.index()].0 != job.organization.0;
        job.runtime + if is_abroad { self.stakes.costs.of_job() } else { Span::ZERO }
    }

    fn level(&self, organization: usize) -> Option<Span> {
        self.levels.get(organization).copied().flatten().map(Span::from_ticks)
    }

    /// The same without limits, for nothing.
    fn free(&self) -> Case {
        let stakes = Stakes { costs: Costs::default(), ..self.stakes };
        Case { stakes, shares: Vec::new(), levels: Vec::new(), ..self.clone() }
    }

    fn all(&self, is_in: bool) -> Case {
        let rounds = self.rounds.iter().map(|round| vec![is_in; round.len()]).collect();
        Case { rounds, ..self.clone() }
    }

    /// Plays all rounds; what ran, and the outcome of each round.
    fn play(&self) -> (Vec<Ran>, Vec<Outcome>) {
        self.play_of(Rounds::Continuing)
    }

    fn play_of(&self, rounds: Rounds) -> (Vec<Ran>, Vec<Outcome>) {
        let mut game = self.game_of(rounds);
        let mut outcomes = Vec::new();
        for round in 0..self.rounds.len() {
            begin(self, &mut game, round);
            while game.advance().unwrap() {}
            let mut outcome = Outcome::default();
            game.outcome(&mut outcome).unwrap();
            outcomes.push(outcome);
        }
        (sorted(game.observer().0.clone()), outcomes)
    }

    /// All that runs in a plain grid until the last round is over.
    fn plain<C: ClusterAgent>(
        &self,
        pooled: bool,
        agent: impl Fn(u32, &LocalOptions) -> C,
    ) -> Vec<Ran> {
        let mut engine = self.grid(Notes::default(), pooled, agent).start_with(&Streams::new(7));
        let end = ticks(self.period * self.rounds.len() as i64);
        while engine.upcoming().is_some_and(|(at, _)| at < end) {
            engine.step().unwrap();
        }
        sorted(engine.world().observer().0.clone())
    }
}

fn begin(case: &Case, game: &mut FederationGame<ListSource, Notes>, round: usize) {
    let wanted = Wanted { stayed_out: true, instead: true, rules: false };
    let wanted = vec![wanted; case.organizations as usize];
    game.begin(round as u64, &case.acts(round), &wanted).unwrap();
}

fn sorted(mut ran: Vec<Ran>) -> Vec<Ran> {
    ran.sort();
    ran
}

fn job(number: u64, organization: u32, submit: i64, runtime: i64, processors: u32) -> Job {
    Job {
        number,
        submit: ticks(submit),
        runtime: Span::from_ticks(runtime),
        estimate: Span::from_ticks(runtime),
        processors,
        organization: OrganizationId(organization),
        ..Job::default()
    }
}

/// Two clusters of 4 processors; A submits two jobs of 4 x 10 at 0, B nothing. Alone A ends at 10 and 20
/// (F = 30), together at 10 and 10 (F = 20): S_A = 0.5. With B's job of 4 x 1 at 1, alone B ends at 2
/// (F~ = 1), together at 11 (F = 10): S_B = 1 - 10 = -9.
#[test]
fn two_clusters_by_hand() {
    let fcfs = || LocalOptions::Fcfs(Default::default());
    let mut case = Case {
        clusters: vec![(0, 4, Foreign::Always, fcfs()), (1, 4, Foreign::Always, fcfs())],
        organizations: 2,
        places: Places::Grid(GridOptions::List(Default::default())),
        jobs: vec![job(1, 0, 0, 10, 4), job(2, 0, 0, 10, 4)],
        period: 100,
        stakes: Stakes::default(),
        shares: Vec::new(),
        levels: Vec::new(),
        rounds: vec![vec![true, true]],
    };
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
    let fcfs = || LocalOptions::Fcfs(Default::default());
    let mut case = Case {
        clusters: vec![(0, 4, Foreign::Always, fcfs()), (1, 4, Foreign::Always, fcfs())],
        organizations: 2,
        places: Places::Grid(GridOptions::List(Default::default())),
        jobs: vec![job(1, 0, 0, 10, 4), job(2, 0, 0, 10, 4), job(3, 1, 1, 1, 4)],
        period: 100,
        stakes: Stakes::default(),
        shares: Vec::new(),
        levels: Vec::new(),
        rounds: vec![vec![true, true]],
    };
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
    let fcfs = || LocalOptions::Fcfs(Default::default());
    let mut case = Case {
        clusters: vec![(0, 4, Foreign::Always, fcfs()), (1, 8, Foreign::Always, fcfs())],
        organizations: 2,
        places: Places::Grid(GridOptions::List(Default::default())),
        jobs: vec![
            job(1, 0, 0, 30, 4),
            job(2, 0, 0, 10, 4),
            job(3, 0, 1, 10, 2),
            job(4, 0, 2, 3, 1),
        ],
        period: 100,
        stakes: Stakes::default(),
        shares: Vec::new(),
        levels: vec![None, Some(45)],
        rounds: vec![vec![true, true]],
    };
    let ran =
        |number, cluster, from, to| (number, ClusterId(cluster), ticks(from), Some(ticks(to)));
    // At 2 job 2 has 32 left, so that job 4 fits; when it ends at 5, job 2 has 20 left.
    let expected = [ran(1, 0, 0, 30), ran(2, 1, 0, 10), ran(3, 1, 5, 15), ran(4, 1, 2, 5)];
    assert_eq!(case.play().0, expected);
    case.levels = Vec::new();
    case.shares = vec![None, Some(2)];
    let expected = [ran(1, 0, 0, 30), ran(2, 0, 30, 40), ran(3, 1, 1, 11), ran(4, 1, 11, 14)];
    assert_eq!(case.play().0, expected);
}

/// A member would get at another level what it gets when it plays that.
#[test]
fn each_level_of_a_menu_is_played_in_a_copy() {
    let fcfs = || LocalOptions::Fcfs(Default::default());
    let mut case = Case {
        clusters: vec![(0, 4, Foreign::Always, fcfs()), (1, 8, Foreign::Always, fcfs())],
        organizations: 2,
        places: Places::Grid(GridOptions::LeastDemand(Default::default())),
        jobs: vec![
            job(1, 0, 0, 30, 4),
            job(2, 0, 1, 10, 4),
            job(3, 0, 1, 7, 2),
            job(4, 1, 2, 5, 8),
        ],
        period: 100,
        stakes: Stakes::default(),
        shares: Vec::new(),
        levels: Vec::new(),
        rounds: vec![vec![true, true]],
    };
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
    let fcfs = || LocalOptions::Fcfs(Default::default());
    let mut case = Case {
        clusters: vec![(0, 4, Foreign::Always, fcfs()), (1, 4, Foreign::Always, fcfs())],
        organizations: 2,
        places: Places::Grid(GridOptions::List(Default::default())),
        jobs: vec![job(1, 0, 0, 10, 4), job(2, 0, 0, 10, 4), job(3, 1, 6, 1, 4)],
        period: 5,
        stakes: Stakes { costs: costs(0, 10, 0.0), ..Stakes::default() },
        shares: Vec::new(),
        levels: Vec::new(),
        rounds: [vec![vec![true, true]], vec![vec![false, true]; 5]].concat(),
    };
    let ran =
        |number, cluster, from, to| (number, ClusterId(cluster), ticks(from), Some(ticks(to)));
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

/// Costs in ticks.
fn costs(job: i64, delay: i64, round: f64) -> Costs {
    let units = |ticks: i64| Span::from_ticks(ticks).as_units();
    Costs { job: units(job), delay: units(delay), round }
}

/// A plan for both puts A's second job behind B's own, on B's cluster. Whoever is out has its own
/// jobs first there, and they run nowhere else.
#[test]
fn plans_are_followed_or_not_by_hand() {
    let fcfs = || LocalOptions::Fcfs(Default::default());
    let mut case = Case {
        clusters: vec![(0, 4, Foreign::Always, fcfs()), (1, 4, Foreign::Always, fcfs())],
        organizations: 2,
        places: Places::Plan(PlannerOptions::Ilba(Default::default())),
        jobs: vec![job(1, 0, 0, 10, 4), job(2, 0, 0, 10, 4), job(3, 1, 0, 5, 4)],
        period: 100,
        stakes: Stakes { plays: Plays::Follow, ..Stakes::default() },
        shares: Vec::new(),
        levels: Vec::new(),
        rounds: vec![vec![true, true]],
    };
    let ran =
        |number, cluster, from, to| (number, ClusterId(cluster), ticks(from), Some(ticks(to)));
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

fn any_stakes() -> impl Strategy<Value = Stakes> {
    let scores = [Score::Flow, Score::Wait, Score::BoundedSlowdown, Score::Makespan];
    let any = (0_i64..6, 0_i64..6).prop_map(|(job, delay)| costs(job, delay, 0.5));
    let cost = prop_oneof![2 => Just(costs(0, 0, 0.0)), 1 => any];
    (proptest::sample::select(Vec::from(scores)), 0_i64..9, cost).prop_map(|(score, tau, costs)| {
        Stakes { plays: Plays::Share, score, tau: Span::from_ticks(tau), costs }
    })
}

fn any_local() -> impl Strategy<Value = LocalOptions> {
    prop_oneof![
        Just(LocalOptions::Fcfs(Default::default())),
        Just(LocalOptions::Easy(Default::default())),
        Just(LocalOptions::Conservative(Default::default())),
        Just(LocalOptions::List(Default::default())),
    ]
}

fn any_places() -> impl Strategy<Value = Places> {
    let delay = |ticks: i64| Span::from_ticks(ticks).as_units();
    let sends = dispatch::Options { delay: delay(3) };
    let steals = stealing::Options { delay: delay(4), ..Default::default() };
    let grids = vec![
        GridOptions::GridSubmission(Default::default()),
        GridOptions::Stealing(Default::default()),
        GridOptions::List(Default::default()),
        GridOptions::BestFit(Default::default()),
        GridOptions::LeastDemand(Default::default()),
        GridOptions::Random(Default::default()),
        GridOptions::RoundRobin(Default::default()),
        GridOptions::RoundRobin(sends.clone()),
        GridOptions::LeastDemand(sends),
        GridOptions::Stealing(steals),
    ];
    let planners = vec![
        PlannerOptions::Local(Default::default()),
        PlannerOptions::OwnFirst(Default::default()),
        PlannerOptions::Ilba(Default::default()),
        PlannerOptions::ShortestFirst(Default::default()),
        PlannerOptions::MyJobsFirst(Default::default()),
        PlannerOptions::EquitableWalk(Default::default()),
    ];
    prop_oneof![
        3 => proptest::sample::select(grids).prop_map(Places::Grid),
        1 => proptest::sample::select(planners).prop_map(Places::Plan),
    ]
}

fn any_case() -> impl Strategy<Value = Case> {
    let cluster = |organizations: u32| {
        let foreign = prop_oneof![
            6 => Just(Foreign::Always),
            1 => Just(Foreign::Never),
            1 => Just(Foreign::WhenNoneWaits),
        ];
        (0..organizations, 1_u32..9, foreign, any_local())
    };
    let limits = (
        proptest::collection::vec(proptest::option::of(0_u32..5), 5),
        proptest::collection::vec(proptest::option::of(0_i64..90), 5),
    );
    let limits = prop_oneof![1 => Just((Vec::new(), Vec::new())), 1 => limits];
    (1_u32..5, any_places(), any_stakes(), limits).prop_flat_map(
        move |(organizations, places, stakes, limits)| {
            let clusters = proptest::collection::vec(cluster(organizations), 1..5);
            let asked = (0..organizations, 0_i64..80, 1_i64..30, 0_i64..9, 1_u32..7);
            let jobs = proptest::collection::vec(asked, 0..24);
            let acts =
                proptest::collection::vec(proptest::bool::weighted(0.7), organizations as usize);
            let rounds = proptest::collection::vec(acts, 1..6);
            (clusters, jobs, 4_i64..50, rounds).prop_map(
                move |(mut clusters, mut asked, period, rounds)| {
                    if places.plan_or_delay() || stakes.costs.of_way() > Span::ZERO {
                        // Neither a plan nor who is under way knows when jobs of the owner wait.
                        let guarded =
                            clusters.iter_mut().filter(|one| one.2 == Foreign::WhenNoneWaits);
                        guarded.for_each(|one| one.2 = Foreign::Always);
                    }
                    asked.sort_by_key(|one| one.1);
                    let plays = match (&places, stakes.score) {
                        // As good a coin as another.
                        (Places::Plan(_), Score::Flow | Score::Makespan) => Plays::Follow,
                        _ => Plays::Share,
                    };
                    let stakes = Stakes { plays, ..stakes };
                    let (shares, levels) =
                        if places.asks() { limits.clone() } else { Default::default() };
                    let jobs =
                        (1..).zip(asked).map(|(number, (owner, submit, runtime, more, wide))| {
                            let job = job(number, owner, submit, runtime, wide);
                            Job { estimate: Span::from_ticks(runtime + more), ..job }
                        });
                    let (jobs, places) = (jobs.collect(), places.clone());
                    Case {
                        clusters,
                        organizations,
                        places,
                        jobs,
                        period,
                        stakes,
                        shares,
                        levels,
                        rounds,
                    }
                },
            )
        },
    )
}

/// Others' jobs have no more than their share of a cluster, nor work beyond the level of its owner.
fn within_limits(
    case: &Case,
    ran: &[Ran],
    (here, now): (ClusterId, Time),
) -> Result<(), TestCaseError> {
    let owner = case.clusters[here.index()].0;
    let (mut held, mut work) = (0, 0);
    for (number, cluster, start, _) in ran {
        let job = &case.jobs[*number as usize - 1];
        let is_there = *start <= now && now < *start + case.runs(job, *cluster);
        let is_its = case.clusters[cluster.index()].0 == owner;
        if is_there && is_its && job.organization.0 != owner {
            let expected = job.estimate - job.runtime + case.runs(job, *cluster);
            work += i64::from(job.processors) * (*start + expected - now).ticks();
            held += if *cluster == here { job.processors } else { 0 };
        }
    }
    let share = case.shares.get(here.index()).copied().flatten();
    prop_assert!(share.is_none_or(|share| held <= share), "{held} of {share:?} at {now}");
    // Who does not follow the plan has no level, and jobs may be on their way since then.
    let is_asked = !case.follows()
        || case.stakes.costs.of_way() == Span::ZERO
            && case
                .rounds
                .get((now.ticks() / case.period) as usize)
                .is_some_and(|is_in| is_in[owner as usize]);
    let level = case.level(owner as usize).map(Span::ticks).filter(|_| is_asked);
    prop_assert!(level.is_none_or(|level| work <= level), "{work} of {level:?} at {now}");
    Ok(())
}

/// Every started job runs once, as long as it is, on free processors; no outsider's cluster starts a
/// foreign job, and no outsider's job starts abroad.
fn holds(case: &Case, ran: &[Ran]) -> Result<(), TestCaseError> {
    for (number, cluster, start, end) in ran {
        let job = &case.jobs[*number as usize - 1];
        let (owner, processors, ..) = &case.clusters[cluster.index()];
        prop_assert!(end.is_none_or(|end| end == *start + case.runs(job, *cluster)));
        prop_assert!(*start >= job.submit);
        let holders = ran.iter().filter(|(other, there, from, _)| {
            let runs = case.runs(&case.jobs[*other as usize - 1], *there);
            there == cluster && from <= start && *start < *from + runs
        });
        let held: u32 = holders.map(|(other, ..)| case.jobs[*other as usize - 1].processors).sum();
        prop_assert!(held <= *processors, "{held} on {processors}");
        if *owner != job.organization.0 {
            within_limits(case, ran, (*cluster, *start))?;
        }
        let round = (start.ticks() / case.period) as usize;
        if round < case.rounds.len() {
            let is_in = case.members(round);
            let both =
                (case.follows() || is_in[*owner as usize]) && is_in[job.organization.index()];
            prop_assert!(both || *owner == job.organization.0, "job {number} in round {round}");
        }
    }
    let mut numbers: Vec<u64> = ran.iter().map(|one| one.0).collect();
    numbers.dedup();
    prop_assert_eq!(numbers.len(), ran.len());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 200 } else { 4000 }))]

    #[test]
    fn members_share_and_outsiders_do_not(case in any_case()) {
        let (ran, outcomes) = case.play();
        holds(&case, &ran)?;
        for (round, outcome) in outcomes.iter().enumerate() {
            let is_in = case.members(round);
            for (player, &payoff) in outcome.payoffs.iter().enumerate() {
                let cost = if case.rounds[round][player] { case.stakes.costs.round } else { 0.0 };
                prop_assert!(is_in[player] || payoff == -cost);
            }
        }
    }

    #[test]
    fn all_out_are_their_own_clusters_and_all_in_the_whole_grid(case in any_case()) {
        let fits = |job: &&Job| {
            let own = case.clusters.iter().filter(|one| one.0 == job.organization.0);
            own.map(|one| one.1).max().is_some_and(|most| job.processors <= most)
        };
        // Jobs that never start are left out of both.
        let alone = Case { stakes: Stakes { plays: Plays::Share, ..case.stakes }, ..case.clone() };
        let alone = Case { jobs: case.jobs.iter().filter(fits).copied().collect(), ..alone.all(false) };
        let apart = Case { places: Places::Grid(GridOptions::LeastDemand(Default::default())), ..alone.clone() };
        let space = |processors, scheduler: &LocalOptions| {
            SpaceShared::new(processors, local(scheduler, processors))
        };
        prop_assert_eq!(alone.play().0, apart.plain(false, space));
        let whole = case.free().all(true);
        if case.organizations > 1 {
            let bare = |processors, _: &LocalOptions| Bare(Machine::new(processors));
            let plain = match case.places.starts() {
                true => whole.plain(true, bare),
                false => whole.plain(true, space),
            };
            prop_assert_eq!(whole.play().0, plain);
        }
    }

    /// A copy in which a player acts as it does gives what the world gives.
    #[test]
    fn a_copy_that_changes_nothing_is_the_world(case in any_case()) {
        let mut game = case.game();
        for round in 0..case.rounds.len() {
            begin(&case, &mut game, round);
            let world = game.engine.world();
            let grid = world.watched_by(world.observer().0.clone());
            let (what, engine) = (What::Settled, Engine::new(grid));
            let mut copy = Fork { what, is_closed: false, engine };
            let end = game.ends();
            while copy.step(end).unwrap() {}
            while game.advance().unwrap() {}
            game.outcome(&mut Outcome::default()).unwrap();
            for (player, turn) in game.turns().enumerate() {
                let (scored, judged) = (copy.scored()[player], turn.judged.unwrap());
                prop_assert_eq!((scored.flow, scored.measure), (turn.flow, judged.measure));
            }
        }
    }

    /// A copy about one player gives what the whole world gives it where it acts so.
    #[test]
    fn a_copy_is_a_world_with_another_act(case in any_case()) {
        let played = |case: &Case| {
            let mut game = case.game();
            for round in 0..case.rounds.len() {
                begin(case, &mut game, round);
                while game.advance().unwrap() {}
            }
            game.outcome(&mut Outcome::default()).unwrap();
            game
        };
        let (game, last) = (played(&case), case.rounds.len() - 1);
        for player in 0..case.organizations as usize {
            let what = match case.rounds[last][player] {
                true => What::Out(player as u32),
                false if case.level(player).is_some() => continue,
                false => What::Instead(player as u32, 1),
            };
            let Some(copy) = game.scored_in(what, player) else { continue };
            let mut other = case.clone();
            other.rounds[last][player] ^= true;
            let world = played(&other);
            let turn = world.turns().nth(player).unwrap();
            prop_assert_eq!((copy.flow, copy.measure), (turn.flow, turn.judged.unwrap().measure));
        }
    }

    #[test]
    fn saved_anywhere_it_goes_on_alike(
        case in any_case(),
        stop in 0_usize..60,
        rounds in prop_oneof![Just(Rounds::Continuing), Just(Rounds::Independent)],
    ) {
        let (ran, outcomes) = case.play_of(rounds);
        let mut game = case.game_of(rounds);
        let (mut at, mut again) = (0, Vec::new());
        for round in 0..case.rounds.len() {
            begin(&case, &mut game, round);
            loop {
                if at == stop {
                    let mut bytes = Vec::new();
                    game.save(&mut bytes);
                    let mut other = case.game_of(rounds);
                    other.load(&mut &bytes[..]).unwrap();
                    let mut twice = Vec::new();
                    other.save(&mut twice);
                    prop_assert_eq!(&bytes, &twice);
                    game = other;
                }
                at += 1;
                if !game.advance().unwrap() {
                    break;
                }
            }
            let mut outcome = Outcome::default();
            game.outcome(&mut outcome).unwrap();
            again.push(outcome);
        }
        prop_assert_eq!(outcomes, again);
        prop_assert_eq!(ran, sorted(game.observer().0.clone()));
    }

    /// Nothing happens at a boundary at which nobody changes its mind.
    #[test]
    fn rounds_may_be_cut_where_nobody_changes_its_mind(case in any_case()) {
        let rounds = case.rounds.iter().flat_map(|round| [round.clone(), round.clone()]).collect();
        let half = Case { rounds, ..case.clone() };
        let whole = Case { period: 2 * case.period, ..case };
        prop_assert_eq!(half.play().0, whole.play().0);
    }
}

//! Federations against plain grids, and what holds in any of them.

mod any;
mod by_hand;

use any::any_case;
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
use model::recorded::Recorded;
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
        if self.jobs.iter().any(|job| job.recorded.cluster().is_some()) {
            grid.expect_bound();
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
            true => Act::In(Terms { level: self.level(organization), ..Terms::ANY }),
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

    /// The same under a grid scheduler, if it is under a planner.
    fn sent(self) -> Case {
        if matches!(self.places, Places::Grid(_)) {
            return self;
        }
        let places = Places::Grid(GridOptions::List(Default::default()));
        Case { places, stakes: Stakes { plays: Plays::Share, ..self.stakes }, ..self }
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

/// Costs in ticks.
fn costs(job: i64, delay: i64, round: f64) -> Costs {
    let units = |ticks: i64| Span::from_ticks(ticks).as_units();
    Costs { job: units(job), delay: units(delay), round }
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
        prop_assert!(job.recorded.cluster().is_none_or(|only| only == *cluster));
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

/// Random federations of a property; `GRIDPACT_ROUNDS` sets it.
fn cases() -> u32 {
    let set = std::env::var("GRIDPACT_ROUNDS").ok().and_then(|text| text.parse().ok());
    set.unwrap_or(if cfg!(debug_assertions) { 200 } else { 4000 })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

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
            let own = (0..).map(ClusterId).zip(&case.clusters).filter(|(at, one)| {
                let is_its = job.recorded.cluster().is_none_or(|only| only == *at);
                is_its && one.0 == job.organization.0
            });
            own.map(|(_, one)| one.1).max().is_some_and(|most| job.processors <= most)
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

    /// Under grid schedulers numbers of organizations change nothing but the numbers. Planners plan
    /// owners who are alike in their order.
    #[test]
    fn organizations_may_change_places(
        (case, order) in any_case().prop_flat_map(|case| {
            let case = case.sent();
            let order: Vec<u32> = (0..case.organizations).collect();
            (Just(case), Just(order).prop_shuffle())
        }),
    ) {
        let moved = |one: u32| order[one as usize];
        let shuffled = |is_in: &Vec<bool>| {
            let at = |one: u32| order.iter().position(|&other| other == one).unwrap();
            (0..case.organizations).map(|one| is_in[at(one)]).collect::<Vec<bool>>()
        };
        let mut other = case.clone();
        other.clusters.iter_mut().for_each(|one| one.0 = moved(one.0));
        other.jobs.iter_mut().for_each(|job| job.organization.0 = moved(job.organization.0));
        other.rounds = case.rounds.iter().map(shuffled).collect();
        for (one, level) in case.levels.iter().enumerate().take(order.len()) {
            other.levels[order[one] as usize] = *level;
        }
        let (ran, outcomes) = case.play();
        let (again, others) = other.play();
        prop_assert_eq!(ran, again);
        for (outcome, other) in outcomes.iter().zip(&others) {
            for (one, payoff) in outcome.payoffs.iter().enumerate() {
                prop_assert_eq!(*payoff, other.payoffs[order[one] as usize]);
            }
        }
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

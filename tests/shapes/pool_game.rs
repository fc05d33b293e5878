//! Miniature 3, the game: a pool played over independent rounds as a `StageGame`, with both
//! counterfactuals. "Had I joined" is a fork of the round with one more member.

use gridpact::kernel::engine::{Engine, Stopped};
use gridpact::kernel::state::{Corrupt, State, put, take};
use gridpact::kernel::time::{LIMIT_TICKS, Span, Time};
use gridpact::workload::SourceError;

use crate::pool::{Averaging, Lists, Load, Pool, Server};
use crate::support::{at, load, saved};
use crate::traits::{Act, Actions, Outcome, StageGame, Wanted};

const OUT: Act = Act::Choose(0);
const IN: Act = Act::Choose(1);

/// A pool played for one round at a time, each round from empty queues on a clock from 0.
pub struct PoolGame {
    balancer: Averaging,
    unit: Span,
    rounds: Vec<Lists>,
    round: u64,
    acts: Vec<Act>,
    wanted: Vec<Wanted>,
    played: Engine<Pool<Averaging>>,
    /// "Had I joined": (who, the round with that one more member).
    forks: Vec<(usize, Engine<Pool<Averaging>>)>,
}

impl PoolGame {
    pub fn new(balancer: Averaging, unit: Span, rounds: Vec<Lists>) -> PoolGame {
        let idle = Pool::new(balancer, unit, &Vec::new(), Vec::new());
        PoolGame {
            balancer,
            unit,
            rounds,
            round: 0,
            acts: Vec::new(),
            wanted: Vec::new(),
            played: Engine::new(idle),
            forks: Vec::new(),
        }
    }

    /// Completions by cluster, in the order of submission.
    fn completions(&self) -> Vec<Vec<Time>> {
        let log = self.played.world().servers.iter().map(|server| {
            let mut log = server.log.clone();
            log.sort_unstable();
            log.into_iter().map(|(_, end)| end).collect()
        });
        log.collect()
    }
}

impl StageGame for PoolGame {
    type Error = Stopped<SourceError>;

    fn players(&self) -> usize {
        self.rounds[0].len()
    }
    fn actions(&self, _: usize) -> Actions {
        Actions::Menu { count: 2, out: Some(0) }
    }

    fn begin(&mut self, round: u64, acts: &[Act], wanted: &[Wanted]) -> Result<(), Self::Error> {
        self.round = round;
        self.acts = acts.to_vec();
        self.wanted = wanted.to_vec();
        let members = acts.iter().map(|&act| act == IN).collect();
        self.played =
            Engine::new(Pool::new(self.balancer, self.unit, &self.rounds[round as usize], members));
        let curious =
            (0..acts.len()).filter(|&player| acts[player] == OUT && wanted[player].instead);
        let fork = |player: usize| {
            let mut fork = self.played.fork();
            fork.change(|pool| pool.members[player] = true);
            (player, fork)
        };
        self.forks = curious.map(fork).collect();
        Ok(())
    }

    fn advance(&mut self) -> Result<bool, Self::Error> {
        let mut more = self.played.step()?.is_some();
        for (_, fork) in &mut self.forks {
            more |= fork.step()?.is_some();
        }
        Ok(more)
    }

    fn outcome(&mut self, out: &mut Outcome) -> Result<(), Self::Error> {
        let players = self.acts.len();
        out.acts.clone_from(&self.acts);
        let end = Time::from_ticks(LIMIT_TICKS);
        self.played.change(|pool| pool.advance(end))?;
        out.payoffs = self.played.world().servers.iter().map(Server::score).collect();
        out.stayed_out = self.acts.iter().map(|&act| (act == IN).then_some(0.0)).collect();
        out.instead = vec![Vec::new(); players];
        for player in (0..players).filter(|&player| self.wanted[player].instead) {
            out.instead[player] = vec![0.0, out.payoffs[player]];
        }
        for (player, fork) in &mut self.forks {
            fork.change(|pool| pool.advance(end))?;
            out.instead[*player][1] = fork.world().servers[*player].score();
        }
        Ok(())
    }
}

/// What was begun is begun again, forks included, and then loaded in place.
impl State for PoolGame {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.round, &self.acts, &self.wanted), out);
        self.played.save(out);
        self.forks.iter().for_each(|(_, fork)| fork.save(out));
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let (round, acts, wanted): (u64, Vec<Act>, Vec<Wanted>) = take(from)?;
        self.begin(round, &acts, &wanted).map_err(|error| Corrupt::Content(error.to_string()))?;
        self.played.load(from)?;
        self.forks.iter_mut().try_for_each(|(_, fork)| fork.load(from))
    }
}

/// Ten jobs (cluster, submit, size), as lists with cluster `i`'s jobs on cluster `as_cluster[i]`.
pub fn ten_jobs(as_cluster: [usize; 3]) -> Lists {
    let jobs: [(usize, i64, i64); 10] = [
        (0, 1, 6),
        (0, 2, 4),
        (1, 3, 2),
        (2, 4, 9),
        (0, 6, 3),
        (1, 7, 5),
        (2, 8, 1),
        (0, 9, 12),
        (2, 13, 4),
        (1, 14, 2),
    ];
    let mut lists = vec![Vec::new(); 3];
    jobs.iter().for_each(|&(c, submit, size)| {
        lists[as_cluster[c]].push(Load { submit: at(submit), size: Span::units(size) });
    });
    lists
}

/// Whole units, balancings on a grid of 5; in round 1 clusters 0 and 1 have changed places.
pub fn whole_units() -> PoolGame {
    let averaging = Averaging { least: Span::units(5), grid: Span::units(5) };
    PoolGame::new(averaging, Span::UNIT, vec![ten_jobs([0, 1, 2]), ten_jobs([1, 0, 2])])
}

const CURIOUS: Wanted = Wanted { stayed_out: true, instead: true };

fn play(game: &mut PoolGame, round: u64, acts: [Act; 3]) -> Outcome {
    game.begin(round, &acts, &[CURIOUS; 3]).unwrap();
    while game.advance().unwrap() {}
    let mut outcome = Outcome::default();
    game.outcome(&mut outcome).unwrap();
    outcome
}

fn units<const N: usize>(ends: [i64; N]) -> Vec<Time> {
    ends.map(at).to_vec()
}

#[test]
fn two_independent_rounds_and_both_counterfactuals() {
    let mut game = whole_units();
    let first = play(&mut game, 0, [IN, OUT, IN]);
    let ends = game.completions();
    assert_eq!(ends, [units([7, 11, 15, 22]), units([5, 12, 16]), units([12, 13, 17])]);
    // Flow times 37, 9, 17 against 40, 9, 20 alone; had 1 joined, its 9 had become 14.
    let (most, least) = (40.0 / 37.0 - 1.0, 20.0 / 17.0 - 1.0);
    assert_eq!(first.payoffs, [most, 0.0, least]);
    assert_eq!(first.stayed_out, [Some(0.0), None, Some(0.0)]);
    assert_eq!(first.instead, [vec![0.0, most], vec![0.0, -(14.0 / 9.0 - 1.0)], vec![0.0, least]]);

    // The fork foretold the truth: with all three inside, checked by a program that serves unit by
    // unit.
    let all = play(&mut game, 0, [IN; 3]);
    let ends = game.completions();
    assert_eq!(ends, [units([7, 10, 13, 17]), units([5, 14, 19]), units([10, 11, 20])]);
    assert_eq!(all.payoffs, [40.0 / 29.0 - 1.0, first.instead[1][1], 20.0 / 16.0 - 1.0]);

    // The second round starts empty; with the clusters' parts exchanged it goes as the first.
    let second = play(&mut game, 1, [OUT, IN, IN]);
    assert_eq!(second.payoffs, [0.0, most, least]);

    // Nobody inside: everybody is served alone.
    assert_eq!(play(&mut game, 0, [OUT; 3]).payoffs, [0.0; 3]);
    let ends = game.completions();
    assert_eq!(ends, [units([7, 11, 14, 26]), units([5, 12, 16]), units([13, 14, 18])]);
}

/// The same algorithm with one tick for a unit: fractions to the tick.
#[test]
fn a_unit_of_one_tick_gives_the_exact_fractions() {
    let thirds = |thirds: i64| at(0) + Span::from_ticks((thirds * 1_000_000 + 2).div_euclid(3));
    let averaging = Averaging { least: Span::units(5), grid: Span::UNIT };
    let mut game = PoolGame::new(averaging, Span::TICK, vec![ten_jobs([0, 1, 2])]);
    play(&mut game, 0, [IN; 3]);
    let expected = [
        vec![thirds(21), thirds(29), thirds(38), thirds(50)],
        vec![thirds(15), thirds(44), thirds(56)],
        vec![thirds(29), thirds(32), at(18) + Span::from_ticks(777_778)],
    ];
    for (ends, expected) in game.completions().iter().zip(&expected) {
        for (end, expected) in ends.iter().zip(expected) {
            assert!((*end - *expected).ticks().abs() <= 1, "{end} is not {expected}");
        }
    }
    // Without a least distance a balancing of nothing waits for the next arrival of a member.
    let averaging = Averaging { least: Span::ZERO, grid: Span::ZERO };
    let mut game = PoolGame::new(averaging, Span::UNIT, vec![ten_jobs([0, 1, 2])]);
    play(&mut game, 0, [IN; 3]);
    let ends = game.completions();
    assert_eq!(ends, [units([3, 5, 11, 15]), units([5, 11, 17]), units([8, 9, 17])]);
}

#[test]
fn a_round_saved_in_its_middle_goes_on_as_if_nothing_had_happened() {
    let mut whole = whole_units();
    let outcome = play(&mut whole, 0, [IN, OUT, IN]);
    for instants in 0..6 {
        let mut game = whole_units();
        game.begin(0, &[IN, OUT, IN], &[CURIOUS; 3]).unwrap();
        for _ in 0..instants {
            game.advance().unwrap();
        }
        let mut rebuilt = whole_units();
        load(&mut rebuilt, &saved(&game));
        while rebuilt.advance().unwrap() {}
        let mut again = Outcome::default();
        rebuilt.outcome(&mut again).unwrap();
        assert_eq!(again, outcome);
        assert_eq!(saved(&rebuilt), saved(&whole));
    }
}

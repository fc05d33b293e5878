//! "Had I joined" foretells the truth, and a round that is saved in its middle goes on as if
//! nothing had happened.

use gridpact::game::stage::{Act, Outcome, StageGame, Terms, Wanted};
use gridpact::kernel::rng::{Rng, Streams};
use gridpact::kernel::state::{State, open, seal};
use gridpact::kernel::time::Span;
use gridpact::policy::coalition::BalancerOptions;
use gridpact::policy::learn::LearnerOptions;
use gridpact::sim::pool::{Rounds, Season, Sends};
use gridpact::sim::repeated::Repeated;
use rand::RngExt;

use crate::coalition::common::{Lists, game};

const GRIDS: u64 = 300;
const CURIOUS: Wanted = Wanted { stayed_out: true, instead: true, rules: false };

fn random(rng: &mut Rng) -> (Lists, BalancerOptions, Season) {
    let list = |rng: &mut Rng| {
        let mut submit = 0;
        let mut list = Vec::new();
        for _ in 0..40 {
            submit += rng.random_range(0..8);
            list.push((submit, rng.random_range(1..9)));
        }
        list
    };
    let lists = (0..rng.random_range(2..=5)).map(|_| list(rng)).collect();
    let mut registered = BalancerOptions::defaults();
    let balancer = registered.swap_remove(rng.random_range(0..registered.len()));
    let rounds = if rng.random_bool(0.5) { Rounds::Independent } else { Rounds::Continuing };
    let season =
        Season { period: Span::units(40), window: Span::units(5)..Span::units(33), rounds };
    (lists, balancer, season)
}

fn acts(rng: &mut Rng, count: usize) -> Vec<Act> {
    let act = |rng: &mut Rng| {
        let level = rng.random_bool(0.5).then(|| Span::units(rng.random_range(0..20)));
        if rng.random_bool(0.6) { Act::In(Terms { level, ..Terms::ANY }) } else { Act::Out }
    };
    (0..count).map(|_| act(rng)).collect()
}

#[test]
fn had_i_joined_is_what_joining_brings() {
    let mut asked = 0;
    for number in 0..GRIDS {
        let mut rng: Rng = Streams::new(number).stream("forks");
        let (lists, balancer, season) = random(&mut rng);
        let rounds: Vec<Vec<Act>> = (0..3).map(|_| acts(&mut rng, lists.len())).collect();
        let new = || game(&lists, &balancer, season.clone(), true, Sends::Tail);
        let play = |pool: &mut _, rounds: &[Vec<Act>]| {
            let mut outcome = Outcome::default();
            for (round, acts) in rounds.iter().enumerate() {
                let wanted = vec![CURIOUS; acts.len()];
                StageGame::begin(pool, round as u64, acts, &wanted).unwrap();
                while StageGame::advance(pool).unwrap() {}
                StageGame::outcome(pool, &mut outcome).unwrap();
            }
            outcome
        };
        let outcome = play(&mut new(), &rounds);
        for (player, act) in rounds[2].iter().enumerate() {
            let mut instead = rounds.clone();
            asked += u32::from(!act.is_in());
            instead[2][player] = Act::In(Terms::ANY);
            let out = if act.is_in() { 0.0 } else { outcome.payoffs[player] };
            assert_eq!(outcome.instead[player][0], out);
            let truth = play(&mut new(), &instead).payoffs[player];
            assert_eq!(outcome.instead[player][1], truth, "grid {number}, player {player}");
            assert_eq!(outcome.stayed_out[player], act.is_in().then_some(0.0));
        }
    }
    assert!(asked > 100, "{asked} asked");
}

#[test]
fn a_round_saved_in_its_middle_goes_on_as_if_nothing_had_happened() {
    for number in 0..GRIDS / 3 {
        let mut rng: Rng = Streams::new(number).stream("saves");
        let (lists, balancer, season) = random(&mut rng);
        let rounds: Vec<Vec<Act>> = (0..3).map(|_| acts(&mut rng, lists.len())).collect();
        let new = || game(&lists, &balancer, season.clone(), true, Sends::Tail);
        let (mut whole, mut broken) = (new(), new());
        let (mut first, mut second) = (Outcome::default(), Outcome::default());
        for (round, acts) in rounds.iter().enumerate() {
            let wanted = vec![CURIOUS; acts.len()];
            whole.begin(round as u64, acts, &wanted).unwrap();
            while whole.advance().unwrap() {}
            whole.outcome(&mut first).unwrap();
            broken.begin(round as u64, acts, &wanted).unwrap();
            let mut left: i32 = rng.random_range(0..6);
            while broken.advance().unwrap() {
                if left == 0 {
                    let mut bytes = Vec::new();
                    broken.save(&mut bytes);
                    broken = new();
                    broken.load(&mut bytes.as_slice()).unwrap();
                    let mut again = Vec::new();
                    broken.save(&mut again);
                    assert_eq!(again, bytes);
                }
                left -= 1;
            }
            broken.outcome(&mut second).unwrap();
            assert_eq!(first, second, "grid {number}, round {round}");
            assert!(whole.turns().eq(broken.turns()));
        }
    }
}

/// Every registered balancer under every registered learner, stopped in the middle of a round.
#[test]
fn a_coalition_saved_and_rebuilt_saves_the_same_bytes_and_goes_on_alike() {
    for (seed, learner) in (0..).zip(LearnerOptions::defaults()) {
        for balancer in BalancerOptions::defaults() {
            let mut rng: Rng = Streams::new(seed).stream("coalitions");
            let (lists, _, season) = random(&mut rng);
            let new = || {
                let pool = game(&lists, &balancer, season.clone(), true, Sends::Tail);
                let players = (0..lists.len()).map(|player| (player.to_string(), learner.build()));
                Repeated::new(pool, players, Streams::new(seed))
            };
            let mut whole = new();
            for _ in 0..rng.random_range(3..12) {
                whole.advance(&mut ()).expect("a list can be read");
            }
            let bytes = seal(&whole, b"test");
            let mut rebuilt = new();
            open(&mut rebuilt, b"test", &bytes).expect("it was saved by the same coalition");
            let what = (learner.name(), balancer.name());
            assert!(seal(&rebuilt, b"test") == bytes, "{what:?}: the loaded state is another");
            for _ in 0..20 {
                whole.advance(&mut ()).expect("a list can be read");
                rebuilt.advance(&mut ()).expect("a list can be read");
            }
            assert!(whole.game().turns().eq(rebuilt.game().turns()), "{what:?}");
            assert!(seal(&rebuilt, b"test") == seal(&whole, b"test"), "{what:?}: it goes on alike");
        }
    }
}

//! Cost of a balancing by the size of the coalition.
//!
//! Times are for each member (so a linear balancer has ratios of 1) and for each move; the baseline
//! is a coalition of ten. A fifth of the members are idle, the others have up to 40 units of work.
//!
//! `cargo bench -p gridpact-benches --bench balancers` measures times; with `-- --instructions` it
//! counts instructions with valgrind.

mod common;

use common::{Table, arguments_after, criterion, instructions, measured_section};
use criterion::Criterion;
use gridpact::kernel::rng::{Rng, Streams};
use gridpact::kernel::time::{Span, Time};
use gridpact::policy::coalition::{
    AnyBalancer, Balancer as _, BalancerOptions, Member, Move, averaging, bilb,
};
use rand::RngExt as _;

const MEMBERS: [usize; 6] = [2, 10, 30, 100, 1000, 10_000];
/// Number of coalitions balanced in turn, so that the branch predictor cannot learn them.
const COALITIONS: usize = 32;

/// A balancer, its unit and the level that all members declare.
#[derive(Clone, Copy)]
struct Setting {
    name: &'static str,
    unit: Span,
    level: Option<i64>,
    printed: bool,
    averages: bool,
}

const fn setting(name: &'static str, unit: Span, level: Option<i64>) -> Setting {
    Setting { name, unit, level, printed: false, averages: false }
}

const SETTINGS: [Setting; 7] = [
    Setting { averages: true, ..setting("averaging, ticks", Span::TICK, None) },
    Setting { averages: true, ..setting("averaging, whole units", Span::UNIT, None) },
    setting("BILB, ticks, level 5", Span::TICK, Some(5)),
    setting("BILB, ticks, no level", Span::TICK, None),
    setting("BILB, whole units, level 5", Span::UNIT, Some(5)),
    setting("BILB, whole units, no level", Span::UNIT, None),
    Setting { printed: true, ..setting("printed BILB, whole units, level 5", Span::UNIT, Some(5)) },
];

impl Setting {
    fn balancer(&self) -> AnyBalancer {
        let options = if self.averages {
            BalancerOptions::Averaging(averaging::Options::default())
        } else {
            let printed = self.printed;
            BalancerOptions::Bilb(bilb::Options {
                printed_receiver_bound: printed,
                ..bilb::Options::default()
            })
        };
        options.build()
    }

    fn members(&self, count: usize, rng: &mut Rng) -> Vec<Member> {
        let mut load = || {
            let idle = rng.random_range(0..5) == 0;
            let units = 40 * Span::UNIT.ticks() / self.unit.ticks();
            if idle { Span::ZERO } else { self.unit * rng.random_range(0..units) }
        };
        let level = self.level.map(Span::units);
        (0..count).map(|_| Member { who: 0, local: load(), foreign: Span::ZERO, level }).collect()
    }
}

/// A balancer that has already allocated for its coalitions.
struct Ready {
    balancer: AnyBalancer,
    unit: Span,
    coalitions: Vec<Vec<Member>>,
    out: Vec<Move>,
}

impl Ready {
    fn new(setting: &Setting, count: usize) -> Ready {
        let mut rng = Streams::new(1).stream("bench/balancers");
        let coalitions = (0..COALITIONS).map(|_| setting.members(count, &mut rng)).collect();
        let (balancer, unit) = (setting.balancer(), setting.unit);
        let mut ready = Ready { balancer, unit, coalitions, out: Vec::new() };
        ready.balance(COALITIONS);
        ready
    }

    /// Balances this many times; returns the number of moves.
    fn balance(&mut self, times: usize) -> usize {
        let mut moves = 0;
        for time in 0..times {
            self.out.clear();
            let members = &self.coalitions[time % COALITIONS];
            self.balancer.balance(Time::ZERO, self.unit, members, &mut self.out);
            moves += self.out.len();
        }
        moves
    }
}

/// Large coalitions that share single ticks, or have no levels, make tens of millions of moves.
fn is_small_enough(setting: &Setting, count: usize) -> bool {
    let has_few_moves = setting.level.is_some() && setting.unit > Span::TICK && !setting.printed;
    count <= 1000 || setting.averages || has_few_moves
}

fn times(criterion: &mut Criterion, unit: &'static str) {
    let title = if unit == "member" { "balancing" } else { "balancing, by move" };
    let mut table = Table::new(criterion, title, unit, "10 members");
    for setting in &SETTINGS {
        for count in MEMBERS.into_iter().filter(|&count| is_small_enough(setting, count)) {
            let mut ready = Ready::new(setting, count);
            let balancings = (20_000 / count).clamp(1, 2000);
            let moves = ready.balance(balancings) as u64;
            let done = if unit == "member" { (count * balancings) as u64 } else { moves.max(1) };
            let column = format!("{count} members");
            table.measure(setting.name, column, done, || (), |()| ready.balance(balancings));
        }
    }
    table.finish();
}

const INSTRUCTIONS: &str = "--instructions";
const COUNTED: &str = "--counted";

fn count_instructions() {
    println!("instructions a member of one balancing (and a move)");
    for (number, setting) in SETTINGS.iter().enumerate() {
        println!("  {}", setting.name);
        for count in MEMBERS.into_iter().filter(|&count| is_small_enough(setting, count)) {
            let moves = Ready::new(setting, count).balance(COALITIONS) as f64;
            let arguments = [COUNTED, &number.to_string(), &count.to_string()];
            let Some(found) = instructions(&arguments) else {
                return println!("valgrind is not there");
            };
            let found = found as f64;
            let member = found / (COALITIONS * count) as f64;
            println!("    {count:>6} members {member:>12.1} {:>9.1} a move", found / moves);
        }
    }
}

fn main() {
    if let Some(arguments) = arguments_after(COUNTED) {
        let number = |at: usize| -> usize { arguments[at].parse().expect("a number") };
        let mut ready = Ready::new(&SETTINGS[number(0)], number(1));
        measured_section(|| ready.balance(COALITIONS));
        return;
    }
    if arguments_after(INSTRUCTIONS).is_some() {
        return count_instructions();
    }
    let mut criterion = criterion();
    times(&mut criterion, "member");
    times(&mut criterion, "move");
    criterion.final_summary();
}

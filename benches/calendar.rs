//! Cost of the calendar, compared with alternative implementations.
//!
//! The hold model: pop the first agent and reschedule it after an exponential gap; a pair is two
//! such events. In a grid an event often moves another agent too (a submission moves a cluster's
//! next instant), so the rows "one moves another" reschedule the first agent and then its
//! neighbour. The contestants are small implementations of the same order (time, phase, agent). The
//! baseline is a winner tree of packed u128 keys.
//!
//! `cargo bench -p gridpact-benches --bench calendar` measures times; with `-- --instructions` it counts
//! instructions with valgrind.

mod common;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use common::{Table, arguments_after, criterion, instructions, measured_section};
use gridpact::kernel::calendar::{Agent, Calendar, Phase};
use gridpact::kernel::rng::Streams;
use gridpact::kernel::time::Time;
use priority_queue::PriorityQueue;
use rand::RngExt as _;
use rand_distr::Exp1;
use rustc_hash::FxBuildHasher;

const BASELINE: &str = "winner tree of u128";

/// A calendar, or a substitute.
trait Contestant {
    fn new(agents: usize) -> Self;
    /// Schedules an agent.
    fn set(&mut self, agent: u32, ticks: i64);
    /// The earliest time and its agent.
    fn first(&mut self) -> (i64, u32);
}

fn pack(agent: u32, ticks: i64) -> u128 {
    (u128::from(ticks as u64 ^ (1 << 63)) << 64) | u128::from(agent)
}

fn unpack(key: u128) -> (i64, u32) {
    (((key >> 64) as u64 ^ (1 << 63)) as i64, key as u32)
}

const IDLE: u128 = u128::MAX;

/// The smallest key, without the branches that `Iterator::min` may compile to.
#[inline]
fn least(keys: &[u128]) -> u128 {
    keys.iter().fold(IDLE, |least, &key| if key < least { key } else { least })
}

struct Gridpact(Calendar);

impl Contestant for Gridpact {
    fn new(agents: usize) -> Gridpact {
        Gridpact(Calendar::new(agents))
    }
    #[inline]
    fn set(&mut self, agent: u32, ticks: i64) {
        self.0.set(Agent(agent), Some((Time::from_ticks(ticks), Phase::FIRST)));
    }
    #[inline]
    fn first(&mut self) -> (i64, u32) {
        let ((time, _), agent) = self.0.first().expect("all agents act");
        (time.ticks(), agent.0)
    }
}

/// Lazy deletion: a new entry for every change; outdated entries are dropped at the top.
struct LazyDeletion {
    keys: Vec<u128>,
    heap: BinaryHeap<Reverse<u128>>,
}

impl Contestant for LazyDeletion {
    fn new(agents: usize) -> LazyDeletion {
        LazyDeletion { keys: vec![IDLE; agents], heap: BinaryHeap::with_capacity(2 * agents) }
    }
    #[inline]
    fn set(&mut self, agent: u32, ticks: i64) {
        let key = pack(agent, ticks);
        self.keys[agent as usize] = key;
        self.heap.push(Reverse(key));
    }
    #[inline]
    fn first(&mut self) -> (i64, u32) {
        loop {
            let Reverse(key) = *self.heap.peek().expect("all agents act");
            if self.keys[key as u32 as usize] == key {
                return unpack(key);
            }
            self.heap.pop();
        }
    }
}

/// One entry for each event: the first is popped before its agent's next one is pushed.
struct EntryPerEvent(BinaryHeap<Reverse<u128>>);

impl Contestant for EntryPerEvent {
    fn new(agents: usize) -> EntryPerEvent {
        EntryPerEvent(BinaryHeap::with_capacity(agents))
    }
    #[inline]
    fn set(&mut self, agent: u32, ticks: i64) {
        if self.0.peek().is_some_and(|first| first.0 as u32 == agent) {
            self.0.pop();
        }
        self.0.push(Reverse(pack(agent, ticks)));
    }
    #[inline]
    fn first(&mut self) -> (i64, u32) {
        unpack(self.0.peek().expect("all agents act").0)
    }
}

/// A tournament tree: every node holds the smaller of its two children.
struct WinnerTree<K> {
    leaves: usize,
    nodes: Vec<K>,
}

impl<K: Copy + Ord> WinnerTree<K> {
    fn idle(agents: usize, idle: K) -> WinnerTree<K> {
        let leaves = agents.next_power_of_two();
        WinnerTree { leaves, nodes: vec![idle; 2 * leaves] }
    }
    #[inline]
    fn replace(&mut self, agent: u32, key: K) {
        let mut node = self.leaves + agent as usize;
        self.nodes[node] = key;
        while node > 1 {
            node /= 2;
            let (left, right) = (self.nodes[2 * node], self.nodes[2 * node + 1]);
            self.nodes[node] = if right < left { right } else { left };
        }
    }
}

impl Contestant for WinnerTree<u128> {
    fn new(agents: usize) -> WinnerTree<u128> {
        WinnerTree::idle(agents, IDLE)
    }
    #[inline]
    fn set(&mut self, agent: u32, ticks: i64) {
        self.replace(agent, pack(agent, ticks));
    }
    #[inline]
    fn first(&mut self) -> (i64, u32) {
        unpack(self.nodes[1])
    }
}

/// Packed into 64 bits there is no room for the full range of times: a bound, not a candidate.
impl Contestant for WinnerTree<u64> {
    fn new(agents: usize) -> WinnerTree<u64> {
        WinnerTree::idle(agents, u64::MAX)
    }
    #[inline]
    fn set(&mut self, agent: u32, ticks: i64) {
        self.replace(agent, ((ticks as u64) << 14) | u64::from(agent));
    }
    #[inline]
    fn first(&mut self) -> (i64, u32) {
        ((self.nodes[1] >> 14) as i64, self.nodes[1] as u32 & 0x3fff)
    }
}

/// The crate on its own.
struct BareCrate(PriorityQueue<u32, Reverse<u128>, FxBuildHasher>);

impl Contestant for BareCrate {
    fn new(agents: usize) -> BareCrate {
        let mut queue = PriorityQueue::with_capacity_and_hasher(agents, FxBuildHasher);
        queue.extend((0..agents as u32).map(|agent| (agent, Reverse(IDLE))));
        BareCrate(queue)
    }
    #[inline]
    fn set(&mut self, agent: u32, ticks: i64) {
        self.0.change_priority(&agent, Reverse(pack(agent, ticks)));
    }
    #[inline]
    fn first(&mut self) -> (i64, u32) {
        unpack(self.0.peek().expect("all agents act").1.0)
    }
}

/// The same, using `change_priority_by`.
struct BareCrateBy(PriorityQueue<u32, Reverse<u128>, FxBuildHasher>);

impl Contestant for BareCrateBy {
    fn new(agents: usize) -> BareCrateBy {
        BareCrateBy(BareCrate::new(agents).0)
    }
    #[inline]
    fn set(&mut self, agent: u32, ticks: i64) {
        self.0.change_priority_by(&agent, |key| *key = Reverse(pack(agent, ticks)));
    }
    #[inline]
    fn first(&mut self) -> (i64, u32) {
        unpack(self.0.peek().expect("all agents act").1.0)
    }
}

/// Scans all keys after the first one moved back.
struct Scan {
    keys: Vec<u128>,
    first: u128,
}

impl Contestant for Scan {
    fn new(agents: usize) -> Scan {
        Scan { keys: vec![IDLE; agents], first: IDLE }
    }
    #[inline]
    fn set(&mut self, agent: u32, ticks: i64) {
        let key = pack(agent, ticks);
        let before = std::mem::replace(&mut self.keys[agent as usize], key);
        if key < self.first {
            self.first = key;
        } else if before == self.first {
            self.first = least(&self.keys);
        }
    }
    #[inline]
    fn first(&mut self) -> (i64, u32) {
        unpack(self.first)
    }
}

/// The crate holds the smallest key of each group of agents. A group is scanned when its smallest
/// key moved back, and the crate is only updated when the smallest key changed.
struct Groups<const SIZE: usize> {
    keys: Vec<[u128; SIZE]>,
    least: Vec<u128>,
    queue: PriorityQueue<u32, Reverse<u128>, FxBuildHasher>,
    first: u128,
}

impl<const SIZE: usize> Contestant for Groups<SIZE> {
    fn new(agents: usize) -> Groups<SIZE> {
        let groups = agents.div_ceil(SIZE);
        Groups {
            keys: vec![[IDLE; SIZE]; groups],
            least: vec![IDLE; groups],
            queue: BareCrate::new(groups).0,
            first: IDLE,
        }
    }
    #[inline]
    fn set(&mut self, agent: u32, ticks: i64) {
        let key = pack(agent, ticks);
        let (group, member) = (agent as usize / SIZE, agent as usize % SIZE);
        let before = std::mem::replace(&mut self.keys[group][member], key);
        let was = self.least[group];
        let is = if key < was {
            key
        } else if before == was {
            least(&self.keys[group])
        } else {
            return;
        };
        if is == was {
            return;
        }
        self.least[group] = is;
        if self.least.len() == 1 {
            self.first = is;
            return;
        }
        self.queue.change_priority(&(group as u32), Reverse(is));
        self.first = self.queue.peek().map_or(IDLE, |(_, key)| key.0);
    }
    #[inline]
    fn first(&mut self) -> (i64, u32) {
        unpack(self.first)
    }
}

/// The same, with a winner tree for each group.
struct Trees<const SIZE: usize> {
    trees: Vec<WinnerTree<u128>>,
    queue: PriorityQueue<u32, Reverse<u128>, FxBuildHasher>,
    first: u128,
}

impl<const SIZE: usize> Contestant for Trees<SIZE> {
    fn new(agents: usize) -> Trees<SIZE> {
        let groups = agents.div_ceil(SIZE);
        Trees {
            trees: (0..groups).map(|_| WinnerTree::idle(SIZE.min(agents), IDLE)).collect(),
            queue: BareCrate::new(groups).0,
            first: IDLE,
        }
    }
    #[inline]
    fn set(&mut self, agent: u32, ticks: i64) {
        let group = agent as usize / SIZE;
        let tree = &mut self.trees[group];
        let was = tree.nodes[1];
        tree.replace(agent % SIZE as u32, pack(agent, ticks));
        let is = tree.nodes[1];
        if is == was {
            return;
        }
        if self.trees.len() == 1 {
            self.first = is;
            return;
        }
        self.queue.change_priority(&(group as u32), Reverse(is));
        self.first = self.queue.peek().map_or(IDLE, |(_, key)| key.0);
    }
    #[inline]
    fn first(&mut self) -> (i64, u32) {
        unpack(self.first)
    }
}

const GAPS: usize = 2048;

/// A contestant at work; each agent always has a next event.
struct Hold<C> {
    contestant: C,
    gaps: Vec<i64>,
    next: usize,
}

impl<C: Contestant> Hold<C> {
    fn new(agents: usize) -> Hold<C> {
        let mut rng = Streams::new(1).stream("bench/calendar");
        let mut gap = || 1 + (rng.sample::<f64, _>(Exp1) * 1e6) as i64;
        let mut contestant = C::new(agents);
        (0..agents as u32).for_each(|agent| contestant.set(agent, gap()));
        Hold { contestant, gaps: (0..GAPS).map(|_| gap()).collect(), next: 0 }
    }

    #[inline]
    fn later(&mut self, ticks: i64) -> i64 {
        self.next = (self.next + 1) % GAPS;
        ticks + self.gaps[self.next]
    }

    #[inline]
    fn pair(&mut self, model: Model) {
        let (ticks, agent) = self.contestant.first();
        let next = self.later(ticks);
        self.contestant.set(agent, next);
        let (ticks, agent) = match model {
            Model::Hold => self.contestant.first(),
            Model::MovesAnother => (ticks, agent ^ 1),
        };
        let next = self.later(ticks);
        self.contestant.set(agent, next);
    }

    fn pairs(&mut self, model: Model, pairs: u64) {
        (0..pairs).for_each(|_| self.pair(model));
    }
}

/// Measures or counts each contestant.
trait Visitor {
    fn visit<C: Contestant>(&mut self, name: &'static str);
}

fn all(visitor: &mut impl Visitor) {
    visitor.visit::<WinnerTree<u128>>(BASELINE);
    visitor.visit::<Gridpact>("gridpact");
    visitor.visit::<LazyDeletion>("BinaryHeap, lazy deletion");
    visitor.visit::<EntryPerEvent>("BinaryHeap, entry an event");
    visitor.visit::<WinnerTree<u64>>("winner tree of u64");
    visitor.visit::<BareCrate>("priority-queue");
    visitor.visit::<BareCrateBy>("priority-queue, change_by");
    visitor.visit::<Groups<8>>("priority-queue of scanned 8");
    visitor.visit::<Groups<16>>("priority-queue of scanned 16");
    visitor.visit::<Groups<32>>("priority-queue of scanned 32");
    visitor.visit::<Trees<64>>("priority-queue of trees of 64");
    visitor.visit::<Trees<256>>("priority-queue of trees of 256");
    visitor.visit::<Trees<1024>>("priority-queue of trees of 1024");
    visitor.visit::<Scan>("scan");
}

/// The events of a pair.
#[derive(Clone, Copy, PartialEq)]
enum Model {
    /// Two events.
    Hold,
    /// One event that also moves a neighbour.
    MovesAnother,
}

/// A number of agents and their events.
#[derive(Clone, Copy)]
struct Setting {
    agents: usize,
    model: Model,
}

const fn hold(agents: usize) -> Setting {
    Setting { agents, model: Model::Hold }
}

const fn moves_another(agents: usize) -> Setting {
    Setting { agents, model: Model::MovesAnother }
}

const SETTINGS: [Setting; 12] = [
    hold(2),
    hold(10),
    hold(16),
    hold(24),
    hold(32),
    hold(64),
    hold(100),
    hold(1000),
    hold(10_000),
    moves_another(10),
    moves_another(100),
    moves_another(1000),
];

impl Setting {
    fn name(self) -> String {
        match self.model {
            Model::Hold => format!("{} agents", self.agents),
            Model::MovesAnother => format!("{} agents, one moves another", self.agents),
        }
    }

    /// Excludes scans of thousands, and a heap that can only move its first entry.
    fn admits(self, name: &str) -> bool {
        let scans = name == "scan" && self.agents > 100;
        let stiff = name == "BinaryHeap, entry an event" && self.model == Model::MovesAnother;
        !scans && !stiff
    }
}

const PAIRS: u64 = 20_000;

struct Times<'a, 'b> {
    table: &'a mut Table<'b>,
    setting: Setting,
}

impl Visitor for Times<'_, '_> {
    fn visit<C: Contestant>(&mut self, name: &'static str) {
        let Setting { agents, model } = self.setting;
        if self.setting.admits(name) {
            let mut hold: Hold<C> = Hold::new(agents);
            let run = |()| hold.pairs(model, PAIRS);
            self.table.measure(self.setting.name(), name, PAIRS, || (), run);
        }
    }
}

/// Runs one contestant once, to count its instructions.
struct Once {
    contestant: String,
    setting: Setting,
}

impl Visitor for Once {
    fn visit<C: Contestant>(&mut self, name: &'static str) {
        if name == self.contestant {
            let mut hold: Hold<C> = Hold::new(self.setting.agents);
            measured_section(|| hold.pairs(self.setting.model, PAIRS));
        }
    }
}

struct Instructions {
    setting: Setting,
}

impl Visitor for Instructions {
    fn visit<C: Contestant>(&mut self, name: &'static str) {
        if !self.setting.admits(name) {
            return;
        }
        match instructions(&["--once", name, &self.setting.name()]) {
            Some(count) => println!("    {name:<34} {:>8.1}", count as f64 / PAIRS as f64),
            None => println!("    {name:<34} skipped: valgrind is not there"),
        }
    }
}

fn main() {
    if let Some(arguments) = arguments_after("--once") {
        let setting = SETTINGS.into_iter().find(|setting| setting.name() == arguments[1]);
        let setting = setting.expect("a setting's name");
        return all(&mut Once { contestant: arguments[0].clone(), setting });
    }
    if arguments_after("--instructions").is_some() {
        println!("instructions a pair");
        for setting in SETTINGS {
            println!("  {}", setting.name());
            all(&mut Instructions { setting });
        }
        return;
    }
    let mut criterion = criterion();
    let mut table = Table::new(&mut criterion, "calendar", "pair", BASELINE);
    for setting in SETTINGS {
        all(&mut Times { table: &mut table, setting });
    }
    table.finish();
    criterion.final_summary();
}

//! The event loop: instants, phases and waves.
//!
//! Each instant runs as follows. Every agent due at the instant in a phase up to [`World::SETTLE`]
//! is woken, in the order (phase, agent). Then the world settles: its schedulers decide, once. If
//! that made more agents due at the same instant, another wave follows. Last come the phases after
//! `SETTLE` (sampling). The engine owns the calendar and knows nothing else.

use super::calendar::{Agent, Calendar, Instant, Phase};
use super::state::{Corrupt, State, put, take};
use super::time::Time;

/// The interface between the engine and a world.
///
/// The world owns everything by index. It reports when an agent acts next, and acts when told to.
pub trait World {
    /// Last phase before settling: agents due at one instant in this phase or an earlier one are
    /// woken before the world settles, those in later phases after it.
    const SETTLE: Phase;
    /// The type of errors outside the model (an unreadable workload file, say).
    type Error;

    /// Returns the number of agents, numbered from 0. It does not change during a run.
    fn agents(&self) -> usize;

    /// Returns the next instant at which an agent acts: the minimum over its internal events.
    fn next(&self, agent: Agent) -> Option<Instant>;

    /// Performs an agent's actions due at `at`. Every *other* agent whose next instant changed is
    /// added to `moved`. An agent that is still due is woken again.
    ///
    /// # Errors
    /// An error outside the model; the run ends.
    fn wake(&mut self, agent: Agent, at: Instant, moved: &mut Moved) -> Result<(), Self::Error>;

    /// Lets all schedulers with pending decisions decide; called once per wave.
    ///
    /// # Errors
    /// An error outside the model; the run ends.
    fn settle(&mut self, now: Time, moved: &mut Moved) -> Result<(), Self::Error>;

    /// Returns true to settle after each single wake instead of once per wave. The world then
    /// performs one action per wake. It serves comparisons with event-by-event simulators.
    fn settles_after_each_wake(&self) -> bool {
        false
    }

    /// Returns true if the last wake did only a part of the due work. The caller can then check for
    /// interrupts. The agent is still due, and [`Engine::step`] returns. For worlds with one agent.
    fn pauses(&self) -> bool {
        false
    }
}

/// The agents whose next instant changed.
#[derive(Clone, Debug, Default)]
pub struct Moved(Vec<Agent>);

impl Moved {
    /// Records that an agent's next instant may have changed; duplicates are harmless.
    #[inline]
    pub fn push(&mut self, agent: Agent) {
        self.0.push(agent);
    }
}

/// The reason why a run stopped before its end.
#[derive(Debug, thiserror::Error)]
pub enum Stopped<E> {
    /// An error outside the model.
    #[error(transparent)]
    World(#[from] E),
    /// Work at one instant never ends.
    #[error("at time {at} more than {WAKES} events followed each other without time passing")]
    Endless {
        /// The instant.
        at: Time,
    },
    /// An agent asked to act in the past: a bug of that agent.
    #[error("agent {agent} asked to act at {asked}, but it is {now} already", agent = agent.0)]
    Past {
        /// The agent.
        agent: Agent,
        /// Requested time.
        asked: Time,
        /// Current time.
        now: Time,
    },
}

/// Maximum number of wakes in one instant. A batch of a hundred million jobs of length zero on one
/// processor still passes; an agent that never lets time advance is caught within seconds.
pub const WAKES: u64 = 1 << 28;

/// A world and its calendar.
#[derive(Clone, Debug)]
pub struct Engine<W> {
    world: W,
    calendar: Calendar,
    moved: Moved,
    now: Time,
    /// True if an agent was woken in the current instant and the world has yet to settle.
    unsettled: bool,
    wakes: u64,
    /// Number of wakes before the current instant.
    before: u64,
}

impl<W: World> Engine<W> {
    /// Creates an engine at time 0.
    pub fn new(world: W) -> Engine<W> {
        let mut engine = Engine {
            calendar: Calendar::new(world.agents()),
            world,
            moved: Moved::default(),
            now: Time::ZERO,
            unsettled: false,
            wakes: 0,
            before: 0,
        };
        engine.refresh();
        engine
    }

    /// Rereads every agent's next instant, after the world was changed from outside.
    pub fn refresh(&mut self) {
        for agent in (0..self.world.agents()).map(|index| Agent(index as u32)) {
            self.calendar.set(agent, self.world.next(agent));
        }
    }

    /// Returns the time of the latest instant.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Returns the next scheduled instant, if any.
    pub fn upcoming(&self) -> Option<Instant> {
        self.calendar.first().map(|(instant, _)| instant)
    }

    /// Returns the total number of wakes.
    pub fn wakes(&self) -> u64 {
        self.wakes
    }

    /// Returns the world.
    pub fn world(&self) -> &W {
        &self.world
    }

    /// Returns false if an instant was left open in the middle of a wave.
    /// [`run_before`](Engine::run_before) and [`step_some`](Engine::step_some) can do so.
    pub fn is_settled(&self) -> bool {
        !self.unsettled
    }

    /// Changes the world between instants, then refreshes the calendar.
    pub fn change<T>(&mut self, change: impl FnOnce(&mut W) -> T) -> T {
        let result = change(&mut self.world);
        self.refresh();
        result
    }

    /// Returns the world for changes that affect no agent's next instant, such as to its observers.
    pub fn watched(&mut self) -> &mut W {
        &mut self.world
    }

    /// Resets the world to time 0, for the next of several independent rounds.
    pub fn restart<T>(&mut self, change: impl FnOnce(&mut W) -> T) -> T {
        self.now = Time::ZERO;
        self.unsettled = false;
        self.before = self.wakes;
        self.change(change)
    }

    /// Returns the world.
    pub fn into_world(self) -> W {
        self.world
    }

    /// Returns an independent copy that continues from here: same state, same streams.
    ///
    /// Forks answer "what if" questions: change one, run both, compare.
    pub fn fork(&self) -> Engine<W>
    where
        W: Clone,
    {
        self.clone()
    }

    /// Runs the next instant to its end, or until the world pauses ([`World::pauses`]). Returns its
    /// time, or `None` when nothing is left.
    ///
    /// # Errors
    /// See [`Stopped`]; the engine cannot be used afterwards.
    #[inline]
    pub fn step(&mut self) -> Result<Option<Time>, Stopped<W::Error>> {
        match self.next_time() {
            None => Ok(None),
            Some(now) => self.instant(now).map(|()| Some(now)),
        }
    }

    /// Same as [`step`](Engine::step), but stops after `wakes` wakes, even within an instant. The
    /// engine can be saved there as between instants; the next call continues.
    ///
    /// # Errors
    /// See [`Stopped`]; the engine cannot be used afterwards.
    #[inline]
    pub fn step_some(&mut self, wakes: u64) -> Result<Option<Time>, Stopped<W::Error>> {
        let pause = self.wakes.saturating_add(wakes.max(1));
        match self.next_time() {
            None => Ok(None),
            Some(now) => self.instant_up_to(now, Phase(u8::MAX), pause).map(|()| Some(now)),
        }
    }

    /// Runs until nothing is left.
    ///
    /// # Errors
    /// See [`Stopped`].
    pub fn run(&mut self) -> Result<(), Stopped<W::Error>> {
        while self.step()?.is_some() {}
        Ok(())
    }

    /// Runs everything before `limit`: all earlier instants, and the earlier phases of its own
    /// instant. If the limit's phase comes before [`World::SETTLE`] the instant stays open, to be
    /// changed and then completed by the next call.
    ///
    /// # Errors
    /// See [`Stopped`].
    pub fn run_before(&mut self, limit: Instant) -> Result<(), Stopped<W::Error>> {
        while let Some(time) = self.next_time() {
            if time >= limit.0 {
                break;
            }
            self.instant(time)?;
        }
        if limit.1 == Phase::FIRST || self.now > limit.0 {
            return Ok(());
        }
        if limit.1 > W::SETTLE {
            return match self.next_time() {
                Some(time) if time == limit.0 => {
                    self.instant_up_to(time, Phase(limit.1.0 - 1), u64::MAX)
                }
                _ => Ok(()),
            };
        }
        let last = Phase(limit.1.0 - 1);
        let most = self.wakes + WAKES;
        while let Some(due) = self.calendar.due(limit.0, last) {
            self.now = limit.0;
            self.wake(limit.0, due)?;
            self.unsettled = true;
            if self.wakes > most {
                return Err(Stopped::Endless { at: limit.0 });
            }
            if self.world.settles_after_each_wake() {
                self.unsettled = false;
                self.world.settle(limit.0, &mut self.moved)?;
                self.reschedule();
            }
        }
        Ok(())
    }

    #[inline]
    fn next_time(&self) -> Option<Time> {
        if self.unsettled {
            return Some(self.now);
        }
        self.calendar.first().map(|((time, _), _)| time)
    }

    #[inline]
    fn instant(&mut self, now: Time) -> Result<(), Stopped<W::Error>> {
        self.instant_up_to(now, Phase(u8::MAX), u64::MAX)
    }

    /// Runs the instant `now` in waves, up to the phase `last` (not before `SETTLE`). Stops early
    /// when the wakes reach a limit.
    #[inline]
    fn instant_up_to(
        &mut self,
        now: Time,
        last: Phase,
        pause: u64,
    ) -> Result<(), Stopped<W::Error>> {
        if now < self.now {
            return Err(self.past(now));
        }
        if now > self.now {
            self.before = self.wakes;
        }
        self.now = now;
        let each = self.world.settles_after_each_wake();
        let most = self.before + WAKES;
        loop {
            while let Some(due) = self.calendar.due(now, W::SETTLE) {
                self.wake(now, due)?;
                if self.world.pauses() {
                    self.wakes -= 1;
                    return Ok(());
                }
                self.unsettled = true;
                if self.wakes > most {
                    return Err(Stopped::Endless { at: now });
                }
                if each {
                    break;
                }
                if self.wakes >= pause {
                    return Ok(());
                }
            }
            if std::mem::take(&mut self.unsettled) {
                self.world.settle(now, &mut self.moved)?;
                self.reschedule();
                if self.wakes >= pause {
                    return Ok(());
                }
            }
            // Run the phases after settling one by one, unless something becomes due before them
            // again.
            match self.calendar.due(now, last) {
                None => return Ok(()),
                Some((phase, _)) if phase <= W::SETTLE => {}
                Some(due) => self.wake(now, due)?,
            }
        }
    }

    #[cold]
    fn past(&self, asked: Time) -> Stopped<W::Error> {
        let agent = self.calendar.first().map_or(Agent(0), |(_, agent)| agent);
        Stopped::Past { agent, asked, now: self.now }
    }

    #[inline]
    fn wake(&mut self, now: Time, due: (Phase, Agent)) -> Result<(), Stopped<W::Error>> {
        let (phase, agent) = due;
        self.wakes += 1;
        self.world.wake(agent, (now, phase), &mut self.moved)?;
        self.calendar.set(agent, self.world.next(agent));
        if !self.moved.0.is_empty() {
            self.reschedule();
        }
        Ok(())
    }

    /// Reads anew the next instants of the agents that moved.
    #[inline]
    fn reschedule(&mut self) {
        // Of one agent, nearly always.
        if let [agent] = self.moved.0[..] {
            self.calendar.set(agent, self.world.next(agent));
            self.moved.0.clear();
        } else {
            self.reschedule_several();
        }
    }

    fn reschedule_several(&mut self) {
        for index in 0..self.moved.0.len() {
            let agent = self.moved.0[index];
            self.calendar.set(agent, self.world.next(agent));
        }
        self.moved.0.clear();
    }
}

/// The calendar is not saved, since the agents determine it. If an instant was left open, the world
/// knows what has yet to settle.
impl<W: World + State> State for Engine<W> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.now, self.wakes, self.unsettled), out);
        self.world.save(out);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.now, self.wakes, self.unsettled) = take(from)?;
        self.before = self.wakes;
        self.world.load(from)?;
        self.refresh();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EARLY: Phase = Phase(1);
    const LATE: Phase = Phase(2);
    const SETTLE: Phase = Phase(4);
    const SAMPLE: Phase = Phase(5);

    /// A world of agents with a list of instants each; it logs all events.
    #[derive(Clone, Default)]
    struct Script {
        agents: Vec<Vec<Instant>>,
        /// Instants that settling at a time adds to an agent.
        adds: Vec<(i64, usize, Instant)>,
        log: Vec<String>,
        each: bool,
    }

    impl World for Script {
        const SETTLE: Phase = SETTLE;
        type Error = std::convert::Infallible;
        fn agents(&self) -> usize {
            self.agents.len()
        }
        fn next(&self, agent: Agent) -> Option<Instant> {
            self.agents[agent.0 as usize].iter().min().copied()
        }
        fn wake(&mut self, agent: Agent, at: Instant, _: &mut Moved) -> Result<(), Self::Error> {
            let list = &mut self.agents[agent.0 as usize];
            let found = list.iter().position(|&instant| instant == at).unwrap();
            list.swap_remove(found);
            self.log.push(format!("{}.{}:{}", at.0.ticks(), at.1.0, agent.0));
            Ok(())
        }
        fn settle(&mut self, now: Time, moved: &mut Moved) -> Result<(), Self::Error> {
            self.log.push(format!("{} settle", now.ticks()));
            while let Some(found) = self.adds.iter().position(|add| add.0 == now.ticks()) {
                let (_, agent, instant) = self.adds.swap_remove(found);
                self.agents[agent].push(instant);
                moved.push(Agent(agent as u32));
            }
            Ok(())
        }
        fn settles_after_each_wake(&self) -> bool {
            self.each
        }
    }

    fn at(ticks: i64, phase: Phase) -> Instant {
        (Time::from_ticks(ticks), phase)
    }

    fn script() -> Script {
        Script {
            agents: vec![vec![at(3, SAMPLE), at(3, LATE)], vec![at(3, EARLY), at(7, EARLY)]],
            ..Script::default()
        }
    }

    #[test]
    fn an_instant_is_phases_then_settling_then_sampling() {
        let mut engine = Engine::new(script());
        assert_eq!(engine.step().unwrap(), Some(Time::from_ticks(3)));
        assert_eq!(engine.world().log, ["3.1:1", "3.2:0", "3 settle", "3.5:0"]);
        engine.run().unwrap();
        assert_eq!(engine.world().log[4..], ["7.1:1", "7 settle"]);
        assert_eq!(engine.step().unwrap(), None);
    }

    #[test]
    fn what_settling_makes_due_is_another_wave_before_sampling() {
        let mut world = script();
        world.adds.push((3, 1, at(3, EARLY)));
        let mut engine = Engine::new(world);
        engine.step().unwrap();
        let log = ["3.1:1", "3.2:0", "3 settle", "3.1:1", "3 settle", "3.5:0"];
        assert_eq!(engine.world().log, log);
    }

    #[test]
    fn event_by_event_settles_after_each_wake() {
        let mut engine = Engine::new(Script { each: true, ..script() });
        engine.step().unwrap();
        let log = ["3.1:1", "3 settle", "3.2:0", "3 settle", "3.5:0"];
        assert_eq!(engine.world().log, log);
    }

    #[test]
    fn run_before_leaves_the_instant_open_and_step_completes_it() {
        let mut engine = Engine::new(script());
        engine.run_before(at(3, LATE)).unwrap();
        assert_eq!(engine.world().log, ["3.1:1"]);
        engine.run_before(at(3, SAMPLE)).unwrap();
        assert_eq!(engine.world().log, ["3.1:1", "3.2:0", "3 settle"]);
        engine.run().unwrap();
        let log = ["3.1:1", "3.2:0", "3 settle", "3.5:0", "7.1:1", "7 settle"];
        assert_eq!(engine.world().log, log);
    }

    #[test]
    fn an_instant_that_lost_its_last_event_still_settles() {
        let mut engine = Engine::new(script());
        engine.run_before(at(7, LATE)).unwrap();
        assert_eq!(engine.world().log.last().unwrap(), "7.1:1");
        assert_eq!(engine.step().unwrap(), Some(Time::from_ticks(7)));
        assert_eq!(engine.world().log.last().unwrap(), "7 settle");
    }

    #[test]
    fn a_fork_goes_its_own_way() {
        let mut engine = Engine::new(script());
        engine.step().unwrap();
        let mut fork = engine.fork();
        fork.change(|world| world.agents[0].push(at(5, EARLY)));
        fork.run().unwrap();
        engine.run().unwrap();
        assert_eq!(fork.world().log.len(), engine.world().log.len() + 2);
    }

    #[test]
    fn asking_for_the_past_is_an_error() {
        let mut world = script();
        world.adds.push((7, 0, at(6, EARLY)));
        let mut engine = Engine::new(world);
        assert!(matches!(engine.run(), Err(Stopped::Past { .. })));
    }

    #[test]
    fn an_instant_in_pieces_is_the_same_instant() {
        for each in [false, true] {
            let mut world = Script { each, ..script() };
            world.adds.push((3, 1, at(3, EARLY)));
            let mut whole = Engine::new(world.clone());
            whole.run().unwrap();
            for piece in 1..4 {
                let mut engine = Engine::new(world.clone());
                while engine.step_some(piece).unwrap().is_some() {}
                assert_eq!(engine.world().log, whole.world().log, "{piece} wakes at once");
            }
        }
    }

    #[test]
    fn an_instant_without_end_is_an_error() {
        struct Endless;
        impl World for Endless {
            const SETTLE: Phase = SETTLE;
            type Error = std::convert::Infallible;
            fn agents(&self) -> usize {
                1
            }
            fn next(&self, _: Agent) -> Option<Instant> {
                Some(at(1, EARLY))
            }
            fn wake(&mut self, _: Agent, _: Instant, _: &mut Moved) -> Result<(), Self::Error> {
                Ok(())
            }
            fn settle(&mut self, _: Time, _: &mut Moved) -> Result<(), Self::Error> {
                Ok(())
            }
        }
        assert!(matches!(Engine::new(Endless).step(), Err(Stopped::Endless { .. })));
    }
}

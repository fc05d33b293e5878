//! gridpact simulates grids whose clusters belong to different, selfish organizations.
//!
//! A deterministic discrete-event kernel drives a world of clusters owned by organizations. Jobs come
//! from lazy sources (real traces in the Standard Workload Format, lists, distributions). Schedulers
//! decide with only the knowledge of a job that their view shows. Accounts keep exact sums and
//! histograms per organization, and an audit that shares no code with the schedulers checks that every
//! rule was followed. The same scenario and seed give the same bytes, for any number of threads.
//!
//! Most people use the `gridpact` program with a TOML scenario; it is built on this library. What the
//! library promises is on this page:
//!
//! | to write | see |
//! |---|---|
//! | a scheduler of one cluster | [`scheduler`] |
//! | a scheduler of a whole grid | [`grid_scheduler`] |
//! | a planner, which proposes schedules of all jobs that wait | [`planner`] |
//! | a learner, which decides for an organization round by round | [`learner`] |
//! | a source of jobs | [`source`] |
//! | an observer of what happens, such as a histogram | [`observer`] |
//! | a kind of cluster, and a grid that is stepped by hand | [`world`] |
//! | all of these | [`basics`]: times, numbers, random streams, saved state |
//! | a grid in code that is run as a scenario is, with files and audit | [`experiment`] |
//!
//! The rest is in crates below this one (`gridpact::kernel` to `gridpact::run`), which may change from
//! version to version; ARCHITECTURE.md has the map. A library needs no program:
//! `default-features = false` leaves the command line out.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

#[doc(hidden)]
pub use ::{
    audit, bounds, findings, game, kernel, model, policy, records, report, review, run, scenario,
    sim, stats, workload,
};

pub use ::kernel::state_of_fields;

/// Times, the numbers of jobs, clusters and organizations, random streams, and state that is saved.
pub mod basics {
    pub use ::kernel::calendar::Phase;
    pub use ::kernel::rng::Streams;
    pub use ::kernel::state::{Corrupt, State};
    pub use ::kernel::time::{Span, Time};
    pub use ::model::ids::{ClusterId, JobId, OrganizationId};
    pub use ::model::jobs::Jobs;
}

/// Schedulers of one cluster.
///
/// A scheduler declares which view of a job it needs; one that uses [`Blind`](scheduler::Blind) cannot
/// know a runtime.
///
/// ```
/// use gridpact::basics::{JobId, Time};
/// use gridpact::scheduler::{Blind, LocalScheduler, Running};
/// use gridpact::state_of_fields;
///
/// /// Last come, first served.
/// #[derive(Clone, Debug, Default)]
/// struct Lcfs { waiting: Vec<(JobId, u32)> }
///
/// state_of_fields!(Lcfs { waiting });                   // what a snapshot keeps
///
/// impl LocalScheduler for Lcfs {
///     type Sees = Blind;
///     fn submit(&mut self, job: Blind, _: Time) {
///         self.waiting.push((job.id, job.processors));
///     }
///     fn finish(&mut self, _: Blind, _started: Time, _: Time) {}
///     fn withdraw(&mut self, job: JobId) {
///         self.waiting.retain(|&(id, _)| id != job);
///     }
///     fn decide(
///         &mut self,
///         _: Time,
///         mut free: u32,
///         _: Running<'_, Blind>,
///         start: &mut Vec<JobId>,
///     ) {
///         while let Some((id, needs)) = self.waiting.pop_if(|(_, needs)| *needs <= free) {
///             free -= needs;
///             start.push(id);
///         }
///     }
/// }
///
/// # use gridpact::{kernel::time::Span, model::{ids::OrganizationId, job::Job}};
/// # use gridpact::sim::{cluster::SpaceShared, grid::{Grid, Settings}};
/// # use gridpact::sim::observer::{Observer, Started};
/// # use gridpact::workload::jobs::ListSource;
/// # #[derive(Default)] struct Order(Vec<u64>);
/// # state_of_fields!(Order { 0 });
/// # impl Observer for Order {
/// #     fn started(&mut self, started: Started<'_>) { self.0.push(started.job.number); }
/// # }
/// # let job = |number, submit| Job { number, source: 0, submit: Time::ZERO + Span::units(submit),
/// #     runtime: Span::units(9), estimate: Span::units(9), processors: 2, user: 0,
/// #     organization: OrganizationId(0), ..Job::default() };
/// let mut grid = Grid::new(Settings::default(), Order::default());
/// let cluster = grid.add_cluster(SpaceShared::new(2, Lcfs::default()));
/// # grid.add_organization(vec![cluster]);
/// # grid.add_source(ListSource::new(vec![job(1, 0), job(2, 1), job(3, 2)]))?;
/// # let mut engine = grid.start();
/// # engine.run()?;
/// assert_eq!(engine.world().observer().0, [1, 3, 2]);   // the order in which three jobs started
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod scheduler {
    pub use ::model::jobs::Running;
    pub use ::model::view::{Blind, Expected, View};
    pub use ::policy::local::{LocalOptions, LocalScheduler, Reason, Setup};
}

/// Schedulers of a whole grid: they send jobs to clusters, or start them there.
///
/// ```
/// use gridpact::grid_scheduler::{GridScheduler, Placement, Sites};
/// use gridpact::basics::{ClusterId, JobId, Span, Time};
/// use gridpact::{scheduler::Blind, state_of_fields};
///
/// /// One cluster after the other.
/// #[derive(Default)]
/// struct InTurn { clusters: u32, next: u32, waiting: Vec<JobId> }
///
/// state_of_fields!(InTurn { next, waiting });
///
/// impl GridScheduler for InTurn {
///     type Sees = Blind;
///     fn submit(&mut self, job: Blind, _group: u32, _: Time) {
///         self.waiting.push(job.id);
///     }
///     fn decide(&mut self, _: Time, _: &impl Sites, out: &mut Vec<Placement>) {
///         for job in self.waiting.drain(..) {
///             out.push(Placement::Send { job, cluster: ClusterId(self.next), delay: Span::ZERO });
///             self.next = (self.next + 1) % self.clusters;
///         }
///     }
/// }
/// ```
pub mod grid_scheduler {
    pub use ::policy::grid::{GridOptions, GridScheduler, Group, Placement, Setup, Site, Sites};
}

/// Planners, which propose schedules of all jobs that wait.
///
/// ```
/// use gridpact::planner::{Planner, Plans, Problem, Schedule};
/// use gridpact::state_of_fields;
///
/// /// Everybody alone: each organization's jobs on its own clusters.
/// struct Alone;
///
/// state_of_fields!(Alone {});
///
/// impl Planner for Alone {
///     fn plan(&mut self, problem: &Problem, out: &mut Plans) {
///         let mut schedule = Schedule::of(problem, &problem.alone);
///         schedule.place_others();
///         schedule.write("alone", out);
///     }
/// }
/// ```
pub mod planner {
    pub use ::policy::plan::schedule::Schedule;
    pub use ::policy::plan::{Planner, PlannerOptions, Plans, Problem};
}

/// Learners, which decide round by round whether their organization takes part.
///
/// ```
/// use gridpact::learner::{Act, Actions, Draws, Learner, Outcome, OwnPayoff, Player, Seen, Stance};
/// use gridpact::{basics::Streams, state_of_fields};
///
/// /// It takes part for as long as that pays.
/// struct WhileItPays { takes_part: bool }
///
/// state_of_fields!(WhileItPays { takes_part });
///
/// impl Learner for WhileItPays {
///     type Sees = OwnPayoff;
///     fn act(&mut self, actions: Actions, _: &mut Draws<'_>) -> Act {
///         if self.takes_part { actions.taking_part(Default::default()) } else { actions.staying_out() }
///     }
///     fn learn(&mut self, seen: Seen<'_, OwnPayoff>, _: &mut Draws<'_>) {
///         self.takes_part &= seen.payoff() >= 0.0;
///     }
///     fn stance(&self) -> Stance {
///         let probability = Some(f64::from(u8::from(self.takes_part)));
///         Stance { probability, ..Stance::default() }
///     }
/// }
///
/// let mut one = WhileItPays { takes_part: true };
/// let streams = Streams::new(1).in_round(1);
/// let lost = Outcome { payoffs: vec![-1.0], ..Outcome::default() };
/// one.observe(&lost, 0, &mut streams.draws("learn"));
/// assert_eq!(Learner::stance(&one).probability, Some(0.0));
/// ```
pub mod learner {
    pub use ::game::stage::{Act, Actions, Outcome, OwnPayoff, Seen, StageGame};
    pub use ::kernel::rng::Draws;
    pub use ::policy::learn::{Learner, LearnerOptions, Player, Stance};
    pub use ::sim::repeated::Repeated;
}

/// Sources of jobs.
///
/// ```
/// use gridpact::basics::{Span, Streams, Time};
/// use gridpact::source::{Job, Source, SourceError};
/// use gridpact::state_of_fields;
///
/// /// A job of a minute every hour.
/// struct Hourly { next: u64, jobs: u64 }
///
/// state_of_fields!(Hourly { next });
///
/// impl Source for Hourly {
///     type Load = Job;
///     fn next(&mut self) -> Result<Option<Job>, SourceError> {
///         if self.next == self.jobs {
///             return Ok(None);
///         }
///         self.next += 1;
///         let submit = Time::ZERO + Span::units(3600 * self.next as i64);
///         let minute = Span::units(60);
///         let (number, runtime, estimate, processors) = (self.next, minute, minute, 1);
///         Ok(Some(Job { number, submit, runtime, estimate, processors, ..Job::default() }))
///     }
///     fn restart(&mut self, _: &Streams) -> Result<(), SourceError> {
///         self.next = 0;
///         Ok(())
///     }
/// }
///
/// let mut source = Hourly { next: 0, jobs: 2 };
/// assert_eq!(source.next()?.map(|job| job.number), Some(1));
/// # Ok::<(), SourceError>(())
/// ```
pub mod source {
    pub use ::model::job::Job;
    pub use ::workload::jobs::ListSource;
    pub use ::workload::swf::SwfSource;
    pub use ::workload::{Source, SourceError};
}

/// Observers of a grid.
///
/// ```
/// use gridpact::{basics::{Corrupt, JobId, State, Time}, source::Job};
/// use gridpact::sim::observer::{Finished, Observer, Started, Submitted};
/// use gridpact::stats::distribution::{Detail, Distribution};
///
/// /// The waits of wide jobs, and a line for every event.
/// struct WideWaits { histogram: Distribution, log: Vec<String> }
///
/// impl Observer for WideWaits {
///     fn submitted(&mut self, Submitted { job, now, .. }: Submitted<'_>) {
///         self.log.push(format!("{now}: job {} comes", job.number));
///     }
///     fn started(&mut self, started: Started<'_>) {
///         self.log.push(format!("{}: job {} starts", started.start, started.job.number));
///     }
///     fn finished(&mut self, finished: Finished<'_>) {
///         if finished.job.processors >= 2 {
///             self.histogram.record(finished.wait().ticks() as u64);
///         }
///     }
/// }
///
/// impl State for WideWaits {
///     fn save(&self, out: &mut Vec<u8>) { self.histogram.save(out); }
///     fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> { self.histogram.load(from) }
/// }
/// # use gridpact::{kernel::time::Span, model::ids::OrganizationId};
/// # use gridpact::sim::{cluster::SpaceShared, grid::{Grid, Settings}};
/// # use gridpact::policy::local::fcfs::Fcfs;
/// # use gridpact::workload::jobs::ListSource;
/// # let job = |number, submit| Job { number, source: 0, submit: Time::ZERO + Span::units(submit),
/// #     runtime: Span::units(9), estimate: Span::units(9), processors: 2, user: 0,
/// #     organization: OrganizationId(0), ..Job::default() };
///
/// let watch = WideWaits { histogram: Distribution::new(Detail::Full), log: Vec::new() };
/// let mut grid = Grid::new(Settings::default(), watch);
/// # let cluster = grid.add_cluster(SpaceShared::new(2, Fcfs::default()));
/// # grid.add_organization(vec![cluster]);
/// # grid.add_source(ListSource::new(vec![job(1, 0), job(2, 1)]))?;
/// # let mut engine = grid.start();
/// # engine.run()?;
/// let watch = engine.world().observer();
/// assert_eq!(watch.log[2], "1: job 2 comes");
/// assert_eq!(watch.histogram.quantile(0.99), Some(8.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod observer {
    pub use ::sim::accounts::{Accounts, Counting, Owned};
    pub use ::sim::observer::{Finished, Observer, Started, Submitted, Unfinished};
    pub use ::stats::distribution::{Detail, Distribution};
}

/// Grids, and the kinds of clusters in them.
///
/// # Step by step
///
/// ```
/// use gridpact::{basics::{OrganizationId, Phase, Span, Time}, source::Job};
/// use gridpact::policy::local::{Setup, easy::{self, Easy}};
/// use gridpact::sim::accounts::{Accounts, Counting, Owned};
/// use gridpact::sim::{cluster::SpaceShared, grid::{Grid, Settings}};
/// use gridpact::workload::jobs::ListSource;
/// use gridpact::basics::Streams;
///
/// let physics = OrganizationId(0);
/// let job = |number, submit, runtime, processors| Job {
///     number, source: 0, submit: Time::ZERO + Span::units(submit),
///     runtime: Span::units(runtime), estimate: Span::units(runtime),
///     processors, user: 0, organization: physics, ..Job::default() };
/// // Job 3 overtakes job 2, which needs the whole cluster, without delaying it.
/// let jobs = vec![job(1, 0, 10, 3), job(2, 1, 5, 4), job(3, 2, 8, 1)];
///
/// let accounts =
///     Accounts::new(1, vec![Owned { owner: physics, processors: 4 }], Counting::default());
/// let mut grid = Grid::new(Settings::default(), accounts);
/// let setup = Setup { name: "tower", processors: 4, streams: &Streams::new(1) };
/// let easy = Easy::new(&easy::Options::default(), &setup);
/// let tower = grid.add_cluster(SpaceShared::new(4, easy));
/// grid.add_organization(vec![tower]);
/// grid.add_source(ListSource::new(jobs))?;
///
/// let mut engine = grid.start();
/// assert_eq!(engine.step()?, Some(Time::ZERO));         // the first instant: job 1 starts
/// engine.run_before((Time::ZERO + Span::units(2), Phase::FIRST))?; // all that is before time 2
/// assert_eq!(engine.world().jobs().len(), 2);           // one runs, one waits
/// let what_if = engine.fork();                          // a second engine that goes its own way
/// engine.run()?;                                        // to the end
///
/// let accounts = engine.into_world().finish(Time::ZERO + Span::units(15));
/// let account = &accounts.organizations()[0];
/// assert_eq!(account.jobs.finished, 3);
/// assert_eq!(account.wait.mean(), Some(3.0));           // job 2 waits from 1 to 10
/// assert_eq!(what_if.world().counts().finished, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # A kind of cluster
///
/// ```
/// use gridpact::{basics::{JobId, Jobs, Span, State, Time}, source::Job};
/// use gridpact::sim::cluster::{ClusterAgent, Due, Ended, OutOfTime};
/// use gridpact::state_of_fields;
///
/// /// A cloud: it has room for everybody at once, and each job starts a minute late.
/// #[derive(Clone, Debug, Default)]
/// struct Cloud { fresh: Vec<JobId>, ends: Vec<(Time, JobId)> }
///
/// state_of_fields!(Cloud { fresh, ends });
///
/// impl ClusterAgent for Cloud {
///     fn processors(&self) -> u32 { u32::MAX }
///     fn demand(&self) -> u64 { self.ends.len() as u64 }
///     fn next(&self) -> Option<(Time, Due)> {
///         self.ends.iter().min().map(|&(at, _)| (at, Due::Finish))
///     }
///     fn submit(&mut self, id: JobId, _: &Jobs, _: Time) { self.fresh.push(id); }
///     fn wake(&mut self, now: Time, _: &mut Jobs) -> Option<Ended> {
///         let due = self.ends.iter().position(|&(at, _)| at == now)?;
///         let (_, id) = self.ends.swap_remove(due);
///         Some(Ended { id, killed: false })
///     }
///     fn settle(&mut self, now: Time, jobs: &mut Jobs, started: &mut Vec<JobId>)
///         -> Result<(), OutOfTime>
///     {
///         for id in self.fresh.drain(..) {
///             jobs.start(id, now);
///             let runs = Span::units(60) + jobs.get(id).job.runtime;
///             self.ends.push((now.checked_add(runs).ok_or(OutOfTime(id))?, id));
///             started.push(id);
///         }
///         Ok(())
///     }
/// }
/// # use gridpact::sim::grid::{Grid, Settings};
/// # use gridpact::workload::jobs::ListSource;
/// # use gridpact::basics::OrganizationId;
/// # let job = |number| Job { number, source: 0, submit: Time::ZERO, runtime: Span::units(9),
/// #     estimate: Span::units(9), processors: 2, user: 0, organization: OrganizationId(0),
/// #     ..Job::default() };
/// # let mut grid = Grid::new(Settings::default(), ());
/// # let cloud = grid.add_cluster(Cloud::default());
/// # grid.add_organization(vec![cloud]);
/// # grid.add_source(ListSource::new(vec![job(1), job(2)]))?;
/// # let mut engine = grid.start();
/// # engine.run()?;
/// # assert_eq!(engine.now(), Time::ZERO + Span::units(69));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # A world of its own
///
/// [`conduct`](world::conduct) runs whatever is [`Runnable`](world::Runnable), with threads, records,
/// checkpoints and files. `tests/engine/own_world.rs` is such a world of a hundred lines.
pub mod world {
    pub use ::kernel::engine::Engine;
    pub use ::run::conduct::conduct;
    pub use ::run::world::{Replica, Runnable};
    pub use ::sim::cluster::{ClusterAgent, Due, Ended, OutOfTime, SpaceShared, TimeShared};
    pub use ::sim::grid::{Grid, Settings};
}

/// Grids that are built in code, and run like a scenario.
///
/// ```
/// use gridpact::experiment::Experiment;
/// use gridpact::policy::local::fcfs::Fcfs;
/// use gridpact::{basics::Span, source::Job};
///
/// let mut grid = Experiment::new("two jobs");
/// let physics = grid.organization("physics");
/// grid.cluster("tower", physics, 4, "fcfs");
/// let job = |number| Job {
///     number, runtime: Span::units(10), estimate: Span::units(10), processors: 4,
///     organization: physics, ..Job::default() };
/// grid.jobs("both", vec![job(1), job(2)]);
/// let found = grid.run(None, |_| Fcfs::default())?;             // a folder gets files, too
/// assert_eq!(found.results.accounts.organizations()[0].wait.mean(), Some(5.0));
/// # Ok::<(), gridpact::experiment::RunError>(())
/// ```
pub mod experiment {
    pub use ::findings::grid::results::Results;
    pub use ::run::RunError;
    pub use ::run::experiment::{Experiment, Outcome};
}

/// The Rust examples of the book are compiled and run as doctests.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../docs/book/src/how-to/own-scheduler.md")]
    struct OwnScheduler;
}

//! gridpact simulates grids whose clusters belong to different, selfish organizations.
//!
//! A deterministic discrete-event [`kernel`] drives a world of [clusters](sim::cluster) owned by
//! organizations. Jobs come from lazy [`workload`] streams (real traces in the Standard Workload
//! Format, lists, distributions). [Schedulers](policy::local) decide with only the knowledge of a
//! job that their [view](model::view) shows. [`sim::accounts`] keep exact sums and histograms per
//! organization, and an [`audit`] that shares no code with the schedulers checks that every rule
//! was followed. The same scenario and seed give the same bytes, for any number of threads.
//!
//! Most people use the `gridpact` program with a TOML [`scenario`]; it is built on this library.
//! Every part is pluggable by type, and the event loop uses no trait objects.
//!
//! # Where a new part goes
//!
//! | to add | write | and one line in |
//! |---|---|---|
//! | a scheduler, balancer or learner | a file in [`policy`] with its `Options` | the registry of its kind ([`policy::local`], [`policy::coalition`], [`policy::learn`]) |
//! | a distribution of runtimes | a file in `workload/draw` | the registry in [`workload::draw`] |
//! | a measure | a [`Sample::put`](findings::sample::Sample::put) where a world adds up a replication | the register in [`findings::measure`] |
//! | a world | a type that is [`Runnable`](run::world::Runnable), and its [`Report`](report::world::Report) if its figures need more words than the default has | [`scenario::plan::World`], if scenarios can describe it |
//! | a file of results that every world has | a function in [`report`] over [`Findings`](findings::Findings) | [`report::world::files`] |
//! | a file of one world | a function in [`report`] | `files` of that world's [`Report`](report::world::Report) |
//! | a kind of records | a writer in [`report`] | [`Runnable::records`](run::world::Runnable::records) |
//! | a study | a folder in [`study`] | [`study::PAPERS`] |
//!
//! [`run::experiment`] runs a grid that is built in code, with a scheduler of its own;
//! [`run::conduct`] runs any world, also one from outside this crate.
//!
//! # A grid, step by step
//!
//! ```
//! use gridpact::kernel::{calendar::Phase, time::{Span, Time}};
//! use gridpact::model::{ids::OrganizationId, job::Job};
//! use gridpact::policy::local::{Setup, easy::{self, Easy}};
//! use gridpact::sim::accounts::{Accounts, Counting, Owned};
//! use gridpact::sim::{cluster::SpaceShared, grid::{Grid, Settings}};
//! use gridpact::workload::jobs::ListSource;
//! use gridpact::kernel::rng::Streams;
//!
//! let physics = OrganizationId(0);
//! let job = |number, submit, runtime, processors| Job {
//!     number, source: 0, submit: Time::ZERO + Span::units(submit),
//!     runtime: Span::units(runtime), estimate: Span::units(runtime),
//!     processors, user: 0, organization: physics, ..Job::default() };
//! // Job 3 overtakes job 2, which needs the whole cluster, without delaying it.
//! let jobs = vec![job(1, 0, 10, 3), job(2, 1, 5, 4), job(3, 2, 8, 1)];
//!
//! let accounts =
//!     Accounts::new(1, vec![Owned { owner: physics, processors: 4 }], Counting::default());
//! let mut grid = Grid::new(Settings::default(), accounts);
//! let setup = Setup { name: "tower", processors: 4, streams: &Streams::new(1) };
//! let easy = Easy::new(&easy::Options::default(), &setup);
//! let tower = grid.add_cluster(SpaceShared::new(4, easy));
//! grid.add_organization(vec![tower]);
//! grid.add_source(ListSource::new(jobs))?;
//!
//! let mut engine = grid.start();
//! assert_eq!(engine.step()?, Some(Time::ZERO));         // the first instant: job 1 starts
//! engine.run_before((Time::ZERO + Span::units(2), Phase::FIRST))?; // all that is before time 2
//! assert_eq!(engine.world().jobs().len(), 2);           // one runs, one waits
//! let what_if = engine.fork();                          // a second engine that goes its own way
//! engine.run()?;                                        // to the end
//!
//! let accounts = engine.into_world().finish(Time::ZERO + Span::units(15));
//! let account = &accounts.organizations()[0];
//! assert_eq!(account.jobs.finished, 3);
//! assert_eq!(account.wait.mean(), Some(3.0));           // job 2 waits from 1 to 10
//! assert_eq!(what_if.world().counts().finished, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Writing a scheduler
//!
//! A scheduler declares which [view](model::view) of a job it needs; one that uses
//! [`model::view::Blind`] cannot know a runtime.
//!
//! ```
//! use gridpact::kernel::time::Time;
//! use gridpact::model::{ids::JobId, jobs::Running, view::Blind};
//! use gridpact::policy::local::LocalScheduler;
//! use gridpact::state_of_fields;
//!
//! /// Last come, first served.
//! #[derive(Clone, Debug, Default)]
//! struct Lcfs { waiting: Vec<(JobId, u32)> }
//!
//! state_of_fields!(Lcfs { waiting });                   // what a snapshot keeps
//!
//! impl LocalScheduler for Lcfs {
//!     type Sees = Blind;
//!     fn submit(&mut self, job: Blind, _: Time) {
//!         self.waiting.push((job.id, job.processors));
//!     }
//!     fn finish(&mut self, _: Blind, _started: Time, _: Time) {}
//!     fn withdraw(&mut self, job: JobId) {
//!         self.waiting.retain(|&(id, _)| id != job);
//!     }
//!     fn decide(
//!         &mut self,
//!         _: Time,
//!         mut free: u32,
//!         _: Running<'_, Blind>,
//!         start: &mut Vec<JobId>,
//!     ) {
//!         while let Some((id, needs)) = self.waiting.pop_if(|(_, needs)| *needs <= free) {
//!             free -= needs;
//!             start.push(id);
//!         }
//!     }
//! }
//!
//! # use gridpact::{kernel::time::Span, model::{ids::OrganizationId, job::Job}};
//! # use gridpact::sim::{cluster::SpaceShared, grid::{Grid, Settings}};
//! # use gridpact::sim::observer::{Observer, Started};
//! # use gridpact::workload::jobs::ListSource;
//! # #[derive(Default)] struct Order(Vec<u64>);
//! # state_of_fields!(Order { 0 });
//! # impl Observer for Order {
//! #     fn started(&mut self, started: Started<'_>) { self.0.push(started.job.number); }
//! # }
//! # let job = |number, submit| Job { number, source: 0, submit: Time::ZERO + Span::units(submit),
//! #     runtime: Span::units(9), estimate: Span::units(9), processors: 2, user: 0,
//! #     organization: OrganizationId(0), ..Job::default() };
//! let mut grid = Grid::new(Settings::default(), Order::default());
//! let cluster = grid.add_cluster(SpaceShared::new(2, Lcfs::default()));
//! # grid.add_organization(vec![cluster]);
//! # grid.add_source(ListSource::new(vec![job(1, 0), job(2, 1), job(3, 2)]))?;
//! # let mut engine = grid.start();
//! # engine.run()?;
//! assert_eq!(engine.world().observer().0, [1, 3, 2]);   // the order in which three jobs started
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Writing a cluster agent
//!
//! ```
//! use gridpact::kernel::{state::State, time::{Span, Time}};
//! use gridpact::model::{ids::JobId, job::Job, jobs::Jobs};
//! use gridpact::sim::cluster::{ClusterAgent, Due, Ended, OutOfTime};
//! use gridpact::state_of_fields;
//!
//! /// A cloud: it has room for everybody at once, and each job starts a minute late.
//! #[derive(Clone, Debug, Default)]
//! struct Cloud { fresh: Vec<JobId>, ends: Vec<(Time, JobId)> }
//!
//! state_of_fields!(Cloud { fresh, ends });
//!
//! impl ClusterAgent for Cloud {
//!     fn processors(&self) -> u32 { u32::MAX }
//!     fn demand(&self) -> u64 { self.ends.len() as u64 }
//!     fn next(&self) -> Option<(Time, Due)> {
//!         self.ends.iter().min().map(|&(at, _)| (at, Due::Finish))
//!     }
//!     fn submit(&mut self, id: JobId, _: &Jobs, _: Time) { self.fresh.push(id); }
//!     fn wake(&mut self, now: Time, _: &mut Jobs) -> Option<Ended> {
//!         let due = self.ends.iter().position(|&(at, _)| at == now)?;
//!         let (_, id) = self.ends.swap_remove(due);
//!         Some(Ended { id, killed: false })
//!     }
//!     fn settle(&mut self, now: Time, jobs: &mut Jobs, started: &mut Vec<JobId>)
//!         -> Result<(), OutOfTime>
//!     {
//!         for id in self.fresh.drain(..) {
//!             jobs.start(id, now);
//!             let runs = Span::units(60) + jobs.get(id).job.runtime;
//!             self.ends.push((now.checked_add(runs).ok_or(OutOfTime(id))?, id));
//!             started.push(id);
//!         }
//!         Ok(())
//!     }
//! }
//! # use gridpact::sim::grid::{Grid, Settings};
//! # use gridpact::workload::jobs::ListSource;
//! # use gridpact::model::ids::OrganizationId;
//! # let job = |number| Job { number, source: 0, submit: Time::ZERO, runtime: Span::units(9),
//! #     estimate: Span::units(9), processors: 2, user: 0, organization: OrganizationId(0),
//! #     ..Job::default() };
//! # let mut grid = Grid::new(Settings::default(), ());
//! # let cloud = grid.add_cluster(Cloud::default());
//! # grid.add_organization(vec![cloud]);
//! # grid.add_source(ListSource::new(vec![job(1), job(2)]))?;
//! # let mut engine = grid.start();
//! # engine.run()?;
//! # assert_eq!(engine.now(), Time::ZERO + Span::units(69));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Writing a histogram reporter
//!
//! A grid is watched by an [`Observer`](sim::observer::Observer). A pair of observers is an
//! observer too, so `(Accounts, Mine)` keeps the accounts and yours.
//!
//! ```
//! use gridpact::kernel::{state::{Corrupt, State}, time::Time};
//! use gridpact::model::{ids::JobId, job::Job};
//! use gridpact::sim::observer::{Finished, Observer, Started, Submitted};
//! use gridpact::stats::distribution::{Detail, Distribution};
//!
//! /// The waits of wide jobs, and a line for every event.
//! struct WideWaits { histogram: Distribution, log: Vec<String> }
//!
//! impl Observer for WideWaits {
//!     fn submitted(&mut self, Submitted { job, now, .. }: Submitted<'_>) {
//!         self.log.push(format!("{now}: job {} comes", job.number));
//!     }
//!     fn started(&mut self, started: Started<'_>) {
//!         self.log.push(format!("{}: job {} starts", started.start, started.job.number));
//!     }
//!     fn finished(&mut self, finished: Finished<'_>) {
//!         if finished.job.processors >= 2 {
//!             self.histogram.record(finished.wait().ticks() as u64);
//!         }
//!     }
//! }
//!
//! impl State for WideWaits {
//!     fn save(&self, out: &mut Vec<u8>) { self.histogram.save(out); }
//!     fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> { self.histogram.load(from) }
//! }
//! # use gridpact::{kernel::time::Span, model::ids::OrganizationId};
//! # use gridpact::sim::{cluster::SpaceShared, grid::{Grid, Settings}};
//! # use gridpact::policy::local::fcfs::Fcfs;
//! # use gridpact::workload::jobs::ListSource;
//! # let job = |number, submit| Job { number, source: 0, submit: Time::ZERO + Span::units(submit),
//! #     runtime: Span::units(9), estimate: Span::units(9), processors: 2, user: 0,
//! #     organization: OrganizationId(0), ..Job::default() };
//!
//! let watch = WideWaits { histogram: Distribution::new(Detail::Full), log: Vec::new() };
//! let mut grid = Grid::new(Settings::default(), watch);
//! # let cluster = grid.add_cluster(SpaceShared::new(2, Fcfs::default()));
//! # grid.add_organization(vec![cluster]);
//! # grid.add_source(ListSource::new(vec![job(1, 0), job(2, 1)]))?;
//! # let mut engine = grid.start();
//! # engine.run()?;
//! let watch = engine.world().observer();
//! assert_eq!(watch.log[2], "1: job 2 comes");
//! assert_eq!(watch.histogram.quantile(0.99), Some(8.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

pub use ::audit;
pub use ::bounds;
pub use ::findings;
pub use ::game;
pub use ::kernel;
pub use ::model;
pub use ::policy;
pub use ::records;
pub use ::report;
pub use ::review;
pub use ::run;
pub use ::scenario;
pub use ::sim;
pub use ::stats;
pub use ::workload;

pub use ::kernel::state_of_fields;

/// The Rust examples of the book are compiled and run as doctests.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../docs/book/src/how-to/own-scheduler.md")]
    struct OwnScheduler;
}

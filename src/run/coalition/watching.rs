//! Observers of a pool: what is written of its jobs and moves.

use crate::report::coalition::flows::Flows;
use crate::report::coalition::jobs::PoolJobsCsv;
use crate::report::coalition::moves::MovesCsv;
use crate::report::windows::RoundWindows;
use crate::run::sheet::Sheet;
use crate::sim::pool::PoolObserver;

/// The observers of a pool.
pub(super) type Watch = ((Flows, Option<RoundWindows<Sheet>>), Option<PoolJobsCsv<Sheet>>);

/// The writers of moves, jobs and windows.
pub(super) type Lines<'a> = (
    Option<&'a mut MovesCsv<Sheet>>,
    Option<&'a mut PoolJobsCsv<Sheet>>,
    Option<&'a mut RoundWindows<Sheet>>,
);

/// A pool observer, with or without moves.
pub(super) trait Watching: PoolObserver + Sized {
    /// Builds it from the sheets that it writes to.
    fn new(watch: Watch, moves: Option<MovesCsv<Sheet>>) -> Self;
    /// The writers.
    fn records(&mut self) -> Lines<'_>;
    /// The flow times.
    fn flows(&self) -> &Flows;
    /// The observer without the writer of moves, and that writer.
    fn parts(self) -> (Watch, Option<MovesCsv<Sheet>>);
}

impl Watching for Watch {
    fn new(watch: Watch, _: Option<MovesCsv<Sheet>>) -> Watch {
        watch
    }
    fn records(&mut self) -> Lines<'_> {
        (None, self.1.as_mut(), self.0.1.as_mut())
    }
    fn flows(&self) -> &Flows {
        &self.0.0
    }
    fn parts(self) -> (Watch, Option<MovesCsv<Sheet>>) {
        (self, None)
    }
}

impl Watching for (Watch, MovesCsv<Sheet>) {
    fn new(watch: Watch, moves: Option<MovesCsv<Sheet>>) -> Self {
        (watch, moves.expect("moves are written"))
    }
    fn records(&mut self) -> Lines<'_> {
        (Some(&mut self.1), self.0.1.as_mut(), self.0.0.1.as_mut())
    }
    fn flows(&self) -> &Flows {
        self.0.flows()
    }
    fn parts(self) -> (Watch, Option<MovesCsv<Sheet>>) {
        (self.0, Some(self.1))
    }
}

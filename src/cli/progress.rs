//! A progress bar on standard error, for what takes longer than a moment.

use std::io::{self, IsTerminal};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use gridpact::run::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use tracing::level_filters::LevelFilter;

/// Nothing is shown of a run that ends sooner.
const PATIENCE: Duration = Duration::from_millis(500);
const BETWEEN: Duration = Duration::from_millis(100);
/// The bar's length; progress is a share.
const STEPS: u64 = 1000;

/// Runs `work` and meanwhile shows how far it is, on a terminal and unless `quiet` or a log tells.
/// `share` says what part is done, if that can be told.
pub(super) fn shown<T>(
    progress: &Progress,
    share: impl Fn() -> Option<f64> + Send,
    quiet: bool,
    work: impl FnOnce() -> T,
) -> T {
    shown_with(
        || match progress.rounds() {
            0 => format!("{} jobs", progress.jobs()),
            rounds => format!("{rounds} rounds"),
        },
        share,
        quiet,
        work,
    )
}

/// The same with a message of one's own.
pub(super) fn shown_with<T>(
    message: impl Fn() -> String + Send,
    share: impl Fn() -> Option<f64> + Send,
    quiet: bool,
    work: impl FnOnce() -> T,
) -> T {
    let is_logged = LevelFilter::current() >= LevelFilter::INFO;
    if quiet || is_logged || !io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (done, waits) = mpsc::channel::<()>();
        scope.spawn(move || {
            let over =
                |wait| !matches!(waits.recv_timeout(wait), Err(mpsc::RecvTimeoutError::Timeout));
            if over(PATIENCE) {
                return;
            }
            let bar = bar(share().is_some());
            while !over(BETWEEN) {
                if let Some(share) = share() {
                    bar.set_position((share * STEPS as f64) as u64);
                }
                bar.set_message(message());
            }
            bar.finish_and_clear();
        });
        let result = work();
        drop(done);
        result
    })
}

/// A bar, or where no share can be told something that turns.
fn bar(has_share: bool) -> ProgressBar {
    let (bar, template) = match has_share {
        true => (ProgressBar::new(STEPS), "{bar:40} {percent}%  {msg}  {eta} left"),
        false => (ProgressBar::new_spinner(), "{spinner} {msg}  {elapsed}"),
    };
    bar.with_style(ProgressStyle::with_template(template).expect("the template is valid"))
}

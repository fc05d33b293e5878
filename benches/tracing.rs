//! Overhead of tracing without a listener.
//!
//! The same EASY run of KTH-SP2, with its accounts, without a subscriber (the baseline) and with
//! filters of increasing detail. The promise is less than 1% more instructions for `warn`; they are
//! counted with valgrind if it is installed. For the overhead over a program without any spans and
//! events, run again with `--features tracing/release_max_level_off`.

mod common;

use common::{Table, arguments_after, criterion, instructions, measured_section};
use gridpact::run::{self, Progress};
use gridpact::scenario::files::Files;
use gridpact::scenario::plan::Plan;
use gridpact::scenario::{self, Input, Overrides};
use tracing::Dispatch;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

const BASELINE: &str = "no subscriber";
const FILTERS: [&str; 4] = [BASELINE, "warn", "info", "debug"];

fn plan() -> Plan {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/kth-sp2-easy.toml");
    let loaded =
        scenario::load(Input::File(file.as_ref()), &Overrides::default(), &mut Files::new());
    loaded.expect("the scenario is right").0
}

/// A subscriber that formats everything its filter selects and discards it.
fn dispatch(filter: &str) -> Dispatch {
    if filter == BASELINE {
        return Dispatch::none();
    }
    let filter: Targets = filter.parse().expect("a level is a filter");
    let format = tracing_subscriber::fmt::layer().with_writer(std::io::sink);
    tracing_subscriber::registry().with(format.with_filter(filter)).into()
}

fn once(plan: &Plan) -> u64 {
    let outcome = run::run(plan, None, 1, 0.0, &Progress::default()).expect("nothing goes wrong");
    outcome.timing.jobs
}

/// Runs under one filter. Without a subscriber none is set, as in a program without tracing.
fn under<T>(filter: &str, run: impl FnOnce() -> T) -> T {
    if filter == BASELINE {
        return run();
    }
    tracing::dispatcher::with_default(&dispatch(filter), run)
}

fn main() {
    let plan = plan();
    if let Some(arguments) = arguments_after("--once") {
        under(&arguments[0], || measured_section(|| once(&plan)));
        return;
    }
    let mut criterion = criterion();
    let mut table = Table::new(&mut criterion, "tracing", "job", BASELINE);
    let jobs = plan.jobs().expect("a trace has so many");
    for filter in FILTERS {
        under(filter, || table.measure("EASY on KTH-SP2", filter, jobs, || (), |()| once(&plan)));
    }
    table.finish();
    criterion.final_summary();
    println!("tracing: instructions a job, and what they are more than `{BASELINE}`");
    let mut base = None;
    for filter in FILTERS {
        let Some(count) = instructions(&["--once", filter]) else {
            println!("  skipped: valgrind is not there");
            return;
        };
        let base = *base.get_or_insert(count) as f64;
        let more = (count as f64 / base - 1.0) * 100.0;
        println!("  {filter:<16} {:>10.1} {more:>+9.3}%", count as f64 / jobs as f64);
    }
}

//! Claims that scenarios of campaigns answer: files that are deleted, and other prices.

use crate::replicated::Run;
use crate::row::Row;
use crate::{Bench, StudyError};
use findings::measure::Metric;

const PRICES: &str = include_str!("../../../scenarios/applications-prices.toml");

/// A chain of classes that leave files for the next one alone.
const CHAIN: &str = "
name = \"A chain of classes with files\"
task_planner.olb = {}
[[organization]]
name = \"lab\"
count = 2
cluster.site = { processors = 4, storage = 1000 }
[[application]]
name = \"chain\"
owner = \"lab-1\"
[[application.class]]
name = \"first\"
tasks = 12
storage = 2
output = 2
times = { lab-1 = 3.0, lab-2 = 4.0 }
[[application.class]]
name = \"second\"
after = [\"first\"]
tasks = 12
storage = 3
output = 3
times = { lab-1 = 3.0, lab-2 = 4.0 }
[[application.class]]
name = \"third\"
after = [\"second\"]
tasks = 12
storage = 2
output = 2
times = { lab-1 = 3.0, lab-2 = 4.0 }
[[application.class]]
name = \"fourth\"
after = [\"third\"]
tasks = 1
times = { lab-1 = 3.0, lab-2 = 4.0 }
";

/// Replays an application or a price list under two settings, and compares a measure.
fn pair(
    bench: &Bench,
    scenario: (&str, &str),
    [one, other]: [&'static str; 2],
) -> Result<[Run; 2], StudyError> {
    let run = |set: &'static str| Run::new(bench, set, scenario, &[set.to_owned()]);
    Ok([run(one)?, run(other)?])
}

/// SG-R-01 and SG-W-03.
pub(super) fn files_and_prices(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let set = ["task_planning.files=deleted", "task_planning.files=kept"];
    let [deleted, kept] = pair(bench, ("chain.toml", CHAIN), set)?;
    let [most, all] = [&deleted, &kept].map(|run| run.figure(Metric::Footprint).value);
    let what = "OLB on a chain of classes: files take less storage if each is deleted when no task needs it";
    let files = Row::new("SG-R-01", "6.1", what)
        .holds(most < all)
        .note(format!("at most {most} at a time, and {all} if they are kept"));
    let set = ["task_planning.pricing=second_price", "task_planning.pricing=usage"];
    let [second, usage] = pair(bench, ("applications-prices.toml", PRICES), set)?;
    let more = second.less(&usage, Metric::Cost);
    let what =
        "second prices instead of use: cost of the applications of applications-prices.toml, more";
    Ok(vec![files, Row::new("SG-W-03", "7", what).shown(more)])
}

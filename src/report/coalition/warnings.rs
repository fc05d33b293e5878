//! What a reader of a coalition's figures should know.

use super::learned::{Learned, Unit};
use crate::report::enough::Known;
use crate::report::figure::counted;

/// The warnings, in sentences.
pub fn of(learned: &Learned) -> Vec<String> {
    let mut warnings = Vec::new();
    let idle: Vec<&str> = learned
        .organizations()
        .iter()
        .filter(|unit| unit.all.rounds > 0 && unit.all.jobs == 0)
        .map(|unit| &*unit.name)
        .collect();
    if let Some(first) = idle.first() {
        warnings.push(format!(
            "{} without a job that counts, such as {first}: their scores are 0",
            counted(idle.len() as u64, "organization is", "organizations are"),
        ));
    }
    let all = &learned.everyone().all;
    if learned.frame.names.len() > 1 && all.joined > 0 && all.sent == 0 {
        warnings.push(
            "nobody moved any load, though organizations took part: nothing was gained or lost"
                .to_owned(),
        );
    }
    let is_infinite = |unit: &&Unit| unit.mean("score").is_some_and(|score| !score.is_finite());
    if let Some(unit) = learned.organizations().iter().find(is_infinite) {
        warnings.push(format!(
            "a round of {} has an infinite score, as its flow time was 0 in the coalition or \
             alone; means of scores are left out",
            unit.name
        ));
    }
    let replications = learned.replications;
    if replications > 1 && replications < FEW {
        warnings.push(format!(
            "{replications} replications are few: intervals are wide, and right only where the \
             figures of replications are about normal"
        ));
    }
    if replications == 1 && learned.everyone().interval("score").is_none() {
        warnings.push(format!(
            "{} of how sure a figure is; set `run.replications`",
            counted(
                learned.frame.rounds,
                "round of one replication says nothing",
                "rounds of one replication say nothing"
            )
        ));
    }
    warnings.extend(learned.known.as_ref().and_then(Known::warning));
    warnings
}

/// Replications under which intervals are doubtful.
const FEW: u32 = 5;

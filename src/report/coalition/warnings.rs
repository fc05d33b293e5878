//! What a reader of a coalition's figures should know.

use super::learned::Learned;
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
    warnings
}

/// Replications under which intervals are doubtful.
const FEW: u32 = 5;

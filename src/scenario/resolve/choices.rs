//! Checks the choices beside a learner.

use super::mistakes::Mistakes;
use crate::diagnostics::show;
use crate::path::Path;
use crate::raw::Mutants;
use policy::learn::LearnerOptions;
use policy::learn::choose::Choices;

impl Mistakes<'_> {
    /// Checks the number of mutants of an entry.
    pub(super) fn mutants(
        &mut self,
        mutants: &Mutants,
        learner: &LearnerOptions,
        count: u32,
        name: &str,
        at: &Path,
    ) {
        if mutants.of > count {
            let message = format!("{} mutants are more than there are", mutants.of);
            let help = format!(
                "`{}` has {count}, of which the others follow `{}`",
                show(name),
                learner.name()
            );
            self.help(at.clone().key("of"), message, help);
        }
    }

    /// Checks the choices of an organization or of a player: among so many actions, or those of a coalition.
    pub(super) fn choices(
        &mut self,
        written: Option<&Choices>,
        learner: &LearnerOptions,
        mutants: Option<&Mutants>,
        of: Path,
        count: Option<usize>,
    ) {
        let Some(choices) = written else { return };
        let at = of.key("choices");
        // Beside mutants, they are for those that take them.
        if !learner.takes_choices() && mutants.is_none() {
            let message = format!("`{}` takes no `choices`", learner.name());
            let help = "leave them out, or take a learner that chooses among actions, such as \
                        `learner.hedge = {}`";
            self.help(at, message, help);
        } else if self.valid(at.clone(), choices.check()).is_some() {
            let count = count.unwrap_or_else(|| choices.menu().len());
            self.valid(at, choices.check_for(count));
        }
    }
}

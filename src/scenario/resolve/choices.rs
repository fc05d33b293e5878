//! Checks the choices beside a learner.

use super::mistakes::Mistakes;
use crate::path::Path;
use policy::learn::LearnerOptions;
use policy::learn::choose::Choices;

impl Mistakes<'_> {
    /// Checks the choices of an organization or of a player: among so many actions, or those of a coalition.
    pub(super) fn choices(
        &mut self,
        written: Option<&Choices>,
        learner: &LearnerOptions,
        of: Path,
        count: Option<usize>,
    ) {
        let Some(choices) = written else { return };
        let at = of.key("choices");
        if !learner.takes_choices() {
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

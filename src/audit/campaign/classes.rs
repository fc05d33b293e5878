//! Checks of classes and applications: their tasks, and when they were ready, started and finished.

use super::facts::CampaignFacts;
use super::found::Found;
use super::{Check, violation};
use kernel::time::Time;

/// The checks of classes and applications.
pub(super) struct Classes {
    pub tasks: Check,
    pub times: Check,
}

impl Classes {
    /// The checks, before any class.
    pub fn new() -> Classes {
        Classes {
            tasks: Check::new(
                "tasks",
                "the runs of a finished class do all of its tasks, and no runs do more",
            ),
            times: Check::new(
                "class times",
                "classes are ready, start and finish, and applications finish, when the runs say",
            ),
        }
    }

    /// Checks a campaign.
    pub fn check(&mut self, facts: &CampaignFacts, found: &Found) {
        for (number, (class, found)) in facts.classes.iter().zip(&found.classes).enumerate() {
            self.tasks.looked_at += 1;
            let tasks = class.tasks as f64;
            let is_short = class.finish.is_some() && found.done + found.slack < tasks;
            if is_short || found.done - found.slack > tasks {
                let text = format!("{} did {} of {tasks} tasks", facts.called(number), found.done);
                self.tasks.violated(|| violation(facts, None, class.finish, text));
            }
            self.times.looked_at += 1;
            let pairs = [
                ("ready", class.ready, found.ready.ok()),
                ("started", class.start, found.start),
                ("finished", class.finish, found.finish),
            ];
            for (what, stated, own) in pairs {
                self.compare(facts, &|| facts.called(number), (what, stated, own));
            }
        }
        for (application, &finish) in facts.applications.iter().zip(&found.finishes) {
            self.times.looked_at += 1;
            let who = || format!("application {}", application.name);
            self.compare(facts, &who, ("finished", application.finish, finish));
        }
    }

    /// Compares a stated time with that of the runs. Events at the end or later need not be stated.
    fn compare(
        &mut self,
        facts: &CampaignFacts,
        who: &dyn Fn() -> String,
        (what, stated, own): (&str, Option<Time>, Option<Time>),
    ) {
        let is_beyond = own.zip(facts.end).is_some_and(|(own, end)| own >= end);
        if stated == own || stated.is_none() && is_beyond {
            return;
        }
        let said = |time: Option<Time>| match time {
            Some(time) => format!("{what} at {time}"),
            None => format!("never {what}"),
        };
        let text =
            format!("{} is said to be {}, and by the runs {}", who(), said(stated), said(own));
        self.times.violated(|| violation(facts, None, stated.or(own), text));
    }
}

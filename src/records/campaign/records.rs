//! `applications.csv`, `classes.csv`, `runs.csv` and `stages.csv`: the records of a campaign.

use super::cost::Cost;
use crate::lines::{Lines, Out};
use kernel::time::{Span, Time};
use model::campaign::Campaign as Work;
use policy::tasks::Stage;
use sim::campaign::{Game, Ran};
use std::borrow::Cow;

/// A line for every application of a campaign.
pub mod applications {
    use crate::campaign::cost::Cost;
    use crate::record::record;
    use kernel::time::Time;

    record! {
        /// A line of the file.
        Line<'a>;
        replication: u32, "Replication, from 0.";
        application: &'a str, "The application.";
        organization: &'a str, "The organization that owns it.";
        submission_time: Time, "When it was submitted.";
        deadline: Option<Time>, "When it should be done; empty if it need not.";
        finish_time: Option<Time>, "When its last task ended; empty if it did not.";
        cost: Cost, "Cost of its processor time, or what second prices ask for it.";
    }
}

/// A line for every class of a campaign.
pub mod classes {
    use std::borrow::Cow;

    use crate::record::record;
    use kernel::time::Time;

    record! {
        /// A line of the file.
        Line<'a>;
        replication: u32, "Replication, from 0.";
        application: &'a str, "The application.";
        class: &'a str, "The class.";
        tasks: u64, "Its tasks.";
        after: Cow<'a, str>, "The classes that must be done before it, with blanks between them.";
        storage: f64, "Storage that a running task holds.";
        memory: f64, "Memory that a running task holds.";
        output: f64, "Storage of the files that a task leaves, taken from its start until they are deleted.";
        times: Cow<'a, str>, "Time of a task at each site, in the order of the clusters, with blanks between them; `-` where it cannot or must not run.";
        ready_time: Option<Time>, "When it was submitted and what it waits for was done.";
        start_time: Option<Time>, "When its first task started.";
        finish_time: Option<Time>, "When its last task ended.";
        expected_finish_time: Option<Time>, "When its first plan expected that, if tasks wait for processors and other classes alone; empty if they are played as a fluid.";
    }
}

/// A line for every run: tasks of a class on processors of a site.
pub mod runs {
    use crate::record::record;
    use kernel::time::Time;

    record! {
        /// A line of the file.
        Line<'a>;
        replication: u32, "Replication, from 0.";
        application: &'a str, "The application.";
        class: &'a str, "The class.";
        cluster: &'a str, "The cluster that is the site.";
        processors: f64, "Processors, each of which did as many tasks as the others, one after the other; a share if tasks are played as a fluid.";
        tasks: f64, "Tasks of all of them.";
        start_time: Time, "When the first tasks started.";
        finish_time: Time, "When the last ones ended.";
    }
}

/// A line for every stage of a game that a task planner plays, or of its search.
pub mod stages {
    use crate::record::record;
    use kernel::time::Time;

    record! {
        /// A line of the file.
        Line;
        replication: u32, "Replication, from 0.";
        plan: u64, "Number of the plan in its replication, from 0.";
        time: Time, "Time of the plan.";
        stage: u32, "Stage of its game, from 1; 0 is the placement before the first one.";
        total_time: Option<f64>, "Time of each class with the processors of this stage, summed over the classes; empty at stage 0, and where a class has no processor.";
        makespan: Option<f64>, "Longest of these times.";
        cost: Option<f64>, "Price of all tasks where this stage places them; empty in games that do not go by it.";
    }
}

/// Names and numbers of which the lines are made.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The replication.
    pub replication: u32,
    /// The work: applications and their classes.
    pub work: &'a Work,
    /// Names of the organizations.
    pub organizations: &'a [String],
    /// Names of the clusters.
    pub clusters: &'a [String],
}

impl Names<'_> {
    fn class(&self, class: u32) -> (&str, &str) {
        let class = &self.work.classes[class as usize];
        (&self.work.applications[class.application as usize].name, &class.name)
    }

    /// Writes the line of a run.
    pub fn run<W: Out>(&self, ran: &Ran, lines: &mut Lines<W>) {
        let (application, class) = self.class(ran.class);
        lines.put(&runs::Line {
            replication: self.replication,
            application,
            class,
            cluster: &self.clusters[ran.site as usize],
            processors: ran.processors,
            tasks: ran.tasks,
            start_time: ran.start,
            finish_time: ran.finish,
        });
    }

    /// Writes the lines of a game.
    pub fn game<W: Out>(&self, game: &Game, lines: &mut Lines<W>) {
        for &(stage, Stage { total_time, makespan, cost }) in &game.stages {
            let (replication, plan, time) = (self.replication, game.plan, game.time);
            let line = stages::Line { replication, plan, time, stage, total_time, makespan, cost };
            lines.put(&line);
        }
    }

    /// Writes the line of a class, with the times of its course.
    pub fn class_line<W: Out>(&self, number: u32, times: [Option<Time>; 4], lines: &mut Lines<W>) {
        let (application, name) = self.class(number);
        let class = &self.work.classes[number as usize];
        let after: Vec<&str> =
            class.after.iter().map(|&before| &*self.work.classes[before as usize].name).collect();
        let weights = self.work.weights(number);
        let time = |(site, &time): (usize, &Span)| match weights.get(site) {
            Some(&weight) if weight <= 0.0 => "-".to_owned(),
            _ if time == Span::MAX => "-".to_owned(),
            _ => time.to_string(),
        };
        let lengths: Vec<String> = self.work.times(number).iter().enumerate().map(time).collect();
        let [ready_time, start_time, finish_time, expected_finish_time] = times;
        lines.put(&classes::Line {
            replication: self.replication,
            application,
            class: name,
            tasks: class.tasks,
            after: Cow::Owned(after.join(" ")),
            storage: (class.needs[0] - class.output) as f64 / 1e6,
            memory: class.needs[1] as f64 / 1e6,
            output: class.output as f64 / 1e6,
            times: Cow::Owned(lengths.join(" ")),
            ready_time,
            start_time,
            finish_time,
            expected_finish_time,
        });
    }

    /// Writes the line of an application.
    pub fn application<W: Out>(
        &self,
        number: u32,
        finish_time: Option<Time>,
        cost: i128,
        lines: &mut Lines<W>,
    ) {
        let application = &self.work.applications[number as usize];
        lines.put(&applications::Line {
            replication: self.replication,
            application: &application.name,
            organization: &self.organizations[application.owner.index()],
            submission_time: application.submit,
            deadline: Some(application.deadline).filter(|&time| time != Time::NEVER),
            finish_time,
            cost: Cost(cost),
        });
    }
}

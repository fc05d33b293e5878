//! Checks of single runs: their records, sites and lengths, and when they may start.

use super::facts::{CampaignFacts, Mode, RunFacts, WorldFacts};
use super::found::{FLUID, Found};
use super::{Check, violation};

/// Largest number of processors or tasks of a run: whole numbers are exact up to it.
const MOST: f64 = (1_u64 << 53) as f64;

/// The checks of runs.
pub(super) struct Runs {
    pub records: Check,
    pub sites: Check,
    pub lengths: Check,
    pub precedence: Check,
}

impl Runs {
    /// The checks, before any run.
    pub fn new() -> Runs {
        Runs {
            records: Check::new(
                "records",
                "every record names sites, classes, applications and organizations that are there, \
                 and gives numbers that make sense",
            ),
            sites: Check::new("allowed sites", "tasks run only on sites where their class can run"),
            lengths: Check::new(
                "lengths",
                "a run takes the time of a task on its site times the tasks of each processor",
            ),
            precedence: Check::new(
                "precedence",
                "no class runs before its application is submitted and all classes that it waits \
                 for are finished",
            ),
        }
    }

    /// Checks the records of everything but runs; returns false if they cannot be used.
    pub fn world(&mut self, world: &WorldFacts, facts: &CampaignFacts) -> bool {
        let broken = self.records.count;
        let check = &mut self.records;
        for application in &facts.applications {
            check.looked_at += 1;
            if application.owner >= world.organizations.len() {
                let text = format!(
                    "application {} belongs to organization {}, of {}",
                    application.name,
                    application.owner,
                    world.organizations.len()
                );
                check.violated(|| violation(facts, None, None, text));
            }
        }
        for (number, class) in facts.classes.iter().enumerate() {
            check.looked_at += 1;
            let Some(application) = facts.applications.get(class.application) else {
                let text = format!("class {} is of no application that is there", class.name);
                check.violated(|| violation(facts, None, None, text));
                continue;
            };
            let problem = if class.times.len() != world.sites.len() {
                format!("has {} times for {} sites", class.times.len(), world.sites.len())
            } else if class.times.iter().flatten().any(|time| time.ticks() < 1) {
                "has a time of less than a tick".to_owned()
            } else if class.needs.iter().any(|&need| need < 0) || class.output < 0 {
                "needs less than nothing".to_owned()
            } else if class.tasks > MOST as u64 {
                format!("has {} tasks, too many to be counted exactly", class.tasks)
            } else if class.after.iter().any(|&before| before >= number) {
                "waits for a class that does not stand before it".to_owned()
            } else if class
                .after
                .iter()
                .any(|&before| facts.classes[before].application != class.application)
            {
                "waits for a class of another application".to_owned()
            } else {
                continue;
            };
            let text =
                format!("class {} of application {} {problem}", class.name, application.name);
            check.violated(|| violation(facts, None, None, text));
        }
        check.count == broken
    }

    /// Checks the numbers of each run; returns which runs can be used.
    pub fn usable(&mut self, world: &WorldFacts, facts: &CampaignFacts) -> Vec<bool> {
        let check = &mut self.records;
        let mut is_usable = |run: &RunFacts| {
            check.looked_at += 1;
            let at = Some(run.start);
            let (Some(_), Some(site)) = (facts.classes.get(run.class), world.sites.get(run.site))
            else {
                let text = format!(
                    "a run is of class {} on site {}, which are not both there",
                    run.class, run.site
                );
                check.violated(|| violation(facts, None, at, text));
                return false;
            };
            let number = |value: f64| value > 0.0 && value <= MOST;
            let is_whole = world.mode == Mode::Fluid
                || run.processors.fract() == 0.0
                    && run.tasks.fract() == 0.0
                    && run.tasks % run.processors == 0.0;
            let is_run = number(run.processors) && number(run.tasks) && is_whole;
            // A share may do less than a tick's worth.
            let is_instant = world.mode == Mode::Fluid && run.start == run.finish;
            if is_run && (is_instant || run.start < run.finish) {
                return true;
            }
            let text = format!(
                "{} is said to do {} tasks on {} processors from {} to {}",
                facts.called(run.class),
                run.tasks,
                run.processors,
                run.start,
                run.finish
            );
            check.violated(|| violation(facts, Some(&site.name), at, text));
            false
        };
        facts.runs.iter().map(&mut is_usable).collect()
    }

    /// Checks sites, lengths and precedence of a usable run.
    pub fn run(
        &mut self,
        world: &WorldFacts,
        facts: &CampaignFacts,
        run: &RunFacts,
        found: &Found,
    ) {
        let site = &world.sites[run.site].name;
        let who = || facts.called(run.class);
        self.sites.looked_at += 1;
        match facts.classes[run.class].times[run.site] {
            Some(time) => self.length(world, facts, run, i128::from(time.ticks())),
            None => self.sites.violated(|| {
                let text = format!("{} runs at {}, which it must not here", who(), run.start);
                violation(facts, Some(site), Some(run.start), text)
            }),
        }
        self.precedence.looked_at += 1;
        let problem = match found.classes[run.class].ready {
            Ok(ready) if run.start >= ready => return,
            Ok(ready) => format!("starts at {} and may not before {ready}", run.start),
            Err(before) => {
                let start = run.start;
                format!("starts at {start}, but {} never finishes", facts.called(before))
            }
        };
        self.precedence.violated(|| {
            violation(facts, Some(site), Some(run.start), format!("{} {problem}", who()))
        });
    }

    /// Checks the length of a run, given the time of a task in ticks.
    fn length(&mut self, world: &WorldFacts, facts: &CampaignFacts, run: &RunFacts, time: i128) {
        self.lengths.looked_at += 1;
        let length = i128::from(run.finish.ticks()) - i128::from(run.start.ticks());
        let (expected, is_right) = match world.mode {
            Mode::Whole => {
                let each = (run.tasks / run.processors) as i128;
                ((each * time) as f64, each * time == length)
            }
            Mode::Fluid => {
                let tasks = run.processors * length as f64 / time as f64;
                let tick = run.processors / time as f64;
                let margin = (FLUID * run.tasks).max(tick * (1.0 + FLUID));
                (run.tasks * time as f64 / run.processors, (tasks - run.tasks).abs() <= margin)
            }
        };
        if is_right {
            return;
        }
        let text = format!(
            "{} runs from {} to {}, but {} tasks on {} processors take {}",
            facts.called(run.class),
            run.start,
            run.finish,
            run.tasks,
            run.processors,
            expected / 1e6
        );
        let site = &world.sites[run.site].name;
        self.lengths.violated(|| violation(facts, Some(site), Some(run.start), text));
    }
}

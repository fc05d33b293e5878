//! The report of a coalition: what the organizations learned, and what sharing changed.

use super::{json, learning, organizations, picture, timeline, verdicts, warnings};
use crate::coalition::entry::CoalitionEntry;
use crate::files::Manifest;
use crate::picture::Picture;
use crate::picture::distribution::{self, Curves};
use crate::table::{Brief, Format, Table, margin};
use crate::words::sharing::{self, Change};
use crate::world::{Common, Report};
use findings::Findings;
use findings::coalition::learned::{Learned, Rounds};
use findings::known::Known;
use findings::measure::Metric;
use records::coalition::histograms;
use scenario::plan::{Coalition, Plan};
use stats::shown::{Times, counted};

/// The report of a coalition's run.
#[derive(Debug)]
pub struct CoalitionReport<'a> {
    /// The plan that ran.
    pub plan: &'a Plan,
    /// Its coalition.
    pub coalition: &'a Coalition,
    /// Its results.
    pub found: &'a Rounds,
}

impl Report for CoalitionReport<'_> {
    fn findings(&self) -> &dyn Findings {
        self.found
    }

    fn world(&self) -> &'static str {
        "coalition"
    }

    fn head(&self, times: Times) -> Vec<String> {
        let learned = &self.found.learned;
        let frame = &learned.frame;
        let mut head = vec![format!(
            "{}, {} of {}, {}; {} counted",
            counted(frame.names.len() as u64, "organization", "organizations"),
            self.plan.rounds_in_words(),
            match times {
                Times::Units => format!("{} units", frame.period),
                Times::Clock => times.told(frame.period.as_units()),
            },
            self.plan.pooling(self.coalition),
            counted(learned.everyone().all.jobs, "job", "jobs"),
        )];
        head.extend(self.coalition.conversion());
        head.extend(self.coalition.misbehaviour());
        head.extend(learning::readings(self.coalition));
        head
    }

    fn table(&self, format: Format) -> Table {
        match format.is_for_people() {
            true => learning::summary(&self.found.learned, format),
            false => learning::table(&self.found.learned),
        }
    }

    fn margin(&self) -> Option<String> {
        learning::margin(&self.found.learned)
    }

    fn brief(&self) -> Brief {
        learning::brief(&self.found.learned)
    }

    fn statements(&self, times: Times) -> Vec<String> {
        let learned = &self.found.learned;
        let mut sentences: Vec<String> = learned.sample.known.iter().map(Known::line).collect();
        sentences.extend(self.outcomes(times));
        sentences.extend(shared(learned));
        sentences.extend(verdicts::of(learned));
        sentences
    }

    fn warnings(&self) -> Vec<String> {
        warnings::of(self.coalition, &self.found.learned)
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let CoalitionReport { plan, found, .. } = self;
        let learned = &found.learned;
        let mut files = vec![
            ("organizations.csv", organizations::table(found).csv()),
            ("learning.csv", learning::table(learned).csv()),
            ("alternatives.csv", verdicts::alternatives(learned).csv()),
        ];
        if plan.output.timeline {
            files.push(("timeline.csv", timeline::render(&learned.timelines)));
        }
        if plan.counting.quantiles {
            files.push(("histograms.hlog", histograms::render(found)));
        }
        files
    }

    fn pictures(&self) -> Vec<(&'static str, Picture)> {
        let CoalitionReport { plan, found, .. } = self;
        let (learned, title) = (&found.learned, plan.title());
        let mut charts = vec![("learning", picture::chart(&title, learned))];
        if plan.counting.quantiles {
            let (all, names) = (found.flows.everyone(), &learned.frame.names);
            let organizations = found.flows.organizations().iter().collect();
            let curves = [Curves { name: "flow", organizations, all: &all }];
            let chart = distribution::chart(title.clone(), plan.counts_seconds(), names, &curves);
            charts.extend(chart.map(|chart| ("distribution", chart)));
        }
        if plan.output.timeline {
            let chart = timeline::chart(&title, &learned.frame, &learned.timelines);
            charts.push(("timeline", chart));
        }
        charts.into_iter().map(|(name, chart)| (name, Picture::Chart(chart))).collect()
    }

    fn summary(&self, common: Common<'_>) -> Vec<u8> {
        common.with(json::summary(self.coalition, self.found))
    }

    fn describe(&self, manifest: &mut Manifest) {
        let frame = &self.found.learned.frame;
        manifest.coalition = Some(CoalitionEntry::new(self.plan, self.coalition, frame));
    }
}

/// Classes that gain from the coalition over all rounds, and those that lose.
fn shared(learned: &Learned) -> Option<String> {
    let units = learned.frame.classes.iter().map(|class| learned.class(&class.members));
    let changes: Vec<Change<'_>> = units
        .filter_map(|unit| {
            let interval = unit.interval(Metric::Gain).map(|estimate| estimate.interval);
            Some(Change::new(&unit.totals().name, unit.mean(Metric::Gain)?, interval))
        })
        .collect();
    let sentence = sharing::sentence(&changes)?;
    Some(match learned.frame.has_alone() {
        true => format!(
            "over the run, against one in which nobody ever joined, {sentence}; a score compares \
             within its round"
        ),
        false => sentence,
    })
}

impl CoalitionReport<'_> {
    /// The mean flow time of each outcome in a sentence.
    fn outcomes(&self, times: Times) -> Option<String> {
        // A federation's counterfactual leaves all others as they were.
        let is_apart = !self.coalition.is_federation() || self.plan.output.alone;
        let told =
            self.found.learned.social.outcomes().into_iter().map(|(name, mean, interval)| {
                let (half, end) = (|units| times.margin(units), |units| times.told(units));
                let error =
                    interval.map_or(String::new(), |one| margin::told(mean, one, [&half, &end]));
                let outcome = match name {
                    "as_learned" => "as learned",
                    "everyone_alone" if is_apart => "if everyone stayed alone",
                    "everyone_alone" => "if one at a time had stayed out of its rounds",
                    _ => "if everyone joined",
                };
                format!("{}{error} {outcome}", times.told(mean))
            });
        let told: Vec<String> = told.collect();
        (!told.is_empty()).then(|| {
            format!("mean flow time in the last quarter of the rounds: {}", told.join(", "))
        })
    }
}

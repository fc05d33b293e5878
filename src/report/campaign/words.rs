//! Results of a campaign in words.

use findings::campaign::Campaigned;
use scenario::plan::{Applications, CampaignPlan, Until};
use stats::shown::{count, counted};
use workload::applications::wfcommons::Ledger;

/// The sentences about the run.
pub fn head(plan: CampaignPlan<'_>) -> String {
    let processors: u64 = plan.campaign.sites.iter().map(|site| u64::from(site.processors)).sum();
    let what = match &plan.campaign.applications {
        Applications::Listed(work) => format!(
            "{} of {} with {}",
            counted(work.applications.len() as u64, "application", "applications"),
            counted(work.classes.len() as u64, "class", "classes"),
            counted(work.tasks(), "task", "tasks"),
        ),
        Applications::Drawn(model, _) => {
            counted(model.options().count, "drawn application", "drawn applications")
        }
    };
    format!(
        "{what} on {} with {}; planned by {}",
        counted(plan.campaign.sites.len() as u64, "site", "sites"),
        counted(processors, "processor", "processors"),
        plan.campaign.planned.planner.name(),
    )
}

/// The sentences about the classes of recorded workflows.
pub fn imports(plan: CampaignPlan<'_>) -> Vec<String> {
    let of = |(name, ledger): &(String, Ledger)| {
        let lines: Vec<String> = ledger.to_string().lines().map(str::to_owned).collect();
        let mut lines = lines.into_iter();
        let first = format!("{name}: {}", lines.next().unwrap_or_default());
        std::iter::once(first).chain(lines).collect::<Vec<_>>()
    };
    plan.campaign.imports.iter().flat_map(of).collect()
}

/// The sentences about the results.
pub(super) fn found(found: &Campaigned) -> Vec<String> {
    let all = &found.all;
    let mut sentences = Vec::new();
    if all.due > 0 {
        sentences.push(match all.late {
            0 => format!("all {} applications with a deadline keep it", count(all.due)),
            late => format!(
                "{} of {} applications with a deadline miss it",
                count(late),
                count(all.due)
            ),
        });
    }
    sentences
}

/// Warnings: reasons not to trust the figures.
pub(super) fn warnings(plan: CampaignPlan<'_>, found: &Campaigned) -> Vec<String> {
    let open = found.all.submitted - found.all.done;
    if open == 0 {
        return Vec::new();
    }
    let applications = counted(open, "application was", "applications were");
    vec![match plan.plan.until {
        Until::Time(time) => format!(
            "{applications} not done at the end of the run, at {time}: flow times and costs are of what \
             was done until then"
        ),
        _ => format!(
            "{applications} never done: their tasks got no processor, or found no room beside the files \
             of others, and nothing else was left to end"
        ),
    }]
}

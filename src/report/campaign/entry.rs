//! The campaign's entry in the manifest.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use model::campaign::{Files, HELD, Pricing, UNLIMITED};
use policy::tasks::{Executor, Replans, Rounding, TaskPlannerOptions};
use scenario::plan::{Applications, CampaignPlan};

/// A campaign in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CampaignEntry {
    /// The task planner, with its parameters.
    pub planner: TaskPlannerOptions,
    /// Executor of the plans.
    pub executor: Executor,
    /// Rounding of shares of sites to whole tasks, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounding: Option<Rounding>,
    /// Events at which the planner is asked.
    pub replans: Replans,
    /// Lifetime of the files that tasks leave at their sites.
    #[serde(default)]
    pub files: Files,
    /// Rule by which owners of applications pay for tasks.
    #[serde(default)]
    pub pricing: Pricing,
    /// True if tasks may take other times than the planner expects.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// The sites, in the order of the clusters.
    pub sites: Vec<SiteEntry>,
}

/// A site in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SiteEntry {
    /// The cluster.
    pub cluster: String,
    /// Price of a processor for one unit of time.
    pub price: f64,
    /// Storage that running tasks may hold together; missing without a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<f64>,
    /// Memory that running tasks may hold together; missing without a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<f64>,
}

impl CampaignEntry {
    /// The entry of a plan.
    pub fn new(plan: CampaignPlan<'_>) -> CampaignEntry {
        let of = plan.campaign;
        let sites = plan.plan.clusters.iter().zip(&*of.sites).map(|(cluster, site)| {
            let limit = |thing: usize| {
                debug_assert!(thing < HELD);
                Some(site.limits[thing]).filter(|&limit| limit != UNLIMITED).map(units)
            };
            let price = units(site.price);
            SiteEntry { cluster: cluster.name.clone(), price, storage: limit(0), memory: limit(1) }
        });
        CampaignEntry {
            planner: of.planned.planner.clone(),
            executor: of.planned.executor,
            rounding: (of.planned.planner.shares() && of.planned.executor == Executor::Whole)
                .then(|| of.planned.rounding()),
            replans: of.planned.replans(),
            files: of.planned.files,
            pricing: of.planned.pricing,
            estimated: match &of.applications {
                Applications::Listed(work) => work.expected != work.times,
                Applications::Drawn(model, _) => model.options().error.is_some(),
            },
            sites: sites.collect(),
        }
    }
}

/// Units of an amount in millionths.
fn units(amount: i64) -> f64 {
    amount as f64 / 1e6
}

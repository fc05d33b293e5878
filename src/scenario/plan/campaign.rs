//! The plan of a campaign.

use std::sync::Arc;

use super::Plan;
use kernel::rng::Streams;
use model::campaign::{Campaign as Work, Site};
use model::ids::OrganizationId;
use policy::tasks::TaskPlanned;
use workload::applications::ApplicationsModel;
use workload::applications::wfcommons::Ledger;
use workload::draw::Alias;

/// A campaign: applications of identical tasks on sites. The sites are the plan's clusters.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// Resources and prices of the clusters, in their order.
    pub sites: Arc<[Site]>,
    /// The applications.
    pub applications: Applications,
    /// The planner, and how its plans are played.
    pub planned: TaskPlanned,
    /// Ledgers of recorded workflows whose tasks became classes, by application.
    pub imports: Vec<(String, Ledger)>,
}

/// The applications of a campaign.
#[derive(Clone, Debug)]
pub enum Applications {
    /// Applications that the scenario lists.
    Listed(Arc<Work>),
    /// Drawn ones, with the shares of the organizations that own them.
    Drawn(Box<ApplicationsModel>, Alias),
}

impl Applications {
    /// A digest of what is to be done: of the applications that are listed, or of the file that times
    /// are drawn from.
    pub fn digest(&self) -> String {
        match self {
            Applications::Listed(work) => {
                let mut hasher = blake3::Hasher::new();
                for class in &work.classes {
                    let text = format!("{class:?}");
                    hasher.update(&(text.len() as u64).to_le_bytes());
                    hasher.update(text.as_bytes());
                }
                for span in work.times.iter().chain(&work.expected) {
                    hasher.update(&span.ticks().to_le_bytes());
                }
                hasher.finalize().to_hex().to_string()
            }
            Applications::Drawn(model, _) => model.digest().unwrap_or_default(),
        }
    }

    /// The number of applications of a replication.
    pub fn count(&self) -> u64 {
        match self {
            Applications::Listed(work) => work.applications.len() as u64,
            Applications::Drawn(model, _) => model.options().count,
        }
    }
}

/// A plan whose world is a campaign.
#[derive(Clone, Copy, Debug)]
pub struct CampaignPlan<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its campaign.
    pub campaign: &'a Campaign,
}

impl CampaignPlan<'_> {
    /// The streams of a replication.
    pub fn streams(&self, replication: u32) -> Streams {
        Streams::new(self.plan.seed).in_replication(u64::from(replication))
    }

    /// The applications of a replication.
    pub fn work(&self, replication: u32) -> Arc<Work> {
        match &self.campaign.applications {
            Applications::Listed(work) => Arc::clone(work),
            Applications::Drawn(model, owners) => {
                let streams = self.streams(replication);
                let mut rng = streams.stream("applications/owners");
                let owner = |_| OrganizationId(owners.draw(&mut rng) as u32);
                Arc::new(model.draw(&self.campaign.sites, &streams, owner))
            }
        }
    }
}

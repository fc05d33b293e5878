//! The column `uses` of files of jobs: where each may run.

use kernel::map::Map;
use std::path::PathBuf;
use std::sync::Arc;

use super::Resolver;
use crate::diagnostics::show;
use crate::path::Path;
use crate::plan::WorkloadKind;
use model::ids::{ClusterId, OrganizationId};
use model::job::Job;
use workload::jobs::{ListSource, Named};

/// Number of names that a message lists.
const SHOWN: usize = 8;

/// Rows of a file that name clusters.
#[derive(Clone, Debug)]
pub(super) struct ListedUses {
    pub file: PathBuf,
    /// Place of the file's name in the scenario.
    pub at: Path,
    pub rows: Arc<[Named]>,
}

impl Resolver<'_> {
    /// Binds the jobs of files to the clusters that their rows name.
    pub(super) fn bind_listed(&mut self) {
        for (workload, listed) in std::mem::take(&mut self.listed) {
            let WorkloadKind::List(list) = &self.workloads[workload].kind else { continue };
            let rows: Map<u64, &Named> = listed.rows.iter().map(|row| (row.number, row)).collect();
            let (mut jobs, about) = (list.jobs().to_vec(), Arc::clone(list.about()));
            for job in &mut jobs {
                let Some(row) = rows.get(&job.number) else { continue };
                match self.clusters_of(job.organization, &row.clusters) {
                    Ok(clusters) => {
                        let wait = job.recorded.wait();
                        let recorded = self.bound_to(job.organization, clusters, wait);
                        *job = Job { recorded, ..*job };
                    }
                    Err(expected) => {
                        let error = row.refuse(&listed.file, expected).to_string();
                        self.wrong_file(listed.at, &listed.file, error, false, None);
                        return;
                    }
                }
            }
            self.workloads[workload].kind = WorkloadKind::List(ListSource::new(jobs).with(about));
        }
    }

    /// Returns the clusters that a row names, or what it should have named.
    fn clusters_of(
        &self,
        owner: OrganizationId,
        names: &[String],
    ) -> Result<Vec<ClusterId>, String> {
        let named = |ids: &[ClusterId]| {
            let names = ids.iter().take(SHOWN).map(|id| show(&self.clusters[id.index()].name));
            let more = if ids.len() > SHOWN { ", ..." } else { "" };
            format!("{}{more}", names.collect::<Vec<_>>().join(", "))
        };
        let mine = &self.organizations[owner.index()];
        let mut clusters = Vec::with_capacity(names.len());
        for name in names {
            let known = self.cluster_by_name.get(name).copied();
            let Some(id) = known.filter(|id| mine.uses.contains(id)) else {
                let (owner, uses) = (show(&mine.name), named(&mine.uses));
                let separated = "with commas between several, in quotes";
                return Err(format!("clusters that `{owner}` may use, {separated}: {uses}"));
            };
            if clusters.contains(&id) {
                return Err(format!("`{}` once", show(name)));
            }
            clusters.push(id);
        }
        let is_bare = |id: &&ClusterId| self.clusters[id.index()].is_bare();
        let bare = clusters.iter().filter(is_bare).count();
        if self.filler().is_some() && clusters.len() > 1 && bare < clusters.len() {
            return Err(
                "a single cluster with a scheduler of its own, or several without one".to_owned()
            );
        }
        Ok(clusters)
    }
}

//! Binds the jobs of a trace to the clusters of their partitions.

use std::collections::BTreeMap;

use super::Resolver;
use crate::diagnostics::show;
use crate::path::Path;
use crate::plan::WorkloadKind;
use kernel::map::Map;
use model::ids::ClusterId;
use model::job::Job;
use workload::swf::{Routes, Survey};

/// Maximum number of partitions that are named in an error.
const NAMED: usize = 8;

impl Resolver<'_> {
    /// Resolves the clusters of a trace's partitions; `at` is the place of the trace.
    pub(super) fn routes(
        &mut self,
        partitions: &BTreeMap<String, String>,
        survey: &Survey,
        at: &Path,
    ) -> Routes {
        let at = at.clone().key("partitions");
        let mut routes: Map<i32, ClusterId> = Map::new();
        for (number, name) in partitions {
            let at = at.clone().key(number);
            let partition = number.parse::<i32>().ok();
            // The ends stand for all larger numbers, and another spelling could name one twice.
            let is_plain =
                |one: &i32| one.abs_diff(0) < i32::MAX as u32 && one.to_string() == *number;
            let Some(partition) = partition.filter(is_plain) else {
                let message = format!("`{}` is no number of a partition", show(number));
                let help =
                    "write it as in column 16 of the trace: `partitions = { 1 = \"batch\" }`";
                self.help(at, message, help);
                continue;
            };
            match self.cluster_by_name.get(name) {
                Some(&id) => _ = routes.insert(partition, id),
                None => self.mistakes.unknown(at, "cluster", name, self.cluster_by_name.keys()),
            }
        }
        if partitions.is_empty() || routes.len() < partitions.len() {
            return Routes::default();
        }
        let without: Vec<_> = survey
            .partitions
            .iter()
            .filter(|(partition, _)| !routes.contains_key(*partition))
            .collect();
        if !without.is_empty() {
            let jobs: u64 = without.iter().map(|(_, share)| share.jobs).sum();
            let named: Vec<String> = (without.iter().take(NAMED))
                .map(|(partition, share)| format!("{partition} ({})", share.jobs))
                .collect();
            let more = match without.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let keep: Vec<String> = routes.keys().map(ToString::to_string).collect();
            let message = format!(
                "{jobs} {} of the trace {} in a partition without a cluster: {}{more}",
                if jobs == 1 { "job" } else { "jobs" },
                if jobs == 1 { "is" } else { "are" },
                named.join(", ")
            );
            let help = format!(
                "name a cluster for each, or leave such jobs out: `import.partitions = [{}]`",
                keep.join(", ")
            );
            self.help(at, message, help);
        }
        Routes::new(routes)
    }

    /// Checks that organizations may use the clusters of their partitions.
    pub(super) fn check_routes(&mut self) {
        for index in 0..self.workloads.len() {
            let kind = &self.workloads[index].kind;
            let WorkloadKind::Swf { routes, .. } = kind else { continue };
            if routes.is_empty() {
                continue;
            }
            let at = self.places[index].clone().key("partitions");
            let routes: Vec<(i32, ClusterId)> = routes.iter().collect();
            for owner in kind.owners(self.organizations.len()) {
                let uses = &self.organizations[owner].uses;
                let foreign = routes.iter().find(|(_, cluster)| !uses.contains(cluster));
                if let Some(&(partition, cluster)) = foreign {
                    let cluster = show(&self.clusters[cluster.index()].name);
                    let message = format!(
                        "`{}` may not use `{cluster}`",
                        show(&self.organizations[owner].name)
                    );
                    let help = format!("name it in `uses`: `uses = [\"{cluster}\", ...]`");
                    self.help(at.clone().key(partition.to_string()), message, help);
                    break;
                }
            }
        }
    }

    /// Returns the processors of the largest cluster that a job may use.
    pub(super) fn largest_for(&self, job: &Job) -> u32 {
        match job.recorded.cluster() {
            Some(cluster) => self.clusters[cluster.index()].processors(),
            None => match job.recorded.list() {
                Some(list) => self.largest_of(&self.lists[list as usize].1),
                None => self.largest(job.organization),
            },
        }
    }
}

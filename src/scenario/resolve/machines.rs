//! Sizes clusters by the machines of traces: `processors = "trace"`.

use kernel::map::Map;
use std::sync::Arc;

use super::Resolver;
use crate::diagnostics::show;
use crate::path::Path;
use crate::plan::{ClusterKind, WorkloadKind};
use crate::raw;
use model::ids::ClusterId;
use model::machine::Machine;
use workload::swf::Survey;

/// Maximum number of traces that are named in an error.
const NAMED: usize = 6;

/// A cluster with the processors of a trace.
pub(super) struct ByTrace {
    cluster: ClusterId,
    at: Path,
}

impl Resolver<'_> {
    /// Returns the processors of the next cluster; those of a trace are filled in later, since
    /// traces are read after clusters are named.
    pub(super) fn processors(&mut self, written: raw::Processors, at: Path) -> u32 {
        match written {
            raw::Processors::Number(number) => return number,
            raw::Processors::Trace => {
                let cluster = ClusterId(self.clusters.len() as u32);
                self.by_trace.push(ByTrace { cluster, at });
            }
        }
        1
    }

    /// Fills in the processors of the clusters that take them from a trace. That is the trace of
    /// the cluster's owner, or else the only one whose jobs may use the cluster.
    pub(super) fn size_by_traces(&mut self) {
        let by_trace = std::mem::take(&mut self.by_trace);
        let traces = self.traces_of(&by_trace);
        for ByTrace { cluster, at } in by_trace {
            if let Some(partition) = self.is_a_part(cluster) {
                self.only_a_part(cluster, partition, at);
                continue;
            }
            let traces = traces.get(&cluster).map(Vec::as_slice).unwrap_or_default();
            match *traces {
                [] => self.no_trace(cluster, at),
                [ref survey] => match survey.header.max_procs().filter(|&number| number > 0) {
                    Some(number) => {
                        match &mut self.clusters[cluster.index()].kind {
                            ClusterKind::SpaceShared { machine, .. } => {
                                *machine = Machine { free: number, processors: number, ..*machine };
                            }
                            ClusterKind::Own { processors, .. }
                            | ClusterKind::TimeShared { processors } => *processors = number,
                        }
                        self.sizes.push(number);
                    }
                    None => self.no_number(survey, at),
                },
                _ => self.several_traces(cluster, traces, at),
            }
        }
    }

    /// Returns the different traces of each cluster. O(uses of all organizations with a trace).
    fn traces_of(&self, by_trace: &[ByTrace]) -> Map<ClusterId, Vec<Arc<Survey>>> {
        let mut traces: Map<ClusterId, Vec<Arc<Survey>>> = Map::new();
        if by_trace.is_empty() {
            return traces;
        }
        // Organizations of a grid-wide trace are never owners, so each owner has one trace at most.
        let surveys = || {
            self.workloads.iter().filter_map(|workload| match &workload.kind {
                kind @ WorkloadKind::Swf { survey, .. } => {
                    Some((kind.owners(self.organizations.len()), survey))
                }
                _ => None,
            })
        };
        let own: Map<usize, &Arc<Survey>> =
            surveys().flat_map(|(owners, survey)| owners.map(move |one| (one, survey))).collect();
        let mut is_sought = vec![false; self.clusters.len()];
        for ByTrace { cluster, .. } in by_trace {
            match own.get(&self.clusters[cluster.index()].owner.index()) {
                Some(&survey) => _ = traces.insert(*cluster, vec![Arc::clone(survey)]),
                None => is_sought[cluster.index()] = true,
            }
        }
        if !is_sought.contains(&true) {
            return traces;
        }
        for (owners, survey) in surveys() {
            let uses = self.organizations[owners].iter().flat_map(|one| &one.uses[..]);
            for cluster in uses.filter(|cluster| is_sought[cluster.index()]) {
                let known = traces.get_or_default(*cluster);
                if !known.iter().any(|known| known.file == survey.file) {
                    known.push(Arc::clone(survey));
                }
            }
        }
        traces
    }

    /// Returns a partition of a cluster, if the trace has others on other clusters.
    fn is_a_part(&self, cluster: ClusterId) -> Option<i32> {
        self.workloads.iter().find_map(|workload| {
            let WorkloadKind::Swf { routes, .. } = &workload.kind else { return None };
            let (partition, _) = routes.iter().find(|&(_, bound)| bound == cluster)?;
            routes.iter().any(|(_, bound)| bound != cluster).then_some(partition)
        })
    }

    fn only_a_part(&mut self, cluster: ClusterId, partition: i32, at: Path) {
        let message = format!(
            "`MaxProcs` of a trace is about its whole machine, and `{}` has its partition {partition}",
            show(&self.clusters[cluster.index()].name)
        );
        self.help(at, message, "write the number of processors of the partition");
    }

    fn no_trace(&mut self, cluster: ClusterId, at: Path) {
        let cluster = &self.clusters[cluster.index()];
        let owner = show(&self.organizations[cluster.owner.index()].name);
        let message = format!(
            "`{owner}` brings no trace, and no job of a trace may use its cluster `{}`",
            show(&cluster.name)
        );
        let help = "write the number, such as `processors = 64`, or give it a trace: \
                    `workload.swf = { file = \"trace.swf.gz\" }`";
        self.help(at, message, help);
    }

    fn no_number(&mut self, survey: &Survey, at: Path) {
        let message = format!(
            "{} does not say how many processors its machine had (`; MaxProcs: ...` in its header)",
            survey.file.display()
        );
        let nodes = match survey.header.max_nodes() {
            Some(nodes) => format!("its header says MaxNodes: {nodes}, and "),
            None => String::new(),
        };
        let most = survey.max_processors;
        let help = format!(
            "{nodes}its widest job needs {most}: write `processors = {most}`, or more if the \
             machine was larger"
        );
        self.help(at, message, help);
    }

    fn several_traces(&mut self, cluster: ClusterId, traces: &[Arc<Survey>], at: Path) {
        let named: Vec<String> = (traces.iter().take(NAMED))
            .map(|survey| match survey.header.max_procs() {
                Some(number) => format!("{} (MaxProcs {number})", survey.file.display()),
                None => format!("{} (without MaxProcs)", survey.file.display()),
            })
            .collect();
        let more = match traces.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!(
            "the jobs of {} traces may use cluster `{}`: {}{more}",
            traces.len(),
            show(&self.clusters[cluster.index()].name),
            named.join(", ")
        );
        self.help(at, message, "write the number of processors");
    }
}

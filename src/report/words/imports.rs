//! Lines on the traces that were read.

use scenario::plan::{Plan, WorkloadKind};
use stats::shown::{count, counted};

/// Describes what each import rule did to each trace.
pub fn imports(plan: &Plan) -> Vec<String> {
    let mut out = Vec::new();
    for workload in &plan.workloads {
        let Some((file, ledger)) = workload.kind.imported() else { continue };
        let file = file.file_name().unwrap_or_default().to_string_lossy();
        let acknowledge = workload.kind.survey().and_then(|survey| survey.header.acknowledge());
        out.push(format!(
            "{file}: {} of {} jobs used{}",
            count(ledger.kept),
            count(ledger.read),
            acknowledge.map(|who| format!("; please acknowledge {who}")).unwrap_or_default()
        ));
        if let WorkloadKind::Swf { survey, routes, .. } = &workload.kind {
            for (partition, cluster) in routes.iter() {
                let jobs = survey.partitions.get(&partition).map_or(0, |share| share.jobs);
                let jobs = counted(jobs, "job", "jobs");
                let cluster = &plan.clusters[cluster.index()].name;
                out.push(format!("  partition {partition}: {jobs} on {cluster}"));
            }
        }
        for rule in ledger.rows() {
            let lost = rule.lost.map_or(String::new(), |lost| format!("; {lost}"));
            out.push(format!(
                "  {}: {} {} (first on line {}{lost})",
                rule.rule,
                counted(rule.count, "job", "jobs"),
                rule.effect,
                rule.first_line
            ));
        }
    }
    out
}

//! Lines on the traces that were read.

use scenario::plan::{Plan, WorkloadKind};
use stats::shown::{count, counted};

/// Describes what each import rule did to each trace.
pub fn imports(plan: &Plan) -> Vec<String> {
    let mut out = Vec::new();
    for workload in &plan.workloads {
        let WorkloadKind::Swf { survey, routes, .. } = &workload.kind else { continue };
        let ledger = &survey.ledger;
        let file = survey.file.file_name().unwrap_or_default().to_string_lossy();
        out.push(format!(
            "{file}: {} of {} jobs used{}",
            count(ledger.kept),
            count(ledger.read),
            survey
                .header
                .acknowledge()
                .map(|who| format!("; please acknowledge {who}"))
                .unwrap_or_default()
        ));
        for (partition, cluster) in routes.iter() {
            let jobs = survey.partitions.get(&partition).map_or(0, |share| share.jobs);
            let cluster = &plan.clusters[cluster.index()].name;
            out.push(format!(
                "  partition {partition}: {} on {cluster}",
                counted(jobs, "job", "jobs")
            ));
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

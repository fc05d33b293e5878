//! Lists of jobs in CSV.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use gridpact::kernel::time::Span;
use gridpact::model::ids::OrganizationId;
use gridpact::model::job::Job;
use gridpact::workload::Source as _;
use gridpact::workload::jobs::{JobsError, JobsOptions, ListSource, read_jobs_from};

fn read(bytes: &[u8], owner: Option<OrganizationId>) -> Result<Vec<Job>, JobsError> {
    let organizations = ["physics".to_owned(), "biology".to_owned()];
    let options = JobsOptions { source: 3, organizations: &organizations, owner };
    let listed = read_jobs_from(Path::new("fuzzed.csv"), bytes, options)?;
    assert!(
        listed.uses.iter().all(|named| listed.jobs.iter().any(|job| job.number == named.number))
    );
    Ok(listed.jobs)
}

/// Reads a list with and without an owner for jobs that name none; what was read is written and
/// read back.
pub fn check(bytes: &[u8]) {
    let all_named = read(bytes, None);
    let jobs = match read(bytes, Some(OrganizationId(1))) {
        Ok(jobs) => jobs,
        Err(error) => {
            assert!(all_named.is_err());
            assert!(error.to_string().starts_with("fuzzed.csv: "));
            return;
        }
    };
    if let Ok(all_named) = all_named {
        assert_eq!(all_named, jobs);
    }
    let numbers: BTreeSet<u64> = jobs.iter().map(|job| job.number).collect();
    assert_eq!(numbers.len(), jobs.len());
    let mut text = "user,id,estimate,organization,processors,submit,runtime\n".to_owned();
    for job in &jobs {
        let Job { number, submit, runtime, estimate, processors, user, .. } = job;
        assert!(*processors > 0 && *runtime >= Span::ZERO && *estimate >= Span::ZERO);
        let organization = ["physics", "biology"][job.organization.index()];
        let _ = writeln!(
            text,
            "{user},{number},{estimate},{organization},{processors},{submit},{runtime}"
        );
    }
    assert_eq!(read(text.as_bytes(), None).expect("just written"), jobs);
    let mut list = ListSource::new(jobs);
    let mut latest = None;
    while let Ok(Some(job)) = list.next() {
        assert!(Some(job.submit) >= latest);
        latest = Some(job.submit);
    }
}

//! A scheduler of your own on a real trace: the widest job first, against first come first served.
//!
//! `cargo run --release --example own_scheduler` prints both summaries and writes their folders,
//! which `gridpact audit` checks.

use std::path::Path;

use gridpact::kernel::time::Time;
use gridpact::model::ids::JobId;
use gridpact::model::jobs::Running;
use gridpact::model::view::Blind;
use gridpact::policy::local::LocalScheduler;
use gridpact::policy::local::fcfs::Fcfs;
use gridpact::run::experiment::Experiment;
use gridpact::state_of_fields;
use gridpact::workload::swf;

/// The widest job first. It sees `Blind` jobs: their processors, but no length.
#[derive(Clone, Debug, Default)]
struct WidestFirst {
    waiting: Vec<(u32, JobId)>,
}

// What a saved state keeps of it.
state_of_fields!(WidestFirst { waiting });

impl LocalScheduler for WidestFirst {
    type Sees = Blind;

    fn submit(&mut self, job: Blind, _now: Time) {
        let at = self.waiting.partition_point(|&(processors, _)| processors < job.processors);
        self.waiting.insert(at, (job.processors, job.id));
    }

    fn finish(&mut self, _job: Blind, _started: Time, _now: Time) {}

    fn withdraw(&mut self, job: JobId) {
        self.waiting.retain(|&(_, id)| id != job);
    }

    fn decide(
        &mut self,
        _now: Time,
        mut free: u32,
        _running: Running<'_, Blind>,
        start: &mut Vec<JobId>,
    ) {
        // The widest that fits: those behind it in the list need more.
        while let Some(at) =
            self.waiting.partition_point(|&(processors, _)| processors <= free).checked_sub(1)
        {
            let (processors, id) = self.waiting.remove(at);
            free -= processors;
            start.push(id);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let trace =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/traces/KTH-SP2-1996-2.1-cln.swf.gz");
    let experiment = |name: &str| -> Result<Experiment, swf::SwfError> {
        let mut experiment = Experiment::new(format!("KTH under {name}"));
        let kth = experiment.organization("kth");
        experiment.cluster("sp2", kth, 100, name);
        let options = swf::Options { first: Some(3000), ..swf::Options::default() };
        experiment.trace(kth, &trace, &options)?;
        Ok(experiment)
    };
    let results = Path::new("results");
    let widest = experiment("widest_first")?
        .run(Some(&results.join("widest-first")), |_| WidestFirst::default())?;
    println!("{}", widest.summary);
    let fcfs = experiment("fcfs")?.run(Some(&results.join("in-order")), |_| Fcfs::default())?;
    println!("{}", fcfs.summary);
    Ok(())
}

//! Runs the replications of any world, and writes what they leave.

use std::io::Write as _;
use std::time::Instant;

use super::each::each;
use super::error::RunError;
use super::records::{Desk, Gathered, Leavings, Marks, form};
use super::session::{self, NotBegun, Saved, Spent, Store};
use super::settings::RunSettings;
use super::sheet::Sheet;
use super::usage::{peak_memory, rounded};
use super::world::{Kind, NewReplication, Replica, RunContext, Runnable, Seen, Sheets};
use ::report::files::{FORMAT, Manifest, Timing};
use ::report::page;
use ::report::world as report;
use findings::Findings as _;
use findings::known::Known;
use findings::stop::{Goal, Look};
use kernel::state::{State as _, all_taken, take};
use policy::peer;
use scenario::plan::Plan;

/// Runs all replications of a world; resumes from the state saved in its folder, if there is any,
/// and writes its files there, the manifest last.
///
/// The plan says how many replications to run with which seed, until when, and how records are
/// written; its lineage tells to which run saved states belong.
///
/// # Errors
/// See [`RunError`]; no file is left half-written, and the saved state can be resumed.
pub fn conduct<W: Runnable>(
    world: &W,
    plan: &Plan,
    settings: &RunSettings<'_>,
) -> Result<(W::Findings, Timing), RunError> {
    let span = tracing::info_span!("run", name = plan.name, seed = plan.seed);
    let _entered = span.enter();
    let begun = Instant::now();
    let threads = settings.threads.clamp(1, plan.replications as usize);
    let has_spare_thread = settings.threads > threads;
    let settings = &RunSettings { threads, ..*settings };
    let keeps_all = world.saved_as(0).is_some();
    let said: Kind = (peer::RECORD, |out| out.write_all(peer::HEADER.as_bytes()));
    let said = Some(said).filter(|_| plan.has_processes() && !keeps_all);
    let kinds = || world.records().into_iter().chain([said]).collect();
    let desk = |claim| Desk::new(claim, form(plan), kinds(), has_spare_thread);
    let desk = settings.claim.map(desk);
    let mut gathered = desk.as_ref().map(Desk::gather).unwrap_or_default();
    let store = Store::of(settings, keeps_all)?;
    let session = store.as_ref().map(|store| store.session(plan));
    let context = RunContext { settings, session: session.as_ref() };
    world.prepare(&context)?;
    let mut findings = world.findings();
    let mut cost = Seen::default();
    let mut goal = Goal::new(plan.replications, plan.precision.as_ref());
    each(
        &mut goal,
        threads,
        |number| replicate(world, &context, desk.as_ref(), number),
        |(outcome, sheets, seen), goal| {
            world.add(&mut findings, outcome);
            let count = findings.sample().replications();
            goal.added(count, |precision| {
                findings.close();
                Look::at(precision, &findings)
            });
            settings.progress.board().held(goal.held());
            cost.jobs += seen.jobs;
            cost.rounds += seen.rounds;
            cost.wakes += seen.wakes;
            Ok(gathered.add(sheets)?)
        },
    )?;
    findings.close();
    let ended = goal.ended().or_else(|| findings.sample().ended.clone());
    if let (Some(precision), Some(ended)) = (&plan.precision, ended) {
        let against = world.objection(&findings, &ended);
        let known = Known::of(precision, &findings, ended, against);
        findings.sample_mut().known = Some(known);
    }
    let spent = store.as_ref().map(Store::spent).unwrap_or_default();
    let timing = timing(cost, spent, settings, begun);
    tracing::info!(
        jobs = timing.jobs,
        rounds = timing.rounds,
        seconds = rounded(timing.run_seconds),
        jobs_per_second = timing.jobs_per_second.round(),
        threads,
        "run ended"
    );
    leave(world, plan, &findings, &timing, gathered, settings)?;
    let each = timing.checkpoint_seconds / threads as f64;
    if let Some(note) = saving(each, timing.run_seconds) {
        settings.control.note(note);
    }
    match (settings.claim, settings.every) {
        (Some(claim), Some(_)) => session::close(claim, keeps_all, settings.control)?,
        (Some(claim), None) => claim.forget()?,
        (None, _) => {}
    }
    Ok((findings, timing))
}

/// Runs some replications of a world to their ends and keeps their final states; nothing else is left.
///
/// # Errors
/// See [`RunError`]; what was interrupted can be resumed.
pub(super) fn conduct_some<W: Runnable>(
    world: &W,
    plan: &Plan,
    settings: &RunSettings<'_>,
    numbers: &[u32],
) -> Result<(), RunError> {
    let store = Store::of(settings, true)?;
    let session = store.as_ref().map(|store| store.session(plan));
    let context = RunContext { settings, session: session.as_ref() };
    world.prepare(&context)?;
    let has_ended = |number: &u32| {
        let saved = session.as_ref().zip(world.saved_as(*number));
        saved.is_some_and(|(session, (plan, own))| session.of_one(plan).has_ended(own))
    };
    let (ended, open): (Vec<u32>, Vec<u32>) = numbers.iter().partition(|&number| has_ended(number));
    ended.iter().for_each(|&number| settings.progress.board().ended(number, (0, 0)));
    each(
        &mut Goal::fixed(open.len() as u32),
        settings.threads.max(1),
        |at| replicate(world, &context, None, open[at as usize]).map(drop),
        |(), _| Ok(()),
    )
}

/// Writes the files of a run.
fn leave<W: Runnable>(
    world: &W,
    plan: &Plan,
    findings: &W::Findings,
    timing: &Timing,
    records: Gathered,
    settings: &RunSettings<'_>,
) -> Result<(), RunError> {
    let Some(claim) = settings.claim else { return Ok(()) };
    let report = world.report(findings);
    let mut leavings = Leavings::new(claim);
    leavings.records(records)?;
    for (name, content) in report::files(plan, &*report) {
        leavings.write(&name, &content)?;
    }
    let write_page = |manifest: &Manifest| {
        Ok(page::write(claim.folder(), Some(manifest), page::jobs::USUAL).map(drop)?)
    };
    let page = plan.output.page.then_some((page::PAGE, write_page));
    leavings.publish(timing, |digests| report::manifest(plan, &*report, digests), page)
}

/// Runs a replication to its end, from its saved state if there is one.
fn replicate<W: Runnable>(
    world: &W,
    context: &RunContext<'_>,
    desk: Option<&Desk>,
    number: u32,
) -> Result<(W::Outcome, Sheets, Seen), RunError> {
    let span = tracing::info_span!("replication", number);
    let _entered = span.enter();
    tracing::debug!("replication started");
    let begun = Instant::now();
    let settings = context.settings;
    let (session, own) = match world.saved_as(number) {
        None => (context.session.cloned(), number),
        Some((plan, own)) => (context.session.map(|session| session.of_one(plan)), own),
    };
    let played: Saved<W::Replica<'_>> = session::play(session.as_ref(), settings, own, |saved| {
        let (replica, processes) = match saved {
            None => {
                let mut sheets =
                    desk.map(|desk| desk.begin(number)).transpose()?.unwrap_or_default();
                let processes = sheets.pop().flatten();
                (world.begin(NewReplication { number, sheets, context }, None)?, processes)
            }
            Some(saved) => resume(world, context, desk, number, saved)?,
        };
        Ok(Saved { number, replica, has_marks: true, processes, is_over: false })
    })?;
    let Saved { replica, processes, .. } = played;
    let (seen, flow) = (replica.seen(), replica.flow());
    let (outcome, mut sheets) = replica.finish()?;
    sheets.push(processes);
    settings.progress.board().ended(number, flow);
    let Seen { jobs, rounds, wakes, .. } = seen;
    let seconds = rounded(begun.elapsed().as_secs_f64());
    tracing::info!(jobs, rounds, wakes, seconds, "replication ended");
    Ok((outcome, sheets, seen))
}

/// Resumes a replication from a saved state: head, marks in its records, state.
fn resume<'a, W: Runnable>(
    world: &'a W,
    context: &RunContext<'_>,
    desk: Option<&Desk>,
    number: u32,
    mut saved: &[u8],
) -> Result<(W::Replica<'a>, Option<Sheet>), NotBegun> {
    let head: W::Head = take(&mut saved)?;
    if !world.passes(&head, number, context)? {
        return Err(NotBegun::Past);
    }
    let asks: bool = take(&mut saved)?;
    let marks: Marks = take(&mut saved)?;
    if asks && marks.last().is_none_or(Option::is_none) {
        return Err(NotBegun::Past);
    }
    let mut sheets = match desk {
        None => Vec::new(),
        Some(desk) => desk.reopen(number, &marks)?.ok_or_else(|| {
            NotBegun::Unfit("its records are not there, or not what they were".to_owned())
        })?,
    };
    let mut processes = sheets.pop().flatten();
    if let Some(sheet) = &mut processes {
        peer::go_on_after(sheet.text()?);
    }
    let mut replica = world.begin(NewReplication { number, sheets, context }, Some(&head))?;
    replica.load(&mut saved)?;
    all_taken(saved)?;
    replica.resumed(&head);
    Ok((replica, processes))
}

/// The cost of a run that began at this instant: the work done, and the overhead of checkpoints.
fn timing(seen: Seen, spent: Spent, settings: &RunSettings<'_>, begun: Instant) -> Timing {
    let run_seconds = begun.elapsed().as_secs_f64();
    let per_second = |number: u64| number as f64 / run_seconds.max(1e-9);
    let rounds = (seen.rounds > 0).then_some(seen.rounds);
    Timing {
        format: FORMAT,
        read_seconds: settings.read_seconds,
        run_seconds,
        jobs: seen.jobs,
        jobs_per_second: per_second(seen.jobs),
        rounds,
        rounds_per_second: rounds.map(per_second),
        wakes: seen.wakes,
        peak_memory_bytes: peak_memory(),
        checkpoints: spent.checkpoints,
        checkpoint_seconds: spent.time.as_secs_f64(),
        largest_checkpoint_bytes: spent.bytes,
        threads: settings.threads,
    }
}

/// A note if saving the state took much of a thread's `seconds`; `saving` is its share of the threads'
/// sum.
fn saving(saving: f64, seconds: f64) -> Option<String> {
    (saving > 1.0 && saving > 0.05 * seconds).then(|| {
        format!(
            "saving the state took {saving:.0} of {seconds:.0} seconds; a longer `--checkpoint-every` \
             saves most of that"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::saving;

    /// Twelve seconds of two threads are six of the seven that the run took.
    #[test]
    fn saving_takes_no_longer_than_the_run() {
        let note = saving(12.0 / 2.0, 7.0).expect("it is much");
        assert!(note.starts_with("saving the state took 6 of 7 seconds;"), "{note}");
        assert_eq!((saving(0.9, 1.0), saving(3.0, 100.0)), (None, None));
    }
}

//! Sweep over the runs of each site: processors in use and things held, at every instant.

use super::facts::{CampaignFacts, HELD, HELD_WORDS, Mode, RunFacts, WorldFacts};
use super::files::{Hold, Stay, holds};
use super::{Check, violation};
use kernel::time::Time;

/// Parts of a processor in which shares are summed, a power of 2. Sums are exact, so that they do not
/// drift.
const PARTS: i128 = 1 << 40;
/// Inverse of the relative tolerance for shares.
const TOLERANCE: i128 = 1_000_000_000;

/// Amounts of processors, in parts, and of each thing held, in millionths.
type Amounts = [i128; HELD + 1];

/// The checks of sites.
pub(super) struct Sweep {
    pub capacity: Check,
    pub limits: Check,
}

impl Sweep {
    /// The checks, before any site.
    pub fn new() -> Sweep {
        Sweep {
            capacity: Check::new("capacity", "no site uses more processors than it has"),
            limits: Check::new(
                "limits",
                "running tasks and files hold no more storage and memory than their site has",
            ),
        }
    }

    /// Checks all sites. O(runs · log runs).
    pub fn check(
        &mut self,
        world: &WorldFacts,
        facts: &CampaignFacts,
        usable: &[bool],
        stays: &[Stay],
    ) {
        // Behind the runs come the files that they leave.
        let mut files: Vec<Hold> = Vec::new();
        let mut events: Vec<Vec<(Time, bool, usize)>> = vec![Vec::new(); world.sites.len()];
        let runs = facts.runs.iter().enumerate();
        for (number, run) in runs.filter(|&(number, run)| usable[number] && run.start < run.finish)
        {
            // A finish sorts before a start at the same time.
            events[run.site].extend([(run.finish, false, number), (run.start, true, number)]);
            if world.mode == Mode::Whole && world.sites[run.site].limits[0].is_some() {
                let first = files.len();
                holds(facts, stays, number, run, &mut files);
                for (place, hold) in files.iter().enumerate().skip(first) {
                    let number = facts.runs.len() + place;
                    let ends = hold.until.map(|until| (until, false, number));
                    let stays = ends.is_none_or(|(until, ..)| until > hold.from);
                    let begins = stays.then_some((hold.from, true, number));
                    events[run.site].extend(begins.into_iter().chain(ends.filter(|_| stays)));
                }
            }
        }
        for (site, mut events) in events.into_iter().enumerate() {
            events.sort_unstable();
            self.site(world, facts, (site, &files), &events);
        }
    }

    /// Checks a site, given its events in order.
    fn site(
        &mut self,
        world: &WorldFacts,
        facts: &CampaignFacts,
        (site, files): (usize, &[Hold]),
        events: &[(Time, bool, usize)],
    ) {
        let most = limits(world, site);
        let mut used: Amounts = [0; HELD + 1];
        let mut running: i128 = 0;
        for instant in events.chunk_by(|one, next| one.0 == next.0) {
            let mut culprits = [None; HELD + 1];
            for &(_, starts, number) in instant {
                running += if starts { 1 } else { -1 };
                let file = number.checked_sub(facts.runs.len()).map(|file| &files[file]);
                let amounts = match file {
                    Some(file) => [0, file.amount, 0],
                    None => amounts(world, facts, &facts.runs[number]),
                };
                for (thing, amount) in amounts.into_iter().enumerate() {
                    let signed = if starts { amount } else { -amount };
                    used[thing] = used[thing].saturating_add(signed);
                    let is_over = over(world.mode, used[thing], most[thing], running);
                    if starts && is_over && culprits[thing].is_none() {
                        culprits[thing] = Some(number);
                    }
                }
            }
            self.capacity.looked_at += 1;
            self.limits.looked_at += u64::from(most[1..].iter().any(Option::is_some));
            for (thing, culprit) in culprits.into_iter().enumerate() {
                let (Some(culprit), Some(most)) = (culprit, most[thing]) else { continue };
                let file = culprit.checked_sub(facts.runs.len()).map(|file| &files[file]);
                self.exceeded(world, facts, (culprit, file), (thing, used[thing], most));
            }
        }
    }

    /// Reports a run that starts, or files that stay, although there is not enough.
    fn exceeded(
        &mut self,
        world: &WorldFacts,
        facts: &CampaignFacts,
        (run, file): (usize, Option<&Hold>),
        (thing, used, most): (usize, i128, i128),
    ) {
        let RunFacts { class, site, start, .. } = facts.runs[file.map_or(run, |file| file.run)];
        let (check, what, unit) = match thing {
            0 => (&mut self.capacity, "processors", parts(world.mode)),
            _ => (&mut self.limits, HELD_WORDS[thing - 1], 1_000_000),
        };
        let [used, most] = [used, most].map(|amount| amount as f64 / unit as f64);
        let who = facts.called(class);
        let (at, what_happens) = match file {
            Some(file) => (file.from, format!("at {}: files of {who} take room", file.from)),
            None => (start, format!("{who} starts at {start}")),
        };
        let text = format!("{what_happens}, so that {used} of {most} {what} are in use");
        let site = &world.sites[site].name;
        check.violated(|| violation(facts, Some(site), Some(at), text));
    }
}

/// Parts of a processor in which sums are kept.
fn parts(mode: Mode) -> i128 {
    match mode {
        Mode::Whole => 1,
        Mode::Fluid => PARTS,
    }
}

/// The amounts that a site has; `None` without limit.
fn limits(world: &WorldFacts, site: usize) -> [Option<i128>; HELD + 1] {
    let site = &world.sites[site];
    let [storage, memory] = site.limits.map(|limit| limit.map(i128::from));
    [Some(i128::from(site.processors) * parts(world.mode)), storage, memory]
}

/// The amounts that a run uses.
fn amounts(world: &WorldFacts, facts: &CampaignFacts, run: &RunFacts) -> Amounts {
    let class = &facts.classes[run.class];
    let needs = [class.needs[0].saturating_add(class.output), class.needs[1]];
    let [storage, memory] = match world.mode {
        Mode::Whole => needs.map(|need| i128::from(need) * run.processors as i128),
        Mode::Fluid => needs.map(|need| (run.processors * need as f64).round() as i128),
    };
    [(run.processors * parts(world.mode) as f64).round() as i128, storage, memory]
}

/// Returns true if more is in use than there is; shares may be off by rounding.
fn over(mode: Mode, used: i128, most: Option<i128>, running: i128) -> bool {
    let Some(most) = most else { return false };
    let slack = match mode {
        Mode::Whole => 0,
        Mode::Fluid => most / TOLERANCE + running,
    };
    used > most.saturating_add(slack)
}

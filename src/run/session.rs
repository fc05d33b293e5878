//! Saves the replications of a run and resumes them after an interruption.
//!
//! A replication is saved whole: its simulation, its observers, and the positions in its records.
//! The last two checkpoints of a running replication are separate files; its final state is
//! appended to a log. The result of a run is a function of these final states, so nothing else is
//! saved.

mod ended;

use kernel::map::{Map, Set};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::claim::{Claim, STATE, names_in, remove};
use super::control::{Control, Every};
use super::error::RunError;
use super::progress::Seen;
use super::pulse::{Answered, Pulse};
use super::records::Marks;
use super::settings::RunSettings;
use super::sheet::{OpenRecords, Sheet};
use super::world::Replica;
use kernel::state::{self, Corrupt, put, take};
use policy::peer::{self, Scope};
use records::files::{self, FileError, open_regular};
use scenario::plan::Plan;
use sim::pool::PoolError;
use workload::SourceError;

pub(super) use ended::Key;
use ended::{Ended, read_frames};
use kernel::order::InOrder as _;

/// A replication that is saved between two steps.
pub(super) struct Saved<R> {
    pub(super) number: u32,
    pub(super) replica: R,
    /// True if the positions in its records are saved with it.
    pub(super) has_marks: bool,
    /// The record of what is said with programs.
    pub(super) processes: Option<Sheet>,
    /// True once it has ended.
    pub(super) is_over: bool,
}

impl<R: Replica> Saved<R> {
    /// Advances by about this many instants; false once it has ended.
    fn advance(&mut self, instants: u64) -> Result<bool, RunError> {
        let more = self.replica.advance(instants)?;
        peer::take_lines(|line| -> Result<(), RunError> {
            let Some(sheet) = &mut self.processes else { return Ok(()) };
            Ok(sheet.write_all(line).map_err(|error| sheet.wrong(error))?)
        })?;
        self.is_over = !more;
        self.replica.records().into_iter().flatten().try_for_each(OpenRecords::check)?;
        Ok(more)
    }

    fn pulse(&self) -> Pulse {
        Pulse { replication: self.number, ..self.replica.pulse() }
    }

    /// Appends everything needed to resume. With `safely`, its records are synced to disk first.
    fn save(&mut self, safely: bool, out: &mut Vec<u8>) -> Result<(), RunError> {
        put(&self.replica.head(), out);
        // To go on, programs have to hear again what was said.
        put(&(peer::has_talked() && !self.is_over), out);
        if self.has_marks {
            // Records that wait to be written are no part of the replica's state.
            let records = self.replica.records().into_iter();
            let processes = self.processes.as_mut().map(|sheet| sheet as &mut dyn OpenRecords);
            let marks = records.chain([processes]);
            let marks = marks.map(|one| one.map(|one| one.mark(safely)).transpose());
            put(&marks.collect::<Result<Marks, _>>()?, out);
        }
        self.replica.save(out);
        Ok(())
    }
}

/// Reason why a saved state is not used.
#[derive(Debug)]
pub(super) enum NotBegun {
    /// It is damaged, or the files that belong to it are.
    Unfit(String),
    /// It is valid, but the new run diverges at an earlier point.
    Past,
    /// An unrelated error.
    Run(RunError),
}

/// Errors of a run end it rather than make it start over.
macro_rules! run_errors {
    ($($error:ty),*) => {
        $(impl From<$error> for NotBegun {
            fn from(error: $error) -> NotBegun {
                NotBegun::Run(error.into())
            }
        })*
    };
}
run_errors!(RunError, FileError, SourceError, PoolError);

/// Overhead of saving a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    pub(super) checkpoints: u64,
    /// Size of the largest checkpoint.
    pub(super) bytes: u64,
    pub(super) time: Duration,
}

/// Limit for the log of final states, in bytes.
const MOST_KEPT: u64 = 256 << 20;

/// Beyond the limit, only replications that took this long are logged.
const WORTH: Duration = Duration::from_secs(1);

/// Number of replications that are logged however short they are.
const FIRST: usize = 256;

/// Beyond this number, only replications that took this long are logged: to simulate others again
/// takes no longer than to save and load them.
const BRIEF: Duration = Duration::from_micros(200);

/// Log of final states.
const ENDED: &str = "ended";
/// File extension of checkpoints.
const CHECKPOINT: &str = ".checkpoint";

/// True if any state of a run is saved.
pub(super) fn has_state(claim: &Claim) -> bool {
    let has_ended = claim.state().join(ENDED).metadata().is_ok_and(|ended| ended.len() > 0);
    has_ended || serials(claim).is_ok_and(|serials| !serials.is_empty())
}

fn serials(claim: &Claim) -> Result<Serials, FileError> {
    let mut serials = Serials::new();
    for name in names_in(claim.state())? {
        let numbers = name.to_str().and_then(|name| {
            let (rest, serial) = name.strip_suffix(CHECKPOINT)?.rsplit_once('-')?;
            let letter = rest.rfind(['r', 'f'])?;
            let bit = if rest[letter..].starts_with('f') { FIRST_RUN } else { 0 };
            let number = rest[letter + 1..].parse::<u32>().ok()? | bit;
            Some(((rest[..letter].to_owned(), number), serial.parse().ok()?))
        });
        if let Some((of, serial)) = numbers {
            serials.get_or_default(of).push(serial);
        }
    }
    serials.values_mut().for_each(|serials| serials.sort_unstable());
    Ok(serials)
}

/// The saved replications of a run.
#[derive(Debug)]
pub(super) struct Store<'a> {
    claim: &'a Claim,
    every: Every,
    ended: Mutex<Ended>,
    /// Checkpoints found at the start.
    serials: Serials,
    spent: Mutex<Spent>,
    /// True if the log takes every final state, however many there are.
    keeps_all: bool,
}

/// The saved replications of a plan.
#[derive(Clone, Debug)]
pub(super) struct Session<'a> {
    store: &'a Store<'a>,
    /// Identifies the plan to which states belong.
    kind: String,
    /// Prefix of the names of its checkpoints: empty for the only plan of a run.
    prefix: String,
}

/// Serial numbers of checkpoints, by prefix and replication.
type Serials = Map<(String, u32), Vec<u64>>;

/// Flag in a replication's number: the entry is its landmark, not its final state.
const LANDMARK: u32 = 1 << 31;

/// Flag in a replication's number: the entry is its first run, which only determines the jobs that
/// count and is saved separately.
pub(super) const FIRST_RUN: u32 = 1 << 30;

/// Name of a replication, or of its first run, for messages.
fn named(number: u32) -> String {
    match number & FIRST_RUN {
        0 => format!("replication {number}"),
        _ => format!("first run of replication {}", number ^ FIRST_RUN),
    }
}

impl<'a> Store<'a> {
    /// Opens the states of a run, if it can be resumed.
    pub(super) fn of(
        settings: &RunSettings<'a>,
        keeps_all: bool,
    ) -> Result<Option<Store<'a>>, FileError> {
        let kept = settings.claim.zip(settings.every);
        let open = |(claim, every)| Store::open(claim, every, keeps_all, settings.control);
        kept.map(open).transpose()
    }

    /// Opens what was saved in a folder, if there is anything.
    pub(super) fn open(
        claim: &'a Claim,
        every: Every,
        keeps_all: bool,
        control: &Control,
    ) -> Result<Store<'a>, FileError> {
        Ok(Store {
            every,
            ended: Mutex::new(Ended::open(claim.state().join(ENDED), control)?),
            serials: serials(claim)?,
            spent: Mutex::default(),
            keeps_all,
            claim,
        })
    }

    /// The entries of a folder's log, without a claim on it; `None` if it has none.
    pub(super) fn keys_of(folder: &Path) -> Result<Option<Set<Key>>, FileError> {
        let path = folder.join(STATE).join(ENDED);
        let mut file = match open_regular(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(FileError::of(&path))?,
        };
        let (frames, _) = read_frames(&mut file).map_err(FileError::of(&path))?;
        Ok(Some(frames.into_iter().map(|(key, _)| key).collect()))
    }

    /// The states of the run's own plan.
    pub(super) fn session(&'a self, plan: &Plan) -> Session<'a> {
        Session { store: self, kind: kind(plan), prefix: String::new() }
    }

    /// Overhead of saving the run so far.
    pub(super) fn spent(&self) -> Spent {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The digest of each entry of the log.
    ///
    /// # Errors
    /// Fails if the log cannot be read.
    pub(super) fn digests(&self) -> Result<Map<Key, blake3::Hash>, FileError> {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let keys: Vec<Key> = ended.frames.keys().copied().collect();
        let digest = |key: Key| Ok((key, blake3::hash(&ended.read(&key)?.unwrap_or_default())));
        keys.into_iter().map(digest).collect()
    }

    /// Takes over the entries of another folder's log that this one has not.
    ///
    /// # Errors
    /// Fails if a log cannot be read or written.
    pub(super) fn take_over(&self, other: &Store<'_>) -> Result<(), FileError> {
        let mut theirs = other.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let mut ours = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let new = |key: &Key| !ours.frames.contains_key(key);
        let keys: Vec<Key> = theirs.frames.keys().copied().filter(new).collect();
        for key in keys {
            if let Some(frame) = theirs.read(&key)? {
                ours.append(key, &frame)?;
            }
        }
        Ok(())
    }
}

/// Identifies the plan to which states belong, whatever its length.
fn kind(plan: &Plan) -> String {
    format!("{} {} seed {}", env!("CARGO_PKG_VERSION"), plan.lineage, plan.seed)
}

/// Identifies one of several plans that are run together, with its length.
fn kind_of_one(plan: &Plan) -> String {
    format!("{} until {:?}", kind(plan), plan.until)
}

/// The key of an entry: a replication, its first run, or its landmark.
fn key(kind: &str, entry: u32) -> Key {
    let mut hasher = blake3::Hasher::new();
    hasher.update(kind.as_bytes()).update(&entry.to_le_bytes());
    hasher.finalize().as_bytes()[..16].try_into().expect("a digest has 32 bytes")
}

/// The key of a replication's final state, of one of several plans that are run together.
pub(super) fn key_of(plan: &Plan, replication: u32) -> Key {
    key(&kind_of_one(plan), replication)
}

impl<'a> Session<'a> {
    /// The states of one of several plans that are run together: each is known by all that its
    /// replications depend on, so that other plans may come and go.
    pub(super) fn of_one(&self, plan: &Plan) -> Session<'a> {
        let kind = kind_of_one(plan);
        let digest = blake3::hash(kind.as_bytes()).to_hex();
        Session { store: self.store, prefix: format!("{}-", &digest[..16]), kind }
    }

    /// True if the log has the final state of a replication.
    pub(super) fn has_ended(&self, number: u32) -> bool {
        let ended = self.store.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.frames.contains_key(&self.key(number))
    }

    fn kind(&self, number: u32) -> Vec<u8> {
        format!("{} {}", self.kind, named(number)).into_bytes()
    }

    fn key(&self, entry: u32) -> Key {
        key(&self.kind, entry)
    }

    fn path(&self, number: u32, serial: u64) -> PathBuf {
        let letter = if number & FIRST_RUN == 0 { 'r' } else { 'f' };
        let (prefix, number) = (&self.prefix, number & !FIRST_RUN);
        self.store.claim.state().join(format!("{prefix}{letter}{number}-{serial}{CHECKPOINT}"))
    }

    /// Serial numbers of the checkpoints of a replication that were found at the start.
    fn serials(&self, number: u32) -> &[u64] {
        self.store.serials.get(&(self.prefix.clone(), number)).map_or(&[], |serials| serials)
    }

    /// All saved states of a replication with their location: its final state, then the latest
    /// checkpoints, then its landmark.
    fn saved(&self, number: u32) -> Result<Vec<(Vec<u8>, String)>, FileError> {
        let mut found = Vec::new();
        let logged = |entry: u32, found: &mut Vec<_>| {
            let mut ended = self.store.ended.lock().unwrap_or_else(PoisonError::into_inner);
            let what = format!("{}, {}", ended.path.display(), named(number));
            ended.read(&self.key(entry)).map(|frame| found.extend(frame.map(|frame| (frame, what))))
        };
        logged(number, &mut found)?;
        for &serial in self.serials(number).iter().rev() {
            let path = self.path(number, serial);
            let frame = fs::read(&path).map_err(FileError::of(&path))?;
            found.push((frame, path.display().to_string()));
        }
        logged(number | LANDMARK, &mut found)?;
        Ok(found)
    }

    /// Restores a replication from its latest usable state, if there is any.
    fn latest<R: Replica>(
        &self,
        number: u32,
        control: &Control,
        begin: &impl Fn(Option<&[u8]>) -> Result<Saved<R>, NotBegun>,
    ) -> Result<Option<Saved<R>>, RunError> {
        let kind = self.kind(number);
        let unfit = |wrong: String| {
            control.note(format!(
                "{wrong}; what was saved before, or else the beginning, is gone on from"
            ));
        };
        let mut found = self.saved(number)?;
        found.retain(|(frame, what)| {
            let content = state::content(&kind, frame);
            content.as_ref().err().map(|wrong| unfit(format!("{what}: {wrong}"))).is_none()
        });
        // Try the furthest state first, and a final state before a checkpoint of the same rank: a
        // run that is being extended has come further than its old final state. Records are cut to
        // a state's position, so once one was tried, none that is further may follow.
        let rank = |frame: &[u8]| {
            let head = state::content(&kind, frame).ok().and_then(|mut one| take(&mut one).ok());
            head.map(|head| R::rank(&head))
        };
        found.order_by_key(|(frame, _)| std::cmp::Reverse(rank(frame)));
        for (frame, what) in found {
            match begin(Some(state::content(&kind, &frame).expect("it was read before"))) {
                Ok(replica) => {
                    tracing::info!(from = what, "{} goes on", named(number));
                    return Ok(Some(replica));
                }
                Err(NotBegun::Past) => {}
                Err(NotBegun::Unfit(wrong)) => unfit(format!("{what}: {wrong}")),
                Err(NotBegun::Run(error)) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Saves a replication, keeping its last two checkpoints.
    fn checkpoint(
        &self,
        number: u32,
        serial: u64,
        replica: &mut Saved<impl Replica>,
    ) -> Result<(), RunError> {
        let begun = Instant::now();
        let frame = self.frame(number, true, replica)?;
        let path = self.path(number, serial);
        files::written(&path, &frame)?.publish()?;
        files::sync_folder(self.store.claim.state())?;
        if let Some(old) = serial.checked_sub(2) {
            remove(&self.path(number, old))?;
        }
        let mut spent = self.store.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.checkpoints += 1;
        spent.bytes = spent.bytes.max(frame.len() as u64);
        spent.time += begun.elapsed();
        tracing::info!(serial, bytes = frame.len(), "checkpoint of {} written", named(number));
        Ok(())
    }

    /// True once the log has reached its limit.
    fn is_full(&self) -> bool {
        let ended = self.store.ended.lock().unwrap_or_else(PoisonError::into_inner);
        !self.store.keeps_all && ended.length > MOST_KEPT
    }

    /// True if the final state of a replication that took this long should be logged.
    fn is_worth_it(&self, took: Duration) -> bool {
        let ended = self.store.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let is_brief = took < BRIEF && ended.frames.len() >= FIRST;
        let has_room = ended.length <= MOST_KEPT;
        self.store.keeps_all || took >= WORTH || (has_room && !is_brief)
    }

    /// Appends a replication to the log, unless it is there already.
    fn log(
        &self,
        number: u32,
        entry: u32,
        replica: &mut Saved<impl Replica>,
    ) -> Result<(), RunError> {
        let frame = self.frame(number, false, replica)?;
        let key = self.key(entry);
        let mut ended = self.store.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.read(&key)?.as_ref() != Some(&frame) {
            ended.append(key, &frame)?;
        }
        Ok(())
    }

    fn frame(
        &self,
        number: u32,
        safely: bool,
        replica: &mut Saved<impl Replica>,
    ) -> Result<Vec<u8>, RunError> {
        let mut saved = Ok(());
        let frame = state::seal_with(&self.kind(number), |out| saved = replica.save(safely, out));
        saved.map(|()| frame)
    }
}

/// Removes the state that is only needed while a run is unfinished, once its results are there. The
/// rest is needed to extend the run.
///
/// With `keeps_all` the log stays, however large it is.
pub(super) fn close(claim: &Claim, keeps_all: bool, control: &Control) -> Result<(), FileError> {
    let length = Ended::open(claim.state().join(ENDED), control)?.compact()?;
    let is_large = length > MOST_KEPT && !keeps_all;
    if is_large {
        control.note(format!(
            "the states in which the replications ended take {} MB and are not kept: to extend \
             this run, it is simulated again",
            length >> 20
        ));
    }
    for name in names_in(claim.state())? {
        let text = name.to_string_lossy();
        let is_part = text.rsplit_once(".r").is_some_and(|(_, number)| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        if is_part || text.ends_with(CHECKPOINT) || is_large && text == ENDED {
            let path = claim.state().join(&name);
            fs::remove_file(&path).map_err(FileError::of(&path))?;
        }
    }
    Ok(())
}

/// Default number of jobs between two checks.
const BETWEEN_LOOKS: u64 = 4096;

/// The same where programs decide, which may take seconds.
const BETWEEN_ANSWERS: u64 = 16;

/// Runs a replication to its end, from its saved state if there is one, saving it on the way.
pub(super) fn play<R: Replica>(
    session: Option<&Session<'_>>,
    settings: &RunSettings<'_>,
    number: u32,
    begin: impl Fn(Option<&[u8]>) -> Result<Saved<R>, NotBegun>,
) -> Result<Saved<R>, RunError> {
    let replay = settings.replay.map(Path::to_owned);
    let _scope = Scope::begin(number & !FIRST_RUN, replay);
    let (control, board) = (settings.control, settings.progress.board());
    let mut told = Seen::default();
    let playing = control.plays();
    let latest = session.map(|session| session.latest(number, control, &begin)).transpose()?;
    let mut replica = match latest.flatten() {
        Some(replica) => {
            board.jumped();
            replica
        }
        None => begin(None).map_err(|error| match error {
            NotBegun::Run(error) => error,
            NotBegun::Unfit(_) | NotBegun::Past => unreachable!("nothing was loaded"),
        })?,
    };
    // Work done earlier counts as progress at once.
    settings.progress.tell(&mut told, replica.replica.seen());
    let every = session.map_or(Every::Never, |session| session.store.every);
    let look = match every {
        Every::Jobs(jobs) => jobs.clamp(1, BETWEEN_LOOKS),
        _ => BETWEEN_LOOKS,
    };
    let mut serial = session
        .and_then(|session| session.serials(number).last().map(|last| last + 1))
        .unwrap_or(0);
    let (mut saved, mut seen) = (Instant::now(), replica.replica.seen());
    let (mut has_landmark, begun) = (false, Instant::now());
    let mut answered = Answered::default();
    let mut has_advanced = false;
    loop {
        board.look(&mut answered, || replica.pulse());
        if control.stops() {
            drop(playing);
            // Of what has not begun only the first is saved, so that there is a run to go on with.
            let is_first = number & !FIRST_RUN == 0 && serial == 0;
            if let Some(session) = session.filter(|_| has_advanced || is_first) {
                session.checkpoint(number, serial, &mut replica)?;
                board.checkpointed();
            }
            return Err(RunError::Interrupted);
        }
        let may_ask = !has_advanced || peer::has_talked();
        let look = if may_ask { look.min(BETWEEN_ANSWERS) } else { look };
        let more = replica.advance(look)?;
        settings.progress.tell(&mut told, replica.replica.seen());
        if !more {
            break;
        }
        has_advanced = true;
        if !has_landmark && replica.replica.is_landmark() {
            has_landmark = true;
            if let Some(session) = session.filter(|session| !session.is_full()) {
                session.log(number, number | LANDMARK, &mut replica)?;
            }
        }
        let is_due = match every {
            Every::Time(time) => saved.elapsed() >= time,
            Every::Jobs(jobs) => replica.replica.seen().jobs >= seen.jobs.saturating_add(jobs),
            Every::Rounds(rounds) => {
                replica.replica.seen().rounds >= seen.rounds.saturating_add(rounds)
            }
            Every::Never => false,
        };
        if let Some(session) = session.filter(|_| is_due) {
            session.checkpoint(number, serial, &mut replica)?;
            board.checkpointed();
            serial += 1;
            (saved, seen) = (Instant::now(), replica.replica.seen());
        }
    }
    // Many short replications are not worth the disk space; they are simulated again if needed.
    if let Some(session) = session.filter(|session| session.is_worth_it(begun.elapsed())) {
        session.log(number, number, &mut replica)?;
    }
    Ok(replica)
}

impl From<Corrupt> for NotBegun {
    fn from(wrong: Corrupt) -> NotBegun {
        NotBegun::Unfit(wrong.to_string())
    }
}

//! The jobs of a surveyed trace, packed: in memory as far as there is room, then in a temporary
//! file.
//!
//! A block of jobs is stored column by column, each value as its distance from the least one, in
//! seconds where all are whole seconds, in the fewest bytes that hold the largest: about 20 bytes a
//! job instead of 56.

use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::sync::{Mutex, PoisonError};

use super::canonical::Canonical;
use crate::scratch::Scratch;
use kernel::time::TICKS_PER_UNIT;

/// Room for packed jobs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Most bytes in memory.
    pub memory: usize,
    /// True if further blocks may go to a temporary file.
    pub file: bool,
}

impl Room {
    /// No room: jobs are not kept.
    #[cfg(test)]
    pub const NONE: Room = Room { memory: 0, file: false };
}

/// All jobs of a survey, in blocks.
#[derive(Debug)]
pub(super) struct Kept {
    /// The first blocks.
    held: Vec<Box<[u8]>>,
    /// The others.
    spool: Option<Spool>,
}

#[derive(Debug)]
struct Spool {
    scratch: Mutex<Scratch>,
    /// End of each block in the file.
    ends: Vec<u64>,
}

/// Keeps jobs as a survey finds them, or none if there is no room for all.
pub(super) struct Keeper {
    room: Room,
    /// Bytes in memory.
    used: usize,
    kept: Option<Kept>,
    packed: Vec<u8>,
}

impl Keeper {
    pub fn new(room: Room) -> Keeper {
        let kept = Some(Kept { held: Vec::new(), spool: None });
        Keeper { room, used: 0, kept, packed: Vec::new() }
    }

    /// Adds a block: a full one, or the last.
    pub fn add(&mut self, jobs: &[Canonical]) {
        let Some(kept) = &mut self.kept else { return };
        pack(jobs, &mut self.packed);
        if kept.spool.is_none() && self.used + self.packed.len() <= self.room.memory {
            self.used += self.packed.len();
            kept.held.push(self.packed.as_slice().into());
            return;
        }
        if !self.room.file {
            self.kept = None;
        } else if let Err(error) = kept.write(&self.packed) {
            tracing::info!(%error, "no temporary file for the jobs of a trace: it is read again");
            self.kept = None;
        }
    }

    /// Returns the jobs, if all were kept.
    pub fn finish(&mut self) -> Option<Kept> {
        self.kept.take()
    }
}

impl Kept {
    /// Appends a block to the file.
    fn write(&mut self, packed: &[u8]) -> io::Result<()> {
        let spool = match &mut self.spool {
            Some(spool) => spool,
            none => {
                let scratch = Scratch::new("trace").map_err(|(_, error)| error)?;
                none.insert(Spool { scratch: Mutex::new(scratch), ends: Vec::new() })
            }
        };
        let scratch = spool.scratch.get_mut().unwrap_or_else(PoisonError::into_inner);
        scratch.file.write_all(packed)?;
        let begin = spool.ends.last().copied().unwrap_or_default();
        spool.ends.push(begin + packed.len() as u64);
        Ok(())
    }

    /// Reads a block of so many jobs; `packed` is a reusable buffer.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    pub fn read(
        &self,
        block: usize,
        count: usize,
        jobs: &mut Vec<Canonical>,
        packed: &mut Vec<u8>,
    ) -> io::Result<()> {
        jobs.resize(count, Canonical::default());
        if let Some(held) = self.held.get(block) {
            return unpack(held, jobs);
        }
        let spool = self.spool.as_ref().ok_or(io::ErrorKind::UnexpectedEof)?;
        let at = block - self.held.len();
        let begin = at.checked_sub(1).map_or(0, |before| spool.ends[before]);
        packed.resize((spool.ends[at] - begin) as usize, 0);
        {
            let scratch = spool.scratch.lock().unwrap_or_else(PoisonError::into_inner);
            let mut file = &scratch.file;
            file.seek(SeekFrom::Start(begin))?;
            file.read_exact(packed)?;
        }
        unpack(packed, jobs)
    }
}

/// Bytes before the values of a column: the least one, and how the others are written.
const HEAD: usize = 9;

/// The unit of a column whose differences are whole seconds.
const WHOLE: u64 = TICKS_PER_UNIT as u64;
/// Marks such a column.
const IS_WHOLE: u8 = 0x80;

/// Packs a block of jobs in place of what is in `out`.
fn pack(jobs: &[Canonical], out: &mut Vec<u8>) {
    out.clear();
    pack_column(jobs, |job| job.number as i64, out);
    pack_column(jobs, |job| job.submit, out);
    pack_column(jobs, |job| job.runtime, out);
    pack_column(jobs, |job| job.estimate, out);
    // An unknown wait is a whole second too.
    pack_column(jobs, |job| if job.wait < 0 { -TICKS_PER_UNIT } else { job.wait }, out);
    pack_column(jobs, |job| job.processors.into(), out);
    pack_column(jobs, |job| job.user.into(), out);
    pack_column(jobs, |job| job.group.into(), out);
    pack_column(jobs, |job| job.partition.into(), out);
}

/// Unpacks it. All jobs are overwritten.
fn unpack(packed: &[u8], jobs: &mut [Canonical]) -> io::Result<()> {
    let mut rest = packed;
    let rest = &mut rest;
    unpack_column(rest, jobs, |job, value| job.number = value as u64)?;
    unpack_column(rest, jobs, |job, value| job.submit = value)?;
    unpack_column(rest, jobs, |job, value| job.runtime = value)?;
    unpack_column(rest, jobs, |job, value| job.estimate = value)?;
    unpack_column(rest, jobs, |job, value| job.wait = value.max(-1))?;
    unpack_column(rest, jobs, |job, value| job.processors = value as u32)?;
    unpack_column(rest, jobs, |job, value| job.user = value as u32)?;
    unpack_column(rest, jobs, |job, value| job.group = value as u32)?;
    unpack_column(rest, jobs, |job, value| job.partition = value as i32)
}

fn pack_column(jobs: &[Canonical], of: impl Fn(&Canonical) -> i64, out: &mut Vec<u8>) {
    let (mut least, mut most) = (i64::MAX, i64::MIN);
    for value in jobs.iter().map(&of) {
        (least, most) = (least.min(value), most.max(value));
    }
    let offset = |job: &Canonical| of(job).wrapping_sub(least) as u64;
    let is_whole = jobs.iter().fold(true, |is, job| is & offset(job).is_multiple_of(WHOLE));
    let reach = most.wrapping_sub(least) as u64 / if is_whole { WHOLE } else { 1 };
    let width = match reach {
        0 => 0,
        1..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xffff_ffff => 4,
        _ => 8,
    };
    let begin = out.len() + HEAD;
    out.resize(begin + jobs.len() * width, 0);
    let (head, values) = out[begin - HEAD..].split_at_mut(HEAD);
    head[..8].copy_from_slice(&least.to_le_bytes());
    head[8] = width as u8 | if is_whole { IS_WHOLE } else { 0 };
    let scaled = |job: &Canonical| if is_whole { offset(job) / WHOLE } else { offset(job) };
    match width {
        0 => {}
        1 => write(values, jobs, |job| [scaled(job) as u8]),
        2 => write(values, jobs, |job| (scaled(job) as u16).to_le_bytes()),
        4 => write(values, jobs, |job| (scaled(job) as u32).to_le_bytes()),
        _ => write(values, jobs, |job| scaled(job).to_le_bytes()),
    }
}

fn write<const W: usize>(
    values: &mut [u8],
    jobs: &[Canonical],
    bytes: impl Fn(&Canonical) -> [u8; W],
) {
    let values = values.as_chunks_mut().0.iter_mut();
    values.zip(jobs).for_each(|(value, job)| *value = bytes(job));
}

fn unpack_column(
    rest: &mut &[u8],
    jobs: &mut [Canonical],
    set: impl Fn(&mut Canonical, i64),
) -> io::Result<()> {
    let cut = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let (least, after) = rest.split_first_chunk().ok_or_else(cut)?;
    let (&form, after) = after.split_first().ok_or_else(cut)?;
    let width = usize::from(form & !IS_WHOLE);
    let (values, after) = after.split_at_checked(jobs.len() * width).ok_or_else(cut)?;
    *rest = after;
    let least = i64::from_le_bytes(*least);
    let unit = if form & IS_WHOLE == 0 { 1 } else { WHOLE };
    let put = |job: &mut Canonical, value: u64| {
        set(job, least.wrapping_add(value.wrapping_mul(unit) as i64));
    };
    match width {
        0 => jobs.iter_mut().for_each(|job| set(job, least)),
        1 => read(values, jobs, |job, [value]| put(job, value.into())),
        2 => read(values, jobs, |job, value| put(job, u16::from_le_bytes(value).into())),
        4 => read(values, jobs, |job, value| put(job, u32::from_le_bytes(value).into())),
        _ => read(values, jobs, |job, value| put(job, u64::from_le_bytes(value))),
    }
    Ok(())
}

fn read<const W: usize>(
    values: &[u8],
    jobs: &mut [Canonical],
    put: impl Fn(&mut Canonical, [u8; W]),
) {
    jobs.iter_mut().zip(values.as_chunks().0).for_each(|(job, &value)| put(job, value));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::swf::canonical::BLOCK;
    use kernel::time::LIMIT_TICKS;
    use proptest::prelude::*;

    fn any_job() -> impl Strategy<Value = Canonical> {
        let ticks = |least: i64| {
            prop_oneof![
                3 => (least..2_000_000).prop_map(|s| if s < 0 { -1 } else { s * TICKS_PER_UNIT }),
                1 => least..=LIMIT_TICKS,
            ]
        };
        let small = || prop_oneof![4 => 0..300_u32, 1 => any::<u32>()];
        let number = prop_oneof![4 => 0..70_000_u64, 1 => 0..=i64::MAX as u64];
        let times = (ticks(0), ticks(0), ticks(0), ticks(-1));
        let partition = prop_oneof![4 => -1..5, 1 => any::<i32>()];
        (number, times, small(), small(), small(), partition).prop_map(
            |(number, (submit, runtime, estimate, wait), processors, user, group, partition)| {
                Canonical {
                    number,
                    submit,
                    runtime,
                    estimate,
                    processors,
                    user,
                    group,
                    partition,
                    wait,
                }
            },
        )
    }

    proptest! {
        #[test]
        fn a_block_comes_back(
            jobs in prop_oneof![
                proptest::collection::vec(any_job(), 1..5),
                (any_job(), 1_usize..40).prop_map(|(job, count)| vec![job; count]),
            ],
        ) {
            let (mut packed, mut found) = (vec![7; 3], vec![any_other(); jobs.len()]);
            pack(&jobs, &mut packed);
            unpack(&packed, &mut found).unwrap();
            prop_assert_eq!(&found, &jobs);
            prop_assert!(unpack(&packed[..packed.len() - 1], &mut found).is_err());
        }
    }

    fn any_other() -> Canonical {
        Canonical { number: 9, submit: 9, wait: 9, user: 9, partition: 9, ..Canonical::default() }
    }

    fn block(number: u64) -> Vec<Canonical> {
        let job = |at: u64| Canonical {
            number: number * BLOCK as u64 + at,
            submit: (number * 7 + at) as i64 * TICKS_PER_UNIT,
            runtime: (at * at) as i64,
            ..Canonical::default()
        };
        (0..BLOCK as u64).map(job).collect()
    }

    #[test]
    fn blocks_come_back_from_memory_and_from_the_file_in_any_order() {
        for (memory, held) in [(0, 0), (30_000, 3), (usize::MAX, 9)] {
            let mut keeper = Keeper::new(Room { memory, file: true });
            (0..9).for_each(|number| keeper.add(&block(number)));
            let kept = keeper.finish().unwrap();
            assert_eq!(kept.held.len(), held);
            let (mut jobs, mut packed) = (Vec::new(), Vec::new());
            for number in [8, 0, 3, 2, 7, 7] {
                kept.read(number, BLOCK, &mut jobs, &mut packed).unwrap();
                assert!(jobs == block(number as u64), "{number}");
            }
        }
    }

    #[test]
    fn without_room_for_all_nothing_is_kept() {
        let mut keeper = Keeper::new(Room { memory: 30_000, file: false });
        (0..9).for_each(|number| keeper.add(&block(number)));
        assert!(keeper.finish().is_none());
        assert!(Keeper::new(Room::NONE).finish().is_some(), "an empty workload is whole");
    }
}

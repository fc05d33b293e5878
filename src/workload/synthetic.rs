//! Jobs drawn from distributions, one at a time.

mod model;
mod options;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use model::SyntheticModel;
pub use options::{SyntheticOptions, Users};

use super::draw::Draw as _;
use super::rounding::nearest;
use super::values::ValuesError;
pub use super::widths::Widths;
use super::{Source, SourceError, one_by_one};
use ::model::ids::OrganizationId;
use ::model::job::Job;
use kernel::rng::{Rng, Streams};
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{LIMIT_TICKS, Span, Time};

/// The stream of a synthetic workload. The first job arrives one gap after time 0.
///
/// Each kind of draw has its own random stream: `<name>/arrivals`, `<name>/sizes` and, if used,
/// `<name>/batches`, `<name>/processors`, `<name>/users` and `<name>/estimates`. A change of one
/// therefore changes no draw of another; the usual runtimes of users are the first draws of sizes. Each time is rounded to ticks at once; a runtime may be 0, and values beyond
/// 2^60 ticks are clamped. Its state is the streams, the clock and the counts.
///
/// A stream without further random streams draws a few jobs ahead, so that a job visits the
/// generators' memory only now and then. What is saved does not depend on that.
// What each job needs comes first, in a cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Synthetic {
    model: Arc<SyntheticModel>,
    streams: Box<TwoStreams>,
    more: Option<Box<MoreStreams>>,
    source: u32,
    organization: OrganizationId,
    /// Time of the arrival process, before rate profile and rounding.
    clock: Time,
    /// Submission time of the last batch.
    submit: Time,
    count: u64,
    /// Number of jobs drawn ahead, and of those that were taken.
    drawn: u32,
    taken: u32,
    /// Gap and runtime of the jobs drawn ahead.
    ahead: [(Span, Span); BLOCK],
    /// Number of jobs of the last batch still to come.
    left: u64,
    name: String,
}

/// Number of jobs that are drawn together.
const BLOCK: usize = 8;

/// The random streams that every workload uses.
#[derive(Clone, Debug)]
struct TwoStreams {
    arrivals: Rng,
    sizes: Rng,
    /// Their places before the jobs were drawn ahead.
    from: [u128; 2],
}

/// Random streams that only some workloads use.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct MoreStreams {
    batches: Rng,
    processors: Rng,
    users: Rng,
    estimates: Rng,
    /// Usual runtimes of the users, in ticks, if there are users.
    usual: Option<Vec<f64>>,
}

impl State for Synthetic {
    fn save(&self, out: &mut Vec<u8>) {
        let (arrivals, sizes) = self.streams_after(self.taken, self.taken);
        put(&(arrivals, sizes, &self.more, self.clock, self.submit, self.left, self.count), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let TwoStreams { arrivals, sizes, .. } = &mut *self.streams;
        (*arrivals, *sizes, self.more, self.clock, self.submit, self.left, self.count) =
            take(from)?;
        (self.drawn, self.taken) = (0, 0);
        Ok(())
    }
}

impl Synthetic {
    /// Creates the stream at its beginning. `name` selects its random streams; `source` is its
    /// number within the scenario.
    ///
    /// # Errors
    /// The first invalid parameter, or the problem with a file.
    pub fn new(
        options: SyntheticOptions,
        name: &str,
        source: u32,
        organization: OrganizationId,
        streams: &Streams,
    ) -> Result<Synthetic, ValuesError> {
        let model = Arc::new(SyntheticModel::new(options)?);
        Ok(Synthetic::of(model, name, source, organization, streams))
    }

    /// Creates the stream from a model that was already checked.
    pub fn of(
        model: Arc<SyntheticModel>,
        name: &str,
        source: u32,
        organization: OrganizationId,
        streams: &Streams,
    ) -> Synthetic {
        let (arrivals, sizes, from) = (streams.stream(""), streams.stream(""), [0; 2]);
        let mut synthetic = Synthetic {
            model,
            streams: Box::new(TwoStreams { arrivals, sizes, from }),
            more: None,
            source,
            organization,
            clock: Time::ZERO,
            submit: Time::ZERO,
            count: 0,
            drawn: 0,
            taken: 0,
            ahead: [(Span::ZERO, Span::ZERO); BLOCK],
            left: 0,
            name: name.to_owned(),
        };
        synthetic.begin(streams);
        synthetic
    }

    fn begin(&mut self, streams: &Streams) {
        let stream = |of: &str| streams.stream(&format!("{}/{of}", self.name));
        (self.streams.arrivals, self.streams.sizes) = (stream("arrivals"), stream("sizes"));
        let usual = self.model.usual(&mut self.streams.sizes);
        let more = || MoreStreams {
            batches: stream("batches"),
            processors: stream("processors"),
            users: stream("users"),
            estimates: stream("estimates"),
            usual,
        };
        self.more = self.model.draws_more().then(|| Box::new(more()));
        (self.drawn, self.taken) = (0, 0);
        (self.clock, self.submit) = (Time::ZERO, Time::ZERO);
        (self.left, self.count) = (0, 0);
    }

    /// Draws some jobs ahead.
    fn draw(&mut self) {
        let TwoStreams { arrivals, sizes, from } = &mut *self.streams;
        *from = [arrivals.get_word_pos(), sizes.get_word_pos()];
        (self.drawn, self.taken) = ((self.model.jobs - self.count).min(BLOCK as u64) as u32, 0);
        self.model.fill(arrivals, sizes, &mut self.ahead[..self.drawn as usize]);
    }

    /// The streams of arrivals and sizes, without what was drawn ahead beyond these numbers of gaps
    /// and of runtimes.
    fn streams_after(&self, gaps: u32, runtimes: u32) -> (Rng, Rng) {
        let TwoStreams { mut arrivals, mut sizes, from } = (*self.streams).clone();
        if self.drawn > 0 {
            arrivals.set_word_pos(from[0]);
            sizes.set_word_pos(from[1]);
            for _ in 0..gaps {
                self.model.gap.draw(&mut arrivals);
            }
            for _ in 0..runtimes {
                self.model.runtime(&mut sizes);
            }
        }
        (arrivals, sizes)
    }

    /// Takes a job that was drawn ahead; returns its runtime, or `None` if there is none.
    #[inline]
    fn take(&mut self) -> Result<Option<Span>, SourceError> {
        if self.submit >= self.model.until {
            return Ok(None);
        }
        if self.taken == self.drawn {
            self.draw();
        }
        let (gap, runtime) = self.ahead[self.taken as usize];
        self.taken += 1;
        if !self.arrive_after(gap)? {
            // The stream ends before the rest.
            let (arrivals, sizes) = self.streams_after(self.taken, self.taken - 1);
            (self.streams.arrivals, self.streams.sizes) = (arrivals, sizes);
            (self.drawn, self.taken) = (0, 0);
            return Ok(None);
        }
        Ok(Some(runtime))
    }

    /// Draws the next job, and the next batch if it is the first of one; returns its user and its
    /// runtime, or `None` if there is none.
    #[inline]
    fn step(&mut self) -> Result<Option<(u32, Span)>, SourceError> {
        if self.left == 0 {
            let model = &*self.model;
            if self.submit >= model.until {
                return Ok(None);
            }
            let gap = nearest(model.gap.draw(&mut self.streams.arrivals));
            if !self.arrive_after(gap)? {
                return Ok(None);
            }
            self.left = match (&self.model.batch, &mut self.more) {
                (Some(batch), Some(more)) => batch.draw(&mut more.batches),
                _ => 1,
            };
        }
        self.left -= 1;
        Ok(Some(match self.more.as_deref_mut() {
            Some(MoreStreams { usual: Some(usual), users, .. }) => {
                self.model.repeated(usual, users)
            }
            _ => (0, self.model.runtime(&mut self.streams.sizes)),
        }))
    }

    /// Advances to the next arrival; returns false if it comes too late.
    #[inline]
    fn arrive_after(&mut self, gap: Span) -> Result<bool, SourceError> {
        self.clock += gap;
        self.submit = self.model.submit(self.clock);
        if self.submit >= self.model.until {
            return Ok(false);
        }
        if self.submit.ticks().max(self.clock.ticks()) > LIMIT_TICKS {
            return Err(self.too_late());
        }
        Ok(true)
    }

    #[cold]
    fn too_late(&self) -> SourceError {
        SourceError(format!(
            "{}: after {} jobs the arrivals reach the end of time; limit them by `jobs` or `until`",
            self.name, self.count
        ))
    }
}

impl Source for Synthetic {
    type Load = Job;

    fn owner(&self) -> Option<OrganizationId> {
        Some(self.organization)
    }

    #[inline]
    fn next(&mut self) -> Result<Option<Job>, SourceError> {
        let mut next = None;
        self.replace(&mut next)?;
        Ok(next)
    }

    #[inline]
    fn replace(&mut self, place: &mut Option<Job>) -> Result<(), SourceError> {
        *place = None;
        if self.count >= self.model.jobs {
            return Ok(());
        }
        let next = match self.more {
            None => self.take()?.map(|runtime| (0, runtime)),
            Some(_) => self.step()?,
        };
        let Some((user, runtime)) = next else { return Ok(()) };
        let model = &*self.model;
        let (processors, estimate) = match &mut self.more {
            Some(more) => (
                model.width.draw(&mut more.processors),
                model.estimates.draw(runtime, &mut more.estimates),
            ),
            None => (model.width.range().0, runtime),
        };
        self.count += 1;
        *place = Some(Job {
            number: self.count,
            source: self.source,
            submit: self.submit,
            runtime,
            estimate,
            processors,
            user,
            organization: self.organization,
            ..Job::default()
        });
        Ok(())
    }

    /// Draws by blocks and takes no job ahead, unless other streams are drawn from as well, the
    /// stream ends at a time, or jobs have been drawn ahead.
    #[inline]
    fn next_some(&mut self, most: usize, mut each: impl FnMut(Job)) -> Result<(), SourceError> {
        let is_ahead = self.taken < self.drawn;
        if self.more.is_some() || self.model.until < Time::NEVER || is_ahead {
            return one_by_one(self, most, each);
        }
        (self.drawn, self.taken) = (0, 0);
        let model = Arc::clone(&self.model);
        let mut drawn = [(Span::ZERO, Span::ZERO); BLOCK];
        let alike = Job {
            source: self.source,
            processors: model.width.range().0,
            organization: self.organization,
            ..Job::default()
        };
        let mut left = (most as u64).min(model.jobs - self.count);
        while left > 0 {
            let drawn = &mut drawn[..left.min(BLOCK as u64) as usize];
            let TwoStreams { arrivals, sizes, .. } = &mut *self.streams;
            model.fill(arrivals, sizes, drawn);
            for &(gap, runtime) in &*drawn {
                self.arrive_after(gap)?;
                self.count += 1;
                let (number, submit) = (self.count, self.submit);
                each(Job { number, submit, runtime, estimate: runtime, ..alike });
            }
            left -= drawn.len() as u64;
        }
        Ok(())
    }

    fn restart(&mut self, streams: &Streams) -> Result<(), SourceError> {
        self.begin(streams);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOML: &str = "arrivals.poisson = { rate = 0.2 }\n\
                        size.exponential = { mean = 4.0 }\nprocessors.constant = 3\n";

    fn source(more: &str) -> Synthetic {
        let options = toml::from_str(&format!("{TOML}{more}")).unwrap();
        Synthetic::new(options, "organization/physics", 2, OrganizationId(1), &Streams::new(7))
            .unwrap()
    }

    fn all(source: &mut Synthetic) -> Vec<Job> {
        std::iter::from_fn(|| source.next().unwrap()).collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = match toml::from_str::<SyntheticOptions>(text) {
            Ok(options) => SyntheticModel::new(options).unwrap_err().to_string(),
            Err(error) => error.message().to_owned(),
        };
        assert!(found.contains(expected), "{found}");
    }

    #[test]
    fn parameters_that_cannot_be_are_named() {
        check(&TOML.replace("0.2", "0.0"), "arrivals.poisson.rate: 0 is not a rate");
        check(&TOML.replace("0.2", "nan"), "arrivals.poisson.rate: NaN is not a rate");
        check(&TOML.replace("0.2", "1e-10"), "arrivals.poisson.rate: 0.0000000001 is not a rate");
        check(&TOML.replace("4.0", "-1"), "size.exponential.mean: -1 is not a mean");
        check(&TOML.replace("4.0", "1e10"), "size.exponential.mean: 10000000000 is not a mean");
        check(&TOML.replace("= 3", "= 0"), "processors.constant: 0 is not a number of processors");
        check(&format!("{TOML}until = -1.0"), "until: -1 is not a time");
        check(&format!("{TOML}until = 1e300"), "until: 1e300 is not a time");
        check(&format!("{TOML}until = 0.0"), "until: 0 is not a time");
        check(&format!("{TOML}until = 1e-7"), "until: nothing comes until then");
        check(&format!("{TOML}rate = 1"), "unknown field `rate`");
        check(&TOML.replace("rate", "lambda"), "unknown field `lambda`");
        check(&TOML.replace("poisson", "fixed"), "unknown variant `fixed`");
    }

    #[test]
    fn users_repeat_themselves_and_change_nothing_else() {
        let users =
            "estimates.f_model.factor = 3.0\njobs = 3000\nusers = { count = 3, spread = 0.25 }";
        let jobs = all(&mut source(users));
        let plain = all(&mut source("estimates.f_model.factor = 3.0\njobs = 3000"));
        // The usual runtimes are what the first jobs would have run for.
        for user in 1..=3 {
            let own = jobs.iter().filter(|job| job.user == user);
            let usual = plain[user as usize - 1].runtime.ticks() as f64;
            let factors: Vec<f64> = own.map(|job| job.runtime.ticks() as f64 / usual).collect();
            let mean = factors.iter().sum::<f64>() / factors.len() as f64;
            let least = factors.iter().copied().fold(f64::INFINITY, f64::min);
            let most = factors.iter().copied().fold(0.0, f64::max);
            // Four standard errors of a mean of 1000 such factors amount to 0.018, those of a third of
            // the jobs to 103.
            assert!((mean - 1.0).abs() < 0.018 && factors.len().abs_diff(1000) < 104, "{mean}");
            assert!((0.75 - 1e-6..0.76).contains(&least) && (1.24..1.25 + 1e-6).contains(&most));
        }
        let rest = |job: &Job| (job.number, job.submit, job.processors);
        assert!(jobs.iter().map(rest).eq(plain.iter().map(rest)));
        check(&format!("{TOML}users = {{ count = 0, spread = 0.1 }}"), "users.count: 0 is not");
        check(&format!("{TOML}users = {{ count = 1, spread = 1.1 }}"), "users.spread: 1.1 is not");
    }

    #[test]
    fn the_stream_ends_at_its_limits() {
        let jobs = all(&mut source("jobs = 100"));
        assert_eq!(jobs.len(), 100);
        assert!(jobs.windows(2).all(|pair| pair[0].submit <= pair[1].submit));
        assert_eq!(jobs[99].number, 100);
        assert_eq!((jobs[0].processors, jobs[0].source), (3, 2));
        let until = all(&mut source("until = 200.5"));
        let before: Vec<Job> =
            jobs.into_iter().filter(|job| job.submit < Time::from_ticks(200_500_000)).collect();
        assert!(!before.is_empty() && before.len() < 100);
        assert_eq!(until, before, "the limit moves no draw");
        let mut ended = source("until = 200.5");
        all(&mut ended);
        let clock = ended.clock;
        assert_eq!((ended.next(), ended.clock), (Ok(None), clock));
    }

    #[test]
    fn means_are_those_asked_for() {
        let jobs = all(&mut source("jobs = 1000000"));
        let count = jobs.len() as f64;
        let gap = jobs.last().unwrap().submit.as_units() / count;
        let sizes: f64 = jobs.iter().map(|job| job.runtime.as_units()).sum::<f64>() / count;
        let longer = jobs.iter().filter(|job| job.runtime > Span::units(8)).count() as f64 / count;
        // Four standard errors of a mean of 1e6 exponentials amount to 0.4%.
        assert!((gap - 5.0).abs() < 0.02, "{gap}");
        assert!((sizes - 4.0).abs() < 0.016, "{sizes}");
        assert!((longer - (-2.0_f64).exp()).abs() < 0.0014, "{longer}");
    }

    /// The state after each job, also at the end, is that of a stream that draws one job at a time.
    #[test]
    fn what_is_saved_does_not_depend_on_what_was_drawn_ahead() {
        for limit in ["jobs = 21", "until = 100.0"] {
            let (mut ahead, mut plain) = (source(limit), source(limit));
            let saved = |source: &Synthetic| {
                let mut out = Vec::new();
                source.save(&mut out);
                out
            };
            for _ in 0..30 {
                let next = if plain.count < plain.model.jobs { plain.step() } else { Ok(None) };
                plain.count += u64::from(next.as_ref().unwrap().is_some());
                let expected =
                    next.unwrap().map(|(_, runtime)| (plain.count, plain.submit, runtime));
                let found = ahead.next().unwrap();
                assert_eq!(found.map(|job| (job.number, job.submit, job.runtime)), expected);
                assert_eq!(saved(&ahead), saved(&plain));
            }
            assert!((15..30).contains(&plain.count), "{}", plain.count);
        }
    }

    #[test]
    fn a_saved_stream_goes_on_and_a_restarted_one_begins() {
        let mut whole = source("jobs = 1000");
        let jobs = all(&mut whole);
        let mut source = source("jobs = 1000");
        for _ in 0..377 {
            source.next().unwrap();
        }
        let mut saved = Vec::new();
        source.save(&mut saved);
        whole.load(&mut saved.as_slice()).unwrap();
        assert_eq!(all(&mut whole), jobs[377..]);
        assert_eq!(all(&mut source.clone()), jobs[377..], "a fork goes on alike");
        source.restart(&Streams::new(7)).unwrap();
        assert_eq!(all(&mut source), jobs);
        source.restart(&Streams::new(7).in_round(1)).unwrap();
        assert_ne!(all(&mut source)[0], jobs[0]);
    }

    #[test]
    fn jobs_taken_by_blocks_are_those_taken_one_by_one() {
        let rounded = "rounding = { arrivals = \"floor\", size = \"ceil\" }";
        let users = "jobs = 1000\nusers = { count = 2, spread = 0.5 }";
        let batches = "jobs = 2000\nbatches.constant = 3";
        let limits = ["jobs = 1000", "until = 4800.5", batches, rounded, users];
        for (limit, most) in limits.into_iter().zip([1, 7, BLOCK, 3 * BLOCK + 5, 7]) {
            let (mut single, mut by_blocks) = (source(limit), source(limit));
            loop {
                let expected: Vec<Job> =
                    std::iter::from_fn(|| single.next().unwrap()).take(most).collect();
                let mut jobs = Vec::new();
                // Now and then jobs are drawn ahead.
                if single.count % 5 == 0 {
                    jobs.extend(by_blocks.next().unwrap());
                }
                by_blocks.next_some(most - jobs.len(), |job| jobs.push(job)).unwrap();
                assert_eq!(jobs, expected, "{limit}, {most} at once");
                let [one, other] = [&single, &by_blocks].map(|source| {
                    let mut saved = Vec::new();
                    source.save(&mut saved);
                    saved
                });
                assert_eq!(one, other, "{limit}, {most} at once");
                if jobs.len() < most || single.count > 1500 {
                    break;
                }
            }
        }
    }

    #[test]
    fn blocks_end_with_the_same_message_at_the_end_of_time() {
        let text = TOML.replace("poisson = { rate = 0.2 }", "deterministic = { interval = 1e8 }");
        let options = toml::from_str(&text).unwrap();
        let streams = Streams::new(7);
        let mut single = Synthetic::new(options, "x", 2, OrganizationId(1), &streams).unwrap();
        let mut by_blocks = single.clone();
        let mut count = 0;
        let late = by_blocks.next_some(usize::MAX, |_| count += 1).unwrap_err();
        let error = loop {
            match single.next() {
                Ok(_) => count -= 1,
                Err(error) => break error,
            }
        };
        assert_eq!((late, count), (error, 0));
    }

    /// Golden test: it detects a dependency that changes a draw.
    #[test]
    fn the_first_jobs_of_a_known_stream() {
        let mut source = source("jobs = 3");
        let jobs = all(&mut source);
        let seen: Vec<(i64, i64)> =
            jobs.iter().map(|job| (job.submit.ticks(), job.runtime.ticks())).collect();
        assert_eq!(seen, GOLDEN);
    }

    const GOLDEN: [(i64, i64); 3] =
        [(7_369_990, 6_086_106), (11_392_850, 3_286_037), (14_083_859, 3_179_830)];
}

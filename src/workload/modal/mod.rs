//! Modal estimates: few round values, with the longest allowed one the most frequent.
//!
//! Tsafrir, Etsion and Feitelson (Modeling user runtime estimates, JSSPP 2005) build a histogram of
//! estimates and assign them to the jobs of a log so that none is shorter than its job. We do the
//! same to a stream, block by block. The jobs of a block, from the longest, each draw one of the
//! remaining estimates that are not shorter. A job that finds none gets the longest estimate, and
//! one that is even longer overruns it: the model never changes a runtime.

mod histogram;

use rand::RngExt as _;

use super::invalid::Invalid;
use super::{Source, SourceError};
use kernel::rng::{Rng, Streams};
use kernel::state::{Corrupt, State, put, take};
use kernel::time::Span;
use model::bounds::{Bounds, Inside, Many, SHARE, parameters};
use model::job::Job;

/// The longest estimate: from 100 minutes, or there are no twenty round values.
const LONGEST: Bounds<'_> =
    Bounds::of("a longest estimate").unit("seconds").from(histogram::LEAST_MAX as f64).to(1e9);
/// Jobs that share a histogram, where none are given.
const USUAL_JOBS: u32 = 10_000;
/// Jobs that share a histogram.
const JOBS: Bounds<'_> = Bounds::of("a size of a histogram").unit("jobs").from(1000.0).to(1e6);
/// An estimate.
const ESTIMATE: Bounds<'_> = Bounds::of("an estimate").unit("seconds").from(1.0).to(1e9);

parameters! {
    /// `estimates.modal`: parameters of the model. Its unit of time is the second.
    pub struct ModalOptions {
        /// Longest estimate that the site allows, in whole seconds; at least 100 minutes.
        max: u32 as LONGEST,
        /// Number of jobs that share a histogram. This many are drawn ahead; more jobs give more
        /// distinct estimates.
        #[serde(default = "usual_jobs")]
        jobs: u32 as JOBS where { "default": USUAL_JOBS },
        /// Known estimates of this site with their shares of jobs, which are kept exactly. Besides
        /// the longest there may be 19. The shares sum to at most 0.89, since 11% of all jobs have
        /// unpopular estimates; if all 20 are given, these jobs take the remainder to 1.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        popular: Vec<Popular> as (Many::new(0, 20, Inside)),
    }
    where popular_fit
}

fn usual_jobs() -> u32 {
    USUAL_JOBS
}

parameters! {
    /// A popular estimate of a site.
    #[derive(Copy)]
    pub struct Popular {
        /// Estimate in whole seconds.
        estimate: u32 as ESTIMATE,
        /// Share of jobs with this estimate, from 0 to 1.
        share: f64 as SHARE,
    }
}

impl ModalOptions {
    /// Checks that the popular estimates differ, are no longer than the longest and leave room for
    /// the unpopular ones.
    fn popular_fit(&self) -> Result<(), Invalid> {
        for (index, &Popular { estimate, .. }) in self.popular.iter().enumerate() {
            let message = if estimate > self.max {
                format!("{estimate} s is longer than `max`, {} s", self.max)
            } else if self.popular[..index].iter().any(|earlier| earlier.estimate == estimate) {
                format!("{estimate} s is given twice")
            } else {
                continue;
            };
            return Err(Invalid::new(&format!("popular[{index}].estimate"), message));
        }
        let others = self.popular.iter().filter(|one| one.estimate != self.max).count();
        if others > histogram::HEAD - 1 {
            let message = format!("{others} estimates besides the longest; there is room for 19");
            return Err(Invalid::new("popular", message));
        }
        let sum: f64 = self.popular.iter().map(|popular| popular.share).sum();
        if sum > histogram::HEAD_SHARE + 1e-9 {
            let message = format!(
                "the shares sum to {sum}; give 0.89 at most, for 11% of all jobs say something \
                 unpopular"
            );
            return Err(Invalid::new("popular", message));
        }
        Ok(())
    }
}

/// A stream of jobs whose estimates are replaced by modal ones.
///
/// It draws from `<name>/estimates`, so the jobs are otherwise unchanged. Its state is the rest of
/// the block, the histogram and the underlying stream. If the underlying stream fails, the jobs
/// before the failure are delivered first.
#[derive(Clone, Debug)]
pub struct Modal<S> {
    source: S,
    name: String,
    options: ModalOptions,
    /// Seconds and shares, the longest first.
    histogram: Vec<(u32, f64)>,
    rng: Rng,
    /// The block, in order; jobs before `next` were delivered.
    block: Vec<Job>,
    next: usize,
    /// The error of the underlying stream after the block, if any.
    failed: Option<String>,
    /// Buffers for the assignment: the jobs by length, the estimates.
    order: Vec<u32>,
    estimates: Vec<u32>,
}

impl<S: Source<Load = Job>> Modal<S> {
    /// Wraps a source; both start at the beginning.
    ///
    /// # Panics
    /// If the parameters are invalid; see [`ModalOptions::check`].
    pub fn new(source: S, options: ModalOptions, name: &str, streams: &Streams) -> Modal<S> {
        options.check().expect("parameters that can be");
        let mut modal = Modal {
            source,
            name: name.to_owned(),
            options,
            histogram: Vec::new(),
            rng: streams.stream(""),
            block: Vec::new(),
            next: 0,
            failed: None,
            order: Vec::new(),
            estimates: Vec::new(),
        };
        modal.begin(streams);
        modal
    }

    /// Returns the histogram: estimates with their shares of jobs, the longest first.
    pub fn histogram(&self) -> impl Iterator<Item = (Span, f64)> {
        self.histogram.iter().map(|&(time, share)| (Span::units(time.into()), share))
    }

    fn begin(&mut self, streams: &Streams) {
        self.rng = streams.stream(&format!("{}/estimates", self.name));
        self.histogram = histogram::draw(&self.options, &mut self.rng);
        self.block.clear();
        self.next = 0;
        self.failed = None;
    }

    #[cold]
    fn fill(&mut self) -> Result<(), SourceError> {
        if let Some(error) = &self.failed {
            return Err(SourceError(error.clone()));
        }
        self.block.clear();
        self.next = 0;
        while self.block.len() < self.options.jobs as usize {
            match self.source.next() {
                Ok(Some(job)) => self.block.push(job),
                Ok(None) => break,
                Err(error) if self.block.is_empty() => return Err(error),
                Err(SourceError(message)) => {
                    self.failed = Some(message);
                    break;
                }
            }
        }
        self.deal();
        Ok(())
    }

    /// Assigns estimates to the block. O(block log block).
    fn deal(&mut self) {
        let Modal { block, order, estimates, histogram, rng, .. } = self;
        counted(histogram, block.len(), estimates);
        order.clear();
        order.extend(0..block.len() as u32);
        order.sort_unstable_by_key(|&job| (std::cmp::Reverse(block[job as usize].runtime), job));
        // The first `fitting` estimates are not shorter than the current job; those before it are
        // assigned already.
        let mut fitting = 0;
        for (at, &job) in order.iter().enumerate() {
            let job = &mut block[job as usize];
            let fits = |&seconds: &u32| Span::units(seconds.into()) >= job.runtime;
            while estimates.get(fitting).is_some_and(fits) {
                fitting += 1;
            }
            let seconds = if at < fitting {
                estimates.swap(at, rng.random_range(at..fitting));
                estimates[at]
            } else {
                histogram[0].0
            };
            job.estimate = Span::units(seconds.into());
        }
    }
}

/// Returns `jobs` estimates, the longest first, with shares rounded by largest remainder.
fn counted(histogram: &[(u32, f64)], jobs: usize, out: &mut Vec<u32>) {
    let exact = |share: f64| share * jobs as f64;
    let floor = |share: f64| exact(share) as usize;
    let given: usize = histogram.iter().map(|&(_, share)| floor(share)).sum();
    let mut rest: Vec<usize> = (0..histogram.len()).collect();
    rest.sort_by(|&one, &other| {
        let remainder = |index: usize| exact(histogram[index].1).fract();
        remainder(other).total_cmp(&remainder(one)).then(one.cmp(&other))
    });
    let mut more = vec![0; histogram.len()];
    // Rounding may leave one more or less than the number of values.
    rest.iter().cycle().take(jobs.saturating_sub(given)).for_each(|&index| more[index] += 1);
    out.clear();
    for (&(time, share), more) in histogram.iter().zip(more) {
        out.extend(std::iter::repeat_n(time, floor(share) + more));
    }
    out.truncate(jobs);
}

impl<S: Source<Load = Job>> Source for Modal<S> {
    type Load = Job;

    #[inline]
    fn next(&mut self) -> Result<Option<Job>, SourceError> {
        if self.next == self.block.len() {
            self.fill()?;
        }
        let job = self.block.get(self.next).copied();
        self.next += usize::from(job.is_some());
        Ok(job)
    }

    fn restart(&mut self, streams: &Streams) -> Result<(), SourceError> {
        self.source.restart(streams)?;
        self.begin(streams);
        Ok(())
    }
}

impl<S: State> State for Modal<S> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(&self.histogram, &self.rng, &self.block[self.next..], &self.failed), out);
        self.source.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.histogram, self.rng, self.block, self.failed) = take(from)?;
        self.next = 0;
        self.source.load(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::ListSource;
    use kernel::time::Time;
    use model::ids::OrganizationId;

    const NAME: &str = "organization/physics";

    /// Returns jobs with these runtimes in seconds.
    fn jobs(seconds: impl Iterator<Item = i64>) -> ListSource {
        let job = |(number, seconds): (u64, i64)| Job {
            number,
            source: 0,
            submit: Time::ZERO + Span::units(number as i64),
            runtime: Span::units(seconds),
            estimate: Span::ZERO,
            processors: 1,
            user: 0,
            organization: OrganizationId(0),
            ..Job::default()
        };
        ListSource::new((1..).zip(seconds).map(job).collect())
    }

    fn options() -> ModalOptions {
        ModalOptions { max: 64_800, jobs: 1000, popular: Vec::new() }
    }

    fn modal(seconds: impl Iterator<Item = i64>) -> Modal<ListSource> {
        Modal::new(jobs(seconds), options(), NAME, &Streams::new(1))
    }

    fn all(source: &mut Modal<ListSource>) -> Vec<Job> {
        std::iter::from_fn(|| source.next().unwrap()).collect()
    }

    #[test]
    fn parameters_that_cannot_be_are_named() {
        #[track_caller]
        fn check(options: ModalOptions, expected: &str) {
            let found = options.check().unwrap_err().to_string();
            assert!(found.contains(expected), "{found}");
        }
        let popular = |estimate, share| vec![Popular { estimate, share }];
        check(ModalOptions { max: 5999, ..options() }, "max: 5999 is not a longest estimate");
        check(ModalOptions { jobs: 999, ..options() }, "jobs: 999 is not a size of a histogram");
        let wrong = ModalOptions { popular: popular(64_801, 0.1), ..options() };
        check(wrong, "popular[0].estimate: 64801 s is longer than `max`, 64800 s");
        let wrong = ModalOptions { popular: popular(60, f64::NAN), ..options() };
        check(wrong, "popular[0].share: NaN is not a share");
        let wrong = ModalOptions { popular: popular(60, 0.1).repeat(2), ..options() };
        check(wrong, "popular[1].estimate: 60 s is given twice");
        let many: Vec<Popular> = (1..=20).map(|n| Popular { estimate: n, share: 0.01 }).collect();
        check(ModalOptions { popular: many, ..options() }, "popular: 20 estimates besides");
        let two = [60, 120].map(|estimate| Popular { estimate, share: 0.6 }).to_vec();
        check(
            ModalOptions { popular: two, ..options() },
            "popular: the shares sum to 1.2; give 0.89 at most",
        );
        let two = [60, 120].map(|estimate| Popular { estimate, share: 0.45 }).to_vec();
        check(ModalOptions { popular: two, ..options() }, "popular: the shares sum to 0.9; ");
    }

    #[test]
    fn a_block_has_the_estimates_of_the_histogram_and_no_job_outruns_its_own() {
        // Short jobs, so that every estimate can be assigned.
        let mut source = modal((0..2500).map(|n| n * n % 250));
        let histogram = source.histogram.clone();
        let jobs = all(&mut source);
        assert_eq!(jobs.len(), 2500);
        assert!(jobs.iter().all(|job| job.runtime <= job.estimate));
        for block in jobs.chunks(1000) {
            for &(time, share) in &histogram {
                let estimate = Span::units(time.into());
                let count = block.iter().filter(|job| job.estimate == estimate).count() as f64;
                let wanted = share * block.len() as f64;
                assert!((count - wanted).abs() <= 1.0, "{time}: {count}, {wanted}");
            }
        }
        let (first, second) = jobs.split_at(1000);
        let estimates = |jobs: &[Job]| jobs.iter().map(|job| job.estimate).collect::<Vec<_>>();
        assert_ne!(estimates(first), estimates(&second[..1000]), "blocks are dealt anew");
    }

    #[test]
    fn jobs_without_an_estimate_left_say_the_longest() {
        // Half exceed all estimates but the longest; one exceeds even that.
        let mut source = modal((0..1000).map(|n| match n {
            700 => 100_000,
            n => 64_790 * (n % 2),
        }));
        let jobs = all(&mut source);
        assert_eq!(jobs[700].runtime, Span::units(100_000), "it still runs as long");
        for job in &jobs {
            let is_long = job.runtime >= Span::units(64_790);
            assert!(!is_long || job.estimate == Span::units(64_800));
        }
        // Estimates that no job could take are not used by others either.
        assert!(jobs.iter().filter(|job| job.runtime == Span::ZERO).count() == 499);
    }

    /// Equal jobs draw alike: the first half of each block gets its share of the longest estimates.
    #[test]
    fn equal_jobs_draw_alike() {
        let mut source = modal((0..20_000).map(|_| 1));
        let jobs = all(&mut source);
        let half = jobs.chunks(1000).flat_map(|block| &block[..500]);
        let longest = Span::units(64_800);
        let share = source.histogram[0].1;
        let found = half.filter(|job| job.estimate == longest).count() as f64 / 10_000.0;
        // 20 blocks of 500 of 1000 without replacement: half the binomial variance.
        let error = (share * (1.0 - share) / 10_000.0 / 2.0).sqrt();
        assert!((found - share).abs() < 4.0 * error, "{found}, {share} +- {error}");
    }

    #[test]
    fn a_saved_stream_goes_on_and_a_restarted_one_begins() {
        let seconds = || (0..2500).map(|n| n * 7 % 5000);
        let jobs = all(&mut modal(seconds()));
        let mut source = modal(seconds());
        for _ in 0..1234 {
            source.next().unwrap();
        }
        let mut saved = Vec::new();
        source.save(&mut saved);
        let mut other = Modal::new(self::jobs(seconds()), options(), NAME, &Streams::new(2));
        other.load(&mut saved.as_slice()).unwrap();
        let mut again = Vec::new();
        other.save(&mut again);
        assert_eq!(again, saved);
        assert_eq!(all(&mut other), jobs[1234..]);
        source.restart(&Streams::new(1)).unwrap();
        assert_eq!(all(&mut source), jobs);
        source.restart(&Streams::new(1).in_round(1)).unwrap();
        assert_ne!(all(&mut source), jobs);
    }

    /// A stream that fails permanently after some jobs.
    #[derive(Clone, Debug)]
    struct Failing(ListSource);

    impl Source for Failing {
        type Load = Job;
        fn next(&mut self) -> Result<Option<Job>, SourceError> {
            self.0.next()?.map(Some).ok_or_else(|| SourceError("no more".to_owned()))
        }
        fn restart(&mut self, streams: &Streams) -> Result<(), SourceError> {
            self.0.restart(streams)
        }
    }

    impl State for Failing {
        fn save(&self, out: &mut Vec<u8>) {
            self.0.save(out);
        }
        fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
            self.0.load(from)
        }
    }

    #[test]
    fn what_comes_before_an_error_comes() {
        let source =
            |seed| Modal::new(Failing(jobs(0..1200)), options(), NAME, &Streams::new(seed));
        let expected = all(&mut modal(0..1200));
        let mut failing = source(1);
        for job in &expected[..1100] {
            assert_eq!(failing.next(), Ok(Some(*job)));
        }
        let mut saved = Vec::new();
        failing.save(&mut saved);
        let mut other = source(2);
        other.load(&mut saved.as_slice()).unwrap();
        for mut stream in [failing, other] {
            for job in &expected[1100..] {
                assert_eq!(stream.next(), Ok(Some(*job)));
            }
            for _ in 0..2 {
                assert_eq!(stream.next(), Err(SourceError("no more".to_owned())));
            }
            stream.restart(&Streams::new(1)).unwrap();
            assert_eq!(stream.next(), Ok(Some(expected[0])));
        }
    }

    /// Golden test: it detects a dependency that changes a draw.
    #[test]
    fn the_first_estimates_of_a_known_stream() {
        let mut source = modal((0..1000).map(|n| n * 60));
        let seen: Vec<i64> = all(&mut source)[..8].iter().map(|j| j.estimate.ticks()).collect();
        assert_eq!(seen.iter().map(|ticks| ticks / 1_000_000).collect::<Vec<_>>(), GOLDEN);
    }

    const GOLDEN: [i64; 8] = [300, 300, 300, 300, 300, 300, 64_800, 64_800];
}

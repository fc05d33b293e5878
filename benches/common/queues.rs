//! M/M/1 queues written by hand, on the same draws as [`mm1`](super::mm1), for comparison.
//!
//! A queue has two kinds of events: an arrival draws the next one, and a departure starts the next
//! customer. The next event of each queue is in a binary heap, so all events happen in the order of
//! the simulation, and the services that are recorded are the same: exact count, sum, least and
//! largest value of flow time, waiting time, slowdown and bounded slowdown, and if asked for the same
//! four HdrHistograms, of each organization and of all. It leaves out work, busy time, jobs that do
//! not count, weights of large jobs, and everything that makes the simulation general.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::collections::binary_heap::{BinaryHeap, PeekMut};

use gridpact::kernel::rng::{Rng, Streams};
use gridpact::sim::accounts::{COARSE_ORGANIZATIONS, FULL_ORGANIZATIONS};
use gridpact::workload::draw::{AnyDraw, Draw as _};
use gridpact::workload::rounding::nearest;
use hdrhistogram::Histogram;

use super::{ARRIVALS, SIZES, stream_name};

/// A time, in ticks, after every event.
const NEVER: i64 = i64::MAX;
/// Bound of the bounded slowdown, in ticks.
const TAU: i64 = 10_000_000;

/// Exact sums of one measure, and its histogram.
pub struct Measure {
    pub count: u64,
    pub sum: i128,
    least: u64,
    largest: u64,
    histogram: Option<Histogram<u64>>,
}

impl Measure {
    pub fn new(digits: u8) -> Measure {
        let histogram = || Histogram::new_with_bounds(1, 1 << 60, digits).expect("valid bounds");
        let histogram = (digits > 0).then(histogram);
        Measure { count: 0, sum: 0, least: u64::MAX, largest: 0, histogram }
    }

    #[inline]
    pub fn record(&mut self, amount: u64) {
        self.count += 1;
        self.sum += i128::from(amount);
        self.least = self.least.min(amount);
        self.largest = self.largest.max(amount);
        if let Some(histogram) = &mut self.histogram {
            histogram.saturating_record(amount);
        }
    }

    /// Adds all amounts of another measure with as many digits.
    pub fn merge(&mut self, other: &Measure) {
        self.count += other.count;
        self.sum += other.sum;
        self.least = self.least.min(other.least);
        self.largest = self.largest.max(other.largest);
        if let (Some(own), Some(other)) = (&mut self.histogram, &other.histogram) {
            own.add(other).expect("they have the same bounds");
        }
    }
}

/// The service of customers: flow time, waiting time, slowdown and bounded slowdown.
pub struct Service(pub [Measure; 4]);

impl Service {
    fn new(digits: u8) -> Service {
        Service([digits; 4].map(Measure::new))
    }

    #[inline]
    fn record(&mut self, submit: i64, start: i64, finish: i64) {
        let Service([flow_time, wait, slowdown, bounded]) = self;
        let (flow, ran) = (finish - submit, finish - start);
        let ratio = |over: i64, under: i64| {
            (over as f64 / under as f64 * 1_000_000.0).round_ties_even() as u64
        };
        flow_time.record(flow as u64);
        wait.record((start - submit) as u64);
        if ran > 0 {
            slowdown.record(ratio(flow, ran));
        }
        let bound = ran.max(TAU);
        bounded.record(ratio(flow.max(bound), bound));
    }
}

/// A customer that waits or is served.
#[derive(Clone, Copy)]
struct Customer {
    submit: i64,
    size: i64,
}

/// The customers to come, of one queue.
struct Stream {
    gaps: Rng,
    sizes: Rng,
    left: u64,
    clock: i64,
}

impl Stream {
    #[inline]
    fn next(&mut self, gap: &AnyDraw, size: &AnyDraw) -> Option<Customer> {
        self.left = self.left.checked_sub(1)?;
        self.clock += nearest(gap.draw(&mut self.gaps)).ticks();
        Some(Customer { submit: self.clock, size: nearest(size.draw(&mut self.sizes)).ticks() })
    }
}

/// One queue; the first of those present is served.
struct Queue {
    stream: Stream,
    next: Option<Customer>,
    present: VecDeque<Customer>,
    start: i64,
    end: i64,
}

/// Queues with their services.
pub struct Queues {
    queues: Vec<Queue>,
    services: Vec<Service>,
    together: Option<Service>,
}

impl Queues {
    /// Queues at their beginning. Histograms are those that accounts keep of so many organizations.
    pub fn new(queues: u32, customers_each: u64, quantiles: bool) -> Queues {
        let streams = Streams::new(1);
        let stream = |queue| {
            let name = stream_name(queue);
            let gaps = streams.stream(&format!("{name}/arrivals"));
            let sizes = streams.stream(&format!("{name}/sizes"));
            Stream { gaps, sizes, left: customers_each, clock: 0 }
        };
        let queue = |queue| Queue {
            stream: stream(queue),
            next: None,
            present: VecDeque::new(),
            start: 0,
            end: NEVER,
        };
        let digits = match queues as usize {
            _ if !quantiles => 0,
            few if few <= FULL_ORGANIZATIONS => 3,
            many if many <= COARSE_ORGANIZATIONS => 1,
            _ => 0,
        };
        let is_apart = quantiles && digits < 3;
        Queues {
            queues: (0..queues).map(queue).collect(),
            services: (0..queues).map(|_| Service::new(digits)).collect(),
            together: is_apart.then(|| Service::new(3)),
        }
    }

    /// Sum of the waiting times and of the bounded slowdowns, and number of customers.
    pub fn totals(&self) -> (i128, i128, u64) {
        let add = |(waits, bounded, count), Service([_, wait, _, slowdown]): &Service| {
            (waits + wait.sum, bounded + slowdown.sum, count + wait.count)
        };
        self.services.iter().fold((0, 0, 0), add)
    }

    /// Serves all customers.
    #[must_use]
    pub fn run(mut self) -> Queues {
        let gap = ARRIVALS.sampler().expect("the rate is one");
        let size = SIZES.sampler().expect("the mean is one");
        let mut events = BinaryHeap::with_capacity(self.queues.len());
        for (queue, number) in self.queues.iter_mut().zip(0_u32..) {
            queue.next = queue.stream.next(&gap, &size);
            events.extend(queue.next.map(|next| Reverse((next.submit, number))));
        }
        while let Some(mut event) = events.peek_mut() {
            let Reverse((now, number)) = *event;
            let queue = &mut self.queues[number as usize];
            if queue.end == now {
                let left = queue.present.pop_front().expect("somebody is served");
                let services = [&mut self.services[number as usize]];
                for service in services.into_iter().chain(&mut self.together) {
                    service.record(left.submit, queue.start, now);
                }
                queue.end = NEVER;
            } else {
                queue.present.extend(queue.next);
                queue.next = queue.stream.next(&gap, &size);
            }
            if let (NEVER, Some(first)) = (queue.end, queue.present.front()) {
                (queue.start, queue.end) = (now, now + first.size);
            }
            match queue.next.map_or(NEVER, |next| next.submit).min(queue.end) {
                NEVER => drop(PeekMut::pop(event)),
                next => *event = Reverse((next, number)),
            }
        }
        self
    }
}

/// One queue by Lindley's recursion, without events: a customer is served when the one before has
/// left.
pub fn lindley(customers: u64, quantiles: bool) -> Service {
    let gap = ARRIVALS.sampler().expect("the rate is one");
    let size = SIZES.sampler().expect("the mean is one");
    let Queues { mut queues, mut services, .. } = Queues::new(1, customers, quantiles);
    let (Some(Queue { mut stream, .. }), Some(mut service)) = (queues.pop(), services.pop()) else {
        unreachable!("there is one queue");
    };
    let mut end = 0;
    while let Some(Customer { submit, size }) = stream.next(&gap, &size) {
        let start = end.max(submit);
        end = start + size;
        service.record(submit, start, end);
    }
    service
}

//! Waiting jobs in an order that may change with time: they are sorted anew at each decision, which
//! takes n log n steps for n waiting jobs.

use std::collections::BTreeMap;

use rand::Rng as _;
use serde::{Deserialize, Serialize};

use super::Setup;
use kernel::rng::Rng;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, TICKS_PER_UNIT, Time};
use model::ids::{JobId, OrganizationId};
use model::order::Order;
use model::view::{Blind, Submission};

/// Time after which the use of processors counts half, in ticks: seven days of seconds.
const HALF: f64 = 7.0 * 86400.0 * TICKS_PER_UNIT as f64;

/// A waiting job.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Job {
    /// Its place in the order: its key, then its number in the order of submission.
    rank: (i128, u64),
    pub job: Submission,
}

impl Job {
    pub fn id(&self) -> JobId {
        self.job.job.id
    }
    pub fn processors(&self) -> u32 {
        self.job.job.processors
    }
    pub fn expected(&self) -> Span {
        self.job.expected.unwrap_or(Span::ZERO)
    }
}

/// The jobs.
#[derive(Clone, Debug)]
pub(super) struct Ranked {
    order: Order,
    jobs: Vec<Job>,
    told: u64,
    /// By user: the area of ended jobs at a time, which halves every seven days.
    used: BTreeMap<(OrganizationId, u32), (f64, Time)>,
    draws: Rng,
}

/// An area at a later time.
fn decayed((area, at): (f64, Time), now: Time) -> f64 {
    area * libm::exp2(-((now - at).ticks() as f64) / HALF)
}

impl Ranked {
    pub fn new(order: &Order, setup: &Setup<'_>) -> Ranked {
        let draws = setup.streams.stream(&format!("cluster/{}/order", setup.name));
        let used = BTreeMap::new();
        Ranked { order: order.clone(), jobs: Vec::new(), told: 0, used, draws }
    }

    pub fn submit(&mut self, job: Submission) {
        let key = match self.order.is_lasting() {
            true => self.order.key(&job, || self.draws.next_u64()),
            false => 0,
        };
        self.jobs.push(Job { rank: (key, self.told), job });
        self.told += 1;
    }

    /// A job has ended that ran since `started`.
    pub fn ended(&mut self, job: &Blind, started: Time, now: Time) {
        if self.order.asks_for_use() {
            let area = f64::from(job.processors) * (now - started).as_units();
            let used = self.used.entry((job.organization, job.user)).or_insert((0.0, now));
            *used = (decayed(*used, now) + area, now);
        }
    }

    pub fn withdraw(&mut self, job: JobId) {
        self.jobs.retain(|one| one.id() != job);
    }

    /// The jobs in their order at this time. Those that start are taken out by the caller.
    pub fn sorted(&mut self, now: Time) -> &mut Vec<Job> {
        if !self.order.is_lasting() {
            for one in &mut self.jobs {
                let Blind { organization, user, .. } = one.job.job;
                let used = self.used.get(&(organization, user));
                let used = used.map_or(0.0, |&used| decayed(used, now));
                one.rank.0 = self.order.key_at(&one.job, now, used);
            }
        }
        self.jobs.sort_unstable_by_key(|one| one.rank);
        &mut self.jobs
    }

    /// The jobs, in their order at the last decision.
    pub fn iter(&self) -> impl Iterator<Item = &Job> {
        self.jobs.iter()
    }
}

impl State for Ranked {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(&self.jobs, self.told, &self.draws), out);
        put(&self.used.iter().collect::<Vec<_>>(), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.jobs, self.told, self.draws) = take(from)?;
        self.used = take::<Vec<((OrganizationId, u32), (f64, Time))>>(from)?.into_iter().collect();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;
    use model::order::Ranking;

    fn job(id: u32, user: u32, expected: i64) -> Submission {
        let (id, organization) = (JobId(id), OrganizationId(0));
        let job = Blind { id, submit: Time::ZERO, processors: 2, user, organization };
        Submission { job, expected: Some(Span::units(expected)) }
    }

    #[test]
    fn jobs_of_who_used_less_come_first_and_a_saved_order_is_the_same() {
        let order = Order::By(Ranking::try_from("use + estimate".to_owned()).unwrap());
        let streams = Streams::new(1);
        let new = || Ranked::new(&order, &Setup { name: "a", processors: 4, streams: &streams });
        let week = Time::ZERO + Span::units(604_800);
        let mut ranked = new();
        for one in [job(0, 1, 5), job(1, 2, 30), job(2, 1, 3), job(3, 3, 4)] {
            ranked.submit(one);
        }
        // User 1 has used 2 processors for 25 units: 50 at first, and 25 a week later.
        ranked.ended(&job(9, 1, 0).job, Time::ZERO, Time::ZERO + Span::units(25));
        let mut bytes = Vec::new();
        ranked.save(&mut bytes);
        let mut again = new();
        again.load(&mut bytes.as_slice()).unwrap();
        for ranked in [&mut ranked, &mut again] {
            let mut sorted =
                |now| ranked.sorted(now).iter().map(|job| job.id().0).collect::<Vec<_>>();
            assert_eq!(sorted(Time::ZERO + Span::units(25)), [3, 1, 2, 0]);
            assert_eq!(sorted(week), [3, 2, 1, 0]);
            assert_eq!(sorted(week + Span::units(604_800)), [3, 2, 0, 1]);
        }
    }
}

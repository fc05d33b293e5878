//! Shared by the tests of coalitions: listed jobs, an observer that notes and audits everything.

use std::collections::BTreeMap;

use gridpact::kernel::rng::Streams;
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::OrganizationId;
use gridpact::model::job::Job;
use gridpact::policy::coalition::{AnyBalancer, BalancerOptions};
use gridpact::sim::pool::{
    AsLoad, Balanced, Balances, Balancing, Done, Loads, PoolGame, PoolObserver, Presence, Season,
    Sends,
};
use gridpact::state_of_fields;
use gridpact::workload::jobs::ListSource;

pub fn at(units: i64) -> Time {
    Time::ZERO + Span::units(units)
}

/// Log of events, job by job and balancing by balancing; every promise and every sum is audited on
/// the way.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// By (cluster, number): the latest finish told at submission, and the finish.
    pub done: BTreeMap<(u32, u64), (Time, Time, Time)>,
    /// When, what the members had to do, and what each sent.
    pub balancings: Vec<(Time, Vec<Span>, Vec<Span>)>,
    /// By cluster, its balancings: when, what it had to do before, and what it received.
    pub received: BTreeMap<u32, Vec<(Time, Span, Span)>>,
    /// True where the balancer keeps within participation levels.
    pub is_bounded: bool,
}

state_of_fields!(Log {});

impl PoolObserver for Log {
    fn sees_balancings(&self) -> bool {
        true
    }

    fn balanced(&mut self, balanced: Balanced<'_>) {
        let Balanced { now, who, members, moves, after, .. } = balanced;
        assert!(who.is_sorted());
        let mut change = vec![Span::ZERO; who.len()];
        let mut sent = vec![Span::ZERO; who.len()];
        for one in moves {
            assert!(one.amount > Span::ZERO, "a move of nothing");
            assert_ne!(one.from, one.to);
            change[one.from as usize] -= one.amount;
            change[one.to as usize] += one.amount;
            sent[one.from as usize] += one.amount;
        }
        for (place, member) in members.iter().enumerate() {
            assert!(sent[place] <= member.local, "foreign work was sent on");
            let expected = member.local + member.foreign + change[place];
            assert_eq!(after[place], expected, "load is lost or made");
            let received = change[place] + sent[place];
            if let Some(level) = member.level.filter(|_| self.is_bounded) {
                assert!(sent[place] <= level, "more is sent than the level");
                let within = received == Span::ZERO || after[place] <= level;
                assert!(within, "what is received makes the queue longer than the level");
            }
            let load = member.local + member.foreign;
            self.received.entry(who[place]).or_default().push((now, load, received));
        }
        let loads = members.iter().map(|member| member.local + member.foreign);
        self.balancings.push((now, loads.collect(), sent));
    }

    fn finished(&mut self, cluster: u32, done: &Done) {
        let job = &done.job;
        assert!(done.finish <= job.promise, "{job:?} ends at {}", done.finish);
        assert!(done.finish - job.submit >= Span::ZERO);
        self.done.insert((cluster, job.number), (job.promise, done.finish, job.alone));
    }
}

/// A job list of each cluster: (submission, size) in whole units.
pub type Lists = Vec<Vec<(i64, i64)>>;

/// A game of listed jobs in whole units; the rounds of a listed game all replay the same jobs.
pub fn game(
    lists: &Lists,
    balancer: &BalancerOptions,
    season: Season,
    submit_first: bool,
    sends: Sends,
) -> PoolGame<ListSource, AnyBalancer, Log> {
    let presence = vec![Presence::default(); lists.len()];
    game_of(lists, presence, balancer, season, submit_first, sends)
}

/// The same of organizations that come and go.
pub fn game_of(
    lists: &Lists,
    presence: Vec<Presence>,
    balancer: &BalancerOptions,
    season: Season,
    submit_first: bool,
    sends: Sends,
) -> PoolGame<ListSource, AnyBalancer, Log> {
    let as_load = AsLoad { processors: 1, unit: Span::TICK };
    let loads = lists.iter().enumerate().map(|(cluster, list)| {
        let jobs = list.iter().enumerate().map(|(number, &(submit, size))| Job {
            number: number as u64,
            source: cluster as u32,
            submit: at(submit),
            runtime: Span::units(size),
            estimate: Span::units(size),
            processors: 1,
            user: 0,
            organization: OrganizationId(cluster as u32),
            ..Job::default()
        });
        Loads::new(ListSource::new(jobs.collect()), as_load)
    });
    let balances = match submit_first {
        true => Balances::AfterSubmission,
        false => Balances::BeforeSubmission,
    };
    let balancing =
        Balancing { unit: balancer.unit(), spacing: balancer.spacing(), sends, balances };
    PoolGame::new(
        loads.collect(),
        presence,
        balancer.build(),
        balancing,
        season,
        Streams::new(1),
        Log { is_bounded: matches!(balancer, BalancerOptions::Bilb(_)), ..Log::default() },
    )
    .expect("a list can be read")
}

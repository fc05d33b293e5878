//! A coalition simulated literally and slowly: a queue is a row of tokens, one unit of work each,
//! and a clock that ticks unit by unit serves one token of each cluster. It shares no code with the
//! engine; time and work are whole numbers.

use std::collections::VecDeque;

/// A unit of work in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// Part of an own job.
    Own(usize),
    Foreign,
}

/// A job: cluster, submission, size.
pub type Job = (usize, i64, i64);

/// Balancing rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Averaging,
    Bilb,
}

/// Settings of rounds and of balancing.
#[derive(Clone, Debug)]
pub struct Setting {
    pub kind: Kind,
    /// Participation levels by cluster.
    pub levels: Vec<i64>,
    /// Thresholds by cluster: it takes part in a balancing only with more load than this.
    pub above: Vec<Option<i64>>,
    pub least: i64,
    pub grid: i64,
    pub submit_first: bool,
}

/// A round: when it begins, whose jobs count, when it ends (if not with its last job), who is in.
#[derive(Clone, Debug)]
pub struct Round {
    pub start: i64,
    pub from: i64,
    pub until: i64,
    pub end: Option<i64>,
    pub inside: Vec<bool>,
}

/// Results of a round for a cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    pub jobs: u64,
    pub flow: i64,
    pub alone: i64,
    pub balancings: u64,
    pub sent: i64,
    pub received: i64,
}

/// The clusters of a coalition.
pub struct Reference {
    setting: Setting,
    jobs: Vec<Job>,
    queues: Vec<VecDeque<Token>>,
    /// By job, when its last own token was served.
    served: Vec<i64>,
    /// By job, when what was sent of it is back.
    back: Vec<i64>,
    pub balancings: Vec<(i64, Vec<i64>)>,
    /// Latest finish told at submission, by job.
    pub promises: Vec<i64>,
}

impl Reference {
    pub fn new(setting: Setting, clusters: usize, jobs: Vec<Job>) -> Reference {
        let count = jobs.len();
        Reference {
            setting,
            jobs,
            queues: vec![VecDeque::new(); clusters],
            served: vec![0; count],
            back: vec![0; count],
            balancings: Vec::new(),
            promises: vec![0; count],
        }
    }

    /// When a job ends by what is planned at `now`.
    fn planned(&self, job: usize, now: i64) -> i64 {
        let queue = &self.queues[self.jobs[job].0];
        let last = queue.iter().rposition(|&token| token == Token::Own(job));
        let here = last.map_or(self.served[job], |place| now + place as i64 + 1);
        here.max(self.back[job])
    }

    fn is_over(&self, job: usize) -> bool {
        !self.queues[self.jobs[job].0].contains(&Token::Own(job))
    }

    /// The flow time alone of jobs that count, from a backlog of own work.
    fn alone(&self, cluster: usize, round: &Round) -> i64 {
        let own = self.queues[cluster].iter().filter(|&&token| token != Token::Foreign).count();
        let mut end = round.start + own as i64;
        let mut flow = 0;
        for &(_, submit, size) in self.jobs.iter().filter(|job| job.0 == cluster) {
            let last = round.end.unwrap_or(i64::MAX);
            if submit >= round.start && submit < last {
                end = end.max(submit) + size;
                if (round.from..round.until).contains(&submit) {
                    flow += end - submit;
                }
            }
        }
        flow
    }

    /// Plays a round; jobs are in the order of submission.
    pub fn play(&mut self, round: &Round) -> Vec<Figures> {
        let clusters = self.queues.len();
        let counts = |job: &Job| (round.from..round.until).contains(&job.1);
        let mut figures = vec![Figures::default(); clusters];
        for (cluster, figures) in figures.iter_mut().enumerate() {
            figures.alone = self.alone(cluster, round);
            let own = self.jobs.iter().filter(|job| job.0 == cluster && counts(job));
            figures.jobs = own.count() as u64;
        }
        let balances = round.inside.iter().filter(|&&inside| inside).count() >= 2;
        let mut next = if balances { Some(round.start) } else { None };
        let mut now = round.start;
        // Whether the next balancing waits for a job of a member that is not there yet.
        let mut waits = false;
        loop {
            let over = self.jobs.iter().enumerate().all(|(index, job)| {
                !counts(job) || !round.inside[job.0] || job.1 < now && self.is_over(index)
            });
            if round.end.map_or(over && now >= round.until, |end| now >= end) {
                break;
            }
            let arrival = self.jobs.iter().any(|job| round.inside[job.0] && job.1 == now);
            if waits && arrival {
                (next, waits) = (Some(now), false);
            }
            for submits in [self.setting.submit_first, !self.setting.submit_first] {
                if submits {
                    self.submit(now);
                } else if next == Some(now) {
                    let step = self.balance(now, round, &mut figures);
                    waits = step == 0;
                    next = (!waits).then_some(now + step);
                }
            }
            for queue in &mut self.queues {
                if let Some(Token::Own(job)) = queue.pop_front() {
                    self.served[job] = now + 1;
                }
            }
            now += 1;
        }
        for index in 0..self.jobs.len() {
            let job = self.jobs[index];
            if counts(&job) {
                figures[job.0].flow += self.planned(index, now) - job.1;
            }
        }
        figures
    }

    /// Jobs come.
    fn submit(&mut self, now: i64) {
        for index in 0..self.jobs.len() {
            let (cluster, submit, size) = self.jobs[index];
            if submit == now {
                self.queues[cluster].extend((0..size).map(|_| Token::Own(index)));
                self.promises[index] = self.planned(index, now);
            }
        }
    }

    /// Balances; returns the step to the next balancing, 0 where it waits for a job.
    fn balance(&mut self, now: i64, round: &Round, figures: &mut [Figures]) -> i64 {
        let load = |queue: &VecDeque<Token>| queue.len() as i64;
        let who: Vec<usize> = (0..self.queues.len())
            .filter(|&cluster| {
                let above = self.setting.above[cluster];
                round.inside[cluster]
                    && above.is_none_or(|above| load(&self.queues[cluster]) > above)
            })
            .collect();
        let loads: Vec<i64> = who.iter().map(|&cluster| load(&self.queues[cluster])).collect();
        let own: Vec<i64> = who
            .iter()
            .map(|&cluster| {
                let queue = self.queues[cluster].iter().rev();
                queue.take_while(|&&token| token != Token::Foreign).count() as i64
            })
            .collect();
        self.balancings.push((now, loads.clone()));
        if who.len() > 1 && loads.iter().any(|&load| load > 0) {
            who.iter().for_each(|&cluster| figures[cluster].balancings += 1);
        }
        let levels: Vec<i64> = who.iter().map(|&cluster| self.setting.levels[cluster]).collect();
        let (moves, interval) = match self.setting.kind {
            Kind::Averaging => averaging(&loads, &own),
            Kind::Bilb => bilb(&loads, &own, &levels),
        };
        for (from, parts) in moves {
            let sent: i64 = parts.iter().map(|&(_, amount, _)| amount).sum();
            if sent == 0 {
                continue;
            }
            let last = parts.iter().map(|&(.., end)| now + end).max().unwrap_or(now);
            self.send(who[from], sent, last);
            figures[who[from]].sent += sent;
            for (to, amount, _) in parts {
                self.queues[who[to]].extend((0..amount).map(|_| Token::Foreign));
                figures[who[to]].received += amount;
            }
        }
        let step = self.setting.least.max(interval);
        if self.setting.grid > 0 {
            (step + self.setting.grid - 1) / self.setting.grid * self.setting.grid
        } else {
            step
        }
    }

    /// Takes own tokens from the tail.
    fn send(&mut self, cluster: usize, amount: i64, last: i64) {
        let mut touched = Vec::new();
        for _ in 0..amount {
            let queue = &mut self.queues[cluster];
            let place = queue.iter().rposition(|&token| token != Token::Foreign).unwrap();
            if let Some(Token::Own(job)) = queue.remove(place) {
                touched.push(job);
            }
        }
        for job in touched {
            self.back[job] = self.back[job].max(last);
        }
    }
}

/// Transfers by sender and receiver: amount, and after how long it is done.
type Moves = Vec<(usize, Vec<(usize, i64, i64)>)>;

/// Averaging in whole units; what stays foreign cannot be sent.
fn averaging(loads: &[i64], own: &[i64]) -> (Moves, i64) {
    let count = loads.len() as i64;
    if count < 2 {
        return (Vec::new(), 0);
    }
    let total: i64 = loads.iter().sum();
    let mut order: Vec<usize> = (0..loads.len()).collect();
    order.sort_by_key(|&one| (-loads[one], one));
    let mut targets = vec![total / count; loads.len()];
    order.iter().take((total % count) as usize).for_each(|&one| targets[one] += 1);
    let end = targets.iter().copied().max().unwrap_or(0);
    let mut room: Vec<i64> =
        loads.iter().zip(&targets).map(|(load, target)| (target - load).max(0)).collect();
    let mut moves = Vec::new();
    let mut longest = end;
    for from in 0..loads.len() {
        let mut rest = (loads[from] - targets[from]).max(0).min(own[from]);
        longest = longest.max(loads[from] - rest);
        let mut parts = Vec::new();
        for (to, room) in room.iter_mut().enumerate() {
            let amount = rest.min(*room);
            if amount > 0 {
                parts.push((to, amount, end));
                *room -= amount;
                rest -= amount;
            }
        }
        moves.push((from, parts));
    }
    (moves, longest)
}

/// Bounded iterative load balancing as it is defined, in whole units.
fn bilb(loads: &[i64], own: &[i64], levels: &[i64]) -> (Moves, i64) {
    let mut order: Vec<usize> = (0..loads.len()).collect();
    order.sort_by_key(|&one| (loads[one], one));
    let mut queue = loads.to_vec();
    let mut received = vec![false; loads.len()];
    let mut moves = Vec::new();
    for (place, &from) in order.iter().enumerate().skip(1) {
        let sum: i64 = order[..=place].iter().map(|&one| loads[one]).sum();
        let count = place as i64 + 1;
        let mean = (sum + count - 1) / count;
        let wish = (loads[from] - mean).min(levels[from]).min(own[from]).max(0);
        let space = |one: usize| (mean.min(levels[one]) - queue[one]).max(0);
        let mut receivers: Vec<(i64, usize)> =
            order[..place].iter().map(|&one| (space(one), one)).collect();
        receivers.sort_unstable();
        let mut rest = wish;
        let mut parts = Vec::new();
        for (index, &(space, to)) in receivers.iter().enumerate() {
            let left = (receivers.len() - index) as i64;
            let give = space.min((rest + left - 1) / left);
            if give > 0 {
                rest -= give;
                queue[to] += give;
                queue[from] -= give;
                received[to] = true;
                parts.push((to, give, queue[to]));
            }
        }
        moves.push((from, parts));
    }
    let busy = (0..loads.len()).filter(|&one| received[one]).map(|one| queue[one]).max();
    (moves, busy.unwrap_or(0))
}

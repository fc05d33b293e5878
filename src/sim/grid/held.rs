//! A job's way through the grid scheduler: the grid holds it, the scheduler places it, and it arrives
//! at its cluster, at once or after a delay.

use super::super::cluster::{ClusterAgent, OutOfTime};
use super::super::observer::{Chosen, Observer, PlanMade, Sent, Started, Submitted};
use super::super::placing::{Arrived, Next};
use super::super::planning::Made;
use super::{Grid, GridError, PIECE, tell};
use kernel::time::{Span, Time};
use model::ids::{ClusterId, JobId};
use model::job::Job;
use policy::grid::Placement;
use workload::Source;

impl<C, S, O> Grid<C, S, O>
where
    C: ClusterAgent,
    S: Source<Load = Job>,
    O: Observer,
{
    /// A job comes to the grid scheduler.
    #[inline(never)]
    pub(super) fn hold(&mut self, job: &Job, group: u32, now: Time) -> Result<(), GridError> {
        let expected = self.expected(job);
        let placing = self.placing.as_mut().expect("there are groups");
        if placing.is_closed() {
            return Err(GridError::Late { number: job.number, now });
        }
        let id = self.jobs.hold(job, expected);
        let at_once = placing.submit(id, group, &self.jobs, now);
        if at_once {
            self.decide(now);
            // Without a delay it is as if it had come to its cluster.
            if let [Placement::Send { job: only, cluster, delay }] = self.placements[..]
                && only == id
                && delay + self.way(job.organization, cluster) == Span::ZERO
            {
                if self.observer.asks_why() {
                    self.tell_choice(job, cluster, now);
                }
                self.jobs.place(id, cluster);
                self.at_speed_of(cluster, id);
                self.queue(id, cluster, now);
                self.observer.submitted(Submitted { id, job, cluster: Some(cluster), now });
                if self.traced {
                    tell(now, job, Some(cluster), "submitted");
                }
                return Ok(());
            }
        }
        self.observer.submitted(Submitted { id, job, cluster: None, now });
        if self.traced {
            tell(now, job, None, "submitted");
        }
        if at_once { self.carry_out(now) } else { Ok(()) }
    }

    /// A job that waits comes to the grid scheduler again.
    pub(super) fn place_in_grid(
        &mut self,
        id: JobId,
        group: u32,
        now: Time,
    ) -> Result<(), GridError> {
        let placing = self.placing.as_mut().expect("there are groups");
        if placing.submit(id, group, &self.jobs, now) {
            self.decide(now);
            self.carry_out(now)?;
        }
        Ok(())
    }

    /// Lets the grid scheduler or planner choose placements.
    #[inline]
    fn decide(&mut self, now: Time) {
        let Some(mut placing) = self.placing.take() else { return };
        let mut placements = std::mem::take(&mut self.placements);
        placements.clear();
        self.forget_gone();
        let room = self.room(now);
        placing.decide(now, &self.clusters, &self.jobs, room.as_ref(), &mut placements);
        (self.placing, self.placements) = (Some(placing), placements);
    }

    /// Carries out the placements.
    fn carry_out(&mut self, now: Time) -> Result<(), GridError> {
        for index in 0..self.placements.len() {
            let (id, cluster, delay, starts) = match self.placements[index] {
                Placement::Start { job, cluster, delay } => (job, cluster, delay, true),
                Placement::Send { job, cluster, delay } => (job, cluster, delay, false),
            };
            self.jobs.place(id, cluster);
            self.at_speed_of(cluster, id);
            let job = self.jobs.get(id).job;
            let delay = delay + self.way(job.organization, cluster);
            if starts && self.members.is_some() {
                self.clusters[cluster.index()].take(job.processors);
            } else if starts {
                let placing = self.placing.as_mut().expect("it placed jobs");
                placing.take(cluster, job.processors);
            }
            let arrival = now.checked_add(delay).filter(|&at| at < Time::NEVER);
            let arrival = arrival.ok_or(GridError::OutOfTime { number: job.number })?;
            if !starts && self.observer.asks_why() {
                self.tell_choice(&job, cluster, now);
            }
            self.observer.sent(Sent { id, job: &job, cluster, now, arrival });
            let one = Arrived { job: id, cluster, starts };
            if arrival > now {
                if self.traced {
                    tell(now, &job, Some(cluster), "sent");
                }
                if let Some(members) = &mut self.members {
                    members.sets_out(id, delay);
                }
                let placing = self.placing.as_mut().expect("it placed jobs");
                placing.send(one, arrival, &self.jobs);
            } else {
                self.arrive(one, now)?;
            }
        }
        self.placements.clear();
        Ok(())
    }

    /// A job arrives at its cluster.
    #[inline]
    fn arrive(&mut self, arrived: Arrived, now: Time) -> Result<(), GridError> {
        let Arrived { job: id, cluster, starts } = arrived;
        if let Some(members) = &mut self.members {
            members.arrives(id);
        }
        if !starts {
            self.queue(id, cluster, now);
            return Ok(());
        }
        let started = if self.members.is_some() {
            self.touch(cluster);
            self.clusters[cluster.index()].start(id, &mut self.jobs, now)
        } else {
            self.jobs.start(id, now);
            let placing = self.placing.as_mut().expect("it placed jobs");
            placing.start(id, cluster, &self.jobs, now)
        };
        let job = &self.jobs.get(id).job;
        started.map_err(|OutOfTime(_)| GridError::OutOfTime { number: job.number })?;
        self.counts.started += 1;
        self.observer.started(Started { id, job, cluster, start: now });
        if self.traced {
            tell(now, job, Some(cluster), "started");
        }
        Ok(())
    }

    /// Wakes the placing of jobs: machines, jobs under way, the grid scheduler.
    #[inline(never)]
    pub(super) fn wake_placing(&mut self, now: Time) -> Result<(), GridError> {
        let order = self.settings.phase_order;
        if let Some(members) = &mut self.members {
            members.looked(now);
        }
        while let Some(id) = self.members.as_mut().and_then(|members| members.comes_back(now)) {
            self.go_again(id, now)?;
        }
        for _ in 0..PIECE {
            let Some(placing) = &mut self.placing else { return Ok(()) };
            match placing.wake(now, &self.jobs, order) {
                Next::Ends(ended, cluster) => self.end(ended, cluster, now),
                Next::Arrives(arrived) => self.arrive(arrived, now)?,
                Next::Nothing => return Ok(()),
            }
            if order.is_per_event() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Lets the grid scheduler decide.
    #[inline]
    pub(super) fn settle_placing(&mut self, now: Time) -> Result<(), GridError> {
        let Some(placing) = &mut self.placing else { return Ok(()) };
        if !placing.asked {
            return Ok(());
        }
        self.decide(now);
        let placing = self.placing.as_mut().expect("it was asked");
        if let Some(made) = placing.made() {
            let Made { number, problem, plans, played } = &*made;
            let (number, played, jobs) = (*number, *played, &self.jobs);
            self.observer.planned(PlanMade { number, problem, plans, played, jobs });
        }
        self.carry_out(now)
    }

    #[cold]
    #[inline(never)]
    fn tell_choice(&mut self, job: &Job, cluster: ClusterId, now: Time) {
        let uses = match job.recorded.list() {
            Some(list) => &self.lists[list as usize].1,
            None => &self.uses[job.organization.index()],
        };
        if uses.len() > 1 && job.recorded.cluster().is_none() {
            let all = uses.iter().map(|&id| (id, &self.clusters[id.index()]));
            let admitting = all.filter(|(_, cluster)| cluster.admits(job));
            let demands: Vec<_> = admitting.map(|(id, cluster)| (id, cluster.demand())).collect();
            self.observer.chosen(Chosen { job, cluster, demands: &demands, now });
        }
    }
}

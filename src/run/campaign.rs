//! A campaign as a world that can be run: applications of identical tasks under a task planner.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::drive::limit;
use super::error::RunError;
use super::pulse::Pulse;
use super::record_files::record_files;
use super::sheet::{OpenRecords, Sheet};
use super::world::{Kind, NewReplication, Replica, RunContext, Runnable, Seen, Sheets};

use findings::campaign::{Campaigned, Group, Measured, Played};
use kernel::engine::Engine;
use kernel::state::{Corrupt, State};
use kernel::time::{Span, Time};
use model::campaign::{Campaign as Work, HELD, Site};
use policy::tasks::{self, Executor, Free, Problem, TaskPlayer, least_end};
use records::campaign::records::{Names, applications, classes, runs, stages};
use records::lines::Lines;
use report::campaign::CampaignReport;
use report::world::Report;
use scenario::plan::{Applications, CampaignPlan, Plan, Until, World};
use sim::campaign::{Campaign, Settings, Told};
use workload::applications::bound as least;

/// The campaign of a plan.
#[derive(Debug)]
pub struct CampaignWorld<'a> {
    plan: CampaignPlan<'a>,
    organizations: Vec<String>,
    clusters: Vec<String>,
}

impl<'a> CampaignWorld<'a> {
    /// The campaign of a plan.
    pub fn new(plan: CampaignPlan<'a>) -> CampaignWorld<'a> {
        CampaignWorld {
            organizations: plan.plan.organizations.iter().map(|one| one.name.clone()).collect(),
            clusters: plan.plan.clusters.iter().map(|one| one.name.clone()).collect(),
            plan,
        }
    }

    fn end(&self) -> Time {
        limit(self.plan.plan)
    }
}

record_files! {
    /// The record files of a campaign.
    #[derive(Default)]
    Files of plan: &Plan, begun with _of: (), on sheet;
    applications: Lines<Sheet> = "applications.csv", applications::write_header,
        if plan.writes_jobs() => Lines::new(sheet);
    classes: Lines<Sheet> = "classes.csv", classes::write_header,
        if plan.writes_jobs() => Lines::new(sheet);
    runs: Lines<Sheet> = "runs.csv", runs::write_header,
        if plan.writes_jobs() => Lines::new(sheet);
    stages: Lines<Sheet> = "stages.csv", stages::write_header,
        if plan.writes_jobs() && has_stages(plan) => Lines::new(sheet);
}

/// True if the task planner of a plan tells its stages.
fn has_stages(plan: &Plan) -> bool {
    matches!(&plan.world, World::Campaign(campaign) if campaign.planned.planner.has_stages())
}

/// Head of a saved state: where the run was to end, and how many wakes it has seen.
#[derive(Debug, Serialize, Deserialize)]
pub struct CampaignHead {
    until: Until,
    wakes: u64,
    now: Time,
}

impl Runnable for CampaignWorld<'_> {
    type Replica<'a>
        = CampaignReplica<'a>
    where
        Self: 'a;
    type Head = CampaignHead;
    type Outcome = Played;
    type Findings = Campaigned;

    fn records(&self) -> Vec<Option<Kind>> {
        Files::kinds(self.plan.plan)
    }

    fn begin<'a>(
        &'a self,
        NewReplication { number, sheets, .. }: NewReplication<'_>,
        _: Option<&CampaignHead>,
    ) -> Result<CampaignReplica<'a>, RunError> {
        let of = self.plan.campaign;
        let work = self.plan.work(number);
        let settings = Settings {
            replans: of.planned.replans(),
            streams: self.plan.streams(number),
            files: of.planned.files,
            pricing: of.planned.pricing,
        };
        let campaign =
            Campaign::new(Arc::clone(&work), Arc::clone(&of.sites), of.planned.build(), settings);
        Ok(CampaignReplica {
            of: self,
            number,
            work,
            engine: Engine::new(campaign),
            told: Vec::new(),
            files: Files::begin((), sheets),
        })
    }

    fn passes(&self, head: &CampaignHead, _: u32, _: &RunContext<'_>) -> Result<bool, RunError> {
        // A run that was stopped at a time has not seen what came at it.
        Ok(head.until == self.plan.plan.until || head.now < self.end())
    }

    fn findings(&self) -> Campaigned {
        let CampaignPlan { plan, campaign } = self.plan;
        let measured = Measured {
            costs: campaign.sites.iter().any(|site| site.price > 0),
            deadlines: match &campaign.applications {
                Applications::Listed(work) => {
                    work.applications.iter().any(|one| one.deadline != Time::NEVER)
                }
                Applications::Drawn(model, _) => model.options().deadline.is_some(),
            },
            bounds: plan.output.bounds,
            files: match &campaign.applications {
                Applications::Listed(work) => work.classes.iter().any(|class| class.output > 0),
                Applications::Drawn(..) => false,
            },
            whole: campaign.planned.executor == Executor::Whole,
            games: campaign.planned.planner.has_stages(),
        };
        let (level, keeps_all) = (plan.counting.level, plan.output.all_replications);
        Campaigned::new(&self.organizations, level, keeps_all, measured)
    }

    fn add(&self, found: &mut Campaigned, played: Played) {
        found.add(&played);
    }

    fn name(&self) -> &'static str {
        "campaign"
    }

    fn report<'a>(&'a self, found: &'a Campaigned) -> Box<dyn Report + 'a> {
        Box::new(CampaignReport { plan: self.plan, found })
    }
}

/// A running replication.
#[derive(Debug)]
pub struct CampaignReplica<'a> {
    of: &'a CampaignWorld<'a>,
    number: u32,
    work: Arc<Work>,
    engine: Engine<Campaign<TaskPlayer>>,
    told: Vec<Told>,
    files: Files,
}

impl State for CampaignReplica<'_> {
    fn save(&self, out: &mut Vec<u8>) {
        self.engine.save(out);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.engine.load(from)
    }
}

/// Most pairs of class and site for which the linear program is solved.
const MOST_PAIRS: usize = 20_000;

/// A lower bound for the time from the first submission to the last end, in ticks: what each application
/// needs alone after its submission, if tasks are whole, and where there are not too many classes, the
/// linear program in which all are there from the start.
fn bound(work: &Work, sites: &[Site], executor: Executor) -> f64 {
    let Some(first) = work.applications.first().map(|one| one.submit) else { return 0.0 };
    let mut known = Cow::Borrowed(work);
    if work.expected != work.times {
        known.to_mut().expected.clone_from(&work.times);
    }
    let work = &*known;
    let alone = work.applications.iter().enumerate().map(|(number, one)| {
        (one.submit - first).ticks() as f64 + least::alone(work, number as u32, sites)
    });
    let alone = match executor {
        Executor::Whole => alone.fold(0.0, f64::max),
        Executor::Fluid => 0.0,
    };
    if work.times.len() > MOST_PAIRS {
        return alone;
    }
    alone.max(least_end(&all_at(first, work, sites), true) * Span::UNIT.ticks() as f64)
}

/// The problem in which everything is there from a time on and all sites are free, with the true times.
fn all_at<'a>(now: Time, work: &'a Work, sites: &[Site]) -> Problem<'a> {
    let sites = sites.iter().map(|site| tasks::Site {
        price: site.price,
        limits: site.limits,
        free: vec![Free {
            at: now,
            processors: site.processors.into(),
            class: None,
            holds: [0; HELD],
        }],
    });
    let classes = work.classes.iter().enumerate().map(|(number, class)| tasks::Class {
        number: number as u32,
        application: class.application,
        tasks: class.tasks as f64,
        ready: now,
        after: class.after.clone(),
        times: work.times(number as u32),
        weights: work.weights(number as u32),
        needs: class.needs,
    });
    Problem {
        now,
        sites: sites.collect(),
        classes: classes.collect(),
        applications: vec![tasks::Application { deadline: Time::NEVER }; work.applications.len()],
        seed: 0,
    }
}

impl CampaignReplica<'_> {
    fn names(&self) -> Names<'_> {
        let CampaignWorld { organizations, clusters, .. } = self.of;
        Names { replication: self.number, work: &self.work, organizations, clusters }
    }

    /// Writes what the campaign tells.
    fn tell(&mut self) {
        let mut told = std::mem::take(&mut self.told);
        self.engine.watched().take_told(&mut told);
        let mut files = std::mem::take(&mut self.files);
        let (names, campaign) = (self.names(), self.engine.world());
        let Files { applications, classes, runs, stages } = &mut files;
        for told in &told {
            match told {
                Told::Ran(ran) => {
                    if let Some(lines) = runs {
                        names.run(ran, lines);
                    }
                }
                Told::Class(class) => {
                    if let Some(lines) = classes {
                        names.class_line(*class, campaign.class(*class), lines);
                    }
                }
                Told::Application(number, at) => {
                    if let Some(lines) = applications {
                        let cost = campaign.cost(*number as usize);
                        names.application(*number, Some(*at), cost, lines);
                    }
                }
                Told::Game(game) => {
                    if let Some(lines) = stages {
                        names.game(game, lines);
                    }
                }
            }
        }
        told.clear();
        (self.told, self.files) = (told, files);
    }

    /// Writes the lines of what has arrived and is not done.
    fn tell_open(&mut self) {
        let mut files = std::mem::take(&mut self.files);
        let (names, campaign) = (self.names(), self.engine.world());
        let Files { applications, classes, .. } = &mut files;
        for (number, one) in self.work.applications.iter().enumerate() {
            if campaign.is_done(number) || !campaign.has_arrived(number) {
                continue;
            }
            for class in one.first..one.end {
                let times = campaign.class(class);
                if let Some(lines) = classes.as_mut().filter(|_| times[2].is_none()) {
                    names.class_line(class, times, lines);
                }
            }
            if let Some(lines) = applications {
                names.application(number as u32, None, campaign.cost(number), lines);
            }
        }
        self.files = files;
    }

    /// Results so far.
    fn played(&self) -> Played {
        let CampaignPlan { plan, campaign: of } = self.of.plan;
        let campaign = self.engine.world();
        let mut groups = vec![Group::default(); plan.organizations.len()];
        let end = self.of.end();
        let mut last = 0;
        for (number, one) in self.work.applications.iter().enumerate() {
            if !campaign.has_arrived(number) {
                continue;
            }
            let group = &mut groups[one.owner.index()];
            group.submitted += 1;
            group.first = Some(group.first.map_or(one.submit, |first| first.min(one.submit)));
            group.cost += campaign.cost(number);
            let mut finish = one.submit;
            for class in one.first..one.end {
                let [.., done, expected] = campaign.class(class);
                if let Some(done) = done {
                    finish = finish.max(done);
                    group.classes.add((done - one.submit).as_units());
                    if let Some(expected) = expected {
                        let before = self.work.classes[class as usize].after.iter();
                        let before = before.filter_map(|&before| campaign.class(before)[3]);
                        let begins = before.fold(one.submit, Time::max).min(expected);
                        group.off += i128::from((done - expected).ticks().abs());
                        group.expected += i128::from((expected - begins).ticks());
                    }
                }
            }
            let is_done = campaign.is_done(number);
            if is_done {
                group.done += 1;
                group.flow += i128::from((finish - one.submit).ticks());
                group.last = group.last.max(finish.ticks());
                last = last.max(finish.ticks());
            }
            if one.deadline != Time::NEVER && (is_done || one.deadline <= end) {
                group.due += 1;
                group.late += u64::from(!is_done || finish > one.deadline);
            }
        }
        let until = if end == Time::NEVER { last } else { end.ticks() };
        for (number, cluster) in plan.clusters.iter().enumerate() {
            let group = &mut groups[cluster.owner.index()];
            group.busy += campaign.busy(number);
            group.had += i128::from(cluster.processors()) * i128::from(until);
            group.income += campaign.income(number);
            group.processors += u64::from(cluster.processors());
            group.switches += campaign.switches(number);
        }
        let now = self.engine.now();
        for (owner, group) in groups.iter_mut().enumerate() {
            group.footprint = campaign.footprint(Some(owner), now);
        }
        let bound = plan.output.bounds.then(|| bound(&self.work, &of.sites, of.planned.executor));
        let footprint = campaign.footprint(None, now);
        let (plans, games) = (campaign.plans(), campaign.games().clone());
        Played { groups, plans, games, footprint, bound }
    }
}

impl Replica for CampaignReplica<'_> {
    type Head = CampaignHead;
    type Outcome = Played;

    fn finish(mut self) -> Result<(Played, Sheets), RunError> {
        let played = self.played();
        self.tell_open();
        Ok((played, self.files.finish()?))
    }

    fn head(&self) -> CampaignHead {
        let until = self.of.plan.plan.until;
        CampaignHead { until, wakes: self.engine.wakes(), now: self.engine.now() }
    }

    fn rank(head: &CampaignHead) -> u64 {
        head.wakes
    }

    fn advance(&mut self, instants: u64) -> Result<bool, RunError> {
        let end = self.of.end();
        for _ in 0..instants {
            if self.engine.upcoming().is_none_or(|(at, _)| at >= end) {
                return Ok(false);
            }
            self.engine.step()?;
            self.tell();
        }
        Ok(true)
    }

    fn seen(&self) -> Seen {
        let (arrived, over) = self.engine.world().applications();
        let (ticks, wakes) = (self.engine.now().ticks() as u64, self.engine.wakes());
        Seen { jobs: arrived, over, ticks, wakes, ..Seen::default() }
    }

    fn records(&mut self) -> Vec<Option<&mut dyn OpenRecords>> {
        let Files { applications, classes, runs, stages } = &mut self.files;
        Files::opened(applications, classes, runs, stages)
    }

    fn pulse(&self) -> Pulse {
        let (submitted, finished) = self.engine.world().applications();
        let time = self.engine.now().as_units();
        Pulse { time, submitted: Some(submitted), finished, ..Pulse::default() }
    }
}

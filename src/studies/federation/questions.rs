//! The questions, and their worlds.

use super::{Flows, Sections, StudyError, played};
use policy::learn::LearnerOptions;
use scenario::plan::{Coalition, Plan};
use sim::federation::stakes::Plays;
use stats::interval::Level;

use super::change::{Change, change};

/// A question about a federation.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// Its word.
    pub name: &'static str,
    /// The question in words.
    pub about: &'static str,
    /// True of a federation that it is about: what owners choose, and whether a planner places the jobs.
    is_of: fn(plays: Plays, has_planner: bool) -> bool,
    /// Settings of all its worlds.
    common: &'static [&'static str],
    /// Setting by which each of its worlds differs.
    worlds: &'static [&'static str],
    /// True if owners learn in it, so that what they choose is an answer.
    pub learns: bool,
}

/// All questions.
pub const QUESTIONS: [Question; 6] = [
    Question {
        name: "schedulers",
        about: "who should schedule the jobs of all, if everybody is in?",
        is_of: |plays, has_planner| plays == Plays::Share && !has_planner,
        common: &["learner=always"],
        worlds: &[
            "grid_scheduler=least_demand",
            "grid_scheduler=list",
            "grid_scheduler=best_fit",
            "grid_scheduler=stealing",
        ],
        learns: false,
    },
    Question {
        name: "levels",
        about: "how much foreign work must one accept, in units of time on a processor?",
        is_of: |plays, _| plays == Plays::Share,
        common: &["learner={ fixed = { probability = 1.0, level = 1.0 } }"],
        worlds: &["level=1e3", "level=1e4", "level=1e5", "level=1e6", "level=1e7"],
        learns: false,
    },
    Question {
        name: "foreign",
        about: "what does it cost to take others' jobs only while no own job waits?",
        is_of: |plays, _| plays == Plays::Share,
        common: &["learner=always", "organization.*.cluster.space_shared.foreign=always"],
        worlds: &["foreign=always", "foreign=when_none_waits"],
        learns: false,
    },
    Question {
        name: "learners",
        about: "who takes part, by the rule by which all learn?",
        is_of: |_, _| true,
        common: &[],
        worlds: &["learner=ratio", "learner=regret_matching", "learner=hedge", "learner=win_stay"],
        learns: true,
    },
    Question {
        name: "promises",
        about: "what does the promise cost that a plan delays no job, if everybody is in?",
        is_of: |_, has_planner| has_planner,
        common: &["learner=always"],
        worlds: &[
            "planner=ilba",
            "planner.relaxed.beta=1.0",
            "planner.relaxed.beta=2.0",
            "planner.relaxed.beta=1000.0",
        ],
        learns: false,
    },
    Question {
        name: "goes-on",
        about: "who takes part, by the chance that another round follows?",
        is_of: |_, _| true,
        common: &[],
        worlds: &[
            "run.until.goes_on=0.5",
            "run.until.goes_on=0.8",
            "run.until.goes_on=0.9",
            "run.until.goes_on=0.95",
            "run.until.goes_on=0.98",
        ],
        learns: true,
    },
];

impl Question {
    /// True if a federation can answer it.
    pub fn fits(&self, plan: &Plan) -> bool {
        let coalition = plan.coalition().filter(|one| one.is_federation());
        coalition.is_some_and(|one| (self.is_of)(one.plays, plan.planned.is_some()))
    }

    /// The settings of its worlds, after those of the world in which nobody takes part.
    pub fn settings(&self) -> Vec<Vec<String>> {
        let set =
            |last: &str| self.common.iter().copied().chain([last]).map(str::to_owned).collect();
        let worlds = self.worlds.iter().map(|one| set(one));
        std::iter::once(vec!["learner=never".to_owned()]).chain(worlds).collect()
    }

    /// The settings that differ, as shown.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.worlds.iter().copied()
    }
}

/// A world of a question.
#[derive(Clone, Debug)]
pub struct World {
    /// The setting.
    pub name: &'static str,
    pub(super) sections: Sections,
}

/// The worlds of a question, played.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The question.
    pub question: Question,
    /// True if a unit of time is a second.
    pub counts_seconds: bool,
    /// The organizations.
    pub names: Vec<String>,
    /// True if pairs are rounds of a single replication.
    pub by_round: bool,
    /// The world in which nobody takes part; `None` if worlds are of different length.
    pub nobody: Option<Sections>,
    /// The worlds, in order.
    pub worlds: Vec<World>,
}

/// True if what a learner does never depends on scores.
fn is_deaf(options: &LearnerOptions) -> bool {
    use LearnerOptions::{Always, Fixed, Never};
    matches!(options, Always(_) | Never(_) | Fixed(_))
}

/// Plays the worlds of a question, the first of which is that with nobody in.
///
/// # Errors
/// Fails if a run cannot go on, or if a single replication cannot answer the question.
pub fn ask(question: Question, plans: &[Plan]) -> Result<Answer, StudyError> {
    fn coalition(plan: &Plan) -> &Coalition {
        plan.coalition().expect("the question fits")
    }
    let differ = plans.iter().any(|plan| plan.rounds_of(0) != plans[1].rounds_of(0));
    let by_round = plans[1].replications == 1;
    if differ && by_round {
        let help = "help: add `--set replications=40`";
        let what = format!("`{}` needs several replications, whose lengths differ", question.name);
        return Err(StudyError(format!("{what}\n{help}")));
    }
    let sections = |plan: &Plan| {
        let is_scored = !coalition(plan).seats.iter().all(|seat| is_deaf(&seat.learner));
        played(plan, coalition(plan), is_scored)
    };
    let mut all = plans.iter().map(sections).collect::<Result<Vec<_>, StudyError>>()?;
    let nobody = all.remove(0);
    let worlds = question.names().zip(all).map(|(name, sections)| World { name, sections });
    Ok(Answer {
        question,
        counts_seconds: plans[0].counts_seconds(),
        names: plans[0].organizations.iter().map(|one| one.name.clone()).collect(),
        by_round,
        nobody: (!differ).then_some(nobody),
        worlds: worlds.collect(),
    })
}

/// Figures that are compared between worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Mean flow time; less is better.
    Flow,
    /// Share of rounds in which an organization takes part; more leads.
    Joined,
}

impl World {
    /// The values of all organizations, and of all together, section by section.
    fn of(&self, of: Of) -> &Flows {
        match of {
            Of::Flow => &self.sections.flows,
            Of::Joined => &self.sections.joined,
        }
    }

    /// The mean of an organization, or of all together.
    pub fn mean(&self, of: Of, whose: usize) -> f64 {
        super::pooled(self.of(of)[whose].iter().copied())[0]
    }
}

impl Answer {
    /// The change of flow time against nobody taking part, of an organization or, after them, all. Those
    /// of all worlds hold together.
    pub fn saved(&self, world: &World, whose: usize) -> Option<Change> {
        let level = Level::default().of_each(self.worlds.len());
        let nobody = &self.nobody.as_ref()?.flows;
        Some(change(self.by_round, [nobody, &world.sections.flows], whose, level))
    }

    /// The world that leads, and the changes from each other one to it. Those of any two worlds would hold
    /// together, so it does not matter that the leader was found in the same data.
    pub fn leader(&self, of: Of) -> (&World, Vec<(&World, Change)>) {
        let count = self.worlds.len();
        let all = self.names.len();
        let level = Level::default().of_each(count * (count - 1) / 2);
        let less = |one: &&World, other: &&World| {
            let [one, other] = [one, other].map(|world| world.mean(of, all));
            if of == Of::Flow { one.total_cmp(&other) } else { other.total_cmp(&one) }
        };
        let first = self.worlds.iter().min_by(less).expect("a question has worlds");
        let others = self.worlds.iter().filter(|one| one.name != first.name);
        let from =
            |one| (one, change(self.by_round, [World::of(one, of), first.of(of)], all, level));
        (first, others.map(from).collect())
    }
}

//! The kinds of choices, one line each: names, places in a scenario, and the modules that cite.

mod dynamics;

use findings::target;
use model::entry::Entry;
use policy::{coalition, grid, learn, local, plan, tasks};
use sim::{clairvoyance, cluster, scout};
use workload::{
    self, applications, arrivals, batches, dealt, draw, estimates, owners, profile, widths,
};

/// A kind of choice as declared.
pub(super) struct Declared {
    pub(super) name: &'static str,
    pub(super) plural: &'static str,
    pub(super) meaning: &'static str,
    /// Patterns of its keys. A leading `**.` matches any beginning, `*` any key.
    at: &'static [&'static str],
    entries: &'static [Entry],
}

const fn kind(
    (name, plural): (&'static str, &'static str),
    meaning: &'static str,
    at: &'static [&'static str],
    entries: &'static [Entry],
) -> Declared {
    Declared { name, plural, meaning, at, entries }
}

/// All kinds, in the order in which they are listed.
#[rustfmt::skip]
pub(super) const KINDS: &[Declared] = &[
    kind(("cluster", "clusters"), "How a cluster shares its processors among jobs.",
        &["organization[].cluster", "cluster[].kind"], cluster::ENTRIES),
    kind(("scheduler", "schedulers"), "Which waiting job of a cluster starts.",
        &["**.space_shared.scheduler"], local::REGISTRY),
    kind(("list-order", "list-orders"), "The order of the list of list scheduling.",
        &["**.scheduler.list.order", "**.scheduler.easy.order", "grid_scheduler.list.order"], &[]),
    kind(("view", "views"), "The part of a job that a scheduler in another process sees.",
        &["**.scheduler.process.sees", "grid_scheduler.process.sees"], &[]),
    kind(("backfill", "backfills"), "The order in which EASY tries the jobs behind the first.",
        &["**.scheduler.easy.backfill"], &[]),
    kind(("grid-scheduler", "grid-schedulers"), "Who places the jobs of a grid on its clusters.",
        &["grid_scheduler"], grid::REGISTRY),
    kind(("planner", "planners"), "Who plans the jobs of a grid on its clusters.",
        &["planner"], plan::REGISTRY),
    kind(("improved-plan", "improved-plans"), "The plan that a planner starts from.",
        &["planner.*.from"], &[]),
    kind(("walk-view", "walk-views"), "What is known where the Equitable Walk is decided.",
        &["planner.equitable_walk.knowledge"], &[]),
    kind(("handover", "handovers"), "When jobs are handed to a grid scheduler or a planner.",
        &["grid_scheduler.grid_submission.asked", "planning.asked"], &[]),
    kind(("candidate", "candidates"), "Which of a planner's candidates is played.",
        &["planning.plays"], &[]),
    kind(("play", "plays"), "When a planned job starts.",
        &["planning.plays_by"], &[]),
    kind(("jobless-cluster", "jobless-clusters"), "Whether plans use the clusters of organizations without jobs.",
        &["planning.without_jobs"], &[]),
    kind(("task-planner", "task-planners"), "Who plans the tasks of a campaign's applications on its sites.",
        &["task_planner"], tasks::REGISTRY),
    kind(("task-executor", "task-executors"), "How shares of a campaign's sites are played.",
        &["task_planning.executor"], &[]),
    kind(("task-rounding", "task-roundings"), "How shares of a campaign's sites become whole tasks.",
        &["task_planning.rounding"], &[]),
    kind(("file-lifetime", "file-lifetimes"), "How long files that tasks leave stay at their site.",
        &["task_planning.files"], &[]),
    kind(("task-pricing", "task-pricings"), "What owners of applications pay for tasks.",
        &["task_planning.pricing"], &[]),
    kind(("game-budget", "game-budgets"), "What the classes of Game-quick have to spend.",
        &["task_planner.*.budgets", "task_planner.*.*.budgets"], &[]),
    kind(("game-sequential", "game-sequentials"), "Where a game sends classes of a single task.",
        &["task_planner.*.sequential", "task_planner.*.*.sequential"], &[]),
    kind(("game-repair", "game-repairs"), "How a game makes shares fit in storage and memory.",
        &["task_planner.*.repair"], &[]),
    kind(("game-rule", "game-rules"), "How Game-cost moves classes to cheaper sites.",
        &["task_planner.*.rule"], &[]),
    kind(("game-start", "game-starts"), "What Game-cost begins with.",
        &["task_planner.*.first"], &[]),
    kind(("class-deadline", "class-deadlines"), "How the deadline of an application becomes those of its classes.",
        &["task_planner.*.deadlines"], &[]),
    kind(("workflow-type", "workflow-types"), "What makes tasks of a recorded workflow one class.",
        &["application[].workflow.import.types"], &[]),
    kind(("replan", "replans"), "When a campaign's task planner is asked.",
        &["task_planning.replans"], &[]),
    kind(("task-order", "task-orders"), "The order in which a task planner takes the tasks.",
        &["task_planner.*.order"], &[]),
    kind(("task-choice", "task-choices"), "What a task planner makes small.",
        &["task_planner.*.chooses"], &[]),
    kind(("second-best", "second-bests"), "What the best place of a task is compared with.",
        &["task_planner.sufferage.second"], &[]),
    kind(("task-times", "task-times"), "How long the tasks of drawn applications take.",
        &["workload.applications.times"], applications::times::REGISTRY),
    kind(("site-order", "site-orders"), "Whether the same sites are fast for all drawn classes.",
        &["workload.applications.times.braun.kind"], &[]),
    kind(("task-count", "task-counts"), "How many classes and tasks drawn applications have.",
        &["workload.applications.tasks", "workload.applications.classes"], &[]),
    kind(("fair-rule", "fair-rules"), "Who is first under fair sharing.",
        &["grid_scheduler.fair.by"], &[]),
    kind(("stolen-job", "stolen-jobs"), "Which jobs of another cluster are taken first.",
        &["grid_scheduler.stealing.first"], &[]),
    kind(("foreign-job", "foreign-jobs"), "Whether a cluster takes the jobs of others than its owner.",
        &["**.space_shared.foreign"], &[]),
    kind(("workload", "workloads"), "Where the jobs of an organization come from.",
        &["organization[].workload"], workload::ENTRIES),
    kind(("grid-workload", "grid-workloads"), "Where the jobs of many organizations come from.",
        &["workload"], workload::GRID_ENTRIES),
    kind(("shared-source", "shared-sources"), "Where the jobs of one stream of many owners come from.",
        &["workload.shared.source"], workload::ENTRIES),
    kind(("arrivals", "arrivals"), "When drawn jobs come.",
        &["**.synthetic.arrivals", "workload.applications.arrivals"], arrivals::REGISTRY),
    kind(("batch", "batches"), "How many drawn jobs come at one instant.",
        &["**.synthetic.batches"], batches::ENTRIES),
    kind(("profile", "profiles"), "How the rate of drawn jobs changes over the day or the week.",
        &["**.synthetic.profile"], profile::ENTRIES),
    kind(("size", "sizes"), "How long drawn jobs run.",
        &["**.synthetic.size"], draw::REGISTRY),
    kind(("width", "widths"), "How many processors drawn jobs use.",
        &["**.synthetic.processors"], widths::REGISTRY),
    kind(("job-types", "job-types"), "Which types of jobs the Lublin-Feitelson model has.",
        &["**.lublin_feitelson.types"], &[]),
    kind(("model-clock", "model-clocks"), "How the clock of arrivals of that model goes.",
        &["**.lublin_feitelson.clock"], &[]),
    kind(("model-arrival", "model-arrivals"), "When the jobs of that model come.",
        &["**.lublin_feitelson.arrivals"], &[]),
    kind(("estimate", "estimates"), "How long users say that drawn jobs run.",
        &["**.synthetic.estimates", "**.lublin_feitelson.estimates"], estimates::ENTRIES),
    kind(("rounding", "roundings"), "How drawn times become whole numbers of units.",
        &["**.synthetic.rounding.*"], &[]),
    kind(("owner", "owners"), "Whose the jobs of a grid-wide trace are.",
        &["workload.swf.owners"], owners::ENTRIES),
    kind(("drawn-owner", "drawn-owners"), "Whose each job of a shared stream is.",
        &["workload.shared.owners", "workload.applications.owners"], dealt::ENTRIES),
    kind(("import-rule", "import-rules"), "What becomes of the lines of a trace.",
        &["**.swf.import.*", "**.swf.import.load.by", "**.jobs.import.load.by"], &[]),
    kind(("clairvoyance", "clairvoyance"), "What schedulers may expect of a job's length.",
        &["run.clairvoyance"], clairvoyance::ENTRIES),
    kind(("correction", "corrections"), "What is expected of a job that outruns its prediction.",
        &["run.clairvoyance.predicted.correction"], &[]),
    kind(("learner", "learners"), "How an organization decides whether and how far to take part, or a player what to do.",
        &["organization[].learner", "player[].learner", "organization[].mutants.learner",
            "player[].mutants.learner"], learn::REGISTRY),
    kind(("lone-round", "lone-rounds"), "What the ratio rule learns from a round that nobody shared.",
        &["**.learner.ratio.alone"], &[]),
    kind(("round-view", "round-views"), "The part of a round that a learner in another process sees.",
        &["**.learner.process.sees"], &[]),
    kind(("let-down", "let-downs"), "What makes the grim learner leave.",
        &["**.learner.grim.when"], &[]),
    kind(("level-rounding", "level-roundings"), "How a level that was learned is declared.",
        &["**.learner.level.round"], &[]),
    kind(("payoffs", "payoffs"), "What a round of a game pays.",
        &["game.payoffs"], &[]),
    kind(("noise", "noises"), "What is added to every payoff of a game.",
        &["game.noise"], &[]),
    kind(("dynamics", "dynamics"), "How play moves in a game where nobody learns.",
        &["dynamics"], dynamics::ENTRIES),
    kind(("imitation", "imitations"), "Who takes over what from whom in a population.",
        &["dynamics.imitation.rule"], dynamics::IMITATIONS),
    kind(("bandit-memory", "bandit-memories"), "Which rounds count in upper confidence bounds.",
        &["**.learner.ucb.memory"], &[]),
    kind(("exploration", "explorations"), "How often epsilon-greedy choice takes any action.",
        &["**.learner.epsilon_greedy.exploration"], &[]),
    kind(("belief", "beliefs"), "What Thompson's sampling believes of an action.",
        &["**.learner.thompson.belief"], &[]),
    kind(("value-state", "value-states"), "What the values of Boltzmann Q-learning depend on.",
        &["**.learner.boltzmann_q.state"], &[]),
    kind(("balancer", "balancers"), "How load moves between the members of a coalition.",
        &["coalition.balancer"], coalition::REGISTRY),
    kind(("round", "rounds"), "What a round of a coalition begins with.",
        &["coalition.rounds"], &[]),
    kind(("piece", "pieces"), "Where the pieces of traces begin that independent rounds of a federation play.",
        &["coalition.pieces"], &[]),
    kind(("sent-work", "sent-work"), "Which of its own work a cluster sends first.",
        &["coalition.sends"], &[]),
    kind(("balancing-order", "balancing-orders"), "Order of a balancing and the submissions of the same instant.",
        &["coalition.balances"], &[]),
    kind(("owners-choice", "owners-choices"), "What an owner of a federation decides in a round.",
        &["coalition.plays"], &[]),
    kind(("round-score", "round-scores"), "Measure by which an owner of a federation judges a round.",
        &["coalition.score"], &[]),
    kind(("until", "until"), "When a replication ends.",
        &["run.until"], target::ENTRIES),
    kind(("precise-figure", "precise-figures"), "Which figure is to be known well enough, or shown first.",
        &["run.until.precision.metric", "sweep.measure"], &[]),
    kind(("each", "each"), "When each of the replications ends that are added for precision.",
        &["run.until.precision.each"], &[]),
    kind(("warm-up", "warm-ups"), "Which jobs of the beginning do not count.",
        &["output.warm_up"], scout::ENTRIES),
    kind(("phase-order", "phase-orders"), "How the events of one instant are taken.",
        &["run.phase_order"], &[]),
    kind(("never-runs", "never-runs"), "What is done about a job that can never run.",
        &["run.never_runs"], &[]),
];

/// Returns the plural of the kind whose choices are written at a key, as in `organization[].learner`.
pub(super) fn plural_at(key: &str) -> Option<&'static str> {
    KINDS.iter().find(|kind| kind.is_at(key)).map(|kind| kind.plural)
}

impl Declared {
    /// Returns true if a choice at this key is of this kind.
    pub(super) fn is_at(&self, key: &str) -> bool {
        self.at.iter().any(|pattern| matches(pattern, key))
    }

    /// Returns the name of an option within its kind. Import rules share a kind, so their key is
    /// part of the name.
    pub(super) fn name_of(&self, at: &str, variant: &str) -> String {
        match at.split_once(".import.") {
            Some((_, rule)) => format!("{rule}.{variant}"),
            None => variant.to_owned(),
        }
    }

    pub(super) fn citation(&self, name: &str) -> Option<&'static str> {
        self.entries.iter().find(|entry| entry.name == name).map(|entry| entry.citation)
    }
}

fn matches(pattern: &str, key: &str) -> bool {
    let (pattern, any_beginning) = match pattern.strip_prefix("**.") {
        Some(rest) => (rest, true),
        None => (pattern, false),
    };
    let (wanted, given) = (pattern.split('.').rev(), key.split('.').rev());
    let (wanted, given): (Vec<_>, Vec<_>) = (wanted.collect(), given.collect());
    let fits = if any_beginning { wanted.len() < given.len() } else { wanted.len() == given.len() };
    fits && wanted.iter().zip(&given).all(|(wanted, given)| *wanted == "*" || wanted == given)
}

#[cfg(test)]
mod tests {
    use super::{KINDS, matches};
    use crate::catalog::catalog;

    #[test]
    fn every_source_is_that_of_a_choice() {
        for (declared, kind) in KINDS.iter().zip(catalog()) {
            for entry in declared.entries {
                let is_choice = kind.choices.iter().any(|choice| choice.name == entry.name);
                assert!(is_choice, "{}: {}", kind.name, entry.name);
            }
        }
    }

    #[test]
    fn patterns_match_whole_keys_from_the_end() {
        for (pattern, key, expected) in [
            ("run.until", "run.until", true),
            ("workload", "organization[].workload", false),
            ("**.import.*", "workload.swf.import.status", true),
            ("**.import.*", "workload.swf.import.load.by", false),
            ("**.size", "some.other_size", false),
            ("**.a.b", "a.b", false),
        ] {
            assert_eq!(matches(pattern, key), expected, "{pattern} {key}");
        }
    }
}

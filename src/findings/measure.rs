//! The register of measures: every figure that has a mean, with its unit and what is better.
//!
//! To add a measure, add its line below, and put its values where its world adds up a replication
//! ([`Sample::put`](super::sample::Sample::put)). Files, `until.precision`, `gridpact list measures`
//! and comparisons follow.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A figure that has a mean.
///
/// Two measures are the same if they have the same name. Those of gridpact's own worlds are
/// registered as [`Metric`]s; a world from outside may define others.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Measure {
    /// Its name in scenarios and files.
    pub name: &'static str,
    /// One sentence that says what it measures.
    pub summary: &'static str,
    /// Unit of its values.
    pub unit: Unit,
    /// The better direction, for whoever it belongs to.
    pub better: Better,
    /// The way in which values of several replications are combined.
    pub kind: Kind,
    /// The worlds that have it: `grid`, `coalition`, `campaign`, `game`, `dynamics`.
    pub worlds: &'static [&'static str],
}

impl PartialEq for Measure {
    fn eq(&self, other: &Measure) -> bool {
        self.name == other.name
    }
}

impl Measure {
    /// Its name in words: `wait p95`.
    pub fn words(&self) -> String {
        self.name.replace('_', " ")
    }

    /// The registered measure of this name, if there is one.
    pub fn metric(&self) -> Option<Metric> {
        Metric::ALL.iter().copied().find(|metric| metric.name() == self.name)
    }

    /// The values that it can have: intervals do not reach beyond.
    pub fn range(&self) -> [f64; 2] {
        use Metric as M;
        const ANY: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
        let from = |least| [least, f64::INFINITY];
        match (self.metric(), self.unit) {
            (Some(M::Gain), _) => [f64::NEG_INFINITY, 1.0],
            (Some(M::Score | M::FinalScore), _) | (None, Unit::Number) => ANY,
            (Some(M::SwapRegret | M::BestReplyGain | M::Distance | M::PredictionError), _) => {
                from(0.0)
            }
            (Some(M::MakespanOverBound | M::MakespanOverOptimum), _) => from(1.0),
            (_, Unit::Number) if self.name.contains("slowdown") => from(1.0),
            (_, Unit::Share) => [0.0, 1.0],
            (_, Unit::Time | Unit::Work | Unit::Number) => from(0.0),
            (_, Unit::Payoff) => ANY,
        }
    }

    /// True for a quantile over jobs.
    pub fn is_quantile(&self) -> bool {
        self.kind == Kind::Quantile
    }

    /// The mean and the number of a quantile over jobs, such as `wait` and `p95`; `None` for others.
    pub fn quantile(&self) -> Option<(&'static str, &'static str)> {
        self.name.rsplit_once('_').filter(|_| self.kind == Kind::Quantile)
    }
}

/// Unit of a measure's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// The scenario's unit of time; seconds in traces.
    Time,
    /// Processor time, in the same unit.
    Work,
    /// A share from 0 to 1.
    Share,
    /// A number without a unit.
    Number,
    /// Payoff of the rounds of a game.
    Payoff,
}

impl Unit {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Time => "time",
            Unit::Work => "work",
            Unit::Share => "share",
            Unit::Number => "number",
            Unit::Payoff => "payoff",
        }
    }
}

/// The better direction of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Less is better.
    Less,
    /// More is better.
    More,
    /// Neither is better as such.
    Neither,
}

impl Better {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Better::Less => "less",
            Better::More => "more",
            Better::Neither => "neither",
        }
    }
}

/// The way in which a measure's values are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A sum over jobs, or over time, divided by their number or length: replications weigh as much
    /// as they have.
    Ratio,
    /// A mean over replications that all weigh the same.
    Mean,
    /// A quantile over the jobs of all replications.
    Quantile,
}

impl Kind {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Ratio => "ratio",
            Kind::Mean => "mean",
            Kind::Quantile => "quantile",
        }
    }
}

/// Declares measures: variant, name, worlds, unit, what is better, kind and summary.
macro_rules! measures {
    ($($variant:ident $name:literal [$($world:literal),+] $unit:ident $better:ident $kind:ident
       $summary:literal;)*) => {
        /// A registered measure.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        pub enum Metric {
            $(#[doc = $summary] #[serde(rename = $name)] $variant,)*
        }

        impl Metric {
            /// All registered measures, in order.
            pub const ALL: &[Metric] = &[$(Metric::$variant),*];

            /// The measure.
            pub fn measure(self) -> &'static Measure {
                match self {
                    $(Metric::$variant => &const { Measure {
                        name: $name,
                        summary: $summary,
                        unit: Unit::$unit,
                        better: Better::$better,
                        kind: Kind::$kind,
                        worlds: &[$($world),+],
                    } },)*
                }
            }
        }
    };
}

measures! {
    Flow "flow" ["grid", "coalition", "campaign"] Time Less Ratio
        "Mean flow time (turnaround) of a job, or of an application in a campaign.";
    Wait "wait" ["grid", "federation"] Time Less Ratio
        "Mean waiting time of a job, in a grid or a federation.";
    Slowdown "slowdown" ["grid"] Number Less Ratio "Mean slowdown of a job, in a grid.";
    BoundedSlowdown "bounded_slowdown" ["grid", "federation"] Number Less Ratio
        "Mean bounded slowdown of a job, in a grid or a federation.";
    Makespan "makespan" ["grid", "campaign"] Time Less Mean
        "Mean makespan over the replications of a grid or a campaign.";
    MakespanOverBound "makespan_over_bound" ["grid", "campaign"] Number Less Mean
        "Makespan of the replications of a grid or a campaign, divided by a lower bound for any schedule.";
    MakespanOverOptimum "makespan_over_optimum" ["grid"] Number Less Mean
        "Makespan of a grid's replications, divided by the least possible, with few jobs.";
    Messages "messages" ["grid"] Number Less Mean
        "Messages that a grid's clusters exchange to steal jobs, in a replication.";
    Utility "utility" ["grid"] Time More Mean
        "Utility of the jobs of an organization under fair sharing: the time since each unit of processor time that they used, summed, for each unit that all used.";
    BrokenPromises "broken_promises" ["grid"] Share Less Ratio
        "Share of the promises of plans, that an organization ends no later than alone, that are broken.";
    ClassFairness "class_fairness" ["campaign"] Share More Mean
        "Jain's index of the times in which the classes of a campaign's applications are done.";
    Cost "cost" ["campaign"] Number Less Mean
        "Cost of the processor time of a campaign's applications, in a replication.";
    Late "late" ["campaign"] Share Less Ratio
        "Share of a campaign's applications with a deadline that miss it.";
    Plans "plans" ["campaign"] Number Neither Mean
        "Plans that a campaign's task planner makes in a replication.";
    Stages "stages" ["campaign"] Number Neither Ratio
        "Stages of the game, or generations of the search, behind a plan of a campaign.";
    SettledStages "settled_stages" ["campaign"] Number Neither Ratio
        "Stages until a tenth of all changes of the makespan, or of the cost if the game goes by that, is left.";
    StagePeaks "stage_peaks" ["campaign"] Number Neither Ratio
        "Stages of that game in which its makespan or cost has risen before it falls again.";
    StageChange "stage_change" ["campaign"] Number Neither Ratio
        "Makespan or cost in the last stage of that game, over that in its first one.";
    Income "income" ["campaign"] Number More Mean
        "Income of an organization's clusters from the tasks of a campaign.";
    Footprint "footprint" ["campaign"] Number Less Mean
        "Largest storage that files of finished tasks take at a time, at all sites of a campaign.";
    Switches "switches" ["campaign"] Number Less Ratio
        "Changes of a processor of a campaign from the tasks of one class to those of another.";
    PredictionError "prediction_error" ["campaign"] Share Less Ratio
        "Error of the ends that the first plans of a campaign's classes expect, relative to the expected lengths of these.";
    Utilization "utilization" ["grid", "campaign", "federation"] Share More Ratio
        "Utilization of the clusters of a grid, a federation or a campaign over the replications.";
    Gain "gain" ["grid", "coalition"] Share More Ratio
        "Share of its flow time that an organization saves by sharing; negative if it loses.";
    AloneFlow "alone_flow" ["grid", "federation"] Time Less Ratio
        "Mean flow time of a job on its organization's own clusters alone, in a grid or a federation.";
    AloneWait "alone_wait" ["grid", "federation"] Time Less Ratio
        "Mean waiting time of a job on its organization's own clusters alone, in a grid or a federation.";
    AloneBoundedSlowdown "alone_bounded_slowdown" ["grid", "federation"] Number Less Ratio
        "Mean bounded slowdown of a job on its organization's own clusters alone, in a grid or a federation.";
    FlowAlone "flow_alone" ["coalition"] Time Less Ratio
        "Mean flow time that a coalition's jobs would have had, had their organization alone stayed out of each round.";
    Score "score" ["coalition"] Number More Mean "Mean score over the rounds of a coalition.";
    Joined "joined" ["coalition"] Share Neither Mean
        "Share of a coalition's rounds in which its members took part.";
    Sent "sent" ["coalition"] Work Neither Mean
        "Work that a member of a coalition sends to others in a round.";
    Received "received" ["coalition"] Work Neither Mean
        "Work that a member of a coalition receives from others in a round.";
    Caught "caught" ["coalition"] Share Neither Mean
        "Share of a coalition's rounds in which members are caught cheating, where it has exclusions.";
    FalseAlarms "false_alarms" ["coalition"] Share Less Mean
        "Share of a coalition's rounds in which members are caught that do not cheat, where it has exclusions.";
    Excluded "excluded" ["coalition"] Share Neither Mean
        "Share of a coalition's rounds in which members are excluded, where it has exclusions.";
    FinalLying "final_lying" ["coalition"] Share Neither Mean
        "Share of the last quarter of the rounds in which members cheat, where they choose among lies.";
    FinalScore "final_score" ["coalition"] Number More Mean
        "Mean score over the last quarter of a coalition's rounds.";
    FinalJoined "final_joined" ["coalition"] Share Neither Mean
        "Share of the last quarter of the rounds in which members took part.";
    FinalProbability "final_probability" ["coalition"] Share Neither Mean
        "Mean probability of taking part, over the last quarter of the rounds.";
    FinalLevel "final_level" ["coalition"] Number Neither Mean
        "Mean participation level over the last quarter of the rounds.";
    Payoff "payoff" ["game"] Payoff More Mean "Mean payoff of a round of a game.";
    FinalPayoff "final_payoff" ["game"] Payoff More Mean
        "Mean payoff over the last quarter of a game's rounds.";
    ExternalRegret "external_regret" ["game"] Payoff Less Mean
        "Extra payoff of the best single action in a round of a game.";
    SwapRegret "swap_regret" ["game"] Payoff Less Mean
        "Extra payoff of replacing each action by its best alternative, in a round of a game.";
    BestReplyGain "best_reply_gain" ["game"] Payoff Less Mean
        "Extra payoff of a best reply for a player of a game, where everyone stands at the end.";
    Welfare "welfare" ["game"] Payoff More Mean
        "Mean payoff of a round of a game to all players together.";
    FinalWelfare "final_welfare" ["game"] Payoff More Mean
        "Mean payoff to all players together over the last quarter of a game's rounds.";
    Fairness "fairness" ["grid", "game"] Share More Mean
        "Jain's index of the organizations' mean flow times in a grid, or of the players' mean payoffs in a game, where none loses: 1 if all are the same.";
    Distance "distance_to_equilibrium" ["game"] Payoff Less Mean
        "Largest gain of any player from a best reply at the end of a game.";
    FinalShare "final_share" ["dynamics"] Share Neither Mean
        "Share of an action over the last quarter of the steps of a game's dynamics.";
    LastShare "last_share" ["dynamics"] Share Neither Mean
        "Share of an action at the end of a game's dynamics.";
    FlowP50 "flow_p50" ["grid"] Time Less Quantile
        "Flow time that 50% of the jobs do not exceed, in a grid.";
    FlowP90 "flow_p90" ["grid"] Time Less Quantile
        "Flow time that 90% of the jobs do not exceed, in a grid.";
    FlowP95 "flow_p95" ["grid"] Time Less Quantile
        "Flow time that 95% of the jobs do not exceed, in a grid.";
    FlowP99 "flow_p99" ["grid"] Time Less Quantile
        "Flow time that 99% of the jobs do not exceed, in a grid.";
    FlowP999 "flow_p99.9" ["grid"] Time Less Quantile
        "Flow time that 99.9% of the jobs do not exceed, in a grid.";
    WaitP50 "wait_p50" ["grid"] Time Less Quantile
        "Waiting time that 50% of the jobs do not exceed, in a grid.";
    WaitP90 "wait_p90" ["grid"] Time Less Quantile
        "Waiting time that 90% of the jobs do not exceed, in a grid.";
    WaitP95 "wait_p95" ["grid"] Time Less Quantile
        "Waiting time that 95% of the jobs do not exceed, in a grid.";
    WaitP99 "wait_p99" ["grid"] Time Less Quantile
        "Waiting time that 99% of the jobs do not exceed, in a grid.";
    WaitP999 "wait_p99.9" ["grid"] Time Less Quantile
        "Waiting time that 99.9% of the jobs do not exceed, in a grid.";
    SlowdownP50 "slowdown_p50" ["grid"] Number Less Quantile
        "Slowdown that 50% of the jobs do not exceed, in a grid.";
    SlowdownP90 "slowdown_p90" ["grid"] Number Less Quantile
        "Slowdown that 90% of the jobs do not exceed, in a grid.";
    SlowdownP95 "slowdown_p95" ["grid"] Number Less Quantile
        "Slowdown that 95% of the jobs do not exceed, in a grid.";
    SlowdownP99 "slowdown_p99" ["grid"] Number Less Quantile
        "Slowdown that 99% of the jobs do not exceed, in a grid.";
    SlowdownP999 "slowdown_p99.9" ["grid"] Number Less Quantile
        "Slowdown that 99.9% of the jobs do not exceed, in a grid.";
    BoundedSlowdownP50 "bounded_slowdown_p50" ["grid"] Number Less Quantile
        "Bounded slowdown that 50% of the jobs do not exceed, in a grid.";
    BoundedSlowdownP90 "bounded_slowdown_p90" ["grid"] Number Less Quantile
        "Bounded slowdown that 90% of the jobs do not exceed, in a grid.";
    BoundedSlowdownP95 "bounded_slowdown_p95" ["grid"] Number Less Quantile
        "Bounded slowdown that 95% of the jobs do not exceed, in a grid.";
    BoundedSlowdownP99 "bounded_slowdown_p99" ["grid"] Number Less Quantile
        "Bounded slowdown that 99% of the jobs do not exceed, in a grid.";
    BoundedSlowdownP999 "bounded_slowdown_p99.9" ["grid"] Number Less Quantile
        "Bounded slowdown that 99.9% of the jobs do not exceed, in a grid.";
}

impl Metric {
    /// Its name in scenarios and files.
    pub fn name(self) -> &'static str {
        self.measure().name
    }

    /// Its name in words: `wait p95`.
    pub fn words(self) -> String {
        self.measure().words()
    }

    /// True if a world of this kind has it; a federation is a coalition too.
    pub fn is_of(self, world: &str) -> bool {
        let worlds = self.measure().worlds;
        worlds.contains(&world) || world == "federation" && worlds.contains(&"coalition")
    }

    /// True for a mean or a quantile over jobs, whose precision follows from the batches of a single
    /// run of a grid.
    pub fn is_of_jobs(self) -> bool {
        self.distribution().is_some()
    }

    /// True if a grid has it only where every organization is simulated alone too.
    pub fn needs_alone(self) -> bool {
        ALONE.contains(&self) || self == Metric::Gain
    }

    /// True if a coalition has it only with exclusions.
    pub fn needs_exclusion(self) -> bool {
        matches!(self, Metric::Caught | Metric::FalseAlarms | Metric::Excluded)
    }

    /// True if a coalition has it only where members choose among lies.
    pub fn needs_lies(self) -> bool {
        self == Metric::FinalLying
    }

    /// True if it needs the bounds of the makespan.
    pub(crate) fn needs_bounds(self) -> bool {
        matches!(self, Metric::MakespanOverBound | Metric::MakespanOverOptimum)
    }

    /// True for a quantile over jobs.
    pub fn is_quantile(self) -> bool {
        self.measure().kind == Kind::Quantile
    }

    /// The mean over jobs that a mean or a quantile belongs to; `None` for other measures.
    pub fn distribution(self) -> Option<Metric> {
        let name = self.measure().quantile().map_or(self.name(), |(mean, _)| mean);
        DISTRIBUTIONS.into_iter().find(|one| one.name() == name)
    }
}

/// The distributions over the jobs of a grid.
pub(crate) const DISTRIBUTIONS: [Metric; 4] =
    [Metric::Flow, Metric::Wait, Metric::Slowdown, Metric::BoundedSlowdown];

/// The measures that a comparison judges, unless others are asked for: those that say whether a world
/// serves its participants well.
pub const JUDGED: [Metric; 11] = [
    Metric::Flow,
    Metric::Wait,
    Metric::BoundedSlowdown,
    Metric::FlowP99,
    Metric::Makespan,
    Metric::ClassFairness,
    Metric::Cost,
    Metric::Gain,
    Metric::Payoff,
    Metric::Welfare,
    Metric::FinalShare,
];

/// The means over the jobs of a grid's organizations alone.
pub const ALONE: [Metric; 3] = [Metric::AloneFlow, Metric::AloneWait, Metric::AloneBoundedSlowdown];

#[cfg(test)]
mod tests {
    use super::*;
    use stats::distribution::QUANTILES;

    #[test]
    fn names_are_unique_and_every_quantile_belongs_to_a_mean() {
        for (at, metric) in Metric::ALL.iter().enumerate() {
            assert!(Metric::ALL[..at].iter().all(|one| one.name() != metric.name()));
            let measure = metric.measure();
            assert!(!measure.worlds.is_empty() && measure.summary.ends_with('.'));
            if let Some((_, part)) = measure.quantile() {
                assert!(QUANTILES.iter().any(|(name, _)| *name == part), "{part}");
                assert!(metric.distribution().is_some());
            }
        }
        let all = DISTRIBUTIONS.len() * QUANTILES.len();
        let quantiles = Metric::ALL.iter().filter(|one| one.is_quantile());
        assert_eq!(quantiles.count(), all);
    }
}

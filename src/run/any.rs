//! The world of a plan, whichever it is, as one type.

use serde::{Deserialize, Serialize};

use super::campaign::{self, CampaignWorld};
use super::coalition::{self, CoalitionWorld};
use super::dynamics::{self, DynamicsWorld};
use super::error::RunError;
use super::game::{self, GameWorld};
use super::grid::{self, GridWorld};
use super::pulse::Pulse;
use super::sheet::OpenRecords;
use super::world::{Kind, NewReplication, Replica, RunContext, Runnable, Seen, Sheets};
use findings::campaign::{self as campaigns, Campaigned};
use findings::coalition::learned::Rounds;
use findings::ended::Ended;
use findings::estimate::Estimate;
use findings::game::course::Course;
use findings::game::dynamics::{Moved, Way};
use findings::game::played::Played;
use findings::grid::results::Results;
use findings::rounds::InBatches;
use findings::stop::Hold;
use findings::{Comparable, Findings, measure::Measure, sample::Figure, sample::Sample};
use kernel::state::{Corrupt, State};
use report::world::Report;
use scenario::parts::AnyCluster;
use scenario::plan::{CampaignPlan, Cluster, ClusterKind, GamePlan, Plan, World};
use stats::interval::Level;

/// Defines the worlds: for each its variant, world, replica, outcome and findings.
macro_rules! worlds {
    ($($Variant:ident: $World:ident, $replica:ty, $head:ty, $outcome:ty, $findings:ty;)*) => {
        /// The world of a plan.
        pub enum AnyWorld<'a> {
            $(
                #[allow(missing_docs)] // the world itself says what it is
                $Variant($World<'a>),
            )*
        }

        /// A replication of a plan's world.
        pub enum AnyReplica<'a> {
            $(#[allow(missing_docs)] $Variant(Box<$replica>),)*
        }

        /// Head of a saved state.
        #[derive(Debug, Serialize, Deserialize)]
        pub enum AnyHead {
            $(#[allow(missing_docs)] $Variant($head),)*
        }

        /// Result of one replication.
        pub enum AnyOutcome {
            $(#[allow(missing_docs)] $Variant(Box<$outcome>),)*
        }

        impl Runnable for AnyWorld<'_> {
            type Replica<'a>
                = AnyReplica<'a>
            where
                Self: 'a;
            type Head = AnyHead;
            type Outcome = AnyOutcome;
            type Findings = AnyFindings;

            fn records(&self) -> Vec<Option<Kind>> {
                match self { $(AnyWorld::$Variant(world) => world.records(),)* }
            }
            fn prepare(&self, context: &RunContext<'_>) -> Result<(), RunError> {
                match self { $(AnyWorld::$Variant(world) => world.prepare(context),)* }
            }
            fn begin<'a>(
                &'a self,
                new: NewReplication<'_>,
                head: Option<&AnyHead>,
            ) -> Result<AnyReplica<'a>, RunError> {
                match self {
                    $(AnyWorld::$Variant(world) => {
                        let head = match head {
                            Some(AnyHead::$Variant(head)) => Some(head),
                            _ => None,
                        };
                        Ok(AnyReplica::$Variant(Box::new(world.begin(new, head)?)))
                    })*
                }
            }
            fn passes(
                &self,
                head: &AnyHead,
                number: u32,
                context: &RunContext<'_>,
            ) -> Result<bool, RunError> {
                match (self, head) {
                    $((AnyWorld::$Variant(world), AnyHead::$Variant(head)) => {
                        world.passes(head, number, context)
                    })*
                    _ => Ok(false),
                }
            }
            fn findings(&self) -> AnyFindings {
                match self { $(AnyWorld::$Variant(world) => AnyFindings::from(world.findings()),)* }
            }
            fn add(&self, findings: &mut AnyFindings, outcome: AnyOutcome) {
                match (self, findings, outcome) {
                    $((
                        AnyWorld::$Variant(world),
                        AnyFindings::$Variant(findings),
                        AnyOutcome::$Variant(outcome),
                    ) => world.add(findings, *outcome),)*
                    _ => unreachable!("an outcome of this world"),
                }
            }
            fn objection(&self, findings: &AnyFindings, ended: &Ended) -> Option<String> {
                match (self, findings) {
                    $((AnyWorld::$Variant(world), AnyFindings::$Variant(findings)) => {
                        world.objection(findings, ended)
                    })*
                    _ => unreachable!("findings of this world"),
                }
            }
            fn name(&self) -> &'static str {
                match self { $(AnyWorld::$Variant(world) => world.name(),)* }
            }
            fn report<'a>(&'a self, findings: &'a AnyFindings) -> Box<dyn Report + 'a> {
                match (self, findings) {
                    $((AnyWorld::$Variant(world), AnyFindings::$Variant(findings)) => {
                        world.report(findings)
                    })*
                    _ => unreachable!("findings of this world"),
                }
            }
        }

        impl State for AnyReplica<'_> {
            fn save(&self, out: &mut Vec<u8>) {
                match self { $(AnyReplica::$Variant(replica) => replica.save(out),)* }
            }
            fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
                match self { $(AnyReplica::$Variant(replica) => replica.load(from),)* }
            }
        }

        impl<'a> Replica for AnyReplica<'a> {
            type Head = AnyHead;
            type Outcome = AnyOutcome;

            fn finish(self) -> Result<(AnyOutcome, Sheets), RunError> {
                match self {
                    $(AnyReplica::$Variant(replica) => {
                        let (outcome, sheets) = replica.finish()?;
                        Ok((AnyOutcome::$Variant(Box::new(outcome)), sheets))
                    })*
                }
            }
            fn head(&self) -> AnyHead {
                match self {
                    $(AnyReplica::$Variant(replica) => AnyHead::$Variant(replica.head()),)*
                }
            }
            fn rank(head: &AnyHead) -> u64 {
                match head { $(AnyHead::$Variant(head) => <$replica as Replica>::rank(head),)* }
            }
            fn advance(&mut self, instants: u64) -> Result<bool, RunError> {
                match self { $(AnyReplica::$Variant(replica) => replica.advance(instants),)* }
            }
            fn seen(&self) -> Seen {
                match self { $(AnyReplica::$Variant(replica) => replica.seen(),)* }
            }
            fn resumed(&mut self, head: &AnyHead) {
                match (self, head) {
                    $((AnyReplica::$Variant(replica), AnyHead::$Variant(head)) => {
                        replica.resumed(head);
                    })*
                    _ => unreachable!("the head of this replica"),
                }
            }
            fn records(&mut self) -> Vec<Option<&mut dyn OpenRecords>> {
                match self { $(AnyReplica::$Variant(replica) => replica.records(),)* }
            }
            fn is_landmark(&self) -> bool {
                match self { $(AnyReplica::$Variant(replica) => replica.is_landmark(),)* }
            }
            fn pulse(&self) -> Pulse {
                match self { $(AnyReplica::$Variant(replica) => replica.pulse(),)* }
            }
            fn flow(&self) -> (i128, u64) {
                match self { $(AnyReplica::$Variant(replica) => replica.flow(),)* }
            }
        }

        $(
            impl From<$findings> for AnyFindings {
                fn from(findings: $findings) -> AnyFindings {
                    AnyFindings::$Variant(Box::new(findings))
                }
            }
        )*

        impl AnyFindings {
            fn any(&self) -> &dyn Findings {
                match self { $(AnyFindings::$Variant(findings) => &**findings,)* }
            }
            fn any_mut(&mut self) -> &mut dyn Findings {
                match self { $(AnyFindings::$Variant(findings) => &mut **findings,)* }
            }
        }
    };
}

worlds! {
    Grid: GridWorld, grid::GridReplica<'a, AnyCluster>, grid::GridHead, grid::GridOutcome, Results;
    Coalition: CoalitionWorld, coalition::CoalitionReplica<'a>, coalition::CoalitionHead, coalition::CoalitionOutcome, Rounds;
    Campaign: CampaignWorld, campaign::CampaignReplica<'a>, campaign::CampaignHead, campaigns::Played, Campaigned;
    Game: GameWorld, game::GameReplica<'a>, game::GameHead, Course, Played;
    Dynamics: DynamicsWorld, dynamics::DynamicsReplica<'a>, u64, Way, Moved;
}

/// Results of a run.
#[derive(Debug)]
pub enum AnyFindings {
    /// Results of a grid.
    Grid(Box<Results>),
    /// Results of a coalition's rounds.
    Coalition(Box<Rounds>),
    /// Results of a campaign.
    Campaign(Box<Campaigned>),
    /// Results of a game that learners played.
    Game(Box<Played>),
    /// Results of a game that moved by itself.
    Dynamics(Box<Moved>),
}

impl Findings for AnyFindings {
    fn sample(&self) -> &Sample {
        self.any().sample()
    }
    fn sample_mut(&mut self) -> &mut Sample {
        self.any_mut().sample_mut()
    }
    fn close(&mut self) {
        self.any_mut().close();
    }
    fn figures_of(&self, unit: usize, level: Level) -> Vec<Figure> {
        self.any().figures_of(unit, level)
    }
    fn batched(&self, unit: usize, measure: &Measure, level: Level) -> Option<Estimate> {
        self.any().batched(unit, measure, level)
    }
    fn series(&self, unit: usize, measure: &Measure) -> Option<Comparable> {
        self.any().series(unit, measure)
    }
    fn in_batches(&self) -> Option<InBatches> {
        self.any().in_batches()
    }
    fn hold(&self) -> Hold {
        self.any().hold()
    }
    fn jobs_of(&self, unit: usize) -> u64 {
        self.any().jobs_of(unit)
    }
}

impl<'a> AnyWorld<'a> {
    /// The world of a plan.
    ///
    /// # Errors
    /// Fails if only code can run it, or it is not run but solved.
    pub fn of(plan: &'a Plan) -> Result<AnyWorld<'a>, RunError> {
        let is_own = |cluster: &&Cluster| matches!(cluster.kind, ClusterKind::Own { .. });
        if let Some(cluster) = plan.clusters.iter().find(is_own) {
            return Err(RunError::Own(cluster.name.clone()));
        }
        Ok(match &plan.world {
            World::Grid => AnyWorld::Grid(GridWorld::new(plan)),
            World::Coalition(coalition) => {
                AnyWorld::Coalition(CoalitionWorld::new(plan, coalition))
            }
            World::Campaign(campaign) => {
                AnyWorld::Campaign(CampaignWorld::new(CampaignPlan { plan, campaign }))
            }
            World::Solved(game) => return Err(RunError::Unplayed(game.game.words())),
            World::Game(game) => {
                let of = GamePlan { plan, game };
                match &game.dynamics {
                    None => AnyWorld::Game(GameWorld::new(of)),
                    Some(dynamics) => AnyWorld::Dynamics(DynamicsWorld::new(of, dynamics)),
                }
            }
        })
    }
}

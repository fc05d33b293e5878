//! Common inputs of runs that are compared: the same jobs, the same draws behind them, or nothing.
//!
//! Random streams are known by name, so that an organization draws the same jobs beside any others, and
//! other ones under another name. Replications with the same number are paired where their streams have
//! the same names; what was drawn from them differs where the parameters do. Runs on streams of their
//! own are independent. Their difference is then told by replications put together by number, which is
//! Scheffe's interval for two independent samples of one size (On solutions of the Behrens-Fisher
//! problem, Annals of Mathematical Statistics 14(1), 1943), and is exact for normal ones.

use std::collections::BTreeMap;

use crate::files::Manifest;
use findings::contrast::Contrast;
use scenario::plan::{Applications, Plan, World};
use stats::paired::By;

/// Inputs that a run shares with the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// Streams of the same names and parameters.
    Same,
    /// The same, of which other jobs count.
    OtherwiseCounted,
    /// Streams of the same names, with other parameters.
    Numbers,
    /// Some of the streams.
    Partly,
    /// None of the streams.
    Own,
    /// Nothing is drawn, and the same is given.
    Given,
    /// Nothing is drawn, and something else is given.
    OtherGiven,
}

/// Inputs of a run, drawn or given, to be found again in another.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The names of its random streams, with what is known of their parameters.
    streams: BTreeMap<String, String>,
    /// Digests of what is given.
    given: Vec<String>,
    /// Which jobs or rounds count.
    window: String,
    /// True if a unit of time is known to be a second.
    pub(super) counts_seconds: bool,
}

impl Inputs {
    /// The inputs of a plan.
    pub fn of(plan: &Plan) -> Inputs {
        let drawn = plan.workloads.iter().filter(|one| one.digest().is_none()).map(|workload| {
            let (kind, owners) = (&workload.kind, workload.kind.drawn_owners());
            (stream(&workload.name, owners.is_some()), format!("{:?} {owners:?}", kind.drawn()))
        });
        let players: Vec<&String> = match &plan.world {
            World::Coalition(_) => plan.organizations.iter().map(|one| &one.name).collect(),
            World::Game(game) => game.players.iter().map(|one| &one.name).collect(),
            World::Campaign(_) | World::Grid | World::Solved(_) => Vec::new(),
        };
        let given = plan.workloads.iter().filter_map(|workload| workload.digest());
        let (given, applications) = match plan.campaign() {
            Some(campaign)
                if !matches!(campaign.campaign.applications, Applications::Drawn(..)) =>
            {
                (vec![campaign.campaign.applications.digest().to_owned()], None)
            }
            Some(_) => (Vec::new(), Some(("applications".to_owned(), String::new()))),
            None => (given.collect(), None),
        };
        Inputs {
            streams: drawn.chain(players.into_iter().map(player)).chain(applications).collect(),
            given,
            window: format!("{:?} {:?} {:?}", plan.window(), plan.found, plan.until),
            counts_seconds: plan.counts_seconds(),
        }
    }

    /// The inputs of a run, as far as its manifest tells.
    pub fn of_run(manifest: &Manifest) -> Inputs {
        let workloads = manifest.workloads.iter();
        let drawn = workloads.clone().filter(|one| one.digest.is_none()).map(|workload| {
            let load = format!("{} {:?}", workload.kind, workload.offered_load);
            (stream(&workload.name, workload.owners.is_some()), load)
        });
        let players = manifest.game.iter().flat_map(|game| &game.players).map(|one| &one.player);
        let is_coalition = manifest.coalition.is_some();
        let members = manifest.organizations.iter().filter(|_| is_coalition);
        let campaign = manifest.campaign.iter().map(|_| ("applications".to_owned(), String::new()));
        Inputs {
            streams: drawn.chain(players.chain(members).map(player)).chain(campaign).collect(),
            given: workloads.filter_map(|one| one.digest.clone()).collect(),
            window: format!("{:?}", manifest.counted.first()),
            counts_seconds: (manifest.workloads.iter())
                .any(|one| ["swf", "lublin_feitelson"].contains(&&*one.kind)),
        }
    }
}

fn stream(name: &str, has_drawn_owners: bool) -> String {
    if has_drawn_owners { "shared".to_owned() } else { format!("organization {name}") }
}

fn player(name: &String) -> (String, String) {
    (format!("player {name}"), String::new())
}

impl Draws {
    /// The inputs that a run shares with the base.
    pub fn of(base: &Inputs, other: &Inputs) -> Draws {
        let (ours, theirs) = (&base.streams, &other.streams);
        let common = ours.keys().filter(|name| theirs.contains_key(*name)).count();
        match (ours.len(), theirs.len()) {
            (0, 0) if base.given == other.given => Draws::Given,
            (0, 0) => Draws::OtherGiven,
            _ if common == 0 => Draws::Own,
            (one, two) if common < one.max(two) || base.given != other.given => Draws::Partly,
            _ if ours != theirs => Draws::Numbers,
            _ if base.window != other.window => Draws::OtherwiseCounted,
            _ => Draws::Same,
        }
    }

    /// The words after "against the base, ".
    pub fn words(self) -> &'static str {
        match self {
            Draws::Same => "on the same draws",
            Draws::OtherwiseCounted => "on the same draws, of which other ones count",
            Draws::Numbers => "on the same random numbers, with other parameters",
            Draws::Partly => "on draws that are partly the same",
            Draws::Own => "on draws of its own, which are not paired",
            Draws::Given => "on the same jobs",
            Draws::OtherGiven => "on other jobs",
        }
    }
}

/// Takes back what differences of independent runs say of pairs; `draws` are those of all runs but the
/// base. Weeks tell by themselves if they have the same jobs.
pub fn told(contrasts: &mut [Contrast], draws: &mut [Draws]) {
    for one in contrasts {
        let draws = &mut draws[one.arm - 1];
        let Some(tested) = &mut one.tested else {
            if one.has_other_jobs {
                *draws = Draws::OtherGiven;
            }
            continue;
        };
        match *draws {
            Draws::OtherGiven if tested.method == By::Weeks => *draws = Draws::Given,
            Draws::Own => {
                tested.saved = None;
                tested.method = match tested.method {
                    By::Pairs => By::Independent,
                    other => other,
                };
            }
            _ => {}
        }
    }
}

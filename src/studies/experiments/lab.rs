//! Labs: a run of every number of members of each class, on common draws, and what follows from the game
//! of joining, or of lying, as figures with errors.
//!
//! Few of them are means over replications. So each is computed again without every twentieth
//! replication, in twenty ways, and their pseudovalues (Tukey 1958: the jackknife) are the samples.

use std::collections::BTreeMap;

use findings::Findings as _;
use findings::membership::{Basis, Membership};
use findings::unit::Class;
use game::coalitional::Coalitional;
use game::hedonic::{Rule, settle};
use kernel::parallel;
use scenario::Overrides;
use scenario::plan::World;
use serde::Deserialize;

use crate::StudyError;
use crate::bench::plan_of;
use crate::lines::code::{Asked, Figures};

/// Ways in which replications are left out.
const GROUPS: usize = 20;

/// A lab; other settings are those of its world.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    /// Name of the world.
    world: String,
    /// Key of the number of those that do it: `members` or `lies.of`.
    #[serde(default = "members")]
    key: String,
    /// True if partitions of the players are looked for.
    #[serde(default)]
    parts: bool,
}

fn members() -> String {
    "members".to_owned()
}

/// The prefix of its own settings.
const OWN: &str = "lab.";

/// Figures of a lab.
///
/// # Errors A mistake in a setting, and a run that cannot go on.
pub fn lab(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let own = asked.set.iter().filter_map(|one| one.strip_prefix(OWN));
    let own: Vec<String> = own.map(str::to_owned).collect();
    let options: Options = Asked { set: &own, ..*asked }.options()?;
    let of_world = asked.set.iter().filter(|one| !one.starts_with(OWN));
    let set: Vec<String> = of_world.cloned().collect();
    let world = super::SCENARIOS.iter().find(|(name, _)| *name == options.world);
    let (name, text) =
        world.ok_or_else(|| StudyError(format!("there is no world `{}`", options.world)))?;
    let plan = plan_of(name, text, &Overrides { seed: Some(asked.seed), set: set.clone() })?;
    let World::Coalition(coalition) = &plan.world else {
        return Err(StudyError(format!("`{name}` is no coalition")));
    };
    let classes: Vec<Class> = run::classes_of(&plan, coalition)
        .into_iter()
        .map(|class| Class {
            name: class.name.split("-1..").next().unwrap_or_default().to_owned(),
            ..class
        })
        .collect();
    let sizes: Vec<usize> = classes.iter().map(|class| class.members.len()).collect();
    let shape = Coalitional::of_classes(&sizes, |_| 0.0);
    let mut runs = Vec::new();
    for coalition in 0..shape.coalitions() {
        let mut set = set.clone();
        let counts = shape.counts(coalition).zip(&classes);
        let number = |(count, class): (usize, &Class)| {
            format!("organization.{}.{}={count}", class.name, options.key)
        };
        set.extend(counts.map(number));
        runs.push(asked.bench.run(name, text, &set, (asked.samples, asked.seed))?);
    }
    let points: Vec<_> = runs.iter().map(|run| run.sample()).collect();
    let rounds: Vec<u64> = (0..asked.samples).map(|one| plan.rounds_of(one)).collect();
    let game = Membership::of(classes, &points, &rounds, Basis::default())
        .ok_or_else(|| StudyError("some replication has no score".to_owned()))?;
    let all = figures(&game, options.parts);
    let groups = GROUPS.min(game.replications());
    let rest = parallel::map(groups, |group| figures(&game.thinned(group, groups), options.parts));
    let times = groups as f64;
    let pseudo = |name: &String, value: f64| {
        let of = |rest: &BTreeMap<String, f64>| {
            let rest = rest.get(name).copied().unwrap_or(f64::NAN);
            if rest == value { value } else { times * value - (times - 1.0) * rest }
        };
        rest.iter().map(of).collect()
    };
    Ok(all.iter().map(|(name, &value)| (name.clone(), pseudo(name, value))).collect())
}

/// The figures of a game by their names.
fn figures(game: &Membership, parts: bool) -> BTreeMap<String, f64> {
    let mut all = BTreeMap::new();
    let grand = game.grand();
    let mut put = |name: String, value: f64| _ = all.insert(name, value);
    put("flow of nobody in / of all".to_owned(), game.price(0, grand).mean);
    if let Ok(core) = game.mean.least_core() {
        put("least excess".to_owned(), core.epsilon);
    }
    let shapley = game.mean.shapley();
    for (class, own) in game.classes.iter().enumerate() {
        let (name, size) = (&own.name, own.members.len());
        let pays = |coalition: usize, class: usize| game.payoff(coalition, class, true).mean;
        put(format!("score of {name}"), pays(grand, class));
        let received = game.saved(grand, class).mean;
        put(format!("received by {name} / its Shapley value"), received / shapley[class]);
        put(format!("members of {name} that are selected"), game.selected(class, true).0 as f64);
        for (others, gain) in game.gains(class, true).iter().enumerate() {
            put(format!("gain of {name} beside {others}"), gain.mean);
        }
        if let Some(root) = game.roots(class, true).iter().find(|root| root.rises) {
            put(format!("tipping point of {name}"), root.at);
        }
        if let Some(([only, none, all, left], _)) = game.dilemma(class, false) {
            let four = [("the only", only), ("none", none), ("all", all), ("all but", left)];
            for (who, figure) in four {
                put(format!("{who} {name}"), figure.mean);
            }
        }
        let rest = grand - size * game.mean.step(class);
        let others = (0..game.classes.len()).filter(|&other| other != class);
        let gains = others.map(|other| pays(rest, other) - pays(grand, other));
        if let Some(least) = gains.reduce(f64::min) {
            put(format!("least gain of all others without {name}"), least);
        }
    }
    if parts {
        let pays = |coalition: usize, class: usize| game.payoff(coalition, class, true).mean;
        for (name, rule) in
            [("open entry", Rule::Open), ("consent", Rule::Consent), ("mergers", Rule::MergeSplit)]
        {
            let end = settle(&game.mean, rule, pays);
            let size = |coalition: &usize| game.mean.counts(*coalition).sum::<usize>();
            let largest = end.partition.iter().map(size).max().unwrap_or_default();
            put(format!("{name}: comes to rest"), f64::from(u8::from(end.rests)));
            put(format!("{name}: coalitions"), end.partition.len() as f64);
            put(format!("{name}: largest coalition"), largest as f64);
        }
    }
    all
}

//! Advice on the right table for a misplaced key.
//!
//! The [reader](super::de) knows no table but the one before it; the [catalog] knows every key of a
//! scenario. A mistake about a key that is unknown where it is written gets a line of help here if
//! the key exists elsewhere.

use super::aliases;
use super::catalog;
use super::diagnostics::Diagnostic;
use super::path::Segment;
use super::root::Root;

/// A key that belongs in more places than this may be meant for any of them.
const MOST_PLACES: usize = 3;

/// Translates a word of another field to a key of this table or of an alternative that it offers.
fn here(word: &str, parent: &str, keys: &[&str]) -> Option<String> {
    let parent = plain_lists(parent);
    let has = |key: &str| keys.iter().any(|known| plain_lists(known) == key);
    let below = |rest: &str| match &*parent {
        "" => rest.to_owned(),
        parent => format!("{parent}.{rest}"),
    };
    aliases::keys(word).find_map(|alias| {
        let mut names = alias.names();
        names.retain(|name| {
            let key = below(name);
            has(&key) && alias.ours.iter().any(|ours| aliases::ends_in(&key, ours))
        });
        if !names.is_empty() {
            return alias.sentence(word, &names);
        }
        // At the top are no alternatives.
        let offers = |ours: &&&str| !parent.is_empty() && has(&below(ours));
        let ours = alias.ours.iter().find(offers)?;
        alias.sentence(word, &[ours])
    })
}

/// Translates a word of another field to a key elsewhere, or says that it is not modelled.
fn elsewhere(word: &str, parent: &str, keys: &[&str]) -> Option<String> {
    aliases::keys(word).find_map(|alias| {
        let sentence = alias.sentence(word, &alias.names())?;
        let at = |end: &&&str| nearest_places(end, parent, keys);
        let places = alias.at.iter().flat_map(|end| at(&end)).map(|key| {
            let key = plain_lists(key);
            if key.contains('.') { format!("`{key}`") } else { format!("`[[{key}]]`") }
        });
        let mut places: Vec<String> = places.collect();
        places.dedup();
        match (&places[..], alias.ours) {
            (_, []) => Some(sentence),
            ([], _) => None,
            (places, _) => {
                let places = &places[..places.len().min(MOST_PLACES)];
                Some(format!("{sentence}; write it at {}", places.join(" or ")))
            }
        }
    })
}

fn plain_lists(key: &str) -> String {
    key.replace("[]", "")
}

/// Adds to each mistake about a misplaced key where the key belongs.
pub(super) fn advise(diagnostics: Vec<Diagnostic>, root: Root) -> Vec<Diagnostic> {
    if diagnostics.is_empty() {
        return diagnostics;
    }
    // A value that does not fit the key that an unknown one resembles: that key was not meant.
    let is_unknown = |one: &Diagnostic| one.message.starts_with("unknown key");
    let unknown: Vec<_> =
        diagnostics.iter().filter(|one| is_unknown(one)).map(|one| one.path.clone()).collect();
    let is_told = |one: &Diagnostic| is_unknown(one) || !unknown.contains(&one.path);
    let diagnostics = diagnostics.into_iter().filter(is_told);
    let keys: Vec<&str> = catalog::keys_in(root).iter().map(|key| &*key.key).collect();
    let advised = |diagnostic: Diagnostic| {
        let advice = of_the_other_kind(&diagnostic, root).or_else(|| advice(&diagnostic, &keys));
        advice.into_iter().fold(diagnostic, Diagnostic::help)
    };
    diagnostics.map(advised).collect()
}

/// Returns what is said of a table that only games have, in a scenario, or the other way round.
fn of_the_other_kind(diagnostic: &Diagnostic, root: Root) -> Option<String> {
    let key = diagnostic.path.as_ref()?.without_indices();
    let other = if root.is_game() { Root::Grid } else { Root::Game };
    let has_it =
        |kind: Root| catalog::keys_in(kind).iter().any(|one| one.key.replace("[]", "") == key);
    let is_meant = has_it(other) && !has_it(root);
    is_meant.then(|| format!("`{key}` belongs to {}, and this is {}", other.noun(), root.noun()))
}

fn advice(diagnostic: &Diagnostic, keys: &[&str]) -> Option<String> {
    let path = diagnostic.path.as_ref()?;
    let Some(Segment::Key(word)) = path.segments().last() else { return None };
    // A mistake that a second place explains already has its remedy.
    if diagnostic.labels.len() > 1 {
        return None;
    }
    let whole = path.plain();
    let is_file = [".csv`", ".nfg`"].iter().any(|end| diagnostic.message.contains(end));
    if whole == "game.payoffs" && is_file {
        return Some("above `[game]`, `extends = \"FILE\"` reads the payoffs of a file".to_owned());
    }
    let below = format!("{whole}.");
    if keys.iter().any(|key| *key == whole || key.starts_with(&below)) {
        return None;
    }
    if keys.iter().any(|key| key.strip_suffix("[]") == Some(&whole)) {
        let inner = format!("organization[].{whole}");
        let has_one = keys.iter().any(|key| *key == inner);
        return has_one.then(|| format!("in an `[[organization]]`, write `[organization.{word}]`"));
    }
    let parent = whole.strip_suffix(word.as_str())?.trim_end_matches('.');
    if let Some(known) = here(word, parent, keys) {
        return Some(known);
    }
    // The parameters of planners are not those of what belongs to an organization.
    let is_near = |key: &&str| !key.starts_with("planner.") || !parent.contains('.');
    let keys: &[&str] = &keys.iter().copied().filter(is_near).collect::<Vec<_>>();
    // Few scenarios have learners, whose keys may share a name with others.
    let is_other = |key: &&str| !key.contains(".learner.");
    let others: Vec<&str> = keys.iter().copied().filter(is_other).collect();
    let mut places = nearest_places(word, parent, &others);
    if places.is_empty() {
        places = nearest_places(word, parent, keys);
    }
    // What a learner calls so is not what a job does, and the other way round.
    let is_learning = |key: &str| key.contains(".learner");
    if places.iter().all(|place| is_learning(place) != is_learning(parent))
        && let Some(known) = elsewhere(word, parent, keys)
    {
        return Some(known);
    }
    let places: Vec<_> = places.iter().map(|place| place.replace("[]", "")).collect();
    let told = !places.is_empty() && places.len() <= MOST_PLACES;
    if !told {
        return elsewhere(word, parent, keys);
    }
    Some(match &places[..] {
        [top] if top == word => format!("`{word}` belongs at the top, above every `[table]`"),
        _ => format!("`{word}` belongs at `{}`", places.join("` or `")),
    })
}

/// Returns the keys that end in this word or these parts, within the innermost table around the
/// mistake with one.
fn nearest_places<'k>(end: &str, parent: &str, keys: &[&'k str]) -> Vec<&'k str> {
    let mut table = parent;
    loop {
        let start = if table.is_empty() { String::new() } else { format!("{table}.") };
        let rest = |key: &&'k str| key.strip_prefix(&*start).map(|rest| (*key, rest));
        let is_meant = |(_, rest): &(&str, &str)| aliases::ends_in(&plain_lists(rest), end);
        let here: Vec<_> = keys.iter().filter_map(rest).filter(is_meant).collect();
        if !here.is_empty() {
            return shallowest(here);
        }
        if table.is_empty() {
            return Vec::new();
        }
        table = table.rsplit_once('.').map_or("", |(outer, _)| outer);
    }
}

/// Returns the keys with the fewest steps below a table, if no list is on their way. Otherwise
/// returns all, since any may be meant.
fn shallowest<'k>(here: Vec<(&'k str, &'k str)>) -> Vec<&'k str> {
    let steps = |rest: &str| rest.split('.').count();
    let fewest = here.iter().map(|(_, rest)| steps(rest)).min();
    let is_first = |(_, rest): &&(&str, &str)| Some(steps(rest)) == fewest;
    let first: Vec<_> = here.iter().filter(is_first).collect();
    let any_list = first.iter().any(|(_, rest)| rest.contains("[]."));
    let told = if any_list { here.iter().collect() } else { first };
    told.into_iter().map(|(key, _)| *key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::Path;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        let keys: Vec<&str> = catalog::keys().iter().map(|key| &*key.key).collect();
        let path: Path = path.parse().expect("the tests write paths well");
        let help = advice(&Diagnostic::error("").about(path), &keys);
        assert_eq!(help.unwrap_or_default(), expected);
    }

    #[test]
    fn a_key_belongs_further_down() {
        let processors = "`processors` belongs at `organization.cluster.space_shared.processors` or \
                          `organization.cluster.time_shared.processors` or \
                          `organization.cluster.site.processors`";
        check("organization[0].cluster.processors", processors);
        let at = "`organization.workload.synthetic.arrivals.poisson.interval`";
        let interval = format!("`interval` belongs at {}", at.replace("poisson", "deterministic"));
        check("organization[1].interval", &interval);
        check("organization[1].workload.synthetic.arrivals.interval", &interval);
        let rate = format!(
            "`rate` belongs at {} or {}",
            at.replace("interval", "rate"),
            at.replace("poisson.interval", "gamma.rate")
        );
        check("organization[1].rate", &rate);
        check("until", "`until` belongs at `run.until`");
        check("replications", "`replications` belongs at `run.replications`");
    }

    #[test]
    fn the_letters_of_the_paper_are_known() {
        let synthetic = "organization[0].workload.synthetic";
        check(
            &format!("{synthetic}.size.gamma.alpha"),
            "the paper's `alpha` is called `shape` here",
        );
        check(&format!("{synthetic}.size.gamma.beta"), "the paper's `beta` is called `scale` here");
        check(
            &format!("{synthetic}.size.alpha"),
            "the paper's `alpha` is called `gamma.shape` here",
        );
        check(
            &format!("{synthetic}.arrivals.poisson.lambda"),
            "the paper's `lambda` is called `rate` here",
        );
        check("organization[2].learner.ratio.sigma", "the paper's `sigma` is called `rate` here");
        check("organization[2].learner.level.sigma", "the paper's `sigma` is called `rate` here");
        check(&format!("{synthetic}.size.exponential.alpha"), "");
    }

    #[test]
    fn words_of_other_fields_are_known() {
        let learner = "organization[2].learner";
        check(&format!("{learner}.hedge.lr"), "`lr` is called `rate` here");
        let elsewhere = "`lr` is called `rate` or `step` here; write it at \
                         `organization.learner.hedge.rate`";
        check(&format!("{learner}.ucb.lr"), elsewhere);
        check(&format!("{learner}.exp3.gamma"), "`gamma` is called `exploration` here");
        let memory = "Slurm's `mem` is not modelled: a job needs nothing but processors";
        check("organization[0].mem", memory);
        check("organization[0].memory", "`memory` belongs at `organization.cluster.site.memory`");
        check("job[3].time_limit", "Slurm's `time_limit` is called `estimate` here");
        let nodes = "Slurm's `nodes` is called `processors` here; write it at \
                     `organization.cluster.space_shared.processors`";
        check("organization[0].nodes", nodes);
        check(
            "partition",
            "Slurm's `partition` is called `cluster` here, if it has nodes of its own",
        );
        check("account", "Slurm's `account` is called `organization` here");
    }

    #[test]
    fn a_key_belongs_further_up() {
        check("run.seed", "`seed` belongs at the top, above every `[table]`");
        check("output.clairvoyance", "`clairvoyance` belongs at `run.clairvoyance`");
        check("organization[0].workload.synthetic.uses", "`uses` belongs at `organization.uses`");
        check("workload.synthetic", "`synthetic` belongs at `workload.shared.source.synthetic`");
    }

    #[test]
    fn the_clusters_of_the_grid_are_not_that_of_an_organization() {
        check("cluster", "in an `[[organization]]`, write `[organization.cluster]`");
    }

    #[test]
    fn what_may_be_meant_for_anywhere_or_nowhere_is_not_placed() {
        check("processors", "");
        check("nonsense", "");
        check("organization[0].name", "");
        check("run.until", "");
    }
}

//! Where a key belongs that stands in the wrong table.
//!
//! The [reader](super::de) knows no table but the one before it; the [catalog] knows every key of a
//! scenario. A mistake about a key that is unknown where it is written gets a line of help here if
//! the key exists elsewhere.

use super::catalog;
use super::diagnostics::Diagnostic;
use super::path::{Path, Segment};
use super::root::Root;

/// A key that belongs in more places than this may be meant for any of them.
const MOST_PLACES: usize = 3;

/// Adds to each mistake about a misplaced key where the key belongs.
pub(super) fn advise(diagnostics: Vec<Diagnostic>, root: Root) -> Vec<Diagnostic> {
    if diagnostics.is_empty() {
        return diagnostics;
    }
    let keys: Vec<&str> = catalog::keys_in(root).iter().map(|key| &*key.key).collect();
    let advised = |diagnostic: Diagnostic| match advice(&diagnostic, &keys) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    };
    diagnostics.into_iter().map(advised).collect()
}

fn advice(diagnostic: &Diagnostic, keys: &[&str]) -> Option<String> {
    let path = diagnostic.path.as_ref()?;
    let Some(Segment::Key(word)) = path.segments().last() else { return None };
    // What a second place explains has its remedy.
    if diagnostic.labels.len() > 1 {
        return None;
    }
    let whole = plain(path);
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
    // Few scenarios have learners, whose keys may be called as others are.
    let is_other = |key: &&str| !key.contains(".learner.");
    let others: Vec<&str> = keys.iter().copied().filter(is_other).collect();
    let mut places = nearest_places(word, parent, &others);
    if places.is_empty() {
        places = nearest_places(word, parent, keys);
    }
    let places: Vec<_> = places.iter().map(|place| place.replace("[]", "")).collect();
    let told = !places.is_empty() && places.len() <= MOST_PLACES;
    told.then(|| match &places[..] {
        [top] if top == word => format!("`{word}` belongs at the top, above every `[table]`"),
        _ => format!("`{word}` belongs at `{}`", places.join("` or `")),
    })
}

/// The keys that end in this word, of the innermost table around the mistake that has one.
fn nearest_places<'k>(word: &str, parent: &str, keys: &[&'k str]) -> Vec<&'k str> {
    let mut table = parent;
    loop {
        let start = if table.is_empty() { String::new() } else { format!("{table}.") };
        let rest = |key: &&'k str| key.strip_prefix(&*start).map(|rest| (*key, rest));
        let is_meant = |(_, rest): &(&str, &str)| {
            let last = rest.rsplit('.').next().unwrap_or(rest);
            last.trim_end_matches("[]") == word
        };
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

/// Of keys with their paths from a table those with the fewest steps, if no list is on their way;
/// else all, as any may be meant.
fn shallowest<'k>(here: Vec<(&'k str, &'k str)>) -> Vec<&'k str> {
    let steps = |rest: &str| rest.split('.').count();
    let fewest = here.iter().map(|(_, rest)| steps(rest)).min();
    let is_first = |(_, rest): &&(&str, &str)| Some(steps(rest)) == fewest;
    let first: Vec<_> = here.iter().filter(is_first).collect();
    let any_list = first.iter().any(|(_, rest)| rest.contains("[]."));
    let told = if any_list { here.iter().collect() } else { first };
    told.into_iter().map(|(key, _)| *key).collect()
}

/// A path as the catalog writes it: `organization[].count`.
fn plain(path: &Path) -> String {
    let mut plain = String::new();
    for segment in path.segments() {
        match segment {
            Segment::Key(key) if plain.is_empty() => plain.push_str(key),
            Segment::Key(key) => plain.extend([".", key]),
            Segment::Index(_) => plain.push_str("[]"),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

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
                          `organization.cluster.time_shared.processors`";
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

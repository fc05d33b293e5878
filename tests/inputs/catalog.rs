//! The catalog tells of every choice and every key, and nothing else: what the schema has is in it,
//! and what is in it the schema has.

use std::collections::{BTreeMap, BTreeSet};

use gridpact::scenario::catalog::{catalog, keys, kind};
use gridpact::scenario::root::Root;
use gridpact::scenario::schema::{schema, schema_of};
use serde_json::Value;

/// Collects the alternatives of every choice of the schema, by its key.
fn choices_of(schema: &Value, path: &str, found: &mut BTreeMap<String, BTreeSet<String>>) {
    let Some(properties) = schema["properties"].as_object() else { return };
    if schema["maxProperties"] == 1 {
        found.entry(path.to_owned()).or_default().extend(properties.keys().cloned());
    }
    for (key, value) in properties {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value.get("items") {
            Some(items) => choices_of(items, &format!("{path}[]"), found),
            None => choices_of(value, &path, found),
        }
    }
}

#[test]
fn every_choice_of_the_schema_is_in_the_catalog_and_the_other_way_round() {
    let mut in_schema = BTreeMap::new();
    choices_of(&schema(), "", &mut in_schema);
    choices_of(&schema_of(Root::Game), "", &mut in_schema);
    assert!(in_schema.len() > 30, "{in_schema:#?}");
    let catalog = catalog();
    for (key, names) in &in_schema {
        let kinds: Vec<_> = catalog.iter().filter(|kind| kind.keys.contains(key)).collect();
        let [kind] = kinds[..] else { panic!("{key} is of {} kinds, not of one", kinds.len()) };
        let rule = key.rsplit_once('.').map_or(&**key, |(_, rule)| rule);
        for name in names {
            let listed =
                |listed: &str| listed == name || listed.ends_with(&format!("{rule}.{name}"));
            assert!(kind.choices.iter().any(|choice| listed(&choice.name)), "{key}.{name}");
        }
    }
    for kind in &catalog {
        assert!(!kind.keys.is_empty(), "{}: nowhere in the schema", kind.name);
        for choice in &kind.choices {
            // A name may have a dot itself, like `flow_p99.9`.
            let is_it = |(key, names): (&String, &BTreeSet<String>)| {
                let name = choice.key.strip_prefix(&**key).and_then(|rest| rest.strip_prefix('.'));
                name.is_some_and(|name| names.contains(name))
            };
            assert!(in_schema.iter().any(is_it), "{} is not in the schema", choice.key);
        }
    }
}

#[test]
fn every_choice_has_a_summary_and_every_algorithm_a_source() {
    for kind in catalog() {
        for choice in &kind.choices {
            assert!(choice.summary.ends_with('.'), "{}: {}", choice.key, choice.summary);
            let is_from_literature = ["scheduler", "arrivals", "size", "learner", "balancer"]
                .contains(&kind.name)
                || ["swf", "balanced", "predicted"].contains(&&*choice.name);
            let source = choice.citation.unwrap_or_default();
            assert!(!is_from_literature || !source.is_empty(), "{}: no source", choice.key);
        }
    }
}

#[test]
fn choices_come_in_the_order_of_their_declaration_with_what_they_take() {
    let schedulers = kind("Schedulers").unwrap();
    let names: Vec<&str> = schedulers.choices.iter().map(|choice| choice.name.as_str()).collect();
    assert_eq!(names, ["fcfs", "easy", "conservative", "list", "process", "batsim"]);
    assert_eq!(schedulers, kind("scheduler").unwrap());
    let list = &schedulers.choices[3];
    assert_eq!(list.key, "organization[].cluster.space_shared.scheduler.list");
    let order = &list.parameters[0];
    assert_eq!((&*order.key, order.default.as_deref()), ("order", Some("submit")));
    assert_eq!(kind("until").unwrap().choices[2].value, "whole number, at least 1");
    assert_eq!(kind("policy"), None);
}

#[test]
fn every_key_is_told_once_with_its_meaning() {
    let keys = keys();
    let mut seen = BTreeSet::new();
    for key in keys {
        assert!(seen.insert(&key.key), "{} is there twice", key.key);
        assert!(!key.value.is_empty() && key.meaning.ends_with('.'), "{key:?}");
    }
    let told = |name: &str| {
        let key = keys.iter().find(|key| key.key == name).unwrap_or_else(|| panic!("no {name}"));
        format!("{}; {}", key.value, key.default_or_required())
    };
    assert_eq!(told("extends"), "string; ");
    assert_eq!(told("name"), "string; required");
    assert_eq!(told("output.tau"), "number, at least 0; 10");
    assert_eq!(
        told("run.until"),
        "one of drained, time, jobs, rounds, goes_on, precision; drained"
    );
    assert_eq!(told("organization[].bound.own"), "number, at least 0, at most 1; required");
    let users = "organization[].workload.synthetic.users.count";
    assert_eq!(told(users), "whole number, at least 1, at most 1000000; required");
    assert_eq!(told("organization[].uses"), "list of strings, not empty; ");
    assert_eq!(
        told("cluster[].kind.space_shared.processors"),
        "whole number, at least 1, or trace; required"
    );
    let import = "workload.swf.import";
    assert_eq!(told(&format!("{import}.partial")), "one of drop, keep; drop");
    assert_eq!(told(&format!("{import}.load.factor")), "number, above 0; required");
}

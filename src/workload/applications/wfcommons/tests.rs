//! Instances of each version give the same classes, and what is wrong is found at its line.

use super::*;
use kernel::time::{Span, Time};
use model::campaign::Campaign;
use model::ids::OrganizationId;
use model::speed::Speed;

/// Version 1.4: parents by name, all of a task in one place.
const OLD: &str = r#"{
  "name": "fork", "schemaVersion": "1.4", "wms": {"name": "none"},
  "workflow": {
    "makespanInSeconds": 20,
    "machines": [{"nodeName": "fast", "cpu": {"count": 8, "speed": 2000}},
                 {"nodeName": "slow", "cpu": {"speed": 1000}}],
    "tasks": [
      {"name": "split_00000001", "type": "compute", "runtimeInSeconds": 2.5, "parents": [],
       "machine": "fast", "files": [
         {"link": "input", "name": "in", "sizeInBytes": 999},
         {"link": "output", "name": "one", "sizeInBytes": 1000000000},
         {"link": "output", "name": "two", "sizeInBytes": 2000000000}]},
      {"name": "work_00000002", "type": "compute", "parents": ["split_00000001"],
       "runtimeInSeconds": 4, "memoryInBytes": 500000000, "machine": "fast"},
      {"name": "work_00000003", "type": "compute", "parents": ["split_00000001"],
       "runtimeInSeconds": 6, "machine": "slow", "cores": 2},
      {"name": "join_00000004", "type": "transfer", "parents": ["work_00000002", "work_00000003"],
       "runtimeInSeconds": 1}
    ]
  }
}"#;

/// Version 1.5: relations in the specification, runtimes in the execution.
const NEW: &str = r#"{
  "name": "fork", "schemaVersion": "1.5",
  "workflow": {
    "specification": {
      "tasks": [
        {"name": "split", "id": "ID1", "parents": [], "children": ["ID2", "ID3"],
         "inputFiles": ["in"], "outputFiles": ["one", "two", "one"]},
        {"name": "work", "id": "ID2", "parents": ["ID1"], "children": ["ID4"]},
        {"name": "work", "id": "ID3", "parents": ["ID1"], "children": ["ID4"]},
        {"name": "join", "id": "ID4", "parents": ["ID2", "ID3"], "children": []}
      ],
      "files": [{"id": "one", "sizeInBytes": 1000000000}, {"id": "two", "sizeInBytes": 2000000000}]
    },
    "execution": {
      "makespanInSeconds": 20, "executedAt": "2020-03-20T15:19:28-08:00",
      "tasks": [
        {"id": "ID1", "runtimeInSeconds": 2.5, "machines": ["fast"]},
        {"id": "ID2", "runtimeInSeconds": 4, "memoryInBytes": 500000000, "machines": ["fast"],
         "command": {"program": "sh"}},
        {"id": "ID3", "runtimeInSeconds": 6, "coreCount": 2, "machines": ["slow"],
         "command": {"program": "sh"}},
        {"id": "ID4", "runtimeInSeconds": 1, "command": {"program": "sh"}}
      ],
      "machines": [{"nodeName": "fast", "cpu": {"coreCount": 8, "speedInMHz": 2000}},
                   {"nodeName": "slow", "cpu": {"speedInMHz": 1000}}]
    }
  }
}"#;

fn read_text(text: &str) -> Workflow {
    import(text, &Options::default()).unwrap()
}

#[track_caller]
fn wrong(text: &str, expected: &str) {
    let found = import(text, &Options::default()).unwrap_err().to_string();
    assert!(found.starts_with(expected), "{found}");
}

#[test]
fn all_versions_give_the_same_classes() {
    let old = read_text(OLD);
    let new = read_text(NEW);
    let metrics = r#""metrics": {"numberOfTasks": 4, "numberOfLevels": 3}, "tasks": ["#;
    let newest = NEW.replace("1.5", "1.6").replacen("\"tasks\": [", metrics, 1);
    assert_eq!(old.classes, new.classes);
    assert_eq!(old.classes, read_text(&newest).classes);
    let oldest = OLD
        .replace("runtimeInSeconds", "runtime")
        .replace("sizeInBytes", "size")
        .replace("\"memoryInBytes\": 500000000", "\"memory\": 500000")
        .replace("1.4", "1.3");
    assert_eq!(old.classes, read_text(&oldest).classes);
    let jobs = oldest.replace("1.3", "1.2").replace("\"tasks\"", "\"jobs\"");
    assert_eq!(old.classes, read_text(&jobs).classes);
    let class = |name: &str, tasks, seconds: i64, after: &[u32], needs| WorkflowClass {
        name: name.to_owned(),
        tasks,
        time: Span::from_ticks(seconds * 100_000),
        after: after.to_vec(),
        needs,
    };
    let classes = [
        class("split", 1, 25, &[], [3_000_000, 0]),
        class("work", 2, 50, &[0], [0, 500_000]),
        class("join", 1, 10, &[1], [0, 0]),
    ];
    assert_eq!(new.classes, classes);
    assert_eq!((new.name.as_str(), new.version.as_str()), ("fork", "1.5"));
}

#[test]
fn the_ledger_tells_what_was_grouped_and_changed() {
    let text = read_text(OLD).ledger.to_string();
    let expected = "4 tasks in 3 classes\n\
        precedences: 4 of tasks became 2 of classes, which stand for 4 of tasks\n  \
        split (level 1): 1 task of 2.5 s, recorded 2.5 to 2.5 s, variation 0.000\n  \
        work (level 2): 2 tasks of 5 s, recorded 4 to 6 s, variation 0.200\n  \
        join (level 3): 1 task of 1 s, recorded 1 to 1 s, variation 0.000\n  \
        cores: tasks that had several cores, which take their time on one processor: 1 (first in \
        line 15)\n  \
        type: transfers and auxiliary tasks, taken as tasks like others: 1 (first in line 17)\n";
    assert_eq!(text, expected);
    let left_out = NEW.replace(r#"{"id": "ID3", "runtime"#, r#"{"id": "ID9", "runtime"#);
    let ledger = read_text(&left_out).ledger;
    let rows: Vec<(&str, u64, u64)> =
        ledger.rows.iter().map(|row| (row.rule, row.count, row.first_line)).collect();
    assert_eq!(rows, [("execution.tasks", 1, 20), ("runtimeInSeconds", 1, 9)]);
    assert_eq!((ledger.groups[1].known, ledger.groups[1].mean), (1, Span::units(4)));
}

#[test]
fn levels_separate_tasks_of_one_type_and_barriers_are_counted() {
    let chain = NEW
        .replace(
            r#""name": "work", "id": "ID3", "parents": ["ID1"]"#,
            r#""name": "work", "id": "ID3", "parents": ["ID2"]"#,
        )
        .replace(r#""children": ["ID2", "ID3"]"#, r#""children": ["ID2"]"#)
        .replace(
            r#""id": "ID2", "parents": ["ID1"], "children": ["ID4"]"#,
            r#""id": "ID2", "parents": ["ID1"], "children": ["ID3", "ID4"]"#,
        );
    let workflow = read_text(&chain);
    let names: Vec<&str> = workflow.classes.iter().map(|class| class.name.as_str()).collect();
    assert_eq!(names, ["split", "work@2", "work@3", "join"]);
    assert_eq!(workflow.classes[3].after, [1, 2]);
    let barrier = r#"{"name": "x", "schemaVersion": "1.5", "workflow": {"specification": {"tasks": [
        {"name": "a", "id": "1", "parents": []}, {"name": "a", "id": "2", "parents": []},
        {"name": "b", "id": "3", "parents": ["1"]}, {"name": "b", "id": "4", "parents": ["2"]}]},
        "execution": {"tasks": [{"id": "1", "runtimeInSeconds": 0}, {"id": "3", "runtimeInSeconds": 7}]}}}"#;
    let workflow = read_text(barrier);
    assert_eq!(workflow.classes[0].time, Span::TICK);
    let ledger = workflow.ledger;
    assert_eq!((ledger.relations, ledger.class_relations, ledger.implied_relations), (2, 1, 4));
    let rows: Vec<(&str, u64, u64)> =
        ledger.rows.iter().map(|row| (row.rule, row.count, row.first_line)).collect();
    assert_eq!(rows, [("runtimeInSeconds", 2, 2), ("runtimeInSeconds", 1, 2), ("classes", 1, 3)]);
}

#[test]
fn options_choose_types_speeds_and_units() {
    let options: Options =
        toml::from_str("types = \"program\"\nreference = 500\nbytes = 1e6").unwrap();
    assert!(options.check().is_ok());
    let workflow = import(NEW, &options).unwrap();
    let names: Vec<&str> = workflow.classes.iter().map(|class| class.name.as_str()).collect();
    assert_eq!(names, ["split", "sh@2", "sh@3"]);
    // 4 s at 2000 MHz and 6 s at 1000 MHz take 16 s and 12 s at 500 MHz.
    assert_eq!(workflow.classes[1].time, Span::units(14));
    assert_eq!(workflow.classes[0].needs, [3_000_000_000, 0]);
    let unknown = workflow.ledger.rows.iter().find(|row| row.rule == "reference");
    assert_eq!(unknown.map(|row| row.count), Some(1), "that of the last task");
    let other = Options { bytes: 0.5, ..Options::default() };
    assert!(other.check().unwrap_err().to_string().starts_with("bytes: 0.5 is not a size"));
}

#[test]
fn workflows_become_applications_behind_others() {
    let mut campaign = Campaign { sites: 2, ..Campaign::default() };
    let workflow = read_text(NEW);
    let speeds = [Speed::ONE, Speed::new(2.0).unwrap()];
    let at = |unit| Time::ZERO + Span::units(unit);
    workflow.append(&mut campaign, OrganizationId(4), (at(0), Time::NEVER), &speeds);
    workflow.append(&mut campaign, OrganizationId(5), (at(3), at(9)), &[]);
    assert_eq!(campaign.times(1), [Span::units(5), Span::from_ticks(2_500_000)]);
    assert_eq!(campaign.expected(4), [Span::units(5); 2]);
    assert_eq!(campaign.classes[4].after, [3]);
    let second = &campaign.applications[1];
    assert_eq!((second.first, second.end, second.owner), (3, 6, OrganizationId(5)));
    assert_eq!((second.submit, second.deadline), (at(3), at(9)));
    assert_eq!(campaign.classes[5].application, 1);
}

#[test]
fn cycles_and_unknown_tasks_are_found_at_their_lines() {
    let first = r#"{"name": "split", "id": "ID1", "parents": []"#;
    let cycle = NEW.replace(first, r#"{"name": "split", "id": "ID1", "parents": ["ID4"]"#);
    wrong(&cycle, "line 6: these tasks wait for one another: `ID1`, `ID4`, `ID2`");
    let own = NEW.replace(first, r#"{"name": "split", "id": "ID1", "parents": ["ID1"]"#);
    wrong(&own, "line 6: these tasks wait for one another: `ID1`");
    let child = NEW.replace(r#""ID4"], "#, r#""ID7"], "#).replace(r#"["ID4"]}"#, r#"["ID7"]}"#);
    wrong(&child, "line 8: task `ID2` has the child `ID7`, which is not a task");
    let parent = OLD.replace(r#""work_00000002", "work_00000003"]"#, r#""work_00000009"]"#);
    wrong(&parent, "line 17: task `join_00000004` has the parent `work_00000009`");
    // A name that two tasks have is no reference to either.
    let twice = NEW.replace(r#"["ID2", "ID3"], "children": []"#, r#"["work"], "children": []"#);
    wrong(&twice, "line 10: task `ID4` has the parent `work`");
}

#[test]
fn what_is_no_instance_is_refused() {
    wrong("{\n\"name\": 3", "line 2: this is not WfFormat");
    wrong(&OLD.replace("2.5", "\"2.5\""), "line 8: this is not WfFormat");
    wrong(&OLD.replace("1.4", "1.7"), "line 2: version 1.7 of WfFormat is not read");
    wrong(
        &NEW.replace("1.5", "1.4"),
        "there are no tasks in it; version 1.4 has them in `workflow.",
    );
    wrong(&OLD.replace("_00000003\", \"t", "_00000002\", \"t"), "line 13: two tasks are called");
    wrong(&OLD.replace("2.5", "-2.5"), "line 8: task `split_00000001` ran for -2.5 s");
    wrong(&OLD.replace("2.5", "2.5e9"), "line 8: task `split_00000001` ran for 2500000000 s");
    wrong(&OLD.replace("\"runtimeInSeconds\": 2.5, ", ""), "line 8: the runtime of task");
    let missing = read(Path::new("no/such/file"), &Options::default()).unwrap_err();
    assert!(missing.is_unreadable() && missing.to_string().starts_with("no/such/file: cannot"));
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "[]").unwrap();
    let error = read(file.path(), &Options::default()).unwrap_err();
    assert!(!error.is_unreadable() && error.to_string().contains(": line 1: this is not WfFormat"));
    std::fs::write(file.path(), NEW).unwrap();
    assert_eq!(read(file.path(), &Options::default()).unwrap(), read_text(NEW));
}

mod random {
    use super::*;
    use proptest::prelude::*;

    /// A workflow of tasks that wait for earlier ones, shuffled.
    fn instance(parents: &[Vec<usize>], order: &[usize]) -> String {
        let task = |&task: &usize| {
            let parents: Vec<String> =
                parents[task].iter().map(|one| format!("\"t{one}\"")).collect();
            let (kind, parents) = (task % 3, parents.join(", "));
            format!("{{\"name\": \"k{kind}\", \"id\": \"t{task}\", \"parents\": [{parents}]}}")
        };
        let run = |task: &usize| format!("{{\"id\": \"t{task}\", \"runtimeInSeconds\": {task}}}");
        let tasks: Vec<String> = order.iter().map(task).collect();
        let runs: Vec<String> = order.iter().map(run).collect();
        format!(
            "{{\"name\": \"w\", \"schemaVersion\": \"1.5\", \"workflow\": {{\"specification\": \
             {{\"tasks\": [{}]}}, \"execution\": {{\"tasks\": [{}]}}}}}}",
            tasks.join(",\n"),
            runs.join(",\n")
        )
    }

    fn graphs() -> impl Strategy<Value = (Vec<Vec<usize>>, Vec<usize>)> {
        let parents = |task: usize| proptest::collection::vec(0..task.max(1), 0..4);
        (1_usize..30).prop_flat_map(move |count| {
            let all: Vec<_> = (0..count).map(parents).collect();
            (all, Just((0..count).collect::<Vec<usize>>()).prop_shuffle())
        })
    }

    proptest! {
        /// Classes partition the tasks, keep the work, and wait for those before them only.
        #[test]
        fn grouping_keeps_tasks_work_and_precedences((mut parents, order) in graphs()) {
            parents[0].clear();
            let workflow = read_text(&instance(&parents, &order));
            let count: u64 = workflow.classes.iter().map(|class| class.tasks).sum();
            prop_assert_eq!(count, parents.len() as u64);
            let work: f64 = workflow.classes.iter().map(|class| class.tasks as f64 * class.time.as_units()).sum();
            let recorded = (parents.len() * (parents.len() - 1) / 2) as f64;
            prop_assert!((work - recorded).abs() <= 1e-6 * parents.len() as f64);
            for (number, class) in workflow.classes.iter().enumerate() {
                prop_assert!(class.after.iter().all(|&before| (before as usize) < number));
            }
            // The longest chain of tasks is the longest chain of classes.
            let mut level: Vec<usize> = Vec::new();
            for parents in &parents {
                level.push(1 + parents.iter().map(|&parent| level[parent]).max().unwrap_or(0));
            }
            let mut chain: Vec<usize> = Vec::new();
            for class in &workflow.classes {
                chain.push(1 + class.after.iter().map(|&before| chain[before as usize]).max().unwrap_or(0));
            }
            prop_assert_eq!(chain.iter().max(), level.iter().max());
        }

        /// Any text gives a workflow or an error.
        #[test]
        fn damaged_texts_do_no_harm(place in 0_usize..2000, with in "[\\[\\]{}\":,a0]") {
            let mut text = NEW.to_owned();
            let place = place % text.len();
            text.replace_range(place..=place, &with);
            let _ = import(&text, &Options::default());
        }
    }
}

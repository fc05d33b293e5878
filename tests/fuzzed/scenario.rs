//! Scenario files: any bytes, read as the program reads them.

use std::path::{Path, PathBuf};

use gridpact::scenario::diagnostics::{Diagnostic, Severity, render};
use gridpact::scenario::files::{FileId, Files};
use gridpact::scenario::plan::Plan;
use gridpact::scenario::root::Root;
use gridpact::scenario::{layers, raw, resolve, tree};
use gridpact::workload::owners::Owners;

/// About the most organizations, and clusters, that a scenario is resolved with: more of them take
/// longer, and nothing else.
const MOST: u32 = 300;
/// The most instants that a plan is run for.
const INSTANTS: usize = 40;
/// One input in so many is looked at from every side; the others from the cheap ones.
const SIDES: u32 = 4;

/// The most settings of a command line.
const MOST_SETTINGS: usize = 3;

/// Last stage that reading reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Came {
    /// No text, or no TOML.
    Garbage,
    /// Keys and types that do not fit.
    Mistyped,
    /// Input that makes no sense.
    Senseless,
    /// A plan, and the first instants of its run.
    Planned,
}

/// Reads a scenario as `scenario::load` does, except that it finds files only in the current
/// folder; looks at all that is said about it, compares with serde's own reader, and begins to run
/// what can run.
///
/// Before the scenario there may be settings of a command line, each with a 0 behind it.
pub fn read(bytes: &[u8]) -> Came {
    let sum =
        bytes.iter().fold(0, |sum: u32, &byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let all_sides = sum % SIDES == 0;
    let mut parts: Vec<&[u8]> = bytes.splitn(MOST_SETTINGS + 1, |&byte| byte == 0).collect();
    let text = parts.pop().unwrap_or_default();
    let settings = parts.iter().map(|part| String::from_utf8_lossy(part).into_owned());
    let settings: Vec<String> = settings.collect();
    let mut files = Files::new();
    let id = match files.add_bytes("fuzzed.toml", text.to_vec()) {
        Ok(id) => id,
        Err(wrong) => {
            said(&[*wrong], &files, all_sides);
            return Came::Garbage;
        }
    };
    if !extends_a_neighbour(&files, id) {
        return Came::Garbage;
    }
    let tree = match layers::assemble(
        &mut files,
        id,
        None,
        &settings,
        (Root::Grid, layers::Part::Whole),
    ) {
        Ok(tree) => tree,
        Err(wrong) => {
            assert!(!wrong.is_empty());
            said(&wrong, &files, all_sides);
            return Came::Garbage;
        }
    };
    let (raw, wrong) = raw::Scenario::read(&tree);
    assert_eq!(raw.is_some(), wrong.is_empty(), "a value or errors, and never both");
    said(&wrong, &files, all_sides);
    #[cfg(fuzzing)]
    if all_sides && settings.is_empty() {
        like_serde(files.text(id).unwrap_or_default(), raw.as_ref(), &wrong);
    }
    let Some(mut raw) = raw else { return Came::Mistyped };
    if all_sides {
        written_is_read_back(&raw);
    }
    tame(&mut raw);
    match resolve::resolve(&raw, &tree, &files) {
        Ok((plan, warnings)) => {
            assert!(warnings.iter().all(|warning| warning.severity == Severity::Warning));
            said(&warnings, &files, all_sides);
            begin(&plan);
            Came::Planned
        }
        Err(errors) => {
            assert!(errors.iter().any(|error| error.severity == Severity::Error));
            said(&errors, &files, all_sides);
            Came::Senseless
        }
    }
}

/// True if it extends nothing, or a file of this folder: other paths may lead to endless devices.
fn extends_a_neighbour(files: &Files, id: FileId) -> bool {
    let Ok(tree) = tree::parse(files, id, 0) else { return true };
    match tree.get("extends").map(|node| &node.value) {
        Some(tree::Value::String(path)) => Path::new(path).file_name() == Some(path.as_ref()),
        _ => true,
    }
}

/// Every diagnostic points into the text, and what is shown is plain to see on a terminal.
fn said(diagnostics: &[Diagnostic], files: &Files, all_sides: bool) {
    for diagnostic in diagnostics {
        assert!(!diagnostic.message.is_empty());
        for label in &diagnostic.labels {
            let text = files.text(label.place.file).expect("labels point into these texts");
            let span = &label.place.span;
            assert!(span.start <= span.end && span.end <= text.len(), "{label:?}");
        }
        if let Some(path) = &diagnostic.path {
            assert_eq!(path.to_string().parse().as_ref(), Ok(path));
        }
    }
    let shown = if all_sides { diagnostics } else { &diagnostics[..diagnostics.len().min(2)] };
    let plain = render(shown, files, false);
    assert!(plain.len() <= 50_000 + 20_000 * diagnostics.len(), "the output is bounded");
    assert!(!plain.chars().any(|c| c.is_control() && c != '\n'), "{plain:?}");
    if all_sides {
        let colored = render(diagnostics, files, true);
        assert_eq!(without_colors(&colored), without_colors(&plain));
    }
}

/// A text without the codes that change colours and without blanks at the ends of lines.
fn without_colors(text: &str) -> String {
    let mut bare = String::new();
    let mut rest = text.split("\u{1b}[");
    bare.extend(rest.next());
    for part in rest {
        let (code, after) = part.split_once('m').expect("only colours are changed");
        assert!(code.chars().all(|c| c.is_ascii_digit() || c == ';'), "{code:?}");
        bare.push_str(after);
    }
    bare.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Two readers agree on what a scenario says, and ours refuses no more than numbers that are none
/// and lists of a table's values without their keys. It takes half a minute to compile.
#[cfg(fuzzing)]
fn like_serde(text: &str, ours: Option<&raw::Scenario>, wrong: &[Diagnostic]) {
    let Ok(theirs) = toml::from_str::<raw::Scenario>(text) else { return };
    if theirs.extends.is_some() {
        return;
    }
    match ours {
        Some(ours) => assert_eq!(*ours, theirs),
        None => {
            let strict = |wrong: &Diagnostic| {
                let Diagnostic { message, .. } = wrong;
                message.contains("must be a finite number")
                    || message.starts_with("expected a table") && message.ends_with("an array")
            };
            assert!(wrong.iter().all(strict), "{wrong:?}");
        }
    }
}

fn written_is_read_back(raw: &raw::Scenario) {
    let whole: &dyn erased_serde::Serialize = raw;
    let text = toml::to_string(whole).expect("a scenario can be written");
    let mut files = Files::new();
    let id = files.add("written.toml", text);
    let tree = tree::parse(&files, id, 0).expect("what is written is TOML");
    let (again, wrong) = raw::Scenario::read(&tree);
    assert_eq!(again.as_ref(), Some(raw), "{wrong:?}");
}

/// Few organizations, and files of this folder only.
fn tame(raw: &mut raw::Scenario) {
    let few = |count: &mut u32, entries: usize| {
        let total = u64::from(*count) * entries as u64;
        if total > u64::from(MOST) && *count <= 2_000_000 {
            *count = (MOST / entries as u32).max(1);
        }
    };
    let organizations = raw.organization.len();
    for organization in &mut raw.organization {
        few(&mut organization.count, organizations);
        match &mut organization.workload {
            Some(raw::Workload::Swf(swf)) => near(&mut swf.file),
            Some(raw::Workload::Jobs(jobs)) => near(&mut jobs.file),
            Some(raw::Workload::Synthetic(options)) => {
                options.files_mut().for_each(|(_, file)| near(file));
            }
            Some(raw::Workload::LublinFeitelson(_)) | None => {}
        }
    }
    for application in &mut raw.application {
        application.workflow.iter_mut().for_each(|workflow| near(&mut workflow.file));
    }
    let clusters = raw.cluster.len();
    raw.cluster.iter_mut().for_each(|cluster| few(&mut cluster.count, clusters));
    match &mut raw.workload {
        Some(raw::GridWorkload::Swf(swf)) => {
            near(&mut swf.file);
            if let Owners::File { path } = &mut swf.owners {
                near(path);
            }
        }
        Some(raw::GridWorkload::Jobs(jobs)) => near(&mut jobs.file),
        Some(raw::GridWorkload::Applications(options)) => {
            options.files_mut().for_each(|(_, file)| near(file));
        }
        Some(raw::GridWorkload::Shared(_)) | None => {}
    }
}

fn near(file: &mut PathBuf) {
    *file = file.file_name().unwrap_or("none".as_ref()).into();
}

/// Runs the first instants of a plan. Its jobs may take it out of time, which is an error.
fn begin(plan: &Plan) {
    let Ok(grid) = plan.build(0, ()) else { return };
    let mut engine = grid.start();
    for _ in 0..INSTANTS {
        let Ok(Some(_)) = engine.step() else { return };
    }
}

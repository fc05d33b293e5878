//! The runs that a comparison is about: files, and the values that they vary.

use kernel::map::Set;
use std::path::Path;

use run::kept::Comparison;
use run::versus::Arm;
use scenario::Overrides;
use scenario::diagnostics::show;
use scenario::files::Files;
use scenario::origin::Origin;

use super::{Arguments, MOST_RUNS};
use crate::{Failure, load};

/// A run's name, and the sources it was read from.
type Named = (String, Origin);

/// A key with the values that it takes, in the order given.
struct Varied {
    key: String,
    values: Vec<String>,
}

/// Reads every run, the base first.
pub(super) fn read(arguments: &Arguments) -> Result<(Vec<Named>, Vec<Arm>), Failure> {
    let varied: Vec<Varied> =
        arguments.vary.iter().map(|text| vary(text)).collect::<Result<_, Failure>>()?;
    let combinations = combinations(&varied);
    let number = combinations.len() * arguments.files.len();
    if number > MOST_RUNS {
        return Err(Failure::Input(format!(
            "these are {number} runs, and {MOST_RUNS} are the most that can be compared\nhelp: leave \
             values out, or files"
        )));
    }
    let stems = names_of(&arguments.files);
    let (mut runs, mut arms) = (Vec::new(), Vec::new());
    let mut said = Set::new();
    for (file, stem) in arguments.files.iter().zip(&stems) {
        for values in &combinations {
            let settings = varied.iter().zip(values);
            let settings = settings.map(|(varied, value)| format!("{}={value}", varied.key));
            let set: Vec<String> = arguments.set.iter().cloned().chain(settings).collect();
            let overrides = Overrides { seed: arguments.seed, set };
            let (plan, origin) = load::read_one_of_several(file, &overrides, &mut said)?;
            let shown: Vec<&str> = values.iter().map(|value| bare(value)).collect();
            let name = match (arguments.files.len(), shown.is_empty()) {
                (1, false) => shown.join(" "),
                (_, true) => stem.clone(),
                (_, false) => format!("{stem} {}", shown.join(" ")),
            };
            runs.push((name.clone(), origin));
            arms.push(Arm { name, plan });
        }
    }
    Ok((runs, arms))
}

/// Reads the runs of a comparison again.
pub(super) fn again(asked: &Comparison) -> Result<Vec<Arm>, Failure> {
    let read = |(name, origin): &(String, Origin)| {
        let mut files = Files::new();
        match origin.load(&mut files) {
            Ok((plan, _)) => Ok(Arm { name: name.clone(), plan }),
            Err(wrong) => {
                load::tell(&wrong, &files);
                Err(Failure::Input(format!("`{name}` cannot be read again")))
            }
        }
    };
    asked.runs.iter().map(read).collect()
}

/// The names of files without what they have in common: their last parts, or whole paths.
pub(super) fn names_of(files: &[impl AsRef<Path>]) -> Vec<String> {
    let stem = |file: &Path| {
        let stem = file.file_stem().unwrap_or(file.as_os_str());
        stem.to_string_lossy().into_owned()
    };
    let stems: Vec<String> = files.iter().map(|file| stem(file.as_ref())).collect();
    let is_unique = stems.iter().collect::<Set<_>>().len() == stems.len();
    match is_unique {
        true => stems,
        false => files.iter().map(|file| file.as_ref().display().to_string()).collect(),
    }
}

/// Reads `KEY=VALUE,VALUE`.
fn vary(text: &str) -> Result<Varied, Failure> {
    let wrong = |what: &str| {
        Failure::Input(format!(
            "--vary {}: {what}\nhelp: give a key and its values, such as `--vary \
             scheduler=fcfs,easy,conservative`",
            show(text)
        ))
    };
    let (key, values) = text.split_once('=').ok_or_else(|| wrong("there is no `=`"))?;
    let key = key.trim().to_owned();
    if key.is_empty() {
        return Err(wrong("there is no key"));
    }
    let values: Vec<String> = split(values).into_iter().map(|one| one.trim().to_owned()).collect();
    if values.iter().any(String::is_empty) {
        return Err(wrong("a value is missing"));
    }
    let mut seen = Set::new();
    if let Some(twice) = values.iter().find(|value| !seen.insert(*value)) {
        return Err(wrong(&format!("`{}` is there twice", show(twice))));
    }
    Ok(Varied { key, values })
}

/// Splits at commas that stand in no brackets and no quotes.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut begin, mut depth) = (Vec::new(), 0, 0_usize);
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}

/// A value without its quotes; of a process in the calling program, its name.
fn bare(value: &str) -> &str {
    let inside = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    let named = || Some(value.split_once("[\"@")?.1.split_once("\"]")?.0);
    inside('"').or_else(|| inside('\'')).or_else(named).unwrap_or(value)
}

/// All combinations of the values; the last key changes first.
fn combinations(varied: &[Varied]) -> Vec<Vec<&str>> {
    varied.iter().fold(vec![Vec::new()], |all, one| {
        let with = |begin: &Vec<_>| {
            let begin = begin.clone();
            one.values.iter().map(move |value| {
                let mut next = begin.clone();
                next.push(&**value);
                next
            })
        };
        all.iter().flat_map(with).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_between_commas_outside_of_brackets_and_quotes() {
        let told = |text| vary(text).map(|varied| (varied.key, varied.values)).ok();
        let own = |key: &str, values: &[&str]| {
            Some((key.to_owned(), values.iter().map(|&one| one.to_owned()).collect()))
        };
        assert_eq!(told("scheduler=fcfs, easy"), own("scheduler", &["fcfs", "easy"]));
        let table = "s={list={order=\"sjf\"}},[1,2],\"a,b\"";
        assert_eq!(told(table), own("s", &["{list={order=\"sjf\"}}", "[1,2]", "\"a,b\""]));
        assert!(["a", "=1", "a=1,,2", "a=1,1", "a="].iter().all(|text| told(text).is_none()));
        let both = [vary("a=1,2").unwrap(), vary("b=x,y").unwrap()];
        let expected = [["1", "x"], ["1", "y"], ["2", "x"], ["2", "y"]];
        assert_eq!(combinations(&both), expected);
        assert_eq!((bare("\"x y\""), bare("'x'"), bare("x")), ("x y", "x", "x"));
    }

    #[test]
    fn files_are_told_apart_by_the_ends_of_their_names() {
        assert_eq!(names_of(&["a/fcfs.toml", "b/easy.toml"]), ["fcfs", "easy"]);
        assert_eq!(names_of(&["a/x.toml", "b/x.toml"]), ["a/x.toml", "b/x.toml"]);
    }
}

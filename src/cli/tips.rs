//! Tips for arguments that cannot be parsed, if the parser has none of its own.

use std::path::Path;

use clap::Error;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use scenario::catalog;
use scenario::diagnostics::nearest;

use super::shell;

/// Asks if the nearest of the names was meant, or gives other help.
pub(super) fn meant<'a>(
    word: &str,
    names: impl IntoIterator<Item = &'a str>,
    otherwise: impl FnOnce() -> String,
) -> String {
    let near = nearest(word, names).first().map(|near| format!("did you mean `{near}`?"));
    near.unwrap_or_else(otherwise)
}

/// Adds a tip to the error, if there is one.
pub(super) fn tell(mut wrong: Error) -> Error {
    let tip = match wrong.kind() {
        ErrorKind::InvalidSubcommand => scenario(&wrong),
        ErrorKind::UnknownArgument => key(&wrong),
        _ => None,
    };
    if let Some(tip) = tip {
        // A key of this very name is nearer than an argument of a similar one.
        wrong.remove(ContextKind::SuggestedArg);
        let tip = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
        wrong.insert(ContextKind::Suggested, tip);
    }
    wrong
}

/// Tip for a scenario given without a subcommand.
fn scenario(wrong: &Error) -> Option<String> {
    let Some(ContextValue::String(word)) = wrong.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let run = || format!("to simulate it, write `gridpact run {}`", shell::word(Path::new(word)));
    word.ends_with(".toml").then(run)
}

/// Tip for a scenario key given like an option.
fn key(wrong: &Error) -> Option<String> {
    let Some(ContextValue::String(option)) = wrong.get(ContextKind::InvalidArg) else {
        return None;
    };
    let word = option.split('=').next()?.strip_prefix("--")?.replace('-', "_");
    let is_it = |key: &catalog::Key| key.key.rsplit('.').next() == Some(&word);
    let known = catalog::keys().iter().any(is_it);
    known.then(|| format!("a key of the scenario is set by '--set {word}=VALUE'"))
}

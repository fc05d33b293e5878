//! `gridpact list`: what a scenario can be made of.

mod text;

use clap::{Args, ValueEnum};
use gridpact::scenario::catalog::{self, Kind};
use gridpact::scenario::diagnostics::{nearest, show};
use serde::Serialize;

use super::{Failure, print};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// One kind of choices, in singular or plural, or `keys` for every key of a scenario
    /// [default: all kinds].
    #[arg(value_name = "KIND")]
    kind: Option<String>,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  gridpact list                          every choice of every kind
  gridpact list schedulers               what a cluster may be scheduled by
  gridpact list keys                     every key, what it takes, its default
  gridpact list workloads --format json";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// The word that asks for all keys.
const KEYS: [&str; 2] = ["keys", "key"];

pub(super) fn list(arguments: &Arguments) -> Result<(), Failure> {
    let width = comfy_table::Table::new().width().map(usize::from);
    let text = match arguments.kind.as_deref() {
        Some(name) if KEYS.contains(&name.to_lowercase().as_str()) => {
            let keys = catalog::keys();
            match arguments.format {
                Format::Text => text::keys(&keys, width),
                Format::Json => json(&keys),
            }
        }
        name => {
            let kinds = chosen(name)?;
            match arguments.format {
                Format::Text => text::kinds(&kinds, width),
                Format::Json => json(&kinds),
            }
        }
    };
    print(&text)
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string_pretty(value).expect("plain data serializes into memory") + "\n"
}

/// The kind that is asked for, or all.
fn chosen(name: Option<&str>) -> Result<Vec<Kind>, Failure> {
    let Some(name) = name else { return Ok(catalog::catalog()) };
    if let Some(kind) = catalog::kind(name) {
        return Ok(vec![kind]);
    }
    let kinds = catalog::catalog();
    let plurals: Vec<&str> = kinds.iter().map(|kind| kind.plural).chain(["keys"]).collect();
    let help = match nearest(name, plurals.iter().copied())[..] {
        [near, ..] => format!("did you mean `{near}`?"),
        [] => format!("the kinds are {}", plurals.join(", ")),
    };
    Err(Failure::Input(format!(
        "there is no kind of choices called `{}`\nhelp: {help}",
        show(name)
    )))
}

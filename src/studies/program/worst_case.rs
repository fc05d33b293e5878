//! `gridpact new worst-case`: members of families on which a grid scheduler is far from the optimum.

use std::fmt::Write as _;

use crate::worst_case::{FAMILIES, Family, Known, Target, Worst};
use clap::Args;
use model::order::Order;
use policy::grid::{GridOptions, list};
use report::words::wrapped::wrapped;
use scenario::diagnostics::{nearest, show};

use super::instance;
use cli::Failure;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Family of bad cases for `worst-case` [default: list the families].
    #[arg(long, value_name = "NAME")]
    family: Option<String>,
    /// Size of the family's member.
    #[arg(long, value_name = "K", requires = "family")]
    k: Option<u64>,
    /// Another parameter of the family; may be repeated.
    #[arg(long = "with", value_name = "NAME=N", requires = "family")]
    with: Vec<String>,
}

/// Prints the scenario of a family's member, or the list of families.
pub(super) fn print(arguments: &Arguments) -> Result<(), Failure> {
    cli::print(&text(arguments)?)
}

/// The scenario of a family's member, or the list of families.
fn text(options: &Arguments) -> Result<String, Failure> {
    let Some(name) = &options.family else { return Ok(families()) };
    let names = FAMILIES.iter().map(|family| family.name);
    let Some(family) = FAMILIES.iter().find(|family| family.name == *name) else {
        let help = match nearest(name, names).first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`gridpact new worst-case` lists them".to_owned(),
        };
        let name = show(name);
        return Err(Failure::Input(format!("there is no family `{name}`\nhelp: {help}")));
    };
    let mut given: Vec<(&str, u64)> = options.k.map(|k| ("k", k)).into_iter().collect();
    for one in &options.with {
        let parsed = one
            .split_once('=')
            .and_then(|(name, number)| Some((name.trim(), number.trim().parse().ok()?)));
        given.push(parsed.ok_or_else(|| {
            let message = format!("`{}` is not a parameter with a whole number", show(one));
            Failure::Input(format!("{message}\nhelp: write `--with k=8`"))
        })?);
    }
    let worst = family.build(&given).map_err(|message| {
        Failure::Input(format!("{message}\nhelp: `gridpact new worst-case` lists the parameters"))
    })?;
    Ok(written(family, &given, &worst))
}

fn written(family: &Family, given: &[(&str, u64)], worst: &Worst) -> String {
    let values = family.parameters.iter().map(|parameter| {
        let given = given.iter().find(|one| one.0 == parameter.name);
        format!("{} {}", parameter.name, given.map_or(parameter.default, |one| one.1))
    });
    let values: Vec<String> = values.collect();
    let name = match values.is_empty() {
        true => family.name.replace('/', " to "),
        false => format!("{} ({})", family.name.replace('/', " to "), values.join(", ")),
    };
    let scheduler = scheduler(family.target);
    let mut comment = format!("{}\nSource: {}.\n{}\n", family.summary, family.citation, worst.note);
    let _ = match (worst.makespan, worst.optimum) {
        (Some(makespan), Known::Exactly(best)) => writeln!(
            comment,
            "It ends at {makespan} under {}; the optimum is {best}.",
            scheduler.name()
        ),
        (Some(makespan), Known::AtMost(best)) => writeln!(
            comment,
            "It ends at {makespan} under {}; another schedule ends at {best}.",
            scheduler.name()
        ),
        (None, Known::Exactly(best)) => writeln!(comment, "The optimum is {best}."),
        (None, Known::AtMost(best)) => {
            writeln!(comment, "There is a schedule that ends at {best}.")
        }
    };
    let comment = wrapped_lines(&comment);
    instance::scenario(&name, &comment, &scheduler, &worst.instance)
}

fn wrapped_lines(text: &str) -> String {
    text.lines().map(|line| wrapped(line, Some(98)) + "\n").collect()
}

fn scheduler(target: Target) -> GridOptions {
    let list = |order| GridOptions::List(list::Options { order });
    match target {
        Target::ListFcfs => list(Order::Submit),
        Target::ListAscending => list(Order::Smallest),
        Target::ListDescending => list(Order::Largest),
        Target::GridSubmission => GridOptions::GridSubmission(Default::default()),
    }
}

fn families() -> String {
    let mut out = "Families of bad cases for grid schedulers:\n".to_owned();
    for family in &FAMILIES {
        let _ = write!(out, "\n  {}\n", family.name);
        for line in wrapped(family.summary, Some(94)).lines() {
            let _ = writeln!(out, "      {line}");
        }
        for one in family.parameters {
            let _ = writeln!(
                out,
                "      {}: {}, from {} to {} [default: {}]",
                one.name, one.meaning, one.least, one.most, one.default
            );
        }
    }
    out + "\nFor example:\n\n  gridpact new worst-case --family gcs3 --k 8 > bad.toml\n  \
        gridpact run bad.toml\n"
}

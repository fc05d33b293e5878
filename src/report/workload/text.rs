//! The profile as a person reads it, with small plots.

use std::cmp::Reverse;
use std::fmt::Write as _;

use super::bins::Bin;
use super::{HOUR, Profile, tables};
use crate::picture::bars::{Ink, bars};
use crate::table::Format;
use kernel::order::InOrder as _;
use kernel::time::TICKS_PER_UNIT;
use scenario::diagnostics::show;
use stats::shown::{count, counted, figure, percent};

/// Maximum number of organizations shown; those with the most work come first.
const SHOWN: usize = 12;
/// Maximum number of organizations named in a warning.
const SHOWN_IN_A_LINE: usize = 6;

/// Renders the profile.
///
/// Tables drop columns and bars get shorter to stay within `width` characters, if a width is given.
pub fn render(profile: &Profile<'_>, ink: Ink, width: Option<usize>) -> String {
    let mut out = String::new();
    head(&mut out, profile);
    if profile.jobs() == 0 {
        return out;
    }
    let _ = writeln!(out, "{}", largest(profile, width));
    let _ = writeln!(out, "{}", tables::quantiles(profile, true).render(Format::Text, width));
    let counts = |bins: Vec<Bin>| -> Vec<(String, u64)> {
        bins.into_iter().map(|bin| (bin.label, bin.jobs)).collect()
    };
    let mut plots = vec![
        ("runtime", counts(profile.runtimes.plotted())),
        ("interarrival", counts(profile.gaps.plotted())),
    ];
    let widths = counts(profile.widths.bins());
    if widths.len() > 1 {
        plots.push(("processors", widths));
    }
    let numbered = |what: &str, counts: &[u64]| {
        counts.iter().enumerate().map(|(n, &count)| (format!("{what}{n}"), count)).collect()
    };
    let day = 24 * HOUR * TICKS_PER_UNIT;
    let span = profile.span().unwrap_or(0);
    if span >= day {
        let title = "hour of the day, if a unit is a second and time 0 is midnight";
        plots.push((title, numbered("", &profile.hours)));
    }
    if span >= 7 * day {
        plots.push(("day of the week, counted from time 0", numbered("day ", &profile.days)));
    }
    let plots = plots.iter().filter(|(_, counts)| !counts.is_empty());
    let plots: Vec<String> = plots.map(|(title, counts)| bars(title, counts, ink, width)).collect();
    out + &plots.join("\n")
}

fn head(out: &mut String, profile: &Profile<'_>) {
    let plan = profile.plan;
    let _ = writeln!(
        out,
        "{}  (seed {}, replication {})",
        plan.title(),
        plan.seed,
        profile.replication
    );
    let jobs = profile.whole().share.jobs;
    let _ = write!(
        out,
        "{} of {}",
        counted(jobs, "job", "jobs"),
        counted(plan.organizations.len() as u64, "organization", "organizations")
    );
    let Some(first) = profile.first else {
        out.push('\n');
        return;
    };
    let _ = writeln!(
        out,
        ", submitted from {} to {}{}",
        figure(first.as_units()),
        figure(profile.last.as_units()),
        if profile.is_cut { "; the scenario has more, and `--jobs N` shows them" } else { "" }
    );
    let processors = profile.processors_of_grid();
    if let Some(load) = profile.load() {
        let processors = counted(processors, "processor", "processors");
        let _ = writeln!(out, "offered load: {} of {processors}", percent(load));
    }
    let share = |of: u64| percent(of as f64 / jobs as f64);
    let _ = writeln!(
        out,
        "{} of the jobs need 1 processor, and {} need a power of two above 1",
        share(profile.serial),
        share(profile.powers_of_two)
    );
}

/// The rows of the table of organizations that a person reads.
fn largest(profile: &Profile<'_>, width: Option<usize>) -> String {
    let mut order: Vec<usize> = (0..profile.brought.len()).collect();
    if order.len() > SHOWN {
        order.order_by_key(|&index| Reverse(profile.brought[index].share.area));
    }
    let rest = order.len().saturating_sub(SHOWN);
    order.truncate(SHOWN);
    let mut table = tables::organizations(profile, &order, true);
    if rest > 0 {
        let more = counted(rest as u64, "more is", "more are");
        table.note(format!(
            "the {SHOWN} organizations with the most work; {more} listed by `--format csv`"
        ));
    }
    table.render(Format::Text, width)
}

/// See [`Profile::warnings`].
pub(super) fn warnings(profile: &Profile<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    let over: Vec<(&str, f64)> = (profile.plan.organizations.iter().zip(profile.loads()))
        .filter_map(|(organization, load)| Some((&*organization.name, load?)))
        .filter(|&(_, load)| load > 1.0)
        .collect();
    if !over.is_empty() {
        let mut named: Vec<String> = (over.iter().take(SHOWN_IN_A_LINE))
            .map(|(name, load)| format!("{} {}", show(name), percent(*load)))
            .collect();
        if over.len() > SHOWN_IN_A_LINE {
            named.push(format!("{} more", count((over.len() - SHOWN_IN_A_LINE) as u64)));
        }
        warnings.push(format!(
            "the jobs need more than the capacity that their organization may use: {}; queues grow \
             as long as such jobs arrive",
            named.join(", ")
        ));
    }
    let too_large = profile.whole().too_large;
    if let Some(load) = profile.load().filter(|&load| load > 1.0 && profile.brought.len() > 1) {
        warnings
            .push(format!("all jobs together need {} of the capacity of the grid", percent(load)));
    }
    if too_large > 0 {
        let jobs = counted(too_large, "job needs", "jobs need");
        warnings.push(format!("{jobs} more processors than any cluster they may use has"));
    }
    if profile.clipped > 0 {
        let (jobs, verb) = match profile.clipped {
            1 => ("1 job".to_owned(), "has"),
            more => (format!("{} jobs", count(more)), "have"),
        };
        let most = figure(u64::MAX as f64 / TICKS_PER_UNIT as f64);
        warnings.push(format!(
            "{jobs} {verb} an area above {most}, which the table of quantiles shows as {most}"
        ));
    }
    warnings
}

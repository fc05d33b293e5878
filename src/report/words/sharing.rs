//! A sentence that says who gains from sharing, who loses, and how much.

use crate::table::margin;
use kernel::order::InOrder as _;
use stats::interval::Interval;
use stats::shown::{counted, percent, rough};

/// Maximum number of organizations that are named on each side.
const NAMED: usize = 4;

/// Changes smaller than this are not shown: 0.0%.
const SMALLEST: f64 = 0.0005;

/// Change of an organization's mean flow time by sharing, as a share of that alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change<'a> {
    name: &'a str,
    /// Share that is saved; negative if flow times got longer.
    gain: f64,
    interval: Option<Interval>,
}

/// The kinds of change that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Shorter,
    Longer,
    Unclear,
    None,
}

impl<'a> Change<'a> {
    pub(crate) fn new(name: &'a str, gain: f64, interval: Option<Interval>) -> Change<'a> {
        Change { name, gain, interval }
    }

    fn kind(&self) -> Kind {
        match self.interval {
            Some(Interval { low, high }) if low <= 0.0 && high >= 0.0 && low < high => {
                Kind::Unclear
            }
            _ if self.gain.abs() < SMALLEST => Kind::None,
            _ if self.gain > 0.0 => Kind::Shorter,
            _ => Kind::Longer,
        }
    }

    /// `chemistry by 7.0% ± 3.1%`.
    fn told(&self) -> String {
        // Of what got longer, how much longer.
        let size = |Interval { low, high }: Interval| match self.gain < 0.0 {
            true => Interval { low: -high, high: -low },
            false => Interval { low, high },
        };
        let half = |share: f64| format!("{}%", rough(100.0 * share));
        let texts: [&dyn Fn(f64) -> String; 2] = [&half, &percent];
        let margin = self.interval.map(|one| margin::told(self.gain.abs(), size(one), texts));
        let (name, size) = (self.name, percent(self.gain.abs()));
        format!("{name} by {size}{}", margin.unwrap_or_default())
    }
}

/// Lists things as `a`, `a and b`, or `a, b and c`.
pub(crate) fn listed(things: &[String]) -> String {
    match things {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The names on one side, the largest changes first, with the rest by their number.
fn side(changes: &[Change<'_>], kind: Kind, told: impl Fn(&Change<'_>) -> String) -> String {
    let mut of: Vec<&Change<'_>> = changes.iter().filter(|one| one.kind() == kind).collect();
    of.order_by(|one, other| other.gain.abs().total_cmp(&one.gain.abs()));
    let rest = of.len().saturating_sub(NAMED);
    let mut told: Vec<String> = of.into_iter().take(NAMED).map(told).collect();
    if rest > 0 {
        told.push(counted(rest as u64, "other", "others"));
    }
    listed(&told)
}

/// The sentence; `None` without anything to compare.
///
/// Without intervals it speaks of what happened in this run alone.
pub(crate) fn sentence(changes: &[Change<'_>]) -> Option<String> {
    let is_sure = changes.iter().any(|one| one.interval.is_some());
    let [shorter, longer] =
        [Kind::Shorter, Kind::Longer].map(|kind| side(changes, kind, |one| one.told()));
    let [unclear, none] =
        [Kind::Unclear, Kind::None].map(|kind| side(changes, kind, |one| one.name.to_owned()));
    let (shortens, lengthens) = match is_sure {
        true => ("sharing shortens", "lengthens"),
        false => ("in this run sharing shortened", "lengthened"),
    };
    let sharing = if is_sure { "sharing" } else { "in this run sharing" };
    let mut parts = Vec::new();
    match (shorter.is_empty(), longer.is_empty()) {
        (false, false) => parts.push(format!(
            "{shortens} the mean flow time of {shorter}, and {lengthens} that of {longer}"
        )),
        (false, true) => parts.push(format!("{shortens} the mean flow time of {shorter}")),
        (true, false) => {
            parts.push(format!("{sharing} {lengthens} the mean flow time of {longer}"));
        }
        (true, true) => {}
    }
    if !unclear.is_empty() {
        parts.push(format!("no clear difference for {unclear}"));
    }
    if !none.is_empty() {
        parts.push(format!("no difference for {none}"));
    }
    if shorter.is_empty() && longer.is_empty() {
        parts.first_mut().iter_mut().for_each(|first| first.insert_str(0, "sharing makes "));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(changes: &[(&str, f64, Option<[f64; 2]>)]) -> Option<String> {
        let change = |&(name, gain, ends): &(_, _, Option<[f64; 2]>)| {
            Change::new(name, gain, ends.map(|[low, high]| Interval { low, high }))
        };
        sentence(&changes.iter().map(change).collect::<Vec<_>>())
    }

    #[test]
    fn only_an_interval_makes_a_difference_clear() {
        let four = [
            ("math", 0.02, Some([-0.01, 0.05])),
            ("physics", 0.312, Some([0.292, 0.332])),
            ("biology", 0.04, Some([0.03, 0.05])),
            ("chemistry", -10.6, Some([-11.0, -10.2])),
        ];
        assert_eq!(
            told(&four).unwrap(),
            "sharing shortens the mean flow time of physics by 31.2% ± 2.0% and biology by 4.0% ± \
             1.0%, and lengthens that of chemistry by 1060.0% ± 40%; no clear difference for math"
        );
        assert_eq!(
            told(&[("a", 0.5, None), ("b", 0.0, None)]).unwrap(),
            "in this run sharing shortened the mean flow time of a by 50.0%; no difference for b"
        );
        assert_eq!(
            told(&[("a", -0.5, None)]).unwrap(),
            "in this run sharing lengthened the mean flow time of a by 50.0%"
        );
        assert_eq!(told(&four[..1]).unwrap(), "sharing makes no clear difference for math");
        assert_eq!(told(&[]), None);
        // With "26.5% ± 30%" it read as if nothing were known.
        assert_eq!(
            told(&[("a", 0.265, Some([0.004, 0.604])), ("b", -0.2, Some([-0.9, -0.1]))]).unwrap(),
            "sharing shortens the mean flow time of a by 26.5% (0.4% to 60.4%), and lengthens that of \
             b by 20.0% (10.0% to 90.0%)"
        );
    }

    #[test]
    fn of_many_the_largest_changes_are_named() {
        let names: Vec<String> = (0..7).map(|number| format!("x{number}")).collect();
        let changes = names.iter().zip(1..).map(|(name, size)| (&**name, f64::from(size) / 10.0));
        let changes: Vec<_> = changes.map(|(name, size)| (name, size, None)).collect();
        let told = told(&changes).unwrap();
        assert!(told.ends_with("x6 by 70.0%, x5 by 60.0%, x4 by 50.0%, x3 by 40.0% and 3 others"));
    }
}

use super::words::{power, saved, together, verdicts};
use findings::contrast::{Contrast, Tested, Verdict};
use findings::measure::{Measure, Metric};
use stats::interval::{Interval, Level};
use stats::paired::By;

/// A judged difference of this relative size, with an interval of this half-width around it.
fn one(unit: &str, metric: Metric, relative: f64, half_width: f64, verdict: Verdict) -> Contrast {
    let difference = Interval::around(100.0 * relative, 100.0 * half_width);
    let change = Some(Interval::around(relative, half_width));
    let tested = Tested {
        pairs: 20,
        difference,
        relative: change,
        together: (difference, change),
        found_in_most: 140.0 * half_width,
        method: By::Pairs,
        enough: 7,
        p: 0.01,
        p_holm: Some(0.03),
        saved: Some(4.5),
    };
    Contrast {
        arm: 1,
        unit: unit.to_owned(),
        measure: metric.measure(),
        base: 100.0,
        other: 100.0 * (1.0 + relative),
        tested: Some(tested),
        has_other_jobs: false,
        is_judged: true,
        verdict,
    }
}

fn told(all: &[Contrast]) -> Vec<String> {
    let judged: Vec<&'static Measure> =
        [Metric::Flow, Metric::Wait, Metric::FlowP99].map(Metric::measure).to_vec();
    let all: Vec<&Contrast> = all.iter().collect();
    verdicts(["fcfs", "easy"], &judged, &all).into_iter().flatten().collect()
}

#[test]
fn what_is_better_worse_alike_and_open_is_said_in_one_sentence() {
    let flow = one("*", Metric::Flow, -0.312, 0.0213, Verdict::Better);
    let worse = one("*", Metric::Wait, 0.04, 0.012, Verdict::Worse);
    let open = one("*", Metric::FlowP99, 0.02, 0.061, Verdict::CannotTell);
    let alike = one("*", Metric::FlowP99, 0.0, 0.02, Verdict::Alike);
    assert_eq!(
        told(&[flow.clone(), alike]),
        ["easy beats fcfs: flow -31.2% (-33 to -29%); no difference of 5% or more in flow p99"]
    );
    assert_eq!(
        told(&[flow, worse.clone(), open.clone()]),
        [
            "easy against fcfs: better in flow -31.2% (-33 to -29%); worse in wait +4.0% (+2.8 to +5.2%); cannot tell: \
          flow p99 +2.0% (-4 to +8%)"
        ]
    );
    assert_eq!(told(&[worse]), ["easy loses to fcfs: wait +4.0% (+2.8 to +5.2%)"]);
    assert_eq!(
        told(std::slice::from_ref(&open)),
        ["easy against fcfs: cannot tell: flow p99 +2.0% (-4 to +8%)"]
    );
    let sentence = power(std::slice::from_ref(&open)).unwrap();
    assert!(sentence.starts_with("20 pairs of replications find a difference of 8.5% in flow p99"));
    assert_eq!(together(std::slice::from_ref(&open), Level::default()), None);
    // Few pairs and skewed ones do not know their own error.
    for (pairs, method) in [(7, By::Pairs), (20, By::Bootstrap)] {
        let mut open = open.clone();
        let tested = open.tested.as_mut().unwrap();
        (tested.pairs, tested.method) = (pairs, method);
        assert_eq!(power(&[open]), None);
    }
}

/// Ends that the pairs do not tell are not printed, and what they would find is no share above 100%.
#[test]
fn what_is_hardly_known_is_said_with_one_end_or_none() {
    let told = |low: f64, high: f64| {
        let mut open = one("*", Metric::Flow, 0.5, 0.2, Verdict::CannotTell);
        let tested = open.tested.as_mut().unwrap();
        let relative = Some(Interval { low, high });
        (tested.relative, tested.together.1, tested.found_in_most) = (relative, relative, 950.0);
        [told(std::slice::from_ref(&open))[0].clone(), power(&[open]).unwrap()]
    };
    let [sentence, power] = told(-0.1, f64::INFINITY);
    assert_eq!(sentence, "easy against fcfs: cannot tell: flow +50% (-10% or more)");
    assert_eq!(
        power,
        "20 pairs of replications may be too few to find even twice the flow in 8 of 10 cases"
    );
    let [sentence, _] = told(-1.0, f64::INFINITY);
    assert_eq!(sentence, "easy against fcfs: cannot tell: flow +50% (too few pairs)");
}

#[test]
fn organizations_that_gain_and_lose_are_named_the_largest_first() {
    let of = |unit: &str, relative: f64, verdict| one(unit, Metric::Flow, relative, 0.01, verdict);
    let all = [
        of("*", -0.1, Verdict::Better),
        of("physics", 0.04, Verdict::Worse),
        of("biology", -0.05, Verdict::Better),
        of("chemistry", -0.2, Verdict::Better),
        of("history", 0.0, Verdict::CannotTell),
        of("music", 0.001, Verdict::Alike),
        of("sports", 0.0, Verdict::Same),
    ];
    assert_eq!(
        told(&all)[1],
        "flow with easy: better for chemistry -20.0% (-21.0 to -19.0%) and biology -5.0% (-6.0 to \
         -4.0%); worse for physics +4.0% (+3.0 to +5.0%); the same for sports; no difference of 5% or more for music; cannot \
         tell for history"
    );
    let judged = [Metric::Flow.measure()];
    assert!(saved(&all, &judged).unwrap().ends_with("would need 4.5 times as many replications"));
    assert!(together(&all, Level::default()).unwrap().starts_with("the verdicts on 7 differences"));
}

/// Shares change by points, and what is not above 0 by its own units.
#[test]
fn shares_change_by_points() {
    let mut gain = one("*", Metric::Gain, 0.1, 0.02, Verdict::Better);
    (gain.base, gain.other) = (0.25, 0.274);
    let tested = gain.tested.as_mut().unwrap();
    tested.difference = Interval::around(0.024, 0.0031);
    let judged = [Metric::Gain.measure()];
    let said: Vec<String> =
        verdicts(["fcfs", "easy"], &judged, &[&gain]).into_iter().flatten().collect();
    assert_eq!(said, ["easy beats fcfs: gain +2.4 points (+2.1 to +2.7)"]);
}

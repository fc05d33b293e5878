//! Literal checkers of the queue disciplines. They follow the definitions word by word and are
//! correspondingly slow. The fast checkers are compared with them on random schedules, right and
//! wrong.

mod conservative;
mod queue;
mod replay;

use proptest::prelude::*;

use super::*;
use kernel::time::{Span, Time};

/// A job: submission, processors, runtime, estimate and waiting time.
type Row = (i64, u32, i64, i64, i64);

fn facts(discipline: Discipline, settings: Settings, rows: &[Row]) -> Facts {
    let jobs =
        rows.iter().zip(1..).map(|(&(submit, processors, runtime, estimate, wait), number)| {
            let submit = Time::ZERO + Span::units(submit);
            let runtime = Span::units(runtime);
            let mut job = JobFacts::new(number, submit, runtime, processors).on(0);
            job.requested = Span::units(estimate);
            if wait >= 0 {
                let start = submit + Span::units(wait);
                job = job.ran(start, start + runtime);
            }
            job
        });
    Facts {
        organizations: vec!["physics".into()],
        clusters: vec![ClusterFacts::new("tower", 8, Kind::SpaceShared(discipline))],
        jobs: jobs.collect(),
        settings,
        grid: None,
    }
}

fn disciplines() -> Vec<Discipline> {
    let orders = [
        Order::Submit,
        Order::ShortestEstimate,
        Order::LongestEstimate,
        Order::Smallest,
        Order::Largest,
        Order::SmallestArea,
        Order::LargestArea,
        Order::Random,
    ];
    let mut all: Vec<Discipline> = orders.map(Discipline::List).into();
    all.extend([
        Discipline::Fcfs,
        Discipline::Easy,
        Discipline::EasyShortestFirst,
        Discipline::Conservative,
    ]);
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    /// Both report the same violations in the same words.
    #[test]
    fn the_checkers_say_what_the_literal_ones_say(
        rows in proptest::collection::vec(
            (0_i64..25, 1_u32..9, 0_i64..9, 0_i64..12, -1_i64..20),
            1..24,
        ),
        crowded in any::<bool>(),
        order in 0_usize..3,
        // Predictions and the amount by which they are short; corrections come in minutes and
        // hours.
        predicted in proptest::option::of((1_i64..4, prop::sample::select(vec![1_i64, 40, 900]))),
        stopped in proptest::option::of(0_i64..40),
    ) {
        let rows: Vec<Row> = match crowded {
            // Many jobs that fit at once, so that some starts are right.
            true => {
                let crowd = |row: Row| (row.0 / 8, row.1.div_ceil(3), row.2, row.3, row.4.min(0));
                rows.into_iter().map(crowd).collect()
            }
            false => rows,
        };
        let scale = predicted.map_or(1, |(_, scale)| scale);
        let rows: Vec<Row> = rows
            .into_iter()
            .map(|(submit, size, runtime, estimate, wait)| {
                (submit * scale, size, runtime * scale, estimate * scale, wait * scale)
            })
            .collect();
        for discipline in disciplines() {
            let settings = Settings {
                phase_order: [
                    PhaseOrder::Instant,
                    PhaseOrder::PerEvent,
                    PhaseOrder::PerEventFreeWhenDue,
                ][order],
                clairvoyance: match predicted {
                    Some(_) => Clairvoyance::Predicted,
                    None => Clairvoyance::Estimate,
                },
                corrects: predicted.is_some(),
                stopped: stopped.map(|unit| Time::ZERO + Span::units(unit * scale)),
            };
            let mut facts = facts(discipline.clone(), settings, &rows);
            for (job, at) in facts.jobs.iter_mut().zip(0_i64..) {
                job.expected = predicted.map(|(short, _)| {
                    Span::from_ticks(job.requested.ticks() / (1 + (at + short) % 4))
                });
            }
            let literal = queue::discipline(&replay::runs(&facts), &settings);
            let report = audit(&facts, &[]);
            let check = report.check("queue discipline").expect("it is there");
            let told = |check: &Check| {
                let texts: Vec<String> = check.violations.iter().map(ToString::to_string).collect();
                (check.count, texts, check.notes.clone())
            };
            prop_assert_eq!(told(check), told(&literal), "{:?} {:?}", discipline, facts.jobs);
        }
    }
}

//! Instruction counts of the hot path. They do not depend on other processes, so they decide when
//! times are too noisy.
//!
//! It needs valgrind and the runner in the version of Cargo.lock:
//!
//! ```sh
//! cargo install gungraun-runner --version 0.20.0
//! cargo bench -p gridpact-benches --bench instructions
//! cargo bench -p gridpact-benches --bench instructions -- --save-baseline=before   # and later, to compare:
//! cargo bench -p gridpact-benches --bench instructions -- --baseline=before
//! ```

// The macros make public items.
#![allow(missing_docs)]

mod common;

use std::hint::black_box;

use common::*;
use gridpact::game::stage::{Act, Outcome, StageGame as _, Terms, Wanted};
use gridpact::kernel::calendar::{Agent, Calendar, Phase};
use gridpact::kernel::time::{Span, Time};
use gridpact::model::job::Job;
use gridpact::policy::coalition::{BalancerOptions, averaging};
use gridpact::policy::grid::GridOptions;
use gridpact::sim::accounts::Accounts;
use gridpact::sim::pool::Rounds;
use gungraun::main;
use gungraun::prelude::*;

type Watched = Ready<Accounts>;

fn queue(customers: u64) -> Watched {
    mm1(1, customers, accounts(1, 1, 1))
}

fn kth(scheduler: &str) -> Watched {
    let jobs = KTH.jobs().expect("it is part of the project");
    space_shared(held(&jobs), KTH.processors, scheduler, 1, accounts(1, 1, KTH.processors))
}

/// A coalition that averages its load in whole units.
fn coalition(clusters: usize) -> Game {
    let unit = Some(1.0);
    let options = averaging::Options { unit, ..averaging::Options::default() };
    pool(clusters, &BalancerOptions::Averaging(options), Rounds::Independent)
}

/// Jobs at load 0.9 that wait in the grid until Grid Over-Time-Submission starts them.
fn under_grid_submission(jobs: u32) -> Watched {
    let clusters = sizes(100, 16);
    let jobs = jobs_for(&clusters, Some(0.9), jobs);
    placed(GridOptions::GridSubmission(Default::default()), &clusters, held(&jobs))
}

/// A calendar in which all agents act, spread over a million ticks.
fn calendar(agents: u32) -> Calendar {
    let mut calendar = Calendar::new(agents as usize);
    for agent in 0..agents {
        let at = i64::from(agent) * 7919 % 1_000_003;
        calendar.set(Agent(agent), Some((Time::from_ticks(at), Phase::FIRST)));
    }
    calendar
}

#[library_benchmark]
#[bench::customers_100_000(args = (100_000), setup = queue)]
fn mm1_with_accounts(ready: Watched) -> Watched {
    black_box(run(ready))
}

#[library_benchmark]
#[bench::fcfs(args = ("fcfs"), setup = kth)]
#[bench::easy(args = ("easy"), setup = kth)]
#[bench::conservative(args = ("conservative"), setup = kth)]
fn kth_with_accounts(ready: Watched) -> Watched {
    black_box(run(ready))
}

// 100 clusters of 16 sizes.
#[library_benchmark]
#[bench::jobs_20_000(args = (20_000), setup = under_grid_submission)]
fn grid_submission_with_accounts(ready: Watched) -> Watched {
    black_box(run(ready))
}

// 10 000 events: the first agent is rescheduled after a pseudo-random gap.
#[library_benchmark]
#[bench::agents_10(args = (10), setup = calendar)]
#[bench::agents_1000(args = (1000), setup = calendar)]
fn calendar_10_000_events(mut calendar: Calendar) -> Calendar {
    for event in 0..10_000_i64 {
        if let Some(((time, phase), agent)) = calendar.first() {
            let gap = Span::from_ticks(event * 7919 % 2_000_003);
            calendar.set(agent, Some((time + gap, phase)));
        }
    }
    black_box(calendar)
}

// A round of 1000 units in which all but the last take part, together with its counterfactuals: the
// last one joining, and each one alone.
#[library_benchmark]
#[bench::clusters_10(args = (10), setup = coalition)]
#[bench::clusters_1000(args = (1000), setup = coalition)]
fn coalition_round(mut game: Game) -> (Game, Outcome) {
    let clusters = game.players();
    let mut acts = vec![Act::In(Terms::ANY); clusters];
    acts[clusters - 1] = Act::Out;
    let wanted = vec![Wanted { stayed_out: true, instead: true, rules: false }; clusters];
    let mut outcome = Outcome::default();
    game.begin(0, &acts, &wanted).expect("jobs can be drawn");
    while game.advance().expect("jobs can be drawn") {}
    game.outcome(&mut outcome).expect("jobs can be drawn");
    black_box((game, outcome))
}

#[library_benchmark]
fn swf_survey_and_read_kth() -> Vec<Job> {
    black_box(parse(&KTH.path().expect("it is part of the project")))
}

library_benchmark_group!(
    name = hot_path,
    benchmarks = [
        mm1_with_accounts,
        kth_with_accounts,
        grid_submission_with_accounts,
        calendar_10_000_events,
        coalition_round,
        swf_survey_and_read_kth
    ]
);

main!(library_benchmark_groups = hot_path);

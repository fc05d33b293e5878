//! Work sent and received under BILB, by the load of a member at the balancing.

use super::play::{Setup, each_round};
use super::readings::MOST;
use crate::row::Row;
use crate::sample::mean;
use crate::verdict::{Measured, Verdict};
use crate::{Bench, StudyError};
use kernel::state::{Corrupt, State};
use kernel::time::Span;
use policy::coalition::bilb::{self, Bilb};
use policy::coalition::{Balancer as _, Member, Move};
use sim::pool::{Balanced, PoolObserver};

/// Number of groups: members are ranked by load at each balancing and grouped into fifths.
const FIFTHS: usize = 5;
/// Clusters of the grid.
const CLUSTERS: usize = 10;

/// Sums over the balancings of a round that found any work.
#[derive(Clone, Debug)]
struct ByLoad {
    balancings: f64,
    /// For each fifth, least loaded first: units of load, received and sent.
    fifths: [[f64; 3]; FIFTHS],
    /// Number of balancings in which the overloaded cluster had the longest queue.
    ///
    /// `disturbed` counts those among them in which the others' exchanges would be different
    /// without it.
    longest: u64,
    disturbed: u64,
    without: Bilb,
    moves: Vec<Move>,
}

impl ByLoad {
    fn new() -> ByLoad {
        let options = bilb::Options { unit: Some(1.0), ..Default::default() };
        ByLoad {
            balancings: 0.0,
            fifths: Default::default(),
            longest: 0,
            disturbed: 0,
            without: Bilb::new(&options),
            moves: Vec::new(),
        }
    }

    /// Net units received by a member of a fifth, per balancing.
    fn net(&self, fifth: usize) -> f64 {
        let [_, received, sent] = self.fifths[fifth];
        (received - sent) / self.balancings.max(1.0) / (CLUSTERS / FIFTHS) as f64
    }
}

impl State for ByLoad {
    fn save(&self, _: &mut Vec<u8>) {}
    fn load(&mut self, _: &mut &[u8]) -> Result<(), Corrupt> {
        Ok(())
    }
}

impl PoolObserver for ByLoad {
    fn sees_balancings(&self) -> bool {
        true
    }

    fn balanced(&mut self, balanced: Balanced<'_>) {
        let Balanced { now, members, moves, .. } = balanced;
        if members.len() < CLUSTERS || members.iter().all(|member| member.load() == Span::ZERO) {
            return;
        }
        self.balancings += 1.0;
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by_key(|&member| (members[member].load(), member));
        let mut places = vec![0; members.len()];
        for (place, &member) in order.iter().enumerate() {
            places[member] = place * FIFTHS / members.len();
            self.fifths[places[member]][0] += members[member].load().as_units();
        }
        for one in moves {
            self.fifths[places[one.to as usize]][1] += one.amount.as_units();
            self.fifths[places[one.from as usize]][2] += one.amount.as_units();
        }
        if order.last() == Some(&0) {
            self.longest += 1;
            let others: Vec<Member> = members[1..].to_vec();
            self.moves.clear();
            self.without.balance(now, Span::UNIT, &others, &mut self.moves);
            let theirs =
                moves.iter().filter(|one| one.from != 0).map(|one| (one.from, one.to, one.amount));
            let alone = self.moves.iter().map(|one| (one.from + 1, one.to + 1, one.amount));
            self.disturbed += u64::from(!theirs.eq(alone));
        }
    }
}

/// Ten clusters, one of them overloaded.
pub(super) fn by_load(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let setup = Setup::mixed(CLUSTERS, 2.0).levels(5).leader(MOST);
    let rounds = bench.effort.samples.div_ceil(4).max(10);
    let played = each_round(bench, &setup, rounds.into(), ByLoad::new)?;
    let over = |of: &dyn Fn(&ByLoad) -> f64| mean(played.iter().map(of));
    let place = "7";
    let names = ["least loaded", "second", "middle", "fourth", "most loaded"];
    let mut rows = Vec::new();
    for (fifth, name) in names.into_iter().enumerate() {
        let per_member = |part: usize| {
            let each = (CLUSTERS / FIFTHS) as f64;
            over(&|one| one.fifths[fifth][part] / one.balancings.max(1.0) / each).value
        };
        let [load, received, sent] = [0, 1, 2].map(per_member);
        let what = format!(
            "BILB, n = 10, level 5: units received - sent per balancing, {name} fifth by load"
        );
        let note = format!("mean load {load:.2}, received {received:.3}, sent {sent:.3}");
        let ours = over(&|one| one.net(fifth));
        let row = Row::new("LB-D-01", place, what);
        rows.push(match fifth {
            0 => row.positive(ours).note(note),
            4 => row.negative(ours).note(note),
            _ => row.shown(ours).note(note),
        });
    }
    // Paired by balancing, so randomness cancels out.
    let steps: Vec<Measured> =
        (1..FIFTHS).map(|fifth| over(&|one| one.net(fifth) - one.net(fifth - 1))).collect();
    let falls = steps.iter().all(|step| step.below(0.0) == Verdict::Agrees);
    rows.push(
        Row::new("LB-D-01", place, "the difference falls from each fifth to the next").holds(falls),
    );
    let [longest, disturbed] = [|one: &ByLoad| one.longest, |one: &ByLoad| one.disturbed]
        .map(|of| played.iter().map(of).sum::<u64>());
    let what = "balancings in which the overloaded cluster has the longest queue and changes what the \
                others exchange";
    rows.push(
        Row::new("LB-D-01", place, what)
            .found(0.0, disturbed as f64, Verdict::of(disturbed == 0))
            .note(format!("of {longest} balancings in which it has the longest queue")),
    );
    Ok(rows)
}

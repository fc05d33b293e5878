//! BILB written straight from its definition, step by step, in whole numbers.

/// A coalition in whole units.
pub struct Coalition {
    pub loads: Vec<i64>,
    /// Largest amount that each may send.
    pub own: Vec<i64>,
    pub levels: Vec<Option<i64>>,
}

/// Which bounds are those of the printed text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Printed {
    pub sender: bool,
    pub receiver: bool,
}

/// The transfers of BILB, in whole units.
#[derive(Debug, Default, PartialEq)]
pub struct Bilb {
    pub order: Vec<usize>,
    /// By member, the mean when it had its turn; 0 for the first of the order.
    pub means: Vec<i64>,
    /// From, to, how much, and when it will be done.
    pub parts: Vec<(usize, usize, i64, i64)>,
    pub phi: Vec<i64>,
    pub psi: Vec<i64>,
    pub interval: i64,
}

fn divided_up(amount: i64, by: usize) -> i64 {
    let by = i64::try_from(by).expect("few");
    amount.div_euclid(by) + i64::from(amount.rem_euclid(by) > 0)
}

pub fn bilb(coalition: &Coalition, printed: Printed) -> Bilb {
    let Coalition { loads, own, levels } = coalition;
    let n = loads.len();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&i| (loads[i], i));
    let mut result = Bilb {
        order: order.clone(),
        means: vec![0; n],
        phi: vec![0; n],
        psi: vec![0; n],
        ..Bilb::default()
    };
    for count in 2..=n {
        let k = order[count - 1];
        let mean = divided_up(order[..count].iter().map(|&i| loads[i]).sum(), count);
        result.means[k] = mean;
        let above = loads[k] - mean;
        let most = match levels[k] {
            None if printed.sender => i64::MAX,
            None => above,
            Some(level) if printed.sender => above.max(level),
            Some(level) => above.min(level),
        };
        let mut rest = most.min(own[k]).max(0);
        let (phi, psi) = (&result.phi, &result.psi);
        let space = |i: usize| {
            let queue = loads[i] + phi[i] - psi[i];
            let counted = if printed.receiver { loads[i] + phi[i] } else { queue };
            let below_level = levels[i].map_or(i64::MAX, |level| level - queue);
            (mean - counted).min(below_level).max(0)
        };
        let mut receivers: Vec<(i64, usize)> =
            order[..count - 1].iter().map(|&i| (space(i), i)).collect();
        receivers.sort_unstable();
        for (place, &(space, i)) in receivers.iter().enumerate() {
            let give = space.min(divided_up(rest, receivers.len() - place));
            if give > 0 {
                rest -= give;
                result.phi[i] += give;
                result.psi[k] += give;
                let done = loads[i] + result.phi[i] - result.psi[i];
                result.parts.push((k, i, give, done));
            }
        }
    }
    let queue = |i: usize| loads[i] + result.phi[i] - result.psi[i];
    let busy = (0..n).filter(|&i| result.phi[i] > 0).map(queue).max();
    result.interval = busy.unwrap_or(0);
    result
}

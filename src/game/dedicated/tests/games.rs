//! The game of ordering, its coalitions and its control, against enumeration.

use super::*;

/// The game as a table of all strategies: an owner's are the orders of all its processors.
fn in_normal_form(instance: &Dedicated) -> (Vec<Vec<Vec<Order>>>, Matrix) {
    let of = |owner: u32| -> Vec<Vec<Order>> {
        let own = instance.processors().iter().filter(|one| one.owner() == owner);
        let own: Vec<Processor> = own.cloned().collect();
        schedules(&Dedicated { owners: instance.owners(), processors: own })
    };
    let strategies: Vec<_> = (0..instance.owners() as u32).map(of).collect();
    let choices: Vec<u32> = strategies.iter().map(|all| all.len() as u32).collect();
    let game = OneShot::new(instance);
    let matrix = Matrix::new(&choices, |player, profile| {
        game.payoffs(&schedule_of(instance, &strategies, profile))[player] as f64
    });
    (strategies, matrix)
}

fn schedule_of(instance: &Dedicated, all: &[Vec<Vec<Order>>], profile: &[u32]) -> Schedule {
    let mut taken = vec![0; instance.owners()];
    let order = |processor: &Processor| {
        let owner = processor.owner() as usize;
        taken[owner] += 1;
        all[owner][profile[owner] as usize][taken[owner] - 1].clone()
    };
    instance.processors().iter().map(order).collect()
}

#[test]
fn equilibria_are_those_of_the_table() {
    let (mut unique, mut several) = (0, 0);
    for instance in instances(8).filter(|one| one.owners() > 1) {
        let (strategies, matrix) = in_normal_form(&instance);
        let game = OneShot::new(&instance);
        let mut sums = Vec::new();
        for profile in matrix.profiles() {
            let schedule = schedule_of(&instance, &strategies, &profile);
            let is_one = matrix.is_equilibrium(&profile);
            assert_eq!(game.is_equilibrium(&schedule), is_one, "{instance:?} {schedule:?}");
            if is_one {
                sums.push(instance.sums(&schedule).iter().sum::<i64>());
            }
        }
        let found = game.equilibria().expect("it is small");
        assert_eq!(found.count, sums.len() as u128, "{instance:?}");
        assert_eq!(Some(found.best), sums.iter().copied().min());
        assert_eq!(Some(found.worst), sums.iter().copied().max());
        assert!(found.price_of_anarchy() >= found.price_of_stability());
        let two = instance.owners() == 2;
        assert!(!two || found.count == 1, "two owners have one equilibrium: {instance:?}");
        (unique, several) = (unique + u32::from(two), several + u32::from(found.count > 1));
        // My jobs first is dominant for each owner, if only weakly against other foreign orders.
        for (owner, all) in strategies.iter().enumerate() {
            let own = |one: &&Processor| one.owner() as usize == owner;
            let mine: Vec<Order> =
                instance.processors().iter().filter(own).map(Processor::own_first).collect();
            let mine = all.iter().position(|one| *one == mine).expect("it is one");
            for other in (0..all.len()).filter(|&other| other != mine) {
                let how = matrix.dominates(owner, mine as u32, other as u32);
                let is_beaten = matrix.dominates(owner, other as u32, mine as u32).is_some();
                assert!(!is_beaten && how != Some(Dominance::Weak), "{instance:?}");
            }
        }
    }
    assert!(unique > 10 && several > 5, "{unique} {several}");
}

/// Figure 2: a large local job and n small foreign ones on each of two processors.
#[test]
fn the_price_of_anarchy_tends_to_n_plus_one() {
    for jobs in [1, 2, 5, 10_i64] {
        let (large, small) = (1_000_000, 1);
        let foreign = vec![small; jobs as usize];
        let sizes = [vec![vec![large], foreign.clone()], vec![foreign, vec![large]]];
        let instance = Dedicated::square(&sizes).expect("sizes are in range");
        let one = (jobs + 1) * large + small * jobs * (jobs + 1) / 2;
        assert_eq!(instance.sums(&instance.own_first()), [one, one]);
        let best = small * jobs * (jobs + 1) / 2 + jobs * small + large;
        assert_eq!(instance.sums(&instance.shortest_first()), [best, best]);
        let found = OneShot::new(&instance).equilibria().expect("it is small");
        let n = jobs as f64;
        let price = found.price_of_anarchy();
        // (n + 1) p + e over p + e': below n + 1 by less than (n + 1) e' / p.
        assert!(
            price <= n + 1.0 && n + 1.0 - price < (n + 1.0) * (n + 2.0).powi(2) / 1e6,
            "{price}"
        );
        assert_eq!(found.price_of_stability(), price);
    }
}

/// A single owner reaches 0, all together reach the payoffs of the Pareto front, and those who serve
/// each other first can block.
#[test]
fn coalitions_reach_what_they_reach_by_enumeration() {
    for instance in instances(6).filter(|one| one.owners() > 1) {
        let game = instance.cooperation(Limit::default()).expect("it is small");
        let alone = instance.sums(&instance.own_first());
        for coalition in 1..1_u32 << instance.owners() {
            let is_in = |owner: u32| coalition >> owner & 1 == 1;
            let members: Vec<usize> =
                (0..instance.owners()).filter(|&one| is_in(one as u32)).collect();
            let mut payoffs = Vec::new();
            for schedule in schedules(&instance) {
                let follows = instance.processors().iter().zip(&schedule).all(|(one, order)| {
                    match is_in(one.owner()) {
                        // Members' jobs stand before all others, which are shortest first.
                        true => {
                            let outside: Vec<u32> =
                                order.iter().copied().filter(|&owner| !is_in(owner)).collect();
                            let rest = one.served_first(is_in);
                            rest.ends_with(&outside) && order.ends_with(&outside)
                        }
                        false => *order == one.own_first(),
                    }
                });
                if follows {
                    let sums = instance.sums(&schedule);
                    payoffs.push(
                        members.iter().map(|&one| sums[one] - alone[one]).collect::<Vec<_>>(),
                    );
                }
            }
            // As costs: the gain with the other sign.
            let all = Points::of(members.len(), payoffs.iter().map(|one| &one[..]));
            let costs: Vec<Vec<i64>> = game
                .reach(coalition)
                .iter()
                .map(|one| one.iter().map(|gain| -gain).collect())
                .collect();
            let reached = Points::of(members.len(), costs.iter().map(|one| &one[..]));
            assert_eq!(reached.sorted(), pareto_front(all), "{instance:?} {coalition:b}");
        }
    }
}

/// Every choice of owners, against the schedule in which just they are controlled.
#[test]
fn control_is_what_every_choice_of_owners_brings() {
    for instance in instances(10) {
        let sum = |schedule: &[Order]| instance.sums(schedule).iter().sum::<i64>() as f64;
        let optimum = sum(&instance.shortest_first());
        let found = instance.control();
        assert_eq!(found.len(), instance.owners() + 1);
        for row in found {
            let choices = (0..1_u32 << instance.owners())
                .filter(|choice| choice.count_ones() as usize == row.controlled);
            let prices: Vec<f64> = choices
                .map(|choice| instance.controlled(|owner| choice >> owner & 1 == 1))
                .map(|schedule| if optimum == 0.0 { 1.0 } else { sum(&schedule) / optimum })
                .collect();
            let mean = prices.iter().sum::<f64>() / prices.len() as f64;
            let least = prices.iter().copied().fold(f64::INFINITY, f64::min);
            let most = prices.iter().copied().fold(0.0, f64::max);
            for (ours, expected) in [(row.least, least), (row.mean, mean), (row.most, most)] {
                assert!((ours - expected).abs() < 1e-9, "{instance:?} {row:?} {expected}");
            }
        }
    }
}

//! All orders of a processor, and the paper's code for those of two owners.

use super::{Order, Processor};

impl Processor {
    /// Number of orders: the multinomial coefficient of the owners' numbers of jobs.
    pub fn orders(&self) -> u128 {
        let (mut orders, mut placed) = (1_u128, 0_u128);
        for sizes in &self.sizes {
            for one in 1..=sizes.len() as u128 {
                placed += 1;
                // Exact: the product is a binomial coefficient times the one before.
                orders = match orders.checked_mul(placed) {
                    Some(product) => product / one,
                    None => return u128::MAX,
                };
            }
        }
        orders
    }

    /// All orders, lexicographically.
    pub fn all_orders(&self) -> impl Iterator<Item = Order> + use<> {
        let first = self.sizes.iter().enumerate();
        let first = first.flat_map(|(owner, sizes)| std::iter::repeat_n(owner as u32, sizes.len()));
        std::iter::successors(Some(first.collect()), |order: &Order| next_permutation(order))
    }
}

/// The next permutation of a list that may repeat entries, lexicographically.
pub(super) fn next_permutation<T: Copy + Ord>(list: &[T]) -> Option<Vec<T>> {
    let rise = list.windows(2).rposition(|pair| pair[0] < pair[1])?;
    let other = list.iter().rposition(|&entry| entry > list[rise])?;
    let mut next = list.to_vec();
    next.swap(rise, other);
    next[rise + 1..].reverse();
    Some(next)
}

/// The paper's code of an order of two owners (section 2.3): for each foreign job, the place before
/// the first local job (1), before the second (2), ..., or behind the last one.
pub fn multiset(order: &[u32], owner: u32) -> Vec<u32> {
    let mut place = 1;
    let mut places = Vec::new();
    for &entry in order {
        match entry == owner {
            true => place += 1,
            false => places.push(place),
        }
    }
    places
}

/// The order of a processor of `owner` with so many local jobs, from the code of the other owner's.
pub fn of_multiset(places: &[u32], owner: u32, other: u32, local: u32) -> Order {
    let mut order = Order::new();
    for place in 1..=local + 1 {
        order.extend(places.iter().filter(|&&one| one == place).map(|_| other));
        if place <= local {
            order.push(owner);
        }
    }
    order
}

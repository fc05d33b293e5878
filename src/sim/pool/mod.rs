//! The Pool: divisible load on time-shared clusters that serve first come first served, and a
//! balancer over the members of a coalition.

pub mod turn;

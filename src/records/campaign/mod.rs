//! The records of a campaign.

pub mod cost;
pub mod records;

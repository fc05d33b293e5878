//! Typed indices, so that an organization's number cannot be mistaken for a cluster's.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the id as an index into the table of its kind.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// An organization, by its position in the scenario.
    OrganizationId
}
id! {
    /// A cluster, by its position in the scenario.
    ClusterId
}
id! {
    /// A live job. The number is that of its slot, which is reused after the job is gone; its
    /// source and its number there identify a job permanently (see [`Job`](super::job::Job)).
    JobId
}

/// A list of clusters that jobs may use. Organizations with the same list share it.
pub type Uses = Arc<[ClusterId]>;

//! Typed indices: an organization's number cannot be taken for a cluster's.

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index into the table of its kind.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// An organization, by its place in the scenario.
    OrganizationId
}
id! {
    /// A cluster, by its place in the scenario.
    ClusterId
}
id! {
    /// A job that is alive. The number is that of its slot and is used again after the job is gone;
    /// what identifies a job for ever is its source and its number there (see
    /// [`Job`](super::job::Job)).
    JobId
}

//! Ways to cheat a balancer, as they are written (Rzadca and Trystram 2009, section 7).

use model::bounds::{Bounds, parameters};

parameters! {
    /// `organization.lies`: how members cheat, by the queue that they declare, by delays or by work of no
    /// worth; in a federation by the runtimes of their jobs. With a longer queue a member keeps what it
    /// promises; with a shorter one or a delay it may not.
    #[serde(default)]
    pub struct Lies {
        /// Factor of the declared queue: above 1 it is longer than the true one, below 1 shorter. In a
        /// federation, of the runtimes that others expect of the jobs that it submits while it is in.
        factor: f64 as FACTOR = 1.0,
        /// Work added to it, in units of time. It cannot be sent.
        add: f64 as WORK = 0.0,
        /// Declares at least its participation level.
        at_least_level: bool = false,
        /// Time by which it does others' work later than it could, in units of time. Own jobs that come
        /// later are done before it, as long as it takes no longer.
        delay: f64 as WORK = 0.0,
        /// Work without worth that it has ready at every balancing, in units of time. It is sent before
        /// jobs; none of it is done at home, and no flow time counts it.
        dummy: f64 as WORK = 0.0,
        /// Comes back under a new name once it is excluded.
        new_name: bool = false,
        /// Number of its `count` organizations that lie, the first ones; all by default.
        #[serde(skip_serializing_if = "Option::is_none")]
        of: Option<u32> = None,
    }
}

const FACTOR: Bounds<'_> = Bounds::of("a factor").from(0.0).to(1000.0);
const WORK: Bounds<'_> = Bounds::of("an amount of work").unit("units of time").from(0.0).to(1e9);

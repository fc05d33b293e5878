//! The grids of section 4.2.2 of the paper: clusters whose jobs come at the rate .2, with gamma
//! sizes of mean 4, one of them perhaps overloaded with mean 9, in independent rounds of 1000 that
//! are balanced by averaging. Submissions are rounded down to whole units, sizes up.

use std::sync::Arc;

use gridpact::kernel::rng::Streams;
use gridpact::kernel::time::Span;
use gridpact::model::ids::OrganizationId;
use gridpact::policy::coalition::{AnyBalancer, BalancerOptions, averaging};
pub use gridpact::sim::pool::Sends;
use gridpact::sim::pool::{AsLoad, Balances, Balancing, Loads, PoolGame, Presence, Rounds, Season};
use gridpact::workload::arrivals::Arrivals;
use gridpact::workload::draw::Sizes;
use gridpact::workload::rounding::{Rounding, RoundingOptions};
use gridpact::workload::synthetic::{Synthetic, SyntheticModel, SyntheticOptions};

pub type Grid = PoolGame<Synthetic, AnyBalancer, ()>;

fn model(shape: f64) -> Arc<SyntheticModel> {
    let rounding = RoundingOptions { arrivals: Some(Rounding::Floor), size: Some(Rounding::Ceil) };
    let size = Sizes::gamma(shape, shape);
    let options =
        SyntheticOptions { rounding, ..SyntheticOptions::new(Arrivals::poisson(0.2), size) };
    Arc::new(SyntheticModel::new(options).expect("the parameters can be"))
}

/// Clusters of one kind, of which the first is perhaps overloaded.
pub fn grid(clusters: u32, is_first_overloaded: bool, sends: Sends, streams: Streams) -> Grid {
    let (typical, overloaded) = (model(2.0), model(3.0));
    let as_load = AsLoad { processors: 1, unit: Span::TICK };
    let loads = (0..clusters).map(|cluster| {
        let model = if cluster == 0 && is_first_overloaded { &overloaded } else { &typical };
        let (name, organization) = (format!("organization/{cluster}"), OrganizationId(cluster));
        let source = Synthetic::of(Arc::clone(model), &name, cluster, organization, &streams);
        Loads::new(source, as_load)
    });
    let balancer = BalancerOptions::Averaging(averaging::Options {
        unit: Some(1.0),
        ..averaging::Options::default()
    });
    let balances = Balances::default();
    let balancing =
        Balancing { unit: balancer.unit(), spacing: balancer.spacing(), sends, balances };
    let season = Season {
        period: Span::units(1000),
        window: Span::units(200)..Span::units(800),
        rounds: Rounds::Independent,
    };
    let presence = vec![Presence::default(); clusters as usize];
    let built = balancer.build();
    PoolGame::new(loads.collect(), presence, built, balancing, season, streams, ())
        .expect("drawn jobs need no file")
}

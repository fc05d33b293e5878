//! Lower bounds and optima of the vectors of online grids.

use gridpact::bounds::instance::Instance;
use gridpact::bounds::lower::LowerBound;
use gridpact::bounds::optimum::optimum;
use gridpact::kernel::time::Time;

use crate::online_vectors::vectors;

fn lower_bound(instance: &Instance) -> LowerBound {
    let mut bound = LowerBound::new(&instance.clusters);
    for task in &instance.tasks {
        bound.add(task.processors, task.length, task.release);
    }
    bound
}

#[test]
fn lower_bounds_are_those_of_the_vectors() {
    for vector in vectors() {
        let bound = lower_bound(&vector.instance());
        assert_eq!(bound.value().to_string(), vector.lower_bound, "{}", vector.name);
        let text = serde_json::to_string(&bound).unwrap();
        assert_eq!(serde_json::from_str::<LowerBound>(&text).unwrap(), bound);
    }
}

#[test]
fn optima_are_those_of_the_vectors() {
    let mut compared = 0;
    for vector in vectors() {
        let (name, instance) = (&vector.name, vector.instance());
        let found = optimum(&instance, 200_000).unwrap();
        assert_eq!(instance.makespan(&found.schedule), Ok(found.makespan.upper()), "{name}");
        if let Some(optimum) = vector.optimum {
            assert_eq!(found.makespan.proved(), Some(Time::from_ticks(optimum)), "{name}");
            compared += 1;
        }
        let upper = vector.opt_upper.or(vector.optimum).unwrap();
        assert!(found.makespan.lower().ticks() <= upper, "{name}");
    }
    assert_eq!(compared, 12);
}

//! Figure 16: the makespan by stage of Game-storage, by the letter of the equations.
//!
//! The planner ends with the first stage that brings nothing, so its course does not show what follows.
//! Here all stages are played. Where a site lacks storage, its shares are scaled down; or they are first
//! divided anew by equation 22, and then scaled, as that equation alone need not end.

use super::drawn::{Instance, Shape};
use super::letter::{Letter, Matrix, peaks, settled};
use crate::StudyError;
use crate::lines::code::{Asked, Figures};
use crate::picture::{Curve, Picture};
use report::picture::Scale;

/// Instances in the picture, as in the paper.
const DRAWN: usize = 5;

/// Treatment of shares that take too much storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repair {
    /// There are no limits.
    None,
    /// Scaled down to what there is.
    Scaled,
    /// Divided by equation 22, and scaled down if that is not enough.
    Divided,
}

const REPAIRS: [(Repair, &str); 3] = [
    (Repair::Scaled, "scaled"),
    (Repair::Divided, "equation 22, then scaled"),
    (Repair::None, "without limits"),
];

/// Storage of a task of each class, and the limit of each site.
struct Storage {
    needs: Vec<f64>,
    limits: Vec<f64>,
}

impl Storage {
    fn of(instance: &Instance) -> Storage {
        let needs = instance.work.classes.iter().map(|class| class.needs[0] as f64);
        let limits = instance.sites.iter().map(|site| site.limits[0] as f64);
        Storage { needs: needs.collect(), limits: limits.collect() }
    }

    /// Storage that the shares of a site take, in that of the site.
    fn taken(&self, theta: &Matrix, site: usize) -> f64 {
        let held = theta.iter().zip(&self.needs).map(|(row, need)| row[site] * need);
        held.sum::<f64>() / self.limits[site]
    }

    /// Makes shares fit (equation 20).
    fn repair(&self, repair: Repair, letter: &Letter, delta: &Matrix, theta: &mut Matrix) {
        if repair == Repair::None {
            return;
        }
        // The sum of equation 21 cancels within a site.
        let weights = self.needs.iter().map(|need| vec![1.0 / need; self.limits.len()]).collect();
        let divided = letter.divided(delta, &weights);
        for site in letter.sites() {
            let is_short = self.taken(theta, site) > 1.0;
            if is_short && repair == Repair::Divided {
                theta.iter_mut().zip(&divided).for_each(|(row, other)| row[site] = other[site]);
            }
            let taken = self.taken(theta, site).max(1.0);
            theta.iter_mut().for_each(|row| row[site] /= taken);
        }
    }
}

/// The makespan of the first game after each stage.
fn makespans(instance: &Instance, repair: Repair, stages: usize) -> Vec<f64> {
    let (letter, storage) = (Letter::of(instance), Storage::of(instance));
    let weights = letter.weights();
    let mut delta = letter.first();
    let mut found = Vec::with_capacity(stages);
    for _ in 0..stages {
        let mut theta = letter.divided(&delta, &weights);
        storage.repair(repair, &letter, &delta, &mut theta);
        found.push(letter.ends(&theta).into_iter().fold(0.0, f64::max));
        delta = letter.distributed(&theta);
    }
    found
}

/// Figure 16: the makespan by stage under each repair; the first instances are drawn.
pub(super) fn figure_16(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let shape: Shape = asked.options()?;
    let stages = shape.stages as usize;
    let all = asked.bench.each(asked.samples.into(), |sample| {
        let instance = shape.draw(asked.seed, sample)?;
        Ok(REPAIRS.map(|(repair, _)| makespans(&instance, repair, stages)))
    })?;
    let mut found = Figures::new();
    for (at, (_, name)) in REPAIRS.into_iter().enumerate() {
        let mut add = |figure: &str, of: &dyn Fn(&[Vec<f64>; 3]) -> f64| {
            found.insert(format!("{name}: {figure}"), all.iter().map(of).collect());
        };
        add("change", &|one| libm::log(one[at][stages - 1] / one[at][0]));
        add("peaks", &|one| peaks(&one[at]) as f64);
        add("settled", &|one| settled(&one[at]));
    }
    let drawn = &all[..all.len().min(DRAWN)];
    let curve = |at: usize| {
        let name = REPAIRS[at].1;
        let part = |one: &[Vec<f64>; 3], stage: usize| one[at][stage] / one[2][stages - 1];
        let points = |one: &[Vec<f64>; 3]| {
            (0..stages).map(|stage| (stage as f64 + 1.0, part(one, stage))).collect()
        };
        let parts = (1..).zip(drawn).map(|(at, one)| (format!("{name}, {at}"), points(one)));
        Curve::mean(name, parts.collect())
    };
    let curves: Vec<Curve> = (0..REPAIRS.len()).map(curve).collect();
    let points = curves.iter().flat_map(|curve| curve.parts.iter().flat_map(|part| &part.1));
    let (least, most) =
        points.fold((1.0, 1.0), |(low, high), one| (one.1.min(low), one.1.max(high)));
    asked.bench.draw(Picture {
        name: "16",
        title: "convergence of Game-storage".to_owned(),
        caption: format!("{} drawn instances of table 7", drawn.len()),
        axes: ["stage", "makespan in the last without limits"],
        scale: Scale::Linear((10.0 * least).floor() / 10.0, (10.0 * most).ceil() / 10.0),
        curves,
        paper: Vec::new(),
    });
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both classes hold 3 a task, and a site of four has 6: two processors in all for the two classes.
    #[test]
    fn shares_are_made_to_fit() {
        let instance = Instance::bag(&[4], &[8, 8], &[&[1.0], &[1.0]]);
        let letter = Letter::of(&instance);
        let storage = Storage { needs: vec![3.0, 3.0], limits: vec![6.0] };
        let delta = letter.first();
        for repair in [Repair::Scaled, Repair::Divided] {
            let mut theta = letter.divided(&delta, &letter.weights());
            assert_eq!(storage.taken(&theta, 0), 2.0);
            storage.repair(repair, &letter, &delta, &mut theta);
            assert_eq!(theta, [[1.0], [1.0]]);
        }
    }

    #[test]
    fn limits_that_never_bind_change_nothing() {
        let instance = Instance::bag(&[3, 2], &[5, 5], &[&[15.0, 10.0], &[8.0, 9.0]]);
        let free = makespans(&instance, Repair::None, 20);
        for repair in [Repair::Scaled, Repair::Divided] {
            assert_eq!(makespans(&instance, repair, 20), free);
        }
    }
}

//! Points of the unit cube at which to run a model: Latin hypercubes, Sobol points, and the designs
//! of Sobol sensitivity indices.
//!
//! A Latin hypercube (McKay, Beckman and Conover, Technometrics 21(2), 1979) cuts each dimension
//! into as many strata as there are points and puts one point in each. Sobol points also fill boxes
//! of two and more dimensions evenly. Their direction numbers are those of Joe and Kuo (SIAM J.
//! Sci. Comput. 30(5), 2008). Owen's scrambling by a hash (Burley, J. Computer Graphics Techniques
//! 9(4), 2020; hash of the library) makes each point uniform and keeps the balance of the first 2^m.
//!
//! All coordinates lie strictly between 0 and 1, so that a quantile function can take any of them.
//! They are midpoints of a grid of 2^32 cells, computed with integers: bit-identical on every
//! platform.

use rand::Rng as _;
use rand::seq::SliceRandom as _;
use sobol_burley::{NUM_DIMENSIONS, parts};

use kernel::rng::Rng;

/// Largest number of Sobol points.
pub const MOST_POINTS: usize = 1 << 16;
/// Largest number of dimensions of Sobol points.
pub const MOST_DIMENSIONS: usize = NUM_DIMENSIONS as usize;
/// Number of cells in which a coordinate can lie, 2^32.
const CELLS: f64 = 4_294_967_296.0;

/// A design that Sobol points cannot provide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// More than [`MOST_POINTS`].
    #[error("{0} points are too many for a Sobol sequence: take {MOST_POINTS} at most")]
    Points(usize),
    /// More than [`MOST_DIMENSIONS`]; indices need two for each parameter.
    #[error("{0} dimensions are too many for a Sobol sequence: take {MOST_DIMENSIONS} at most")]
    Dimensions(usize),
}

/// Draws a Latin hypercube: in each dimension, one point lies in each of the `points` strata, at a
/// uniform place in it. Strata are exact for up to 2^20 points. O(`points` * `dimensions`).
///
/// ```
/// use gridpact_stats::design;
/// use kernel::rng::Streams;
///
/// let design = design::latin_hypercube(2, 3, &mut Streams::new(1).stream("design"));
/// assert_eq!((design.len(), design[0].len()), (2, 3));
/// assert!((0..3).all(|at| (design[0][at] < 0.5) != (design[1][at] < 0.5)));
/// ```
pub fn latin_hypercube(points: usize, dimensions: usize, rng: &mut Rng) -> Vec<Vec<f64>> {
    let mut design = vec![vec![0.0; dimensions]; points];
    let mut strata: Vec<usize> = (0..points).collect();
    for dimension in 0..dimensions {
        strata.shuffle(rng);
        for (point, &stratum) in design.iter_mut().zip(&strata) {
            point[dimension] = (stratum as f64 + in_cell(rng.next_u32())) / points as f64;
        }
    }
    design
}

/// Returns the first points of a scrambled Sobol sequence. Take a power of two: then they are
/// balanced. A smaller number gives the beginning of a larger one, under the same `rng`.
/// O(`points` * `dimensions`).
///
/// # Errors
/// If there are more points or dimensions than the sequence has.
pub fn sobol(points: usize, dimensions: usize, rng: &mut Rng) -> Result<Vec<Vec<f64>>, TooLarge> {
    if points > MOST_POINTS {
        return Err(TooLarge::Points(points));
    }
    if dimensions > MOST_DIMENSIONS {
        return Err(TooLarge::Dimensions(dimensions));
    }
    let scrambles: Vec<u32> = (0..dimensions).map(|_| rng.next_u32()).collect();
    let point = |at: u32| {
        (0..).zip(&scrambles).map(move |(dimension, &scramble)| {
            // The library keeps digits in reversed order between its steps.
            let digits = parts::sobol_rev(at.reverse_bits(), dimension);
            in_cell(parts::owen_scramble_rev(digits, scramble).reverse_bits())
        })
    };
    Ok((0..points as u32).map(|at| point(at).collect()).collect())
}

/// The midpoint of a cell.
fn in_cell(cell: u32) -> f64 {
    (f64::from(cell) + 0.5) / CELLS
}

/// The points that [Sobol indices](super::sensitivity) are estimated from.
///
/// Two matrices A and B of `rows` points share a Sobol sequence in twice the dimensions. The matrix
/// AB_i is A with column i taken from B (Saltelli et al., Computer Physics Communications 181(2),
/// 2010).
///
/// Column i of A and of B are neighbours, dimensions 2 i and 2 i + 1 of the sequence. The paper and
/// most libraries give A the first half of the dimensions and B the second. A first-order index
/// compares the two values of one parameter, so these should be even together, as neighbouring
/// dimensions mostly are. With 3 and 5 parameters (Ishigami's function, the g-function), errors
/// fall for most indices, for some by two thirds. With 12, those of first-order indices fall at 128
/// rows; total indices, and 512 rows, show little difference.
///
/// Points are numbered row by row: A, B, AB_0, AB_1 and so on of the first row, then of the second.
/// So a design with fewer rows is the beginning of one with more, under the same `rng`.
#[derive(Clone, Debug, PartialEq)]
pub struct Saltelli {
    dimensions: usize,
    /// Points of the sequence; the values of A and B alternate.
    rows: Vec<Vec<f64>>,
}

impl Saltelli {
    /// Creates the design; `rows` should be a power of two.
    ///
    /// ```
    /// use gridpact_stats::design::Saltelli;
    /// use kernel::rng::Streams;
    ///
    /// let mut rng = Streams::new(1).stream("design");
    /// let design = Saltelli::new(512, 3, &mut rng)?;
    /// assert_eq!(design.points().count(), 512 * (3 + 2));
    /// # Ok::<(), gridpact_stats::design::TooLarge>(())
    /// ```
    ///
    /// # Errors
    /// If there are more rows or twice the dimensions than a Sobol sequence has.
    pub fn new(rows: usize, dimensions: usize, rng: &mut Rng) -> Result<Saltelli, TooLarge> {
        let rows = sobol(rows, dimensions.saturating_mul(2), rng)?;
        Ok(Saltelli { dimensions, rows })
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.rows.len() * (self.dimensions + 2)
    }

    /// Returns true if it has no points.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the points in the order of their numbers.
    pub fn points(&self) -> impl Iterator<Item = Vec<f64>> {
        self.rows.iter().flat_map(move |row| {
            let of = |offset| row.iter().copied().skip(offset).step_by(2).collect::<Vec<f64>>();
            let (a, b) = (of(0), of(1));
            let mixed = (0..self.dimensions).map(move |at| {
                let mut point: Vec<f64> = row.iter().copied().step_by(2).collect();
                point[at] = row[2 * at + 1];
                point
            });
            [a, b].into_iter().chain(mixed)
        })
    }
}

#[cfg(test)]
mod tests;

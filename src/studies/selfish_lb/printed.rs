//! Tables of the paper, as printed.

use crate::verdict::{Printed, Rule};

/// The rule of verdicts: every figure of the paper is a mean over 1000 rounds.
pub const RULE: Rule = Rule::of(1000, "rounds");

/// Mean score with its range over clusters, and standard deviation with its range.
#[derive(Clone, Copy, Debug)]
pub struct Score(pub f64, pub f64, pub f64, pub f64);

impl Score {
    /// Mean and standard deviation with the printed unit of the last digit.
    ///
    /// `shares` are the [relative errors of one round](crate::sample::Sample::error_shares).
    pub fn printed(&self, unit: f64, shares: [f64; 2]) -> [Printed; 2] {
        let [mean, deviation] = shares.map(|share| share * self.2);
        [RULE.estimated(self.0, unit, mean), RULE.estimated(self.2, unit, deviation)]
    }
}

/// A row of Table 2 or 5.
#[derive(Clone, Copy, Debug)]
pub struct GridRow {
    /// Number of clusters.
    pub clusters: usize,
    /// Shape and scale of the job sizes of typical clusters.
    pub size: f64,
    /// Level of all clusters; `None` for averaging.
    pub level: Option<u32>,
    /// Score of all clusters but the overloaded one.
    pub typical: Score,
    /// Score of the overloaded cluster, if there is one.
    pub overloaded: Option<Score>,
}

const fn equal(clusters: usize, size: f64, level: Option<u32>, typical: Score) -> GridRow {
    GridRow { clusters, size, level, typical, overloaded: None }
}

const fn mixed(
    clusters: usize,
    size: f64,
    level: Option<u32>,
    typical: Score,
    (mean, deviation): (f64, f64),
) -> GridRow {
    let overloaded = Some(Score(mean, 0.0, deviation, 0.0));
    GridRow { clusters, size, level, typical, overloaded }
}

/// Unit of the last digit in Tables 2 and 5.
pub(crate) const HUNDREDTH: f64 = 0.01;
/// Unit of the last digit in Tables 3 and 4.
pub(crate) const THOUSANDTH: f64 = 0.001;

/// Table 2: averaging.
pub const TABLE_2: [GridRow; 16] = [
    equal(2, 2.0, None, Score(0.50, 0.00, 0.65, 0.00)),
    equal(5, 2.0, None, Score(1.25, 0.06, 1.29, 0.10)),
    equal(10, 2.0, None, Score(1.76, 0.12, 1.64, 0.11)),
    equal(30, 2.0, None, Score(2.37, 0.11, 2.06, 0.20)),
    equal(2, 1.0, None, Score(0.13, 0.00, 0.06, 0.005)),
    equal(5, 1.0, None, Score(0.23, 0.00, 0.10, 0.00)),
    equal(10, 1.0, None, Score(0.28, 0.01, 0.11, 0.01)),
    equal(30, 1.0, None, Score(0.30, 0.01, 0.12, 0.01)),
    mixed(2, 2.0, None, Score(-7.13, 0.00, 3.66, 0.00), (0.93, 0.24)),
    mixed(5, 2.0, None, Score(-1.98, 0.06, 1.53, 0.04), (5.11, 2.05)),
    mixed(10, 2.0, None, Score(-0.14, 0.03, 0.93, 0.04), (14.23, 5.53)),
    mixed(30, 2.0, None, Score(1.55, 0.11, 1.57, 1.17), (36.99, 9.29)),
    mixed(2, 1.0, None, Score(-24.21, 0.00, 12.29, 0.00), (4.45, 2.14)),
    mixed(5, 1.0, None, Score(-0.55, 0.01, 0.27, 0.01), (62.42, 11.92)),
    mixed(10, 1.0, None, Score(0.01, 0.00, 0.10, 0.01), (98.67, 18.96)),
    mixed(30, 1.0, None, Score(0.23, 0.01, 0.11, 0.01), (131.99, 25.42)),
];

/// Table 5: BILB.
///
/// In rows with an overloaded cluster the printed columns are shifted: its mean and deviation come
/// first, then the typical mean with its range, then the typical deviation with its range. Here
/// each is in its right place, as a comparison with Table 4 shows.
pub(crate) const TABLE_5: [GridRow; 16] = [
    equal(2, 2.0, Some(1000), Score(0.65, 0.00, 0.73, 0.010)),
    equal(5, 2.0, Some(1000), Score(2.00, 0.10, 1.72, 0.14)),
    equal(10, 2.0, Some(1000), Score(3.15, 0.17, 2.45, 0.22)),
    equal(30, 2.0, Some(1000), Score(4.56, 0.30, 3.36, 0.24)),
    equal(2, 1.0, Some(1000), Score(0.64, 0.02, 0.79, 0.01)),
    equal(5, 1.0, Some(1000), Score(1.65, 0.07, 1.64, 0.12)),
    equal(10, 1.0, Some(1000), Score(3.15, 0.01, 2.41, 0.14)),
    equal(30, 1.0, Some(1000), Score(4.55, 0.40, 3.32, 0.60)),
    mixed(2, 2.0, Some(1), Score(0.00, 0.00, 0.02, 0.00), (0.03, 0.02)),
    mixed(5, 2.0, Some(3), Score(0.56, 0.02, 0.44, 0.03), (0.11, 0.07)),
    mixed(10, 2.0, Some(5), Score(1.80, 0.10, 1.33, 0.15), (1.12, 0.82)),
    mixed(30, 2.0, Some(10), Score(3.40, 0.15, 2.52, 0.23), (29.77, 8.73)),
    mixed(2, 1.0, Some(1), Score(0.00, 0.00, 0.00, 0.00), (0.18, 0.05)),
    mixed(5, 1.0, Some(3), Score(0.14, 0.00, 0.07, 0.00), (1.90, 1.14)),
    mixed(10, 1.0, Some(5), Score(0.21, 0.01, 0.10, 0.00), (8.75, 4.55)),
    mixed(30, 1.0, Some(10), Score(0.31, 0.02, 0.12, 0.03), (40.36, 10.87)),
];

/// A row of Table 3: the level of all clusters, and the scores of two and of ten clusters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EqualLevels(pub u32, pub Score, pub Score);

/// Table 3: BILB with equal clusters, by level.
pub(crate) const TABLE_3: [EqualLevels; 14] = [
    EqualLevels(1, Score(0.125, 0.006, 0.123, 0.014), Score(0.076, 0.006, 0.055, 0.006)),
    EqualLevels(2, Score(0.258, 0.003, 0.251, 0.012), Score(0.261, 0.016, 0.190, 0.016)),
    EqualLevels(3, Score(0.387, 0.010, 0.364, 0.001), Score(0.710, 0.043, 0.515, 0.039)),
    EqualLevels(4, Score(0.480, 0.006, 0.467, 0.004), Score(1.429, 0.072, 1.059, 0.131)),
    EqualLevels(5, Score(0.574, 0.006, 0.568, 0.008), Score(2.148, 0.092, 1.541, 0.153)),
    EqualLevels(6, Score(0.587, 0.018, 0.587, 0.021), Score(2.334, 0.085, 1.701, 0.054)),
    EqualLevels(7, Score(0.609, 0.013, 0.642, 0.033), Score(2.518, 0.124, 1.878, 0.150)),
    EqualLevels(8, Score(0.606, 0.017, 0.639, 0.019), Score(2.661, 0.095, 1.999, 0.174)),
    EqualLevels(9, Score(0.608, 0.011, 0.617, 0.007), Score(2.793, 0.114, 2.095, 0.184)),
    EqualLevels(10, Score(0.592, 0.017, 0.648, 0.026), Score(2.912, 0.083, 2.197, 0.155)),
    EqualLevels(20, Score(0.613, 0.007, 0.713, 0.019), Score(3.116, 0.140, 2.413, 0.195)),
    EqualLevels(50, Score(0.623, 0.004, 0.737, 0.031), Score(3.134, 0.230, 2.372, 0.253)),
    EqualLevels(100, Score(0.636, 0.039, 0.774, 0.035), Score(3.135, 0.153, 2.427, 0.169)),
    EqualLevels(1000, Score(0.628, 0.011, 0.729, 0.006), Score(3.123, 0.139, 2.393, 0.212)),
];

/// A row of Table 4: the level of the typical clusters, and scores.
///
/// The scores are typical and overloaded, first for two clusters, then for ten.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MixedLevels(pub u32, pub [Score; 2], pub [Score; 2]);

const fn levels(
    level: u32,
    two: [(f64, f64); 2],
    typical: Score,
    overloaded: (f64, f64),
) -> MixedLevels {
    let two = [Score(two[0].0, 0.0, two[0].1, 0.0), Score(two[1].0, 0.0, two[1].1, 0.0)];
    MixedLevels(level, two, [typical, Score(overloaded.0, 0.0, overloaded.1, 0.0)])
}

/// Table 4: BILB with one overloaded cluster, by level.
pub(crate) const TABLE_4: [MixedLevels; 14] = [
    levels(1, [(0.003, 0.017), (0.034, 0.022)], Score(0.079, 0.006, 0.057, 0.006), (0.003, 0.004)),
    levels(2, [(-0.005, 0.047), (0.074, 0.046)], Score(0.267, 0.014, 0.196, 0.021), (0.019, 0.017)),
    levels(3, [(-0.03, 0.058), (0.12, 0.078)], Score(0.687, 0.033, 0.510, 0.050), (0.097, 0.069)),
    levels(4, [(-0.062, 0.062), (0.152, 0.106)], Score(1.290, 0.055, 0.946, 0.084), (0.382, 0.251)),
    levels(5, [(-0.098, 0.081), (0.185, 0.146)], Score(1.807, 0.058, 1.343, 0.098), (1.116, 0.855)),
    levels(6, [(-0.138, 0.101), (0.194, 0.144)], Score(1.748, 0.069, 1.370, 0.152), (1.921, 1.737)),
    levels(7, [(-0.167, 0.116), (0.192, 0.141)], Score(1.696, 0.066, 1.375, 0.098), (3.086, 2.823)),
    levels(8, [(-0.202, 0.128), (0.195, 0.133)], Score(1.605, 0.049, 1.363, 0.088), (4.201, 3.845)),
    levels(9, [(-0.233, 0.152), (0.202, 0.159)], Score(1.545, 0.086, 1.315, 0.128), (5.664, 5.116)),
    levels(
        10,
        [(-0.278, 0.167), (0.203, 0.149)],
        Score(1.448, 0.071, 1.290, 0.108),
        (6.651, 5.938),
    ),
    levels(
        20,
        [(-0.661, 0.353), (0.232, 0.166)],
        Score(0.887, 0.059, 1.181, 0.081),
        (13.635, 10.712),
    ),
    levels(
        50,
        [(-1.822, 0.903), (0.316, 0.189)],
        Score(0.607, 0.026, 1.226, 0.126),
        (20.841, 10.551),
    ),
    levels(
        100,
        [(-3.753, 2.005), (0.501, 0.272)],
        Score(0.591, 0.057, 1.226, 0.089),
        (21.845, 9.602),
    ),
    levels(
        1000,
        [(-7.054, 3.641), (0.949, 0.253)],
        Score(0.609, 0.104, 1.229, 0.161),
        (22.018, 9.423),
    ),
];

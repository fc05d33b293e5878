use rand::SeedableRng as _;

use super::*;

fn rng(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

/// Counts the points in each of `cells` equal cells of a dimension.
fn counts(points: &[Vec<f64>], dimension: usize, cells: usize) -> Vec<usize> {
    let mut counts = vec![0; cells];
    points.iter().for_each(|point| counts[(point[dimension] * cells as f64) as usize] += 1);
    counts
}

#[test]
fn each_stratum_of_a_latin_hypercube_holds_one_point() {
    for points in [1, 2, 7, 49, 100, 1000] {
        let design = latin_hypercube(points, 5, &mut rng(points as u64));
        assert_eq!(design.len(), points);
        for dimension in 0..5 {
            assert_eq!(counts(&design, dimension, points), vec![1; points], "{points}");
        }
    }
    assert_eq!(latin_hypercube(0, 3, &mut rng(1)), Vec::<Vec<f64>>::new());
    assert_eq!(latin_hypercube(2, 0, &mut rng(1)), vec![Vec::<f64>::new(); 2]);
}

/// Two dimensions of a Latin hypercube are independent: their ranks have a correlation of standard
/// deviation 1 / sqrt(n - 1).
#[test]
fn dimensions_of_a_latin_hypercube_are_shuffled_apart() {
    let points = 400;
    let design = latin_hypercube(points, 6, &mut rng(3));
    for (one, other) in (0..6).flat_map(|one| (0..one).map(move |other| (one, other))) {
        let product = |point: &Vec<f64>| 12.0 * (point[one] - 0.5) * (point[other] - 0.5);
        let correlation = design.iter().map(product).sum::<f64>() / points as f64;
        assert!(correlation.abs() < 4.0 / 399.0_f64.sqrt(), "{one} {other}: {correlation}");
    }
}

/// The sequence before scrambling, against Joe and Kuo's first points by hand: in three dimensions,
/// the direction numbers are 1/2, 1/4, 1/8; 1/2, 3/4, 5/8; 1/2, 3/4, 3/8.
#[test]
fn direction_numbers_are_those_of_joe_and_kuo() {
    let plain = |at: u32, dimension| {
        let digits = parts::sobol_rev(at.reverse_bits(), dimension).reverse_bits();
        f64::from(digits) / CELLS
    };
    for (at, expected) in [
        (0, [0.0, 0.0, 0.0]),
        (1, [0.5, 0.5, 0.5]),
        (2, [0.25, 0.75, 0.75]),
        (3, [0.75, 0.25, 0.25]),
        (4, [0.125, 0.625, 0.375]),
        (6, [0.375, 0.375, 0.625]),
    ] {
        assert_eq!([0, 1, 2].map(|dimension| plain(at, dimension)), expected, "{at}");
    }
}

#[test]
fn each_dyadic_interval_holds_one_sobol_point() {
    for (exponent, seed) in [(0, 1), (1, 2), (5, 3), (9, 4), (12, 5)] {
        let points = 1 << exponent;
        let design = sobol(points, 40, &mut rng(seed)).unwrap();
        for dimension in 0..40 {
            assert_eq!(counts(&design, dimension, points), vec![1; points], "{dimension}");
        }
    }
    let design = sobol(64, MOST_DIMENSIONS, &mut rng(6)).unwrap();
    assert!((0..MOST_DIMENSIONS).all(|dimension| counts(&design, dimension, 64) == [1; 64]));
}

/// The first two dimensions are a (0, m, 2)-net: each box of 2^-j times 2^(j - m) holds one point.
#[test]
fn each_elementary_box_of_the_first_pair_holds_one_sobol_point() {
    let exponent = 8;
    for seed in 0..4 {
        let design = sobol(1 << exponent, 2, &mut rng(seed)).unwrap();
        for wide in 0..=exponent {
            let (columns, rows) = (1 << wide, 1 << (exponent - wide));
            let mut counts = vec![0; columns * rows];
            for point in &design {
                let column = (point[0] * columns as f64) as usize;
                counts[column * rows + (point[1] * rows as f64) as usize] += 1;
            }
            assert_eq!(counts, vec![1; columns * rows], "{seed}: 2^{wide}");
        }
    }
}

/// A change of these digits would change the results of every study.
#[test]
fn a_seed_gives_its_points_on_every_platform() {
    let cells = |points: Vec<Vec<f64>>| -> Vec<u32> {
        points.concat().iter().map(|one| (one * CELLS) as u32).collect()
    };
    let found = cells(sobol(3, 2, &mut rng(1)).unwrap());
    assert_eq!(
        found,
        [3_910_779_193, 2_017_607_531, 680_007_295, 4_117_392_518, 2_794_213_537, 2_172_484_378]
    );
    let found = cells(latin_hypercube(2, 2, &mut rng(1)));
    assert_eq!(found, [3_011_815_029, 2_600_698_674, 2_114_406_197, 1_281_103_233]);
    assert_eq!(sobol(9, 3, &mut rng(7)), sobol(9, 3, &mut rng(7)));
    assert_ne!(sobol(9, 3, &mut rng(7)), sobol(9, 3, &mut rng(8)));
    assert_eq!(sobol(16, 3, &mut rng(7)).unwrap()[..9], sobol(9, 3, &mut rng(7)).unwrap());
}

/// A scrambled point is uniform. Over 1000 seeds, the mean of a point has standard deviation
/// 1 / sqrt(12 000), and that of its square a mean of 1/3 and sqrt(4 / 45 / 1000).
#[test]
fn each_sobol_point_is_uniform_over_the_seeds() {
    let all: Vec<_> = (0..1000).map(|seed| sobol(4, 3, &mut rng(seed)).unwrap()).collect();
    for (at, dimension) in (0..4).flat_map(|at| (0..3).map(move |dimension| (at, dimension))) {
        let values = || all.iter().map(|points| points[at][dimension]);
        assert!(values().all(|value| 0.0 < value && value < 1.0));
        let mean = values().sum::<f64>() / 1000.0;
        let square = values().map(|value| value * value).sum::<f64>() / 1000.0;
        assert!((mean - 0.5).abs() < 4.0 / 12_000.0_f64.sqrt(), "{at} {dimension}: {mean}");
        let deviation = (4.0 / 45.0 / 1000.0_f64).sqrt();
        assert!((square - 1.0 / 3.0).abs() < 4.0 * deviation, "{at} {dimension}: {square}");
    }
}

/// The mean of a product of six coordinates: its error is far below that of independent points,
/// which is sqrt((1/3)^6 - (1/4)^6) / sqrt(n).
#[test]
fn sobol_points_integrate_better_than_independent_ones() {
    let (points, seeds) = (256, 50);
    let error = |seed| {
        let design = sobol(points, 6, &mut rng(seed)).unwrap();
        let sum: f64 = design.iter().map(|point| point.iter().product::<f64>()).sum();
        sum / points as f64 - 1.0 / 64.0
    };
    let squares: f64 = (0..seeds).map(|seed| error(seed) * error(seed)).sum();
    let independent = (3.0_f64.powi(-6) - 4.0_f64.powi(-6)) / points as f64;
    let ratio = (squares / seeds as f64 / independent).sqrt();
    assert!(ratio < 0.25, "{ratio}");
}

#[test]
fn a_saltelli_design_takes_one_column_from_the_other_matrix() {
    let design = Saltelli::new(8, 3, &mut rng(2)).unwrap();
    let points: Vec<Vec<f64>> = design.points().collect();
    assert_eq!((points.len(), design.len(), design.is_empty()), (40, 40, false));
    for row in points.chunks(5) {
        let [a, b] = [&row[0], &row[1]];
        assert!(a.iter().zip(b).all(|(one, other)| one != other));
        for (at, mixed) in row[2..].iter().enumerate() {
            for other in 0..3 {
                let from = if other == at { b } else { a };
                assert_eq!(mixed[other], from[other]);
            }
        }
    }
    let longer = Saltelli::new(16, 3, &mut rng(2)).unwrap();
    assert!(longer.points().take(40).eq(points));
    assert_eq!(Saltelli::new(0, 3, &mut rng(2)).unwrap().points().count(), 0);
    assert_eq!(Saltelli::new(4, 0, &mut rng(2)).unwrap().points().count(), 8);
}

#[test]
fn more_than_the_sequence_has_is_refused() {
    let most = sobol(MOST_POINTS, 1, &mut rng(1)).unwrap();
    assert_eq!(counts(&most, 0, MOST_POINTS), vec![1; MOST_POINTS]);
    assert_eq!(sobol(MOST_POINTS + 1, 1, &mut rng(1)), Err(TooLarge::Points(65_537)));
    assert_eq!(sobol(1, 257, &mut rng(1)), Err(TooLarge::Dimensions(257)));
    assert_eq!(Saltelli::new(1, 129, &mut rng(1)), Err(TooLarge::Dimensions(258)));
    assert_eq!(Saltelli::new(1, usize::MAX, &mut rng(1)), Err(TooLarge::Dimensions(usize::MAX)));
    assert!(Saltelli::new(1, 128, &mut rng(1)).is_ok());
}

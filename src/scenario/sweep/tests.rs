use super::*;
use crate::{Input, Overrides, load_sweep};

/// The points of a sweep on a small grid, or what is wrong with it.
fn read(sweep: &str) -> Result<Design, Vec<Diagnostic>> {
    let mut files = Files::new();
    let text = format!("name = \"n\"\n[[organization]]\nname = \"a\"\n{sweep}");
    let input = Input::Bytes { name: "it", bytes: text.into_bytes() };
    load_sweep(input, &Overrides::default(), &mut files).map(|design| design.expect("a sweep"))
}

fn settings(sweep: &str) -> Vec<Vec<String>> {
    let design = read(sweep).unwrap_or_else(|wrong| panic!("{sweep}: {wrong:?}"));
    (0..design.points.len()).map(|point| design.settings(point)).collect()
}

#[track_caller]
fn refused(sweep: &str, message: &str) {
    let wrong = read(sweep).err().unwrap_or_else(|| panic!("{sweep}"));
    assert!(wrong.iter().any(|one| one.message.contains(message)), "{sweep}: {wrong:?}");
    assert!(wrong.iter().all(|one| one.place().is_some()), "{sweep}: {wrong:?}");
}

#[test]
fn a_grid_has_every_combination_and_the_last_key_changes_first() {
    let points =
        settings("[sweep.grid]\nscheduler = [\"fcfs\", \"easy\"]\nload.factor = [0.5, 1]\n");
    let expected = [
        ["scheduler=\"fcfs\"", "load.factor=0.5"],
        ["scheduler=\"fcfs\"", "load.factor=1"],
        ["scheduler=\"easy\"", "load.factor=0.5"],
        ["scheduler=\"easy\"", "load.factor=1"],
    ];
    assert_eq!(points, expected);
}

#[test]
fn a_range_has_equal_steps_or_equal_factors() {
    let values = |range: &str| -> Vec<String> {
        let points = settings(&format!("[sweep.grid]\nload = {range}\n"));
        points.into_iter().map(|mut point| point.remove(0)).collect()
    };
    assert_eq!(
        values("{ from = 0.5, to = 0.9, steps = 5 }"),
        ["load=0.5", "load=0.6", "load=0.7", "load=0.8", "load=0.9"]
    );
    assert_eq!(
        values("{ from = 1, to = 1000, steps = 4, scale = \"log\" }"),
        ["load=1", "load=10", "load=100", "load=1000"]
    );
    // Whole numbers stay whole, and none is there twice.
    assert_eq!(values("{ from = 1, to = 3, steps = 9 }"), ["load=1", "load=2", "load=3"]);
}

#[test]
fn a_list_goes_with_a_grid_and_formulas_follow_from_both() {
    let points = settings(
        "[sweep]\nvariables = [\"n\"]\n[[sweep.list]]\nn = 2\nbalancer = \"bilb\"\n\
         [[sweep.list]]\nn = 3\nbalancer = \"averaging\"\n[sweep.grid]\nload = [0.5, 1.0]\n\
         [sweep.computed]\njobs = \"100 * n + load\"\n",
    );
    assert_eq!(points.len(), 4);
    assert_eq!(points[0], ["balancer=\"bilb\"", "load=0.5", "jobs=200.5"]);
    assert_eq!(points[3], ["balancer=\"averaging\"", "load=1.0", "jobs=301"]);
}

#[test]
fn drawn_points_lie_in_their_ranges_and_every_whole_number_has_the_same_share() {
    let design = read(
        "[sweep.latin_hypercube]\npoints = 60\n[sweep.latin_hypercube.ranges]\n\
         load = { from = 0.5, to = 0.8 }\nprocessors = { from = 1, to = 3 }\nscheduler = [\"a\", \"b\"]\n",
    )
    .unwrap();
    let column = |key: usize| design.points.iter().map(move |point| point[key].clone());
    let numbers: Vec<f64> = column(0).map(|value| value.as_number().unwrap()).collect();
    for stratum in 0..60 {
        let low = 0.5 + 0.005 * f64::from(stratum);
        let inside = numbers.iter().filter(|&&one| low <= one && one < low + 0.005).count();
        assert_eq!(inside, 1, "{stratum}");
    }
    for whole in ["1", "2", "3"] {
        assert_eq!(column(1).filter(|value| value.toml() == whole).count(), 20, "{whole}");
    }
    assert_eq!(column(2).filter(|value| value.shown() == "a").count(), 30);
}

#[test]
fn the_most_points_are_drawn() {
    let sweep = format!(
        "[sweep.latin_hypercube]\npoints = {MOST_POINTS}\n[sweep.latin_hypercube.ranges]\n\
         load = {{ from = 0.0, to = 1.0 }}\njobs = {{ from = 1, to = 9 }}\n"
    );
    let design = read(&sweep).unwrap();
    let stratum = |load: f64| (load * MOST_POINTS as f64) as usize;
    let mut strata: Vec<usize> =
        design.points.iter().map(|point| stratum(point[0].as_number().unwrap())).collect();
    strata.sort_unstable();
    assert!(strata.into_iter().eq(0..MOST_POINTS));
}

/// A row of Saltelli's design: A, B, and A with one key of B.
#[test]
fn a_sobol_design_has_rows_of_points_for_its_indices() {
    let sweep = "[sweep.grid]\nscheduler = [\"fcfs\", \"easy\"]\n[sweep.sobol]\npoints = 8\n\
        [sweep.sobol.ranges]\nload = { from = 0.1, to = 0.9 }\njobs = { from = 10, to = 1000 }\n";
    let design = read(sweep).unwrap();
    assert_eq!(design.points.len(), 2 * 8 * 4);
    assert_eq!(design.sobol, Some(Indices { rows: 8, keys: 1..3 }));
    for row in design.points.chunks(4) {
        let [a, b, load, jobs] = row else { panic!("four points") };
        assert_eq!((&load[1], &load[2]), (&b[1], &a[2]));
        assert_eq!((&jobs[1], &jobs[2]), (&a[1], &b[2]));
    }
    // The other half has the same draws.
    assert_eq!(design.points[0][1..], design.points[32][1..]);
    assert_eq!(design.compared, Some(0));
    let plain = read(&sweep.replace("points = 8", "points = 8\nindices = false")).unwrap();
    assert_eq!((plain.points.len(), plain.sobol), (16, None));
}

#[test]
fn points_are_compared_in_one_key_alone() {
    let sweep =
        "[sweep.grid]\nload = [0.5, 0.7]\nscheduler = [\"fcfs\", \"easy\", \"conservative\"]\n";
    let design = read(sweep).unwrap();
    assert_eq!(design.compared, Some(1));
    assert_eq!(design.groups_by(1), [vec![0, 1, 2], vec![3, 4, 5]]);
    assert_eq!(design.groups_by(0), [vec![0, 3], vec![1, 4], vec![2, 5]]);
    let named = read(&format!("[sweep]\ncompare = \"load\"\n{sweep}")).unwrap();
    assert_eq!(named.compared, Some(0));
}

#[test]
fn a_key_goes_by_its_end() {
    let design = read("[sweep.grid]\na.b.c = [1, 2]\na.d = [1, 2]\nx.d = [1, 2]\n").unwrap();
    assert_eq!((0..3).map(|key| design.short(key)).collect::<Vec<_>>(), ["c", "a.d", "x.d"]);
    assert_eq!((design.key("c"), design.key("b.c"), design.key("x.d")), (Ok(0), Ok(0), Ok(2)));
    assert!(design.key("d").unwrap_err().contains("may be `a.d` or `x.d`"));
    assert!(design.key("e").is_err());
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (sweep, message) in [
        ("[sweep.grid]\n", "varies nothing"),
        ("[sweep]\n", "varies nothing"),
        ("[sweep.grid]\nload = []\n", "needs values"),
        ("[sweep.grid]\nload = 1\n", "needs several values"),
        ("[sweep.grid]\nload = [1, 1]\n", "`1` is there twice"),
        (
            "[sweep.grid]\nload = { from = 1, to = 2 }\n",
            "number of values of this range is missing",
        ),
        ("[sweep.grid]\nload = { from = 2, to = 1, steps = 2 }\n", "goes up"),
        ("[sweep.grid]\nload = { from = 0, to = 1, steps = 2, scale = \"log\" }\n", "above 0"),
        ("[sweep.grid]\nload = { from = 0, to = 1, steps = 1 }\n", "`steps` is the number"),
        ("[sweep.grid]\nload = { from = 0, to = 1, step = 1 }\n", "has no key `step`"),
        ("[sweep.grid]\nload = { from = \"a\", to = 1 }\n", "an end of a range is a number"),
        ("[sweep.grid]\nload = [1]\n[[sweep.list]]\nload = 2\n", "varies in two ways"),
        ("[[sweep.list]]\na = 1\n[[sweep.list]]\nb = 1\n", "has the same keys"),
        ("[sweep]\nvariables = [\"n\"]\n[sweep.grid]\nload = [1]\n", "`n` has no values"),
        ("[sweep.grid]\nload = [1]\n[sweep.computed]\njobs = \"2 * lood\"\n", "`lood`"),
        (
            "[sweep.grid]\nload = [1]\n[sweep.computed]\njobs = \"1 / (load - 1)\"\n",
            "gives no number",
        ),
        (
            "[sweep.grid]\nload = [\"a\"]\n[sweep.computed]\njobs = \"2 * load\"\n",
            "gives no number",
        ),
        ("[sweep.grid]\nload = [1]\n[sweep.computed]\nload = \"2\"\n", "is computed as well"),
        ("[sweep]\ncompare = \"x\"\n[sweep.grid]\nload = [1]\n", "no key called `x` varies"),
        ("[sweep]\nmeasure = \"flo\"\n[sweep.grid]\nload = [1]\n", "flo"),
        (
            "[sweep.grid]\nx = { from = 1, to = 1000, steps = 1000 }\ny = { from = 1, to = 1000, steps = 1000 }\n",
            "more than 100000 points",
        ),
        ("[sweep.sobol]\npoints = 0\n[sweep.sobol.ranges]\nload = [1]\n", "points"),
        ("[sweep.sobol]\npoints = 8\n[sweep.sobol.ranges]\n", "nothing to draw"),
        (
            "[sweep.sobol]\npoints = 1\nranges.x = [1]\n[sweep.latin_hypercube]\npoints = 1\nranges.y = [1]\n",
            "in one way",
        ),
        ("[sweep]\nfoo = 1\n", "unknown key"),
    ] {
        refused(sweep, message);
    }
}

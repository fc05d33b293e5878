//! Drawn campaigns have the laws asked for, and one draw does not move another.

use super::*;
use ::model::campaign::{Campaign, Site, UNLIMITED};
use ::model::ids::OrganizationId;
use kernel::rng::Streams;
use kernel::time::{Span, Time};

const TOML: &str = "count = 40\nclasses.constant = 25\ntasks.uniform = { min = 10, max = 20 }\n\
                    times.braun = { tasks = 1000, machines = 100 }\n";

fn sites(processors: &[u32]) -> Vec<Site> {
    let site = |&processors| Site { processors, price: 1_000_000, limits: [UNLIMITED; 2] };
    processors.iter().map(site).collect()
}

fn model(text: &str) -> ApplicationsModel {
    ApplicationsModel::new(toml::from_str(text).unwrap(), &["a", "b", "c", "d", "e"]).unwrap()
}

fn drawn_on(text: &str, count: usize, seed: u64) -> Campaign {
    let owner = |number| OrganizationId(number as u32 % 3);
    model(text).draw(&sites(&vec![7; count]), &Streams::new(seed), owner)
}

fn drawn(text: &str) -> Campaign {
    drawn_on(text, 5, 7)
}

/// Checks a mean against its expectation, within four standard errors.
#[track_caller]
fn mean_is(values: &[f64], mean: f64, variance: f64) {
    let count = values.len() as f64;
    let found = values.iter().sum::<f64>() / count;
    let margin = 4.0 * (variance / count).sqrt();
    assert!((found - mean).abs() < margin, "{found} is not {mean} within {margin}");
}

fn units(campaign: &Campaign) -> Vec<f64> {
    campaign.expected.iter().map(|time| time.as_units()).collect()
}

#[track_caller]
fn wrong(text: &str, expected: &str) {
    let found = match toml::from_str::<Options>(text) {
        Ok(options) => ApplicationsModel::new(options, &["a"]).unwrap_err().to_string(),
        Err(error) => error.message().to_owned(),
    };
    assert!(found.contains(expected), "{found}");
}

#[test]
fn parameters_out_of_bounds_are_named() {
    let with = |from: &str, to: &str| TOML.replace(from, to);
    wrong(&with("count = 40", "count = 0"), "count: 0 is not a number of applications");
    wrong(&with("classes.constant = 25", ""), "classes: the number of classes");
    wrong(&with("= 25", "= 20000"), "classes: there may be more than 10000");
    wrong(&with("count = 40", "count = 1000000"), "count: there may be more than 10000000");
    wrong(&with("min = 10", "min = 30"), "tasks.uniform.max: the most, 20, is less than");
    wrong(&with("min = 10", "min = 0"), "tasks.uniform.min: 0 is too small");
    wrong(&with("max = 20", "max = 9000000000000"), "tasks: there may be more than");
    wrong(
        &with("machines = 100", "machines = 0.5"),
        "times.braun.machines: 0.5 is not an upper bound",
    );
    wrong(&with("braun = { tasks", "braun = { kinds = 1, tasks"), "unknown field `kinds`");
    wrong(&format!("{TOML}edges = 1.5"), "edges: 1.5 is not a probability");
    wrong(&format!("{TOML}storage = {{ min = 2, max = 1 }}"), "storage.max: the most, 1, is less");
    wrong(&format!("{TOML}storage = {{ min = -2, max = 1 }}"), "storage.min: -2 is not an amount");
    wrong(&format!("{TOML}deadline = 0"), "deadline: 0 is not a factor");
    wrong(&format!("{TOML}error = 9"), "error: 9 is not a standard deviation");
    wrong(&format!("{TOML}arrivals.poisson.rate = 0"), "arrivals.poisson.rate: 0 is not a rate");
}

#[test]
fn options_are_written_as_they_are_read() {
    let options: Options =
        toml::from_str(&format!("{TOML}memory = {{ min = 1, max = 2 }}")).unwrap();
    let again: Options = toml::from_str(&toml::to_string(&options).unwrap()).unwrap();
    assert_eq!(again, options);
    assert!(Times::defaults().iter().all(|times| times.check().is_ok()));
}

#[test]
fn a_seed_is_a_campaign() {
    let text = format!("{TOML}edges = 0.1\nerror = 0.2\ndeadline = 2\narrivals.poisson.rate = 1\n");
    assert_eq!(drawn(&text), drawn(&text));
    assert_ne!(drawn(&text).expected, drawn_on(&text, 5, 8).expected);
}

#[test]
fn ranges_and_moments_are_those_of_the_factors() {
    // A factor of [1, b) has the mean (1 + b) / 2 and the variance (b - 1)^2 / 12; a product of two
    // independent ones has the product of the means and of the second moments.
    let campaign = drawn(&TOML.replace("count = 40", "count = 400"));
    let times = units(&campaign);
    assert!(times.iter().all(|&time| (1.0..100_000.0).contains(&time)));
    let factor = |most: f64| ((1.0 + most) / 2.0, (most - 1.0) * (most - 1.0) / 12.0);
    let ((class, class_spread), (site, site_spread)) = (factor(1000.0), factor(100.0));
    // The mean over a row has the factor of its class in common.
    let rows: Vec<f64> = times.chunks(5).map(|row| row.iter().sum::<f64>() / 5.0).collect();
    let square = (class * class + class_spread) * (site * site + site_spread / 5.0);
    mean_is(&rows, class * site, square - class * class * site * site);
    // The ratio of two of a row has none: its logarithm is symmetric.
    let ratio = |row: &[f64]| (row[0] / row[4]).ln();
    let ratios: Vec<f64> = times.chunks(5).map(ratio).collect();
    let spread = ratios.iter().map(|ratio| ratio * ratio).sum::<f64>() / ratios.len() as f64;
    mean_is(&ratios, 0.0, spread);
    // Numbers of tasks are uniform on 10 to 20.
    let tasks: Vec<f64> = campaign.classes.iter().map(|class| class.tasks as f64).collect();
    assert!(tasks.contains(&10.0) && tasks.contains(&20.0));
    assert!(tasks.iter().all(|tasks| (10.0..=20.0).contains(tasks)));
    mean_is(&tasks, 15.0, (11.0 * 11.0 - 1.0) / 12.0);
}

#[test]
fn kinds_sort_what_they_say_and_draw_alike() {
    let of = |kind: &str| {
        units(&drawn(&TOML.replace("{ tasks", &format!("{{ kind = \"{kind}\", tasks"))))
    };
    let (inconsistent, consistent, partly) = (of("inconsistent"), of("consistent"), of("partly"));
    let sorted = |row: &[f64]| row.is_sorted();
    assert!(inconsistent.chunks(5).filter(|row| sorted(row)).count() < 30, "1 in 120 of 1000");
    assert!(consistent.chunks(5).all(sorted));
    assert!(partly.chunks(5).all(|row| row[0] <= row[2] && row[2] <= row[4]));
    let all = inconsistent.chunks(5).zip(consistent.chunks(5)).zip(partly.chunks(5));
    for ((drawn, consistent), partly) in all {
        let mut drawn_sorted = drawn.to_vec();
        drawn_sorted.sort_unstable_by(f64::total_cmp);
        assert_eq!(drawn_sorted, consistent);
        assert_eq!((drawn[1], drawn[3]), (partly[1], partly[3]));
    }
}

#[test]
fn products_have_the_same_ratios_for_all_classes() {
    let text = TOML.replace("times.braun", "times.product");
    let campaign = drawn(&text);
    let times = units(&campaign);
    for row in times.chunks(5) {
        for site in 1..5 {
            let (one, other) = (row[site] / row[0], times[site] / times[0]);
            assert!((one / other - 1.0).abs() < 2e-6, "rounded to ticks: {one} and {other}");
        }
    }
    let classes: Vec<f64> = times.chunks(5).map(|row| row[0] / times[0]).collect();
    let (least, most) =
        classes.iter().fold((f64::MAX, 0.0), |(least, most): (f64, f64), &class| {
            (least.min(class), most.max(class))
        });
    assert!(most / least > 100.0 && most / least < 1000.0);
}

#[test]
fn edges_go_forward_within_an_application_at_their_share() {
    let campaign = drawn(&format!("{TOML}edges = 0.1\n"));
    let pairs = 40.0 * 25.0 * 24.0 / 2.0;
    let mut edges = 0.0;
    for (number, class) in campaign.classes.iter().enumerate() {
        let application = &campaign.applications[class.application as usize];
        assert!((application.first..application.end).contains(&(number as u32)));
        assert!(
            class.after.iter().all(|before| (application.first..number as u32).contains(before))
        );
        assert!(class.after.is_sorted_by(|one, next| one < next));
        edges += class.after.len() as f64;
    }
    let margin = 4.0 * (pairs * 0.1 * 0.9_f64).sqrt();
    assert!((edges - 0.1 * pairs).abs() < margin, "{edges} of {pairs}");
    assert!(drawn(TOML).classes.iter().all(|class| class.after.is_empty()));
    let all = drawn(&format!("{TOML}edges = 1\n"));
    assert_eq!(all.classes[24].after, (0..24).collect::<Vec<u32>>());
}

#[test]
fn errors_have_mean_one_and_leave_what_is_expected() {
    let exact = drawn(TOML);
    assert_eq!(exact.times, exact.expected);
    let campaign = drawn(&format!("{TOML}error = 0.5\n"));
    assert_eq!(campaign.expected, exact.expected);
    let pairs = campaign.times.iter().zip(&campaign.expected);
    let factors: Vec<f64> =
        pairs.map(|(time, expected)| time.as_units() / expected.as_units()).collect();
    mean_is(&factors, 1.0, 0.25_f64.exp() - 1.0);
    let logs: Vec<f64> = factors.iter().map(|factor| factor.ln()).collect();
    mean_is(&logs, -0.125, 0.25);
    let squares: Vec<f64> = logs.iter().map(|log| (log + 0.125) * (log + 0.125)).collect();
    mean_is(&squares, 0.25, 2.0 * 0.25 * 0.25);
}

#[test]
fn needs_are_uniform() {
    let text =
        format!("{TOML}storage = {{ min = 1, max = 1000 }}\nmemory = {{ min = 2.5, max = 2.5 }}\n");
    let campaign = drawn(&text);
    assert!(campaign.classes.iter().all(|class| class.needs[1] == 2_500_000));
    let storage: Vec<f64> =
        campaign.classes.iter().map(|class| class.needs[0] as f64 / 1e6).collect();
    assert!(storage.iter().all(|amount| (1.0..=1000.0).contains(amount)));
    mean_is(&storage, 500.5, 999.0 * 999.0 / 12.0);
}

#[test]
fn one_draw_does_not_move_another() {
    let plain = drawn(TOML);
    let more = "edges = 0.3\nstorage = { min = 1, max = 9 }\nerror = 0.1\ndeadline = 2\n\
                arrivals.poisson.rate = 0.01\n";
    let other = drawn(&format!("{TOML}{more}"));
    assert_eq!(other.expected, plain.expected);
    let tasks = |campaign: &Campaign| -> Vec<u64> {
        campaign.classes.iter().map(|class| class.tasks).collect()
    };
    assert_eq!(tasks(&other), tasks(&plain));
    let edges = drawn(&format!("{TOML}edges = 0.3\nmemory = {{ min = 1, max = 9 }}\n"));
    for (one, other) in edges.classes.iter().zip(&other.classes) {
        assert_eq!(one.after, other.after);
    }
    let constant = drawn(&TOML.replace("uniform = { min = 10, max = 20 }", "constant = 3"));
    assert_eq!(constant.expected, plain.expected);
    assert!(constant.classes.iter().all(|class| class.tasks == 3));
}

#[test]
fn a_site_behind_the_others_changes_none_of_theirs() {
    for times in ["braun", "product"] {
        let text =
            format!("{}error = 0.3\n", TOML.replace("times.braun", &format!("times.{times}")));
        let (four, five) = (drawn_on(&text, 4, 7), drawn_on(&text, 5, 7));
        for class in 0..four.classes.len() as u32 {
            assert_eq!(four.expected(class), &five.expected(class)[..4]);
            assert_eq!(four.times(class), &five.times(class)[..4]);
        }
    }
}

#[test]
fn the_shape_of_a_campaign_is_consistent() {
    let text = TOML.replace("classes.constant = 25", "classes.uniform = { min = 1, max = 9 }");
    let campaign = drawn(&text);
    let mut next = 0;
    for (number, application) in campaign.applications.iter().enumerate() {
        assert_eq!(application.first, next);
        assert!((1..=9).contains(&(application.end - application.first)));
        assert_eq!(application.owner, OrganizationId(number as u32 % 3));
        assert_eq!((application.submit, application.deadline), (Time::ZERO, Time::NEVER));
        next = application.end;
    }
    assert_eq!((next as usize, campaign.sites), (campaign.classes.len(), 5));
    assert_eq!(campaign.expected.len(), campaign.classes.len() * 5);
    assert_eq!(campaign.applications[1].name, "a2");
    assert_eq!(campaign.classes[campaign.applications[1].first as usize].name, "c1");
    let arriving = drawn(&format!("{TOML}arrivals.deterministic.interval = 2.5\n"));
    let submits: Vec<Time> = arriving.applications[..2].iter().map(|one| one.submit).collect();
    assert_eq!(submits, [Time::from_ticks(2_500_000), Time::from_ticks(5_000_000)]);
}

#[test]
fn files_name_classes_and_say_where_they_run() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "class,site,time\nx,a,2\nx,b,3\ny,a,never\ny,b,0.5\n").unwrap();
    let mut options: Options =
        toml::from_str("count = 2\ntasks.constant = 4\ntimes.file.path = \"times.csv\"\n").unwrap();
    for (field, path) in options.files_mut() {
        assert_eq!(field, "times.file.path");
        *path = file.path().to_owned();
    }
    let model = ApplicationsModel::new(options.clone(), &["a", "b"]).unwrap();
    assert_eq!(model.digest().map(|digest| digest.len()), Some(64));
    let campaign = model.draw(&sites(&[1, 1]), &Streams::new(1), |_| OrganizationId(0));
    let names: Vec<&str> = campaign.classes.iter().map(|class| &class.name[..]).collect();
    assert_eq!(names, ["x", "y", "x", "y"]);
    assert_eq!(campaign.expected(2), [Span::units(2), Span::units(3)]);
    assert_eq!(campaign.times(3), [Span::MAX, Span::from_ticks(500_000)]);
    options.classes = Some(Whole::Constant(3));
    let error = ApplicationsModel::new(options, &["a", "b"]).unwrap_err().to_string();
    assert!(error.starts_with("classes: the file of times has only 2 classes"), "{error}");
}

#[test]
fn needs_beyond_every_site_are_refused() {
    let model =
        model(&format!("{TOML}storage = {{ min = 1, max = 9 }}\nmemory = {{ min = 1, max = 5 }}"));
    let site = |storage, memory| Site { processors: 1, price: 0, limits: [storage, memory] };
    assert!(model.check_limits(&[site(9_000_000, UNLIMITED), site(0, 0)]).is_ok());
    let check = |sites: &[Site], expected: &str| {
        let found = model.check_limits(sites).unwrap_err().to_string();
        assert!(found.starts_with(expected), "{found}");
    };
    check(&[site(8_999_999, UNLIMITED)], "storage: a task may need more");
    check(&[site(UNLIMITED, 4_000_000)], "memory: a task may need more");
    check(&[site(UNLIMITED, 0), site(0, UNLIMITED)], "storage: no site has both");
}

mod deadlines {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_product_of_factors_takes_all_work_at_all_speeds() {
        let text = "count = 1\nclasses.constant = 8\ntasks.constant = 1000\n\
                    times.product = { tasks = 30, machines = 9 }\ndeadline = 3\n";
        let model = model(text);
        let sites = sites(&[7, 1, 4, 3]);
        let campaign = model.draw(&sites, &Streams::new(3), |_| OrganizationId(0));
        let first = campaign.expected(0);
        let power: f64 = first
            .iter()
            .zip(&sites)
            .map(|(time, site)| f64::from(site.processors) * first[0].as_units() / time.as_units())
            .sum();
        let work: f64 = (0..8).map(|class| 1000.0 * campaign.expected(class)[0].as_units()).sum();
        let least = bound::alone(&campaign, 0, &sites) / 1e6;
        assert!((least / (work / power) - 1.0).abs() < 1e-5, "{least} is not {}", work / power);
        let deadline = campaign.applications[0].deadline.as_units();
        assert!((deadline / (3.0 * least) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn chains_count_and_single_tasks_do() {
        let mut campaign =
            drawn("count = 1\nclasses.constant = 3\ntasks.constant = 10\ntimes.braun = {}\n");
        campaign.sites = 1;
        campaign.expected = [4, 5, 6].map(Span::units).to_vec();
        let least = |campaign: &Campaign, processors| {
            bound::alone(campaign, 0, &sites(&[processors])) / 1e6
        };
        assert_eq!(least(&campaign, 1), 150.0);
        assert_eq!(least(&campaign, 5), 30.0);
        assert_eq!(least(&campaign, 1000), 6.0, "no task is shorter");
        (campaign.classes[1].after, campaign.classes[2].after) = (vec![0], vec![1]);
        assert_eq!(least(&campaign, 1000), 15.0);
        campaign.classes[2].needs = [1, 0];
        let full = Site { processors: 5, price: 0, limits: [0, 0] };
        assert_eq!(bound::alone(&campaign, 0, &[full]), f64::INFINITY);
    }

    proptest! {
        /// A schedule that starts each class as early as it can, on sites in turn, is never shorter.
        #[test]
        fn no_schedule_is_shorter(seed in 0_u64..1000, edges in 0.0_f64..0.6, rule in 0_usize..3) {
            let text = format!("count = 1\nclasses.constant = 6\nedges = {edges}\n\
                tasks.uniform = {{ min = 1, max = 40 }}\ntimes.braun = {{ tasks = 9, machines = 5 }}\n");
            let sites = sites(&[2, 5, 1]);
            let campaign = model(&text).draw(&sites, &Streams::new(seed), |_| OrganizationId(0));
            let mut free: Vec<Vec<i64>> = sites.iter().map(|s| vec![0; s.processors as usize]).collect();
            let mut done: Vec<i64> = Vec::new();
            for (number, class) in campaign.classes.iter().enumerate() {
                let ready = class.after.iter().map(|&before| done[before as usize]).max().unwrap_or(0);
                let mut finish = ready;
                for task in 0..class.tasks as usize {
                    let times = campaign.expected(number as u32);
                    let end = |site: usize| {
                        let start = free[site].iter().min().copied().unwrap_or(0).max(ready);
                        start + times[site].ticks()
                    };
                    let site = match rule {
                        0 => task % 3,
                        1 => (0..3).min_by_key(|&site| times[site]).unwrap_or(0),
                        _ => (0..3).min_by_key(|&site| end(site)).unwrap_or(0),
                    };
                    let end = end(site);
                    if let Some(processor) = free[site].iter_mut().min() {
                        *processor = end;
                    }
                    finish = finish.max(end);
                }
                done.push(finish);
            }
            let makespan = done.iter().max().copied().unwrap_or(0) as f64;
            prop_assert!(bound::alone(&campaign, 0, &sites) <= makespan * (1.0 + 1e-12));
        }
    }
}

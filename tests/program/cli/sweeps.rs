//! `gridpact sweep`: one study in one piece, in shares, killed, and with points added.

use std::collections::BTreeMap;
use std::fs;

use crate::cli::support::{Folder, word};

const BASE: &str = "name = \"Study\"\n[run]\nreplications = 3\n[[organization]]\nname = \"big\"\n\
    cluster.space_shared = { processors = 8, scheduler = \"fcfs\" }\n\
    [organization.workload.synthetic]\narrivals.poisson.rate = 0.05\n\
    size.exponential.mean = 40.0\nprocessors.powers_of_two = { min = 1, max = 8, serial = 0.25 }\n\
    jobs = 200\n[[organization]]\nname = \"small\"\n\
    cluster.space_shared = { processors = 4, scheduler = \"fcfs\" }\n\
    [organization.workload.synthetic]\narrivals.poisson.rate = 0.02\n\
    size.exponential.mean = 40.0\nprocessors.constant = 1\njobs = 100\n";

const SWEEP: &str = "extends = \"s.toml\"\n[sweep.grid]\nscheduler = [\"fcfs\", \"easy\"]\n\
    organization.big.workload.synthetic.size.exponential.mean = { from = 20, to = 40, steps = 3 }\n";

fn folder() -> Folder {
    let folder = Folder::new(BASE);
    folder.write("sweep.toml", SWEEP);
    folder
}

/// The files of the results and their bytes, but for the cost of the run.
fn files(folder: &Folder, results: &str) -> BTreeMap<String, Vec<u8>> {
    let names = folder.names(results);
    let kept = names.into_iter().filter(|name| name != "timing.json" && name != "shards");
    kept.map(|name| (name.clone(), fs::read(folder.path(&format!("{results}/{name}"))).unwrap()))
        .collect()
}

#[track_caller]
fn done(folder: &Folder, words: &str) -> String {
    let said = folder.run(words);
    assert_eq!(said.code, 0, "{words}: {}{}", said.out, said.error);
    said.out
}

#[track_caller]
fn refused(folder: &Folder, words: &str, told: &[&str]) {
    let said = folder.run(words);
    assert_eq!(said.code, 2, "{words}: {}{}", said.out, said.error);
    assert!(told.iter().all(|told| said.error.contains(told)), "{words}: {}", said.error);
}

/// Before, all points were read before the first mistake was told: 50 s for these.
#[test]
fn a_mistake_of_all_of_very_many_points_is_told_after_the_first() {
    let folder = folder();
    let sweep = "extends = \"s.toml\"\n[sweep.latin_hypercube]\npoints = 100000\n\
        [sweep.latin_hypercube.ranges]\nrun.sed = { from = 1, to = 5 }\n";
    folder.write("many.toml", sweep);
    refused(&folder, "check many.toml", &["unknown key `sed` in `run`"]);
}

/// A point finds the same as `gridpact run` with the same settings.
#[test]
fn a_point_is_a_run_with_its_settings() {
    let folder = folder();
    done(&folder, "sweep sweep.toml -o a -q");
    let names =
        ["comparison.csv", "figures.csv", "manifest.json", "points.csv", "replications.csv"];
    let names: Vec<&str> = names
        .into_iter()
        .chain(["report.html", "report.json", "summary.json", "sweep.svg"])
        .collect();
    assert_eq!(files(&folder, "a").into_keys().collect::<Vec<_>>(), names);
    let points = folder.read("a/points.csv");
    let key = "organization.big.workload.synthetic.size.exponential.mean";
    assert_eq!(
        points.lines().next(),
        Some(&*format!("point,scheduler,{key},replications,scenario_digest"))
    );
    for (point, scheduler, mean) in [(0, "fcfs", 20), (2, "fcfs", 40), (4, "easy", 30)] {
        let words =
            format!("run s.toml --set scheduler={scheduler} --set {key}={mean} -o p{point} -q");
        done(&folder, &words);
        let begin = format!("{point},{scheduler},{mean},");
        assert!(points.contains(&format!("\n{begin}3,")), "{points}");
        for file in ["figures.csv", "replications.csv"] {
            let swept = folder.read(&format!("a/{file}"));
            let own = folder.read(&format!("p{point}/{file}"));
            let swept: Vec<&str> =
                swept.lines().filter_map(|line| line.strip_prefix(&begin)).collect();
            assert_eq!(swept, own.lines().skip(1).collect::<Vec<_>>(), "{file} {point}");
        }
    }
    // The comparison is that of `gridpact compare` on the same values.
    done(&folder, &format!("compare s.toml --vary scheduler=fcfs,easy --set {key}=30 -o c -q"));
    let compared = folder.read("c/comparison.csv");
    let swept = folder.read("a/comparison.csv");
    let swept: Vec<&str> =
        swept.lines().filter_map(|line| line.strip_prefix("4,easy,30,")).collect();
    assert_eq!(swept, compared.lines().skip(1).collect::<Vec<_>>());
}

#[test]
fn a_sweep_gives_the_same_bytes_in_whatever_parts_it_is_run() {
    let folder = folder();
    done(&folder, "sweep sweep.toml -o a -q --threads 1");
    let expected = files(&folder, "a");
    for threads in ["2", "8"] {
        done(&folder, &format!("sweep sweep.toml -o t{threads} -q --threads {threads}"));
        assert!(files(&folder, &format!("t{threads}")) == expected, "{threads} threads");
    }
    refused(&folder, "sweep missing sweep.toml -o s", &["no share has begun", "--shards N"]);
    assert_eq!(done(&folder, "sweep missing sweep.toml -o s --shards 7"), "1-7\n");
    for share in [5, 2, 7, 1] {
        done(&folder, &format!("sweep run sweep.toml --shard {share}/7 -o s -q"));
    }
    assert_eq!(done(&folder, "sweep missing sweep.toml -o s"), "3-4,6\n");
    refused(
        &folder,
        "sweep merge sweep.toml -o s",
        &["8 of 18 replications have not ended", "3-4,6"],
    );
    assert!(!folder.path("s/manifest.json").exists());
    for share in [6, 3, 3, 4] {
        done(&folder, &format!("sweep run sweep.toml --shard {share}/7 -o s -q"));
    }
    assert_eq!(done(&folder, "sweep missing sweep.toml -o s"), "");
    let status = done(&folder, "sweep status sweep.toml -o s --format csv");
    assert_eq!(status.lines().nth(3), Some("3-of-7,3,3,ended"), "{status}");
    done(&folder, "sweep merge sweep.toml -o s -q");
    assert!(files(&folder, "s") == expected, "seven shares");
    // Stopped at once, and gone on with by either command.
    for command in ["sweep sweep.toml -o w -q", "resume w -q"] {
        let _ = fs::remove_dir_all(folder.path("w"));
        let stopped = folder.run("sweep sweep.toml -o w -q --wall-clock 1ms --threads 1");
        assert_eq!(stopped.code, 75, "{}", stopped.error);
        done(&folder, command);
        assert!(files(&folder, "w") == expected, "{command}");
    }
}

/// First runs find one cutoff for all replications of a point, wherever these are run.
#[test]
fn a_warm_up_that_is_found_is_that_of_the_point() {
    let folder = folder();
    folder.write("warm.toml", &(SWEEP.to_owned() + "[output]\nwarm_up = \"mser_5\"\n"));
    done(&folder, "sweep warm.toml -o a -q --threads 4");
    let expected = files(&folder, "a");
    for share in [3, 1, 2] {
        done(&folder, &format!("sweep run warm.toml --shard {share}/3 -o s -q --threads 2"));
    }
    done(&folder, "sweep merge warm.toml -o s -q");
    assert!(files(&folder, "s") == expected);
    let key = "organization.big.workload.synthetic.size.exponential.mean";
    let words = format!(
        "run s.toml --set output.warm_up=mser_5 --set scheduler=easy --set {key}=30 -o p -q"
    );
    done(&folder, &words);
    let swept = folder.read("a/figures.csv");
    let swept: Vec<&str> =
        swept.lines().filter_map(|line| line.strip_prefix("4,easy,30,")).collect();
    assert_eq!(swept, folder.read("p/figures.csv").lines().skip(1).collect::<Vec<_>>());
    // With more replications the cutoff may be another one; then all are run again.
    done(&folder, "sweep warm.toml -o a -q --replications 5");
    done(&folder, "sweep warm.toml -o b -q --replications 5");
    assert!(files(&folder, "a") == files(&folder, "b"));
}

/// Known cells are not run again: jobs in `timing.json` are counted from saved states all the same, so
/// the log of ended replications tells.
#[test]
fn points_and_replications_are_added_to_a_finished_sweep() {
    let folder = folder();
    done(&folder, "sweep sweep.toml -o a -q");
    let length = || fs::metadata(folder.path("a/state/ended")).unwrap().len();
    let before = length();
    done(&folder, "sweep sweep.toml -o a -q");
    assert_eq!(length(), before, "nothing new");
    folder.write("sweep.toml", &SWEEP.replace("\"fcfs\", ", "\"conservative\", \"fcfs\", "));
    done(&folder, "sweep sweep.toml -o a -q --replications 4");
    let more = length() - before;
    assert!(more > 0 && length() < 3 * before, "{before} {more}");
    done(&folder, "sweep sweep.toml -o b -q --replications 4");
    assert!(files(&folder, "a") == files(&folder, "b"));
    done(&folder, "resume a --replications 5 -q");
    done(&folder, "sweep sweep.toml -o c -q --replications 5");
    assert!(files(&folder, "a") == files(&folder, "c"));
    let said = folder.run("resume a");
    assert!(said.code == 0 && said.error.contains("this sweep is finished"), "{}", said.error);
}

#[test]
fn shares_that_contradict_each_other_or_are_of_another_version_are_refused() {
    let folder = folder();
    for share in 1..=2 {
        done(&folder, &format!("sweep run sweep.toml --shard {share}/2 -o s -q"));
        done(&folder, &format!("sweep run sweep.toml --shard {share}/2 -o other -q"));
    }
    // A state with a changed byte, under the key of the true one.
    let path = folder.path("other/shards/2-of-2/state/ended");
    let mut log = fs::read(&path).unwrap();
    let middle = 24 + 200;
    log[middle] ^= 1;
    fs::write(&path, log).unwrap();
    refused(
        &folder,
        "sweep merge sweep.toml -o s --from s/shards/1-of-2 --from s/shards/2-of-2 \
         --from other/shards/2-of-2",
        // Replications end in any order, so this may be one of any point.
        &["has other results here than", "and both cannot be right"],
    );
    // Nothing of it was taken over: the true shares still agree.
    done(&folder, "sweep merge sweep.toml -o s -q");
    fs::remove_file(folder.path("s/manifest.json")).unwrap();
    let run = folder.path("s/shards/1-of-2/state/run.json");
    let text = fs::read_to_string(&run).unwrap();
    let version = format!("\"gridpact\": \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(&version), "{text}");
    fs::write(&run, text.replace(&version, "\"gridpact\": \"0.0.1\"")).unwrap();
    refused(
        &folder,
        "sweep merge sweep.toml -o s",
        &["version 0.0.1 began this run", "same version"],
    );
    refused(
        &folder,
        "sweep run sweep.toml --shard 1/2 -o s",
        &["s/shards/1-of-2: version 0.0.1 began this run", "end the share with that version"],
    );
    let status = folder.run("sweep status sweep.toml -o s");
    assert!(status.out.contains("of another version"), "{}", status.out);
    assert!(!folder.path("s/manifest.json").exists());
}

#[test]
fn games_are_swept_and_sobol_indices_are_told() {
    let folder = Folder::new(
        "name = \"g\"\n[run]\nreplications = 2\nuntil.rounds = 40\n[game]\n\
         payoffs.symmetric = [[4, 0], [3, 2]]\n[[player]]\nname = \"x\"\ncount = 2\n\
         learner.hedge.rate = 0.1\n",
    );
    folder.write(
        "sweep.toml",
        "extends = \"s.toml\"\n[sweep.sobol]\npoints = 64\n[sweep.sobol.ranges]\n\
         rate = { from = 0.05, to = 0.5 }\nrun.until.rounds = { from = 20, to = 60 }\n",
    );
    let out = done(&folder, "sweep sweep.toml -o a");
    assert!(out.contains("the variance of welfare is explained by"), "{out}");
    let table = folder.read("a/sensitivity.csv");
    let first: Vec<f64> = table
        .lines()
        .filter(|line| line.contains(",welfare,"))
        .map(|line| line.split(',').nth(5).unwrap().parse().unwrap())
        .collect();
    assert!(first.len() == 2 && first.iter().all(|one| (-0.3..1.3).contains(one)), "{table}");
    folder.write(
        "few.toml",
        "extends = \"s.toml\"\n[sweep.sobol]\npoints = 4\nranges.rate = [0.1, 0.2]\n",
    );
    let out = done(&folder, "sweep few.toml -o few");
    assert!(out.contains("no Sobol indices of welfare"), "{out}");
}

#[test]
fn a_finished_sweep_is_drawn() {
    let folder = folder();
    done(&folder, "sweep sweep.toml -o a -q");
    let svg = folder.read("a/sweep.svg");
    assert!(svg.contains(">\nStudy\n<"));
    // The bands of both lines overlap, and the difference on the same draws is known much better.
    assert!(svg.contains("\nchange from fcfs (%)\n"), "{svg}");
    assert!(svg.contains("95% intervals, each by itself; below: change from fcfs"), "{svg}");
    done(&folder, "sweep plot a --out again.svg");
    assert_eq!(
        folder.read("again.svg").matches("<polygon").count(),
        svg.matches("<polygon").count()
    );
    done(&folder, "sweep plot a --x mean --y wait_p99 --by scheduler --unit big --out p.svg");
    let svg = folder.read("p.svg");
    assert!(
        svg.contains("wait p99 of big (units of time) by scheduler") && svg.contains("\neasy\n"),
        "{svg}"
    );
    done(&folder, "sweep plot a --where scheduler=easy");
    for (options, told) in [
        ("--x scheduler", "has not two numbers"),
        ("--x men", "no key called `men` varies"),
        ("--y wat", "they have flow"),
        ("--unit x", "there are *, big, small"),
        ("--where scheduler", "there is no `=`"),
        ("--where scheduler=none", "no point has these values"),
    ] {
        refused(&folder, &format!("sweep plot a {options}"), &[told]);
    }
    refused(&folder, "sweep plot .", &["no finished sweep is here"]);
}

#[test]
fn a_sweep_that_cannot_be_run_says_why() {
    let folder = folder();
    for (sweep, told) in [
        ("scheduler = [\"fcfs\", \"fancy\"]", "this is the point with scheduler = fancy"),
        ("seed = [1, 1]", "is there twice"),
        ("name = [\"a\", \"b\"]\nrun.replications = [1]", ""),
    ] {
        folder.write("x.toml", &format!("extends = \"s.toml\"\n[sweep.grid]\n{sweep}\n"));
        let said = folder.run("sweep x.toml -o x -q");
        match told {
            "" => assert_eq!(said.code, 0, "{sweep}: {}", said.error),
            told => {
                assert!(said.code == 2 && said.error.contains(told), "{sweep}: {}", said.error);
                assert!(!folder.path("x").exists());
            }
        }
    }
    refused(&folder, "sweep s.toml", &["this is no sweep", "[sweep.grid]"]);
    let until = "run.until.precision = { metric = \"flow\", relative = 0.1, each.jobs = 100 }\n";
    folder.write("p.toml", &(until.to_owned() + &SWEEP.replace("s.toml", "once.toml")));
    folder.write("once.toml", &BASE.replace("[run]\nreplications = 3\n", ""));
    refused(&folder, "sweep p.toml", &["target precision", "run.replications"]);
    let checked = done(&folder, "check sweep.toml");
    assert!(checked.contains("this sweep is valid\n6 points, 18 replications in all"), "{checked}");
    for command in ["run", "compare --vary seed=1,2"] {
        refused(
            &folder,
            &format!("{command} sweep.toml"),
            &["this is a sweep", "gridpact sweep FILE"],
        );
    }
    refused(&folder, "sweep sweep.toml --set sweep.measure=gain", &["no `gain`", "they have flow"]);
    refused(&folder, "sweep sweep.toml --set scheduler=easy", &["the sweep varies this key"]);
    refused(&folder, "sweep sweep.toml --set sweep.unit=huge", &["there is no `huge`"]);
    refused(&folder, "sweep run sweep.toml --shard 8/7", &["is no share"]);
    refused(&folder, "sweep", &["<FILE>"]);
    // Results of other draws are not replaced unasked, nor those of another scenario.
    done(&folder, "sweep sweep.toml -o ours -q");
    let before = files(&folder, "ours");
    for other in ["--seed 2", "--set organization.small.cluster.space_shared.processors=5"] {
        let words = format!("sweep sweep.toml -o ours {other}");
        let said = folder.run(&words);
        assert!(said.code == 2, "{words}: {}", said.error);
    }
    refused(&folder, "sweep sweep.toml -o ours --seed 2", &["are here already", "--force"]);
    assert!(files(&folder, "ours") == before);
    done(&folder, "sweep sweep.toml -o ours --seed 2 --force -q");
    // A folder with results of something else is left alone.
    done(&folder, "run s.toml -o taken -q");
    refused(&folder, "sweep sweep.toml -o taken", &["are here already", "--force"]);
}

/// The script names the sweep and its changes; nothing is submitted without Slurm.
#[cfg(unix)]
#[test]
fn a_job_array_is_written() {
    let folder = folder();
    done(
        &folder,
        "sweep submit sweep.toml --engine slurm --shards 5 --cpus 2 --time 1:00:00 --seed 7 -o my%s --no-submit",
    );
    let script = folder.read("my%s/shards/slurm.sbatch");
    for line in [
        "#SBATCH --array=1-5",
        "#SBATCH --cpus-per-task=2",
        "#SBATCH --time=1:00:00",
        "my%%s/shards/log/%a.log",
        "sweep.toml --seed 7)",
        "shards=5",
    ] {
        assert!(script.contains(line), "{line}: {script}");
    }
    let left = script.split('@');
    let is_name =
        |text: &&str| text.len() > 2 && text.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    assert_eq!(left.filter(is_name).collect::<Vec<_>>(), [""; 0], "{script}");
    let checked = std::process::Command::new("bash")
        .args(["-n", folder.path("my%s/shards/slurm.sbatch").to_str().unwrap()])
        .status()
        .unwrap();
    assert!(checked.success());
}

/// Every study of the gallery can be planned, and says at its top what it asks and how long it takes.
#[test]
fn the_studies_of_the_gallery_are_right() {
    let folder = folder();
    let studies = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/studies");
    let mut number = 0;
    for entry in fs::read_dir(studies).unwrap() {
        let path = entry.unwrap().path();
        let said = folder.run(&format!("sweep plan {} --format csv", word(&path)));
        assert!(said.code == 0 && said.error.is_empty(), "{}: {}", path.display(), said.error);
        assert!(said.out.lines().count() > 4, "{}", said.out);
        let text = fs::read_to_string(&path).unwrap();
        let head: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
        assert!(head[0].ends_with('?') || head[1].ends_with('?'), "{head:?}");
        assert!(head.join(" ").contains("It takes"), "{head:?}");
        number += 1;
    }
    assert!(number >= 3);
}

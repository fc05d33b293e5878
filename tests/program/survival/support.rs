//! Small runs, their folders, and the faults that strike them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once, OnceLock};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT};
use signal_hook::flag::register_conditional_shutdown;
use tempfile::TempDir;

/// The bytes of the files of a results folder, by name.
pub type Bytes = BTreeMap<String, Vec<u8>>;

/// A run: a scenario and the options it is started with.
#[derive(Clone, Debug)]
pub struct Case {
    pub scenario: String,
    pub options: String,
}

/// Two clusters under two schedulers; jobs are recorded, and quantiles left out so that states are
/// small. `run` is what stands in the table of that name.
pub fn grid(run: &str) -> Case {
    let scenario = format!(
        "name = \"grid\"\noutput.histograms = false\n[run]\n{run}\n\
         [[organization]]\nname = \"a\"\n\
         cluster.space_shared = {{ processors = 4, scheduler.easy = {{}} }}\n\
         workload.synthetic = {{ arrivals.poisson.rate = 0.3, size.exponential.mean = 4, \
         processors.uniform = {{ min = 1, max = 4 }} }}\n\
         [[organization]]\nname = \"b\"\nuses = [\"a\", \"b\"]\n\
         cluster.space_shared = {{ processors = 2, scheduler.conservative = {{}} }}\n\
         workload.synthetic = {{ arrivals.poisson.rate = 0.3, size.exponential.mean = 2 }}\n"
    );
    Case { scenario, options: "--checkpoint-every 60jobs".to_owned() }
}

/// The same with everything that can be recorded of it, in many files that are packed; jobs of the
/// beginning do not count, and how many is found by a first run; organizations are alone too.
pub fn rich(run: &str) -> Case {
    let case = grid(run);
    let output = "output = { decisions = true, windows = 50.0, rotate = 70, compress = true, \
        alone = true, warm_up.mser_5 = {} }";
    Case { scenario: case.scenario.replace("output.histograms = false", output), ..case }
}

/// The same clusters without schedulers: `key` says who fills them.
pub fn filled(run: &str, key: &str) -> Case {
    let case = grid(run);
    let bare =
        [", scheduler.easy = {}", ", scheduler.conservative = {}", "uses = [\"a\", \"b\"]\n"];
    let scenario = bare.iter().fold(case.scenario, |text, part| text.replace(part, ""));
    Case { scenario: format!("{key}\n{scenario}"), ..case }
}

/// Three organizations that learn, in rounds of one kind; all records are written.
pub fn coalition(run: &str, rounds: &str) -> Case {
    let scenario = format!(
        "name = \"coalition\"\n\
         output = {{ histograms = false, rounds = true, moves = true, jobs = true }}\n[run]\n{run}\n\
         [[organization]]\nname = \"typical\"\ncount = 3\ncluster.time_shared = {{}}\n\
         workload.synthetic = {{ arrivals.poisson.rate = 0.2, size.gamma = {{ shape = 2.0, \
         scale = 2.0 }} }}\nlearner.ratio = {{ initial = 0.5, rate = 0.1 }}\n\
         [coalition]\nperiod = 100.0\nrounds.{rounds} = {{}}\nbalancer.averaging = {{}}\n"
    );
    Case { scenario, options: "--checkpoint-every 2rounds".to_owned() }
}

/// Three owners who may pool clusters, or follow a plan, under these keys; all records are written.
pub fn federation(keys: &str) -> Case {
    let scenario = format!(
        "name = \"federation\"\n{keys}\ncoalition.period = 100.0\n\
         coalition.cost = {{ job = 2.0, delay = 3.0, round = 0.1 }}\n\
         output = {{ histograms = false, rounds = true, jobs = true }}\n\
         [[organization]]\nname = \"site\"\ncount = 3\n\
         cluster.space_shared = {{ processors = 8, share = 5, scheduler.easy = {{}} }}\n\
         workload.synthetic = {{ arrivals.poisson.rate = 0.1, size.exponential.mean = 10.0, \
         processors.uniform = {{ min = 1, max = 6 }} }}\n\
         learner.ratio = {{ initial = 0.7, level = 90.0 }}\n"
    );
    Case { scenario, options: "--checkpoint-every 2rounds".to_owned() }
}

/// Applications that come one after the other, whose tasks wait for storage and for other classes, and
/// whose times are not those expected; all records are written.
pub fn campaign(run: &str) -> Case {
    let scenario = format!(
        "name = \"campaign\"\ntask_planner.game_quick = {{}}\n[run]\n{run}\n\
         [[organization]]\nname = \"site\"\ncount = 3\n\
         cluster.site = {{ processors = 6, price = 2, storage = 3000 }}\n\
         [workload.applications]\ncount = 12\nclasses.constant = 4\n\
         tasks.uniform = {{ min = 5, max = 20 }}\nedges = 0.3\n\
         times.braun = {{ tasks = 10, machines = 10, kind = \"inconsistent\" }}\n\
         storage = {{ min = 1, max = 1000 }}\nowners.uniform = {{}}\nerror = 0.3\n\
         arrivals.poisson.rate = 0.01\n"
    );
    Case { scenario, options: "--checkpoint-every 3jobs".to_owned() }
}

/// The small runs that most tests put through everything.
pub fn small() -> [(&'static str, Case); 2] {
    [
        ("grid", grid("replications = 2\nuntil.jobs = 150")),
        ("coalition", coalition("replications = 2\nuntil.rounds = 5", "independent")),
    ]
}

/// Where a test would kill at every one of very many places, it does so at one in so many:
/// `GRIDPACT_ONE_IN`, by default 16.
pub fn one_in() -> usize {
    let text = std::env::var("GRIDPACT_ONE_IN");
    text.map_or(16, |text| text.parse().expect("a number of places"))
}

/// Where a test would strike at each of some hundred places, it does so at one in sixteen;
/// `GRIDPACT_ONE_IN=1`, as the long checks have it, strikes at all. Tests that strike in several ways
/// begin at different places.
pub fn is_struck(index: usize) -> bool {
    let every = std::env::var_os("GRIDPACT_ONE_IN").map_or(16, |_| one_in());
    index.is_multiple_of(every)
}

/// Exit code and output of a program.
#[derive(Debug)]
pub struct Said {
    /// `None` of one that was killed.
    pub code: Option<i32>,
    pub error: String,
}

/// A fault at a run's n-th change of the disk, from 1.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    pub kind: &'static str,
    pub at: usize,
    /// Everything after it fails too.
    pub lasts: bool,
}

impl Fault {
    pub fn new(kind: &'static str, at: usize) -> Fault {
        Fault { kind, at, lasts: false }
    }
}

/// A call that changes something in the results folder.
#[derive(Clone, Debug)]
pub struct Call {
    pub name: String,
    pub path: PathBuf,
}

impl Call {
    /// True of calls that can be done in part.
    pub fn is_write(&self) -> bool {
        ["write", "pwrite", "writev", "copy_file_range", "sendfile"].contains(&&*self.name)
    }
}

/// A folder with the scenario `s.toml` of a case; its results go to `r`.
pub struct Place(TempDir);

impl Case {
    pub fn place(&self) -> Place {
        let place = Place(in_memory());
        fs::write(place.path("s.toml"), &self.scenario).unwrap();
        place
    }

    /// The words that start it.
    pub fn start(&self) -> String {
        format!("run s.toml -q --out r --threads 1 {}", self.options)
    }

    /// The results of a run that nothing befalls.
    pub fn unbroken(&self) -> Bytes {
        let place = self.place();
        let said = place.run("run s.toml -q --out r --checkpoint-every never");
        assert_eq!(said.code, Some(0), "{}\n{}", said.error, self.scenario);
        place.results()
    }

    /// Disk operations of an unbroken run.
    pub fn calls(&self, shim: &Shim) -> Vec<Call> {
        self.place().calls(shim, &self.start())
    }
}

/// Gives the programs that are started from here the default reactions to SIGINT and SIGHUP, also where
/// the tests run in the background of a script or under `nohup`: what is ignored would stay ignored in
/// them, what is handled does not.
fn hear_signals() {
    static HEARD: Once = Once::new();
    HEARD.call_once(|| {
        for signal in [SIGINT, SIGHUP] {
            let always = Arc::new(AtomicBool::new(true));
            register_conditional_shutdown(signal, 128 + signal, always).unwrap();
        }
    });
}

/// A directory that is gone at the end, in memory where the system has such: the tests sync a lot.
fn in_memory() -> TempDir {
    hear_signals();
    let shared = Path::new("/dev/shm");
    if shared.is_dir()
        && let Ok(folder) = TempDir::new_in(shared)
    {
        return folder;
    }
    TempDir::new().unwrap()
}

impl Place {
    pub fn path(&self, name: &str) -> PathBuf {
        // Without links, as the shim sees paths.
        self.0.path().canonicalize().unwrap().join(name)
    }

    /// The same folder again, as it is now.
    pub fn copy(&self) -> Place {
        let copy = Place(in_memory());
        copy_all(self.0.path(), copy.0.path());
        copy
    }

    /// The program with words parted by blanks, to be run here.
    pub fn command(&self, words: &str) -> Command {
        let mut program = crate::cli::support::program();
        program.args(words.split_whitespace()).current_dir(self.0.path());
        program
    }

    pub fn run(&self, words: &str) -> Said {
        said(self.command(words))
    }

    /// The same with its output open and not waited for.
    pub fn spawn(&self, words: &str) -> Child {
        let mut program = self.command(words);
        program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        program.spawn().unwrap()
    }

    /// Waits for the first checkpoint of what was spawned.
    pub fn until_it_saves(&self) {
        let begun = Instant::now();
        while !self.kept().iter().any(|name| name.ends_with(".checkpoint")) {
            assert!(begun.elapsed() < Duration::from_secs(300), "no checkpoint: {:?}", self.kept());
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Runs it while a fault waits for it.
    pub fn struck(&self, shim: &Shim, words: &str, fault: Fault) -> Said {
        let mut program = self.command(words);
        shim.load(&mut program, &self.path("r"));
        program.env("SHIM_AT", fault.at.to_string()).env("SHIM_KIND", fault.kind);
        program.env("SHIM_STICKY", if fault.lasts { "1" } else { "0" });
        said(program)
    }

    /// Disk operations of a run that ends well.
    pub fn calls(&self, shim: &Shim, words: &str) -> Vec<Call> {
        let log = self.path("calls");
        let mut program = self.command(words);
        shim.load(&mut program, &self.path("r"));
        let said = said_of(program.env("SHIM_LOG", &log));
        assert_eq!(said.code, Some(0), "{}", said.error);
        let text = fs::read_to_string(&log).unwrap();
        fs::remove_file(&log).unwrap();
        let call = |line: &str| {
            let mut words = line.splitn(3, ' ').skip(1);
            let mut word = || words.next().unwrap().to_owned();
            Call { name: word(), path: word().into() }
        };
        text.lines().map(call).collect()
    }

    /// The result files but those that tell of clocks; nothing of what is kept to go on.
    pub fn results(&self) -> Bytes {
        let entries = fs::read_dir(self.path("r")).into_iter().flatten();
        let paths = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
        let read = |path: PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read(path).unwrap())
        };
        let mut files: Bytes = paths.map(read).collect();
        files.retain(|name, _| name != "timing.json" && name != "live.json");
        files
    }

    /// The files that are kept to go on with the run.
    pub fn kept(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path("r/state")).into_iter().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Goes on with the run, or begins it anew where nothing was kept of it; ends with these
    /// results. What was said on standard error.
    #[track_caller]
    pub fn goes_on(&self, case: &Case, expected: &Bytes, what: &str) -> String {
        let mut said = self.run("resume r -q --threads 1");
        if said.code == Some(2) {
            let nothing = ["no run that could go on is here", "there is no such folder"];
            let is_told = nothing.iter().any(|nothing| said.error.contains(nothing));
            assert!(is_told, "{what}: {}", said.error);
            said = self.run(&case.start());
        }
        assert_eq!(said.code, Some(0), "{what}: {}", said.error);
        self.has(expected, what);
        said.error
    }

    /// Has these results.
    #[track_caller]
    pub fn has(&self, expected: &Bytes, what: &str) {
        let found = self.results();
        let names = |bytes: &Bytes| bytes.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&found), names(expected), "{what}");
        for (name, bytes) in expected {
            assert!(found[name] == *bytes, "{what}: {name} differs");
        }
    }
}

fn copy_all(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            fs::create_dir(&to).unwrap();
            copy_all(&path, &to);
        } else {
            fs::copy(path, to).unwrap();
        }
    }
}

fn said(mut program: Command) -> Said {
    said_of(&mut program)
}

/// Runs a program. That it panics is never right.
#[track_caller]
fn said_of(program: &mut Command) -> Said {
    let output = program.stdin(Stdio::null()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!error.contains("this is a bug of gridpact"), "{program:?}: {error}");
    // Killed, or interrupted before it listened.
    let is_ended = output.status.signal().is_none_or(|signal| [2, 9].contains(&signal));
    assert!(is_ended, "{program:?}: {error}");
    Said { code: output.status.code(), error }
}

/// The shim, compiled.
pub struct Shim(PathBuf);

impl Shim {
    /// `None` where it cannot be had, which is said.
    pub fn get() -> Option<&'static Shim> {
        static SHIM: OnceLock<Option<Shim>> = OnceLock::new();
        let shim = SHIM.get_or_init(|| {
            let found = Shim::compile();
            if let Err(why) = &found {
                eprintln!("skipped: faults cannot be made here: {why}");
            }
            found.ok()
        });
        shim.as_ref()
    }

    fn compile() -> Result<Shim, String> {
        if !cfg!(all(target_os = "linux", target_env = "gnu")) {
            return Err("this is no Linux with the GNU C library".to_owned());
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/survival/shim.c");
        // Another process may be at the same.
        let draft = folder.join(format!("shim-{}.so", std::process::id()));
        let compiler = std::env::var_os("CC").unwrap_or_else(|| OsStr::new("cc").to_owned());
        let compiled = Command::new(&compiler)
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .args([draft.as_os_str(), source.as_os_str(), OsStr::new("-ldl")])
            .output()
            .map_err(|error| format!("{}: {error}", compiler.display()))?;
        if !compiled.status.success() {
            return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
        }
        let shim = folder.join("shim.so");
        fs::rename(&draft, &shim).map_err(|error| error.to_string())?;
        Ok(Shim(shim))
    }

    fn load(&self, program: &mut Command, folder: &Path) {
        // A path in this variable can have no blank.
        let link = folder.with_file_name("shim.so");
        if !link.exists() {
            std::os::unix::fs::symlink(&self.0, &link).unwrap();
        }
        program.env("LD_PRELOAD", link).env("SHIM_FOLDER", folder);
    }
}

/// Numbers that look random, the same ones from the same seed (Steele, Lea and Flood's SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % most.max(1)
    }
}

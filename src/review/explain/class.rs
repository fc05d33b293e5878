//! Explains a class: what its tasks waited for, and who had the sites while they ran.

use kernel::map::Map;
use std::path::Path;

use super::words::when;
use super::{ExplainError, known, question, replication};
use kernel::order::InOrder as _;
use kernel::time::Time;
use records::campaign::records::{applications, classes, runs};
use records::record::Record as _;
use records::recorded::Rows;
use report::files::Manifest;
use report::table::Table;
use stats::shown;

/// Maximum number of other classes named for a site.
const SHOWN: usize = 3;

/// The story of a class.
#[derive(Clone, Debug)]
pub struct WhyClass {
    /// Its application.
    pub application: String,
    /// Its name.
    pub class: String,
    /// Its tasks.
    pub tasks: u64,
    /// Submission of its application.
    pub submit: Time,
    /// Time at which it was ready.
    pub ready: Option<Time>,
    /// Start of its first task.
    pub start: Option<Time>,
    /// End of its last task.
    pub finish: Option<Time>,
    /// The class that it waited for last, and when that was done.
    pub waited_for: Option<(String, Time)>,
    /// Its share of each site between being ready and done.
    pub sites: Vec<OnSite>,
}

/// Users of a site while a class was ready and not done.
#[derive(Clone, Debug)]
pub struct OnSite {
    /// The cluster that is the site.
    pub cluster: String,
    /// Tasks of the class that it ran.
    pub tasks: f64,
    /// Share of its processor time that the class had.
    pub own: f64,
    /// Shares of others, by application and class, the largest first.
    pub others: Vec<(String, f64)>,
}

impl OnSite {
    /// Share of the site's processor time that nobody had.
    pub fn idle(&self) -> f64 {
        let others: f64 = self.others.iter().map(|(_, share)| share).sum();
        (1.0 - self.own - others).max(0.0)
    }

    fn text(&self) -> String {
        let (own, tasks) = (shown::percent(self.own), shown::figure(self.tasks));
        let mut out = format!("  `{}`: {own} of its processor time, {tasks} tasks", self.cluster);
        for (name, share) in self.others.iter().take(SHOWN) {
            out += &format!("; {name} {}", shown::percent(*share));
        }
        if let Some(rest @ [_, ..]) = self.others.get(SHOWN..) {
            let sum: f64 = rest.iter().map(|(_, share)| share).sum();
            out += &format!("; {} more {}", rest.len(), shown::percent(sum));
        }
        out + &format!("; idle {}\n", shown::percent(self.idle()))
    }
}

impl WhyClass {
    /// The story in words.
    pub fn text(&self) -> String {
        let tasks = shown::counted(self.tasks, "task", "tasks");
        let mut out = format!("Class `{}` of `{}`: {tasks}\n\n", self.class, self.application);
        out += &format!("submitted at {}\n", when(self.submit));
        out += &match (&self.waited_for, self.ready) {
            (Some((class, end)), Some(ready)) if *end == ready => {
                format!("ready at {}, when `{class}` was done\n", when(ready))
            }
            (_, Some(ready)) => format!("ready at {}\n", when(ready)),
            (_, None) => "never ready: what it waits for was not done\n".to_owned(),
        };
        if let Some(start) = self.start {
            out += &format!("first task started at {}\n", when(start));
        }
        out += &match self.finish {
            Some(finish) => format!("last task ended at {}\n", when(finish)),
            None => "not done when the run was over\n".to_owned(),
        };
        if !self.sites.is_empty() {
            out += "\nIn that time, each site worked for it and for others:\n";
        }
        out.extend(self.sites.iter().map(OnSite::text));
        out
    }

    /// The table: who had which share of a site.
    pub fn tables(&self) -> Vec<Table> {
        let own = format!("{}/{}", self.application, self.class);
        let shares = self.sites.iter().flat_map(|site| {
            let others = site.others.iter().map(|(name, share)| (&**name, *share));
            let all = [(&*own, site.own)].into_iter().chain(others);
            all.map(|(name, share)| (&*site.cluster, name, share))
        });
        let table = Table::of("sites", shares)
            .text("cluster", |(cluster, ..)| cluster)
            .text("class", |(_, class, _)| class)
            .figure("share", |(.., share)| share);
        vec![table.table()]
    }
}

/// The class that is asked about.
#[derive(Clone, Debug)]
pub struct WhichClass {
    /// Its name.
    pub class: String,
    /// Its application, if several have a class of that name.
    pub application: Option<String>,
    /// The replication.
    pub replication: Option<u32>,
}

/// Tells the story of a class.
///
/// # Errors
/// Fails if there is no such class, or several.
pub fn why_class(
    folder: &Path,
    manifest: &Manifest,
    which: &WhichClass,
) -> Result<WhyClass, ExplainError> {
    if manifest.campaign.is_none() {
        return Err(question("this run has no classes of tasks", "ask about a job: `--job ID`"));
    }
    let number = replication(manifest, which.replication)?;
    let names = || manifest.files.keys().map(String::as_str);
    let mut submits: Map<String, Time> = Map::new();
    let mut rows = Rows::named(folder, "applications", names())?;
    while let Some(row) = rows.read()? {
        let line = applications::Line::read(&row)?;
        if line.replication == number {
            submits.insert(line.application.to_owned(), line.submission_time);
        }
    }
    if let Some(application) = &which.application {
        known("application", application, submits.keys().map(String::as_str))?;
    }
    let mut found: Vec<(WhyClass, Vec<String>)> = Vec::new();
    let mut ends: Map<(String, String), Time> = Map::new();
    let mut rows = Rows::named(folder, "classes", names())?;
    while let Some(row) = rows.read()? {
        let line = classes::Line::read(&row)?;
        if line.replication != number {
            continue;
        }
        let key = (line.application.to_owned(), line.class.to_owned());
        let is_asked = which.application.as_ref().is_none_or(|one| *one == key.0);
        if is_asked && key.1 == which.class {
            let story = WhyClass {
                submit: submits.get(&key.0).copied().unwrap_or_default(),
                application: key.0.clone(),
                class: key.1.clone(),
                tasks: line.tasks,
                ready: line.ready_time,
                start: line.start_time,
                finish: line.finish_time,
                waited_for: None,
                sites: Vec::new(),
            };
            found.push((story, line.after.split_whitespace().map(str::to_owned).collect()));
        }
        if let Some(finish) = line.finish_time {
            ends.insert(key, finish);
        }
    }
    if found.len() > 1 {
        let message = format!("{} applications have a class `{}`", found.len(), which.class);
        let names: Vec<&str> = found.iter().take(8).map(|(one, _)| &*one.application).collect();
        return Err(question(
            message,
            format!("say which by `--application`: {}", names.join(", ")),
        ));
    }
    let Some((mut story, after)) = found.pop() else {
        let message = format!("the run has no class called `{}`", which.class);
        return Err(question(message, "classes.csv has their names"));
    };
    let before = after.into_iter().filter_map(|name| {
        let end = *ends.get(&(story.application.clone(), name.clone()))?;
        Some((name, end))
    });
    story.waited_for = before.max_by_key(|&(_, end)| end);
    story.sites = sites(folder, manifest, number, &story)?;
    Ok(story)
}

/// Processor time and tasks by application and class.
type Had = Map<(String, String), (f64, f64)>;

/// Users of each site between two times of a class.
fn sites(
    folder: &Path,
    manifest: &Manifest,
    replication: u32,
    story: &WhyClass,
) -> Result<Vec<OnSite>, ExplainError> {
    let (Some(from), Some(to)) = (story.ready, story.finish) else { return Ok(Vec::new()) };
    let mut times: Map<String, Had> = Map::new();
    let mut rows = Rows::named(folder, "runs", manifest.files.keys().map(String::as_str))?;
    while let Some(row) = rows.read()? {
        let line = runs::Line::read(&row)?;
        let (start, finish) = (line.start_time.max(from), line.finish_time.min(to));
        if line.replication != replication || finish <= start {
            continue;
        }
        let key = (line.application.to_owned(), line.class.to_owned());
        let of = times.get_or_default(line.cluster.to_owned()).get_or_default(key);
        of.0 += line.processors * (finish - start).as_units();
        of.1 += line.tasks;
    }
    let length = (to - from).as_units();
    let own = (story.application.clone(), story.class.clone());
    let sites = manifest.clusters.iter().map(|cluster| {
        let mut had = times.remove(&cluster.name).unwrap_or_default();
        let whole = f64::from(cluster.processors) * length;
        let share = |time: f64| if whole > 0.0 { time / whole } else { 0.0 };
        let (time, tasks) = had.remove(&own).unwrap_or_default();
        let mut others: Vec<(String, f64)> = had
            .into_iter()
            .map(|((application, class), (time, _))| {
                (format!("{application}/{class}"), share(time))
            })
            .collect();
        others.order_by(|one, other| other.1.total_cmp(&one.1));
        OnSite { cluster: cluster.name.clone(), tasks, own: share(time), others }
    });
    Ok(sites.collect())
}

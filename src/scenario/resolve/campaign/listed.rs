//! Applications that are listed one by one.

use super::super::Resolver;
use super::millionths;
use crate::diagnostics::show;
use crate::path::Path;
use crate::plan::Cluster;
use crate::raw;
use kernel::map::{Map, Set};
use kernel::order::InOrder as _;
use kernel::time::{Span, Time};
use model::campaign::{Application, Campaign as Work, Class, HOLDS, Site};
use model::ids::OrganizationId;
use model::speed::Speed;
use policy::tasks::Executor;
use sim::clairvoyance::Clairvoyance;
use workload::applications::wfcommons::{self, WfCommonsError};

/// Source of recorded workflows.
const INSTANCES: &str = "recorded workflows are at https://wfcommons.org";
/// Most tasks of a class.
const MOST_TASKS: u64 = 1_000_000_000_000;

fn application(index: usize) -> Path {
    Path::root().key("application").index(index)
}

fn class(index: usize, of: usize) -> Path {
    application(index).key("class").index(of)
}

impl Resolver<'_> {
    /// Returns what the applications consist of.
    pub(super) fn listed_applications(&mut self, sites: &[Site]) -> Option<Work> {
        let raw = self.raw;
        let mut order: Vec<usize> = (0..raw.application.len()).collect();
        let mut submits = Vec::with_capacity(order.len());
        let mut named: Map<&str, usize> = Map::new();
        for (index, written) in raw.application.iter().enumerate() {
            let at = application(index);
            self.check_name(&written.name, &at.clone().key("name"));
            if named.insert(&written.name, index).is_some() {
                self.twice(at.clone().key("name"), "applications", &written.name);
            }
            submits.push(self.time(written.submit, at.key("submit")));
        }
        order.order_by_key(|&index| submits[index]);
        let mut work = Work { sites: sites.len(), ..Work::default() };
        for index in order {
            let written = &raw.application[index];
            let at = application(index);
            let owner = self.known_organization(&written.owner, at.clone().key("owner"));
            let deadline =
                written.deadline.map(|units| self.time(units, at.clone().key("deadline")));
            if let Some(deadline) = deadline.filter(|&deadline| deadline < submits[index]) {
                let message = format!(
                    "the deadline, {deadline}, is before the submission, {}",
                    submits[index]
                );
                self.help(
                    at.clone().key("deadline"),
                    message,
                    "times are counted from the start of the run",
                );
            }
            let first = work.classes.len() as u32;
            let number = work.applications.len() as u32;
            if let Some(workflow) = &written.workflow {
                let times = (submits[index], deadline.unwrap_or(Time::NEVER));
                self.workflow(index, workflow, (owner?, times), sites, &mut work)?;
                continue;
            }
            if written.class.is_empty() {
                let help = "write `[[application.class]]`, or `workflow = { file = \"...\" }`";
                self.help(at, format!("`{}` has no classes", show(&written.name)), help);
                continue;
            }
            for of in self.in_order(index)? {
                self.listed_class(index, of, number, sites, &mut work);
            }
            self.link(index, first, &mut work);
            work.applications.push(Application {
                name: written.name.clone(),
                owner: owner?,
                submit: submits[index],
                deadline: deadline.unwrap_or(Time::NEVER),
                first,
                end: work.classes.len() as u32,
            });
        }
        if work.weights.iter().all(|&weight| weight == 1.0) {
            work.weights.clear();
        }
        self.errors.is_empty().then_some(work)
    }

    /// Adds a recorded workflow.
    fn workflow(
        &mut self,
        index: usize,
        written: &raw::Workflow,
        (owner, times): (OrganizationId, (Time, Time)),
        sites: &[Site],
        work: &mut Work,
    ) -> Option<()> {
        let at = application(index).key("workflow");
        if !self.raw.application[index].class.is_empty() {
            let message = "an application has classes or a workflow, not both";
            self.contradiction(
                application(index).key("class"),
                message,
                &at,
                "leave out one of them",
            );
        }
        let at = at.key("file");
        let file = self.file(&at, &written.file);
        self.valid(application(index).key("workflow").key("import"), written.import.check())?;
        let workflow = match wfcommons::read(&file, &written.import) {
            Ok(workflow) => workflow,
            Err(error) => {
                let unreadable = matches!(error, WfCommonsError::Read { .. });
                self.wrong_file(at, &file, error.to_string(), unreadable, Some(INSTANCES));
                return None;
            }
        };
        let speeds: Vec<Speed> = self.clusters.iter().map(Cluster::speed).collect();
        let first = work.classes.len();
        let name = self.raw.application[index].name.clone();
        self.imports.push((name, workflow.ledger.clone()));
        workflow.append(work, owner, times, &speeds);
        work.weights.resize(work.classes.len() * sites.len(), 1.0);
        if let Some(application) = work.applications.last_mut() {
            application.name.clone_from(&self.raw.application[index].name);
        }
        for number in first..work.classes.len() {
            let class = &mut work.classes[number];
            class.name = class.name.split_whitespace().collect::<Vec<_>>().join("_");
            let fits = |site: &Site| {
                class.needs.iter().zip(&site.limits).all(|(need, limit)| need <= limit)
            };
            if !sites.iter().any(fits) {
                let message =
                    format!("a task of `{}` holds more than any site has", show(&class.name));
                let help = "raise the `storage` or `memory` of a site";
                self.help(at.clone(), message, help);
            }
        }
        Some(())
    }

    /// Returns the classes of an application, each behind those that it waits for; `None` if there is a
    /// circle.
    fn in_order(&mut self, index: usize) -> Option<Vec<usize>> {
        let classes = &self.raw.application[index].class;
        let mut named: Map<&str, usize> = Map::new();
        for (of, written) in classes.iter().enumerate() {
            let at = class(index, of).key("name");
            self.check_name(&written.name, &at);
            if written.name.contains(char::is_whitespace) {
                let help =
                    "`classes.csv` tells what a class waits for by names with blanks between them";
                self.help(at.clone(), format!("`{}` has a blank in it", show(&written.name)), help);
            }
            if named.insert(&written.name, of).is_some() {
                self.twice(at, "classes", &written.name);
            }
        }
        let mut unmet = vec![0_usize; classes.len()];
        let mut behind: Vec<Vec<usize>> = vec![Vec::new(); classes.len()];
        for (of, written) in classes.iter().enumerate() {
            for (place, name) in written.after.iter().enumerate() {
                match named.get(name.as_str()) {
                    Some(&before) => {
                        unmet[of] += 1;
                        behind[before].push(of);
                    }
                    None => {
                        let at = class(index, of).key("after").index(place);
                        let names = classes.iter().map(|class| &class.name);
                        self.unknown(at, "class", name, names);
                    }
                }
            }
        }
        let mut ready: Set<usize> = (0..classes.len()).filter(|&of| unmet[of] == 0).collect();
        let mut order = Vec::with_capacity(classes.len());
        while let Some(of) = ready.pop_first() {
            order.push(of);
            for &next in &behind[of] {
                unmet[next] -= 1;
                if unmet[next] == 0 {
                    ready.insert(next);
                }
            }
        }
        if order.len() < classes.len() {
            self.tell_circle(index, &unmet, &named);
            return None;
        }
        Some(order)
    }

    /// Tells a circle of classes that wait for each other.
    fn tell_circle(&mut self, index: usize, unmet: &[usize], named: &Map<&str, usize>) {
        let classes = &self.raw.application[index].class;
        let Some(mut at) = unmet.iter().position(|&unmet| unmet > 0) else { return };
        let mut walk: Vec<usize> = Vec::new();
        while !walk.contains(&at) {
            walk.push(at);
            let before =
                classes[at].after.iter().filter_map(|name| named.get(name.as_str()).copied());
            // Each class that is left waits for another one that is left.
            let Some(next) = before.into_iter().find(|&before| unmet[before] > 0) else { return };
            at = next;
        }
        let circle = &walk[walk.iter().position(|&one| one == at).unwrap_or(0)..];
        let names: Vec<String> = circle
            .iter()
            .chain([&at])
            .map(|&of| format!("`{}`", show(&classes[of].name)))
            .collect();
        let message = format!("these classes wait for each other: {}", names.join(" after "));
        self.help(
            class(index, at).key("after"),
            message,
            "take one of the names out of an `after`",
        );
    }

    fn listed_class(
        &mut self,
        index: usize,
        of: usize,
        number: u32,
        sites: &[Site],
        work: &mut Work,
    ) {
        let written = &self.raw.application[index].class[of];
        let at = class(index, of);
        let (mut times, mut expected) = (Vec::new(), Vec::new());
        let mut weights = Vec::new();
        let maps = [
            ("times", &written.times),
            ("expected", &written.expected),
            ("weights", &written.weights),
        ];
        for (key, map) in maps {
            for name in map.keys().filter(|name| !self.cluster_by_name.contains_key(*name)) {
                let clusters = self.cluster_by_name.keys();
                self.mistakes.unknown(at.clone().key(key).key(name), "cluster", name, clusters);
            }
        }
        for site in 0..sites.len() {
            let name = self.clusters[site].name.clone();
            let speed = self.clusters[site].speed();
            let time = match (written.times.get(&name), written.time) {
                (Some(&own), _) => self.length(own, at.clone().key("times").key(&name)),
                (None, Some(common)) => speed.runs(self.length(common, at.clone().key("time"))),
                (None, None) => Span::MAX,
            };
            let said = written.expected.get(&name).copied();
            let said = said.map(|units| self.length(units, at.clone().key("expected").key(&name)));
            times.push(time);
            let is_known = self.raw.run.clairvoyance == Clairvoyance::Runtime || time == Span::MAX;
            expected.push(said.filter(|_| !is_known).unwrap_or(time));
            weights.push(written.weights.get(&name).copied().unwrap_or(1.0));
        }
        let output = millionths(written.output);
        let needs =
            [millionths(written.storage).saturating_add(output), millionths(written.memory)];
        let executor = self.raw.task_planning.as_ref().map(|planning| planning.executor);
        if output > 0 && executor == Some(Executor::Fluid) {
            let help = "leave `task_planning.executor` out, so that tasks are whole";
            self.help(
                at.clone().key("output"),
                "a fluid has no finished tasks that leave files",
                help,
            );
        }
        let help = "split the class";
        self.at_most(MOST_TASKS, written.tasks, "tasks", at.clone().key("tasks"), help);
        self.check_somewhere(written, &at, sites, &times, &weights, needs);
        work.times.append(&mut times);
        work.expected.append(&mut expected);
        work.weights.append(&mut weights);
        work.classes.push(Class {
            name: written.name.clone(),
            application: number,
            tasks: written.tasks,
            after: Vec::new(),
            needs,
            output,
        });
    }

    /// Checks that tasks can run at a site.
    fn check_somewhere(
        &mut self,
        written: &raw::Class,
        at: &Path,
        sites: &[Site],
        times: &[Span],
        weights: &[f64],
        needs: [i64; model::campaign::HELD],
    ) {
        if written.tasks == 0 {
            return;
        }
        let has_time = |site: usize| times[site] != Span::MAX;
        let may = |site: usize| has_time(site) && weights[site] > 0.0;
        let all = 0..sites.len();
        if !all.clone().any(has_time) {
            let help = "give `time`, or `times` by the names of clusters";
            self.help(
                at.clone(),
                format!("`{}` has no time at any site", show(&written.name)),
                help,
            );
        } else if !all.clone().any(may) {
            let message = format!("the weights keep `{}` from every site", show(&written.name));
            self.help(
                at.clone().key("weights"),
                message,
                "give a site where it can run more than 0",
            );
        } else if !all.clone().any(|site| {
            may(site) && needs.iter().zip(&sites[site].limits).all(|(need, limit)| need <= limit)
        }) {
            let fits = |thing: usize| {
                all.clone().any(|site| may(site) && needs[thing] <= sites[site].limits[thing])
            };
            let thing = (0..HOLDS.len()).find(|&thing| !fits(thing)).unwrap_or(0);
            let message = format!(
                "a task of `{}` holds more {} than any site has where it can run",
                show(&written.name),
                HOLDS[thing]
            );
            let help = format!("lower it, or raise the `{}` of a site", HOLDS[thing]);
            self.help(at.clone().key(HOLDS[thing]), message, help);
        }
    }

    /// Notes which classes of an application wait for which.
    fn link(&self, index: usize, first: u32, work: &mut Work) {
        let written = &self.raw.application[index].class;
        let numbers: Map<String, u32> = (first..work.classes.len() as u32)
            .map(|number| (work.classes[number as usize].name.clone(), number))
            .collect();
        for class in written {
            let Some(&number) = numbers.get(&class.name) else { continue };
            let mut after: Vec<u32> =
                class.after.iter().filter_map(|name| numbers.get(name).copied()).collect();
            after.sort_unstable();
            after.dedup();
            work.classes[number as usize].after = after;
        }
    }
}

//! Least time of an application that has all sites to itself, from which deadlines are drawn.
//!
//! No schedule of whole tasks is shorter than the larger of two numbers.
//!
//! *Chain.* A class k of n tasks takes at least n / sum(m_i / p_ik), as on all processors at once, and
//! at least the time of one task, min(p_ik). The longest chain of classes that wait for one another
//! takes at least the sum of these.
//!
//! *Work.* Give the processors of site i a price y_i per unit of time, such that all processors
//! together cost 1 per unit of time: sum(m_i y_i) = 1. A task of class k costs at least min(p_ik y_i),
//! so the application takes at least the sum of n_k min(p_ik y_i) over its classes. Two price lists
//! are tried. The first gives all processors the same price. The second gives a site the speed at
//! which it would do all tasks, 1 / sum(n_k p_ik), which is exact if times are products of a factor of
//! the class and one of the site.
//!
//! Here m_i are the processors of site i, and p_ik the expected time of a task. Sites count only for
//! classes that can run there and whose needs are within the limits for one task. Limits for several
//! tasks are left aside.

use kernel::time::Span;
use model::campaign::{Campaign, Class, Site};

/// Returns the least time of an application on all sites, in ticks; infinite if one of its classes can
/// run nowhere. O(classes · sites + precedences).
pub fn alone(campaign: &Campaign, application: u32, sites: &[Site]) -> f64 {
    let Some(application) = campaign.applications.get(application as usize) else { return 0.0 };
    let range = application.first..application.end;
    let classes = range.clone().map(|class| Row::of(campaign, class));
    let classes: Vec<Row<'_>> = classes.collect();
    let mut longest: f64 = 0.0;
    let mut chains: Vec<f64> = Vec::with_capacity(classes.len());
    for (class, row) in range.zip(&classes) {
        let before = campaign.classes[class as usize].after.iter();
        let before = before.filter_map(|&before| before.checked_sub(application.first));
        let before = before.filter_map(|before| chains.get(before as usize).copied());
        let chain = before.fold(0.0, f64::max) + row.least(sites);
        longest = longest.max(chain);
        chains.push(chain);
    }
    longest.max(work(&classes, sites))
}

/// A class with its times on the sites where it can run.
struct Row<'a> {
    class: &'a Class,
    times: &'a [Span],
}

impl<'a> Row<'a> {
    fn of(campaign: &'a Campaign, class: u32) -> Row<'a> {
        Row { class: &campaign.classes[class as usize], times: campaign.expected(class) }
    }

    /// The sites where the class can run, with its times there, in ticks.
    fn on(&self, sites: &'a [Site]) -> impl Iterator<Item = (usize, &'a Site, f64)> {
        let pairs = self.times.iter().zip(sites).enumerate();
        pairs.filter_map(|(index, (&time, site))| {
            let fits = self.class.needs.iter().zip(&site.limits).all(|(need, limit)| need <= limit);
            let runs = fits && time != Span::MAX && site.processors > 0;
            runs.then_some((index, site, time.ticks() as f64))
        })
    }

    fn tasks(&self) -> f64 {
        self.class.tasks as f64
    }

    /// The least time of the class, in ticks.
    fn least(&self, sites: &[Site]) -> f64 {
        let (rate, shortest) = self.on(sites).fold((0.0, f64::INFINITY), |(rate, shortest), on| {
            let (_, site, time) = on;
            (rate + f64::from(site.processors) / time, time.min(shortest))
        });
        if self.class.tasks == 0 { 0.0 } else { shortest.max(self.tasks() / rate) }
    }
}

/// The least time for all work, in ticks, ignoring precedences.
fn work(classes: &[Row<'_>], sites: &[Site]) -> f64 {
    let mut totals = vec![0.0; sites.len()];
    for class in classes {
        for (index, _, time) in class.on(sites) {
            totals[index] += class.tasks() * time;
        }
    }
    let speed = |&total: &f64| if total > 0.0 { 1.0 / total } else { 0.0 };
    let by_speed: Vec<f64> = totals.iter().map(speed).collect();
    let alike = vec![1.0; sites.len()];
    [alike, by_speed].iter().map(|prices| priced(classes, sites, prices)).fold(0.0, f64::max)
}

/// The least time for all work, in ticks, by prices of processors of sites.
fn priced(classes: &[Row<'_>], sites: &[Site], prices: &[f64]) -> f64 {
    let all: f64 = sites.iter().zip(prices).map(|(site, y)| f64::from(site.processors) * y).sum();
    let least = |class: &Row<'_>| {
        let costs = class.on(sites).map(|(index, _, time)| time * prices[index]);
        class.tasks() * costs.fold(f64::INFINITY, f64::min)
    };
    let classes = classes.iter().filter(|class| class.class.tasks > 0);
    let cost: f64 = classes.map(least).sum();
    if all > 0.0 { cost / all } else { 0.0 }
}

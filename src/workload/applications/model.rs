//! Drawn applications with checked parameters, ready to draw campaigns from.

use rand::RngExt as _;
use rand_distr::StandardNormal;

use super::bound;
use super::options::{Options, Whole};
use super::times::{Rows, TimesModel};
use crate::draw::{AnyDraw, Draw as _, fraction};
use crate::rounding::nearest;
use crate::values::ValuesError;
use kernel::rng::{Rng, Streams};
use kernel::time::{LIMIT_TICKS, Span, Time};
use model::campaign::{Application, Campaign, Class, HELD, HOLDS, Site};
use model::ids::OrganizationId;
use model::invalid::Invalid;

/// Applications with valid parameters and their file read.
///
/// Each kind of draw has its own random stream: `applications/arrivals`, `/shapes` (numbers of
/// classes), `/tasks`, `/edges`, `/factors` (of classes), `/times/<site>` or `/sites`, `/storage`,
/// `/memory` and `/error/<site>`, where `<site>` is a number from 0. A change of one therefore changes
/// no draw of another, and a site added behind the others changes none of theirs (except that
/// consistent times are sorted).
#[derive(Clone, Debug, PartialEq)]
pub struct ApplicationsModel {
    options: Options,
    classes: Whole,
    times: TimesModel,
    gap: Option<AnyDraw>,
}

impl ApplicationsModel {
    /// Checks the parameters and reads the file; its path is used unchanged. `sites` are the names of
    /// the sites.
    ///
    /// # Errors
    /// The first invalid field, or the problem with a file.
    pub fn new(options: Options, sites: &[&str]) -> Result<ApplicationsModel, ValuesError> {
        options.check()?;
        let times = options.times.model(sites)?;
        let listed = match &times {
            TimesModel::File(table) => Some(table.classes().len() as u64),
            TimesModel::Braun(_) | TimesModel::Product(_) => None,
        };
        let classes = match (options.classes, listed) {
            (Some(classes), Some(listed)) if classes.most() > listed => {
                let message = format!("the file of times has only {listed} classes; give less");
                return Err(Invalid::new("classes", message).into());
            }
            (Some(classes), _) => classes,
            (None, listed) => Whole::Constant(listed.unwrap_or(1)),
        };
        options.fits(&classes)?;
        let gap = options.arrivals.as_ref().map(|arrivals| arrivals.sampler()).transpose();
        let gap = gap.map_err(|invalid| invalid.within("arrivals"))?;
        Ok(ApplicationsModel { classes, times, gap, options })
    }

    /// Returns the parameters as written.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the digest of the file of times, if there is one.
    pub fn digest(&self) -> Option<String> {
        match &self.times {
            TimesModel::File(table) => Some(table.digest().to_hex().to_string()),
            TimesModel::Braun(_) | TimesModel::Product(_) => None,
        }
    }

    /// Checks that one site at least can hold a task of whatever class may be drawn.
    ///
    /// # Errors
    /// The need that is too large.
    pub fn check_limits(&self, sites: &[Site]) -> Result<(), Invalid> {
        let needs = self.options.held().map(|range| range.map_or(0, |range| range.most()));
        let holds = |site: &&Site| needs.iter().zip(&site.limits).all(|(need, most)| need <= most);
        if sites.iter().any(|site| holds(&site)) {
            return Ok(());
        }
        let is_too_much = |&thing: &usize| {
            needs[thing] > 0 && sites.iter().all(|site| site.limits[thing] < needs[thing])
        };
        let (field, message) = match (0..HELD).find(is_too_much) {
            Some(thing) => (HOLDS[thing], "a task may need more than any site has"),
            None => ("storage", "no site has both the storage and the memory that a task may need"),
        };
        Err(Invalid::new(field, format!("{message}; lower `max`, or raise a site's limit")))
    }

    /// Draws the campaign of a replication. `owners` says whose an application is, by its number from
    /// 0. Whether all can end within the range of times is left to the simulation.
    pub fn draw(
        &self,
        sites: &[Site],
        streams: &Streams,
        mut owners: impl FnMut(usize) -> OrganizationId,
    ) -> Campaign {
        let mut campaign = Campaign { sites: sites.len(), ..Campaign::default() };
        let mut draw = Drawing::new(self, sites.len(), streams);
        let mut clock = Time::ZERO;
        for number in 0..self.options.count as usize {
            if let Some(gap) = &self.gap {
                let next = clock.saturating_add(nearest(gap.draw(&mut draw.arrivals)));
                clock = next.min(Time::from_ticks(LIMIT_TICKS));
            }
            let first = campaign.classes.len() as u32;
            for place in 0..self.classes.draw(&mut draw.shapes) as usize {
                draw.class(first, place, number, &mut campaign);
            }
            campaign.applications.push(Application {
                name: format!("a{}", number + 1),
                owner: owners(number),
                submit: clock,
                deadline: Time::NEVER,
                first,
                end: campaign.classes.len() as u32,
            });
        }
        campaign.times = draw.true_times(&campaign.expected);
        self.set_deadlines(sites, &mut campaign);
        campaign
    }

    /// Sets the deadlines, from the expected times.
    fn set_deadlines(&self, sites: &[Site], campaign: &mut Campaign) {
        let Some(factor) = self.options.deadline else { return };
        for number in 0..campaign.applications.len() {
            let least = bound::alone(campaign, number as u32, sites);
            let application = &mut campaign.applications[number];
            if least.is_finite() {
                application.deadline = application.submit.saturating_add(nearest(factor * least));
            }
        }
    }
}

/// The streams of a replication.
struct Drawing<'a> {
    model: &'a ApplicationsModel,
    rows: Box<dyn Rows + 'a>,
    arrivals: Rng,
    shapes: Rng,
    tasks: Rng,
    edges: Rng,
    held: [Rng; HELD],
    errors: Vec<Rng>,
}

impl<'a> Drawing<'a> {
    fn new(model: &'a ApplicationsModel, sites: usize, streams: &Streams) -> Drawing<'a> {
        let stream = |of: &str| streams.stream(&format!("applications/{of}"));
        let errors = if model.options.error.is_some() { sites } else { 0 };
        Drawing {
            model,
            rows: model.times.begin(sites, streams),
            arrivals: stream("arrivals"),
            shapes: stream("shapes"),
            tasks: stream("tasks"),
            edges: stream("edges"),
            held: HOLDS.map(stream),
            errors: (0..errors).map(|site| stream(&format!("error/{site}"))).collect(),
        }
    }

    /// Draws a class, given the number of the first one of its application.
    fn class(&mut self, first: u32, place: usize, application: usize, campaign: &mut Campaign) {
        let options = &self.model.options;
        let name = match &self.model.times {
            TimesModel::File(table) => table.classes().get(place).cloned(),
            TimesModel::Braun(_) | TimesModel::Product(_) => None,
        };
        let mut after = Vec::new();
        if options.edges > 0.0 {
            let before = first..campaign.classes.len() as u32;
            after.extend(before.filter(|_| fraction(&mut self.edges) < options.edges));
        }
        let mut needs = [0; HELD];
        for ((need, range), rng) in needs.iter_mut().zip(options.held()).zip(&mut self.held) {
            *need = range.map_or(0, |range| range.draw(rng));
        }
        campaign.classes.push(Class {
            name: name.unwrap_or_else(|| format!("c{}", place + 1)),
            application: application as u32,
            tasks: options.tasks.draw(&mut self.tasks),
            after,
            needs,
            output: 0,
        });
        self.rows.row(place, &mut campaign.expected);
    }

    /// Draws the true times of all classes.
    fn true_times(&mut self, expected: &[Span]) -> Vec<Span> {
        let Some(sigma) = self.model.options.error else { return expected.to_vec() };
        let sites = self.errors.len().max(1);
        let mut times = Vec::with_capacity(expected.len());
        for row in expected.chunks_exact(sites) {
            for (&time, rng) in row.iter().zip(&mut self.errors) {
                let normal: f64 = rng.sample(StandardNormal);
                let factor = libm::exp(sigma * normal - sigma * sigma / 2.0);
                times.push(match time {
                    Span::MAX => Span::MAX,
                    time => nearest(time.ticks() as f64 * factor).max(Span::TICK),
                });
            }
        }
        times
    }
}

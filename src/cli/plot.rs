//! `gridpact plot`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use records::files::{self, read_regular};
use report::files::Manifest;
use report::page::{self, Named, Page, jobs};
use report::picture::svg::Size;
use report::picture::together::{Figure, together};
use report::picture::{Picture, paper};
use scenario::diagnostics::{nearest, show};

use super::page::no_page;
use super::{Failure, say};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Results folders of runs, comparisons, sweeps or games; several are drawn in one figure.
    #[arg(value_name = "FOLDER", required = true, value_hint = ValueHint::DirPath)]
    folders: Vec<PathBuf>,
    /// Figure, such as `learning`, `flow`, `cdf`, `gantt`, `timeline`, `differences` or `phase`; without
    /// it, those that the folders have are listed.
    #[arg(short, long, value_name = "NAME")]
    figure: Option<String>,
    /// Text of a label: of an axis, a series, an organization, a run or the title; may be repeated.
    #[arg(long = "label", value_name = "LABEL=TEXT", requires = "figure")]
    labels: Vec<String>,
    #[command(flatten)]
    output: Output,
}

/// Options of every command that draws.
#[derive(Debug, Args)]
pub(super) struct Output {
    /// Width of the figure: for a screen, or for a paper with its least text at 7 pt: a column of 85 mm
    /// or a page of 180 mm.
    #[arg(long, value_name = "WIDTH", default_value = "screen",
          value_parser = ["screen", "column", "page"])]
    width: String,
    /// Format of the file [default: that of its name, else svg].
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// File of the figure [default: named like the figure].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Format {
    /// Scalable vector graphics.
    Svg,
    /// A page of vector graphics with its font.
    Pdf,
    /// Pixels: 2 for each of a screen, or 300 an inch.
    Png,
}

impl Output {
    /// Writes a figure, to a file of this name without an ending unless another is given.
    pub fn write(&self, figure: &Figure, name: &Path) -> Result<(), Failure> {
        let ending = self.out.as_ref().and_then(|out| out.extension()?.to_str());
        let of_name = ending.and_then(|ending| Format::from_str(ending, true).ok());
        let format = self.format.or(of_name).unwrap_or(Format::Svg);
        let size = match &*self.width {
            "column" => Size::Column,
            "page" => Size::Page,
            _ => Size::Screen,
        };
        let (svg, end) = (figure.svg(size), [".svg", ".pdf", ".png"][format as usize]);
        let boxes = if format == Format::Svg { String::new() } else { paper::lacking(&svg) };
        if !boxes.is_empty() {
            say(&format!(
                "warning: the font of PDF and PNG has no {}, so they are boxes\n\
                 help: `--format svg` has all letters; `--label` and names in Latin letters do too",
                show(&boxes)
            ));
        }
        let content = match format {
            Format::Svg => svg,
            Format::Pdf => paper::pdf(&svg),
            Format::Png => paper::png(&svg),
        };
        let mut default = name.as_os_str().to_owned();
        default.push(end);
        let out = self.out.clone().unwrap_or_else(|| default.into());
        files::written(&out, &content)?.publish()?;
        say(&out.display().to_string());
        Ok(())
    }
}

/// A results folder with its name and what its page keeps.
struct Run<'a> {
    folder: &'a Path,
    name: String,
    page: Page,
}

/// Figures that not every folder has, and the way to get them.
const NEEDS: [(&str, &str); 7] = [
    ("learning", "coalitions, and games that learners play, have it"),
    ("flow", "runs of jobs have it"),
    ("distribution", "runs of jobs have it, unless `output.quantiles = false`"),
    (
        "gantt",
        "runs that keep jobs.csv have it, with the processors of each job: `output.jobs = true`",
    ),
    ("timeline", "runs have it with `output.timeline = true`"),
    ("differences", "comparisons have it: `gridpact compare` runs one"),
    (
        "phase",
        "games of two players with two actions each have it, and symmetric ones of three actions",
    ),
];

pub(super) fn plot(arguments: &Arguments) -> Result<(), Failure> {
    let runs = arguments.folders.iter().map(|folder| {
        let page = page::read(folder).map_err(no_page)?;
        Ok(Run { folder, name: name_of(folder, &arguments.folders), page })
    });
    let runs = runs.collect::<Result<Vec<_>, Failure>>()?;
    let Some(asked) = &arguments.figure else { return list(&runs) };
    let name = if asked == "cdf" { "distribution" } else { &**asked };
    let pictures = runs.iter().map(|run| {
        let mut picture = picture(run, name)?.ok_or_else(|| missing(run, asked, name))?;
        // `seed 7, 5 replications`.
        let replications = run.page.about.first().and_then(|about| about.split(", ").nth(1));
        picture.tell(replications.unwrap_or_default());
        Ok((run.name.clone(), picture))
    });
    let pictures = pictures.collect::<Result<Vec<_>, Failure>>()?;
    let first = &runs[0].page.title;
    let title = match runs.iter().all(|run| run.page.title == *first) {
        true => first.clone(),
        false => runs.iter().map(|run| &*run.name).collect::<Vec<_>>().join(", "),
    };
    let mut figure = together(&title, pictures)
        .map_err(|wrong| Failure::Input(format!("--figure {}: {wrong}", show(asked))))?;
    for label in &arguments.labels {
        let wrong = |text: &str| Failure::Input(format!("--label {}: {text}", show(label)));
        let (of, text) = label.split_once('=').ok_or_else(|| {
            wrong("there is no `=`\nhelp: write `--label LABEL=TEXT`, as in `--label wait=\"wait (h)\"`")
        })?;
        // The name of a figure stands for its axis.
        let of = if of.trim() == "cdf" { "distribution" } else { of.trim() };
        figure.relabel(of, text.trim()).map_err(|known| {
            let bases = known.iter().filter_map(|label| label.split(" (").next());
            let near = nearest(of, bases);
            let near = near.first().map(|near| format!("did you mean `{near}`? "));
            wrong(&format!(
                "the figure has no such label\nhelp: {}there are `{}`",
                near.unwrap_or_default(),
                known.join("`, `")
            ))
        })?;
    }
    arguments.output.write(&figure, Path::new(asked))?;
    let (title, caption) = figure.titles();
    super::print_prose(&format!("{title}: {caption}\n"))
}

/// The name of a run: that of its folder, with the folders around it where another is called alike.
fn name_of(folder: &Path, all: &[PathBuf]) -> String {
    let is_alone = all.iter().filter(|one| one.file_name() == folder.file_name()).count() < 2;
    match folder.file_name().filter(|_| is_alone) {
        Some(name) => name.to_string_lossy().into_owned(),
        None => folder.display().to_string(),
    }
}

/// A figure of a run, if it has it.
fn picture(run: &Run<'_>, name: &str) -> Result<Option<Picture>, Failure> {
    if name != "gantt" {
        let found = run.page.pictures.iter().find(|one| one.name == name);
        return Ok(found.map(|one| one.picture.clone()));
    }
    let path = run.folder.join("manifest.json");
    let manifest = Manifest::read(&read_regular(&path)?).map_err(|wrong| {
        Failure::Input(format!(
            "{}: this is not what a run of this version writes: {wrong}",
            path.display()
        ))
    })?;
    let gantt = jobs::read(run.folder, &manifest, run.page.clock, jobs::USUAL);
    let gantt = gantt.map_err(|wrong| Failure::Input(wrong.to_string()))?;
    Ok(gantt.map(|gantt| Picture::Rows(gantt.picture(&run.page.title))))
}

/// Prints the names of the figures that all runs have.
fn list(runs: &[Run<'_>]) -> Result<(), Failure> {
    let mut lines = String::new();
    for Named { name, picture } in &runs[0].page.pictures {
        let has = |run: &Run<'_>| run.page.pictures.iter().any(|one| one.name == *name);
        if runs.iter().all(has) {
            let (title, caption) = picture.titles();
            lines.push_str(&format!("{name}: {title}; {caption}\n"));
        }
    }
    let has_jobs = runs.iter().map(|run| Ok(picture(run, "gantt")?.is_some()));
    if has_jobs.collect::<Result<Vec<_>, Failure>>()?.into_iter().all(|has| has) {
        lines.push_str(&format!("gantt: {}; the jobs on their processors\n", runs[0].page.title));
    }
    super::print_prose(&lines)
}

fn missing(run: &Run<'_>, asked: &str, name: &str) -> Failure {
    let has_jobs = matches!(picture(run, "gantt"), Ok(Some(_)));
    let pictures = || run.page.pictures.iter().map(|one| &*one.name);
    let names = || pictures().chain(has_jobs.then_some("gantt"));
    let help = match NEEDS.iter().find(|one| one.0 == name) {
        Some((_, needs)) => format!("{needs}; "),
        None => nearest(name, names())
            .first()
            .map(|near| format!("did you mean `{near}`? "))
            .unwrap_or_default(),
    };
    Failure::Input(format!(
        "--figure {}: {} has no such figure\nhelp: {help}it has {}",
        show(asked),
        run.folder.display(),
        names().collect::<Vec<_>>().join(", ")
    ))
}

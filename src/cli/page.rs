//! `gridpact report`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::{Args, ValueHint};
use records::files;
use report::page::{self, Named, NoPage};
use report::picture::svg::Size;
use scenario::diagnostics::{nearest, show};

use super::{Failure, say};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Results folder of a run, a comparison, a sweep or a game.
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    folder: PathBuf,
    /// Draw at most so many jobs in the Gantt chart; 0 draws none.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    jobs: usize,
    /// Open the page in a browser.
    #[arg(long)]
    open: bool,
    /// Write this picture of the page as SVG instead, beside it or to `--out`; without a name, list all.
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "",
          conflicts_with_all = ["jobs", "open"])]
    picture: Option<String>,
    /// Width of the picture: for a screen, or for a paper with its least text at 7 pt: a column of 85 mm
    /// or a page of 180 mm.
    #[arg(long, value_name = "WIDTH", default_value = "screen", requires = "picture",
          value_parser = ["screen", "column", "page"])]
    width: String,
    /// File of the picture.
    #[arg(short, long, value_name = "FILE", requires = "picture", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,
}

pub(super) fn report(arguments: &Arguments) -> Result<(), Failure> {
    let folder = &arguments.folder;
    if let Some(name) = &arguments.picture {
        return picture(arguments, name);
    }
    let path = page::write(folder, None, arguments.jobs).map_err(no_page)?;
    say(&path.display().to_string());
    if arguments.open { open(&path) } else { Ok(()) }
}

/// Writes a picture of the page, or lists all.
fn picture(arguments: &Arguments, name: &str) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let page = page::read(folder).map_err(no_page)?;
    if name.is_empty() {
        let told = |Named { name, picture }: &Named| {
            let (title, subtitle) = picture.titles();
            format!("{name}: {title}; {subtitle}\n")
        };
        return super::print_prose(&page.pictures.iter().map(told).collect::<String>());
    }
    let Some(found) = page.pictures.iter().find(|one| one.name == name) else {
        let names = || page.pictures.iter().map(|one| &*one.name);
        let near = nearest(name, names());
        let near = near.first().map(|near| format!("did you mean `{near}`? "));
        return Err(Failure::Input(format!(
            "--picture {}: the page has no such picture\nhelp: {}it has {}",
            show(name),
            near.unwrap_or_default(),
            names().collect::<Vec<_>>().join(", ")
        )));
    };
    let out = arguments.out.clone().unwrap_or_else(|| folder.join(format!("{name}.svg")));
    let size = match &*arguments.width {
        "column" => Size::Column,
        "page" => Size::Page,
        _ => Size::Screen,
    };
    files::written(&out, &found.picture.svg(size))?.publish()?;
    say(&out.display().to_string());
    Ok(())
}

fn no_page(wrong: NoPage) -> Failure {
    match wrong {
        NoPage::File(wrong) => Failure::System(wrong.to_string()),
        NoPage::Nothing(folder) if !folder.is_dir() => {
            Failure::Input(format!("{}: there is no such folder", folder.display()))
        }
        wrong => Failure::Input(wrong.to_string()),
    }
}

/// Opens a file in the browser that the system prefers.
pub(super) fn open(path: &Path) -> Result<(), Failure> {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let opened = Command::new(program)
        .args(first)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match opened {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Failure::System(format!(
            "{}: no browser could be started\nhelp: open the file in one by hand; `{program}` was tried",
            path.display()
        ))),
    }
}

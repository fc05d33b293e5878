//! `gridpact man`: manual pages, generated from the text of `--help`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Command, ValueHint};
use clap_mangen::Man;
use records::files::{self, FileError};
use scenario::diagnostics::listed;

use super::tips::meant;
use super::{Failure, command, print};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Subcommand whose page is printed, such as `run` or `workload show` [default: the page of
    /// gridpact].
    #[arg(num_args = 0..=2)]
    command: Vec<String>,
    /// Write all pages to this folder instead.
    #[arg(short, long, value_name = "FOLDER", conflicts_with = "command",
          value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
}

/// A page and its name for `man`.
struct Page {
    name: String,
    roff: Vec<u8>,
}

pub(super) fn man(arguments: &Arguments) -> Result<(), Failure> {
    let mut program = command().disable_help_subcommand(true);
    program.build();
    if let Some(folder) = &arguments.out {
        let all = commands(&program);
        let pages: Vec<Page> = all.into_iter().map(|(_, command)| page(command)).collect();
        return write(folder, &pages);
    }
    let all = commands(&program);
    let name = arguments.command.join("-");
    let shown = all.iter().find(|(known, _)| *known == name);
    let (_, shown) = shown.ok_or_else(|| unknown(&all, &name))?;
    print(&String::from_utf8_lossy(&page(shown).roff))
}

/// The program (with an empty name) and its subcommands: `run`, `workload`, `workload-show`.
fn commands(program: &Command) -> Vec<(String, &Command)> {
    let mut all = vec![(String::new(), program)];
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = command.get_name();
        all.push((name.to_owned(), command));
        let inner = command.get_subcommands();
        all.extend(inner.map(|inner| (format!("{name}-{}", inner.get_name()), inner)));
    }
    all
}

fn unknown(all: &[(String, &Command)], name: &str) -> Failure {
    let names: Vec<&str> = all.iter().skip(1).map(|(name, _)| &**name).collect();
    let all = || format!("the subcommands are {}", listed(&names, "and"));
    let help = meant(name, names.iter().copied(), all);
    Failure::Input(format!("there is no subcommand `{name}`\nhelp: {help}"))
}

fn page(command: &Command) -> Page {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let version = concat!("gridpact ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).title(&name).manual("gridpact").source(version);
    let mut roff = Vec::new();
    let parts = [
        Man::render_title,
        Man::render_name_section,
        Man::render_synopsis_section,
        Man::render_description_section,
        Man::render_options_section,
    ];
    for part in parts {
        part(&man, &mut roff).expect("memory takes a page");
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut roff).expect("memory takes a page");
    }
    let more = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    roff.extend(sections(&more).into_bytes());
    Page { name, roff }
}

/// Converts the text below the options into sections.
///
/// A line at the margin that ends in a colon is a heading; indented lines are kept verbatim.
fn sections(text: &str) -> String {
    let mut out = String::new();
    let mut is_verbatim = false;
    for line in text.lines() {
        let verbatim = line.starts_with(' ');
        if verbatim != is_verbatim {
            out += if verbatim { ".nf\n" } else { ".fi\n" };
            is_verbatim = verbatim;
        }
        let escaped = line.replace('\\', "\\e").replace('-', "\\-");
        match line.strip_suffix(':').filter(|_| !verbatim) {
            Some(heading) => {
                let heading = heading.split(',').next().unwrap_or_default();
                out += &format!(".SH \"{}\"\n", heading.to_uppercase());
            }
            None if line.is_empty() => out += ".PP\n",
            None => out += &format!("\\&{escaped}\n"),
        }
    }
    if is_verbatim {
        out += ".fi\n";
    }
    out
}

/// Writes all pages; writes none if a file that is not such a page is in the way.
fn write(folder: &Path, pages: &[Page]) -> Result<(), Failure> {
    let help = |error: FileError| {
        let help = "the pages need a folder that can be made and written to";
        Failure::System(format!("{error}\nhelp: {help}; give another with `--out FOLDER`"))
    };
    fs::create_dir_all(folder).map_err(FileError::of(folder)).map_err(help)?;
    let path = |page: &Page| folder.join(format!("{}.1", page.name));
    for page in pages {
        let path = path(page);
        let is_page = |text: &[u8]| {
            let title = format!(".TH {} 1 ", page.name);
            String::from_utf8_lossy(text).lines().any(|line| line.starts_with(&title))
        };
        match fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(help(FileError::of(&path)(error))),
            Ok(text) if is_page(&text) => {}
            Ok(_) => {
                let path = path.display();
                return Err(Failure::Input(format!(
                    "{path} is here already, and is not a page of gridpact\nhelp: move it away, \
                     or give another folder with `--out FOLDER`"
                )));
            }
        }
    }
    let drafts: Result<Vec<_>, _> =
        pages.iter().map(|page| files::written(&path(page), &page.roff)).collect();
    for draft in drafts.map_err(help)? {
        draft.publish().map_err(help)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::sections;

    #[test]
    fn examples_stay_on_their_lines_and_headings_become_sections() {
        let text = "Examples, two:\n  .a -b\n\nTold\nbelow.\nExit codes:\n  0   a\\b";
        let expected = ".SH \"EXAMPLES\"\n.nf\n\\&  .a \\-b\n.fi\n.PP\n\\&Told\n\\&below.\n\
            .SH \"EXIT CODES\"\n.nf\n\\&  0   a\\eb\n.fi\n";
        assert_eq!(sections(text), expected);
    }
}

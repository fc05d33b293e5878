//! Runs a page from top to bottom in a folder of its own.

use std::fs;
use std::path::Path;
use std::process::Command;

use snapbox::Data;
use snapbox::filter::NormalizeToExpected;
use snapbox::report::{Palette, write_diff};
use tempfile::TempDir;

use crate::book::links::beside;
use crate::book::page::{Block, Edit, Page, Step, root, source};
use crate::book::{blessing, say};
use crate::cli::support::without_progress;

/// No command of a page may take longer.
const SECONDS: &str = "120";

struct Runner<'a> {
    page: &'a Page,
    folder: TempDir,
    /// Output of the last `sh`, `python` or `r` block; none if it was skipped.
    printed: Option<String>,
    skipped: bool,
    broken: Vec<String>,
    /// The text of a block as it should be, by its number.
    blessed: Vec<(usize, String)>,
}

/// Where Matplotlib keeps what it knows of fonts, from one run to the next, and is set up.
const MATPLOTLIB: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/matplotlib");

/// Exit code and output of a command.
struct Said {
    code: i32,
    text: String,
}

/// Runs a page; gives what is not as it says.
pub fn run(page: &Page) -> Vec<String> {
    if let Some(what) = lacks_studies(page) {
        say(&what);
        let may_skip = std::env::var("GRIDPACT_BOOK_SKIPS").is_ok_and(|skips| skips != "all");
        return if may_skip { vec![what] } else { Vec::new() };
    }
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(MATPLOTLIB).unwrap();
    fs::write(Path::new(MATPLOTLIB).join("matplotlibrc"), "svg.hashsalt: gridpact\n").unwrap();
    copy(&root().join("scenarios"), &folder.path().join("scenarios"));
    let mut runner = Runner {
        page,
        folder,
        printed: None,
        skipped: false,
        broken: Vec::new(),
        blessed: Vec::new(),
    };
    for (index, block) in page.blocks.iter().enumerate() {
        runner.step(index, block);
    }
    runner.pictures();
    if blessing() && !runner.blessed.is_empty() {
        runner.bless();
    }
    runner.broken
}

/// Says that a page has commands of `gridpact-studies`, where that program is not built.
fn lacks_studies(page: &Page) -> Option<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_gridpact")).with_file_name("gridpact-studies");
    let commands = ["adversary", "reproduce", "study", "new worst-case"];
    let is_one = |line: &str| commands.iter().any(|one| line.contains(&format!("gridpact {one}")));
    let block = page.blocks.iter().find(|block| block.text.lines().any(is_one))?;
    let builds = "`cargo build --release -p gridpact-studies` builds it";
    let at = page.at(block);
    (!program.is_file())
        .then(|| format!("{at}: gridpact-studies is missing, so this page is SKIPPED; {builds}"))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

impl Runner<'_> {
    fn wrong(&mut self, block: &Block, what: &str) {
        self.broken.push(format!("{}: {}", self.page.at(block), what.trim_end()));
    }

    fn step(&mut self, index: usize, block: &Block) {
        match block.step() {
            Err(what) => self.wrong(block, &what),
            Ok(Step::Nothing) => {}
            Ok(Step::Write(name)) => self.write(name, &block.text),
            Ok(Step::Scenario(name, edit, exit)) => self.scenario(block, name, edit, exit),
            Ok(Step::Compare(name)) => match fs::read_to_string(self.folder.path().join(name)) {
                Ok(found) => self.compare(index, block, &found),
                Err(error) => self.wrong(block, &format!("{name}: {error}")),
            },
            Ok(Step::Output) => match self.printed.clone() {
                Some(printed) => self.compare(index, block, &printed),
                None if self.skipped => {}
                None => self.wrong(block, "nothing above it prints"),
            },
            Ok(Step::Shell(exit)) => {
                let said = self.bash(&block.text);
                self.ended(block, &said, exit);
                self.printed = Some(said.text);
            }
            Ok(Step::Console(exit)) => self.console(index, block, exit),
            Ok(Step::Script(program, file)) => self.script(block, program, file),
            Ok(Step::InCi) => self.in_ci(block),
        }
    }

    fn ended(&mut self, block: &Block, said: &Said, exit: i32) {
        if said.code != exit {
            let what = format!("ended with {}, not {exit}:\n{}", said.code, said.text);
            self.wrong(block, &what);
        }
    }

    fn write(&mut self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes or changes a scenario, and has it checked.
    fn scenario(&mut self, block: &Block, name: &str, edit: Edit, exit: i32) {
        let before = fs::read_to_string(self.folder.path().join(name));
        let text = match (edit, before) {
            (Edit::Whole, _) => Ok(block.text.clone()),
            (_, Err(error)) => Err(format!("{name}: {error}")),
            (Edit::Append, Ok(before)) => Ok(format!("{before}\n{}", block.text)),
            (Edit::Replace, Ok(before)) => replace(&before, &block.text),
        };
        match text {
            Err(what) => self.wrong(block, &what),
            Ok(text) => {
                self.write(name, &text);
                let said = self.bash(&format!("gridpact check -q '{name}'"));
                self.ended(block, &said, exit);
            }
        }
    }

    fn console(&mut self, index: usize, block: &Block, exit: i32) {
        let commands = commands(&block.text);
        let mut found = String::new();
        for (number, (shown, command, expected)) in commands.iter().enumerate() {
            let said = self.bash(command);
            let code = if number + 1 == commands.len() { exit } else { 0 };
            self.ended(block, &said, code);
            // A pipe hides how what is before it ended.
            if code == 0 && said.text.lines().any(|line| line.starts_with("error")) {
                self.wrong(
                    block,
                    &format!("an error that the block does not tell:\n{}", said.text),
                );
            }
            found.push_str(shown);
            found.push_str(&normal(&said.text, expected));
        }
        self.expect(index, block, found);
    }

    /// Runs a script, unless what it needs is not there.
    fn script(&mut self, block: &Block, program: &str, file: Option<&str>) {
        (self.printed, self.skipped) = (None, false);
        let (name, imports) = match program {
            "python3" => ("block.py", "import"),
            _ => ("block.R", "library"),
        };
        let name = file.unwrap_or(name);
        self.write(name, &block.text);
        let needed: Vec<String> = match imports {
            "import" => (block.text.lines())
                .filter(|line| line.starts_with("import ") || line.starts_with("from "))
                .filter_map(|line| line.split([' ', '.']).nth(1))
                .map(|module| format!("python3 -c 'import {module}'"))
                .collect(),
            _ => vec!["Rscript --version".to_owned()],
        };
        if let Some(missing) = needed.iter().find(|command| self.bash(command).code != 0) {
            let what = format!("`{missing}` fails, so this block is SKIPPED");
            let allowed = std::env::var("GRIDPACT_BOOK_SKIPS").unwrap_or("all".to_owned());
            if allowed == "no" || (allowed == "r" && program != "Rscript") {
                self.wrong(block, &what);
            }
            say(&format!("{}: {what}", self.page.at(block)));
            self.skipped = true;
            return;
        }
        let said = self.bash(&format!("{program} {name}"));
        self.ended(block, &said, 0);
        self.printed = Some(said.text);
    }

    fn in_ci(&mut self, block: &Block) {
        let ci = fs::read_to_string(root().join(".ci/run")).unwrap();
        for line in block.text.lines() {
            if !ci.lines().any(|other| other.starts_with(line)) {
                self.wrong(block, &format!(".ci/run does not run `{line}`"));
            }
        }
    }

    fn compare(&mut self, index: usize, block: &Block, found: &str) {
        let found = normal(found, &block.text);
        self.expect(index, block, found);
    }

    fn expect(&mut self, index: usize, block: &Block, found: String) {
        if found == block.text {
            return;
        }
        let (expected, actual) = (Data::text(&*block.text), Data::text(&*found));
        let mut what = "it is otherwise\n".to_owned();
        write_diff(&mut what, &expected, &actual, None, None, Palette::plain()).unwrap();
        self.wrong(block, &what);
        self.blessed.push((index, found));
    }

    /// A page shows the pictures that its own blocks draw.
    fn pictures(&mut self) {
        for link in self.page.links.iter().filter(|link| link.is_picture) {
            let name = link.to.rsplit('/').next().unwrap();
            let drawn = self.folder.path().join(name);
            if drawn.exists() {
                if blessing() {
                    let path = source().join(beside(self.page, &link.to).unwrap());
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::copy(drawn, path).unwrap();
                }
            } else if !self.skipped {
                let at = format!("docs/book/src/{}:{}", self.page.name, link.line);
                self.broken.push(format!("{at}: no block of the page draws {name}"));
            }
        }
    }

    /// Writes what was found into the page.
    fn bless(&mut self) {
        let mut text = self.page.text.clone();
        for (index, found) in self.blessed.iter().rev() {
            text.replace_range(self.page.blocks[*index].range.clone(), found);
        }
        fs::write(source().join(&self.page.name), text).unwrap();
    }

    /// An output without what is another each time: the folder's name and the summary's wall time.
    fn lasting(&self, text: &str) -> String {
        let folder = self.folder.path().as_os_str().to_string_lossy();
        let lines = text.split_inclusive('\n').map(|line| match line.rsplit_once(" in ") {
            Some((done, time))
                if done == "computed"
                    || (done.starts_with("simulated ") || done.starts_with("played "))
                        && time.trim_end().ends_with(" per second)") =>
            {
                format!("{done} in [..]\n")
            }
            _ => line.to_owned(),
        });
        // Beside other work a run may take so long that it tells how far it is.
        let is_progress = |line: &String| {
            let has_clock = line.split_once(": ").is_some_and(|(clock, _)| {
                clock.len() > 6 && clock.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
            });
            has_clock || line.starts_with("  ") && line.trim_end().ends_with("done")
        };
        let lines = lines.filter(|line| !is_progress(line));
        let text = lines.collect::<String>().replace(&*folder, "/home/you");
        // Editors take blanks off the ends of lines.
        text.split_inclusive('\n').map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    /// Runs commands in the page's folder, both outputs as one.
    fn bash(&self, commands: &str) -> Said {
        let program = Path::new(env!("CARGO_BIN_EXE_gridpact"));
        let mut path = program.parent().unwrap().as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let output = Command::new("timeout")
            .args([SECONDS, "bash", "-e", "-c"])
            .arg(format!("exec 2>&1\n{commands}"))
            .current_dir(&self.folder)
            .env("PATH", path)
            .env("HOME", self.folder.path())
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC")
            .env("NO_COLOR", "1")
            .env("COLUMNS", "80")
            .env("MPLBACKEND", "Agg")
            .env("MPLCONFIGDIR", MATPLOTLIB)
            // The same picture is the same file.
            .env("SOURCE_DATE_EPOCH", "0")
            .env_remove("GRIDPACT_LOG")
            .env_remove("CLICOLOR_FORCE")
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        let text = without_progress(&String::from_utf8_lossy(&output.stdout));
        Said { code: output.status.code().unwrap_or(-1), text: self.lasting(&text) }
    }
}

/// The output found, with `...` and `[..]` where the page has them and they fit.
fn normal(found: &str, expected: &str) -> String {
    let mut found = found.to_owned();
    if !found.is_empty() && !found.ends_with('\n') {
        found.push('\n');
    }
    let normal = NormalizeToExpected::new().redact();
    let data = normal.normalize(Data::text(found), &Data::text(expected));
    data.render().expect("text is text")
}

/// The commands of a console: as shown, as run, and what is expected of each.
fn commands(text: &str) -> Vec<(String, String, String)> {
    let mut commands: Vec<(String, String, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        match (line.strip_prefix("$ "), line.strip_prefix("> "), commands.last_mut()) {
            (Some(command), ..) => {
                commands.push((line.to_owned(), command.to_owned(), String::new()));
            }
            (_, Some(more), Some((shown, command, expected))) if expected.is_empty() => {
                shown.push_str(line);
                command.push_str(more);
            }
            (.., Some((.., expected))) => expected.push_str(line),
            (.., None) => {}
        }
    }
    commands
}

/// Puts each line of `lines` where the first line with its key stands; of a dotted key the first
/// part counts, so that one choice takes the place of another.
fn replace(text: &str, lines: &str) -> Result<String, String> {
    let key = |line: &str| {
        let key = line.split_once('=')?.0.split('.').next()?;
        Some(key.trim().to_owned())
    };
    let mut text: Vec<&str> = text.lines().collect();
    for line in lines.lines() {
        let key_of_line = key(line).ok_or(format!("`{line}` has no key"))?;
        let first = text.iter_mut().find(|other| key(other).as_ref() == Some(&key_of_line));
        *first.ok_or(format!("no line of the file begins with `{key_of_line}`"))? = line;
    }
    Ok(text.join("\n") + "\n")
}

#[test]
fn elisions_stay_where_they_fit() {
    assert_eq!(normal("a 5 b\nc\nd\ne", "a [..] b\n...\ne\n"), "a [..] b\n...\ne\n");
    assert_ne!(normal("a 5 b\n", "a 6 b\n"), "a 6 b\n");
    let found = commands("$ a\n> b\nx\n$ c\n");
    assert_eq!(found[0], ("$ a\n> b\n".into(), "a\nb\n".into(), "x\n".into()));
    assert_eq!(found[1], ("$ c\n".into(), "c\n".into(), String::new()));
    assert_eq!(replace("a = 1\na = 2\n", "a = 3\n"), Ok("a = 3\na = 2\n".to_owned()));
    assert!(replace("a = 1\n", "b = 3\n").is_err());
}

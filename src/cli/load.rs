//! Loads a scenario for a subcommand and reports problems on standard error.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use gridpact::scenario::diagnostics::{Blame, Diagnostic, Severity, render};
use gridpact::scenario::files::{Files, MAX_BYTES};
use gridpact::scenario::origin::Origin;
use gridpact::scenario::plan::{GamePlan, Plan};
use gridpact::scenario::{self, Input, Loaded, Overrides};

use super::{Failure, say};

/// Name of the scenario that is read from standard input.
const STDIN: &str = "<stdin>";

/// Scenario arguments of a subcommand.
#[derive(Debug, Args)]
pub(super) struct Scenario {
    /// Scenario, a TOML file; `-` reads it from standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Set a value of the scenario; may be repeated.
    ///
    /// KEY is a path such as `run.replications` or `organization.physics.count`. The end of a path
    /// is enough if the scenario contains such a key: `scheduler=fcfs` sets every scheduler. VALUE
    /// is TOML, or text without quotes. Setting one alternative of a choice removes the others.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Master seed, instead of the scenario's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl Scenario {
    /// Loads the plan of a scenario; prints warnings unless `quiet`.
    pub(super) fn load(&self, quiet: bool) -> Result<Plan, Failure> {
        self.read(scenario::load, None, "nothing was run", quiet)
    }

    /// Loads the plan, with the data that is needed to read it again.
    pub(super) fn load_kept(&self, quiet: bool) -> Result<(Plan, Origin), Failure> {
        let here = std::env::current_dir()
            .map_err(|error| Failure::System(format!("the current folder: {error}")))?;
        let mut origin = None;
        let load = |input: Input<'_>, overrides: &Overrides, files: &mut Files| {
            let read = scenario::load(input.clone(), overrides, files)?;
            origin = Some(Origin::new(&input, overrides, files, &here));
            Ok(read)
        };
        let plan = self.read(load, None, "nothing was run", quiet)?;
        Ok((plan, origin.expect("it was read")))
    }

    /// Loads the plan of a game; `set` overrides all other settings.
    pub(super) fn load_game(&self, set: Option<String>, quiet: bool) -> Result<GamePlan, Failure> {
        self.read(scenario::load_game, set, "nothing was played", quiet)
    }

    /// Loads the plan of a scenario or a game.
    pub(super) fn load_any(&self, quiet: bool) -> Result<Loaded, Failure> {
        self.read(scenario::load_any, None, "nothing was run", quiet)
    }

    fn read<T>(
        &self,
        load: impl FnOnce(Input<'_>, &Overrides, &mut Files) -> Read<T>,
        set: Option<String>,
        nothing: &str,
        quiet: bool,
    ) -> Result<T, Failure> {
        let mut files = Files::new();
        let set = self.set.iter().cloned().chain(set).collect();
        let overrides = Overrides { seed: self.seed, set };
        let (input, name) = if self.file == Path::new("-") {
            (Input::Bytes { name: STDIN, bytes: standard_input()? }, STDIN.to_owned())
        } else {
            (Input::File(&self.file), self.file.display().to_string())
        };
        match load(input, &overrides, &mut files) {
            Ok((plan, warnings)) => {
                if !quiet {
                    tell(&warnings, &files);
                }
                Ok(plan)
            }
            Err(wrong) => {
                tell(&wrong, &files);
                let system = wrong.iter().any(|wrong| wrong.blame == Blame::System);
                let errors = wrong.iter().filter(|wrong| wrong.severity == Severity::Error).count();
                let errors =
                    if errors == 1 { "1 error".to_owned() } else { format!("{errors} errors") };
                say(&format!("{name}: {errors}; {nothing}"));
                Err(Failure::Said(if system { 4 } else { 2 }))
            }
        }
    }
}

/// A plan with its warnings, or its errors.
type Read<T> = Result<(T, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Reads standard input, up to just beyond the size limit of a scenario.
fn standard_input() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::System(format!("standard input: {error}")))?;
    Ok(bytes)
}

pub(super) fn tell(diagnostics: &[Diagnostic], files: &Files) {
    if !diagnostics.is_empty() {
        super::say_styled(render(diagnostics, files, super::color()).trim_end());
    }
}

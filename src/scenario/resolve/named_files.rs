//! Files that a scenario names.

use std::path::{Path as FilePath, PathBuf};

use super::Resolver;
use super::mistakes::Mistakes;
use crate::diagnostics::Diagnostic;
use crate::files::{Files, similar};
use crate::path::Path;
use policy::peer::Command;
use workload::foreign::Foreign;

impl Resolver<'_> {
    /// Returns the file named at a path, relative to the file in which that is written.
    pub(super) fn file(&self, at: &Path, named: &FilePath) -> PathBuf {
        let (node, _) = self.tree.nearest(at);
        self.files.folder(node.place.file).join(named)
    }

    /// Reports a problem with a file that the scenario names, and where such files can be found.
    pub(super) fn wrong_file(
        &mut self,
        at: Path,
        file: &FilePath,
        message: String,
        unreadable: bool,
        source: Option<&str>,
    ) {
        let written = self.tree.nearest(&at).0.place.file;
        let relative = self.files.relative(written);
        self.tell(at, message, |wrong| {
            if !unreadable {
                let told = |is: Foreign| format!("this is {}: {}", is.name(), is.help());
                return Foreign::of_file(file).map(told).into_iter().fold(wrong, Diagnostic::help);
            }
            let wrong = wrong.by_system();
            match similar(file) {
                Some(similar) => wrong.help(similar),
                None => source.into_iter().fold(wrong.help(relative), Diagnostic::help),
            }
        });
    }
}

impl Mistakes<'_> {
    /// Lets a program that is written at a path run in the folder of the file in which it is written.
    pub(super) fn place_command(&self, files: &Files, at: &Path, command: Option<&mut Command>) {
        if let Some(command) = command {
            files.folder(self.tree.nearest(at).0.place.file).clone_into(&mut command.folder);
        }
    }
}

//! Games in forms of other programs, which are read as the TOML that says the same.

use super::diagnostics::Diagnostic;
use super::files::{FileId, Files};
use super::{nfg, payoffs_csv};

/// A game in another form as TOML; any other text as it is.
///
/// # Errors
/// The first thing that is not as the form has it.
pub(super) fn as_toml(id: FileId, files: &mut Files) -> Result<FileId, Box<Diagnostic>> {
    let (text, name) = (files.text(id).unwrap_or_default(), files.name(id).unwrap_or_default());
    let toml = match () {
        () if nfg::is_nfg(text) => nfg::toml(text, id)?,
        () if payoffs_csv::is_list(text) => payoffs_csv::toml(text, name, id)?,
        () => return Ok(id),
    };
    let name = format!("{name}, as TOML");
    Ok(files.add(name, toml))
}

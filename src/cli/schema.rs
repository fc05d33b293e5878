//! `gridpact schema`.

use clap::Args;
use gridpact::scenario::schema::schema;

use super::{Failure, print};

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct Arguments {}

const HELP: &str = "\
Editors complete and check scenarios by it. With the extension Even Better TOML, or anything else
that knows taplo, write it beside your scenarios and name it in their first line:

  gridpact schema > gridpact.schema.json
  #:schema ./gridpact.schema.json";

pub(super) fn print_schema() -> Result<(), Failure> {
    print(&format!("{:#}\n", schema()))
}

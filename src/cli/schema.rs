//! `gridpact schema`.

use super::{Failure, print};

pub(super) fn schema() -> Result<(), Failure> {
    print(&format!("{:#}\n", gridpact::scenario::schema::schema()))
}

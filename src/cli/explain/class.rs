//! The story of a class of tasks, in words and as a table.

use std::fmt::Write as _;

use report::table::{Column, Table};
use review::explain::WhyClass;
use stats::shown;

use super::words::when;

/// Maximum number of other classes named for a site.
const SHOWN: usize = 3;

pub(super) fn text(why: &WhyClass) -> String {
    let tasks = shown::counted(why.tasks, "task", "tasks");
    let mut out = format!("Class `{}` of `{}`: {tasks}\n\n", why.class, why.application);
    let _ = writeln!(out, "submitted at {}", when(why.submit));
    let _ = match (&why.waited_for, why.ready) {
        (Some((class, end)), Some(ready)) if *end == ready => {
            writeln!(out, "ready at {}, when `{class}` was done", when(ready))
        }
        (_, Some(ready)) => writeln!(out, "ready at {}", when(ready)),
        (_, None) => writeln!(out, "never ready: what it waits for was not done"),
    };
    if let Some(start) = why.start {
        let _ = writeln!(out, "first task started at {}", when(start));
    }
    let _ = match why.finish {
        Some(finish) => writeln!(out, "last task ended at {}", when(finish)),
        None => writeln!(out, "not done when the run was over"),
    };
    if why.sites.is_empty() {
        return out;
    }
    let _ = writeln!(out, "\nIn that time, each site worked for it and for others:");
    for site in &why.sites {
        let _ = write!(
            out,
            "  `{}`: {} of its processor time, {} tasks",
            site.cluster,
            shown::percent(site.own),
            shown::figure(site.tasks)
        );
        for (name, share) in site.others.iter().take(SHOWN) {
            let _ = write!(out, "; {name} {}", shown::percent(*share));
        }
        if site.others.len() > SHOWN {
            let rest: f64 = site.others[SHOWN..].iter().map(|(_, share)| share).sum();
            let _ = write!(out, "; {} more {}", site.others.len() - SHOWN, shown::percent(rest));
        }
        let _ = writeln!(out, "; idle {}", shown::percent(site.idle()));
    }
    out
}

/// The table: who had which share of a site.
pub(super) fn tables(why: &WhyClass) -> Vec<Table> {
    let columns = [Column::text("cluster"), Column::text("class"), Column::figure("share")];
    let mut table = Table::new("sites", columns);
    for site in &why.sites {
        let own = format!("{}/{}", why.application, why.class);
        table.row([site.cluster.as_str().into(), own.as_str().into(), site.own.into()]);
        for (name, share) in &site.others {
            table.row([site.cluster.as_str().into(), name.as_str().into(), (*share).into()]);
        }
    }
    vec![table]
}

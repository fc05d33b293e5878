//! Explanation of a coalition job's finish time, in words and as tables.

use std::cmp::Ordering;
use std::fmt::Write as _;

use kernel::time::Span;
use report::table::{Column, Table};
use review::explain::{Replayed, Sent};
use stats::shown;

use super::words::{cell, jobs, long, when};

/// Maximum number of entries described from each list.
const SHOWN: usize = 8;

pub(super) fn text(why: &Replayed) -> String {
    let mut out = String::new();
    let job = &why.job;
    let _ = writeln!(
        out,
        "Job {} of `{}` came at {} in round {}, with {} of work.",
        job.number,
        job.organization,
        when(job.submit),
        shown::count(job.round),
        long(job.load)
    );
    let _ = writeln!(
        out,
        "It was promised to end by {}, and ended at {}, {} after it came.",
        when(job.promised),
        when(job.finish),
        long(job.finish - job.submit)
    );
    let other = match job.alone.cmp(&job.finish) {
        Ordering::Greater => format!(", {} later", long(job.alone - job.finish)),
        Ordering::Less => format!(", {} earlier", long(job.finish - job.alone)),
        Ordering::Equal => " too".to_owned(),
    };
    let alone = when(job.alone);
    let _ =
        writeln!(out, "Had its organization stayed out, it would have ended at {alone}{other}.");
    queue(&mut out, why);
    balancings(&mut out, why);
    out
}

fn queue(out: &mut String, why: &Replayed) {
    if why.in_front == Span::ZERO {
        let _ = writeln!(out, "\nNothing was in front of it.");
        return;
    }
    let _ = writeln!(out, "\n{} of work was in front of it.", long(why.in_front));
    let Some(queued) = &why.queued else {
        let _ = writeln!(
            out,
            "What of it was whose cannot be told: only jobs within `coalition.window` were written."
        );
        return;
    };
    if queued.foreign > Span::ZERO {
        let foreign = long(queued.foreign);
        let _ = writeln!(out, "The last foreign work in it was planned to end after {foreign}.");
    }
    let _ = match queued.own.len() {
        0 => writeln!(out, "No own job was in it."),
        1 => writeln!(out, "1 own job was in it:"),
        count => writeln!(out, "{} of its organization were in it:", jobs(count)),
    };
    for (number, end) in queued.own.iter().take(SHOWN) {
        let _ = writeln!(out, "  job {number}, planned to end at {}", when(*end));
    }
    more(out, queued.own.len(), "in_front");
}

fn more(out: &mut String, all: usize, table: &str) {
    if all > SHOWN {
        let left = shown::count((all - SHOWN) as u64);
        let _ = writeln!(out, "  and {left} more (`--table {table}`)");
    }
}

fn told(sent: &Sent) -> String {
    let (verb, with) = if sent.is_received { ("received", "from") } else { ("sent", "to") };
    let (amount, promised) = (long(sent.amount), when(sent.promised));
    format!("{verb} {amount} {with} `{}` (done by {promised})", sent.with)
}

fn balancings(out: &mut String, why: &Replayed) {
    let organization = &why.job.organization;
    let _ = match why.balancings.len() {
        0 => writeln!(out, "\nNo balancing moved work of or to `{organization}` before its end."),
        1 => writeln!(out, "\n1 balancing moved work of or to `{organization}` before its end:"),
        count => {
            let count = shown::count(count as u64);
            writeln!(
                out,
                "\n{count} balancings moved work of or to `{organization}` before its end:"
            )
        }
    };
    for one in why.balancings.iter().take(SHOWN) {
        let all: Vec<String> = one.sent.iter().map(told).collect();
        let effect = match one.planned {
            Some([before, after]) if before != after => {
                format!("; the job's planned end moved from {} to {}", when(before), when(after))
            }
            Some(_) => "; the job's planned end stayed".to_owned(),
            None => String::new(),
        };
        let _ = writeln!(out, "  at {}: {}{effect}", when(one.time), all.join(", "));
    }
    more(out, why.balancings.len(), "balancings");
}

/// All tables; the balancings come last.
pub(super) fn tables(why: &Replayed) -> Vec<Table> {
    vec![job_row(why), in_front(why), balancing_rows(why)]
}

fn job_row(why: &Replayed) -> Table {
    let columns = [
        Column::figure("replication"),
        Column::figure("round"),
        Column::text("organization"),
        Column::figure("job_id"),
        Column::figure("submission_time"),
        Column::figure("load"),
        Column::figure("in_front"),
        Column::figure("promised"),
        Column::figure("finish_time"),
        Column::figure("finish_alone"),
    ];
    let mut table = Table::new("job", columns);
    let job = &why.job;
    table.row([
        job.replication.into(),
        job.round.into(),
        (&*job.organization).into(),
        job.number.into(),
        cell(Some(job.submit)),
        job.load.as_units().into(),
        why.in_front.as_units().into(),
        cell(Some(job.promised)),
        cell(Some(job.finish)),
        cell(Some(job.alone)),
    ]);
    table
}

fn in_front(why: &Replayed) -> Table {
    let columns = [Column::figure("job_id"), Column::figure("planned_finish")];
    let mut table = Table::new("in_front", columns);
    for &(number, end) in why.queued.iter().flat_map(|queued| &queued.own) {
        table.row([number.into(), cell(Some(end))]);
    }
    table
}

fn balancing_rows(why: &Replayed) -> Table {
    let columns = [
        Column::figure("balancing"),
        Column::figure("time"),
        Column::text("direction"),
        Column::text("with"),
        Column::figure("amount"),
        Column::figure("promised"),
        Column::figure("planned_before"),
        Column::figure("planned_after"),
    ];
    let mut table = Table::new("balancings", columns);
    for one in &why.balancings {
        for sent in &one.sent {
            table.row([
                one.number.into(),
                cell(Some(one.time)),
                (if sent.is_received { "received" } else { "sent" }).into(),
                (&*sent.with).into(),
                sent.amount.as_units().into(),
                cell(Some(sent.promised)),
                cell(one.planned.map(|planned| planned[0])),
                cell(one.planned.map(|planned| planned[1])),
            ]);
        }
    }
    table
}

//! Writes jobs as a CSV file that [`read_jobs`](super::read_jobs) can read.

use std::io::{self, Write};

use super::tags::TAGS;
use kernel::time::{Span, TICKS_PER_UNIT, Time};
use model::ids::Uses;
use model::job::Job;

/// Names of all clusters, and the lists of clusters that jobs may use.
pub type NamedLists<'a> = (&'a [String], &'a [Uses]);

/// Columns of a list that not every list has.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoreColumns<'a> {
    /// Recorded waits.
    pub waits: bool,
    /// Names of the users by number, in place of the numbers.
    pub users: &'a [String],
    /// Clusters that jobs name: names of the clusters by number, and lists of clusters by theirs.
    pub uses: Option<NamedLists<'a>>,
    /// Accounts, partitions and labels.
    pub tags: bool,
}

/// A CSV writer for jobs; times are exact to the tick.
#[derive(Debug)]
pub struct JobsWriter<'a, W> {
    out: W,
    organizations: &'a [String],
    more: MoreColumns<'a>,
    line: Vec<u8>,
}

impl<'a, W: Write> JobsWriter<'a, W> {
    /// Writes the header line; `organizations` names the organizations by number.
    ///
    /// # Errors
    /// An error of `out`.
    pub fn new(
        mut out: W,
        organizations: &'a [String],
        more: MoreColumns<'a>,
    ) -> io::Result<JobsWriter<'a, W>> {
        out.write_all(b"id,organization,submit,runtime,estimate,processors,user")?;
        out.write_all(if more.waits { b",wait" } else { b"" })?;
        out.write_all(if more.uses.is_some() { b",uses" } else { b"" })?;
        if more.tags {
            write!(out, ",{}", TAGS.join(","))?;
        }
        out.write_all(b"\n")?;
        Ok(JobsWriter { out, organizations, more, line: Vec::with_capacity(128) })
    }

    /// Writes one job. No two may have the same number.
    ///
    /// # Errors
    /// An error of `out`.
    pub fn write(&mut self, job: &Job) -> io::Result<()> {
        self.row(job, Some(job.estimate), [""; 3])
    }

    /// Writes one job with a tag, and with another estimate; the cell is empty without one.
    ///
    /// # Errors
    /// An error of `out`.
    pub fn row(&mut self, job: &Job, estimate: Option<Span>, tag: [&str; 3]) -> io::Result<()> {
        self.line.clear();
        self.whole(job.number);
        self.line.push(b',');
        self.text(&self.organizations[job.organization.index()]);
        self.line.push(b',');
        for span in [Some(job.submit - Time::ZERO), Some(job.runtime), estimate] {
            span.map_or(Ok(()), |span| self.units(span))?;
            self.line.push(b',');
        }
        self.whole(job.processors.into());
        self.line.push(b',');
        match self.more.users.get(job.user as usize) {
            Some(name) => self.text(name),
            None => self.whole(job.user.into()),
        }
        if self.more.waits {
            self.line.push(b',');
            job.recorded.wait().map_or(Ok(()), |wait| self.units(wait))?;
        }
        if let Some((names, lists)) = self.more.uses {
            self.line.push(b',');
            let one = job.recorded.cluster();
            let several = job.recorded.list().map(|list| &lists[list as usize][..]);
            let clusters = several.unwrap_or(one.as_slice());
            let names: Vec<&str> =
                clusters.iter().map(|cluster| &*names[cluster.index()]).collect();
            self.text(&names.join(","));
        }
        for name in tag.iter().take(if self.more.tags { tag.len() } else { 0 }) {
            self.line.push(b',');
            self.text(name);
        }
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }

    /// Returns the underlying writer.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn whole(&mut self, value: u64) {
        self.line.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }

    fn units(&mut self, span: Span) -> io::Result<()> {
        if span.ticks() % TICKS_PER_UNIT != 0 {
            return write!(self.line, "{span}");
        }
        self.whole(span.ticks().unsigned_abs() / TICKS_PER_UNIT.unsigned_abs());
        Ok(())
    }

    /// Writes a name, quoted where CSV requires it (RFC 4180).
    fn text(&mut self, name: &str) {
        if name.contains([',', '"', '\n', '\r']) {
            let quoted = format!("\"{}\"", name.replace('"', "\"\""));
            self.line.extend_from_slice(quoted.as_bytes());
        } else {
            self.line.extend_from_slice(name.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{JobsOptions, read_jobs_from};
    use super::*;

    use model::ids::OrganizationId;
    use model::recorded::Recorded;
    use proptest::prelude::*;

    /// Before, only labels were written, and none was read.
    #[test]
    fn accounts_partitions_and_labels_are_read_back() {
        let organizations = ["a".to_owned()];
        let labels = ["4211_3", "4300+0", "7, 8"];
        let job = |number| Job { number, processors: 1, ..Job::default() };
        let jobs: Vec<Job> = (1..=3).map(job).collect();
        let more = MoreColumns { waits: true, tags: true, ..MoreColumns::default() };
        let mut writer = JobsWriter::new(Vec::new(), &organizations, more).unwrap();
        for (job, label) in jobs.iter().zip(labels) {
            let partition = if job.number == 2 { "" } else { "cpu" };
            writer.row(job, Some(job.estimate), ["x", partition, label]).unwrap();
        }
        let text = String::from_utf8(writer.into_inner()).unwrap();
        assert_eq!(
            text,
            "id,organization,submit,runtime,estimate,processors,user,wait,account,partition,label\n\
             1,a,0,0,0,1,0,,x,cpu,4211_3\n2,a,0,0,0,1,0,,x,,4300+0\n3,a,0,0,0,1,0,,x,cpu,\"7, 8\"\n"
        );
        let options = JobsOptions { source: 0, organizations: &organizations, owner: None };
        let read = read_jobs_from("x".as_ref(), text.as_bytes(), options).unwrap();
        assert_eq!(read.jobs, jobs);
        assert_eq!(read.tags.of(1), ["x", "cpu", "4211_3"]);
        assert_eq!(read.tags.of(4), [""; 3]);
        assert_eq!(read.tags.text(2), "account=x;label=4300+0");
    }

    /// Submission, runtime and estimate, processors, user and organization, wait.
    type Row = (i64, i64, i64, u32, u32, u32, Option<i64>);

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            rows in proptest::collection::vec(
                (
                    0..1_i64 << 60,
                    prop_oneof![Just(0), 0..1_i64 << 60],
                    prop_oneof![Just(0), 0..1_i64 << 60],
                    1..=u32::MAX,
                    any::<u32>(),
                    0..3_u32,
                    proptest::option::of(0..1_i64 << 60),
                ),
                0..30,
            ),
        ) {
            let organizations = ["a", "#b é", "c d"].map(str::to_owned);
            let job = |(number, row): (usize, &Row)| Job {
                number: 7 * number as u64,
                source: 2,
                submit: Time::from_ticks(row.0),
                runtime: Span::from_ticks(row.1),
                estimate: Span::from_ticks(row.2),
                processors: row.3,
                user: row.4,
                organization: OrganizationId(row.5),
                recorded: Recorded::new(row.6.map(Span::from_ticks), None),
            };
            let jobs: Vec<Job> = rows.iter().enumerate().map(job).collect();
            let mut writer = {
                let more = MoreColumns { waits: true, ..MoreColumns::default() };
                JobsWriter::new(Vec::new(), &organizations, more).unwrap()
            };
            jobs.iter().for_each(|job| writer.write(job).unwrap());
            let text = writer.into_inner();
            let options = JobsOptions { source: 2, organizations: &organizations, owner: None };
            let read = read_jobs_from("x".as_ref(), text.as_slice(), options).unwrap();
            prop_assert_eq!(read.jobs, jobs);
        }
    }
}

//! Writes jobs as a CSV file that [`read_jobs`](super::read_jobs) can read.

use std::io::{self, Write};

use kernel::time::{Span, TICKS_PER_UNIT, Time};
use model::ids::Uses;
use model::job::Job;

/// Names of all clusters, and the lists of clusters that jobs may use.
type NamedLists<'a> = (&'a [String], &'a [Uses]);

/// A CSV writer for jobs; times are exact to the tick.
#[derive(Debug)]
pub struct JobsWriter<'a, W> {
    out: W,
    organizations: &'a [String],
    /// Names of the users by number; empty to write the numbers.
    users: &'a [String],
    has_waits: bool,
    /// Names of the clusters by number, and lists of clusters by theirs; `None` for no such column.
    uses: Option<NamedLists<'a>>,
    /// Labels of the jobs in the order in which they are written; `None` for no such column.
    labels: Option<std::slice::Iter<'a, String>>,
    line: Vec<u8>,
}

impl<'a, W: Write> JobsWriter<'a, W> {
    /// Writes the header line; `organizations` names the organizations by number.
    ///
    /// # Errors
    /// An error of `out`.
    pub fn new(out: W, organizations: &'a [String]) -> io::Result<JobsWriter<'a, W>> {
        JobsWriter::begin(out, organizations, (false, None), None)
    }

    /// Same as [`JobsWriter::new`], with a column for the recorded waits.
    ///
    /// # Errors
    /// An error of `out`.
    pub fn with_waits(out: W, organizations: &'a [String]) -> io::Result<JobsWriter<'a, W>> {
        JobsWriter::begin(out, organizations, (true, None), None)
    }

    /// Same as [`JobsWriter::new`], with a column for the clusters that jobs name: `clusters` names the
    /// clusters by number, and `lists` has the lists to which jobs are bound.
    ///
    /// # Errors
    /// An error of `out`.
    pub fn with_uses(
        out: W,
        organizations: &'a [String],
        clusters: &'a [String],
        lists: &'a [Uses],
    ) -> io::Result<JobsWriter<'a, W>> {
        JobsWriter::begin(out, organizations, (false, Some((clusters, lists))), None)
    }

    /// Same as [`JobsWriter::with_waits`], with a last column for labels, by which people know the
    /// jobs elsewhere; they are in the order in which the jobs will be written.
    ///
    /// # Errors
    /// An error of `out`.
    pub fn with_labels(
        out: W,
        organizations: &'a [String],
        labels: &'a [String],
    ) -> io::Result<JobsWriter<'a, W>> {
        JobsWriter::begin(out, organizations, (true, None), Some(labels.iter()))
    }

    fn begin(
        mut out: W,
        organizations: &'a [String],
        (has_waits, uses): (bool, Option<NamedLists<'a>>),
        labels: Option<std::slice::Iter<'a, String>>,
    ) -> io::Result<JobsWriter<'a, W>> {
        out.write_all(b"id,organization,submit,runtime,estimate,processors,user")?;
        out.write_all(if has_waits { b",wait" } else { b"" })?;
        out.write_all(if uses.is_some() { b",uses" } else { b"" })?;
        out.write_all(if labels.is_some() { b",label\n" } else { b"\n" })?;
        let line = Vec::with_capacity(128);
        Ok(JobsWriter { out, organizations, users: &[], has_waits, uses, labels, line })
    }

    /// Writes the names of the users, by their numbers, in place of the numbers.
    #[must_use]
    pub fn with_users(self, users: &'a [String]) -> JobsWriter<'a, W> {
        JobsWriter { users, ..self }
    }

    /// Writes one job. No two may have the same number.
    ///
    /// # Errors
    /// An error of `out`.
    pub fn write(&mut self, job: &Job) -> io::Result<()> {
        self.row(job, Some(job.estimate))
    }

    /// Writes one job without an estimate: the cell is empty.
    ///
    /// # Errors
    /// An error of `out`.
    pub fn write_without_estimate(&mut self, job: &Job) -> io::Result<()> {
        self.row(job, None)
    }

    fn row(&mut self, job: &Job, estimate: Option<Span>) -> io::Result<()> {
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
        match self.users.get(job.user as usize) {
            Some(name) => self.text(name),
            None => self.whole(job.user.into()),
        }
        if self.has_waits {
            self.line.push(b',');
            job.recorded.wait().map_or(Ok(()), |wait| self.units(wait))?;
        }
        if let Some((names, lists)) = self.uses {
            self.line.push(b',');
            let one = job.recorded.cluster();
            let several = job.recorded.list().map(|list| &lists[list as usize][..]);
            let clusters = several.unwrap_or(one.as_slice());
            let names: Vec<&str> =
                clusters.iter().map(|cluster| &*names[cluster.index()]).collect();
            self.text(&names.join(","));
        }
        if let Some(label) = self.labels.as_mut().map(Iterator::next) {
            self.line.push(b',');
            self.text(label.map_or("", String::as_str));
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

    #[test]
    fn labels_are_written_and_skipped_by_the_reader() {
        let organizations = ["a".to_owned()];
        let labels = ["4211_3", "4300+0", "7, 8"].map(str::to_owned);
        let mut writer = JobsWriter::with_labels(Vec::new(), &organizations, &labels).unwrap();
        let job = |number| Job { number, processors: 1, ..Job::default() };
        let jobs: Vec<Job> = (1..=3).map(job).collect();
        jobs.iter().for_each(|job| writer.write(job).unwrap());
        let text = String::from_utf8(writer.into_inner()).unwrap();
        assert_eq!(
            text,
            "id,organization,submit,runtime,estimate,processors,user,wait,label\n\
             1,a,0,0,0,1,0,,4211_3\n2,a,0,0,0,1,0,,4300+0\n3,a,0,0,0,1,0,,\"7, 8\"\n"
        );
        let options = JobsOptions { source: 0, organizations: &organizations, owner: None };
        let read = read_jobs_from("x".as_ref(), text.as_bytes(), options).unwrap();
        assert_eq!(read.jobs, jobs);
    }
    use model::ids::OrganizationId;
    use model::recorded::Recorded;
    use proptest::prelude::*;

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
            let mut writer = JobsWriter::with_waits(Vec::new(), &organizations).unwrap();
            jobs.iter().for_each(|job| writer.write(job).unwrap());
            let text = writer.into_inner();
            let options = JobsOptions { source: 2, organizations: &organizations, owner: None };
            let read = read_jobs_from("x".as_ref(), text.as_slice(), options).unwrap();
            prop_assert_eq!(read.jobs, jobs);
        }
    }
}

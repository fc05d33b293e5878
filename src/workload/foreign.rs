//! Files of other programs that are given where a trace, a list, a scenario or a game is expected: what
//! they are, and what to do with them.

use std::io::Read as _;
use std::path::Path;

use super::opened;

/// Most bytes of a file that are looked at.
const HEAD: u64 = 1 << 16;

/// A file of another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// A trace of the Grid Workloads Archive.
    Gwf,
    /// A game of Gambit in normal form.
    Nfg,
    /// A workload of Batsim.
    Batsim,
    /// A workflow of WfCommons.
    WfCommons,
}

impl Foreign {
    /// Recognizes a file by its first lines.
    pub fn of(text: &str) -> Option<Foreign> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with("NFG 1 ") {
            return Some(Foreign::Nfg);
        }
        if text.starts_with('{') {
            let has = |key: &str| text.contains(&format!("\"{key}\""));
            return match (has("nb_res") || has("profiles"), has("schemaVersion")) {
                (true, _) => Some(Foreign::Batsim),
                (_, true) => Some(Foreign::WfCommons),
                _ => None,
            };
        }
        let is_job = |line: &str| {
            let fields: Vec<&str> = match line.contains(',') {
                true => line.split(',').map(|text| text.trim().trim_matches('"')).collect(),
                false => line.split_whitespace().collect(),
            };
            let number = |text: &&&str| text.parse::<f64>().is_ok();
            // A trace in the Standard Workload Format has numbers alone.
            fields.len() > 18
                && fields[..11].iter().filter(number).count() == 11
                && fields.iter().filter(number).count() < fields.len()
        };
        let mut lines = text.lines();
        let is_head =
            |line: &str| line.is_empty() || line.starts_with('#') || line.starts_with("JobID");
        let first = lines.by_ref().find(|line| !is_head(line.trim()))?;
        is_job(first).then_some(Foreign::Gwf)
    }

    /// Recognizes a file that can be read.
    pub fn of_file(file: &Path) -> Option<Foreign> {
        let mut head = Vec::new();
        opened::open(file).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
        Foreign::of(&String::from_utf8_lossy(&head))
    }

    /// Name of the kind of file, with its article.
    pub fn name(self) -> &'static str {
        match self {
            Foreign::Gwf => "a trace of the Grid Workloads Archive",
            Foreign::Nfg => "a game of Gambit (.nfg)",
            Foreign::Batsim => "a workload of Batsim",
            Foreign::WfCommons => "a workflow of WfCommons",
        }
    }

    /// Remedy: a command, or what to write.
    pub fn help(self) -> &'static str {
        match self {
            Foreign::Gwf => {
                "`gridpact workload import --from gwf FILE --output jobs.csv --scenario my.toml` makes a \
                 list of its jobs and a scenario"
            }
            Foreign::Nfg => {
                "`gridpact game FILE` plays it, and `gridpact game solve FILE` solves it"
            }
            Foreign::Batsim => {
                "`gridpact workload import --from batsim FILE --output jobs.csv --scenario my.toml` makes a \
                 list of its jobs and a scenario"
            }
            Foreign::WfCommons => {
                "a campaign reads it: `workflow = { file = \"FILE\" }` in an `[[application]]`"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_programs_are_told_apart() {
        let numbers = "1 0 5 10 4 -1 -1 4 60 -1 1";
        for (text, expected) in [
            ("NFG 1 R \"a game\" { \"1\" \"2\" }\n", Some(Foreign::Nfg)),
            ("{\"nb_res\": 4, \"jobs\": []}", Some(Foreign::Batsim)),
            ("\u{feff}{\n\"name\": \"x\", \"schemaVersion\": \"1.3\"", Some(Foreign::WfCommons)),
            ("{\"name\": 1}", None),
            (&format!("# JobID\n{numbers} U1 G1 A Q P S S UNITARY -1\n"), Some(Foreign::Gwf)),
            (
                &format!("JobID,SubmitTime\n{},U1,G1,A,Q,P,S,S,-1\n", numbers.replace(' ', ",")),
                Some(Foreign::Gwf),
            ),
            (&format!("{numbers} 1 1 1 1 1 -1 -1\n"), None),
            ("name = \"x\"\n", None),
            ("", None),
        ] {
            assert_eq!(Foreign::of(text), expected, "{text}");
        }
    }
}

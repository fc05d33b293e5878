//! The title of a run: the scenario's name, followed by the command-line changes.

/// Maximum number of settings shown in a title.
const SHOWN: usize = 3;
/// Longest value shown in a title, in characters.
const LONGEST: usize = 40;

/// Returns the settings (`key=value`) that change the results, in the order given. If a key is set
/// several times, the last one counts. Run length, number of replications, seed and name are left
/// out: they are shown elsewhere, and an extended run is simply a longer run.
pub(super) fn changes(settings: &[String]) -> Vec<String> {
    let key = |setting: &str| {
        let key = setting.split('=').next().unwrap_or_default();
        key.replace(['"', '\''], "").trim().to_owned()
    };
    let is_told_elsewhere = |key: &str| {
        let end = key.strip_prefix("run.").unwrap_or(key);
        let first = end.split('.').next().unwrap_or_default();
        matches!(first, "until" | "replications" | "seed" | "name")
    };
    let mut changes: Vec<String> = Vec::new();
    for setting in settings {
        let own = key(setting);
        changes.retain(|other| key(other) != own);
        if !is_told_elsewhere(&own) {
            changes.push(setting.clone());
        }
    }
    changes
}

/// Formats a name with its changes: `KTH-SP2 (scheduler = fcfs)`. Settings of `output` change no
/// result, and the values of a sweep are told by its axes: both are left out.
pub(super) fn titled(name: &str, changes: &[String]) -> String {
    let is_told = |part: &str| !part.starts_with("output") && !part.starts_with("sweep.");
    let told = |setting: &&String| is_told(setting.trim_start());
    let changes: Vec<&String> = changes.iter().filter(told).collect();
    if changes.is_empty() {
        return name.to_owned();
    }
    let one = |setting: &&String| {
        let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
        let (key, value) = (key.trim(), value.trim());
        let short: String = value.chars().take(LONGEST).collect();
        let more = if short.len() < value.len() { "…" } else { "" };
        format!("{key} = {short}{more}")
    };
    let mut shown: Vec<String> = changes.iter().take(SHOWN).map(one).collect();
    if changes.len() > SHOWN {
        shown.push(format!("{} more", changes.len() - SHOWN));
    }
    format!("{name} ({})", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(settings: &[&str]) -> String {
        let settings: Vec<String> = settings.iter().map(|&one| one.to_owned()).collect();
        titled("Grid", &changes(&settings))
    }

    #[test]
    fn a_title_tells_what_was_changed() {
        assert_eq!(title(&[]), "Grid");
        assert_eq!(title(&["scheduler=fcfs"]), "Grid (scheduler = fcfs)");
        assert_eq!(title(&["scheduler=fcfs", "scheduler = easy"]), "Grid (scheduler = easy)");
        assert_eq!(title(&["run.clairvoyance=none"]), "Grid (run.clairvoyance = none)");
        assert_eq!(
            title(&["a=1", "b=2", "c=3", "d=4", "e=5"]),
            "Grid (a = 1, b = 2, c = 3, 2 more)"
        );
        let long = format!("jobs={}", "ä".repeat(60));
        assert_eq!(title(&[&long]), format!("Grid (jobs = {}…)", "ä".repeat(40)));
    }

    #[test]
    fn how_long_and_how_often_is_told_elsewhere() {
        let elsewhere =
            ["run.until.rounds=9", "until={jobs=5}", "replications=10", "run.replications=3"];
        assert_eq!(title(&elsewhere), "Grid");
        assert_eq!(title(&["seed=3", "name=Other", "output.jobs=false"]), "Grid");
        assert_eq!(changes(&["output.jobs=false".to_owned()]), ["output.jobs=false"]);
    }
}

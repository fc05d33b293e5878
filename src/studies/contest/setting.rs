//! Parameter overrides for learners: `ucb.bonus=0.2`.

use serde_json::Value;

use policy::learn::LearnerOptions;
use scenario::aliases::choice_meant;
use scenario::diagnostics::show;

/// Applies the settings to the default learners and returns those that change.
///
/// # Errors An invalid setting, as a message with a remedy.
pub fn changed(settings: &[String]) -> Result<Vec<LearnerOptions>, String> {
    let mut changed: Vec<LearnerOptions> = Vec::new();
    for setting in settings {
        let (name, key, value) = parts(setting)?;
        let known = || LearnerOptions::defaults().into_iter().find(|one| one.name() == name);
        let at = changed.iter().position(|one| one.name() == name);
        let options = at.map(|at| changed[at].clone()).or_else(known).ok_or_else(|| {
            let names: Vec<_> = LearnerOptions::defaults().iter().map(|one| one.name()).collect();
            let help = choice_meant(name, &names).help();
            let help = help.unwrap_or_else(|| "`gridpact list learners` names them".to_owned());
            format!(
                "`{}`: there is no learner called `{}`\nhelp: {help}",
                show(setting),
                show(name)
            )
        })?;
        let wrong = |what: &dyn std::fmt::Display| {
            let setting = show(setting);
            format!("`{setting}`: {what}\nhelp: `gridpact list learners` tells its parameters")
        };
        let mut written = serde_json::to_value(&options).map_err(|error| wrong(&error))?;
        if let Some(parameters) = written.get_mut(name).and_then(Value::as_object_mut) {
            parameters.insert(key.to_owned(), value);
        }
        let read: LearnerOptions =
            serde_json::from_value(written).map_err(|error| wrong(&error))?;
        match at {
            Some(at) => changed[at] = read,
            None => changed.push(read),
        }
    }
    for options in &changed {
        options.check().map_err(|error| {
            format!("`{}`: {}\nhelp: give another value", error.field, error.message)
        })?;
    }
    Ok(changed)
}

/// Splits a setting into learner, parameter and value.
fn parts(setting: &str) -> Result<(&str, &str, Value), String> {
    let wrong = || {
        format!(
            "`{}` sets nothing\nhelp: write LEARNER.PARAMETER=VALUE, such as `ucb.bonus=0.2`",
            show(setting)
        )
    };
    let (left, value) = setting.split_once('=').ok_or_else(wrong)?;
    let (name, key) = left.split_once('.').ok_or_else(wrong)?;
    let read: toml::Table = toml::from_str(&format!("value = {value}")).map_err(|_| wrong())?;
    let value = read.get("value").ok_or_else(wrong)?;
    Ok((name.trim(), key.trim(), serde_json::to_value(value).map_err(|_| wrong())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_set_one_after_the_other() {
        let settings =
            |all: &[&str]| changed(&all.iter().map(|&one| one.to_owned()).collect::<Vec<_>>());
        let both = settings(&["phc.rate=0.2", "cross.rate = 0.02", "phc.exploration=0.3"]).unwrap();
        let written: Vec<Value> =
            both.iter().map(|one| serde_json::to_value(one).unwrap()).collect();
        assert_eq!(
            (&written[0]["phc"]["rate"], &written[0]["phc"]["exploration"]),
            (&0.2.into(), &0.3.into())
        );
        assert_eq!(written[1]["cross"]["rate"], 0.02);
        for (wrong, expected) in [
            ("ucb=0.2", "sets nothing"),
            ("ucb.bonus", "sets nothing"),
            ("ucb.bonus=", "sets nothing"),
            ("ubc.bonus=1", "did you mean `ucb`?"),
            ("ucb.bonsu=1", "unknown field `bonsu`"),
            ("ucb.bonus=-1", "bonus"),
        ] {
            let error = settings(&[wrong]).unwrap_err();
            assert!(error.contains(expected), "{wrong}: {error}");
        }
    }
}

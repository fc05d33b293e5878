//! Games as lists of payoffs, as `gridpact game export --to csv` writes them, as scenarios.
//!
//! ```text
//! Ann,Bob,player,payoff
//! stag,hare,Ann,0
//! stag,hare,Bob,3
//! ```
//!
//! A column for each player has its action, and a line the payoff of a profile to one player. The order of
//! the lines is free. Actions are in the order in which they first appear, or of their numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use csv::StringRecord;

use super::diagnostics::Diagnostic;
use super::files::{FileId, Place};
use super::nfg::{LARGEST, MOST, written};

/// True for a text that is such a list: its last columns are `player` and `payoff`.
pub(super) fn is_list(text: &str) -> bool {
    let head = text.lines().next().unwrap_or_default();
    let mut columns = head.rsplit(',').map(|column| column.trim().trim_matches('"'));
    [columns.next(), columns.next()] == [Some("payoff"), Some("player")]
}

/// The payoff to each player, once a line has it, and the number of that line.
type Pays = Vec<Option<(f64, u64)>>;

/// The game as a scenario in TOML, whose players learn by regret matching if it is played.
///
/// # Errors
/// The first line that is wrong, or the first payoff that is missing.
pub(super) fn toml(text: &str, name: &str, file: FileId) -> Result<String, Box<Diagnostic>> {
    let list = List { text, file };
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let head = reader.headers().cloned().unwrap_or_default();
    let players: Vec<String> = head
        .iter()
        .take(head.len() - 2)
        .map(|name| name.trim_matches('\u{feff}').to_owned())
        .collect();
    let twice = |at: &usize| players[..*at].contains(&players[*at]);
    if let Some(at) = (0..players.len()).find(twice) {
        return Err(list.wrong(&head, at, "another column has this name"));
    }
    if players.is_empty() {
        return Err(list.wrong(&head, 0, "a column for each player should stand before this"));
    }
    let mut actions: Vec<String> = Vec::new();
    let mut profiles: BTreeMap<Vec<usize>, Pays> = BTreeMap::new();
    for line in reader.records() {
        let line = line.map_err(|wrong| Box::new(Diagnostic::error(wrong.to_string())))?;
        if line.len() != head.len() {
            let told =
                format!("here are {} fields, and the first line has {}", line.len(), head.len());
            return Err(list.wrong(&line, 0, &told));
        }
        let place = |action: &str| {
            actions.iter().position(|known| known == action).unwrap_or_else(|| {
                actions.push(action.to_owned());
                actions.len() - 1
            })
        };
        let profile = line.iter().take(players.len()).map(place).collect();
        let (who, payoff) = (&line[players.len()], &line[players.len() + 1]);
        let Some(player) = players.iter().position(|name| name == who) else {
            let told = format!("the players are {}", players.join(", "));
            return Err(list.wrong(&line, players.len(), &told));
        };
        let Some(payoff) = payoff.parse().ok().filter(|payoff: &f64| payoff.abs() <= LARGEST)
        else {
            return Err(list.wrong(
                &line,
                players.len() + 1,
                "here should be a number from -10^12 to 10^12",
            ));
        };
        let number = line.position().map_or(0, csv::Position::line);
        let pays = profiles.entry(profile).or_insert_with(|| vec![None; players.len()]);
        if let Some((_, first)) = pays[player].replace((payoff, number)) {
            return Err(list.wrong(&line, 0, &format!("line {first} has this payoff too")));
        }
    }
    if profiles.len().saturating_mul(players.len()) > MOST {
        return Err(list.at(text.len(), 0, &format!("these are more than {MOST} payoffs")));
    }
    let (menus, profiles) = arranged(players.len(), &actions, profiles);
    let choices: Vec<usize> = menus.iter().map(Vec::len).collect();
    let payoffs = profiles.values().map(|pays| pays.iter().map(|pay| Some((*pay)?.0)).collect());
    let payoffs: Option<Vec<Vec<f64>>> = payoffs.collect();
    let wanted = choices.iter().try_fold(1_usize, |all, &one| all.checked_mul(one));
    match payoffs.filter(|payoffs| wanted == Some(payoffs.len()) && !payoffs.is_empty()) {
        Some(payoffs) => {
            let title = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
            let actions: Vec<&[String]> = menus.iter().map(|menu| &menu[..]).collect();
            Ok(written(&title, &players, &choices, &actions, payoffs.iter()))
        }
        None => Err(list.missing(&players, &menus, &profiles)),
    }
}

/// The actions of each player, all in one order, and the profiles by their places there.
fn arranged(
    players: usize,
    actions: &[String],
    profiles: BTreeMap<Vec<usize>, Pays>,
) -> (Vec<Vec<String>>, BTreeMap<Vec<usize>, Pays>) {
    let numbers: Option<Vec<u64>> = actions.iter().map(|action| action.parse().ok()).collect();
    let order = |action: &usize| numbers.as_ref().map_or(*action as u64, |all| all[*action]);
    let menu = |player: usize| {
        let found: BTreeSet<usize> = profiles.keys().map(|profile| profile[player]).collect();
        let mut menu: Vec<usize> = found.into_iter().collect();
        menu.sort_by_key(order);
        menu
    };
    let menus: Vec<Vec<usize>> = (0..players).map(menu).collect();
    let place = |(action, menu): (&usize, &Vec<usize>)| {
        menu.iter().position(|known| known == action).expect("it was found")
    };
    let places = |profile: Vec<usize>| profile.iter().zip(&menus).map(place).collect();
    let profiles = profiles.into_iter().map(|(profile, pays)| (places(profile), pays)).collect();
    let named = |menu: &Vec<usize>| menu.iter().map(|&action| actions[action].clone()).collect();
    (menus.iter().map(named).collect(), profiles)
}

/// The text, for places of mistakes in it.
struct List<'a> {
    text: &'a str,
    file: FileId,
}

impl List<'_> {
    fn at(&self, from: usize, length: usize, told: &str) -> Box<Diagnostic> {
        let place = Place { file: self.file, span: from..from + length };
        let wrong = Diagnostic::error("this is not a list of payoffs").at(place, told);
        Box::new(wrong.help(
            "write a column for each player with its action, then `player` and `payoff`, and a line for \
             each profile and player, as `gridpact game export FILE --to csv` does",
        ))
    }

    /// A mistake in a field of a line.
    fn wrong(&self, line: &StringRecord, field: usize, told: &str) -> Box<Diagnostic> {
        let start = line.position().map_or(0, |position| position.byte() as usize);
        let find = |from: usize, field: &str| from + self.text[from..].find(field).unwrap_or(0);
        let before = line.iter().take(field);
        let from = before.fold(start, |from, field| find(from, field) + field.len());
        let field = line.get(field).unwrap_or_default();
        self.at(find(from, field), field.len(), told)
    }

    /// The first payoff that no line has, in the order of the profiles.
    fn missing(
        &self,
        players: &[String],
        menus: &[Vec<String>],
        profiles: &BTreeMap<Vec<usize>, Pays>,
    ) -> Box<Diagnostic> {
        if profiles.is_empty() {
            return self.at(self.text.len(), 0, "here should be lines with payoffs");
        }
        let mut profile = vec![0; menus.len()];
        let player = loop {
            let Some(pays) = profiles.get(&profile) else { break 0 };
            if let Some(player) = pays.iter().position(Option::is_none) {
                break player;
            }
            for (own, menu) in profile.iter_mut().zip(menus).rev() {
                *own += 1;
                if *own < menu.len() {
                    break;
                }
                *own = 0;
            }
        };
        let plays = profile.iter().zip(menus).map(|(&own, menu)| &*menu[own]);
        let told = format!(
            "no line has the payoff of {} in the profile {}",
            players[player],
            plays.collect::<Vec<_>>().join(",")
        );
        let known =
            players.iter().zip(menus).map(|(name, menu)| format!("{name}: {}", menu.join(", ")));
        let known = known.collect::<Vec<_>>().join("; ");
        let help =
            format!("the actions found are, of {known}; one that is misspelled counts as another");
        let place = Place { file: self.file, span: self.text.len()..self.text.len() };
        Box::new(Diagnostic::error("a payoff is missing").at(place, told).help(help))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Files;

    fn read(text: &str) -> Result<String, Box<Diagnostic>> {
        assert!(is_list(text), "{text}");
        let file = Files::new().add("hunt.csv", text);
        toml(text, "hunt.csv", file)
    }

    #[test]
    fn lines_come_in_any_order() {
        let text = "Ann,Bob,player,payoff\r\nx,y,Bob,-1e-1\r\nx,y,Ann,1\r\n\"x\", z,Ann,2\r\nx,z,Bob,0\r\n";
        let toml = read(text).unwrap();
        assert!(
            toml.starts_with("name = \"hunt\"\n") && toml.contains("choices = [1, 2]"),
            "{toml}"
        );
        assert!(toml.contains("    [1.0, -0.1],\n    [2.0, 0.0],\n]"), "{toml}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let head = "a,b,player,payoff\n";
        for (lines, at, wanted) in [
            ("", 18, "lines with payoffs"),
            ("x,y,a,1\nx,y,b,one\n", 32, "a number"),
            ("x,y,a,inf\n", 24, "a number"),
            ("x,y,c,1\n", 22, "the players are a, b"),
            ("x,y,a,1\nx,y,b,2\nx,y,a,1\n", 34, "line 2 has this payoff too"),
            ("x,y,a,1\nx,y,b\n", 26, "here are 3 fields, and the first line has 4"),
            ("x,y,a,1\n", 26, "the payoff of b in the profile x,y"),
            ("x,y,a,1\nx,y,b,1\nX,z,a,1\nX,z,b,1\n", 50, "the payoff of a in the profile x,z"),
        ] {
            let wrong = read(&(head.to_owned() + lines)).unwrap_err();
            let label = &wrong.labels[0];
            assert!(label.text.contains(wanted), "{lines}: {wrong:?}");
            assert_eq!(label.place.span.start, at, "{lines}: {wrong:?}");
        }
        for (text, wanted) in
            [("player,payoff\n", "should stand before"), ("a,a,player,payoff\n", "this name")]
        {
            let wrong = read(text).unwrap_err();
            assert!(wrong.labels[0].text.contains(wanted), "{text}: {wrong:?}");
        }
    }
}

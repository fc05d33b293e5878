//! Games in Gambit's strategic form, `.nfg`, as scenarios: with payoffs of all profiles, or of outcomes that
//! profiles lead to.
//!
//! ```text
//! NFG 1 R "title" { "Ann" "Bob" } { 2 2 } 3 3 5 0 0 5 1 1
//! ```
//!
//! The first player's strategy changes fastest. In place of their numbers strategies may be named, and a
//! comment may follow. Numbers may be fractions. With outcomes, `{ { "name" 3, 3 } ... }` stands before one
//! number for each profile: that of its outcome from 1, or 0 for payoffs of 0.

use std::fmt::Write as _;
use std::ops::Range;

use super::diagnostics::Diagnostic;
use super::files::{FileId, Place};

/// Most payoffs of a game; the reader of scenarios has the same limit.
pub(super) const MOST: usize = 1 << 24;
/// Largest payoff.
pub(super) const LARGEST: f64 = 1e12;

/// True for a text that is such a game.
pub(super) fn is_nfg(text: &str) -> bool {
    text.trim_start().starts_with("NFG ")
}

/// The game as a scenario in TOML, whose players learn by regret matching if it is played.
///
/// # Errors
/// The first thing that is not as the format has it.
pub(super) fn toml(text: &str, file: FileId) -> Result<String, Box<Diagnostic>> {
    let mut reader = Reader { text, at: 0, file };
    for word in ["NFG", "1"] {
        reader.word(&[word])?;
    }
    reader.word(&["R", "D"])?;
    let title = reader.quoted("the title in quotes")?;
    let players = reader.list(|reader| reader.quoted("a player's name in quotes"))?;
    let menus = reader.list(|reader| match reader.next() {
        Some((Token::Open, _)) => {
            let names = reader.rest(|reader| reader.quoted("a strategy's name in quotes"))?;
            Ok((names.len(), names))
        }
        Some((Token::Number(count), _)) if count >= 1.0 && count.fract() == 0.0 => {
            Ok((count as usize, Vec::new()))
        }
        other => Err(reader.expected("a number of strategies, or their names", other)),
    })?;
    if players.is_empty() || menus.len() != players.len() {
        let told = format!("the strategies of {} players", players.len());
        return Err(reader.expected(&told, None));
    }
    let choices: Vec<usize> = menus.iter().map(|menu| menu.0).collect();
    let profiles = choices.iter().try_fold(1_usize, |all, &one| all.checked_mul(one));
    let profiles = profiles.filter(|all| all.saturating_mul(players.len()) <= MOST);
    let Some(profiles) = profiles.filter(|&all| all > 0) else {
        return Err(reader.expected(&format!("a game of 1 to {MOST} payoffs"), None));
    };
    if let Some((Token::Text(_), _)) = reader.peek() {
        reader.next();
    }
    let payoffs = reader.payoffs(players.len(), profiles)?;
    if let Some(more) = reader.next() {
        return Err(reader.expected("the end, as all profiles have payoffs", Some(more)));
    }
    let actions: Vec<&[String]> = menus.iter().map(|menu| &menu.1[..]).collect();
    // Here the last player's action varies fastest.
    let turned = (0..payoffs.len()).map(|at| {
        let mut rest = at;
        let own = choices.iter().rev().map(|all| {
            let own = rest % all;
            rest /= all;
            own
        });
        let own: Vec<usize> = own.collect();
        &payoffs[own.iter().zip(choices.iter().rev()).fold(0, |at, (own, all)| at * all + own)]
    });
    Ok(written(&title, &players, &choices, &actions, turned))
}

/// Names with the characters that all names may have, if each has a letter or a digit and no two are alike.
fn named(names: &[String]) -> Option<Vec<String>> {
    let is_plain = |one: &char| one.is_alphanumeric() || " -_.,:()".contains(*one);
    let plain = |name: &String| -> String { name.chars().filter(is_plain).collect() };
    let is_end = |one: char| !one.is_alphanumeric() && one != ')';
    let names: Vec<String> =
        names.iter().map(|name| plain(name).trim_matches(is_end).to_owned()).collect();
    let are_apart = (1..names.len()).all(|at| !names[..at].contains(&names[at]));
    let has_word = |name: &String| name.chars().any(char::is_alphanumeric);
    (!names.is_empty() && are_apart && names.iter().all(has_word)).then_some(names)
}

/// The TOML text of a game, with the payoffs of all profiles; the last player's action varies fastest.
pub(super) fn written<'a>(
    title: &str,
    players: &[String],
    choices: &[usize],
    actions: &[&[String]],
    payoffs: impl Iterator<Item = &'a Vec<f64>>,
) -> String {
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let title = named(&[title.to_owned()]).map_or("A game".to_owned(), |names| names.concat());
    let mut out = format!("name = {}\n\n[game]\n", quoted(&title));
    // Names of actions are the same for all players.
    let names = named(actions[0]).filter(|_| actions.iter().all(|own| *own == actions[0]));
    if let Some(names) = names {
        let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        let _ = writeln!(out, "actions = [{}]", names.join(", "));
    }
    let _ = writeln!(out, "payoffs.table.choices = {choices:?}\npayoffs.table.payoffs = [");
    for pays in payoffs {
        let _ = writeln!(out, "    {pays:?},");
    }
    out.push_str("]\n");
    let numbered = || (1..=players.len()).map(|at| format!("player-{at}")).collect();
    for name in named(players).unwrap_or_else(numbered) {
        let _ =
            write!(out, "\n[[player]]\nname = {}\nlearner.regret_matching = {{}}\n", quoted(&name));
    }
    out
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Open,
    Close,
    Text(String),
    Number(f64),
    Other,
}

type Found = (Token, Range<usize>);

/// Reads tokens one by one.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    file: FileId,
}

impl Reader<'_> {
    /// The next token; commas are blanks.
    fn next(&mut self) -> Option<Found> {
        let rest = &self.text[self.at..];
        let skipped = rest.find(|one: char| !one.is_whitespace() && one != ',')?;
        let (from, rest) = (self.at + skipped, &rest[skipped..]);
        let first = rest.chars().next()?;
        let (token, length) = match first {
            '{' => (Token::Open, 1),
            '}' => (Token::Close, 1),
            '"' => {
                let mut text = String::new();
                let mut letters = rest.char_indices().skip(1);
                let end = loop {
                    match letters.next() {
                        Some((at, '"')) => break Some(at + 1),
                        Some((_, '\\')) => text.extend(letters.next().map(|one| one.1)),
                        Some((_, letter)) => text.push(letter),
                        None => break None,
                    }
                };
                end.map_or((Token::Other, 1), |end| (Token::Text(text), end))
            }
            _ => {
                let is_end =
                    |one: char| one.is_whitespace() || matches!(one, ',' | '{' | '}' | '"');
                let length = rest.find(is_end).unwrap_or(rest.len());
                let number = match rest[..length].split_once('/') {
                    Some((over, under)) => over.parse().ok().zip(under.parse().ok()),
                    None => rest[..length].parse().ok().map(|one| (one, 1.0)),
                };
                let number = number.map(|(over, under): (f64, f64)| over / under);
                let number = number.filter(|one| one.abs() <= LARGEST);
                (number.map_or(Token::Other, Token::Number), length)
            }
        };
        self.at = from + length;
        Some((token, from..self.at))
    }

    fn peek(&mut self) -> Option<Found> {
        let at = self.at;
        let found = self.next();
        self.at = at;
        found
    }

    /// A mistake: something else stands here, or the text ends.
    fn expected(&self, wanted: &str, found: Option<Found>) -> Box<Diagnostic> {
        let (span, told) = match found {
            Some((_, span)) => (span, format!("here should be {wanted}")),
            None => (self.at..self.at, format!("before this should be {wanted}")),
        };
        let place = Place { file: self.file, span };
        let wrong = Diagnostic::error("this is not a game in Gambit's format").at(place, told).help(
            "write `NFG 1 R \"title\" { \"player\" ... } { strategies ... }`, then payoffs: the first \
             player's strategy changes fastest",
        );
        Box::new(wrong)
    }

    fn word(&mut self, words: &[&str]) -> Result<(), Box<Diagnostic>> {
        let found = self.next();
        match &found {
            Some((_, span)) if words.contains(&&self.text[span.clone()]) => Ok(()),
            _ => Err(self.expected(&format!("`{}`", words.join("` or `")), found)),
        }
    }

    fn quoted(&mut self, wanted: &str) -> Result<String, Box<Diagnostic>> {
        match self.next() {
            Some((Token::Text(text), _)) => Ok(text),
            other => Err(self.expected(wanted, other)),
        }
    }

    fn number(&mut self) -> Result<f64, Box<Diagnostic>> {
        match self.next() {
            Some((Token::Number(number), _)) => Ok(number),
            other => Err(self.expected("a payoff from -10^12 to 10^12", other)),
        }
    }

    /// A list in braces.
    fn list<T>(
        &mut self,
        one: impl FnMut(&mut Self) -> Result<T, Box<Diagnostic>>,
    ) -> Result<Vec<T>, Box<Diagnostic>> {
        self.word(&["{"])?;
        self.rest(one)
    }

    /// A list whose brace is read.
    fn rest<T>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<T, Box<Diagnostic>>,
    ) -> Result<Vec<T>, Box<Diagnostic>> {
        let mut all = Vec::new();
        while !matches!(self.peek(), Some((Token::Close, _))) {
            all.push(one(self)?);
        }
        self.next();
        Ok(all)
    }

    /// The payoffs of each profile.
    fn payoffs(
        &mut self,
        players: usize,
        profiles: usize,
    ) -> Result<Vec<Vec<f64>>, Box<Diagnostic>> {
        let several = |reader: &mut Self| (0..players).map(|_| reader.number()).collect();
        if !matches!(self.peek(), Some((Token::Open, _))) {
            return (0..profiles).map(|_| several(self)).collect();
        }
        let outcomes: Vec<Vec<f64>> = self.list(|reader| {
            reader.word(&["{"])?;
            reader.quoted("an outcome's name in quotes")?;
            let payoffs = several(reader)?;
            reader.word(&["}"])?;
            Ok(payoffs)
        })?;
        let profile = |_| match self.next() {
            Some((Token::Number(0.0), _)) => Ok(vec![0.0; players]),
            Some((Token::Number(number), _))
                if number.fract() == 0.0 && (1.0..=outcomes.len() as f64).contains(&number) =>
            {
                Ok(outcomes[number as usize - 1].clone())
            }
            other => {
                let told = format!("the number of an outcome, 0 to {}", outcomes.len());
                Err(self.expected(&told, other))
            }
        };
        (0..profiles).map(profile).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Files;

    fn read(text: &str) -> Result<String, Box<Diagnostic>> {
        let file = Files::new().add("game.nfg", text);
        toml(text, file)
    }

    /// Two by three, with the payoffs of each profile named by it: the first player changes fastest there,
    /// the last one here.
    #[test]
    fn profiles_are_turned() {
        let text = "NFG 1 R \"turned\" { \"Ann\" \"Bob\" } { 2 3 }\n\
                    11 0 21 0 12 0 22 0 13 1/2 23 -1e-1";
        let toml = read(text).unwrap();
        let list: String = toml.lines().filter(|line| line.starts_with("    ")).collect();
        assert_eq!(
            list,
            "    [11.0, 0.0],    [12.0, 0.0],    [13.0, 0.5],    [21.0, 0.0],    [22.0, 0.0],    \
             [23.0, -0.1],"
        );
        assert!(toml.contains("choices = [2, 3]") && toml.contains("name = \"Ann\""), "{toml}");
    }

    #[test]
    fn outcomes_and_names_are_read() {
        let text = "NFG 1 R \"a \\\"b\\\"\" { \"1\" \"2\" }\n{ { \"x\" \"y\" } { \"x\" \"y\" } }\n\"why\"\n\
                    { { \"\" 3, 4 } { \"o\" 5 6 } }\n1 0 2 1";
        let toml = read(text).unwrap();
        assert!(toml.contains("actions = [\"x\", \"y\"]"), "{toml}");
        let list: Vec<&str> = toml.lines().filter(|line| line.starts_with("    ")).collect();
        assert_eq!(
            list,
            ["    [3.0, 4.0],", "    [5.0, 6.0],", "    [0.0, 0.0],", "    [3.0, 4.0],"]
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, wanted) in [
            ("NFG 2 R", "`1`"),
            ("NFG 1 R \"a", "the title in quotes"),
            ("NFG 1 R \"\" { \"1\" } { 2 2 } 1 1", "the strategies of 1 players"),
            ("NFG 1 R \"\" { \"1\" } { 2 } 1", "a payoff"),
            ("NFG 1 R \"\" { \"1\" } { 2 } 1 1/0", "a payoff"),
            ("NFG 1 R \"\" { \"1\" } { 2 } 1 1 1", "the end"),
            ("NFG 1 R \"\" { \"1\" } { 2 } { { \"\" 1 } } 1 2", "0 to 1"),
            ("NFG 1 R \"\" { \"1\" } { 99999999 } 1", "a game of 1 to"),
            ("NFG 1 R \"\" { \"1\"", "a player's name"),
        ] {
            let wrong = read(text).unwrap_err();
            assert!(wrong.labels[0].text.contains(wanted), "{text}: {wrong:?}");
        }
    }
}

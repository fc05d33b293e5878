//! `payoffs.sizes` and `payoffs.coalitions`: a worth for every coalition.

use super::Resolver;
use crate::diagnostics::listed;
use crate::path::Path;
use crate::raw::CoalitionsForm;
use game::coalitional::{Coalitional, MOST_PLAYERS};
use stats::shown::counted;

impl Resolver<'_> {
    pub(super) fn sizes(&mut self, worth: &[f64], at: &Path) -> Option<(Vec<String>, Coalitional)> {
        self.numbers(worth, at);
        self.are_a_few(worth.len(), at);
        let players = (1..=worth.len()).map(|number| format!("player-{number}")).collect();
        let of = |size: u32| size.checked_sub(1).map_or(0.0, |before| worth[before as usize]);
        self.errors.is_empty().then(|| {
            (players, Coalitional::new(worth.len(), |coalition| of(coalition.count_ones())))
        })
    }

    pub(super) fn coalitions(
        &mut self,
        form: &CoalitionsForm,
        at: &Path,
    ) -> Option<(Vec<String>, Coalitional)> {
        let of_players = at.clone().key("players");
        self.are_a_few(form.players.len(), &of_players);
        self.check_names(&form.players, "players", &of_players);
        self.number(form.others.unwrap_or(0.0), at.clone().key("others"));
        if !self.errors.is_empty() {
            return None;
        }
        let mut worth: Vec<Option<f64>> = vec![form.others; 1 << form.players.len()];
        let mut listed_at = vec![false; worth.len()];
        for (index, written) in form.worth.iter().enumerate() {
            let at = at.clone().key("worth").index(index);
            let coalition = self.members(&written.of, &form.players, &at.clone().key("of"));
            self.number(written.is, at.clone().key("is"));
            let Some(coalition) = coalition else { continue };
            if std::mem::replace(&mut listed_at[coalition], true) {
                let message = "the worth of this coalition is given twice";
                self.help(at.key("of"), message, "leave out one of them");
            }
            worth[coalition] = Some(written.is);
        }
        worth[0] = Some(0.0);
        let missing: Vec<usize> = (1..worth.len()).filter(|&one| worth[one].is_none()).collect();
        if let Some(&first) = missing.first() {
            let names = form.players.iter().enumerate().filter(|(at, _)| first >> at & 1 == 1);
            let names: Vec<&str> = names.map(|(_, name)| &**name).collect();
            let more = match missing.len() - 1 {
                0 => String::new(),
                1 => ", nor that of another coalition".to_owned(),
                more => format!(", nor those of {more} other coalitions"),
            };
            let message = format!("the worth of {} is not given{more}", listed(&names, "and"));
            let help = "list them all, or give `others`, the worth of those that are not listed, \
                        such as `others = 0`";
            self.help(at.clone(), message, help);
        }
        let worth: Option<Vec<f64>> = worth.into_iter().collect();
        let worth = worth.filter(|_| self.errors.is_empty())?;
        let game = Coalitional::new(form.players.len(), |coalition| worth[coalition as usize]);
        Some((form.players.clone(), game))
    }

    /// Returns a coalition by its members' names: player i is a member if bit i is set.
    fn members(&mut self, names: &[String], players: &[String], at: &Path) -> Option<usize> {
        let before = self.errors.len();
        let mut coalition = 0;
        for (index, name) in names.iter().enumerate() {
            let at = at.clone().index(index);
            match players.iter().position(|player| player == name) {
                Some(player) if coalition >> player & 1 == 1 => {
                    self.help(at, "this member is named twice", "leave out one of them");
                }
                Some(player) => coalition |= 1 << player,
                None => self.unknown(at, "player", name, players.iter()),
            }
        }
        if names.is_empty() {
            let help = "leave this out: nobody is worth 0";
            self.help(at.clone(), "this coalition has no member", help);
        }
        (self.errors.len() == before).then_some(coalition)
    }

    fn are_a_few(&mut self, players: usize, at: &Path) {
        if !(2..=MOST_PLAYERS).contains(&players) {
            let help = format!("a game of coalitions has 2 to {MOST_PLAYERS} players");
            self.help(
                at.clone(),
                format!("this is for {}", counted(players as u64, "player", "players")),
                help,
            );
        }
    }
}

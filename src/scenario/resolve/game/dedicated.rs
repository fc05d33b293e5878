//! `payoffs.dedicated`: jobs of several owners on their processors.

use super::Resolver;
use crate::path::Path;
use crate::raw::DedicatedForm;
use game::dedicated::Dedicated;
use stats::shown::counted;

/// Maximum number of players and of processors.
const MOST: usize = 100;

impl Resolver<'_> {
    /// Returns the instance, if it is valid.
    pub(super) fn dedicated(&mut self, form: &DedicatedForm, at: &Path) -> Option<Dedicated> {
        let before = self.errors.len();
        let players = form.players.len();
        let of_players = at.clone().key("players");
        self.check_names(&form.players, "players", &of_players);
        if !(1..=MOST).contains(&players) {
            let help = format!("a game of schedules has 1 to {MOST} players");
            self.help(
                of_players,
                format!("this is for {}", counted(players as u64, "player", "players")),
                help,
            );
        }
        let owners = self.owners_of_processors(form, &at.clone().key("processors"));
        let of_sizes = at.clone().key("sizes");
        if form.sizes.len() != players {
            let lists = counted(form.sizes.len() as u64, "list", "lists");
            let all = counted(players as u64, "player", "players");
            let are = if form.sizes.len() == 1 { "is" } else { "are" };
            let message = format!("there {are} {lists} of sizes for {all}");
            let help = "give a list for each player, in the order of `players`";
            self.help(of_sizes.clone(), message, help);
        }
        for (index, of) in form.sizes.iter().enumerate() {
            if of.len() != owners.len() {
                let lists = counted(of.len() as u64, "list", "lists");
                let all = counted(owners.len() as u64, "processor", "processors");
                let are = if of.len() == 1 { "is" } else { "are" };
                let message = format!("there {are} {lists} of sizes for {all}");
                let help =
                    "give a list for each processor, an empty one where the player has no job";
                self.help(of_sizes.clone().index(index), message, help);
            }
        }
        if self.errors.len() > before {
            return None;
        }
        let size = |&size: &u64| i64::try_from(size).unwrap_or(i64::MAX);
        let sizes = |processor: usize| -> Vec<Vec<i64>> {
            form.sizes.iter().map(|of| of[processor].iter().map(size).collect()).collect()
        };
        let processors = owners.iter().enumerate().map(|(at, &owner)| (owner, sizes(at)));
        match Dedicated::new(players, processors.collect()) {
            Ok(instance) => Some(instance),
            Err(refused) => {
                self.help(
                    of_sizes,
                    refused.to_string(),
                    "give sizes of 1 and more, in a larger unit",
                );
                None
            }
        }
    }

    /// Returns the owner of each processor.
    fn owners_of_processors(&mut self, form: &DedicatedForm, at: &Path) -> Vec<u32> {
        let Some(names) = &form.processors else { return (0..form.players.len() as u32).collect() };
        let help = "take fewer processors";
        self.at_most(MOST as u64, names.len() as u64, "processors", at.clone(), help);
        let mut owners = Vec::with_capacity(names.len());
        for (index, name) in names.iter().enumerate() {
            match form.players.iter().position(|player| player == name) {
                Some(owner) => owners.push(owner as u32),
                None => {
                    self.unknown(at.clone().index(index), "player", name, form.players.iter());
                    owners.push(0);
                }
            }
        }
        owners
    }
}

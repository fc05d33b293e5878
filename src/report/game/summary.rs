//! The report of a game that learners played.

use super::described::scale;
use super::entry::GameEntry;
use super::words::words;
use super::{actions, json, phase, picture, players, profiles, warnings};
use crate::files::Manifest;
use crate::picture::Picture;
use crate::table::{Brief, Format, Table};
use crate::world::{Common, Report};
use findings::Findings;
use findings::game::played::Played;
use findings::game::solution::Solution;
use findings::known::Known;
use scenario::plan::{GamePlan, MOST_LINES};
use stats::shown::{Times, count, counted};

/// The report of a game that learners played.
#[derive(Debug)]
pub struct PlayedReport<'a> {
    /// The plan that ran.
    pub plan: GamePlan<'a>,
    /// Its results.
    pub played: &'a Played,
}

impl Report for PlayedReport<'_> {
    fn findings(&self) -> &dyn Findings {
        self.played
    }

    fn world(&self) -> &'static str {
        "game"
    }

    fn head(&self, _: Times) -> Vec<String> {
        let frame = &self.played.frame;
        vec![format!(
            "{}, {}; {}",
            counted(frame.names.len() as u64, "player", "players"),
            counted(frame.rounds, "round", "rounds"),
            scale(self.plan)
        )]
    }

    fn table(&self, format: Format) -> Table {
        match format.is_for_people() {
            true => players::summary(self.plan, self.played, format),
            false => players::table(self.plan, self.played),
        }
    }

    fn margin(&self) -> Option<String> {
        players::margin(self.played)
    }

    fn brief(&self) -> Brief {
        players::brief(self.plan, self.played)
    }

    fn statements(&self, _: Times) -> Vec<String> {
        let solution = Solution::of(&self.played.frame, &self.plan.game.payoffs);
        let mut sentences: Vec<String> = self.played.sample.known.iter().map(Known::line).collect();
        sentences.extend(words(self.plan, self.played, solution.as_ref()));
        sentences
    }

    fn warnings(&self) -> Vec<String> {
        warnings::of(self.played)
    }

    fn notes(&self, has_files: bool) -> Vec<String> {
        let is_missing = has_files && self.plan.game.rounds_are_too_many;
        let note = is_missing.then(|| {
            format!(
                "rounds.csv was not written, as it would have more than {} lines; `--set \
                 output.rounds=true` writes it",
                count(MOST_LINES)
            )
        });
        note.into_iter().collect()
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let PlayedReport { plan, played } = self;
        vec![
            ("players.csv", players::table(*plan, played).csv()),
            ("actions.csv", actions::table(played).csv()),
            ("profiles.csv", profiles::table(*plan, played).csv()),
        ]
    }

    fn pictures(&self) -> Vec<(&'static str, Picture)> {
        let PlayedReport { plan, played } = self;
        let learning = Picture::Chart(picture::chart(&plan.title(), played));
        let phase = phase::played(*plan, played).map(|plane| ("phase", Picture::Plane(plane)));
        [("learning", learning)].into_iter().chain(phase).collect()
    }

    fn summary(&self, common: Common<'_>) -> Vec<u8> {
        common.with(json::summary(self.plan, self.played))
    }

    fn describe(&self, manifest: &mut Manifest) {
        manifest.game = Some(GameEntry::new(self.plan));
    }
}

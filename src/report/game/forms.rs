//! A game as other programs read it.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::game::frame;
use findings::game::frame::Frame;
use game::matrix::Matrix;
use scenario::plan::GamePlan;

/// A format of other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Gambit's strategic form.
    Nfg,
    /// The same without names of actions, which OpenSpiel's reader does not take.
    OpenSpiel,
    /// The JSON of gameanalysis, with one role for each player.
    GameAnalysis,
    /// A line for each profile and player.
    Csv,
}

/// The game of a plan in a format; `None` if it has more than 2^24 payoffs.
pub fn written(plan: GamePlan<'_>, form: Form) -> Option<String> {
    let game = plan.game.payoffs.to_matrix()?;
    let frame = frame(plan);
    Some(match form {
        Form::Nfg => nfg(plan.title().as_str(), &frame, &game, true),
        Form::OpenSpiel => nfg(plan.title().as_str(), &frame, &game, false),
        Form::GameAnalysis => gameanalysis(&frame, &game),
        Form::Csv => csv(&frame, &game),
    })
}

/// A text in quotes, as Gambit reads it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A game as Gambit reads it, or without names of actions as OpenSpiel does.
pub(crate) fn nfg(title: &str, frame: &Frame, game: &Matrix, has_actions: bool) -> String {
    let names = |names: &[String]| -> String {
        let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        format!("{{ {} }}", names.join(" "))
    };
    let menu = |own: &Vec<String>| if has_actions { names(own) } else { own.len().to_string() };
    let menus: Vec<String> = frame.actions.iter().map(menu).collect();
    let mut out = format!(
        "NFG 1 R {} {}\n\n{{ {} }}\n\n",
        quoted(title),
        names(&frame.names),
        menus.join(if has_actions { "\n  " } else { " " })
    );
    // There the first player's action changes fastest.
    let mut profiles: Vec<Vec<u32>> = game.profiles().collect();
    profiles.sort_by(|one, other| one.iter().rev().cmp(other.iter().rev()));
    for profile in profiles {
        let pays = (0..frame.names.len()).map(|player| game.payoff(player, &profile).to_string());
        let _ = writeln!(out, "{}", pays.collect::<Vec<_>>().join(" "));
    }
    out
}

fn gameanalysis(frame: &Frame, game: &Matrix) -> String {
    let all = || frame.names.iter().enumerate();
    let by_name = |of: &dyn Fn(usize) -> Value| -> Value {
        Value::Object(all().map(|(player, name)| (name.clone(), of(player))).collect::<Map<_, _>>())
    };
    let profile = |profile: &[u32]| {
        by_name(&|player| {
            let action = &frame.actions[player][profile[player] as usize];
            json!([[action, 1, game.payoff(player, profile)]])
        })
    };
    let whole = json!({
        "type": "game.1",
        "players": by_name(&|_| json!(1)),
        "strategies": by_name(&|player| json!(frame.actions[player])),
        "profiles": game.profiles().map(|one| profile(&one)).collect::<Vec<_>>(),
    });
    format!("{whole}\n")
}

fn csv(frame: &Frame, game: &Matrix) -> String {
    let mut lines = csv::Writer::from_writer(Vec::new());
    let head = frame.names.iter().map(String::as_str).chain(["player", "payoff"]);
    let mut write = |line: Vec<String>| lines.write_record(line).expect("memory takes it");
    write(head.map(str::to_owned).collect());
    for profile in game.profiles() {
        let actions = profile.iter().zip(&frame.actions);
        let actions: Vec<String> =
            actions.map(|(&action, own)| own[action as usize].clone()).collect();
        for (player, name) in frame.names.iter().enumerate() {
            let payoff = game.payoff(player, &profile).to_string();
            write(actions.iter().cloned().chain([name.clone(), payoff]).collect());
        }
    }
    let bytes = lines.into_inner().expect("memory takes it");
    String::from_utf8(bytes).expect("names are UTF-8")
}

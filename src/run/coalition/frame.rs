//! The players of a coalition, the length of its game, and what is asked of whom beside it.

use findings::coalition::beside::measures;
use findings::coalition::frame::{Asking, Frame};
use findings::unit::{Class, classes};
use game::stage::Act;
use policy::learn::{AnyLearner, Player as _};
use scenario::plan::{self, Coalition, Plan};
use sim::repeated::Asked;

/// Groups organizations into classes: those of one `count` that also have the same learner, terms
/// and cluster size.
pub fn classes_of(plan: &Plan, coalition: &Coalition) -> Vec<Class> {
    let names: Vec<String> = plan.organizations.iter().map(|one| one.name.clone()).collect();
    let alike = |one: usize, other: usize| {
        let (one, other) = (&coalition.seats[one], &coalition.seats[other]);
        let terms = |seat: &plan::Seat| (seat.entry, seat.first, seat.last, seat.processors);
        (&one.learner, &one.choices) == (&other.learner, &other.choices)
            && terms(one) == terms(other)
    };
    classes(&names, alike)
}

/// The players and the length of the game.
pub(super) fn frame(plan: &Plan, coalition: &Coalition) -> Frame {
    let learners: Vec<AnyLearner> = coalition.seats.iter().map(|seat| seat.player()).collect();
    let (rounds, classes) = (plan.rounds(), classes_of(plan, coalition));
    Frame {
        level: plan.counting.level,
        asking: asking(plan, coalition, &learners, &classes, rounds),
        learns: coalition.seats.iter().map(|seat| seat.learner.learns()).collect(),
        classes,
        names: plan.organizations.iter().map(|one| one.name.clone()).collect(),
        processors: coalition.seats.iter().map(|seat| seat.processors).collect(),
        rounds,
        by_chance: plan.goes_on.is_some(),
        replications: plan.replications,
        period: coalition.period,
        score: coalition.score,
        counts_seconds: plan.counts_seconds(),
        window: coalition.window.end - coalition.window.start,
        more: match coalition.is_federation() {
            true => {
                let goes_on = coalition.rounds == plan::Rounds::Continuing;
                measures(plan.output.alone, goes_on)
            }
            false => Vec::new(),
        },
        excludes: coalition.exclusion.is_some(),
        lies: coalition.chooses_lies(),
    }
}

/// Chooses the organizations and rounds for counterfactuals in the last quarter: some members of
/// each class, in so few rounds that the extra play costs at most about half the run itself.
fn asking(
    plan: &Plan,
    coalition: &Coalition,
    learners: &[AnyLearner],
    classes: &[Class],
    rounds: u64,
) -> Asking {
    let mut menus = vec![Vec::new(); learners.len()];
    if plan.output.alternatives {
        let each = (Asking::MOST / classes.len().max(1)).max(1);
        for class in classes.iter().take(Asking::MOST) {
            for player in class.members.clone().take(each) {
                menus[player] = alternatives(coalition, &learners[player]);
            }
        }
    }
    let plays: usize = menus.iter().flatten().filter(|act| act.is_in()).count();
    let asked = Asked {
        from: rounds - rounds.div_ceil(4),
        every: (plays as u64).div_ceil(2),
        players: menus.iter().map(|menu| !menu.is_empty()).collect(),
    };
    Asking { asked, menus }
}

/// Levels tried as counterfactuals for organizations that may declare any level.
const LEVELS: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 1000.0];

/// The same in a federation, as parts of the declared level.
const PARTS: [f64; 7] = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0];

/// The alternatives of an organization: its own choices if it has a menu; otherwise staying out or
/// taking part, at several levels if it declares one.
fn alternatives(coalition: &Coalition, learner: &AnyLearner) -> Vec<Act> {
    if let Some(choices) = learner.choices() {
        return choices.menu();
    }
    let Some(level) = learner.stance().declared.filter(|_| coalition.heeds_levels()) else {
        return Act::menu(&[]);
    };
    match coalition.is_federation() {
        true => Act::menu(&PARTS.map(|part| part * level.as_units())),
        false => Act::menu(&LEVELS),
    }
}

//! Win stay, lose shift.

use gridpact::game::matrix::Matrix;
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, win_stay};

use super::memory::two_tremble;
use super::table::Seated;

/// .8645 and 2.7765, as printed in the catalogue.
pub fn two_of_them_correct_errors() {
    let options = win_stay::Options { aspiration: Some(2.0), error: 0.05 };
    two_tremble(&LearnerOptions::WinStay(options), 0.8645, 2.7765, 0.00005);
}

/// With four actions of which the third is enough, it tries one after the other and ends there.
pub fn it_goes_round_the_list_until_it_is_enough() {
    let matrix = Matrix::new(&[4], |_, profile| [-1.0, -3.0, 0.0, -0.1][profile[0] as usize]);
    let options =
        LearnerOptions::WinStay(win_stay::Options { aspiration: Some(0.0), ..Default::default() });
    let choices = Choices { first: vec![0.0, 0.0, 0.0, 1.0], ..Choices::default() };
    let mut game = Seated::new(&matrix, &[(options, choices)], 1);
    let acts: Vec<u32> = (0..6).map(|_| game.play()[0]).collect();
    assert_eq!(acts, [3, 0, 1, 2, 2, 2]);
}

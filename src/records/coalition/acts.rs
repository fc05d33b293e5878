//! Actions of organizations in words.

use game::stage::Act;
use kernel::time::Span;

/// The words before the number of a lie.
pub const LIE: &str = " with lie ";

/// An action in words: `out`, `in`, `in at 5`, `in above 12`, `in with lie 1`.
pub fn told(act: Act) -> String {
    let Act::In(terms) = act else {
        return match act {
            Act::Choose(entry) => format!("choice {entry}"),
            Act::Out | Act::In(_) => "out".to_owned(),
        };
    };
    let with = |word: &str, span: Option<Span>| {
        span.map_or(String::new(), |span| format!(" {word} {span}"))
    };
    let lie = match terms.lie {
        0 => String::new(),
        lie => format!("{LIE}{lie}"),
    };
    format!("in{}{}{lie}", with("at", terms.level), with("above", terms.above))
}

#[cfg(test)]
mod tests {
    use super::told;
    use game::stage::{Act, Terms};
    use kernel::time::Span;

    #[test]
    fn acts_are_told_with_their_terms() {
        let level = Terms::level(Span::units(5));
        let above = Terms { above: Some(Span::units(12)), ..Terms::ANY };
        let lie = Terms { lie: 2, ..level };
        let acts = [Act::Out, Act::In(Terms::ANY), Act::In(level), Act::In(above), Act::Choose(3)];
        assert_eq!(acts.map(told), ["out", "in", "in at 5", "in above 12", "choice 3"]);
        assert_eq!(told(Act::In(lie)), "in at 5 with lie 2");
    }
}

//! Actions of organizations in words.

use game::stage::Act;
use kernel::time::Span;

/// An action in words: `out`, `in`, `in at 5`, `in above 12`.
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
    format!("in{}{}", with("at", terms.level), with("above", terms.above))
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
        let acts = [Act::Out, Act::In(Terms::ANY), Act::In(level), Act::In(above), Act::Choose(3)];
        assert_eq!(acts.map(told), ["out", "in", "in at 5", "in above 12", "choice 3"]);
    }
}

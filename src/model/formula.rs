//! Formulas: `1000 * clusters ^ 0.5`, for the computed keys of sweeps and the orders of lists.
//!
//! Numbers, names, `+ - * / ^`, parentheses, and the functions `abs`, `ceil`, `exp`, `floor`, `log`,
//! `max`, `min`, `round` and `sqrt`. Functions are those of libm, the same on every machine.

/// A formula over named numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A number.
    Number(f64),
    /// Index of a name in the list that was given.
    Name(usize),
    /// The negative of another.
    Negative(Box<Formula>),
    /// An operation on two.
    Pair(Pair, Box<[Formula; 2]>),
    /// A function of one or several.
    Call(Function, Vec<Formula>),
}

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// Left and right.
    Sum,
    /// Left without right.
    Difference,
    /// Left times right.
    Product,
    /// Left by right.
    Quotient,
    /// Left to the power of right.
    Power,
}

/// A function of one number, or of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The size.
    Abs,
    /// The next whole number.
    Ceil,
    /// The exponential.
    Exp,
    /// The whole number before.
    Floor,
    /// The natural logarithm.
    Log,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// The nearest whole number.
    Round,
    /// The square root.
    Sqrt,
}

const FUNCTIONS: [(&str, Function); 9] = [
    ("abs", Function::Abs),
    ("ceil", Function::Ceil),
    ("exp", Function::Exp),
    ("floor", Function::Floor),
    ("log", Function::Log),
    ("max", Function::Max),
    ("min", Function::Min),
    ("round", Function::Round),
    ("sqrt", Function::Sqrt),
];

/// Deepest nesting of a formula.
const MAX_DEPTH: usize = 50;
/// Most sums and products: `1 + 1 + 1` nests to the left, one level for each.
const MAX_PAIRS: usize = 1000;

impl Formula {
    /// Reads a formula; `find` returns the index of a name, or what is wrong with it.
    ///
    /// # Errors
    /// The mistake, in words.
    pub fn read(
        text: &str,
        find: &dyn Fn(&str) -> Result<usize, String>,
    ) -> Result<Formula, String> {
        let mut reader = Reader { rest: text, find, depth: 0, pairs: 0 };
        let formula = reader.sum()?;
        match reader.peek() {
            None => Ok(formula),
            Some(other) => Err(format!("`{other}` is not expected here")),
        }
    }

    /// Its value; `numbers` are those of the names.
    pub fn value(&self, numbers: &[f64]) -> f64 {
        match self {
            Formula::Number(number) => *number,
            Formula::Name(at) => numbers[*at],
            Formula::Negative(of) => -of.value(numbers),
            Formula::Pair(pair, of) => {
                let [left, right] = [of[0].value(numbers), of[1].value(numbers)];
                match pair {
                    Pair::Sum => left + right,
                    Pair::Difference => left - right,
                    Pair::Product => left * right,
                    Pair::Quotient => left / right,
                    Pair::Power => libm::pow(left, right),
                }
            }
            Formula::Call(function, of) => {
                let of = of.iter().map(|one| one.value(numbers));
                match function {
                    Function::Max => of.fold(f64::NEG_INFINITY, f64::max),
                    Function::Min => of.fold(f64::INFINITY, f64::min),
                    one => of.map(|number| one.of(number)).sum(),
                }
            }
        }
    }
}

impl Formula {
    /// The constant by which its value grows with a name; `None` if that is no constant.
    pub fn slope(&self, name: usize) -> Option<f64> {
        Some(match self {
            Formula::Number(_) => 0.0,
            Formula::Name(at) => f64::from(u8::from(*at == name)),
            Formula::Negative(of) => -of.slope(name)?,
            Formula::Call(_, of) => match of.iter().any(|one| one.names(name)) {
                true => return None,
                false => 0.0,
            },
            Formula::Pair(pair, of) => {
                let [left, right] = [of[0].slope(name)?, of[1].slope(name)?];
                match (pair, &**of) {
                    (Pair::Sum, _) => left + right,
                    (Pair::Difference, _) => left - right,
                    (Pair::Product, [Formula::Number(factor), _]) => factor * right,
                    (Pair::Product, [_, Formula::Number(factor)]) => left * factor,
                    (Pair::Quotient, [_, Formula::Number(by)]) => left / by,
                    (Pair::Product | Pair::Quotient | Pair::Power, [one, other]) => {
                        if one.names(name) || other.names(name) {
                            return None;
                        }
                        0.0
                    }
                }
            }
        })
    }

    /// True if a name stands in it.
    pub fn names(&self, name: usize) -> bool {
        match self {
            Formula::Number(_) => false,
            Formula::Name(at) => *at == name,
            Formula::Negative(of) => of.names(name),
            Formula::Pair(_, of) => of.iter().any(|one| one.names(name)),
            Formula::Call(_, of) => of.iter().any(|one| one.names(name)),
        }
    }
}

impl Function {
    /// Its value at a number, of functions of one.
    fn of(self, number: f64) -> f64 {
        match self {
            Function::Abs => number.abs(),
            Function::Ceil => number.ceil(),
            Function::Exp => libm::exp(number),
            Function::Floor => number.floor(),
            Function::Log => libm::log(number),
            Function::Round => number.round(),
            Function::Sqrt => number.sqrt(),
            Function::Max | Function::Min => number,
        }
    }

    fn takes_several(self) -> bool {
        matches!(self, Function::Max | Function::Min)
    }
}

struct Reader<'a> {
    rest: &'a str,
    find: &'a dyn Fn(&str) -> Result<usize, String>,
    depth: usize,
    /// Number of sums and products so far.
    pairs: usize,
}

type Read = Result<Formula, String>;

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn take(&mut self, one: char) -> bool {
        let is_next = self.peek() == Some(one);
        if is_next {
            self.rest = &self.rest[one.len_utf8()..];
        }
        is_next
    }

    fn expect(&mut self, one: char) -> Result<(), String> {
        let found = self.peek().map_or("the end".to_owned(), |found| format!("`{found}`"));
        if self.take(one) { Ok(()) } else { Err(format!("expected `{one}`, found {found}")) }
    }

    fn pairs(&mut self, signs: [(char, Pair); 2], mut part: impl FnMut(&mut Self) -> Read) -> Read {
        let mut left = part(self)?;
        loop {
            let Some((_, pair)) = signs.into_iter().find(|(sign, _)| self.take(*sign)) else {
                return Ok(left);
            };
            self.pairs += 1;
            if self.pairs > MAX_PAIRS {
                return Err(format!("it has more than {MAX_PAIRS} operations"));
            }
            left = Formula::Pair(pair, Box::new([left, part(self)?]));
        }
    }

    fn sum(&mut self) -> Read {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("it is nested too deeply".to_owned());
        }
        let sum = self.pairs([('+', Pair::Sum), ('-', Pair::Difference)], Self::product);
        self.depth -= 1;
        sum
    }

    fn product(&mut self) -> Read {
        self.pairs([('*', Pair::Product), ('/', Pair::Quotient)], Self::signed)
    }

    /// As in mathematics, a power binds tighter than a sign before it: -2 ^ 2 is -4.
    fn signed(&mut self) -> Read {
        let mut is_negative = false;
        while self.take('-') {
            is_negative = !is_negative;
        }
        let power = self.power()?;
        Ok(if is_negative { Formula::Negative(Box::new(power)) } else { power })
    }

    fn power(&mut self) -> Read {
        let base = self.single()?;
        if !self.take('^') {
            return Ok(base);
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("it is nested too deeply".to_owned());
        }
        let exponent = self.signed()?;
        self.depth -= 1;
        Ok(Formula::Pair(Pair::Power, Box::new([base, exponent])))
    }

    fn single(&mut self) -> Read {
        match self.peek() {
            None => Err("a number or a name is missing at the end".to_owned()),
            Some('(') => {
                self.expect('(')?;
                let inside = self.sum()?;
                self.expect(')')?;
                Ok(inside)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.named(),
            Some(other) => Err(format!("`{other}` is not expected here")),
        }
    }

    fn number(&mut self) -> Read {
        let bytes = self.rest.as_bytes();
        let mut end = 0;
        while let Some(&byte) = bytes.get(end) {
            let is_exponent = matches!(byte, b'e' | b'E')
                && bytes.get(end + 1).is_some_and(|next| matches!(next, b'0'..=b'9' | b'-' | b'+'));
            let is_sign = matches!(byte, b'-' | b'+') && matches!(bytes[end - 1], b'e' | b'E');
            if !(byte.is_ascii_digit() || matches!(byte, b'.' | b'_') || is_exponent || is_sign) {
                break;
            }
            end += 1;
        }
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        let number = text.replace('_', "").parse().map_err(|_| format!("`{text}` is no number"))?;
        Ok(Formula::Number(number))
    }

    fn named(&mut self) -> Read {
        let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
        let end = self.rest.find(|c| !is_inside(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        if self.peek() != Some('(') {
            return (self.find)(name).map(Formula::Name);
        }
        let function = FUNCTIONS.iter().find(|(known, _)| *known == name);
        let Some(&(_, function)) = function else {
            let known = FUNCTIONS.map(|(name, _)| name).join(", ");
            return Err(format!("there is no function `{name}`; there are {known}"));
        };
        self.expect('(')?;
        let mut of = vec![self.sum()?];
        while self.take(',') {
            of.push(self.sum()?);
        }
        self.expect(')')?;
        match function.takes_several() || of.len() == 1 {
            true => Ok(Formula::Call(function, of)),
            false => Err(format!("`{name}` takes one number")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, String> {
        let find = |name: &str| match name {
            "n" => Ok(0),
            "load.factor" => Ok(1),
            other => Err(format!("{other}?")),
        };
        Formula::read(text, &find).map(|formula| formula.value(&[8.0, 0.5]))
    }

    #[test]
    fn formulas_have_the_values_of_mathematics() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("-2 ^ 2", -4.0),
            ("2 ^ -1", 0.5),
            ("2 ^ 3 ^ 2", 512.0),
            ("8 - 4 - 2", 2.0),
            ("8 / 4 / 2", 1.0),
            ("n * load.factor", 4.0),
            ("max(n, 10, 3) + min(1, 2)", 11.0),
            ("sqrt(n + 1) + round(2.4) - floor(1.9) + ceil(0.1)", 5.0),
            ("1_000 * 1e-3 + abs(-1)", 2.0),
            ("log(exp(1.5))", 1.5),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_slope_is_told_where_it_is_constant() {
        let slope = |text: &str| {
            let find = |name: &str| Ok(usize::from(name == "n"));
            Formula::read(text, &find).unwrap().slope(1)
        };
        for (text, expected) in [
            ("other", Some(0.0)),
            ("other - 0.5 * n", Some(-0.5)),
            ("-(n / 4 - n * 3) + sqrt(other)", Some(2.75)),
            ("other * n", None),
            ("max(n, 3)", None),
            ("other / n", None),
            ("2 ^ n", None),
            ("2 * other ^ 2", Some(0.0)),
        ] {
            assert_eq!(slope(text), expected, "{text}");
        }
    }

    #[test]
    fn mistakes_are_told() {
        for (text, told) in [
            ("1 +", "a number or a name is missing at the end"),
            ("1 2", "`2` is not expected here"),
            ("(1", "expected `)`, found the end"),
            ("m", "m?"),
            ("sine(1)", "there is no function `sine`"),
            ("sqrt(1, 2)", "`sqrt` takes one number"),
            ("1.2.3", "`1.2.3` is no number"),
            ("", "a number or a name is missing at the end"),
        ] {
            let wrong = value(text).unwrap_err();
            assert!(wrong.starts_with(told), "{text}: {wrong}");
        }
        let deep = "(".repeat(1000);
        assert!(value(&deep).is_err());
        assert!(value(&"2^".repeat(1000)).is_err());
        // Before, this overflowed the stack when it was dropped.
        let long = |terms: usize| value(&vec!["1"; terms].join("+"));
        assert_eq!(long(1001), Ok(1001.0));
        assert_eq!(long(100_000), Err("it has more than 1000 operations".to_owned()));
    }
}

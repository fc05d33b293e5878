//! Bounds of parameters, each said once: the schema, the check and the error come from one line.
//!
//! [`parameters`] defines a table or a choice of a scenario; a key's bounds stand behind its type.
//! Only relations between keys are checked by hand.

use schemars::Schema;
use serde_json::{Value, json};

use super::invalid::Invalid;
use kernel::time::plain;

/// Keyword of a derived schema: the words for a number that is out of bounds.
pub const WORDS: &str = "words";

/// The numbers that may be given for a parameter, with the words for all others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds<'a> {
    /// The kind of number: `a probability`; empty if its key says enough.
    what: &'a str,
    /// The unit: `units of time`; a plain number if empty.
    unit: &'a str,
    /// The least and the most, and the numbers that it must exceed or stay below.
    least: Option<f64>,
    most: Option<f64>,
    above: Option<f64>,
    below: Option<f64>,
}

impl<'a> Bounds<'a> {
    /// Any finite number, called `what`, with its article.
    pub const fn of(what: &'a str) -> Bounds<'a> {
        Bounds { what, unit: "", least: None, most: None, above: None, below: None }
    }

    /// Says what is counted or measured, such as `units of time`.
    #[must_use]
    pub const fn unit(self, unit: &'a str) -> Bounds<'a> {
        Bounds { unit, ..self }
    }

    /// Takes this number and larger ones.
    #[must_use]
    pub const fn from(self, least: f64) -> Bounds<'a> {
        Bounds { least: Some(least), ..self }
    }

    /// Takes this number and smaller ones.
    #[must_use]
    pub const fn to(self, most: f64) -> Bounds<'a> {
        Bounds { most: Some(most), ..self }
    }

    /// Takes larger numbers only.
    #[must_use]
    pub const fn above(self, limit: f64) -> Bounds<'a> {
        Bounds { above: Some(limit), ..self }
    }

    /// Reads the bounds of a number from its schema, given a function that finds a keyword in it.
    pub fn of_schema(keyword: impl Fn(&str) -> Option<&'a Value>) -> Bounds<'a> {
        let limit = |name| keyword(name).and_then(Value::as_f64);
        let is_whole = is_whole(keyword("type"));
        let number = if is_whole { "a whole number" } else { "" };
        let word = |index| keyword(WORDS).and_then(|words: &Value| words[index].as_str());
        Bounds {
            what: word(0).unwrap_or_default(),
            unit: word(1).filter(|unit| !unit.is_empty()).unwrap_or(number),
            least: limit("minimum"),
            // The largest number of a type is said by the type.
            most: limit("maximum").filter(|&most| most < f64::from(u32::MAX) || !is_whole),
            above: limit("exclusiveMinimum"),
            below: limit("exclusiveMaximum"),
        }
    }

    /// Returns what is wrong with a number, if anything is.
    pub fn refusal(&self, number: f64) -> Option<String> {
        let is_low = self.least.is_some_and(|least| number < least)
            || self.above.is_some_and(|limit| number <= limit);
        let is_high = self.most.is_some_and(|most| number > most)
            || self.below.is_some_and(|limit| number >= limit);
        if number.is_finite() && !is_low && !is_high {
            return None;
        }
        let problem = match (self.what, is_low, number.is_nan()) {
            ("", _, true) => "is not a number".to_owned(),
            ("", true, _) => "is too small".to_owned(),
            ("", ..) => "is too large".to_owned(),
            (what, ..) => format!("is not {what}"),
        };
        Some(format!("{} {problem}; give {}", plain(number), self.wanted()))
    }

    /// The numbers that may be given, in words.
    fn wanted(&self) -> String {
        let unit = if self.unit.is_empty() { "a number" } else { self.unit };
        let below = self.below.map(|limit| format!("below {}", short(limit)));
        let most = self.most.map(|most| format!("at most {}", short(most))).or(below);
        match (self.least, self.above, self.most, most) {
            (Some(least), _, Some(most), _) => {
                format!("{unit} from {} to {}", short(least), short(most))
            }
            (Some(least), _, _, None) => format!("{unit}, {} or more", short(least)),
            (Some(least), _, _, Some(most)) => format!("{unit} from {}, {most}", short(least)),
            (_, Some(limit), _, None) => format!("{unit} above {}", short(limit)),
            (_, Some(limit), _, Some(most)) => format!("{unit} above {}, {most}", short(limit)),
            (_, _, _, Some(most)) => format!("{unit}, {most}"),
            (_, _, _, None) => "a finite number".to_owned(),
        }
    }
}

/// Returns true if a type of a schema is that of whole numbers.
fn is_whole(types: Option<&Value>) -> bool {
    match types {
        Some(Value::Array(types)) => types.contains(&json!("integer")),
        one => one == Some(&json!("integer")),
    }
}

/// Writes a limit as people do: `10^9`, `1e-6`, `0.01`.
fn short(limit: f64) -> String {
    let exponent = limit.abs().log10().round();
    match limit.abs() {
        large if large >= 1e5 && 10_f64.powi(exponent as i32) == large => format!("10^{exponent}"),
        small if small > 0.0 && small < 1e-3 => format!("{limit:e}"),
        _ => plain(limit),
    }
}

/// A list of so many elements, each within bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Many<B> {
    least: usize,
    most: usize,
    each: B,
}

impl<B> Many<B> {
    /// From `least` to `most` elements.
    pub const fn new(least: usize, most: usize, each: B) -> Many<B> {
        Many { least, most, each }
    }

    /// Returns what is wrong with a length, if anything is.
    fn refusal(&self, length: usize) -> Option<String> {
        count_refusal(length, self.least, self.most)
    }
}

/// Returns what is wrong with the length of a list, if anything is.
pub fn count_refusal(length: usize, least: usize, most: usize) -> Option<String> {
    let wanted = match () {
        () if length < least && least < most => format!("{least} or more"),
        () if length < least || length > most && least == most => format!("{least}"),
        () if length > most => format!("at most {most}"),
        () => return None,
    };
    Some(if length == 0 {
        format!("this list is empty; give {wanted}")
    } else {
        format!("this list has {length}; give {wanted}")
    })
}

/// A value with bounds of its own: a table, a choice or a list of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inside;

/// Bounds of any kind.
pub trait Check<T: ?Sized> {
    /// Checks a value.
    ///
    /// # Errors
    /// The first invalid field, or an empty one for the value itself.
    fn check(&self, value: &T) -> Result<(), Invalid>;
}

/// Bounds that a schema can tell.
pub trait Describe {
    /// Adds them to the schema of a value.
    fn describe(&self, schema: &mut Schema);
}

/// Parameters that know their bounds.
pub trait Checked {
    /// Checks the parameters.
    ///
    /// # Errors
    /// The first invalid field.
    fn checked(&self) -> Result<(), Invalid>;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Check<$number> for Bounds<'_> {
            fn check(&self, number: &$number) -> Result<(), Invalid> {
                self.refusal(*number as f64).map_or(Ok(()), |wrong| Err(Invalid::new("", wrong)))
            }
        }
    )*};
}

numbers! { f64 i64 u32 u64 }

impl<T: Checked> Check<T> for Inside {
    fn check(&self, value: &T) -> Result<(), Invalid> {
        value.checked()
    }
}

impl<T, B: Check<T>> Check<Option<T>> for B {
    fn check(&self, value: &Option<T>) -> Result<(), Invalid> {
        value.as_ref().map_or(Ok(()), |value| self.check(value))
    }
}

impl<T, B: Check<T>> Check<Vec<T>> for Many<B> {
    fn check(&self, list: &Vec<T>) -> Result<(), Invalid> {
        if let Some(wrong) = self.refusal(list.len()) {
            return Err(Invalid::new("", wrong));
        }
        for (index, value) in list.iter().enumerate() {
            self.each.check(value).map_err(|wrong| wrong.within(&format!("[{index}]")))?;
        }
        Ok(())
    }
}

impl Describe for Bounds<'_> {
    fn describe(&self, schema: &mut Schema) {
        let is_whole = is_whole(schema.get("type"));
        let limits = [
            ("minimum", self.least),
            ("maximum", self.most),
            ("exclusiveMinimum", self.above),
            ("exclusiveMaximum", self.below),
        ];
        for (keyword, limit) in limits {
            let Some(limit) = limit else { continue };
            let is_plain = limit.fract() == 0.0 && (is_whole || limit.abs() < 1e5);
            let limit = if is_plain { json!(limit as i64) } else { json!(limit) };
            schema.insert(keyword.to_owned(), limit);
        }
        schema.insert(WORDS.to_owned(), json!([self.what, self.unit]));
    }
}

impl<B: Describe> Describe for Many<B> {
    fn describe(&self, schema: &mut Schema) {
        if self.least > 0 {
            schema.insert("minItems".to_owned(), json!(self.least));
        }
        if self.most < usize::MAX {
            schema.insert("maxItems".to_owned(), json!(self.most));
        }
        let items = schema.get_mut("items").map(<&mut Schema>::try_from);
        if let Some(Ok(items)) = items {
            self.each.describe(items);
        }
    }
}

impl Describe for Inside {
    fn describe(&self, _: &mut Schema) {}
}

/// A probability.
pub const PROBABILITY: Bounds<'_> = Bounds::of("a probability").from(0.0).to(1.0);
/// A fraction that may be 0.
pub const SHARE: Bounds<'_> = Bounds::of("a share").from(0.0).to(1.0);
/// A number of things, of which there must be one.
pub const ONE_OR_MORE: Bounds<'_> = Bounds::of("").unit("a whole number").from(1.0);

/// Defines the parameters of a part: a table of keys, a single value, or a choice.
///
/// A key is a line `name: type as BOUNDS = default`. Without bounds any value will do; `as INSIDE`
/// checks a value that has bounds of its own. Without defaults all keys must be given, unless serde's
/// attributes say otherwise. `where { "uniqueItems": true }` behind a key adds keywords to its schema,
/// as in a default that only serde knows. What `where` names checks the relations between keys.
#[macro_export]
#[doc(hidden)]
macro_rules! parameters {
    (
        $(#[$($meta:tt)*])*
        pub struct $Name:ident {
            $($(#[$($of_key:tt)*])* $key:ident: $type:ty $(as $bounds:tt)? $(where $keywords:tt)? = $default:expr,)*
        }
        $(where $relation:ident)?
    ) => {
        $crate::bounds::parameters! {
            @table
            $(#[$($meta)*])*
            pub struct $Name { $($(#[$($of_key)*])* $key: $type $(as $bounds)? $(where $keywords)?,)* }
            $(where $relation)?
        }

        impl Default for $Name {
            fn default() -> $Name {
                $Name { $($key: $default,)* }
            }
        }
    };
    (
        $(#[$($meta:tt)*])*
        pub struct $Name:ident($type:ty as $bounds:tt = $default:expr);
    ) => {
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        $(#[$($meta)*])*
        pub struct $Name(pub $type);

        impl Default for $Name {
            fn default() -> $Name {
                $Name($default)
            }
        }

        $crate::told::told! { $Name, generator => $crate::told::value(
            generator,
            concat!($($crate::told::told_doc!($($meta)*)),*),
            &const { $crate::told::told_type!($type, $bounds) },
        ) }

        $crate::bounds::parameters! {
            @check $Name, self => $crate::bounds::Check::check(&$bounds, &self.0)
        }
    };
    (
        $(#[$($meta:tt)*])*
        pub enum $Name:ident {
            $(
                $(#[$($of_variant:tt)*])*
                $Variant:ident
                $(($value:ident: $of_value:ty $(as $value_bounds:tt)?))?
                $({ $($(#[$($of_key:tt)*])* $key:ident: $type:ty $(as $bounds:tt)? $(where $keywords:tt)?,)* })?,
            )*
        }
    ) => {
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        $(#[$($meta)*])*
        #[serde(deny_unknown_fields, rename_all = "snake_case")]
        pub enum $Name {
            $(
                $(#[$($of_variant)*])*
                $Variant
                $(($of_value))?
                $({ $($(#[$($of_key)*])* $key: $type,)* })?,
            )*
        }

        $crate::told::told! { $Name, generator => $crate::told::choice(
            generator,
            concat!($($crate::told::told_doc!($($meta)*)),*),
            const { &[$($crate::told::Variant {
                name: stringify!($Variant),
                doc: concat!($($crate::told::told_doc!($($of_variant)*)),*),
                inside: $crate::bounds::parameters!(
                    @inside
                    $(($of_value $(, $value_bounds)?))?
                    $({ $($(#[$($of_key)*])* $key: $type $(as $bounds)? $(where $keywords)?,)* })?
                ),
            }),*] },
        ) }

        $crate::bounds::parameters! {
            @check $Name, self => match self {
                $(
                    #[allow(unused_variables)]
                    Self::$Variant $(($value))? $({ $($key),* })? => {
                        let within = |key: &'static str| {
                            move |wrong: $crate::invalid::Invalid| {
                                wrong.of_choice(stringify!($Variant), key)
                            }
                        };
                        $($(
                            $crate::bounds::Check::check(&$value_bounds, $value)
                                .map_err(within(""))?;
                        )?)?
                        $($($(
                            $crate::bounds::Check::check(&$bounds, $key)
                                .map_err(within(stringify!($key)))?;
                        )?)*)?
                        Ok(())
                    }
                )*
            }
        }
    };
    (
        @table
        $(#[$($meta:tt)*])*
        pub struct $Name:ident {
            $($(#[$($of_key:tt)*])* $key:ident: $type:ty $(as $bounds:tt)? $(where $keywords:tt)?,)*
        }
        $(where $relation:ident)?
    ) => {
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        $(#[$($meta)*])*
        #[serde(deny_unknown_fields)]
        pub struct $Name {
            $($(#[$($of_key)*])* pub $key: $type,)*
        }

        $crate::told::told! { $Name, generator => $crate::told::table(
            generator,
            concat!($($crate::told::told_doc!($($meta)*)),*),
            $crate::bounds::parameters!(@keys $($(#[$($of_key)*])* $key: $type $(as $bounds)? $(where $keywords)?,)*),
            const { &[$($crate::told::told_attribute!([$Name] $($meta)*)),*] },
        ) }

        $crate::bounds::parameters! {
            @check $Name, self => {
                $($(
                    $crate::bounds::Check::check(&$bounds, &self.$key)
                        .map_err(|wrong| wrong.within(stringify!($key)))?;
                )?)*
                $(self.$relation()?;)?
                Ok(())
            }
        }
    };
    (@inside) => { $crate::told::Inside::Nothing };
    (@inside ($type:ty $(, $bounds:tt)?)) => {
        $crate::told::Inside::Value($crate::told::told_type!($type $(, $bounds)?))
    };
    (@inside { $($keys:tt)* }) => {
        $crate::told::Inside::Keys($crate::bounds::parameters!(@keys $($keys)*))
    };
    (@keys $($(#[$($of_key:tt)*])* $key:ident: $type:ty $(as $bounds:tt)? $(where $keywords:tt)?,)*) => {
        const { &[$($crate::told::Key {
            name: stringify!($key),
            doc: concat!($($crate::told::told_doc!($($of_key)*)),*),
            value: $crate::told::told_type!($type $(, $bounds)? $(; $keywords)?),
            attributes: &[$($crate::told::told_attribute!([$type] $($of_key)*)),*],
        }),*] }
    };
    (@check $Name:ident, $this:ident => $check:expr) => {
        impl $Name {
            /// Checks the parameters.
            ///
            /// # Errors
            /// The first invalid field.
            pub fn check(&$this) -> Result<(), $crate::invalid::Invalid> {
                $check
            }
        }

        impl $crate::bounds::Checked for $Name {
            fn checked(&self) -> Result<(), $crate::invalid::Invalid> {
                self.check()
            }
        }
    };
    ($(#[$($meta:tt)*])* pub struct $($rest:tt)*) => {
        $crate::bounds::parameters! { @table $(#[$($meta)*])* pub struct $($rest)* }
    };
}

pub use parameters;

#[cfg(test)]
mod tests;

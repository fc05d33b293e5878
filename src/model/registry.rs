//! Registries: all parts of a kind, by their names in a scenario.

/// Defines a kind of part from one line for each: variant, module, type, summary and source.
///
/// The module's name is the part's name in a scenario, and its `Options` are the parameters. Defined
/// are
/// - the enum after `options`: a part's parameters, with its `name`, all `defaults` and their `check`;
/// - the enum after `built`: a part that runs; with `, saved` it can be saved and loaded. Without it
///   a line has the module alone, whose `Options` say what they stand for;
/// - `REGISTRY`: names and sources, in listing order;
/// - the macro after `each`, for calls on either enum: `each!(self, part => part.call())`, or
///   `each!(self, Part, part => Part::new(part).into())` where the type matters.
#[macro_export]
#[doc(hidden)]
macro_rules! registry {
    (
        $(#[$($on_options:tt)*])* options $Options:ident;
        $(#[$on_built:meta])* built $Built:ident $(, $saved:ident)?;
        each $each:ident;
        $($variant:ident, $module:ident::$type:ident, $summary:literal, $citation:literal;)*
    ) => {
        $crate::registry::each_of! { ($) $each; $($variant $module::$type;)* }

        $crate::registry::registry! {
            @options
            $(#[$($on_options)*])* $Options, $each;
            $($variant, $module, $summary, $citation;)*
        }

        $(#[$on_built])*
        pub enum $Built {
            $(#[doc = $summary] $variant($module::$type),)*
        }

        $(
            impl From<$module::$type> for $Built {
                fn from(part: $module::$type) -> $Built {
                    Self::$variant(part)
                }
            }
        )*

        $($crate::registry::$saved! { $Built $each })?
    };
    (
        $(#[$($on_options:tt)*])* options $Options:ident;
        each $each:ident;
        $($variant:ident, $module:ident, $summary:literal $(, $citation:literal)?;)*
    ) => {
        $crate::registry::each_of! { ($) $each; $($variant)* }

        $crate::registry::registry! {
            @options
            $(#[$($on_options)*])* $Options, $each;
            $($variant, $module, $summary $(, $citation)?;)*
        }
    };
    (
        @options
        $(#[$($on_options:tt)*])* $Options:ident, $each:ident;
        $($variant:ident, $module:ident, $summary:literal $(, $citation:literal)?;)*
    ) => {
        $(#[$($on_options)*])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $Options {
            $(#[doc = $summary] $variant($module::Options),)*
        }

        $crate::told::told! { $Options, generator => $crate::told::choice(
            generator,
            concat!($($crate::told::told_doc!($($on_options)*)),*),
            const { &[$($crate::told::Variant {
                name: stringify!($module),
                doc: $summary,
                inside: $crate::told::Inside::Value($crate::told::told_type!($module::Options)),
            }),*] },
        ) }

        /// Names and sources of the parts of this kind that have one, in listing order.
        pub const REGISTRY: &[$crate::entry::Entry] = &[
            $($($crate::entry::Entry::new(stringify!($module), $citation),)?)*
        ];

        impl $Options {
            /// Its name in a scenario.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => stringify!($module),)*
                }
            }

            /// All parts of this kind that can do with their default parameters, with these.
            pub fn defaults() -> Vec<$Options> {
                let mut all = vec![$(Self::$variant($module::Options::default()),)*];
                all.retain(|one| one.check().is_ok());
                all
            }

            /// Checks the parameters.
            ///
            /// # Errors
            /// The first invalid field.
            pub fn check(&self) -> Result<(), $crate::invalid::Invalid> {
                $each!(self, options => options.check()).map_err(|wrong| wrong.within(self.name()))
            }
        }

        impl $crate::bounds::Checked for $Options {
            fn checked(&self) -> Result<(), $crate::invalid::Invalid> {
                self.check()
            }
        }
    };
}

/// Saves and loads a part as what it is.
#[macro_export]
#[doc(hidden)]
macro_rules! saved {
    ($Built:ident $each:ident) => {
        impl $crate::kernel::state::State for $Built {
            fn save(&self, out: &mut Vec<u8>) {
                $each!(self, part => part.save(out));
            }
            fn load(
                &mut self,
                from: &mut &[u8],
            ) -> Result<(), $crate::kernel::state::Corrupt> {
                $each!(self, part => part.load(from))
            }
        }
    };
}

/// Defines the macro that makes the same call on every variant.
#[macro_export]
#[doc(hidden)]
macro_rules! each_of {
    (($d:tt) $each:ident; $($variant:ident)*) => {
        macro_rules! $each {
            ($d value:expr, $d part:pat => $d call:expr) => {
                match $d value {
                    $(Self::$variant($d part) => $d call,)*
                }
            };
        }
    };
    (($d:tt) $each:ident; $($variant:ident $module:ident::$type:ident;)*) => {
        macro_rules! $each {
            ($d value:expr, $d part:pat => $d call:expr) => {
                match $d value {
                    $(Self::$variant($d part) => $d call,)*
                }
            };
            ($d value:expr, $d Part:ident, $d part:pat => $d call:expr) => {
                match $d value {
                    $(Self::$variant($d part) => {
                        type $d Part = $module::$type;
                        $d call
                    })*
                }
            };
        }
    };
}

pub use {each_of, registry, saved};

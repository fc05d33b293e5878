//! Serde's interface to a reader: the values inside tables, arrays and choices, and the dispatch by
//! expected type.

use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, Visitor};

use super::*;

/// The entries of a table, followed by stand-ins for keys known to be missing.
///
/// Generic code is compiled for every type that is read, so everything else has functions of its own,
/// here and below.
pub(super) struct Entries<'r, 't> {
    pub(super) entries: std::vec::IntoIter<Entry<'t>>,
    pub(super) value: Option<Entry<'t>>,
    pub(super) stand_ins: std::vec::IntoIter<&'static str>,
    pub(super) reader: &'r Reader<'t>,
}

impl<'t> Entries<'_, 't> {
    #[inline(never)]
    fn next_name(&mut self) -> Option<&'t str> {
        self.value = self.entries.next();
        self.value.map(|(name, ..)| name).or_else(|| self.stand_ins.next())
    }

    /// The error of a key that its type refused.
    #[inline(never)]
    fn refused_name(&self, halt: Halt) -> Halt {
        let Some((_, key, node)) = self.value else { return halt };
        let trail = self.reader.trail.below(Step::Key(key));
        Reader::new(node, &trail, self.reader.findings).noted(halt)
    }

    #[inline(never)]
    fn next_inner(&mut self) -> Result<Inner<'_, 't>, Halt> {
        match self.value.take() {
            Some((_, key, node)) => Ok(self.reader.inner(Step::Key(key), node)),
            None => self.reader.inner_stand_in(None),
        }
    }
}

impl<'de> de::MapAccess<'de> for &mut Entries<'_, '_> {
    type Error = Halt;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Halt> {
        let Some(name) = self.next_name() else { return Ok(None) };
        match seed.deserialize(StrDeserializer::new(name)) {
            Ok(key) => Ok(Some(key)),
            Err(halt) => Err(self.refused_name(halt)),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Halt> {
        self.next_inner()?.read(|reader| seed.deserialize(reader))
    }
}

/// A value inside another, with the way down to it.
struct Inner<'r, 't> {
    trail: Trail<'r>,
    what: What<'t>,
    findings: &'r Findings,
    /// True if errors that its type raises are noted here.
    settles: bool,
}

impl Inner<'_, '_> {
    fn read<T>(&self, read: impl FnOnce(Reader<'_>) -> Result<T, Halt>) -> Result<T, Halt> {
        match read(self.reader()) {
            Ok(value) => Ok(value),
            Err(halt) => Err(self.noted(halt)),
        }
    }

    fn reader(&self) -> Reader<'_> {
        Reader { what: self.what, trail: &self.trail, findings: self.findings }
    }

    #[inline(never)]
    fn noted(&self, halt: Halt) -> Halt {
        if self.settles { self.reader().noted(halt) } else { halt }
    }
}

impl<'t> Reader<'t> {
    /// Returns a value one step below.
    fn inner<'r>(&'r self, step: Step<'r>, node: &'t Node) -> Inner<'r, 't> {
        let what = What::of(node, self.findings);
        Inner { trail: self.trail.below(step), what, findings: self.findings, settles: true }
    }

    /// Returns a stand-in one level deeper, until their limit is reached; its name is that of a choice,
    /// or of this value.
    fn inner_stand_in<'r>(&'r self, step: Option<Step<'r>>) -> Result<Inner<'r, 't>, Halt> {
        let depth = if let What::Anything { depth } = self.what { depth + 1 } else { 0 };
        let mut found = self.findings.inner.borrow_mut();
        found.stand_ins += 1;
        if found.stand_ins > MAX_STAND_INS || depth > MAX_STAND_IN_DEPTH {
            return Err(Halt::GaveUp);
        }
        let trail = match step {
            Some(step) => self.trail.below(step),
            None => Trail { up: self.trail.up, step: self.trail.step },
        };
        let what = What::Anything { depth };
        Ok(Inner { trail, what, findings: self.findings, settles: false })
    }
}

/// The elements of an array.
struct Elements<'r, 't> {
    nodes: std::iter::Enumerate<std::slice::Iter<'t, Node>>,
    /// Number of stand-ins to yield instead.
    stand_ins: usize,
    reader: &'r Reader<'t>,
}

impl<'t> Elements<'_, 't> {
    #[inline(never)]
    fn next_inner(&mut self) -> Result<Option<Inner<'_, 't>>, Halt> {
        if let Some((index, node)) = self.nodes.next() {
            return Ok(Some(self.reader.inner(Step::Index(index), node)));
        }
        if self.stand_ins == 0 {
            return Ok(None);
        }
        self.stand_ins -= 1;
        self.reader.inner_stand_in(None).map(Some)
    }
}

impl<'de> de::SeqAccess<'de> for Elements<'_, '_> {
    type Error = Halt;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Halt> {
        match self.next_inner()? {
            Some(inner) => inner.read(|reader| seed.deserialize(reader)).map(Some),
            None => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.nodes.len())
    }
}

/// A choice and its parameters.
struct Choice<'r, 't> {
    variant: &'static str,
    what: What<'t>,
    reader: &'r Reader<'t>,
}

impl<'de, 'r, 't> de::EnumAccess<'de> for Choice<'r, 't> {
    type Error = Halt;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Halt> {
        let variant = seed.deserialize(StrDeserializer::<Halt>::new(self.variant))?;
        Ok((variant, self))
    }
}

impl<'t> Choice<'_, 't> {
    /// The parameters.
    #[inline(never)]
    fn inner(&self) -> Result<Inner<'_, 't>, Halt> {
        let step = Step::Key(self.variant);
        match self.what {
            What::Node(node) => Ok(self.reader.inner(step, node)),
            What::Anything { .. } => {
                Ok(Inner { settles: true, ..self.reader.inner_stand_in(Some(step))? })
            }
            what @ What::Bare(_) => {
                let trail = self.reader.trail.below(step);
                Ok(Inner { trail, what, findings: self.reader.findings, settles: true })
            }
        }
    }
}

impl<'de> de::VariantAccess<'de> for Choice<'_, '_> {
    type Error = Halt;

    fn unit_variant(self) -> Result<(), Halt> {
        self.inner()?.reader().no_parameters();
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Halt> {
        self.inner()?.read(|reader| seed.deserialize(reader))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Halt> {
        self.inner()?.reader().deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Halt> {
        self.inner()?.reader().table(Some(fields), visitor)
    }
}

impl Reader<'_> {
    /// Notes any content where only `{}` is allowed.
    fn no_parameters(&self) {
        match self.what {
            What::Node(Node { value: Value::Table(entries), .. }) => {
                for (key, node) in entries {
                    self.unknown_key(key, node, &[], entries);
                }
            }
            What::Node(_) => {
                let help = format!("write `{} = {{}}`", self.trail.typed());
                self.wrong("an empty table", Some(help));
            }
            What::Bare(_) | What::Anything { .. } => {}
        }
    }
}

/// Reads whole numbers, one method per type.
macro_rules! whole_numbers {
    ($($method:ident $visit:ident $type:ty),*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
            let value = self.whole(i128::from(<$type>::MIN), i128::from(<$type>::MAX));
            let value = <$type>::try_from(value).expect("just checked to be within the bounds");
            self.settle(visitor.$visit(value))
        }
    )*};
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = Halt;

    whole_numbers!(
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32, deserialize_i64 visit_i64 i64,
        deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32, deserialize_u64 visit_u64 u64
    );

    // No scenario and no file of results has values of these types.
    serde::forward_to_deserialize_any! {
        f32 char identifier bytes byte_buf unit_struct tuple_struct
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
        let What::Node(node) = self.what else {
            return match self.what {
                What::Bare(_) => self.table(None, visitor),
                _ => self.settle(visitor.visit_unit()),
            };
        };
        match &node.value {
            Value::Bool(value) => self.settle(visitor.visit_bool(*value)),
            Value::Integer(value) => {
                self.settle(match (i64::try_from(*value), u64::try_from(*value)) {
                    (Ok(value), _) => visitor.visit_i64(value),
                    (_, Ok(value)) => visitor.visit_u64(value),
                    _ => visitor.visit_i128(*value),
                })
            }
            Value::Float(_) => self.deserialize_f64(visitor),
            Value::String(text) | Value::Datetime(text) => self.settle(visitor.visit_str(text)),
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Table(_) => self.table(None, visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
        self.settle(visitor.visit_bool(self.bool()))
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
        self.settle(visitor.visit_f64(self.number()))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
        self.settle(visitor.visit_str(self.string()))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
        match self.what {
            What::Anything { .. } => visitor.visit_none(),
            _ => self.settle(visitor.visit_some(self.with(self.what))),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
        self.no_parameters();
        self.settle(visitor.visit_unit())
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Halt> {
        if name == ONE_OR_SEVERAL
            && matches!(self.what, What::Node(Node { value: Value::Array(_), .. }))
        {
            return self.array(0, visitor);
        }
        self.settle(visitor.visit_newtype_struct(self.with(self.what)))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
        self.array(0, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Halt> {
        self.array(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
        self.table(None, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Halt> {
        self.table(Some(fields), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Halt> {
        let (variant, what) = self.choice(variants)?;
        self.settle(visitor.visit_enum(Choice { variant, what, reader: &self }))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
        self.settle(visitor.visit_unit())
    }
}

impl Reader<'_> {
    /// Reads an array; without one, yields `len` stand-ins, where `len` is 0 for any length.
    fn array<'de, V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Halt> {
        let nodes = match self.what {
            What::Node(Node { value: Value::Array(nodes), .. }) => &nodes[..],
            What::Anything { .. } => {
                let nodes = [].iter().enumerate();
                return self.settle(visitor.visit_seq(Elements {
                    nodes,
                    stand_ins: len,
                    reader: &self,
                }));
            }
            What::Node(node) => {
                let typed = self.trail.typed();
                let help = if matches!(node.value, Value::Table(_)) {
                    format!("write `[[{typed}]]`, with double brackets, once for each")
                } else {
                    let value = typed_value(&node.value).unwrap_or_else(|| " ... ".to_owned());
                    format!("write `{typed} = [{value}]`")
                };
                self.wrong("an array", Some(help).filter(|_| !typed.is_empty()));
                return self.stand_in().array(len, visitor);
            }
            What::Bare(_) => {
                self.wrong("an array", None);
                return self.stand_in().array(len, visitor);
            }
        };
        if let Some(more) = nodes.get(len).filter(|_| len > 0) {
            let name = self.trail.name();
            let message = format!("{name} takes {len} values, and here are {}", nodes.len());
            self.note(&more.place, message, "one too many".to_owned(), None);
        }
        let nodes = nodes.iter().enumerate();
        self.settle(visitor.visit_seq(Elements { nodes, stand_ins: 0, reader: &self }))
    }
}

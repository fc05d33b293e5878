//! Columns of one type each, with missing values.

use records::field::Kind;

/// A list of bits, as Arrow packs them: the first one is the lowest bit of the first byte.
#[derive(Debug, Default)]
pub(crate) struct Bits {
    pub(crate) bytes: Vec<u8>,
    length: usize,
}

impl Bits {
    pub(crate) fn push(&mut self, bit: bool) {
        if self.length.is_multiple_of(8) {
            self.bytes.push(0);
        }
        self.bytes[self.length / 8] |= u8::from(bit) << (self.length % 8);
        self.length += 1;
    }

    /// The bits, a byte each.
    pub(crate) fn unpacked(&self) -> impl Iterator<Item = u8> {
        (0..self.length).map(|at| self.bytes[at / 8] >> (at % 8) & 1)
    }
}

impl FromIterator<bool> for Bits {
    fn from_iter<I: IntoIterator<Item = bool>>(bits: I) -> Bits {
        let mut all = Bits::default();
        bits.into_iter().for_each(|bit| all.push(bit));
        all
    }
}

/// Values of a column; a missing one has 0, false or the empty text.
#[derive(Debug)]
pub(crate) enum Values {
    Flag(Bits),
    Whole(Vec<i64>),
    Number(Vec<f64>),
    Text(Texts),
}

/// Texts one behind the other: the text at `i` is from `ends[i]` until `ends[i + 1]`.
#[derive(Debug)]
pub(crate) struct Texts {
    pub(crate) ends: Vec<i64>,
    pub(crate) text: String,
}

impl Default for Texts {
    fn default() -> Texts {
        Texts { ends: vec![0], text: String::new() }
    }
}

impl Texts {
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len() as i64);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.ends.windows(2).map(|ends| &self.text[ends[0] as usize..ends[1] as usize])
    }
}

/// A column.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) values: Values,
    /// True for each value that is there; `None` if all are.
    pub(crate) present: Option<Bits>,
    pub(crate) missing: usize,
}

impl Column {
    /// The column of these fields, which are of `kind` if all of them are, else numbers, flags or
    /// texts. An empty field is a missing value.
    pub(crate) fn new(name: String, kind: Option<Kind>, fields: Texts) -> Column {
        let missing = fields.iter().filter(|field| field.is_empty()).count();
        let present = (missing > 0).then(|| fields.iter().map(|field| !field.is_empty()).collect());
        let has_none = missing + 1 == fields.ends.len();
        let order: &[Kind] = match kind {
            Some(Kind::Text) => &[],
            Some(Kind::Flag) => &[Kind::Flag, Kind::Number],
            Some(Kind::Whole) => &[Kind::Whole, Kind::Number],
            Some(Kind::Number) => &[Kind::Number, Kind::Flag],
            None if has_none => &[],
            None => &[Kind::Whole, Kind::Number, Kind::Flag],
        };
        let values = order.iter().find_map(|&kind| parsed(kind, &fields));
        Column { name, values: values.unwrap_or(Values::Text(fields)), present, missing }
    }

    pub(crate) fn kind(&self) -> Kind {
        match self.values {
            Values::Flag(_) => Kind::Flag,
            Values::Whole(_) => Kind::Whole,
            Values::Number(_) => Kind::Number,
            Values::Text(_) => Kind::Text,
        }
    }
}

/// The fields as values of a kind, if all of them are.
fn parsed(kind: Kind, fields: &Texts) -> Option<Values> {
    fn all<T: Default, C: FromIterator<T>>(
        fields: &Texts,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<C> {
        let value = |field: &str| if field.is_empty() { Some(T::default()) } else { parse(field) };
        fields.iter().map(value).collect()
    }
    match kind {
        Kind::Flag => all(fields, |field| match field {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        })
        .map(Values::Flag),
        Kind::Whole => all(fields, |field| field.parse().ok()).map(Values::Whole),
        Kind::Number => all(fields, |field| field.parse().ok()).map(Values::Number),
        Kind::Text => None,
    }
}

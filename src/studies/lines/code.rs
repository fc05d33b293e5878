//! Figures that no run has: named functions of a paper, which enumerate, prove or take plans apart.
//!
//! A table of the paper names such a function where it would name a scenario. The function gets the
//! table's settings and gives named figures of independent samples; lines judge them like measures.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use crate::{Bench, StudyError};

/// A function that answers lines.
pub type Code = fn(&Asked<'_>) -> Result<Figures, StudyError>;

/// Values of named figures, one a sample; `NaN` for a sample that has none. A single value is exact.
pub type Figures = BTreeMap<String, Vec<f64>>;

/// Settings, samples and seed that a table asks a function for.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Bench of the study.
    pub bench: &'a Bench,
    /// Settings, `key=value` each; the last one of a key counts.
    pub set: &'a [String],
    /// Samples to draw.
    pub samples: u32,
    /// Seed of all draws.
    pub seed: u64,
}

impl Asked<'_> {
    /// The settings as options of the function.
    ///
    /// # Errors A key or a value that the function does not know.
    pub fn options<T: DeserializeOwned>(&self) -> Result<T, StudyError> {
        let mut table = toml::Table::new();
        for one in self.set {
            let (key, value) = one.split_once('=').unwrap_or((one, ""));
            let read = format!("value={value}").parse::<toml::Table>();
            let value = read.ok().and_then(|mut table| table.remove("value"));
            let text = || one.split_once('=').map_or("", |one| one.1).to_owned();
            table.insert(key.to_owned(), value.unwrap_or_else(|| toml::Value::String(text())));
        }
        let wrong = |error: toml::de::Error| {
            StudyError(format!("`set = {:?}`: {}", self.set, error.message()))
        };
        T::deserialize(table).map_err(wrong)
    }

    /// Figures of independent samples, `times` as many as are asked for, drawn by their numbers.
    ///
    /// # Errors The first error of a sample.
    pub fn each<N: Into<String> + Send>(
        &self,
        times: u32,
        one: impl Fn(u64) -> Result<Vec<(N, f64)>, StudyError> + Sync,
    ) -> Result<Figures, StudyError> {
        let samples = self.samples * times;
        let mut figures = Figures::new();
        for (sample, found) in self.bench.each(samples.into(), one)?.into_iter().enumerate() {
            for (name, value) in found {
                let values = figures.entry(name.into()).or_default();
                values.resize(sample, f64::NAN);
                values.push(value);
            }
        }
        figures.values_mut().for_each(|values| values.resize(samples as usize, f64::NAN));
        Ok(figures)
    }
}

/// Figures that are exact.
pub fn exact<N: Into<String>>(figures: impl IntoIterator<Item = (N, f64)>) -> Figures {
    figures.into_iter().map(|(name, value)| (name.into(), vec![value])).collect()
}

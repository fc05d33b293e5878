//! Maps and sets in the order of their keys, for what is looked up once in a while.
//!
//! The standard library's trees are compiled for every pair of types, some six thousand lines of machine
//! code each. These are lists of sorted lists of at most 256 entries: a look-up is two binary searches,
//! an insertion moves at most 256 entries and, now and then, the list of lists.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Index;
use std::slice;

use serde::{Serialize, Serializer};

/// Most entries of a chunk.
const MOST: usize = 256;

/// A map in the order of its keys.
#[derive(Clone, PartialEq, Eq)]
pub struct Map<K, V> {
    /// No chunk is empty.
    chunks: Vec<Vec<(K, V)>>,
    len: usize,
}

/// A place: the chunk, and the entry in it.
type Place = (usize, usize);

impl<K, V> Map<K, V> {
    /// A map without entries.
    pub const fn new() -> Map<K, V> {
        Map { chunks: Vec::new(), len: 0 }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The entries in order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { chunks: self.chunks.iter(), first: [].iter(), last: [].iter(), left: self.len }
    }

    /// The keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.iter().map(|(key, _)| key)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.iter().map(|(_, value)| value)
    }

    /// The values in the order of their keys.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.chunks.iter_mut().flatten().map(|(_, value)| value)
    }

    /// The entry with the largest key.
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.chunks.last().and_then(|chunk| chunk.last()).map(|(key, value)| (key, value))
    }
}

impl<K: Ord, V> Map<K, V> {
    /// The place of a key, or else the one where it belongs.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<Place, Place>
    where
        K: Borrow<Q>,
    {
        let is_before =
            |chunk: &Vec<(K, V)>| chunk.last().is_some_and(|(last, _)| last.borrow() < key);
        let at = self.chunks.partition_point(is_before);
        // What comes after all is added to the last chunk.
        let at = at.min(self.chunks.len().saturating_sub(1));
        let Some(chunk) = self.chunks.get(at) else { return Err((0, 0)) };
        let found = chunk.binary_search_by(|(other, _)| other.borrow().cmp(key));
        found.map(|entry| (at, entry)).map_err(|entry| (at, entry))
    }

    /// Puts an entry where it belongs; returns its value.
    fn put(&mut self, (mut at, mut entry): Place, key: K, value: V) -> &mut V {
        self.len += 1;
        if self.chunks.is_empty() {
            self.chunks.push(Vec::new());
        }
        if self.chunks[at].len() == MOST {
            // Entries that come in order fill their chunks.
            let is_last = at + 1 == self.chunks.len() && entry == MOST;
            let half = if is_last { MOST } else { MOST / 2 };
            let more = self.chunks[at].split_off(half);
            self.chunks.insert(at + 1, more);
            if entry > half || is_last {
                (at, entry) = (at + 1, entry - half);
            }
        }
        self.chunks[at].insert(entry, (key, value));
        &mut self.chunks[at][entry].1
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|(at, entry)| &self.chunks[at][entry].1)
    }

    /// The value of a key.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|(at, entry)| &mut self.chunks[at][entry].1)
    }

    /// Returns true if the key has a value.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Sets the value of a key, and returns the one that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok((at, entry)) => Some(std::mem::replace(&mut self.chunks[at][entry].1, value)),
            Err(place) => {
                self.put(place, key, value);
                None
            }
        }
    }

    /// The value of a key, which it gets now if it has none.
    pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        match self.find(&key) {
            Ok((at, entry)) => &mut self.chunks[at][entry].1,
            Err(place) => self.put(place, key, make()),
        }
    }

    /// Takes out the value of a key.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let (at, entry) = self.find(key).ok()?;
        let (_, value) = self.chunks[at].remove(entry);
        if self.chunks[at].is_empty() {
            self.chunks.remove(at);
        }
        self.len -= 1;
        Some(value)
    }
}

impl<K: Ord, V: Default> Map<K, V> {
    /// The value of a key, by default the default one.
    pub fn get_or_default(&mut self, key: K) -> &mut V {
        self.get_or_insert_with(key, V::default)
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Map<K, V> {
        Map::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Serialize, V: Serialize> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl<K: Ord + Borrow<Q>, V, Q: Ord + ?Sized> Index<&Q> for Map<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the key is in the map")
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Map<K, V> {
        let mut map = Map::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for Map<K, V> {
    fn from(entries: [(K, V); N]) -> Map<K, V> {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = std::iter::Flatten<std::vec::IntoIter<Vec<(K, V)>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.chunks.into_iter().flatten()
    }
}

impl<'m, K, V> IntoIterator for &'m Map<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = Iter<'m, K, V>;

    fn into_iter(self) -> Iter<'m, K, V> {
        self.iter()
    }
}

/// The entries of a map in order.
#[derive(Debug)]
pub struct Iter<'m, K, V> {
    chunks: slice::Iter<'m, Vec<(K, V)>>,
    first: slice::Iter<'m, (K, V)>,
    last: slice::Iter<'m, (K, V)>,
    left: usize,
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        let Iter { chunks, first, last, left } = self;
        Iter { chunks: chunks.clone(), first: first.clone(), last: last.clone(), left: *left }
    }
}

impl<'m, K, V> Iterator for Iter<'m, K, V> {
    type Item = (&'m K, &'m V);

    fn next(&mut self) -> Option<(&'m K, &'m V)> {
        if self.first.len() == 0 {
            self.first = match self.chunks.next() {
                Some(chunk) => chunk.iter(),
                None => std::mem::replace(&mut self.last, [].iter()),
            };
        }
        let (key, value) = self.first.next()?;
        self.left -= 1;
        Some((key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<K, V> DoubleEndedIterator for Iter<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.last.len() == 0 {
            self.last = match self.chunks.next_back() {
                Some(chunk) => chunk.iter(),
                None => std::mem::replace(&mut self.first, [].iter()),
            };
        }
        let (key, value) = self.last.next_back()?;
        self.left -= 1;
        Some((key, value))
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}

/// A set in order.
#[derive(Clone, PartialEq, Eq)]
pub struct Set<K>(Map<K, ()>);

impl<K> Set<K> {
    /// A set without elements.
    pub const fn new() -> Set<K> {
        Set(Map::new())
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there is no element.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The elements in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.0.keys()
    }
}

impl<K: Ord> Set<K> {
    /// Adds an element; false if it was there.
    pub fn insert(&mut self, element: K) -> bool {
        self.0.insert(element, ()).is_none()
    }

    /// Returns true if the element is there.
    pub fn contains<Q: Ord + ?Sized>(&self, element: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(element)
    }

    /// Takes out the least element.
    pub fn pop_first(&mut self) -> Option<K> {
        let map = &mut self.0;
        let first = map.chunks.first_mut()?;
        map.len -= 1;
        let (element, ()) = first.remove(0);
        if first.is_empty() {
            map.chunks.remove(0);
        }
        Some(element)
    }

    /// Takes out an element; false if it was not there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, element: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.remove(element).is_some()
    }
}

impl<K> Default for Set<K> {
    fn default() -> Set<K> {
        Set::new()
    }
}

impl<K: fmt::Debug> fmt::Debug for Set<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<K: Ord> Extend<K> for Set<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, elements: I) {
        for element in elements {
            self.insert(element);
        }
    }
}

impl<K: Ord> FromIterator<K> for Set<K> {
    fn from_iter<I: IntoIterator<Item = K>>(elements: I) -> Set<K> {
        let mut set = Set::new();
        set.extend(elements);
        set
    }
}

impl<K> IntoIterator for Set<K> {
    type Item = K;
    type IntoIter = std::iter::Map<<Map<K, ()> as IntoIterator>::IntoIter, fn((K, ())) -> K>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(|(element, ())| element)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The same as the standard library's map, after insertions, look-ups and removals in any order.
        #[test]
        fn it_is_a_map(
            ascending in 0..600_u16,
            acts in proptest::collection::vec((0..4_u8, 0..900_u16), 0..1500),
            ends: u64,
        ) {
            let mut ours: Map<u16, usize> = (0..ascending).map(|key| (key, 0)).collect();
            let mut theirs: BTreeMap<u16, usize> = (0..ascending).map(|key| (key, 0)).collect();
            for (index, (act, key)) in acts.into_iter().enumerate() {
                match act {
                    0 => prop_assert_eq!(ours.remove(&key), theirs.remove(&key)),
                    1 => prop_assert_eq!(ours.insert(key, index), theirs.insert(key, index)),
                    2 => prop_assert_eq!(ours.get_or_insert_with(key, || index), theirs.entry(key).or_insert(index)),
                    _ => prop_assert_eq!(ours.get_mut(&key), theirs.get_mut(&key)),
                }
            }
            prop_assert!(ours.iter().eq(theirs.iter()));
            prop_assert!(ours.iter().rev().eq(theirs.iter().rev()));
            prop_assert_eq!(ours.last_key_value(), theirs.last_key_value());
            // From both ends in turn.
            let (mut one, mut other) = (ours.iter(), theirs.iter());
            for turn in 0..theirs.len() + 2 {
                prop_assert_eq!(one.len(), other.len());
                if ends >> (turn % 64) & 1 == 0 {
                    prop_assert_eq!(one.next(), other.next());
                } else {
                    prop_assert_eq!(one.next_back(), other.next_back());
                }
            }
            prop_assert!(ours.into_iter().eq(theirs));
        }

        #[test]
        fn it_is_a_set(elements: Vec<u8>) {
            let ours: Set<u8> = elements.iter().copied().collect();
            let theirs: std::collections::BTreeSet<u8> = elements.into_iter().collect();
            prop_assert!(ours.iter().eq(theirs.iter()));
            prop_assert_eq!(ours.len(), theirs.len());
            prop_assert!((0..=255).all(|element| ours.contains(&element) == theirs.contains(&element)));
        }
    }
}

//! A queue in one slice: what is added at its end leaves at its beginning, or at its end again.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A queue of small items, read and changed as a slice.
///
/// Items that left keep their places until the queue is empty, or until they take more
/// places than the rest; so a queue that often empties stays at the beginning of its memory, in the
/// cache. Each operation takes O(1), amortized.
#[derive(Clone, Debug)]
pub(super) struct Fifo<T> {
    items: Vec<T>,
    /// Number of places before the first item.
    gone: usize,
}

impl<T: Copy> Fifo<T> {
    /// Places that may be empty at the beginning of a short queue.
    const SPARE: usize = 32;

    /// Adds an item at the end.
    #[inline]
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// Removes so many items from the beginning.
    #[inline]
    pub fn drop_first(&mut self, count: usize) {
        self.gone += count;
        if self.gone >= self.items.len() {
            self.clear();
        } else if self.gone >= Self::SPARE && self.gone >= self.items.len() / 2 {
            self.items.drain(..self.gone);
            self.gone = 0;
        }
    }

    /// Removes the last item, if there is one.
    #[inline]
    pub fn drop_last(&mut self) {
        if self.gone < self.items.len() {
            self.items.pop();
            if self.gone == self.items.len() {
                self.clear();
            }
        }
    }

    /// Removes an item from the middle.
    pub fn remove(&mut self, index: usize) {
        self.items.remove(self.gone + index);
    }

    /// Removes everything.
    #[inline]
    pub fn clear(&mut self) {
        self.items.clear();
        self.gone = 0;
    }
}

impl<T> Default for Fifo<T> {
    fn default() -> Fifo<T> {
        Fifo { items: Vec::new(), gone: 0 }
    }
}

impl<T> Deref for Fifo<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.items[self.gone..]
    }
}

impl<T> DerefMut for Fifo<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[self.gone..]
    }
}

impl<T: PartialEq> PartialEq for Fifo<T> {
    fn eq(&self, other: &Fifo<T>) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Fifo<T> {}

impl<T: Serialize> Serialize for Fifo<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(to)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Fifo<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Fifo<T>, D::Error> {
        Ok(Fifo { items: Vec::deserialize(from)?, gone: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    #[test]
    fn a_queue_that_never_empties_takes_no_more_places() {
        for long in [3, 100] {
            let mut fifo = Fifo::default();
            (0..long).for_each(|number| fifo.push(number));
            for number in long..10_000 {
                fifo.push(number);
                fifo.drop_first(1);
                assert_eq!(fifo[0], number + 1 - long);
            }
            assert!(fifo.items.capacity() <= 4 * (long + Fifo::<usize>::SPARE));
        }
    }

    proptest! {
        #[test]
        fn it_is_a_queue(steps in proptest::collection::vec((0_u8..8, 0_usize..40), 0..400)) {
            let (mut fifo, mut queue) = (Fifo::default(), VecDeque::new());
            for (kind, number) in steps {
                match kind {
                    0..4 => {
                        fifo.push(number);
                        queue.push_back(number);
                    }
                    4 => {
                        fifo.drop_last();
                        queue.pop_back();
                    }
                    5 if number < queue.len() => {
                        fifo.remove(number);
                        queue.remove(number);
                    }
                    6 if number == 0 => {
                        fifo.clear();
                        queue.clear();
                    }
                    _ => {
                        let count = number.min(queue.len());
                        fifo.drop_first(count);
                        queue.drain(..count);
                    }
                }
                prop_assert!(fifo.iter().eq(&queue));
                let bytes = postcard::to_allocvec(&fifo).unwrap();
                prop_assert_eq!(&bytes, &postcard::to_allocvec(&queue).unwrap());
                prop_assert_eq!(&postcard::from_bytes::<Fifo<usize>>(&bytes).unwrap(), &fifo);
            }
        }
    }
}

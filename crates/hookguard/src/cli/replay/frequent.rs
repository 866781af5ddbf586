//! The most frequent of many texts, in bounded memory: what was seen once goes when there are too many.

use std::collections::HashMap;
use std::hash::Hash;

/// How many different ones are kept.
const MAX_KEPT: usize = 20_000;

/// Counts by key.
#[derive(Debug)]
pub(super) struct Frequent<K>(HashMap<K, u64>);

impl<K> Default for Frequent<K> {
    fn default() -> Self {
        Frequent(HashMap::new())
    }
}

impl<K: Hash + Ord + Clone> Frequent<K> {
    pub(super) fn add(&mut self, key: K) {
        *self.0.entry(key).or_default() += 1;
        let mut least = 1;
        while self.0.len() > MAX_KEPT {
            self.0.retain(|_, count| *count > least);
            least *= 2;
        }
    }

    /// The most frequent, in this order.
    pub(super) fn top(&self, count: usize) -> Vec<(&K, u64)> {
        let mut all: Vec<(&K, u64)> = self.0.iter().map(|(key, count)| (key, *count)).collect();
        all.sort_by(|(a, m), (b, n)| n.cmp(m).then_with(|| a.cmp(b)));
        all.truncate(count);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frequent_ones_stay() {
        let mut frequent = Frequent::default();
        for number in 0..3 * MAX_KEPT {
            frequent.add(number);
            if number % 100 == 0 {
                frequent.add(usize::MAX);
            }
        }
        assert!(frequent.0.len() <= MAX_KEPT);
        assert_eq!(frequent.top(1), [(&usize::MAX, 600)]);
    }
}

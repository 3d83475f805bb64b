//! The source of a walk's choices.

/// A source of numbers: derived from a seed, or read from bytes, so that a fuzzer can steer.
#[derive(Clone, Debug)]
pub struct Walk(Source);

#[derive(Clone, Debug)]
enum Source {
    Seed(u64),
    Bytes { bytes: Vec<u8>, at: usize },
}

impl Walk {
    /// The walk of this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(Source::Seed(seed))
    }

    /// The walk that these bytes spell. After their end, each number is 0.
    #[must_use]
    pub fn spelled(bytes: &[u8]) -> Self {
        Self(Source::Bytes {
            bytes: bytes.to_vec(),
            at: 0,
        })
    }

    /// Returns whether there are no more bytes. A seed never ends.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        match &self.0 {
            Source::Seed(_) => false,
            Source::Bytes { bytes, at } => *at >= bytes.len(),
        }
    }

    /// A number below `limit`; 0 if that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        match &mut self.0 {
            Source::Seed(_) if limit == 0 => {
                self.next();
                0
            }
            Source::Seed(_) => (self.next() % limit as u64) as usize,
            // A fixed choice takes no byte, and a small one takes one, so that few bytes spell many
            // choices.
            Source::Bytes { .. } if limit < 2 => 0,
            Source::Bytes { bytes, at } => {
                let size = if limit > 256 { 2 } else { 1 };
                let end = bytes.len().min(*at + size);
                let chunk = bytes.get(*at..end).unwrap_or_default();
                *at = end;
                let number = chunk
                    .iter()
                    .fold(0, |sum, byte| sum << 8 | usize::from(*byte));
                number % limit
            }
        }
    }

    /// SplitMix64.
    const fn next(&mut self) -> u64 {
        let Source::Seed(state) = &mut self.0 else {
            return 0;
        };
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of these.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> Option<&'a T> {
        let ix = self.below(from.len());
        from.get(ix).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_spell_numbers_and_end() {
        let mut walk = Walk::spelled(&[7, 1, 2, 9]);
        assert_eq!(walk.below(1), 0);
        assert_eq!(walk.below(5), 2);
        assert_eq!(walk.below(1000), 258);
        assert!(!walk.is_over());
        assert_eq!(walk.below(1000), 9);
        assert!(walk.is_over());
        assert_eq!(walk.below(5), 0);
    }

    #[test]
    fn a_seed_gives_the_same_numbers_and_does_not_end() {
        let numbers = |seed| {
            let mut walk = Walk::new(seed);
            let numbers: Vec<usize> = (0..20).map(|_| walk.below(1000)).collect();
            assert!(!walk.is_over());
            numbers
        };
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
    }
}

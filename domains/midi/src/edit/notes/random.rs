//! Random numbers that are the same for the same seed.

/// Pseudorandom numbers, equal for equal seeds.
pub struct Dice(u64);

impl Dice {
    /// Starts with a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number in `0..sides`.
    pub fn below(&mut self, sides: usize) -> usize {
        let sides = u64::try_from(sides).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.mixed() % sides).unwrap_or(0)
    }

    /// A number from `-most` to `most`, all equally likely.
    pub fn around(&mut self, most: u64) -> i64 {
        let most = most.min(1 << 40);
        let sides = 2 * most + 1;
        i64::try_from(self.mixed() % sides).unwrap_or(0) - i64::try_from(most).unwrap_or(0)
    }

    fn mixed(&mut self) -> u64 {
        // SplitMix64, by Steele, Lea and Flood, 2014.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn dice_of_a_seed_fall_alike_and_on_every_side() {
        let rolls = |seed| {
            let mut dice = Dice::new(seed);
            (0..200).map(|_| dice.around(3)).collect::<Vec<_>>()
        };
        assert_eq!(rolls(7), rolls(7));
        assert_ne!(rolls(7), rolls(8));
        for side in -3..=3 {
            assert!(rolls(1).contains(&side), "{side}");
        }
        assert!(rolls(1).iter().all(|side| (-3..=3).contains(side)));
    }
}

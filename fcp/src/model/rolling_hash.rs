//! A text hash independent of chunking.

use super::hash::spread;

/// The hash of a run of bytes, which can be joined with those of the adjacent runs.
///
/// It is the polynomial in a fixed base modulo 2⁶¹ - 1 whose coefficients are the bytes. So the
/// hash of a text follows from the hashes of its pieces, wherever it is cut.
///
/// ```
/// use fcp::model::Poly;
///
/// assert_eq!(Poly::of("<a>").then(Poly::of("b</a>")), Poly::of("<a>b</a>"));
/// assert_ne!(Poly::of("ab"), Poly::of("ba"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Poly {
    hash: u64,
    /// The base to the power of the length: the factor of a preceding hash.
    power: u64,
}

/// A prime, so that different texts rarely have the same hash.
const PRIME: u64 = (1 << 61) - 1;
/// Any number below the prime that is neither small nor a power of two.
const BASE: u64 = 0x1b8e_6f4d_93a7_c255;
/// The number of bytes processed at once.
const BLOCK: usize = 8;
/// The base to the powers 0…8.
const POWERS: [u64; BLOCK + 1] = {
    let mut powers = [1; BLOCK + 1];
    let mut n = 1;
    while n <= BLOCK {
        powers[n] = times(powers[n - 1], BASE);
        n += 1;
    }
    powers
};

/// `x` modulo the prime. `x` is below 2¹²³.
#[allow(
    clippy::cast_possible_truncation,
    reason = "61 bits, and then 62, are what is kept"
)]
const fn reduce(x: u128) -> u64 {
    let folded = (x as u64 & PRIME) + (x >> 61) as u64;
    let folded = (folded & PRIME) + (folded >> 61);
    if folded >= PRIME {
        folded - PRIME
    } else {
        folded
    }
}

const fn times(a: u64, b: u64) -> u64 {
    reduce(a as u128 * b as u128)
}

impl Poly {
    /// The hash of an empty text.
    pub const EMPTY: Self = Self { hash: 0, power: 1 };

    /// The hash of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::of_pieces(|sink| sink(text))
    }

    /// The hash of the pieces that `feed` hands over, joined.
    #[must_use]
    pub fn of_pieces(feed: impl FnOnce(&mut dyn FnMut(&str))) -> Self {
        let (mut hash, mut len) = (0, 0_u64);
        feed(&mut |piece| {
            hash = push(hash, piece.as_bytes());
            len += piece.len() as u64;
        });
        Self {
            hash,
            power: power(len),
        }
    }

    /// The hash of this run joined with the next.
    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        Self {
            hash: reduce(self.hash as u128 * next.power as u128 + next.hash as u128),
            power: times(self.power, next.power),
        }
    }

    /// The hash as a number with all bits mixed. Equal for equal bytes.
    #[must_use]
    pub const fn finish(self) -> u64 {
        spread(self.hash ^ self.power.rotate_left(32))
    }
}

/// A hash extended by more bytes. Each block of bytes is reduced only once.
fn push(mut hash: u64, bytes: &[u8]) -> u64 {
    for block in bytes.chunks(BLOCK) {
        let powers = &POWERS[..=block.len()];
        let mut sum = u128::from(hash) * u128::from(POWERS[block.len()]);
        for (byte, power) in block.iter().zip(powers.iter().rev().skip(1)) {
            // One is added to each byte, so that zeros count.
            sum += u128::from(u64::from(*byte) + 1) * u128::from(*power);
        }
        hash = reduce(sum);
    }
    hash
}

/// The base to the power of `n`.
fn power(mut n: u64) -> u64 {
    let (mut result, mut square) = (1, BASE);
    while n > 0 {
        if n & 1 == 1 {
            result = times(result, square);
        }
        square = times(square, square);
        n >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_polynomial_of_the_bytes() {
        let text: String = ('\0'..'\u{250}').collect();
        let mut slow = 0_u128;
        for byte in text.bytes() {
            slow = (slow * u128::from(BASE) + u128::from(byte) + 1) % u128::from(PRIME);
        }
        assert_eq!(u128::from(Poly::of(&text).hash), slow);
    }

    #[test]
    fn wherever_a_text_is_cut_the_hash_is_the_same() {
        let text = "<a b='\0\0'>x</a>\r\n and more of it";
        for cut in 0..=text.len() {
            let (one, two) = text.split_at(cut);
            assert_eq!(Poly::of(one).then(Poly::of(two)), Poly::of(text), "{cut}");
        }
        assert_eq!(Poly::EMPTY.then(Poly::of(text)), Poly::of(text));
        assert_eq!(Poly::of(""), Poly::EMPTY);
    }

    #[test]
    fn zeros_and_lengths_count() {
        let runs: Vec<Poly> = (0..20).map(|n| Poly::of(&"\0".repeat(n))).collect();
        for (n, run) in runs.iter().enumerate() {
            assert!(!runs[..n].contains(run), "{n}");
            assert!(!runs[..n].iter().any(|other| other.finish() == run.finish()));
        }
    }
}

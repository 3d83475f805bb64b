//! Spelling of lengths, keys and texts in ABC, by standard 2.1.

use std::ops::{Add, Mul};

/// A length of time, in whole notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(i128, i128);

impl Time {
    pub const ZERO: Self = Self(0, 1);

    pub fn new(num: i128, den: i128) -> Self {
        let (mut a, mut b) = (num, den);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Self(num / a, den / a)
    }

    /// As a number of `whole`-ths of a whole note, which must be exact.
    pub fn ticks(self, whole: u32) -> u64 {
        let ticks = self * Self::new(whole.into(), 1);
        assert_eq!(ticks.1, 1, "{self:?} is not a tick");
        u64::try_from(ticks.0).unwrap()
    }
}

impl Time {
    /// The nearest number of `whole`-ths of a whole note.
    pub fn nearest(self, whole: u32) -> u64 {
        let ticks = self * Self::new(whole.into(), 1);
        u64::try_from((2 * ticks.0 + ticks.1) / (2 * ticks.1)).unwrap()
    }
}

impl Add for Time {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }
}

impl Mul for Time {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::new(self.0 * other.0, self.1 * other.1)
    }
}

/// A line without its comment.
pub fn without_comment(line: &str) -> &str {
    let mut escaped = false;
    for (ix, c) in line.char_indices() {
        match c {
            '%' if !escaped => return &line[..ix],
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    line
}

/// The content of a text string.
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next().unwrap() {
                'u' => {
                    let hex: String = chars.by_ref().take(4).collect();
                    out.push(char::from_u32(u32::from_str_radix(&hex, 16).unwrap()).unwrap());
                }
                c @ ('\\' | '%' | '&') => out.push(c),
                c => panic!("\\{c} is an accent"),
            },
            '&' | '$' => panic!("{c} means something"),
            c => out.push(c),
        }
    }
    out
}

/// `3/4`
pub fn ratio(text: &str) -> Time {
    let (num, den) = text.split_once('/').unwrap();
    Time::new(num.parse().unwrap(), den.parse().unwrap())
}

pub fn number(line: &[char], ix: &mut usize) -> Option<u64> {
    let digits: String = line[*ix..]
        .iter()
        .take_while(|c| c.is_ascii_digit())
        .collect();
    *ix += digits.len();
    digits.parse().ok()
}

/// `3`, `3/2`, `/2`, `/`, `//`, or nothing.
pub fn length(line: &[char], ix: &mut usize) -> Time {
    let num = number(line, ix).unwrap_or(1);
    let mut den = 1;
    while line.get(*ix) == Some(&'/') {
        *ix += 1;
        den *= number(line, ix).unwrap_or(2);
    }
    Time::new(num.into(), den.into())
}

const FIFTHS: &str = "FCGDAEB";

/// The number of sharps of a key.
pub fn sharps(key: &str) -> i32 {
    let mut chars = key.chars();
    let tonic = i32::try_from(FIFTHS.find(chars.next().unwrap()).unwrap()).unwrap() - 1;
    let rest = chars.as_str();
    let (sign, mode) = match rest.chars().next() {
        Some('#') => (7, &rest[1..]),
        Some('b') => (-7, &rest[1..]),
        _ => (0, rest),
    };
    let mode = match mode {
        "" => 0,
        "m" => -3,
        mode => panic!("{mode}"),
    };
    let sharps = tonic + sign + mode;
    assert!((-7..=7).contains(&sharps), "{key}");
    sharps
}

/// The alteration of a letter in a key with a number of sharps.
pub fn in_key(sharps: i32, letter: char) -> i32 {
    let order: Vec<char> = match sharps {
        0.. => FIFTHS.chars().collect(),
        _ => FIFTHS.chars().rev().collect(),
    };
    let count = usize::try_from(sharps.abs()).unwrap();
    match order[..count].contains(&letter) {
        true => sharps.signum(),
        false => 0,
    }
}

//! Lengths as note values, tied if one is not enough.

/// The names of note values, each half as long as the previous one.
const VALUES: [&str; 9] = [
    "whole", "half", "quarter", "eighth", "16th", "32nd", "64th", "128th", "256th",
];

/// The most values to tie; a length that needs more has no note value.
const TIED: usize = 4;

/// A length and its note value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its length.
    pub ticks: u64,
    /// The note value, its number of dots, and whether it is part of a triplet. `None` if no value
    /// has this length.
    pub sign: Option<(&'static str, u8, bool)>,
}

/// A length as tied values, the longest first. Triplets are used only if other values are not
/// enough.
#[must_use]
pub fn split(ticks: u64, whole: u64) -> Vec<Value> {
    let values = signs(whole);
    let plain = |value: &&Value| value.sign.is_some_and(|(_, _, triplet)| !triplet);
    tied(ticks, values.iter().filter(plain))
        .or_else(|| tied(ticks, values.iter()))
        .unwrap_or_else(|| vec![Value { ticks, sign: None }])
}

/// A length as some of these values.
fn tied<'a>(ticks: u64, values: impl Iterator<Item = &'a Value> + Clone) -> Option<Vec<Value>> {
    let mut rest = ticks;
    let mut tied = Vec::new();
    while rest > 0 && tied.len() < TIED {
        let value = values.clone().find(|value| value.ticks <= rest)?;
        rest -= value.ticks;
        tied.push(*value);
    }
    (rest == 0).then_some(tied)
}

/// All values of whole ticks, the longest first; of two equally long, the plainer.
fn signs(whole: u64) -> Vec<Value> {
    let mut values = Vec::new();
    for (name, half) in VALUES.iter().zip(0_u32..) {
        // One dot makes it 3/2 as long, two dots 7/4, a triplet 2/3.
        let forms = [
            (1, 1, 0, false),
            (3, 2, 1, false),
            (7, 4, 2, false),
            (2, 3, 0, true),
        ];
        for (many, parts, dots, triplet) in forms {
            let (all, parts) = (whole * many, parts << half);
            if all.is_multiple_of(parts) && all > 0 {
                let sign = Some((*name, dots, triplet));
                values.push(Value {
                    ticks: all / parts,
                    sign,
                });
            }
        }
    }
    values.sort_by_key(|value| {
        let plain = value.sign.map(|(_, dots, triplet)| (triplet, dots));
        (std::cmp::Reverse(value.ticks), plain)
    });
    values
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn lengths_are_written_as_tied_values() {
        let write = |ticks| {
            let values = split(ticks, 1920).into_iter();
            let texts = values.map(|value| match value.sign {
                Some((name, dots, triplet)) => {
                    let dots = ".".repeat(dots.into());
                    format!("{name}{dots}{}", if triplet { "3" } else { "" })
                }
                None => format!("{}", value.ticks),
            });
            texts.collect::<Vec<_>>().join(" ")
        };
        let table = [
            (1920, "whole"),
            (480, "quarter"),
            (720, "quarter."),
            (840, "quarter.."),
            (160, "eighth3"),
            (320, "quarter3"),
            (600, "quarter 16th"),
            (660, "quarter 16th."),
            (680, "half3 32nd3"),
            (2400, "whole quarter"),
            (7, "7"),
            (0, ""),
        ];
        for (ticks, wanted) in table {
            assert_eq!(write(ticks), wanted, "{ticks}");
            assert_eq!(
                split(ticks, 1920)
                    .iter()
                    .map(|value| value.ticks)
                    .sum::<u64>(),
                ticks
            );
        }
    }
}

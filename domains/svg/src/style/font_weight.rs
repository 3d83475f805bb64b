//! Font weights of elements.

/// The weight of `normal`.
pub(super) const NORMAL: u16 = 400;

/// The weight for a value, inside a text of weight `around` (CSS Fonts 4, section 2.2.1).
pub(super) fn weight(text: &str, around: u16) -> u16 {
    match text.trim() {
        "normal" => NORMAL,
        "bold" => 700,
        "bolder" => match around {
            ..350 => 400,
            350..550 => 700,
            550..900 => 900,
            _ => around,
        },
        "lighter" => match around {
            ..100 => around,
            100..550 => 100,
            550..750 => 400,
            _ => 700,
        },
        number => number.parse().unwrap_or(around),
    }
}

//! Colours in the notation of style sheets.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::color_names::NAMES;
use super::decimal::read;
use super::repair::repaired;
use super::text_form::text_form;
use super::{AngleUnit, FcpValue, ValueError, ValueSpec, fold, nearest_word};

/// A colour as it was spelled: a name, `transparent`, `currentColor`, `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`,
/// `rgb()`, `rgba()`, `hsl()`, `hsla()` or `hwb()`.
///
/// Two colours are equal if they look the same, however they are spelled.
#[derive(Clone, Debug)]
pub struct Color {
    rgba: Option<[u8; 4]>,
    text: Box<str>,
}

impl Color {
    /// Reads a text that may not be a colour: unlike [`parse`](FcpValue::parse) it does not search
    /// for a repair.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let rgba = rgba(text)?;
        Some(Self {
            rgba,
            text: text.into(),
        })
    }

    /// Red, green, blue and opacity, each 0 to 255; `None` for `currentColor`.
    #[must_use]
    pub const fn rgba(&self) -> Option<[u8; 4]> {
        self.rgba
    }

    /// The colour as it was spelled.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Color {
    fn eq(&self, other: &Self) -> bool {
        self.rgba == other.rgba
    }
}

impl Eq for Color {}

impl Hash for Color {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rgba.hash(state);
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl FcpValue for Color {
    const SPEC: ValueSpec =
        ValueSpec::new("COLOR", "red, #f00, #ff0000, rgb(255,0,0), hsl(0,100%,50%)");

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, |text| {
            if let Some(rgba) = rgba(text) {
                return Ok(Self {
                    rgba,
                    text: text.into(),
                });
            }
            let cut: String = text.chars().take(60).collect();
            Err(ValueError::sentence(format!("no colour \"{cut}\"")).maybe_fix(meant(text)))
        })
    }
}

/// The look of a colour, or `Some(None)` if it depends on the context; `None` if the text is not a
/// colour.
fn rgba(text: &str) -> Option<Option<[u8; 4]>> {
    if text.len() > 128 {
        return None;
    }
    if let Some(digits) = text.strip_prefix('#') {
        return hex(digits).map(Some);
    }
    if text.eq_ignore_ascii_case("currentcolor") {
        return Some(None);
    }
    if text.eq_ignore_ascii_case("transparent") {
        return Some(Some([0; 4]));
    }
    if let Some((name, rest)) = text.split_once('(') {
        return function(name, rest.strip_suffix(')')?).map(Some);
    }
    let lower = text.to_ascii_lowercase();
    let at = NAMES
        .binary_search_by(|(name, _)| name.cmp(&lower.as_str()))
        .ok()?;
    NAMES
        .get(at)
        .map(|(_, [red, green, blue])| Some([*red, *green, *blue, 255]))
}

fn hex(digits: &str) -> Option<[u8; 4]> {
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    let short = |shift: u32| u8::try_from((value >> shift) & 15).unwrap_or(0) * 17;
    match digits.len() {
        3 => Some([short(8), short(4), short(0), 255]),
        4 => Some([short(12), short(8), short(4), short(0)]),
        6 => Some((value << 8 | 255).to_be_bytes()),
        8 => Some(value.to_be_bytes()),
        _ => None,
    }
}

/// `rgb` and `hsl`, with or without an `a`, and `hwb`, which has no commas: parts separated by commas, or by whitespace with the
/// last one after a slash.
fn function(name: &str, inside: &str) -> Option<[u8; 4]> {
    let name = name.to_ascii_lowercase();
    let parts: Vec<&str> = if inside.contains(',') {
        inside.split(',').map(str::trim).collect()
    } else {
        let (color, alpha) = match inside.split_once('/') {
            Some((color, alpha)) => (color, Some(alpha.trim())),
            None => (inside, None),
        };
        color.split_ascii_whitespace().chain(alpha).collect()
    };
    let (one, two, three, alpha) = match parts.as_slice() {
        [one, two, three] => (*one, *two, *three, None),
        [one, two, three, alpha] => (*one, *two, *three, Some(*alpha)),
        _ => return None,
    };
    let alpha = alpha.map_or(Some(1.0), |alpha| part(alpha, 1.0))?;
    let [red, green, blue] = match name.as_str() {
        "rgb" | "rgba" => {
            // Either all are percentages, or none is.
            let percent = [one, two, three].map(|part| part.ends_with('%'));
            if percent != [false; 3] && percent != [true; 3] {
                return None;
            }
            [part(one, 255.0)?, part(two, 255.0)?, part(three, 255.0)?]
                .map(|share| share.clamp(0.0, 1.0))
        }
        "hsl" | "hsla" => {
            if !(two.ends_with('%') && three.ends_with('%')) {
                return None;
            }
            hsl(
                hue(one)?,
                part(two, 1.0)?.clamp(0.0, 1.0),
                part(three, 1.0)?.clamp(0.0, 1.0),
            )
        }
        "hwb" if !inside.contains(',') => {
            // These may lack their percent signs.
            let share = |text: &str| {
                let number = read(text.strip_suffix('%').unwrap_or(text))?.get();
                Some((number / 100.0).clamp(0.0, 1.0))
            };
            hwb(hue(one)?, share(two)?, share(three)?)
        }
        _ => return None,
    };
    Some([red, green, blue, alpha.clamp(0.0, 1.0)].map(byte))
}

/// A part of a colour as a share of 1: a percentage, or a number out of `whole`.
fn part(text: &str, whole: f64) -> Option<f64> {
    match text.strip_suffix('%') {
        Some(number) => read(number).map(|number| number.get() / 100.0),
        None => read(text).map(|number| number.get() / whole),
    }
}

/// A hue in degrees.
fn hue(text: &str) -> Option<f64> {
    let unit = text.find(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E'));
    let (number, unit) = text.split_at(unit.unwrap_or(text.len()));
    let degrees = if unit.is_empty() {
        1.0
    } else {
        AngleUnit::named(unit)?.degrees()
    };
    Some((read(number)?.get() * degrees).rem_euclid(360.0))
}

/// Red, green and blue, 0 to 1, from a hue in degrees and two shares.
fn hsl(hue: f64, saturation: f64, lightness: f64) -> [f64; 3] {
    let chroma = saturation * lightness.min(1.0 - lightness);
    [0.0, 8.0, 4.0].map(|turn| {
        let k = (turn + hue / 30.0) % 12.0;
        lightness - chroma * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0)
    })
}

/// Red, green and blue, 0 to 1, from a hue in degrees and the shares of white and black.
fn hwb(hue: f64, white: f64, black: f64) -> [f64; 3] {
    // More than all of it is a grey.
    let all = (white + black).max(1.0);
    let (white, black) = (white / all, black / all);
    hsl(hue, 1.0, 0.5).map(|pure| pure * (1.0 - white - black) + white)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "0 to 255 by the clamp"
)]
fn byte(share: f64) -> u8 {
    (share * 255.0).round().clamp(0.0, 255.0) as u8
}

/// The colour that was probably meant: the nearest name, or digits with their `#` added.
fn meant(text: &str) -> Option<String> {
    let bare = text
        .trim()
        .trim_start_matches("0x")
        .trim_start_matches("0X");
    let bare = bare.trim_start_matches('#');
    if let Some(found) = hex(bare).map(|_| format!("#{bare}")) {
        return Some(found);
    }
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if rgba(&plain).is_some() {
        return Some(plain);
    }
    let names = || {
        NAMES
            .iter()
            .map(|(name, _)| *name)
            .chain(["transparent", "currentColor"])
    };
    let folded = fold(text);
    let same = names().find(|name| fold(name) == folded);
    // `sky` is the beginning of one name only; an abbreviation of two letters may be of any word.
    let begun = || {
        let mut begun = names().filter(|name| folded.len() > 2 && fold(name).starts_with(&folded));
        begun.next().filter(|_| begun.next().is_none())
    };
    same.or_else(begun)
        .or_else(|| nearest_word(text, names()))
        .map(str::to_owned)
}

text_form!(Color);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_equal_however_they_are_spelled() {
        for (text, rgba) in [
            ("red", [255, 0, 0, 255]),
            ("RED", [255, 0, 0, 255]),
            ("#f00", [255, 0, 0, 255]),
            ("#F00f", [255, 0, 0, 255]),
            ("#ff0000", [255, 0, 0, 255]),
            ("#ff000080", [255, 0, 0, 128]),
            ("rgb(255,0,0)", [255, 0, 0, 255]),
            ("rgb(100%,0%,0%)", [255, 0, 0, 255]),
            ("rgb(300,-5,0)", [255, 0, 0, 255]),
            ("rgba(255,0,0,0.5)", [255, 0, 0, 128]),
            ("rgb(255 0 0 / 50%)", [255, 0, 0, 128]),
            ("hsl(0,100%,50%)", [255, 0, 0, 255]),
            ("hsl(120,100%,25%)", [0, 128, 0, 255]),
            ("hsla(0.5turn,100%,50%,1)", [0, 255, 255, 255]),
            ("hsl(-120, 100%, 50%)", [0, 0, 255, 255]),
            ("hsl(120deg 100% 25% / 0.5)", [0, 128, 0, 128]),
            ("HSL(3.14159265rad 100% 50%)", [0, 255, 255, 255]),
            ("rgb(100% 0% 0% / .5)", [255, 0, 0, 128]),
            ("hwb(0 0% 0%)", [255, 0, 0, 255]),
            ("hwb(120deg 20% 40%)", [51, 153, 51, 255]),
            ("hwb(0.5turn 20 40 / 50%)", [51, 153, 153, 128]),
            ("hwb(60 80% 120%)", [113, 113, 113, 255]),
            ("rebeccapurple", [102, 51, 153, 255]),
            ("transparent", [0, 0, 0, 0]),
        ] {
            let color = Color::parse(text).unwrap();
            assert_eq!((color.rgba(), color.as_str()), (Some(rgba), text));
        }
        assert_eq!(Color::parse("currentColor").unwrap().rgba(), None);
        assert_eq!(Color::parse("grey"), Color::parse("#808080"));
        assert_ne!(Color::parse("black"), Color::parse("transparent"));
    }

    #[test]
    fn there_are_148_names_in_order() {
        assert_eq!(NAMES.len(), 148);
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn invalid_colours_are_repaired() {
        for (text, fix) in [
            ("rde", Some("red")),
            ("ff0000", Some("#ff0000")),
            ("0xff0000", Some("#ff0000")),
            ("light blue", Some("lightblue")),
            ("dark-blue", Some("darkblue")),
            ("curentColor", Some("currentColor")),
            ("sky", Some("skyblue")),
            ("Forest", Some("forestgreen")),
            ("light", None),
            ("ocean", None),
            ("rgb (255, 0, 0)", Some("rgb(255,0,0)")),
            ("#ff000", None),
            ("#ggg", None),
            ("rgb(1,2)", None),
            ("rgb(1%,2,3)", None),
            ("hsl(1,2,3)", None),
            ("hwb(1,2%,3%)", None),
            ("", None),
            ("xyzzy", None),
        ] {
            let error = Color::parse(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), fix, "{text}");
            assert_eq!(error.about("fill"), format!("no colour \"{text}\""));
        }
    }
}

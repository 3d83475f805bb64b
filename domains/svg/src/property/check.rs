//! Checks values of properties, and spells them as files do.

use fcp::value::{
    Angle, Color, Decimal, FcpValue, Length, Share, Unsigned, ValueError, nearest_word,
};

use super::{Property, ValueKind};
use crate::syntax::href::{string_end, url_id};
use crate::syntax::id::{is_legal, mended};
use crate::syntax::paint::Paint;
use crate::transform::{Syntax, TransformList};

const WEIGHTS: &[&str] = &["normal", "bold", "bolder", "lighter"];
const FILTERS: &[&str] = &[
    "blur",
    "brightness",
    "contrast",
    "drop-shadow",
    "grayscale",
    "hue-rotate",
    "invert",
    "opacity",
    "saturate",
    "sepia",
    "url",
];

impl Property {
    /// Returns the value as files spell it: `url(#sunset)` for `gradient:sunset`, or else as it is.
    ///
    /// Whether a referenced id exists depends on a document.
    ///
    /// # Errors
    /// The fault, and a correct value if there is an obvious one.
    pub fn check(&self, value: &str) -> Result<String, ValueError> {
        if value == "inherit" {
            return Ok(value.to_owned());
        }
        // It would end the declaration or the style sheet.
        if value.chars().any(|c| c.is_control() && !c.is_whitespace()) {
            return Err(ValueError::new("has a control character"));
        }
        let same = || value.to_owned();
        match self.takes {
            ValueKind::Words(words) => word(value, words).map(|()| same()),
            ValueKind::Order(words) => self.ordered(value, words).map(|()| same()),
            ValueKind::Color => Color::parse(value).map(|_| same()),
            ValueKind::Paint => Paint::parse(value).map(|paint| paint.written()),
            ValueKind::Share => Share::parse(value).map(|_| same()),
            ValueKind::NumberFrom(least) => number_from(value, least).map(|()| same()),
            ValueKind::NumberOr(words) => {
                or_word::<Unsigned<Decimal>>(value, words).map(|()| same())
            }
            ValueKind::Length => Length::parse(value).map(|_| same()),
            ValueKind::LengthOr(words) => or_word::<Length>(value, words).map(|()| same()),
            ValueKind::Size(words) => or_word::<Unsigned<Length>>(value, words).map(|()| same()),
            ValueKind::Angle => Angle::parse(value).map(|_| same()),
            ValueKind::AngleOr(words) => or_word::<Angle>(value, words).map(|()| same()),
            ValueKind::Weight => weight(value).map(|()| same()),
            ValueKind::Dashes => dashes(value).map(|()| same()),
            ValueKind::Reference => reference(value),
            ValueKind::Filter if is_functions(value) => Ok(same()),
            ValueKind::Filter => reference(value),
            ValueKind::Transform => TransformList::checked(value, Syntax::Css)
                .map(|list| list.spelled())
                .map_err(|fault| ValueError::sentence(fault.to_string()).maybe_fix(fault.fix)),
            ValueKind::Text => text(value).map(|()| same()),
        }
    }

    fn ordered(&self, value: &str, words: &'static [&'static str]) -> Result<(), ValueError> {
        if value == self.initial {
            return Ok(());
        }
        let parts: Vec<&str> = value
            .split_ascii_whitespace()
            .take(words.len() + 1)
            .collect();
        let known = |part: &&&str| words.contains(*part);
        let wrong = parts.iter().find(|part| !known(part));
        let repeated = parts
            .iter()
            .enumerate()
            .any(|(at, part)| parts.iter().skip(at + 1).any(|p| p == part));
        match wrong {
            None if !repeated && !parts.is_empty() => Ok(()),
            Some(part) => {
                let near = nearest_word(part, words.iter().copied().chain([self.initial]));
                Err(not_one_of(words).maybe_fix(near.filter(|_| parts.len() == 1)))
            }
            None => Err(not_one_of(words)),
        }
    }
}

fn not_one_of(words: &[&str]) -> ValueError {
    let known = if words.len() <= 8 {
        format!(" ({})", words.join(", "))
    } else {
        String::new()
    };
    ValueError::new(format!("is not one of the words here{known}"))
}

fn word(value: &str, words: &'static [&'static str]) -> Result<(), ValueError> {
    if words.contains(&value) {
        return Ok(());
    }
    let same = words
        .iter()
        .find(|word| word.eq_ignore_ascii_case(value))
        .copied();
    let near = same.or_else(|| nearest_word(value, words.iter().copied()));
    Err(not_one_of(words).maybe_fix(near))
}

fn or_word<T: FcpValue>(value: &str, words: &'static [&'static str]) -> Result<(), ValueError> {
    if words.contains(&value) {
        return Ok(());
    }
    match T::parse(value) {
        Ok(_) => Ok(()),
        Err(error) if error.fix.is_some() => Err(error),
        Err(error) => Err(error.maybe_fix(nearest_word(value, words.iter().copied()))),
    }
}

fn number_from(value: &str, least: u8) -> Result<(), ValueError> {
    let number = Decimal::parse(value)?;
    if number.get() < f64::from(least) {
        return Err(ValueError::new(format!("is below {least}")).fix(least.to_string()));
    }
    Ok(())
}

fn weight(value: &str) -> Result<(), ValueError> {
    match value.parse::<u32>() {
        _ if WEIGHTS.contains(&value) => Ok(()),
        Ok(1..=1000) => Ok(()),
        Ok(0) => Err(ValueError::new("is below 1").fix("100")),
        Ok(_) => Err(ValueError::new("is above 1000").fix("900")),
        Err(_) => {
            let near = nearest_word(value, WEIGHTS.iter().copied());
            Err(ValueError::new("is not a weight (1 to 1000, normal, bold)").maybe_fix(near))
        }
    }
}

fn dashes(value: &str) -> Result<(), ValueError> {
    if value == "none" {
        return Ok(());
    }
    let sign = |c: char| c == ',' || c.is_ascii_whitespace();
    let mut parts: Vec<&str> = value.split(sign).filter(|part| !part.is_empty()).collect();
    let sound = |part: &&str| Unsigned::<Length>::parse(part).is_ok();
    let doubled = value.split(',').any(|part| part.trim().is_empty());
    if !parts.is_empty() && !doubled && parts.iter().all(sound) {
        return Ok(());
    }
    let error = ValueError::new("is not a dash: lengths between commas");
    if nearest_word(value, ["none"]).is_some() {
        return Err(error.fix("none"));
    }
    if value.contains([';', '/']) {
        parts = value.split([';', '/', ',']).map(str::trim).collect();
    }
    let mended: Option<Vec<String>> = parts
        .into_iter()
        .map(|part| match Unsigned::<Length>::parse(part) {
            Ok(_) => Some(part.to_owned()),
            Err(error) => error.fix,
        })
        .collect();
    Err(error.maybe_fix(
        mended
            .filter(|parts| !parts.is_empty())
            .map(|parts| parts.join(",")),
    ))
}

/// `none`, `url(#ID)`, or a bare id, which is written as `url(#ID)`.
fn reference(value: &str) -> Result<String, ValueError> {
    let trimmed = value.trim();
    if trimmed == "none" {
        return Ok(trimmed.to_owned());
    }
    if trimmed.ends_with(')') && url_id(trimmed).is_some() {
        return Ok(trimmed.to_owned());
    }
    if is_legal(trimmed) {
        return Ok(format!("url(#{trimmed})"));
    }
    let bare = trimmed
        .trim_start_matches("url")
        .trim_matches(['(', ')', '#', '"', '\'', ' ']);
    let id = mended(bare);
    Err(ValueError::new("is not a reference: none, ID or url(#ID)")
        .maybe_fix(id.map(|id| format!("url(#{id})"))))
}

/// Whether a value is a list of filter functions: `blur(2px) invert(1)`.
fn is_functions(value: &str) -> bool {
    let mut rest = value.trim();
    let mut any = false;
    while let Some((name, inside)) = rest.split_once('(') {
        if !FILTERS.contains(&name) {
            return false;
        }
        let mut depth = 1u32;
        let close = inside.find(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let Some(after) = close.and_then(|close| inside.get(close + 1..)) else {
            return false;
        };
        any = true;
        rest = after.trim_start();
    }
    any && rest.is_empty()
}

/// Checks that a text stays within its declaration: no semicolon or brace outside strings, and all
/// strings closed.
fn text(value: &str) -> Result<(), ValueError> {
    if value.trim().is_empty() {
        return Err(ValueError::sentence("a value is needed"));
    }
    let bytes = value.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => {
                let end = string_end(bytes, at);
                if end < at + 2 || bytes.get(end - 1) != Some(&byte) {
                    return Err(ValueError::new("has a quote that is not closed"));
                }
                at = end;
            }
            b';' | b'{' | b'}' | b'\\' | b'<' => {
                return Err(ValueError::new(format!(
                    "has a {} outside quotes",
                    char::from(byte)
                )));
            }
            _ => at += 1,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::property::find;

    #[test]
    fn values_are_written_as_files_have_them() {
        for (name, value, written) in [
            ("fill", "gradient:sunset", "url(#sunset)"),
            ("filter", "drop_shadow", "url(#drop_shadow)"),
            (
                "filter",
                "blur(2px) drop-shadow(1px 1px rgb(1,2,3))",
                "blur(2px) drop-shadow(1px 1px rgb(1,2,3))",
            ),
            ("clip", "url(#a)", "url(#a)"),
            ("opacity", "50%", "50%"),
            ("sw", "2.50", "2.50"),
            ("dash", "4,2", "4,2"),
            ("dash", "4 2mm", "4 2mm"),
            ("weight", "650", "650"),
            ("size", "12pt", "12pt"),
            ("font", "'Noto; Sans', serif", "'Noto; Sans', serif"),
            ("paint-order", "stroke fill", "stroke fill"),
            ("transform", "rotate(45deg)", "rotate(45deg)"),
            ("letter-spacing", "-1", "-1"),
        ] {
            assert_eq!(
                find(name).unwrap().check(value).as_deref(),
                Ok(written),
                "{name}:{value}"
            );
        }
    }

    #[test]
    fn invalid_values_of_properties_are_repaired() {
        for (name, value, fix) in [
            ("fill", "rde", Some("red")),
            ("opacity", "1.5", Some("1")),
            ("opacity", "50", Some("50%")),
            ("opacity", "-1", Some("0")),
            ("sw", "-2", None),
            ("sw", "2 px", Some("2px")),
            ("cap", "rond", Some("round")),
            ("anchor", "Middle", Some("middle")),
            ("weight", "2000", Some("900")),
            ("weight", "bld", Some("bold")),
            ("dash", "4;2", Some("4,2")),
            ("dash", "4,,2", Some("4,2")),
            // A number is not given without its sign.
            ("dash", "4,-2", None),
            ("dash", "non", Some("none")),
            ("dash", "dotted", None),
            ("clip", "url(a)", Some("url(#a)")),
            ("clip", "#a", Some("url(#a)")),
            ("size", "mediun", Some("medium")),
            ("stroke-miterlimit", "0", Some("1")),
            ("paint-order", "strok", Some("stroke")),
            ("paint-order", "fill fill", None),
            ("font", "a;b:c", None),
            ("font", "'a", None),
            ("font", "", None),
            ("transform", "rotat(45deg)", Some("rotate(45deg)")),
        ] {
            let property = find(name).unwrap();
            let error = property.check(value).unwrap_err();
            assert_eq!(error.fix.as_deref(), fix, "{name}:{value}");
            if let Some(fix) = fix {
                assert!(property.check(fix).is_ok(), "{name}:{fix}");
            }
        }
    }
}

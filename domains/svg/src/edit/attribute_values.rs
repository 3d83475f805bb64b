//! Values of known attributes that are not properties.

use fcp::value::{FcpValue, Length, Share, Unsigned, ValueError, nearest_word};

use crate::model::{Drawing, NodeId};
use crate::path::Path;
use crate::property;
use crate::style;
use crate::syntax::points::Points;
use crate::syntax::view_box::view_box;
use crate::transform::{Syntax, TransformList};

/// The coordinate systems for the lengths of a definition.
const UNITS: &[&str] = &["userSpaceOnUse", "objectBoundingBox"];
/// The alignments in `preserveAspectRatio`.
const ALIGNS: &[&str] = &[
    "none", "xMinYMin", "xMidYMin", "xMaxYMin", "xMinYMid", "xMidYMid", "xMaxYMid", "xMinYMax",
    "xMidYMax", "xMaxYMax",
];

/// Checks a value of an attribute on an element of a kind. Unknown attributes accept any value.
///
/// # Errors
/// The fault, and a correct value if there is an obvious one.
pub fn check(kind: &str, name: &str, text: &str) -> Result<(), ValueError> {
    // Texts take lists of coordinates, and filter primitives take numbers.
    let listed = matches!(kind, "text" | "tspan" | "element") || kind.starts_with("fe");
    match name {
        "x" | "y" | "cx" | "cy" | "x1" | "y1" | "x2" | "y2" | "fx" | "fy" if !listed => {
            Length::parse(text).map(drop)
        }
        "width" | "height" | "rx" | "ry" if !listed && text == "auto" => Ok(()),
        "width" | "height" | "r" | "rx" | "ry" | "fr" if !listed => {
            Unsigned::<Length>::parse(text).map(drop)
        }
        "offset" if kind == "stop" => Share::parse(text).map(drop),
        "viewBox" => match view_box(text) {
            Some(_) => Ok(()),
            None => Err(ValueError::new("is not X Y WIDTH HEIGHT").fix("0 0 100 100")),
        },
        "preserveAspectRatio" => ratio(text),
        "spreadMethod" => word(text, &["pad", "reflect", "repeat"]),
        "gradientUnits"
        | "patternUnits"
        | "patternContentUnits"
        | "clipPathUnits"
        | "maskUnits"
        | "maskContentUnits"
        | "filterUnits"
        | "primitiveUnits" => word(text, UNITS),
        "markerUnits" => word(text, &["strokeWidth", "userSpaceOnUse"]),
        _ => Ok(()),
    }
}

fn word(text: &str, words: &[&'static str]) -> Result<(), ValueError> {
    if words.contains(&text) {
        return Ok(());
    }
    let near = nearest_word(text, words.iter().copied()).or(words.first().copied());
    Err(ValueError::new(format!("is not one of {}", words.join(", "))).maybe_fix(near))
}

fn ratio(text: &str) -> Result<(), ValueError> {
    let mut parts = text.split_ascii_whitespace();
    let (align, how) = (parts.next().unwrap_or_default(), parts.next());
    word(align, ALIGNS)?;
    let how = how.unwrap_or("meet");
    match word(how, &["meet", "slice"]) {
        Ok(()) if parts.next().is_none() => Ok(()),
        Ok(()) => Err(ValueError::new("has an extra word").fix(format!("{align} {how}"))),
        Err(error) => {
            let fix = error.fix.as_deref().map(|how| format!("{align} {how}"));
            Err(error.maybe_fix(fix))
        }
    }
}

/// Checks a value of a known attribute, and returns it as files spell it.
///
/// # Errors
/// If the attribute does not accept it.
pub fn checked(
    drawing: &Drawing,
    ids: &[NodeId],
    name: &str,
    text: &str,
) -> Result<String, ValueError> {
    let same = || text.to_owned();
    match name {
        "transform" | "gradientTransform" | "patternTransform" => {
            TransformList::checked(text, Syntax::Attribute)
                .map(|_| same())
                .map_err(|fault| ValueError::sentence(fault.to_string()).maybe_fix(fault.fix))
        }
        "d" => Path::checked(text)
            .map(|_| same())
            .map_err(|fault| ValueError::sentence(fault.to_string())),
        "points" => Points::checked(text)
            .map(|_| same())
            .map_err(|fault| ValueError::sentence(fault.to_string())),
        _ => match property::named(name) {
            Some(property) => style::value(&drawing.nodes, property, text),
            None => {
                for id in ids {
                    check(drawing.nodes.kind_name(*id), name, text)?;
                }
                Ok(same())
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_attributes_check_their_values() {
        for (kind, name, text, fix) in [
            ("rect", "x", "-1.5mm", Ok(())),
            ("rect", "x", "wide", Err(None)),
            ("rect", "width", "auto", Ok(())),
            ("rect", "width", "-4", Err(None)),
            ("text", "x", "1 2 3", Ok(())),
            ("feOffset", "width", "50%", Ok(())),
            ("stop", "offset", "50%", Ok(())),
            ("svg", "viewBox", "0 0 10 10", Ok(())),
            ("svg", "viewBox", "0 0 10", Err(Some("0 0 100 100"))),
            ("image", "preserveAspectRatio", "xMidYMid slice", Ok(())),
            (
                "image",
                "preserveAspectRatio",
                "xmidymid",
                Err(Some("xMidYMid")),
            ),
            (
                "image",
                "preserveAspectRatio",
                "none slise",
                Err(Some("none slice")),
            ),
            ("gradient", "spreadMethod", "reflct", Err(Some("reflect"))),
            (
                "gradient",
                "gradientUnits",
                "x",
                Err(Some("userSpaceOnUse")),
            ),
            ("rect", "data-k", "anything", Ok(())),
        ] {
            let found = check(kind, name, text);
            let found = found
                .as_ref()
                .copied()
                .map_err(|error| error.fix.as_deref());
            assert_eq!(found, fix, "{kind} {name}={text}");
        }
    }
}

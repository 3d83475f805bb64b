//! What the keys of `modify` set.

use fcp::prelude::*;
use fcp::value::{Length, Point, Size, Unsigned};

use crate::number::spell_given;
use crate::values::{Link, PathData, PointList};

/// The keys of its own that a kind of element has.
#[must_use]
pub fn own_keys(kind: &str) -> &'static [&'static str] {
    match kind {
        "rect" => &["x", "y", "width", "height", "size", "rx", "ry"],
        "circle" => &["cx", "cy", "r", "size"],
        "ellipse" => &["cx", "cy", "rx", "ry", "size"],
        "line" => &["x1", "y1", "x2", "y2", "from", "to"],
        "polyline" | "polygon" => &["points"],
        "path" => &["d"],
        "text" => &["x", "y"],
        "image" | "use" | "svg" => &["x", "y", "width", "height", "size"],
        "a" => &["href"],
        _ => &[],
    }
}

/// The attributes that a place sets: of a corner, a centre, or a text's point. Nothing for what has none.
#[must_use]
pub fn place_of(kind: &str) -> Option<[&'static str; 2]> {
    match kind {
        "rect" | "image" | "use" | "svg" | "text" => Some(["x", "y"]),
        "circle" | "ellipse" => Some(["cx", "cy"]),
        _ => None,
    }
}

/// The attributes that a key sets on a kind of element; nothing if it is none of its own keys.
///
/// # Errors
/// The value is wrong.
pub fn attributes(kind: &str, keyed: &Keyed) -> Result<Option<Vec<(&'static str, String)>>> {
    let Some(key) = own_keys(kind).iter().find(|own| **own == keyed.key()) else {
        return Ok(None);
    };
    let spelled = keyed.value().to_owned();
    Ok(Some(match *key {
        "size" => sides(kind, &keyed.parse::<Size>()?),
        "from" | "to" => {
            let point: Point = keyed.parse()?;
            let names = if *key == "from" {
                ["x1", "y1"]
            } else {
                ["x2", "y2"]
            };
            vec![
                (names[0], point.x.to_string()),
                (names[1], point.y.to_string()),
            ]
        }
        "points" => vec![(*key, keyed.parse::<PointList>()?.to_string())],
        "d" => vec![(*key, keyed.parse::<PathData>()?.to_string())],
        "href" => vec![(*key, keyed.parse::<Link>()?.to_string())],
        "width" | "height" | "r" | "rx" | "ry" => {
            keyed.parse::<Unsigned<Length>>()?;
            vec![(*key, spelled)]
        }
        _ => {
            keyed.parse::<Length>()?;
            vec![(*key, spelled)]
        }
    }))
}

fn sides(kind: &str, size: &Size) -> Vec<(&'static str, String)> {
    let (width, height) = (size.width.get(), size.height.get());
    match kind {
        "circle" => vec![("r", spell_given(width.min(height) / 2.0))],
        "ellipse" => vec![
            ("rx", spell_given(width / 2.0)),
            ("ry", spell_given(height / 2.0)),
        ],
        _ => vec![
            ("width", size.width.to_string()),
            ("height", size.height.to_string()),
        ],
    }
}

//! `modify` accepts all parameters that `add` and `define` accept.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use fcp::endpoint::{Config, Endpoint};
use fcp::session::endpoint;
use fcp::verb::{Param, Place, Registry};
use fcp_svg::Drawing;

const DATA: &str =
    "\"data:image/gif;base64,R0lGODlhAgABAIAAAP8AAAAAACH5BAAAAAAALAAAAAACAAEAAAICRAoAOw==\"";
const OTHER: &str =
    "data:image/gif;base64,R0lGODlhAQABAIAAAP8AAAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==";

/// The objects that exist besides the new one.
const GIVEN: &[&str] = &[
    "add rect id:card at:10,20 size:40x30",
    "add circle id:dot at:5,5 r:4",
    "add path id:curve d:\"M0 50 Q50 0 100 50\"",
];

/// Parameters that other ops change on existing objects.
const ELSEWHERE: &[(&str, &str)] = &[
    ("id", "rename gives ids, and every use follows"),
    ("in", "move takes it into a container"),
    ("before", "order gives the object after it"),
    ("after", "order gives the object before it"),
    ("near", "move to:REF.right puts it beside another"),
    ("dir", "goes with near:"),
    ("gap", "goes with near:"),
    ("keep", "goes with from:"),
];

/// Definitions that contain objects: `move OBJECT in:DEFINITION` adds to an existing one.
const HELD: (&str, &[&str]) = ("from", &["clip", "mask", "symbol", "pattern", "marker"]);

/// Calculated shapes, whose numbers no file keeps: the result is a polygon or a path, and is
/// modified as such.
const NUMBERS: &[(&str, &[&str])] = &[
    ("star", &["r", "points", "inner", "angle", "at", "center"]),
    ("ngon", &["r", "sides", "angle", "at", "center"]),
    ("arc", &["r", "start", "end", "inner", "at", "center"]),
    ("grid", &["size", "step", "at", "center"]),
];

/// A type, the words to make one, and new values for its parameters.
type Type = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

/// The words to make each type as `it`, and new values for its own parameters.
const TYPES: &[Type] = &[
    (
        "rect",
        "size:9x9",
        &[("size", "20x10"), ("rx", "2"), ("ry", "3")],
    ),
    ("circle", "r:5", &[("r", "8"), ("size", "30")]),
    (
        "ellipse",
        "rx:5 ry:4",
        &[("rx", "8"), ("ry", "9"), ("size", "30x20")],
    ),
    (
        "line",
        "from:0,0 to:9,9",
        &[("from", "1,2"), ("to", "card.right")],
    ),
    (
        "polyline",
        "points:\"0,0 5,5\"",
        &[("points", "\"1,1 2,2\"")],
    ),
    (
        "polygon",
        "points:\"0,0 5,5 0,5\"",
        &[("points", "\"1,1 2,2 1,2\"")],
    ),
    ("path", "d:M0,0h9", &[("d", "M0,0h5")]),
    ("use", "of:card", &[("of", "dot"), ("size", "30x30")]),
    ("group", "", &[]),
    ("layer", "Ink", &[("name", "Colour")]),
    ("a", "href:#", &[("href", "#top")]),
    (
        "text",
        "\"one two\"",
        &[
            ("content", "three"),
            ("italic", "on"),
            ("valign", "middle"),
            ("wrap", "20"),
            ("to", "curve"),
        ],
    ),
    (
        "box",
        "API size:60x40",
        &[
            ("label", "DB"),
            ("size", "80x50"),
            ("rx", "4"),
            ("text-size", "12"),
            ("text-fill", "red"),
        ],
    ),
    (
        "image",
        DATA,
        &[("picture", OTHER), ("size", "20x20"), ("fit", "slice")],
    ),
    ("star", "r:9", &[]),
    ("ngon", "r:9 sides:6", &[]),
    ("arc", "r:9 start:0 end:90", &[]),
    ("grid", "size:90x90 step:9", &[]),
    (
        "gradient",
        "colors:red,blue",
        &[
            ("type", "radial"),
            ("colors", "red,gold"),
            ("angle", "45"),
            ("spread", "repeat"),
            ("units", "canvas"),
        ],
    ),
    (
        "pattern",
        "type:dots",
        &[
            ("type", "grid"),
            ("size", "20"),
            ("color", "red"),
            ("background", "white"),
            ("width", "3"),
            ("angle", "30"),
        ],
    ),
    (
        "marker",
        "type:triangle",
        &[("type", "bar"), ("size", "9"), ("color", "red")],
    ),
    (
        "clip",
        "type:rect size:9x9",
        &[("type", "circle"), ("size", "8x8")],
    ),
    (
        "mask",
        "type:rect size:9x9",
        &[("type", "circle"), ("size", "8x8")],
    ),
    (
        "symbol",
        "type:rect size:9x9",
        &[("type", "circle"), ("size", "8x8")],
    ),
    (
        "filter",
        "type:gaussian-blur std-dev:5",
        &[("type", "glow")],
    ),
];

/// Parameters of an `it` that is made with other words: type, words, parameter, value.
const APART: &[(&str, &str, &str, &str)] = &[
    ("text", "\"a\\nb\"", "line-height", "2"),
    ("text", "\"a\\nb\"", "valign", "bottom"),
    ("text", "\"a\" to:curve", "start-offset", "20%"),
    ("text", "\"one two\" wrap:20", "wrap", "none"),
    ("gradient", "colors:red,blue", "from", "0,1"),
    ("gradient", "colors:red,blue", "to", "0.5,1"),
    (
        "gradient",
        "type:radial colors:red,blue",
        "center",
        "40%,40%",
    ),
    ("gradient", "type:radial colors:red,blue", "r", "60%"),
    (
        "gradient",
        "type:radial colors:red,blue",
        "focus",
        "30%,30%",
    ),
];

/// Shared parameters of several types.
const SHARED: &[(&str, &str)] = &[
    ("at", "70,80"),
    ("center", "70,80"),
    ("class", "new"),
    ("title", "Name"),
    ("desc", "\"In words\""),
    ("transform", "rotate(45)"),
];

/// A session with the given objects and one more, `it`.
fn with(kind: &str, given: &str) -> Box<dyn Endpoint> {
    let root = tempfile::tempdir().unwrap();
    let mut session = endpoint::<Drawing>(&Config::at(root.path())).unwrap();
    assert!(!session.act("new").is_error);
    let verb = match kind {
        "gradient" | "pattern" | "marker" | "filter" | "clip" | "mask" | "symbol" => "define",
        _ => "add",
    };
    let made = format!("{verb} {kind} {given} id:it");
    let ops: Vec<String> = GIVEN
        .iter()
        .map(|op| (*op).to_owned())
        .chain([made])
        .collect();
    let answer = session.run(&ops, None);
    assert!(!answer.is_error, "{}", answer.text);
    session
}

/// Checks that `modify` accepts the parameter, and changes something.
fn takes(kind: &str, given: &str, key: &str, value: &str) -> Result<(), String> {
    let mut session = with(kind, given);
    let op = format!("modify it {key}:{value}");
    let answer = session.run(std::slice::from_ref(&op), None);
    if answer.text.starts_with('*') {
        return Ok(());
    }
    Err(format!("{kind}: {op}\n{}", answer.text))
}

#[test]
fn modify_takes_what_add_and_define_take() {
    let registry = Registry::<Drawing>::build().unwrap();
    let mut wrong = Vec::new();
    for verb in registry.verbs() {
        let Some((first, kind)) = verb.phrase.split_once(' ') else {
            continue;
        };
        // A class is a rule, and `style .CLASS` changes it.
        if !matches!(first, "add" | "define") || kind == "class" {
            continue;
        }
        let Some((_, given, own)) = TYPES.iter().find(|(name, _, _)| *name == kind) else {
            wrong.push(format!("{} is not looked at", verb.phrase));
            continue;
        };
        for Param { name, place, .. } in verb.params {
            let apart = APART.iter().any(|row| (row.0, row.2) == (kind, *name));
            let numbers = NUMBERS.iter().find(|(shape, _)| *shape == kind);
            let numbers = numbers.is_some_and(|(_, keys)| keys.contains(name));
            let held = *name == HELD.0 && HELD.1.contains(&kind);
            let elsewhere = ELSEWHERE.iter().any(|(key, _)| key == name);
            // The embedded file must exist: `drawn_bytes.rs` has one.
            if elsewhere || apart || numbers || held || *name == "embed" {
                continue;
            }
            let (key, value) = if *place == Place::Fields {
                match kind {
                    "filter" => ("std-dev", "7"),
                    _ => ("opacity", "0.5"),
                }
            } else {
                let found = own.iter().find(|(key, _)| key == name);
                match found.or_else(|| SHARED.iter().find(|(key, _)| key == name)) {
                    Some((key, value)) => (*key, *value),
                    None => {
                        wrong.push(format!("{} {name}: is not looked at", verb.phrase));
                        continue;
                    }
                }
            };
            let key = if key == "content" { "text" } else { key };
            wrong.extend(takes(kind, given, key, value).err());
        }
    }
    for (kind, given, key, value) in APART {
        wrong.extend(takes(kind, given, key, value).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The content of the drawing after ops.
fn left(kind: &str, given: &str, ops: &[&str]) -> String {
    let mut session = with(kind, given);
    for op in ops {
        let answer = session.run(&[(*op).to_owned()], None);
        assert!(!answer.is_error, "{op}\n{}", answer.text);
    }
    session.query("svg it").text
}

#[test]
fn modifying_equals_making_with_the_same_parameters() {
    for (kind, given, ops, wanted) in [
        (
            "text",
            "\"a\\nb\" at:9,9",
            &["modify it valign:middle"] as &[&str],
            "\"a\\nb\" at:9,9 valign:middle",
        ),
        (
            "text",
            "\"a\\nb\\nc\" at:9,9",
            &["modify it valign:bottom line-height:2"],
            "\"a\\nb\\nc\" at:9,9 line-height:2 valign:bottom",
        ),
        (
            "text",
            "\"quick brown fox\" at:9,9 wrap:90",
            &["modify it wrap:none"],
            "\"quick brown fox\" at:9,9",
        ),
        (
            "text",
            "one",
            &["modify it to:curve start-offset:5"],
            "one to:curve start-offset:5",
        ),
        (
            "box",
            "API at:9,9 size:60x40",
            &[
                "modify it center:100,100 size:80x50",
                "modify it label:\"a\\nb\" text-size:10 fill:red",
            ],
            "\"a\\nb\" center:100,100 size:80x50 text-size:10 fill:red",
        ),
        (
            "rect",
            "at:0,0 size:9x9",
            &["modify it center:50,50 size:20x10"],
            "center:50,50 size:20x10",
        ),
        (
            "rect",
            "at:0,0 size:9x9",
            &["modify it desc:D", "modify it title:T"],
            "at:0,0 size:9x9 title:T desc:D",
        ),
        ("use", "of:card", &["modify it of:dot"], "of:dot"),
        ("layer", "Ink", &["modify it name:Colour"], "Colour"),
    ] {
        assert_eq!(left(kind, given, ops), left(kind, wanted, &[]), "{ops:?}");
    }
    let untitled = left("rect", "at:0,0 size:9x9 title:T", &["modify it title:\"\""]);
    assert!(!untitled.contains("title"), "{untitled}");
}

#[test]
fn missing_parameters_of_objects_are_reported() {
    for (kind, given, op, wanted) in [
        (
            "rect",
            "size:9x9",
            "modify it text:Hi",
            "! it is a rect, which has no text:",
        ),
        (
            "rect",
            "size:9x9",
            "modify it valign:top",
            "! it is a rect, which has no valign:",
        ),
        ("rect", "size:9x9", "modify it to:1,1", "! rect has no to:"),
        (
            "path",
            "d:M0,0h9",
            "modify it center:1,1",
            "! it is a path, which has no center:",
        ),
        (
            "rect",
            "size:9x9",
            "modify it of:dot",
            "! it is a rect, which has no of:",
        ),
        (
            "text",
            "one",
            "modify it start-offset:5",
            "! it follows no path",
        ),
        ("text", "one", "modify it wrap:0", "! wrap:0 leaves no room"),
        (
            "text",
            "one",
            "modify it text-size:5",
            "! it is a text, which has no text-size:",
        ),
        (
            "clip",
            "type:rect size:9x9",
            "modify it from:dot",
            "! it exists; move puts objects into it",
        ),
        (
            "rect",
            "size:9x9",
            "modify it at:1,1 center:1,1",
            "! at: and center: both set the position; give one",
        ),
    ] {
        let mut session = with(kind, given);
        let answer = session.run(&[op.to_owned()], None);
        let first = answer.text.lines().next().unwrap_or_default();
        assert_eq!(first, wanted, "{op}\n{}", answer.text);
    }
}

//! The attributes that `changes` and `diff` name, compared with those that another parser finds in
//! both files. Most values are written in other characters than they mean.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeMap;

use crate::support::Desk;

const GIVEN: &str = r##"<!DOCTYPE svg [<!ENTITY c "#f00">]><svg xmlns="http://www.w3.org/2000/svg">
<rect id="r" fill="&c;" stroke="&c;" width="2" height="2" data-a="Tom &amp; Jo" data-b="x &lt; y"/>
<path id="p" aria-label="one
 two" d="M0 0
 L9 9" data-a="&#65;"/>
<a id="l" href="?a=1&amp;b=2" aria-label="A &amp; B"><circle id="k" r="&#51;" data-b='"' data-a="it's"/></a></svg>"##;

const IDS: [&str; 4] = ["r", "p", "l", "k"];
const NAMES: [&str; 8] = [
    "fill",
    "stroke",
    "data-a",
    "data-b",
    "data-c",
    "aria-label",
    "href",
    "opacity",
];
const VALUES: [&str; 5] = ["'1'", "'0.5'", "'x & y'", "'a < b'", "'say \"so\"'"];

type Attributes = BTreeMap<(String, String), String>;

/// The attributes of the elements with an id, by another parser.
fn attributes(text: &str) -> Attributes {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    let document = roxmltree::Document::parse_with_options(text, options).unwrap();
    let mut found = Attributes::new();
    for node in document.descendants() {
        if let Some(id) = node.attribute("id") {
            for own in node.attributes() {
                let place = (id.to_owned(), own.name().to_owned());
                found.insert(place, own.value().to_owned());
            }
        }
    }
    found
}

/// The differences of both, each a line as `changes` has it.
fn differences(then: &Attributes, now: &Attributes) -> Vec<String> {
    let places: std::collections::BTreeSet<_> = then.keys().chain(now.keys()).collect();
    let lines = places.into_iter().filter_map(|place| {
        let (was, is) = (then.get(place), now.get(place));
        let kind = match (was, is) {
            (None, _) => "added",
            (_, None) => "removed",
            _ if was == is => return None,
            _ => "changed",
        };
        let cell = |own: Option<&String>| own.cloned().unwrap_or_else(|| "NULL".to_owned());
        let (id, name) = place;
        Some(format!(
            "{id} | {kind} | {name} | {} | {}",
            cell(was),
            cell(is)
        ))
    });
    lines.collect()
}

#[test]
fn changes_name_the_attributes_that_another_parser_finds() {
    let mut seed = 1_u64;
    let mut next = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(seed >> 33).unwrap() % most
    };
    let mut told = 0;
    for _ in 0..300 {
        let mut desk = Desk::open(GIVEN);
        for _ in 0..=next(4) {
            let (id, name) = (IDS[next(IDS.len())], NAMES[next(NAMES.len())]);
            let value = VALUES[next(VALUES.len())];
            let op = match next(3) {
                0 => format!("DELETE FROM attributes WHERE ref='{id}' AND name='{name}'"),
                1 => format!(
                    "UPDATE attributes SET value={value} WHERE ref='{id}' AND name='{name}'"
                ),
                _ => format!(
                    "INSERT INTO attributes(ref, name, value) VALUES ('{id}', '{name}', {value})"
                ),
            };
            // A value that the attribute cannot have is rejected, which changes nothing.
            desk.session.run(&[op], None);
        }
        let expected = differences(&attributes(GIVEN), &attributes(&desk.saved()));
        let question = "SELECT ref, kind, field, before, after FROM changes WHERE tbl='attributes' ORDER BY 1, 3";
        let answer = desk.session.query(question).text;
        let found: Vec<&str> = answer
            .lines()
            .skip(1)
            .filter(|line| line.contains(" | "))
            .collect();
        told += found.len();
        assert_eq!(
            found,
            expected,
            "{}",
            desk.session.query("diff checkpoint:open").text
        );
    }
    assert!(told > 100, "only {told} changes");
}

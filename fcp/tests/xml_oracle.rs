//! The lossless XML tree compared with roxmltree, on files of other projects and on malformed
//! files.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::collections::BTreeMap;

use fcp::format::xml::{self, Kind, Limits, Node, Reason};
use fcp::model::{Id, Ids, Journaled, Step, Tree};
use fcp::testing::{data, files, say};

/// Every XML file in the data, if that exists.
fn texts() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let folders = ["svg", "drawio"].into_iter().filter_map(data);
    for path in folders.flat_map(|folder| files(&folder, &["svg", "xml", "drawio"])) {
        // Other encodings and byte order marks are handled by another layer.
        if let Ok(text) = String::from_utf8(std::fs::read(&path).unwrap()) {
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
            found.push((path.display().to_string(), text));
        }
    }
    found.sort();
    found
}

/// The content of a document as both readers see it, without its spelling.
#[derive(Debug, PartialEq)]
enum Event {
    Start(
        Option<String>,
        String,
        Vec<(Option<String>, String, String)>,
    ),
    End,
    Text(String),
    Comment(String),
    Instruction(String, String),
}

fn push_text(events: &mut Vec<Event>, text: &str) {
    if text.is_empty() {
        return;
    }
    match events.last_mut() {
        Some(Event::Text(before)) => before.push_str(text),
        _ => events.push(Event::Text(text.to_owned())),
    }
}

fn roxmltree_says(document: &roxmltree::Document<'_>) -> Vec<Event> {
    let owned = |uri: Option<&str>| uri.filter(|uri| !uri.is_empty()).map(str::to_owned);
    let mut events = Vec::new();
    let mut stack = vec![(document.root_element(), false)];
    while let Some((node, end)) = stack.pop() {
        if end {
            events.push(Event::End);
        } else if node.is_element() {
            let attrs = node.attributes().map(|attr| {
                let name = attr.name().to_owned();
                (owned(attr.namespace()), name, attr.value().to_owned())
            });
            let name = node.tag_name();
            let (uri, local) = (owned(name.namespace()), name.name().to_owned());
            events.push(Event::Start(uri, local, attrs.collect()));
            stack.push((node, true));
            let children: Vec<_> = node.children().collect();
            stack.extend(children.into_iter().rev().map(|child| (child, false)));
        } else if node.is_comment() {
            events.push(Event::Comment(node.text().unwrap_or("").to_owned()));
        } else if let Some(pi) = node.pi() {
            let rest = pi.value.unwrap_or("").to_owned();
            events.push(Event::Instruction(pi.target.to_owned(), rest));
        } else {
            push_text(&mut events, node.text().unwrap_or(""));
        }
    }
    events
}

/// The content of the tree's root element. The files contain no entities of markup.
fn tree_says(tree: &Tree<Node>) -> Vec<Event> {
    let mut events = Vec::new();
    let owned = |uri: Option<std::borrow::Cow<'_, str>>| uri.map(std::borrow::Cow::into_owned);
    let line_ends = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    for step in tree.walk(xml::root(tree).unwrap()) {
        let id = match step {
            Step::Enter(id) => id,
            Step::Leave(id) => {
                if let Some(element) = tree.get(id).unwrap().element() {
                    push_text(&mut events, &line_ends(element.space_before_end()));
                    events.push(Event::End);
                }
                continue;
            }
        };
        let node = tree.get(id).unwrap();
        if !events.is_empty() {
            push_text(&mut events, &line_ends(node.lead()));
        }
        match node.kind() {
            Kind::Element(element) => {
                let values = element.values();
                let attrs =
                    values.filter(|(name, _)| *name != "xmlns" && !name.starts_with("xmlns:"));
                let attrs = attrs.map(|(name, value)| {
                    let uri = owned(xml::attr_namespace(tree, id, name));
                    let local = name.split_once(':').map_or(name, |(_, local)| local);
                    (uri, local.to_owned(), value.into_owned())
                });
                let uri = owned(xml::namespace_of(tree, id));
                events.push(Event::Start(
                    uri,
                    element.local_name().to_owned(),
                    attrs.collect(),
                ));
            }
            Kind::Text(_) | Kind::CData(_) => push_text(&mut events, &node.text().unwrap()),
            Kind::Comment(_) => {
                events.push(Event::Comment(node.comment_text().unwrap().to_owned()));
            }
            Kind::Instruction(_) => {
                let (target, rest) = node.instruction().unwrap();
                events.push(Event::Instruction(target.to_owned(), rest.to_owned()));
            }
            Kind::Entity(_)
            | Kind::Declaration(_)
            | Kind::Doctype(_)
            | Kind::EntityDecl(_)
            | Kind::Markup(_) => {
                panic!("the files have none of these: {node:?}")
            }
        }
    }
    events
}

fn open(text: &str, limits: &Limits) -> Result<Tree<Node>, xml::XmlError> {
    let mut tree = Tree::attach(&Ids::default());
    let root: Id<Node> = Tree::<Node>::ROOT;
    xml::read(text.to_owned(), limits)?
        .place(&mut tree, root, None)
        .unwrap();
    Ok(tree)
}

fn dtd_allowed<'a>() -> roxmltree::ParsingOptions<'a> {
    roxmltree::ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    }
}

#[test]
fn files_come_back_byte_for_byte_and_say_what_roxmltree_says() {
    let mut both = [0, 0];
    let mut other = BTreeMap::new();
    for (name, text) in texts() {
        let oracle = roxmltree::Document::parse_with_options(&text, dtd_allowed());
        match (open(&text, &Limits::default()), oracle) {
            (Ok(tree), Ok(document)) => {
                assert!(tree.text() == text, "{name}: other bytes come back");
                let entities = tree
                    .ids()
                    .any(|id| matches!(tree.get(id).unwrap().kind(), Kind::Entity(_)));
                if entities {
                    say(&format!("{name}: has entities that stand for markup"));
                } else {
                    let (ours, theirs) = (tree_says(&tree), roxmltree_says(&document));
                    let at = ours.iter().zip(&theirs).position(|(a, b)| a != b);
                    assert!(
                        ours == theirs,
                        "{name}: {:?} {:?}",
                        at.map(|at| &ours[at]),
                        at.map(|at| &theirs[at])
                    );
                }
                both[0] += 1;
            }
            (Err(_), Err(_)) => both[1] += 1,
            (Err(error), Ok(_)) if error.reason.is_limit() => both[1] += 1,
            (Ok(_), Err(error)) => {
                drop(other.insert(name, format!("only roxmltree refuses: {error}")));
            }
            (Err(error), Ok(_)) => drop(other.insert(name, format!("only we refuse: {error}"))),
        }
    }
    assert!(other.is_empty(), "{other:#?}");
    say(&format!(
        "{} files agree, {} are refused by both or for a limit",
        both[0], both[1]
    ));
}

/// A random number generator with a fixed seed: xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let x = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(x).unwrap() % n
    }
}

/// Pieces inserted to make errors likely.
const PIECES: [&str; 48] = [
    "<",
    ">",
    "&",
    "\"",
    "'",
    "/",
    "=",
    " ",
    "\n",
    "\r\n",
    "]]>",
    "--",
    "-",
    "?",
    "!",
    ":",
    ";",
    "<!--",
    "-->",
    "<?",
    "?>",
    "<![CDATA[",
    "<a>",
    "</a>",
    "<a/>",
    "<p:a/>",
    "</g>",
    "</svg>",
    " a='1'",
    " a='1' a='2'",
    " p:a=''",
    "&lt;",
    "&#65;",
    "&#0;",
    "&#xD800;",
    "&x;",
    "&",
    "\u{1}",
    "\u{fffe}",
    "é",
    "\u{300}",
    " xmlns:p='q'",
    " xmlns='x'",
    " xmlns:xml='x'",
    "<?xml version='1.0'?>",
    "<!DOCTYPE svg>",
    "<!DOCTYPE a [<!ENTITY x 'y'>]>",
    "\u{0}",
];

fn mutate(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(2) {
        let mut place = |text: &str| {
            let mut at = random.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (a, b) = (place(&text), place(&text));
        let (start, end) = (a.min(b), a.max(b));
        let near = text[start..]
            .char_indices()
            .nth(3)
            .map_or(text.len(), |(at, _)| start + at);
        match random.below(5) {
            0 => text.replace_range(start..near, ""),
            1 => text.replace_range(start..end, ""),
            2 => {
                let piece = text[start..near].to_owned();
                text.insert_str(end, &piece);
            }
            _ => text.insert_str(a, PIECES[random.below(PIECES.len())]),
        }
    }
    text
}

/// Rules of the recommendation that roxmltree does not enforce.
fn stricter(reason: &Reason) -> Option<&'static str> {
    match reason {
        Reason::Expected("version 1.0" | "the name of an encoding" | "standalone yes or no") => {
            Some(
                "XML 1.0, 2.8 and 2.9: roxmltree does not look at the values of the XML declaration",
            )
        }
        Reason::BadCharReference(_) => {
            Some("XML 1.0, 4.1: roxmltree reads a reference to a surrogate as U+FFFD")
        }
        _ => None,
    }
}

#[test]
fn both_readers_reject_the_same_errors() {
    let files = texts();
    let small: Vec<&String> = files
        .iter()
        .map(|(_, text)| text)
        .filter(|text| (1..6_000).contains(&text.len()))
        .collect();
    if small.is_empty() {
        return;
    }
    let mut random = Random(0x5eed);
    let mut verdicts = [0, 0];
    let mut other: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for _ in 0..std::env::var("FCP_MUTANTS").map_or(5_000, |n| n.parse().unwrap()) {
        let text = mutate(small[random.below(small.len())], &mut random);
        let ours = open(&text, &Limits::default());
        let theirs = roxmltree::Document::parse_with_options(&text, dtd_allowed());
        let mut differs = |what: String| {
            let entry = other.entry(what).or_insert((0, String::new()));
            entry.0 += 1;
            entry.1 = text.chars().take(600).collect();
        };
        match (&ours, theirs) {
            (Ok(tree), Ok(_)) => {
                assert!(tree.text() == text, "other bytes come back: {text}");
                verdicts[0] += 1;
            }
            (Err(_), Err(_)) => verdicts[1] += 1,
            (Err(error), Ok(_)) if error.reason.is_limit() => {}
            (Err(error), Ok(_)) if stricter(&error.reason).is_some() => {}
            (Err(error), Ok(_)) => differs(format!(
                "only we refuse: {:?} at {}:{}",
                error.reason, error.line, error.column
            )),
            (Ok(_), Err(error)) => differs(format!("only roxmltree refuses: {error}")),
        }
    }
    assert!(other.is_empty(), "{verdicts:?} {other:#?}");
    assert!(verdicts[0] > 100 && verdicts[1] > 100, "{verdicts:?}");
    say(&format!("{verdicts:?} mutants opened and refused"));
}

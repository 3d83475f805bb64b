//! Files survive a save byte for byte, and invalid drawings are rejected.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "what a test calls may fail it"
)]

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use fcp::domain::Domain;
use fcp::endpoint::{Config, Endpoint};
use fcp::format::encoding;
use fcp::format::xml::Node;
use fcp::model::{Step, Tree, TreeRow};
use fcp::session::Session;
use fcp::testing::{data, files, others, say};
use fcp_svg::model::Index;
use fcp_svg::{Drawing, NodeId};

/// Test files with all odd spellings that a save must keep.
const OWN: &[&str] = &[
    "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "\u{feff}<?xml version=\"1.0\"?>\r\n<svg xmlns=\"http://www.w3.org/2000/svg\">\r\n\t<rect  x = '1'\r\ny=\"+2.50\" />\r\n</svg >\r\n",
    "<!DOCTYPE svg [<!ENTITY dot \"<circle r='1'/>\">]>\n<svg xmlns=\"http://www.w3.org/2000/svg\">&dot;<!-- a --><?b c?><![CDATA[]]></svg>\n\n",
    "<s:svg xmlns:s=\"http://www.w3.org/2000/svg\" xmlns:x=\"urn:x\"><x:y z=\"&#65;&amp;&lt;\"/>\n<s:text> a <s:tspan>b</s:tspan>\u{a0}c</s:text></s:svg>",
];

/// Rejected files, with parts of their errors.
const REFUSED: &[(&str, &str)] = &[
    ("", "root"),
    ("<html/>", "<html>, not <svg>"),
    ("<svg><g></svg>", "line 1 column"),
    ("<svg a='1' a='2'/>", "line 1 column"),
    ("<svg>&nothing;</svg>", "nothing"),
    (
        "<!DOCTYPE svg SYSTEM 'a.dtd' [<!ENTITY e SYSTEM 'b.txt'>]><svg>&e;</svg>",
        "e",
    ),
    ("<svg/><svg/>", "line 1 column"),
];

#[test]
fn every_spelling_comes_back() {
    for text in OWN {
        let drawing = Drawing::read(text.as_bytes(), "own.svg").unwrap();
        let written = drawing.file("svg").unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), *text);
        let packed = drawing.file("svgz").unwrap();
        let again = Drawing::read(&packed, "own.svgz").unwrap();
        assert_eq!(again.file("svg").unwrap(), text.as_bytes());
    }
}

#[test]
fn invalid_drawings_are_rejected_with_a_reason() {
    for (text, reason) in REFUSED {
        let error = Drawing::read(text.as_bytes(), "bad.svg").err();
        let message = error.unwrap_or_else(|| panic!("{text} was opened")).message;
        assert!(message.contains(reason), "{text}: {message}");
    }
}

#[test]
fn other_encodings_come_back() {
    let text = "<?xml version=\"1.0\" encoding=\"windows-1252\"?><svg><text>caf\u{e9}</text></svg>";
    let latin: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let drawing = Drawing::read(&latin, "latin.svg").unwrap();
    assert_eq!(drawing.file("svg").unwrap(), latin);
    let units = "<svg><text>\u{1f600}</text></svg>".encode_utf16();
    let wide: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain(units.flat_map(u16::to_le_bytes))
        .collect();
    let drawing = Drawing::read(&wide, "wide.svg").unwrap();
    assert_eq!(drawing.file("svg").unwrap(), wide);
}

/// The content of a compressed file, or the file itself.
fn unpacked(bytes: Vec<u8>) -> Vec<u8> {
    if encoding::is_gzip(&bytes) {
        encoding::inflate(&bytes, 128 << 20).unwrap()
    } else {
        bytes
    }
}

#[test]
fn other_peoples_files_come_back() {
    let Some(folder) = data("svg") else { return };
    let mut checked = 0;
    for path in files(&folder, &["svg", "svgz"]) {
        let bytes = std::fs::read(&path).unwrap();
        if path.components().any(|part| part.as_os_str() == "nasty") {
            continue;
        }
        let drawing = Drawing::read(&bytes, "a.svg")
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let written = drawing.file("svg").unwrap();
        assert!(written == unpacked(bytes), "{}", path.display());
        checked += 1;
    }
    say(&format!("{checked} drawings came back byte for byte"));
    assert!(checked >= 700);
}

#[test]
fn nasty_files_come_back_or_are_refused() {
    let Some(folder) = data("svg") else { return };
    let manifest = std::fs::read_to_string(folder.join("nasty/manifest.json")).unwrap();
    let verdict = |name: &str| {
        let at = manifest
            .find(&format!("\"{name}\""))
            .unwrap_or_else(|| panic!("{name} is not in the manifest"));
        let (_, rest) = manifest[at..].split_once("\"verdict\": \"").unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    for path in files(&folder.join("nasty"), &["svg", "svgz"]) {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        match (Drawing::read(&bytes, &name), &*verdict(&name)) {
            (Ok(drawing), "accept" | "either") => {
                let written = drawing.file("svg").unwrap();
                assert!(written == unpacked(bytes), "{name}");
            }
            (Err(_), "reject" | "either") => {}
            (Ok(_), other) => panic!("{name} was opened: {other}"),
            (Err(error), other) => panic!("{name} was refused ({error}): {other}"),
        }
    }
}

/// Our own files, and third-party files if available.
fn drawings() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let mut all = files(&own, &["svg"]);
    all.extend(others("svg", &["svg"]));
    all
}

/// A session on a file, if it can be opened.
fn opened(root: &Path, file: &Path) -> Option<Session<Drawing>> {
    std::fs::copy(file, root.join("a.svg")).unwrap();
    let mut session = Session::new(&Config::at(root)).unwrap();
    (!session.act("open a.svg").is_error).then_some(session)
}

fn text_of(session: &Session<Drawing>) -> String {
    session.model().unwrap().nodes.tree().text()
}

/// The byte ranges of all start tags in the text.
fn start_tags(session: &Session<Drawing>) -> HashMap<NodeId, Range<usize>> {
    let tree = session.model().unwrap().nodes.tree();
    let (mut tags, mut at) = (HashMap::new(), 0);
    for step in tree.walk(Tree::<Node, Index>::ROOT) {
        let (Step::Enter(id) | Step::Leave(id)) = step;
        let Some(row) = tree.get(id) else { continue };
        let start = at;
        let mut count = |piece: &str| at += piece.len();
        match step {
            Step::Enter(_) => {
                row.head(&mut count);
                tags.insert(id, start..at);
            }
            Step::Leave(_) => row.tail(&mut count),
        }
    }
    tags
}

/// A text, with the byte ranges of its start tags.
struct Written {
    text: String,
    tags: HashMap<NodeId, Range<usize>>,
}

impl Written {
    fn of(session: &Session<Drawing>) -> Self {
        Self {
            text: text_of(session),
            tags: start_tags(session),
        }
    }

    fn tag(&self, id: NodeId) -> &str {
        &self.text[self.tags[&id].clone()]
    }

    /// Describes the first difference of two texts outside the start tags of these elements.
    fn differs_elsewhere(&self, other: &Self, ids: &[NodeId]) -> Option<String> {
        let mut ids = ids.to_vec();
        ids.sort_by_key(|id| self.tags[id].start);
        let (mut here, mut there) = (0, 0);
        for id in ids {
            let (own, its) = (&self.tags[&id], &other.tags[&id]);
            if self.text[here..own.start] != other.text[there..its.start] {
                return Some(format!("before {}", self.tag(id)));
            }
            (here, there) = (own.end, its.end);
        }
        (self.text[here..] != other.text[there..]).then(|| "at the end".to_owned())
    }
}

/// The objects of a drawing, with names for ops.
fn objects(session: &Session<Drawing>) -> Vec<(NodeId, String)> {
    let nodes = &session.model().unwrap().nodes;
    let objects = nodes.elements().filter(|id| nodes.is_object(*id));
    objects.map(|id| (id, nodes.name(id))).collect()
}

/// The piece that was inserted into a text, if that is the only difference.
fn inserted<'a>(old: &str, new: &'a str) -> Option<&'a str> {
    let more = new.len().checked_sub(old.len())?;
    let same = old.bytes().zip(new.bytes());
    let at = same.take_while(|(old, new)| old == new).count();
    (at > 0 && new.as_bytes()[at + more..] == old.as_bytes()[at..])
        .then(|| new.get(at..at + more))
        .flatten()
}

#[test]
fn an_attribute_is_one_insertion_in_one_start_tag() {
    let root = tempfile::tempdir().unwrap();
    let mut checked = 0;
    for path in drawings() {
        let Some(mut session) = opened(root.path(), &path) else {
            continue;
        };
        let mut objects = objects(&session);
        let nodes = &session.model().unwrap().nodes;
        objects.retain(|(id, _)| nodes.attr(*id, "data-p").is_none());
        let (ids, names): (Vec<NodeId>, Vec<String>) = objects.into_iter().unzip();
        if ids.is_empty() {
            continue;
        }
        let before = Written::of(&session);
        let ops = names.iter().map(|name| format!("set {name} data-p \"1\""));
        let answer = session.run(&ops.collect::<Vec<_>>(), None);
        assert!(!answer.is_error, "{}\n{}", path.display(), answer.text);
        let after = Written::of(&session);
        let differs = before.differs_elsewhere(&after, &ids);
        assert!(differs.is_none(), "{}: {differs:?}", path.display());
        for id in &ids {
            let (old, new) = (before.tag(*id), after.tag(*id));
            let written = inserted(old, new).is_some() && new.contains("data-p=");
            assert!(written, "{}: {old} -> {new}", path.display());
        }
        session.act("undo batch");
        assert!(text_of(&session) == before.text, "{}", path.display());
        checked += ids.len();
    }
    say(&format!("{checked} objects got an attribute"));
    assert!(checked > 10, "{checked}");
}

/// Only one in this many objects is described.
const DESCRIBED: usize = 20;

#[test]
fn a_style_is_seen_or_refused() {
    let root = tempfile::tempdir().unwrap();
    let (mut styled, mut refused) = (0, 0);
    for path in drawings() {
        let Some(mut session) = opened(root.path(), &path) else {
            continue;
        };
        let place = path.display();
        let (ids, names): (Vec<NodeId>, Vec<String>) = objects(&session).into_iter().unzip();
        if ids.is_empty() {
            continue;
        }
        let before = Written::of(&session);
        let mut ops = vec!["batch isolate".to_owned()];
        ops.extend(names.iter().map(|name| format!("style {name} opacity:0.5")));
        session.act("set reply-limit:16384");
        let answer = session.run(&ops, None).text;
        let after = Written::of(&session);
        let differs = before.differs_elsewhere(&after, &ids);
        assert!(differs.is_none(), "{place}: {differs:?}");
        // One line per op, with its details indented below.
        let lines = answer
            .lines()
            .skip(1)
            .filter(|line| line.starts_with(['*', '=', '!']));
        let lines: Vec<&str> = lines.collect();
        assert_eq!(lines.len(), ids.len(), "{place}\n{answer}");
        for ((id, name), line) in ids.iter().zip(&names).zip(lines) {
            if line.starts_with('!') {
                assert_eq!(before.tag(*id), after.tag(*id), "{place}: {line}");
                refused += 1;
                continue;
            }
            // Describing an object of a large drawing takes a while, so values in effect are
            // checked instead for each.
            if styled % DESCRIBED == 0 {
                let reply = session.query(&format!("describe {name}")).text;
                assert!(reply.contains("0.5"), "{place}: {name}\n{reply}");
            }
            let styles = session.model().unwrap().styles();
            let holds = styles.computed(*id, "opacity").value;
            assert_eq!(holds, "0.5", "{place}: {name}");
            styled += 1;
        }
        session.act("undo batch");
        assert!(text_of(&session) == before.text, "{place}");
    }
    say(&format!(
        "{styled} objects were styled, {refused} refused it"
    ));
    assert!(styled > 10, "{styled}");
}

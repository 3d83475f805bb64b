//! Any text at all, sent to a session: nothing stops, and what is refused leaves no trace.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::endpoint::{Answer, Config, Endpoint};
use fcp::prelude::Domain;
use fcp::session::Session;
use fcp_svg::Drawing;
use proptest::prelude::*;
use tempfile::TempDir;

/// What the session begins with: each sort of thing that ops ask for.
const SET_UP: &[&str] = &[
    "raw '<style>.hot { fill: red }</style>'",
    "raw '<defs><linearGradient id=\"sky\"><stop offset=\"0\"/></linearGradient></defs>'",
    "add rect id:card at:10,20 size:40x30 class:hot",
    "add circle id:dot at:5,5 r:4 fill:url(#sky)",
    "add path id:tick d:\"M0 0h9v9\"",
    "add polygon id:tri points:\"0,0 9,0 4,8\"",
    "add group id:logo",
    "add text \"Night Jazz\" id:word at:9,9 in:logo",
    "add use of:dot id:twin at:30,30",
];

/// Words that ops are made of, right ones, wrong ones, and what no op has.
const WORDS: &[&str] = &[
    "add",
    "rect",
    "circle",
    "ellipse",
    "line",
    "path",
    "polygon",
    "text",
    "use",
    "group",
    "grid",
    "star",
    "arc",
    "layer",
    "modify",
    "set",
    "unset",
    "style",
    "move",
    "rotate",
    "scale",
    "skew",
    "flip",
    "align",
    "distribute",
    "order",
    "transform",
    "raw",
    "remove",
    "rename",
    "define",
    "class",
    "copy",
    "batch",
    "amend",
    "plan",
    "list",
    "find",
    "describe",
    "map",
    "bbox",
    "svg",
    "refs",
    "defs",
    "css",
    "colors",
    "stats",
    "overlap",
    "history",
    "diff",
    "warnings",
    "undo",
    "redo",
    "checkpoint",
    "card",
    "dot",
    "tick",
    "tri",
    "logo",
    "word",
    "twin",
    "sky",
    "hot",
    ".hot",
    "Nobody",
    "card,dot",
    "*",
    "#dot",
    "#9",
    "rect:card",
    "rect~1",
    "circle~9",
    "@all",
    "@recent",
    "@recent:2ops",
    "@fill:red",
    "@fill:",
    "@range:0,0-9,9",
    "@in:logo",
    "@type:rect",
    "@not:class:hot",
    "@uses:sky",
    "@id:d*",
    "@at:5,5",
    "id:new",
    "id:dot",
    "at:3,4",
    "at:card.top",
    "at:50%,1",
    "r:5",
    "r:-1",
    "r:1e309",
    "size:4x3",
    "size:0x0",
    "by:3,4",
    "by:45",
    "by:1e300",
    "to:0,0",
    "to:front",
    "fill:gold",
    "fill:url(#sky)",
    "fill:url(#none)",
    "opacity:0.5",
    "sw:2",
    "in:logo",
    "in:card",
    "in:sky",
    "before:dot",
    "near:card",
    "dir:right",
    "gap:-9",
    "d:M0",
    "d:\"M0 0l1e99 1\"",
    "points:1,2,3",
    "transform:rotate(9)",
    "transform:rot",
    "front",
    "h",
    "left",
    "top",
    "bake",
    "clear",
    "add-line",
    "close",
    "reverse",
    "set-seg",
    "split-seg",
    "1",
    "-1",
    "0",
    "99999999999",
    "NaN",
    "inf",
    "'<rect/>'",
    "'<g'",
    "'<a:b/>'",
    "'&x;'",
    "'<!-- -->'",
    "'<svg xmlns=\"urn:x\"/>'",
    "unlink:on",
    "as:pair",
    "xmlns",
    "data-k",
    "\"a b\"",
    "\"",
    "'",
    ";",
    ":",
    "k:",
    ":v",
    "\\",
    "\u{0}",
    "\n",
    "é",
    "\u{1f4a5}",
];

/// Texts that are nearly ops.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        8 => proptest::sample::select(WORDS).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => "[a-z@:#*\"'\\\\~|,;=<>&%.()-]{0,8}",
    ];
    proptest::collection::vec(word, 0..7).prop_map(|words| words.join(" "))
}

struct Desk {
    _root: TempDir,
    session: Session<Drawing>,
}

impl Desk {
    fn new() -> Self {
        let root = TempDir::new().unwrap();
        let config = Config::at(root.path());
        let mut session = Session::new(&config).unwrap();
        assert!(!session.act("new").is_error);
        for op in SET_UP {
            let answer = session.run(&[(*op).to_owned()], None);
            assert!(!answer.is_error, "{op}\n{}", answer.text);
        }
        Self {
            _root: root,
            session,
        }
    }

    fn run(&mut self, ops: &[&str]) -> Answer {
        let ops: Vec<String> = ops.iter().map(|op| (*op).to_owned()).collect();
        self.session.run(&ops, None)
    }

    /// All that a refused call must not change.
    fn state(&mut self) -> (Option<String>, Option<Vec<u8>>, Vec<String>) {
        let bytes = self
            .session
            .model()
            .map(|model| model.write("svg").unwrap());
        let looks = ["history 99", "list @recent:3", "list limit:99"];
        let looks = looks.map(|query| self.session.query(query).text);
        (self.session.digest(), bytes, looks.to_vec())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn no_text_makes_a_session_panic_or_leave_half_a_change(texts in proptest::collection::vec((0..6_u8, text()), 1..10)) {
        let mut desk = Desk::new();
        for (tool, text) in texts {
            let before = desk.state();
            let answer = match tool {
                0 => desk.session.query(&text),
                1 => desk.run(&["add rect size:3x3 at:1,1", &text, "no such verb"]),
                _ => desk.run(&[&text]),
            };
            let told = &answer.text;
            prop_assert!(!told.chars().any(|c| c.is_control() && c != '\n'), "{text:?}\n{told}");
            if tool == 0 || answer.is_error {
                prop_assert!(desk.state() == before, "{text:?} left a trace\n{told}");
            }
            if answer.is_error {
                prop_assert!(told.lines().any(|line| line.starts_with("! ")), "{text:?}\n{told}");
            } else if tool > 1 {
                // What was done opens again as it is, and is undone to the byte.
                let after = desk.state();
                let written = after.1.clone().unwrap();
                let again = Drawing::read(&written, "a.svg");
                prop_assert!(again.is_ok(), "{text:?}\n{told}\n{:?}", again.err());
                prop_assert!(again.unwrap().write("svg").unwrap() == written, "{text:?}");
                if after.2[0] != before.2[0] {
                    desk.session.act("undo");
                    prop_assert!(desk.state() == before, "{text:?} is not undone\n{told}");
                    desk.session.act("redo");
                    prop_assert!(desk.state() == after, "{text:?} is not redone\n{told}");
                }
            }
            // A repair that is an op works.
            if tool > 1 && answer.is_error && let Some((_, rest)) = told.split_once("\n  try: ") {
                let repair = rest.lines().next().unwrap();
                if !repair.starts_with(['!', '?']) {
                    let again = desk.run(&[repair]);
                    prop_assert!(!again.is_error, "{text:?}\n{told}\n{}", again.text);
                }
            }
        }
    }
}

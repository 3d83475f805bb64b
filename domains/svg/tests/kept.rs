//! Cached results agree with those of a newly opened file.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;

use fcp::endpoint::{Config, Endpoint};
use fcp::session::Session;
use fcp::testing::Walk;
use fcp_svg::Drawing;

/// The start of the walk: style sheets with and without sibling selectors, and elements that depend
/// on them.
const BEGINNING: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200">
  <style>.hot { fill: red } g .cold { stroke: blue; stroke-width: 3 }</style>
  <g id="outer" class="all" transform="translate(5 5)">
    <g id="inner" fill="gold"><rect id="a" width="9" height="8"/><path id="b" class="hot" d="M0 0h9v9z"/></g>
    <circle id="c" class="cold" cx="20" cy="20" r="4" style="fill:red"/>
    <rect id="d" x="30" y="30" width="50%" height="9" rx="2"/>
  </g>
  <rect id="e" x="60" y="60" width="4" height="4"/>
  <use id="f" href="#inner" x="50"/>
</svg>
"##;

/// Ops that change elements, their ancestors and the style sheets.
const OPS: &[&str] = &[
    "set a class hot",
    "set inner class cold",
    "style a fill:blue",
    "style inner fill:red",
    "style outer stroke:black sw:2",
    "style .hot fill:green",
    "style .hot fill:red",
    "style .hot transform:none",
    "unset inner fill",
    "unset outer stroke",
    "move a in:outer",
    "move a in:inner",
    "move c in:inner by:3,3",
    "move inner by:4,5",
    "rotate outer by:15",
    "rotate b by:20",
    "scale inner by:1.5",
    "modify c r:6",
    "modify d hidden:on",
    "modify d hidden:off",
    "order d back",
    "order a front",
    "order c back",
    "remove e",
    "raw '<rect id=\"e\" x=\"60\" y=\"60\" width=\"4\" height=\"4\"/>'",
    "raw '<style>.hot { fill: navy } rect:first-child { fill: lime }</style>' in:outer",
    "raw '<rect x=\"0\" y=\"0\" width=\"190\" height=\"190\" fill=\"#eee\"/>'",
    "remove style~2 unlink:on",
    "define class id:warm fill:red",
    "set d class warm",
    "canvas viewbox:0,0,400,200",
    "canvas viewbox:0,0,200,200",
    "set outer xmlns urn:other",
    "unset outer xmlns",
    "convert a to:path",
    "group a,b as:pair",
    "ungroup pair",
    "copy inner by:1,1 as:twin",
    "remove twin unlink:on",
    "rename c g",
    "rename g c",
];

/// Queries whose results are cached.
const QUESTIONS: &[&str] = &[
    "list limit:200",
    "list @fill:red",
    "list @stroke:blue",
    "list @range:0,0-40,40",
    "bbox @all stroke:on",
    "map",
    "find hot",
    "find in:inner",
];

fn session(folder: &Path) -> Session<Drawing> {
    Session::new(&Config::at(folder)).unwrap()
}

/// An answer with handles reduced to their kinds, since numbers count removed elements too.
fn answer(session: &mut Session<Drawing>, query: &str) -> String {
    let text = session.query(query).text;
    let mut answer = String::new();
    let mut after_handle = false;
    for c in text.chars() {
        after_handle = c == '~' || after_handle && c.is_ascii_digit();
        if c == '~' || !after_handle {
            answer.push(c);
        }
    }
    answer
}

/// Compares the answers with those of a new session on what this one saves.
fn compare(live: &mut Session<Drawing>, folder: &Path, op: &str) {
    let _ = live.act("save as:now.svg force");
    let mut afresh = session(folder);
    assert!(!afresh.act("open now.svg").is_error, "after {op}");
    for question in QUESTIONS {
        let (kept, found) = (answer(live, question), answer(&mut afresh, question));
        assert_eq!(kept, found, "{question} after {op}");
    }
    // Unused definitions are only reported if the session made them.
    let warnings = |session: &mut Session<Drawing>| {
        let text = answer(session, "warnings limit:500");
        let lines = text.lines().filter(|line| !line.ends_with("(unused)"));
        let mut lines: Vec<String> = lines.map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(warnings(live), warnings(&mut afresh), "after {op}");
}

#[test]
fn cached_answers_equal_new_ones() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("start.svg"), BEGINNING).unwrap();
    for seed in 1..=3 {
        let mut live = session(folder.path());
        assert!(!live.act("open start.svg").is_error);
        let mut random = Walk::new(seed);
        for _ in 0..60 {
            let op = match random.below(8) {
                0 => {
                    live.act("undo 3");
                    "undo".to_owned()
                }
                1 => {
                    live.act("redo 2");
                    "redo".to_owned()
                }
                2 => {
                    let op = random.pick(OPS).unwrap_or_default();
                    live.query(&format!("plan {op}"));
                    format!("plan {op}")
                }
                3 => {
                    // A failing op rolls back the other.
                    let op = random.pick(OPS).unwrap_or_default().to_owned();
                    live.run(&[op.clone(), "remove Nobody".to_owned()], None);
                    op
                }
                _ => {
                    let op = random.pick(OPS).unwrap_or_default().to_owned();
                    live.run(std::slice::from_ref(&op), None);
                    op
                }
            };
            compare(&mut live, folder.path(), &op);
        }
    }
}

//! The account of bytes as a session shows it: saves that are refused, and the output of `diff`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends by panicking"
)]

use std::fs;

use fcp::endpoint::{Config, Endpoint};
use fcp::prelude::*;
use fcp::session::Session;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A line of a list.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// Its name.
    #[fcp(label)]
    pub name: Name,
    /// The number.
    #[fcp(default = Int::clamped(1))]
    pub count: Int<1, 999>,
}

/// A list whose writer has two faults.
#[derive(FcpModel)]
#[fcp(domain = "careless", title = "Lists")]
pub struct List {
    /// The lines.
    #[fcp(count = "i")]
    pub items: Table<Item>,
}

impl Domain for List {
    const FORMATS: &'static [Format] = &[Format {
        name: "list",
        extensions: &["list"],
        doc: "A line an item",
    }];
    const WORKFLOW: &'static str = "! new\nadd item Milk\n! save as:week.list";

    fn read(bytes: &[u8], _: &str) -> Result<Self> {
        let mut list = Self::default();
        for line in String::from_utf8_lossy(bytes).lines() {
            // Whitespace is not kept: a file with more of it is not written back unchanged.
            let mut words = line.split_whitespace();
            let (Some(count), Some(name)) = (words.next(), words.next()) else {
                bail!("{line} is not an item");
            };
            let (Ok(count), Ok(name)) = (Int::parse(count), Name::parse(name)) else {
                bail!("{line} is not an item");
            };
            list.items.insert(Item { name, count });
        }
        Ok(list)
    }

    fn write(&self, _: &str, out: &mut Pieces) -> Result<()> {
        // From four items on, the second is written with an extra space.
        let careless = self.items.iter().count() > 3;
        for (nr, (id, entry)) in self.items.iter().enumerate() {
            let gap = if careless && nr == 1 { "  " } else { " " };
            out.row(id, format!("{}{gap}{}\n", entry.count, entry.name));
        }
        Ok(())
    }
}

struct Play {
    root: tempfile::TempDir,
    session: Session<List>,
}

impl Play {
    fn open(text: &str) -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("week.list"), text).unwrap();
        let session = Session::new(&Config::at(root.path())).unwrap();
        let mut play = Self { root, session };
        play.act("open week.list");
        play
    }

    fn act(&mut self, action: &str) -> String {
        let answer = self.session.act(action);
        assert!(!answer.is_error, "{}", answer.text);
        answer.text
    }

    fn run(&mut self, op: &str) {
        let answer = self.session.run(&[op.to_owned()], None);
        assert!(!answer.is_error, "{}", answer.text);
    }

    fn diff(&mut self, of: &str) -> Vec<String> {
        let answer = self.session.query(&format!("diff {of}"));
        assert!(!answer.is_error, "{}", answer.text);
        answer.text.lines().map(str::to_owned).collect()
    }

    fn file(&self) -> String {
        fs::read_to_string(self.root.path().join("week.list")).unwrap()
    }
}

const WEEK: &str = "1 Milk\n2 Eggs\n3 Tea\n";

#[test]
fn a_save_refuses_bytes_that_no_op_changed_and_names_the_place() {
    let mut play = Play::open(WEEK);
    play.run("add item Salt");
    let refused = play.session.act("save");
    assert!(refused.is_error);
    assert_eq!(
        refused.text,
        "! item Eggs would change at line 2, and no op changed it: \"2 Eggs\\n\" -> \"2  Eggs\\n\"\n  try: save force"
    );
    assert_eq!(play.file(), WEEK, "the file is as it was");
    let shown = play.diff("open");
    assert!(
        shown.contains(&"! changed by no op: \"2 Eggs\\n\" -> \"2  Eggs\\n\"".to_owned()),
        "{shown:?}"
    );
    play.act("save force");
    assert_eq!(play.file(), "1 Milk\n2  Eggs\n3 Tea\n1 Salt\n");
}

#[test]
fn bytes_that_are_read_and_not_written_back_stop_a_save_too() {
    let mut play = Play::open("1 Milk\n2   Eggs\n");
    play.run("modify Milk count:5");
    let refused = play.session.act("save");
    assert!(refused.is_error);
    assert!(
        refused.text.contains("would change at line 2"),
        "{}",
        refused.text
    );
    play.act("save force");
    assert_eq!(play.file(), "5 Milk\n2 Eggs\n");
    play.run("modify Milk count:6");
    play.act("save");
    // The loss is accepted before the first change, too.
    let mut play = Play::open("1 Milk\n2   Eggs\n");
    assert!(play.session.act("save").is_error);
    play.act("save force");
    play.run("modify Milk count:5");
    play.act("save");
    assert_eq!(play.file(), "5 Milk\n2 Eggs\n");
}

#[test]
fn a_change_is_shown_since_a_checkpoint_from_the_file_and_from_another_file() {
    let mut play = Play::open(WEEK);
    play.run("modify Eggs count:12");
    let changed = "~ item Eggs at line 2: count 2 -> 12";
    let bytes = "bytes: 1 changed in 1 place, 20 the same";
    assert_eq!(play.diff("open"), [changed, bytes]);
    assert_eq!(play.diff("file"), [changed, bytes]);
    play.act("save");
    assert_eq!(play.diff("file"), ["nothing changed since file"]);
    assert_eq!(play.diff("open"), [changed, bytes]);
    fs::write(
        play.root.path().join("other.list"),
        "1 Milk\n1 Tea\n9 Jam\n",
    )
    .unwrap();
    assert_eq!(
        play.diff("other.list"),
        [
            "~ item Tea at line 3 (was 2): count 1 -> 3",
            "- #3 item Jam count:9",
            "+ #2 item Eggs count:12",
            "bytes: 9 changed in 4 places, 12 the same"
        ]
    );
    // A change of the file by another program is shown as well.
    fs::write(play.root.path().join("week.list"), "1 Milk\n12 Eggs\n").unwrap();
    assert_eq!(
        play.diff("file"),
        [
            "+ #3 item Tea count:3",
            "bytes: 6 changed in 1 place, 15 the same"
        ]
    );
}

#[test]
fn equal_changes_are_one_line_and_others_are_listed() {
    let week: String = (1..=40).map(|nr| format!("{nr} N{nr}\n")).collect();
    let mut play = Play::open(&week);
    for nr in 1..=30 {
        play.run(&format!("modify N{nr} count:{}", nr + 2));
    }
    play.run("modify N40 count:999");
    play.run("remove N39");
    let shown = play.diff("open");
    assert_eq!(
        shown,
        [
            "~ 30 items: count +2, line 1 to line 30; e.g. item N1 at line 1: 1 -> 3; item N2 at line 2: 2 -> 4",
            "~ item N40 at line 39: count 40 -> 999",
            "- #39 item N39 count:39",
            "  each row on its line: diff open rows:on",
            "bytes: 43 changed in 31 places, 220 the same",
        ]
    );
    assert_eq!(play.diff("open rows:on").len(), 33);
}

/// The lines of a reply without the digest.
fn lines(reply: &str) -> Vec<&str> {
    let lines = reply.lines().map(str::trim);
    lines.filter(|line| !line.starts_with('[')).collect()
}

#[test]
fn a_new_document_is_compared_with_its_first_save() {
    let mut play = Play::open("1 a\n");
    play.act("new");
    play.run("add item milk");
    play.run("add item rice count:2");
    let first = play.act("save as:new.list");
    assert_eq!(lines(&first), ["* Saved new.list (14 bytes)", "14 bytes"]);
    let again = play.act("save");
    assert_eq!(
        lines(&again)[1],
        "nothing changed: all 14 bytes are the same (new.list had 14 bytes, new.list has 14)"
    );
    play.run("modify rice count:3");
    let changed = play.act("save");
    assert_eq!(lines(&changed)[1], "changed since the first save:");
    // The state of the first save is undone, and then another op takes its place.
    play.act("undo 2");
    let undone = play.act("save");
    assert_eq!(
        lines(&undone)[1..3],
        ["changed since the first save:", "- #2 item rice count:2"]
    );
    play.run("add item oats");
    let replaced = play.act("save");
    assert_eq!(
        lines(&replaced)[1..4],
        [
            "changed since the first save:",
            "~ 1 items",
            "what they were is not in the log any more (the first save was undone and replaced)",
        ]
    );
}

#[test]
fn a_fault_of_the_writer_stops_a_later_save_of_a_new_document() {
    let mut play = Play::open("1 a\n");
    play.act("new");
    for name in ["milk", "rice", "oats"] {
        play.run(&format!("add item {name}"));
    }
    play.act("save as:new.list");
    play.run("add item salt");
    let refused = play.session.act("save");
    assert!(refused.is_error, "{}", refused.text);
    assert_eq!(
        lines(&refused.text),
        [
            "! item rice would change at line 2, and no op changed it: \"1 rice\\n\" -> \"1  rice\\n\"",
            "try: save force",
        ]
    );
}

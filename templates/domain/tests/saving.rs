//! The reply of a save matches the files on disk.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::path::Path;

use fcp::testing::{Proof, Server};

const PROGRAM: &str = env!("CARGO_BIN_EXE_fcp-checklist");

const GIVEN: &str =
    "# Walls\n- [ ] normal 60m Scrape\n- [x] high 90m Paint\n# Floor\n- [ ] low 15m Sweep\n";

#[test]
fn the_account_of_a_save_agrees_with_the_files() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("saving");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(&root).unwrap();
    let path = |name: &str| root.join(name);
    fs::write(path("a.checklist"), GIVEN).unwrap();
    let mut server = Server::new(PROGRAM, &root);
    server.act("open a.checklist");
    let saved = server.act("save as:same.checklist");
    Proof::of(&saved).holds(&path("a.checklist"), &path("same.checklist"));

    server.run(&[
        "modify Scrape minutes:120",
        "remove Paint",
        "add task Oil in:Floor",
    ]);
    let saved = server.act("save as:b.checklist");
    for line in [
        "  ~ task Scrape at line 2: minutes 60 -> 120",
        "  - #3 task Paint in:Walls minutes:90 priority:high done:on",
        "  + #6 task Oil in:Floor minutes:30 priority:normal done:off",
    ] {
        assert!(saved.lines().any(|own| own == line), "{line}\n{saved}");
    }
    Proof::of(&saved).holds(&path("a.checklist"), &path("b.checklist"));

    // Changes that the same call has reported are not repeated.
    let saved = server.run(&[
        "! open a.checklist",
        "add task Oil in:Floor",
        "! save as:c.checklist",
    ]);
    assert_eq!(saved.matches("Oil").count(), 1, "{saved}");
    assert!(
        saved.contains("\n  1 more row changed, as reported above\n"),
        "{saved}"
    );
    Proof::of(&saved).holds(&path("a.checklist"), &path("c.checklist"));
}

#[test]
fn a_later_save_of_a_new_document_tells_what_changed_since_the_first() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("saving-new");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(&root).unwrap();
    let mut server = Server::new(PROGRAM, &root);
    server.run(&["! new T", "add section A", "add task X in:A minutes:5"]);
    let first = server.act("save as:new.checklist");
    assert!(!first.contains("changed"), "{first}");
    server.run(&["UPDATE tasks SET minutes=9"]);
    let had = fs::metadata(root.join("new.checklist")).unwrap().len();
    let second = server.act("save");
    assert!(
        second.contains("\n  ~ task X at line 2: minutes 5 -> 9\n"),
        "{second}"
    );
    let sizes = format!("(new.checklist had {had} bytes, new.checklist has {had})");
    assert!(second.contains(&sizes), "{second}");
    let third = server.act("save");
    assert!(
        third.contains("changed since the first save:\n  ~ task X at line 2: minutes 5 -> 9\n"),
        "{third}"
    );
}

//! Names and texts in a file hide, reverse and forge nothing in replies.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;

use crate::support::piped::{NOTE, server};
use crate::support::smf_build::{END, file};
use fcp::testing::{Masked, ODD};
use serde_json::json;

/// A text event of this kind.
fn text(kind: u8, text: &str) -> Vec<u8> {
    let length = u8::try_from(text.len()).unwrap();
    [&[0, 0xff, kind, length], text.as_bytes()].concat()
}

#[test]
fn names_and_texts_in_a_file_are_masked_in_replies() {
    let (root, mut server) = server();
    let own = [1, 3, 6].map(|kind| text(kind, ODD)).concat();
    let of_track = [1, 3, 4, 5, 7, 8, 9].map(|kind| text(kind, ODD)).concat();
    let tracks = [[&own, END].concat(), [&of_track, NOTE].concat()];
    let bytes = file(1, 96, &tracks.each_ref().map(Vec::as_slice));
    fs::write(root.path().join("a.mid"), &bytes).unwrap();
    fs::write(root.path().join("b.mid"), bytes).unwrap();
    let mut masked = Masked::default();
    let mut check = |call: &str, text: String| masked.check(call, &text);
    check("open", server.act("open a.mid"));
    for query in [
        "map",
        "tracks",
        "list",
        "describe @all",
        "describe @type:text",
        "events *",
        "events 1",
        "at 1.1",
        "bars",
        "chords",
        "grid 1",
        "phrase 1",
        "stats",
        "tempo-map",
        "find x",
        "find nothing",
        "warnings",
        "status",
        "tables",
        "SELECT * FROM tracks",
        "SELECT * FROM events",
        "SELECT * FROM texts",
        "SELECT * FROM lyrics",
        "SELECT * FROM markers",
        "SELECT * FROM notes",
        "describe Nobody",
    ] {
        check(query, server.call("midi_query", json!({ "q": query })).0);
    }
    for op in [
        "note 1 C4 at:2.1",
        "transpose @all +1",
        "track copy 1 as:Copy",
        "UPDATE texts SET text='new' WHERE kind='cue'",
        "track rename 1 Other",
        "remove @type:marker",
        "remove @type:text",
        "track remove 1",
        "note Nobody C4",
    ] {
        check(op, server.call("midi", json!({ "ops": [op] })).0);
    }
    for query in [
        "diff checkpoint:open",
        "diff b.mid",
        "history",
        "SELECT * FROM changes",
    ] {
        check(query, server.call("midi_query", json!({ "q": query })).0);
    }
    for action in ["undo", "redo", "undo 3", "save as:c.mid", "status"] {
        check(
            action,
            server.call("midi_session", json!({ "action": action })).0,
        );
    }
    for uri in ["document", "codebook"] {
        let reply = server.ask(
            "resources/read",
            json!({ "uri": format!("fcp://midi/{uri}") }),
        );
        let text = reply["result"]["contents"][0]["text"].as_str().unwrap();
        check(uri, text.to_owned());
    }
    masked.had(&[
        "open",
        "map",
        "tracks",
        "list",
        "find x",
        "status",
        "SELECT * FROM tracks",
        "note 1 C4 at:2.1",
        "track rename 1 Other",
        "diff b.mid",
        "codebook",
    ]);
}

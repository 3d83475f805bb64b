//! Files in RIFF and without it, saved one as the other.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::Desk;
use crate::support::smf_build::{END, riff, riff_chunk, single};

fn plain() -> Vec<u8> {
    single(&[&[0, 0x90, 60, 64, 96, 0x80, 60, 64][..], END].concat())
}

/// The bytes of a file in the folder of a session.
fn saved(desk: &Desk, name: &str) -> Vec<u8> {
    std::fs::read(desk.root.path().join(name)).unwrap()
}

/// A session on a file with a name.
fn on(name: &str, bytes: &[u8]) -> Desk {
    let mut desk = Desk::new();
    std::fs::write(desk.root.path().join(name), bytes).unwrap();
    desk.act(&format!("open {name}"));
    desk
}

#[test]
fn the_name_or_format_of_a_saved_file_decides_its_container() {
    let plain = plain();
    let wrapped = riff(&[&riff_chunk(b"data", &plain)]);
    let listed = riff(&[&riff_chunk(b"data", &plain), &riff_chunk(b"LIST", b"INFO")]);
    for (name, bytes, save, new, expected) in [
        ("a.rmi", &wrapped, "save as:b.mid", "b.mid", &plain),
        ("a.rmi", &listed, "save as:b.mid", "b.mid", &plain),
        ("a.mid", &plain, "save as:b.rmi", "b.rmi", &wrapped),
        ("a.rmi", &wrapped, "save as:b.rmi", "b.rmi", &wrapped),
        (
            "a.rmi",
            &listed,
            "save format:mid as:b.rmi",
            "b.rmi",
            &plain,
        ),
        (
            "a.mid",
            &plain,
            "save format:rmi as:b.mid",
            "b.mid",
            &wrapped,
        ),
        // A file that is not of the kind that its name says is kept as it was.
        ("a.mid", &listed, "save as:b.mid", "b.mid", &listed),
        ("a.mid", &listed, "save", "a.mid", &listed),
        ("a.rmi", &plain, "save", "a.rmi", &plain),
        ("a.rmi", &listed, "save", "a.rmi", &listed),
    ] {
        let mut desk = on(name, bytes);
        let reply = desk.act(save);
        assert!(saved(&desk, new) == *expected, "{name}, {save}: {reply}");
        let loses = bytes == &listed && expected == &plain;
        assert_eq!(
            reply.contains("left out: 12 bytes of the RIFF file's other chunks"),
            loses,
            "{name}, {save}: {reply}"
        );
    }
}

//! The container of a written file: none, or RIFF.

use std::borrow::Cow;

use fcp::prelude::*;
use fcp::reply::count;

use crate::model::Song;
use crate::smf::{Bytes, Container, Riff};

/// The formats of files: a plain Standard MIDI File, and one in a RIFF file.
pub const FORMATS: &[Format] = &[
    Format {
        name: "smf",
        extensions: &["mid", "midi", "smf", "kar"],
        doc: "Standard MIDI File",
    },
    Format {
        name: RMID,
        extensions: &["rmi"],
        doc: "Standard MIDI File in a RIFF file",
    },
];

/// The format in a RIFF file.
const RMID: &str = "rmid";

/// The RIFF around a file that had none.
fn new_riff() -> Riff {
    Riff {
        form: *b"RMID",
        before: Bytes::default(),
        pad: Some(0),
        after: Bytes::default(),
        beyond: Bytes::default(),
        claim: None,
        data_claim: None,
    }
}

/// Records whether a file's container is the one that its name says. Any other is written as found.
pub fn note_name(song: &mut Song, name: &str) {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_named = extension.eq_ignore_ascii_case("rmi");
    let is_riff = matches!(song.file.container, Container::Riff(_));
    song.file
        .modify(|shell| shell.is_as_named = is_named == is_riff);
}

/// The container of a song in a format; without a format the one it was read in.
pub fn container<'s>(song: &'s Song, format: &str) -> Cow<'s, Container> {
    let shell = song.file.get();
    let own = &shell.container;
    match (own, format == RMID) {
        _ if format.is_empty() || !shell.is_as_named => Cow::Borrowed(own),
        (Container::Riff(_), false) => Cow::Owned(Container::Bare),
        (Container::Bare, true) => Cow::Owned(Container::Riff(new_riff())),
        _ => Cow::Borrowed(own),
    }
}

/// `; left out: 24 bytes of the RIFF file's other chunks`, if the written file is plain.
pub fn lost(song: &Song, written: &[u8]) -> String {
    let Container::Riff(riff) = &song.file.container else {
        return String::new();
    };
    let others = riff.before.len() + riff.after.len() + riff.beyond.len();
    match others {
        0 => String::new(),
        _ if !written.starts_with(b"MThd") => String::new(),
        _ => format!(
            "; left out: {} of the RIFF file's other chunks",
            count(others, "byte")
        ),
    }
}

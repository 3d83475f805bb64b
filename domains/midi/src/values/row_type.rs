//! Types of rows, the value of `@type`.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, nearest_word};

use super::repair::same;
use super::text_kind::TextKind;

/// A type of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowType {
    /// All rows of tracks.
    Any,
    /// Rows of a kind, by name.
    Kind(&'static str),
    /// Control changes that set parameters, one for each group.
    Parameter,
    /// Sysex, escapes, metas without a kind of their own, note-offs that end nothing.
    Raw,
    /// Note-offs that end nothing.
    NoteOff,
    /// Texts of a kind.
    Text(TextKind),
    /// All rows of the song: tempo, meter, key, markers.
    Song,
    /// The events that name chunks.
    Name,
}

/// Each type with its spellings; the first is shown.
const TYPES: [(RowType, &[&str]); 23] = [
    (RowType::Kind("note"), &["note", "notes"]),
    (
        RowType::Kind("cc"),
        &["cc", "ccs", "control", "controller", "controls"],
    ),
    (
        RowType::Kind("bend"),
        &["bend", "bends", "pitch-bend", "pitchbend"],
    ),
    (
        RowType::Kind("touch"),
        &["touch", "touches", "aftertouch", "pressure"],
    ),
    (
        RowType::Parameter,
        &["rpn", "rpns", "nrpn", "parameter", "parameters"],
    ),
    (RowType::Kind("program"), &["program", "programs"]),
    (RowType::Kind("lyric"), &["lyric", "lyrics"]),
    (RowType::Kind("text"), &["text", "texts"]),
    (
        RowType::Raw,
        &["raw", "sysex", "escape", "meta", "event", "events"],
    ),
    (
        RowType::NoteOff,
        &["note-off", "note-offs", "off", "offs", "stray", "strays"],
    ),
    (RowType::Text(TextKind::Copyright), &["copyright"]),
    (
        RowType::Text(TextKind::Instrument),
        &["instrument", "instrument-name"],
    ),
    (RowType::Text(TextKind::Cue), &["cue", "cues", "cue-point"]),
    (RowType::Text(TextKind::ProgramName), &["program-name"]),
    (RowType::Text(TextKind::Device), &["device", "device-name"]),
    (RowType::Name, &["track-name", "name"]),
    (RowType::Kind("tempo"), &["tempo", "tempos"]),
    (
        RowType::Kind("meter"),
        &["meter", "meters", "time-sig", "time-signature"],
    ),
    (
        RowType::Kind("key"),
        &["key", "keys", "key-sig", "key-signature"],
    ),
    (RowType::Kind("marker"), &["marker", "markers"]),
    (RowType::Kind("track"), &["track", "tracks"]),
    (RowType::Song, &["song"]),
    (RowType::Any, &["any"]),
];

impl fmt::Display for RowType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = TYPES.iter().find(|(kind, _)| kind == self);
        f.write_str(own.map_or("any", |(_, names)| names[0]))
    }
}

impl FcpValue for RowType {
    const SPEC: ValueSpec = ValueSpec::new("TYPE", "note cc bend … cue, tempo, raw, song, any");

    fn parse(text: &str) -> Result<Self, ValueError> {
        let found = TYPES
            .iter()
            .find(|(_, names)| names.iter().any(|name| same(name, text)));
        if let Some((kind, _)) = found.filter(|_| !text.is_empty()) {
            return Ok(*kind);
        }
        let names = TYPES.iter().flat_map(|(_, names)| names.iter().copied());
        let near = nearest_word(text, names);
        let shown = TYPES.map(|(_, names)| names[0]).join(", ");
        let text: String = text.chars().take(60).collect();
        Err(ValueError::sentence(format!("no type \"{text}\" ({shown})")).maybe_fix(near))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_its_type() {
        for (kind, names) in TYPES {
            for name in names {
                assert_eq!(RowType::parse(&name.to_uppercase()), Ok(kind));
            }
            assert_eq!(RowType::parse(&kind.to_string()), Ok(kind));
        }
        let fix = |text: &str| RowType::parse(text).unwrap_err().fix;
        assert_eq!(fix("nott").as_deref(), Some("note"));
        assert_eq!(fix(""), None);
    }
}

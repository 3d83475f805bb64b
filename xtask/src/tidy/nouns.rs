//! The runtime is independent of domains: their nouns must not occur in its code, names or texts.

use super::{Report, Tree, source};

/// Words that have a meaning in one domain only, in any spelling: `midi_file`, `MidiFile`,
/// `"midi"`.
///
/// Words that have other meanings, too (note, track, shape, group, channel, sheet), are not listed
/// here; as names of types they are in [`TYPES`].
const WORDS: &[&str] = &[
    "chord",
    "crescendo",
    "drawio",
    "gltf",
    "kubernetes",
    "lyric",
    "lyrics",
    "midi",
    "midly",
    "mxfile",
    "mxgraph",
    "otio",
    "pitch",
    "polyline",
    "ppqn",
    "smf",
    "soundfont",
    "stroke",
    "svg",
    "sysex",
    "tempo",
    "viewbox",
    "xlsx",
];

/// Types of domains.
const TYPES: &[&str] = &[
    "Asset",
    "Bar",
    "Beat",
    "Chord",
    "Circle",
    "Diagram",
    "Drawing",
    "Edge",
    "Instrument",
    "Layer",
    "Marker",
    "Meter",
    "Note",
    "Rect",
    "Sheet",
    "Song",
    "Track",
    "Velocity",
];

/// Checks the runtime. The macros show examples in their messages, and may use any name.
pub fn check(tree: &Tree, report: &mut Report<'_>) {
    for file in &tree.files {
        // Formats shared by several domains may have their usual names.
        let format = file.path.starts_with("fcp/src/format/");
        if !file.path.starts_with("fcp/src/") || format || file.is_test() {
            continue;
        }
        let mut add = |at: usize, noun: &str| {
            report.add(
                &file.path,
                source::line_of(&file.text, at),
                format!("the runtime is independent of domains, but names {noun}"),
                "move it to a domain, or use words of every domain; doc comments may use any noun",
            );
        };
        for (at, name) in source::names(file.spoken()) {
            for word in words(name) {
                if WORDS.contains(&word.as_str()) {
                    add(at, name);
                }
            }
        }
        for (at, name) in source::names(file.code()) {
            if TYPES.contains(&name) {
                add(at, name);
            }
        }
    }
}

/// The words of a name, in lower case: `MidiFile` and `midi_file` have the same words.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in name.chars() {
        let starts = c == '_' || c.is_uppercase() || c.is_ascii_digit();
        if starts && words.last().is_some_and(|word| !word.is_empty()) {
            // `SVG` is one word.
            let all_upper = name.chars().all(|c| !c.is_lowercase());
            if c == '_' || !all_upper {
                words.push(String::new());
            }
        }
        if let Some(word) = words.last_mut()
            && c != '_'
        {
            word.extend(c.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_cut_into_words() {
        for name in ["MidiFile", "midi_file", "MIDI_FILE"] {
            assert_eq!(words(name), ["midi", "file"], "{name}");
        }
        assert_eq!(words("svg2"), ["svg", "2"]);
        assert_eq!(words("SVG"), ["svg"]);
    }
}

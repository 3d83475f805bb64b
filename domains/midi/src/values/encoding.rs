//! Text in MIDI files: bytes in an encoding that the file does not name.
//!
//! Encodings are named by the labels of the WHATWG Encoding Standard. There Latin-1 (ISO-8859-1)
//! means Windows-1252, which has the same characters at the same bytes, and more in place of
//! control characters.

use std::fmt;

use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use fcp::value::{FcpValue, ValueError, ValueSpec, nearest_word};

/// The encoding of bytes that are not UTF-8; Windows-1252 unless a setting says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

/// The names to suggest for an unknown one.
const NAMES: [&str; 14] = [
    "cp1252",
    "latin1",
    "utf-8",
    "shift-jis",
    "euc-jp",
    "euc-kr",
    "gbk",
    "big5",
    "koi8-r",
    "windows-1250",
    "windows-1251",
    "iso-8859-2",
    "macintosh",
    "ibm866",
];

impl Default for Encoding {
    fn default() -> Self {
        Self(WINDOWS_1252)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.name().to_ascii_lowercase())
    }
}

impl FcpValue for Encoding {
    const SPEC: ValueSpec = ValueSpec::new("ENCODING", "cp1252, utf-8, shift-jis …");

    fn parse(text: &str) -> Result<Self, ValueError> {
        // Not every common spelling of `latin-1` and `shift_jis` is a label.
        let labels = [
            text.to_owned(),
            text.replace('_', "-"),
            text.replace(['_', '-', ' '], ""),
        ];
        let known = labels
            .iter()
            .find_map(|label| encoding_rs::Encoding::for_label_no_replacement(label.as_bytes()));
        if let Some(wide) = known.filter(|known| [UTF_16LE, UTF_16BE].contains(known)) {
            let name = Self(wide).name();
            let problem = format!(
                "{name} cannot be read or written here: a text is UTF-8 or in an encoding that has ASCII as it is; utf-8 holds every character"
            );
            return Err(ValueError::sentence(problem).fix("utf-8"));
        }
        known.map(Self).ok_or_else(|| {
            ValueError::new("is not an encoding: cp1252, utf-8, shift-jis …")
                .maybe_fix(nearest_word(text, NAMES))
        })
    }
}

impl Encoding {
    /// Bytes as text: as UTF-8 if valid, else in this encoding. Control characters stay.
    #[must_use]
    pub fn shown(self, bytes: &[u8]) -> String {
        match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => self.0.decode_without_bom_handling(bytes).0.into_owned(),
        }
    }

    /// UTF-8.
    #[must_use]
    pub const fn utf8() -> Self {
        Self(UTF_8)
    }

    /// The common name: `utf-8`, `windows-1252`, `shift-jis`.
    #[must_use]
    pub fn name(self) -> String {
        self.to_string().replace('_', "-")
    }

    /// Text as bytes in this encoding. `None` if it lacks a character, or if the bytes would be
    /// valid UTF-8 for another text.
    #[must_use]
    pub fn written(self, text: &str) -> Option<Vec<u8>> {
        if text.is_ascii() || self.0 == UTF_8 {
            return Some(text.as_bytes().to_vec());
        }
        let (bytes, own, has_unmappable) = self.0.encode(text);
        (!has_unmappable && own == self.0 && self.shown(&bytes) == text).then(|| bytes.into_owned())
    }

    /// The first character of a text that this encoding lacks.
    #[must_use]
    pub fn lacks(self, text: &str) -> Option<char> {
        let is_lacking = |c: &char| self.0.encode(c.encode_utf8(&mut [0; 4])).2;
        text.chars().find(is_lacking)
    }

    /// Whether bytes are a text in UTF-16: they begin with its mark, or have zeros inside. Zeros at
    /// the end are those of other programs.
    #[must_use]
    pub fn is_wide(bytes: &[u8]) -> bool {
        let marked = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
        let inner = bytes.iter().rposition(|byte| *byte != 0);
        let inner = inner.and_then(|last| bytes.get(..last));
        marked || inner.is_some_and(|inner| inner.contains(&0))
    }

    /// Whether every byte is part of a character.
    #[must_use]
    pub fn reads(self, bytes: &[u8]) -> bool {
        if Self::is_wide(bytes) {
            return false;
        }
        if std::str::from_utf8(bytes).is_ok() {
            return true;
        }
        // It leaves five bytes unassigned, which decode to control characters that texts do not use.
        if self.0 == WINDOWS_1252 {
            let is_unassigned = |byte: &u8| matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d);
            return !bytes.iter().any(is_unassigned);
        }
        let (text, had_errors) = self.0.decode_without_bom_handling(bytes);
        let control = |c: char| ('\u{80}'..='\u{9f}').contains(&c);
        self.0 != UTF_8 && !had_errors && !text.contains(control)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_and_utf8_show() {
        let usual = Encoding::default();
        assert_eq!(usual.shown(b"Caf\xe9 tune"), "Café tune");
        assert_eq!(usual.shown("Café".as_bytes()), "Café");
        assert_eq!(usual.shown(&[0x80, 0x9f]), "€Ÿ");
        assert!(usual.reads(b"Caf\xe9") && !usual.reads(b"\x81\xe9"));
        assert!(usual.reads(b"Caf\xe9\0") && !usual.reads(b"C\0a\0") && !usual.reads(b"\xff\xfe"));
    }

    #[test]
    fn every_suggested_name_is_valid() {
        for name in NAMES {
            assert!(Encoding::parse(name).is_ok(), "{name}");
        }
        let japanese = Encoding::parse("shift_jis").unwrap();
        assert_eq!(japanese.shown(b"\x83\x73\x83\x41\x83\x6d"), "ピアノ");
        assert!(japanese.reads(b"\x83\x73") && !japanese.reads(b"\x83"));
        let fix = Encoding::parse("shift-jsi").unwrap_err().fix;
        assert_eq!(fix.as_deref(), Some("shift-jis"));
    }
}

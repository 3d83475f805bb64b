//! Texts written by ops, in the encoding of the file's texts.

use fcp::prelude::*;

use crate::model::{Song, row_of};
use crate::smf::{Body, Bytes};
use crate::values::{Encoding, Words};

/// A text with its bytes in the file.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Its bytes; none if its encoding lacks a character.
    pub bytes: Bytes,
    /// Its bytes in the encoding that is set, for a row whose text is not UTF-8, unless that lacks a
    /// character.
    pub set: Option<Bytes>,
    /// ` (in utf-8; other texts here are windows-1252)`; empty if they agree.
    pub note: String,
    /// Whether its encoding was named.
    pub is_named: bool,
    /// The error of its encoding, which lacks a character or is in doubt, with its repairs.
    lacking: Option<Diagnostic>,
}

impl Song {
    /// The bytes of a text in place of the text `old` of a row. A text stays in its encoding, also
    /// where the other texts of the file are in another one: else an edit of a part would rewrite
    /// the rest of it.
    ///
    /// # Errors
    /// The encoding lacks a character or is in doubt, or the old text is not in the encoding that is
    /// set.
    pub fn bytes_over(&self, row: Row, old: &Bytes, text: &Written) -> Result<Bytes> {
        if text.text.contains(char::REPLACEMENT_CHARACTER) {
            let is_own =
                std::str::from_utf8(old).is_ok_and(|old| old.contains(char::REPLACEMENT_CHARACTER));
            if self.is_unread(old) {
                return Err(self.unread(row));
            } else if !is_own {
                self.check_read(&text.text)?;
            }
        }
        let read = std::str::from_utf8(old);
        // The text itself is in an encoding that is not the assumed one.
        if !text.is_named && !text.text.is_ascii() && Encoding::is_wide(old) {
            self.check_assumed(&text.text)?;
        }
        if text.is_named || old.is_ascii() {
            return match &text.lacking {
                Some(lacking) => Err(lacking.clone()),
                None => Ok(text.bytes.clone()),
            };
        }
        match (read, &text.set) {
            (Ok(_), _) => Ok(Bytes::new(text.text.as_bytes())),
            (Err(_), Some(bytes)) => {
                // Its own characters keep their bytes, in whatever encoding these are.
                let own = self.encoding().shown(old);
                match text.text.chars().all(|c| c.is_ascii() || own.contains(c)) {
                    true => Ok(bytes.clone()),
                    false => self.check_assumed(&text.text).map(|()| bytes.clone()),
                }
            }
            (Err(_), None) if let Some(lacking) = &text.lacking => Err(lacking.clone()),
            (Err(_), None) => bail!(
                "the encoding of the old text lacks a character of \"{}\"; take encoding:utf-8 or another spelling",
                text.text; add: "encoding:utf-8"
            ),
        }
    }

    /// The bytes of a text of a new row.
    ///
    /// # Errors
    /// As for [`Song::written`].
    pub fn new_bytes(&self, text: &Written) -> Result<Bytes> {
        self.check_read(&text.text)?;
        match &text.lacking {
            Some(lacking) => Err(lacking.clone()),
            None => Ok(text.bytes.clone()),
        }
    }

    /// Sets the text of a marker, a lyric or a text event; an equal text keeps its bytes, unless its
    /// encoding is named. Returns whether that changed the row.
    ///
    /// # Errors
    /// As for [`Song::bytes_over`], or the text is empty.
    pub fn put_text(&mut self, row: Row, written: &Written) -> Result<bool> {
        let Some((text, bytes)) = self.text_of(row) else {
            return Ok(false);
        };
        if !written.is_named && text == written.text {
            return Ok(false);
        }
        Words::parse(&written.text).map_err(|error| Diagnostic::new(error.about("text")))?;
        let bytes = self.bytes_over(row, bytes, written)?;
        Ok(self.set_text(row, written.text.clone(), bytes))
    }

    /// Whether bytes of a text have no character in the encoding that is set.
    fn is_unread(&self, bytes: &[u8]) -> bool {
        let is_shown = || self.encoding().shown(bytes);
        std::str::from_utf8(bytes).is_err() && is_shown().contains(char::REPLACEMENT_CHARACTER)
    }

    /// The error of a text that would be written with U+FFFD for bytes that have no character.
    fn unread(&self, row: Row) -> Diagnostic {
        let problem = format!(
            "{} has bytes that are not {}: written with \u{fffd} (U+FFFD) they would be lost; set encoding:windows-1252 keeps them",
            self.describe(row),
            self.encoding().name()
        );
        // It has a character for each byte.
        Diagnostic::new(problem).or_try("! set encoding:windows-1252")
    }

    /// Rejects a text in an encoding that is only assumed and that other texts show to be wrong.
    fn check_assumed(&self, text: &str) -> Result<()> {
        let texts = self.texts().filter(|_| self.encoding.is_none());
        // Each new text is compared with all others.
        let mut texts = texts.take_while(|_| fcp::work::spend(1).is_ok());
        let Some((row, bytes)) = texts.find(|(_, bytes)| !self.encoding().reads(bytes)) else {
            return Ok(());
        };
        let (name, row) = (self.encoding().name(), self.describe(row));
        let problem = match Encoding::is_wide(bytes) {
            true => format!(
                "{row} is UTF-16, in which texts are not written here, so \"{text}\" cannot be written as it is; take encoding:utf-8 for this one, or set encoding:utf-8 or another for all"
            ),
            false => format!(
                "the encoding of this file's texts is unknown: {row} is not {name}, so \"{text}\" cannot be written as they are; set encoding:shift-jis or another first, or take encoding:utf-8 for this one"
            ),
        };
        Err(Diagnostic::new(problem).or_add("encoding:utf-8"))
    }

    /// The note of a search that assumed the encoding of texts, if there are any.
    #[must_use]
    pub fn assumed_texts(&self) -> Option<String> {
        let texts = self.texts().filter(|_| self.encoding.is_none());
        let assumed = texts.filter(|(_, bytes)| std::str::from_utf8(bytes).is_err());
        let texts = match assumed.count() {
            0 => return None,
            1 => "1 text of unknown encoding was".to_owned(),
            n => format!("{n} texts of unknown encoding were"),
        };
        let name = self.encoding().name();
        Some(format!(
            "nothing matches, but {texts} searched as {name} (set encoding: reads them in another)"
        ))
    }

    /// Rejects a text with U+FFFD in a file where that represents bytes without a character.
    fn check_read(&self, text: &str) -> Result<()> {
        if !text.contains(char::REPLACEMENT_CHARACTER) {
            return Ok(());
        }
        let mut unread = self.texts().filter(|(_, bytes)| self.is_unread(bytes));
        let Some((first, bytes)) = unread.next() else {
            return Ok(());
        };
        let is_source = |bytes: &Bytes| text.contains(&self.encoding().shown(bytes));
        let source = match is_source(bytes) {
            true => None,
            false => unread.find(|(_, bytes)| is_source(bytes)),
        };
        Err(self.unread(source.map_or(first, |(row, _)| row)))
    }
}

/// Characters that many encodings lack, with an ASCII equivalent.
const PLAIN: [(char, &str); 12] = [
    ('\u{2018}', "'"),
    ('\u{2019}', "'"),
    ('\u{201c}', "\""),
    ('\u{201d}', "\""),
    ('\u{201e}', "\""),
    ('\u{2013}', "-"),
    ('\u{2014}', "-"),
    ('\u{2026}', "..."),
    ('\u{a0}', " "),
    ('\u{20ac}', "EUR"),
    ('\u{266f}', "#"),
    ('\u{266d}', "b"),
];

/// A text with unusual characters replaced by an ASCII equivalent.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match PLAIN.iter().find(|(own, _)| *own == c) {
            Some((_, ascii)) => plain.push_str(ascii),
            None => plain.push(c),
        }
    }
    plain
}

impl Song {
    /// The new text of rows, if one is given, and its note.
    #[must_use]
    pub fn rewritten(
        &self,
        text: Option<&Text>,
        named: Option<Encoding>,
    ) -> (Option<Written>, String) {
        let written = text.map(|text| self.instead(text.as_str(), named));
        let note = written
            .as_ref()
            .map_or("", |written| &written.note)
            .to_owned();
        (written, note)
    }

    /// Every text with its bytes: lyrics, texts, markers, names.
    fn texts(&self) -> impl Iterator<Item = (Row, &Bytes)> {
        let lyrics = self.lyrics.iter();
        let lyrics = lyrics.map(|(id, row)| (row_of(id), &row.bytes));
        let texts = self.texts.iter();
        let texts = texts.map(|(id, row)| (row_of(id), &row.bytes));
        let markers = self.markers.iter();
        let markers = markers.map(|(id, row)| (row_of(id), &row.bytes));
        let others = self.others.iter().filter_map(|(id, row)| match &row.body {
            Body::Meta {
                kind: 1..=15,
                bytes,
            } => Some((row_of(id), bytes)),
            _ => None,
        });
        lyrics.chain(texts).chain(markers).chain(others)
    }

    /// The encoding of the file's texts: UTF-8 unless at least half of those that are not ASCII are
    /// in another one, the encoding that is set.
    #[must_use]
    pub fn text_encoding(&self) -> Encoding {
        let (mut utf8, mut others) = (0_usize, 0_usize);
        for (_, bytes) in self.texts() {
            match std::str::from_utf8(bytes) {
                _ if Encoding::is_wide(bytes) => others += 1,
                Ok(text) => utf8 += usize::from(!text.is_ascii()),
                Err(_) => others += 1,
            }
        }
        match others == 0 || utf8 > others {
            true => Encoding::utf8(),
            false => self.encoding(),
        }
    }

    /// A text in the encoding of the file, or in a named one.
    ///
    /// # Errors
    /// The encoding lacks a character, or is only assumed and wrong for other texts. The repairs are
    /// UTF-8 for this text, and another spelling.
    pub fn written(&self, text: &str, named: Option<Encoding>) -> Result<Written> {
        self.check_read(text)?;
        let written = self.instead(text, named);
        match written.lacking {
            Some(lacking) => Err(lacking),
            None => Ok(written),
        }
    }

    /// [`Self::written`] for rows that have a text, in whose encoding it is written.
    #[must_use]
    pub fn instead(&self, text: &str, named: Option<Encoding>) -> Written {
        let written = |bytes: &[u8], note| Written {
            text: text.to_owned(),
            bytes: Bytes::new(bytes),
            set: self.encoding().written(text).map(|own| Bytes::new(&own)),
            note,
            is_named: named.is_some(),
            lacking: None,
        };
        // ASCII is the same in all encodings.
        if text.is_ascii() {
            return written(text.as_bytes(), String::new());
        }
        let usual = self.text_encoding();
        let encoding = named.unwrap_or(usual);
        if named.is_none()
            && usual == self.encoding()
            && let Err(error) = self.check_assumed(text)
        {
            return Written {
                lacking: Some(error),
                ..written(&[], String::new())
            };
        }
        if let Some(bytes) = encoding.written(text) {
            let note = match encoding == usual {
                true => String::new(),
                false => {
                    let (name, usual) = (encoding.name(), usual.name());
                    // If other texts show the assumed encoding to be wrong, it is not known.
                    match usual == self.encoding().name() && self.check_assumed(text).is_err() {
                        true => {
                            format!(" (in {name}; the encoding of other texts here is unknown)")
                        }
                        false => format!(" (in {name}; other texts here are {usual})"),
                    }
                }
            };
            return written(&bytes, note);
        }
        Written {
            lacking: Some(lacking(text, encoding, named.is_some())),
            ..written(&[], String::new())
        }
    }
}

/// The error of a text of which an encoding lacks a character.
fn lacking(text: &str, encoding: Encoding, is_named: bool) -> Diagnostic {
    let name = encoding.name();
    let lacking = match encoding.lacks(text) {
        Some(c) => format!("{name} lacks {c} (U+{:04X})", u32::from(c)),
        None => format!("in {name} \"{text}\" would be read as other text"),
    };
    let spelled = plain(text);
    let other = match encoding.written(&spelled) {
        Some(_) if spelled != text => format!("\"{spelled}\""),
        _ => "another spelling".to_owned(),
    };
    if is_named {
        return Diagnostic::new(format!("{lacking}; take encoding:utf-8 or {other}"));
    }
    let problem = format!(
        "{lacking}, and the texts of this file are in it; take encoding:utf-8 for this one or {other}"
    );
    Diagnostic::new(problem).or_add("encoding:utf-8")
}

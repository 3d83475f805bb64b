//! Texts written by ops, in the encoding of the file's texts.

use fcp::prelude::*;

use crate::model::Song;
use crate::smf::{Body, Bytes};
use crate::values::{Encoding, Words};

/// A text with its bytes in the file.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Its bytes.
    pub bytes: Bytes,
    /// Its bytes in the encoding that is set, for a row whose text is not UTF-8, unless that lacks a
    /// character.
    pub set: Option<Bytes>,
    /// ` (in utf-8; other texts here are windows-1252)`; empty if they agree.
    pub note: String,
    /// Whether its encoding was named.
    pub is_named: bool,
}

impl Written {
    /// Its bytes in place of the text in `old`. A text stays in its encoding, also where the other
    /// texts of the file are in another one: else an edit of a part would rewrite the rest of it.
    ///
    /// # Errors
    /// The encoding lacks a character.
    pub fn over(&self, old: &Bytes) -> Result<Bytes> {
        if self.is_named || old.is_ascii() {
            return Ok(self.bytes.clone());
        }
        match (std::str::from_utf8(old), &self.set) {
            (Ok(_), _) => Ok(Bytes::new(self.text.as_bytes())),
            (Err(_), Some(bytes)) => Ok(bytes.clone()),
            (Err(_), None) => bail!(
                "the encoding of the old text lacks a character of \"{}\"; take encoding:utf-8 or another spelling",
                self.text; add: "encoding:utf-8"
            ),
        }
    }
}

impl Song {
    /// Sets the text of a marker, a lyric or a text event; an equal text keeps its bytes, unless its
    /// encoding is named. Returns whether that changed the row.
    ///
    /// # Errors
    /// The encoding of its old text lacks a character.
    pub fn put_text(&mut self, row: Row, written: &Written) -> Result<bool> {
        let Some((text, bytes)) = self.text_of(row) else {
            return Ok(false);
        };
        if !written.is_named && text == written.text {
            return Ok(false);
        }
        let bytes = written.over(bytes)?;
        Ok(self.set_text(row, written.text.clone(), bytes))
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
    ///
    /// # Errors
    /// As for [`Song::written`].
    pub fn rewritten(
        &self,
        text: Option<&Words>,
        named: Option<Encoding>,
    ) -> Result<(Option<Written>, String)> {
        let written = text.map(|text| self.written(text.as_str(), named));
        let written = written.transpose()?;
        let note = written
            .as_ref()
            .map_or("", |written| &written.note)
            .to_owned();
        Ok((written, note))
    }

    /// The bytes of every text: lyrics, texts, markers, names.
    fn texts(&self) -> impl Iterator<Item = &Bytes> {
        let lyrics = self.lyrics.iter().map(|(_, row)| &row.bytes);
        let texts = self.texts.iter().map(|(_, row)| &row.bytes);
        let markers = self.markers.iter().map(|(_, row)| &row.bytes);
        let others = self.others.iter().filter_map(|(_, row)| match &row.body {
            Body::Meta {
                kind: 1..=15,
                bytes,
            } => Some(bytes),
            _ => None,
        });
        lyrics.chain(texts).chain(markers).chain(others)
    }

    /// The encoding of the file's texts: UTF-8 unless at least half of those that are not ASCII are
    /// in another one, the encoding that is set.
    #[must_use]
    pub fn text_encoding(&self) -> Encoding {
        let (mut utf8, mut others) = (0, 0);
        for bytes in self.texts().filter(|bytes| !bytes.is_ascii()) {
            match std::str::from_utf8(bytes) {
                Ok(_) => utf8 += 1,
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
    /// The encoding lacks a character. The repairs are UTF-8 for this text, and another spelling.
    pub fn written(&self, text: &str, named: Option<Encoding>) -> Result<Written> {
        let written = |bytes: Vec<u8>, note| Written {
            text: text.to_owned(),
            bytes: Bytes::new(&bytes),
            set: self.encoding().written(text).map(|own| Bytes::new(&own)),
            note,
            is_named: named.is_some(),
        };
        // ASCII is the same in all encodings.
        if text.is_ascii() {
            return Ok(written(text.as_bytes().to_vec(), String::new()));
        }
        let usual = self.text_encoding();
        let encoding = named.unwrap_or(usual);
        if let Some(bytes) = encoding.written(text) {
            let note = match encoding == usual {
                true => String::new(),
                false => format!(
                    " (in {}; other texts here are {})",
                    encoding.name(),
                    usual.name()
                ),
            };
            return Ok(written(bytes, note));
        }
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
        if named.is_some() {
            bail!("{lacking}; take encoding:utf-8 or {other}");
        }
        bail!("{lacking}, and the texts of this file are in it; take encoding:utf-8 for this one or {other}";
            add: "encoding:utf-8")
    }
}

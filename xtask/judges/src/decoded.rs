//! Text decoded from a file, with the place of each character.

use std::ops::Range;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// The text of a file.
pub struct Decoded {
    /// The text, without a byte order mark.
    pub text: String,
    /// The place in the file of each byte of the text; `None` if places differ only by `shift`.
    places: Option<Vec<usize>>,
    shift: usize,
}

impl Decoded {
    /// Decodes a file by its byte order mark or XML declaration, or else as UTF-8.
    ///
    /// # Errors
    /// The encoding is unknown, or the bytes are invalid in it.
    pub fn of(bytes: &[u8]) -> Result<Self, String> {
        let (encoding, shift) = Encoding::for_bom(bytes).unwrap_or_else(|| (declared(bytes), 0));
        let bare = bytes.get(shift..).unwrap_or_default();
        let text = encoding
            .decode_without_bom_handling_and_without_replacement(bare)
            .ok_or_else(|| format!("bytes that are not {}", encoding.name()))?
            .into_owned();
        let places = (encoding != UTF_8).then(|| places(encoding, &text, shift));
        Ok(Self {
            text,
            places,
            shift,
        })
    }

    /// The byte range in the file of a range of the text.
    pub fn place(&self, range: Range<usize>) -> Range<usize> {
        let at = |byte: usize| match &self.places {
            Some(places) => places.get(byte).or(places.last()).copied().unwrap_or(0),
            None => byte + self.shift,
        };
        at(range.start)..at(range.end)
    }
}

/// The encoding named in an XML declaration.
fn declared(bytes: &[u8]) -> &'static Encoding {
    match bytes {
        [b'<', 0, ..] => return UTF_16LE,
        [0, b'<', ..] => return UTF_16BE,
        _ => {}
    }
    let head = String::from_utf8_lossy(bytes.get(..200).unwrap_or(bytes)).into_owned();
    let name = head
        .strip_prefix("<?xml")
        .and_then(|head| head.split("?>").next())
        .and_then(|head| head.split_once("encoding"))
        .and_then(|(_, rest)| rest.split(['"', '\'']).nth(1));
    name.and_then(|name| Encoding::for_label(name.as_bytes()))
        .unwrap_or(UTF_8)
}

/// The place in the encoded file of the character at each byte of a text, and of its end.
fn places(encoding: &'static Encoding, text: &str, shift: usize) -> Vec<usize> {
    let mut places = Vec::with_capacity(text.len() + 1);
    let mut at = shift;
    for c in text.chars() {
        places.extend(std::iter::repeat_n(at, c.len_utf8()));
        at += match encoding.name() {
            "UTF-16LE" | "UTF-16BE" => c.len_utf16() * 2,
            _ if encoding.is_single_byte() => 1,
            _ => encoding.encode(c.encode_utf8(&mut [0; 4])).0.len(),
        };
    }
    places.push(at);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_file() {
        let latin =
            Decoded::of(b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xfc!</a>").unwrap();
        let at = latin.text.find('!').unwrap();
        assert_eq!(latin.place(at..at + 1), 47..48);
        let wide: Vec<u8> = [0xff, 0xfe, b'<', 0, 0xfc, 0, b'!', 0].into();
        let wide = Decoded::of(&wide).unwrap();
        assert_eq!((wide.text.as_str(), wide.place(3..4)), ("<ü!", 6..8));
        let marked = Decoded::of(b"\xef\xbb\xbf<a/>").unwrap();
        assert_eq!((marked.text.as_str(), marked.place(1..2)), ("<a/>", 4..5));
    }
}

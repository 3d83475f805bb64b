//! Decodes a file's bytes to text, and encodes the text to the same bytes.

use std::borrow::Cow;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::sync::Arc;

use encoding_rs::Encoding as Table;
use flate2::{Compression, GzBuilder, read::MultiGzDecoder};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bail;
use crate::diag::{Diagnostic, Result};

/// The encoding of a text. Serialised as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    Utf8 {
        /// Whether it begins with a byte order mark.
        mark: bool,
    },
    /// UTF-16 with the low byte first, after a byte order mark.
    Utf16Le,
    /// UTF-16 with the high byte first, after a byte order mark.
    Utf16Be,
    /// One byte per character, by the WHATWG's Encoding Standard.
    SingleByte(&'static Table),
    /// One byte per character, by the standard of that name.
    Strict(Strict),
}

/// An encoding that the WHATWG replaces by a Windows code page, but that files which declare it use
/// by its own standard: 0x80 to 0x9F are control characters, not signs such as the euro.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strict {
    /// US-ASCII: no byte above 0x7F.
    Ascii,
    /// ISO-8859-1.
    Latin1,
    /// ISO-8859-9.
    Latin5,
    /// ISO-8859-11.
    Thai,
}

impl Strict {
    const ALL: [Self; 4] = [Self::Ascii, Self::Latin1, Self::Latin5, Self::Thai];

    const fn name(self) -> &'static str {
        match self {
            Self::Ascii => "US-ASCII",
            Self::Latin1 => "ISO-8859-1",
            Self::Latin5 => "ISO-8859-9",
            Self::Thai => "ISO-8859-11",
        }
    }

    /// The encoding with a label, if `table`, which the WHATWG assigns to it, is a code page.
    fn of(label: &str, table: &'static Table) -> Option<Self> {
        let label = label.trim().to_ascii_lowercase();
        if label.starts_with("windows") || label.starts_with("cp125") || label.starts_with("x-cp") {
            return None;
        }
        if table == encoding_rs::WINDOWS_1252 {
            let ascii = matches!(&*label, "ascii" | "us-ascii" | "ansi_x3.4-1968");
            Some(if ascii { Self::Ascii } else { Self::Latin1 })
        } else if table == encoding_rs::WINDOWS_1254 {
            Some(Self::Latin5)
        } else if table == encoding_rs::WINDOWS_874 && label != "dos-874" {
            Some(Self::Thai)
        } else {
            None
        }
    }

    /// The code page that equals it from 0xA0 on.
    fn page(self) -> &'static Table {
        match self {
            Self::Ascii | Self::Latin1 => encoding_rs::WINDOWS_1252,
            Self::Latin5 => encoding_rs::WINDOWS_1254,
            Self::Thai => encoding_rs::WINDOWS_874,
        }
    }

    fn byte(self, c: char) -> Option<u8> {
        match (self, u8::try_from(u32::from(c))) {
            (_, Ok(byte @ 0..=0x7f)) => return Some(byte),
            (Self::Ascii, _) => return None,
            (_, Ok(byte @ 0x80..=0x9f)) | (Self::Latin1, Ok(byte)) => return Some(byte),
            (Self::Latin1, Err(_)) => return None,
            _ => {}
        }
        single_byte(self.page(), c).filter(|byte| *byte >= 0xa0)
    }

    fn decode(self, bytes: &[u8]) -> Option<String> {
        let page = self.page();
        let char_of = |byte: &u8| match (self, *byte) {
            (Self::Ascii, byte) if byte > 0x7f => None,
            (_, byte @ ..=0x9f) | (Self::Latin1, byte) => Some(char::from(byte)),
            (_, byte) => {
                let byte = [byte];
                let text = page.decode_without_bom_handling_and_without_replacement(&byte)?;
                text.chars().next()
            }
        };
        bytes.iter().map(char_of).collect()
    }
}

/// The byte of a character in a table, if it has one.
fn single_byte(table: &'static Table, c: char) -> Option<u8> {
    let mut text = [0; 4];
    let (bytes, _, lacking) = table.encode(c.encode_utf8(&mut text));
    match (&*bytes, lacking) {
        ([byte], false) => Some(*byte),
        _ => None,
    }
}

/// The name for UTF-8 after a byte order mark.
const MARKED: &str = "UTF-8 with a byte order mark";
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
const LE_MARK: &[u8] = b"\xff\xfe";
const BE_MARK: &[u8] = b"\xfe\xff";
/// The number of bytes in which an XML declaration must name the encoding.
const DECLARATION: usize = 256;

impl Encoding {
    /// The encoding's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 { mark: false } => "UTF-8",
            Self::Utf8 { mark: true } => MARKED,
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
            Self::SingleByte(table) => table.name(),
            Self::Strict(strict) => strict.name(),
        }
    }

    /// Whether the encoding has a character.
    #[must_use]
    pub fn has(self, c: char) -> bool {
        match self {
            Self::Utf8 { .. } | Self::Utf16Le | Self::Utf16Be => true,
            Self::SingleByte(table) => c.is_ascii() || single_byte(table, c).is_some(),
            Self::Strict(strict) => strict.byte(c).is_some(),
        }
    }

    /// Whether the encoding has every character of Unicode.
    #[must_use]
    pub const fn has_all(self) -> bool {
        matches!(self, Self::Utf8 { .. } | Self::Utf16Le | Self::Utf16Be)
    }

    /// The encoding of an XML file, by its byte order mark or its declaration.
    fn of(bytes: &[u8]) -> Result<Self> {
        if bytes.starts_with(UTF8_MARK) {
            return Ok(Self::Utf8 { mark: true });
        }
        if bytes.starts_with(LE_MARK) {
            return Ok(Self::Utf16Le);
        }
        if bytes.starts_with(BE_MARK) {
            return Ok(Self::Utf16Be);
        }
        let Some(label) = declared(bytes) else {
            return Ok(Self::Utf8 { mark: false });
        };
        match Table::for_label(label.as_bytes()) {
            Some(table) if table == encoding_rs::UTF_8 => Ok(Self::Utf8 { mark: false }),
            Some(table) if let Some(strict) = Strict::of(label, table) => Ok(Self::Strict(strict)),
            Some(table) if table.is_single_byte() => Ok(Self::SingleByte(table)),
            _ => bail!("the encoding {label} is not read"),
        }
    }

    /// Encodes a text. Characters that the encoding lacks become numeric references, as in XML.
    #[must_use]
    pub fn encode(self, text: &str) -> Vec<u8> {
        match self {
            Self::Utf8 { mark: false } => text.as_bytes().to_vec(),
            Self::Utf8 { mark: true } => [UTF8_MARK, text.as_bytes()].concat(),
            Self::Utf16Le => {
                let units = text.encode_utf16().flat_map(u16::to_le_bytes);
                LE_MARK.iter().copied().chain(units).collect()
            }
            Self::Utf16Be => {
                let units = text.encode_utf16().flat_map(u16::to_be_bytes);
                BE_MARK.iter().copied().chain(units).collect()
            }
            Self::SingleByte(table) => table.encode(text).0.into_owned(),
            Self::Strict(strict) => {
                let mut bytes = Vec::with_capacity(text.len());
                for c in text.chars() {
                    match strict.byte(c) {
                        Some(byte) => bytes.push(byte),
                        None => bytes.extend(format!("&#{};", u32::from(c)).bytes()),
                    }
                }
                bytes
            }
        }
    }
}

impl Encoding {
    /// The byte order mark at the start of a file.
    #[must_use]
    pub const fn mark(self) -> &'static [u8] {
        match self {
            Self::Utf8 { mark: true } => UTF8_MARK,
            Self::Utf16Le => LE_MARK,
            Self::Utf16Be => BE_MARK,
            _ => &[],
        }
    }

    /// Encodes a part of a text as [`encode`](Self::encode) does, without the mark.
    #[must_use]
    pub fn encode_part(self, text: &str) -> Cow<'_, [u8]> {
        match self {
            Self::Utf8 { .. } => text.as_bytes().into(),
            _ => self.encode(text).split_off(self.mark().len()).into(),
        }
    }
}

impl Default for Encoding {
    fn default() -> Self {
        Self::Utf8 { mark: false }
    }
}

impl From<Encoding> for String {
    fn from(encoding: Encoding) -> Self {
        encoding.name().to_owned()
    }
}

impl TryFrom<String> for Encoding {
    type Error = String;

    fn try_from(name: String) -> std::result::Result<Self, String> {
        match &*name {
            "UTF-8" => Ok(Self::Utf8 { mark: false }),
            MARKED => Ok(Self::Utf8 { mark: true }),
            "UTF-16LE" => Ok(Self::Utf16Le),
            "UTF-16BE" => Ok(Self::Utf16Be),
            name if let Some(strict) = Strict::ALL.into_iter().find(|one| one.name() == name) => {
                Ok(Self::Strict(strict))
            }
            _ => match Table::for_label(name.as_bytes()) {
                Some(table) if table.is_single_byte() => Ok(Self::SingleByte(table)),
                _ => Err(format!("{name} is not an encoding")),
            },
        }
    }
}

impl JsonSchema for Encoding {
    fn schema_name() -> Cow<'static, str> {
        "Encoding".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

/// The encoding in an ASCII XML declaration.
fn declared(bytes: &[u8]) -> Option<&str> {
    let head = bytes.get(..DECLARATION.min(bytes.len()))?;
    let head = head.strip_prefix(b"<?xml")?;
    let end = head.iter().position(|byte| *byte == b'>')?;
    let head = std::str::from_utf8(head.get(..end)?).ok()?;
    let (_, rest) = head.split_once("encoding")?;
    let rest = rest.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    rest.get(1..)?.split(quote).next()
}

/// Decodes an XML file, without its byte order mark.
///
/// # Errors
/// The encoding is not supported, or the bytes would not round-trip.
pub fn decode(bytes: &[u8]) -> Result<(String, Encoding)> {
    let encoding = Encoding::of(bytes)?;
    let text = match encoding {
        Encoding::Utf8 { mark } => {
            let rest = bytes.get(if mark { UTF8_MARK.len() } else { 0 }..);
            std::str::from_utf8(rest.unwrap_or_default())
                .ok()
                .map(str::to_owned)
        }
        Encoding::Utf16Le => utf16(bytes, u16::from_le_bytes),
        Encoding::Utf16Be => utf16(bytes, u16::from_be_bytes),
        Encoding::SingleByte(table) => {
            let text = table.decode_without_bom_handling_and_without_replacement(bytes);
            text.map(Cow::into_owned)
        }
        Encoding::Strict(strict) => strict.decode(bytes),
    };
    match text {
        Some(text) if encoding.encode(&text) == bytes => Ok((text, encoding)),
        _ => bail!("the bytes are not {}", encoding.name()),
    }
}

/// Decodes UTF-16 after its byte order mark.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.get(LE_MARK.len()..)?.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().copied().map(unit).collect();
    String::from_utf16(&units).ok().filter(|_| rest.is_empty())
}

/// Whether bytes are compressed with gzip.
#[must_use]
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x1f\x8b")
}

/// Decompresses gzip, to at most `limit` bytes.
///
/// # Errors
/// The bytes are damaged or truncated, or they exceed the limit.
pub fn inflate(bytes: &[u8], limit: usize) -> Result<Vec<u8>> {
    let mut unpacked = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let mut decoder = MultiGzDecoder::new(bytes).take(most);
    if let Err(error) = decoder.read_to_end(&mut unpacked) {
        bail!("the gzip data is damaged: {error}")
    }
    if unpacked.len() > limit {
        let mib = limit.div_ceil(1 << 20);
        let error = Diagnostic::new(format!(
            "the file unpacks to more than {limit} bytes (set file-limit:MIB moves it)"
        ));
        return Err(error.or_try(format!("! set file-limit:{}", mib.saturating_mul(2))));
    }
    Ok(unpacked)
}

/// Compresses bytes with gzip, as far as possible and always to the same result.
///
/// # Errors
/// None is known: memory accepts all that is written to it.
pub fn deflate(bytes: &[u8]) -> Result<Vec<u8>> {
    packed(GzBuilder::new().mtime(0), bytes)
}

fn packed(builder: GzBuilder, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = builder.write(Vec::new(), Compression::best());
    match encoder.write_all(bytes).and_then(|()| encoder.finish()) {
        Ok(packed) => Ok(packed),
        Err(error) => bail!("packing failed: {error}"),
    }
}

/// A file compressed with gzip, as it was read.
#[derive(Clone, Debug)]
pub struct Packed {
    file: Arc<[u8]>,
}

impl Packed {
    /// Keeps a compressed file.
    #[must_use]
    pub fn new(file: &[u8]) -> Self {
        Self { file: file.into() }
    }

    /// The compressed form of some content: the file itself if that is its content, else a new one
    /// with the name, the time and the other fields of its header.
    ///
    /// # Errors
    /// See [`deflate`].
    pub fn repacked(&self, content: &[u8]) -> Result<Vec<u8>> {
        let most = u64::try_from(content.len()).unwrap_or(u64::MAX);
        let mut same =
            BufReader::new(MultiGzDecoder::new(&*self.file).take(most.saturating_add(1)));
        let mut rest = content;
        let is_same = loop {
            let Ok(part) = same.fill_buf() else {
                break false;
            };
            let len = part.len();
            match rest.split_at_checked(len) {
                Some(_) if len == 0 => break rest.is_empty(),
                Some((own, left)) if own == part => rest = left,
                _ => break false,
            }
            same.consume(len);
        };
        if is_same {
            return Ok(self.file.to_vec());
        }
        let decoder = MultiGzDecoder::new(&*self.file);
        let Some(header) = decoder.header() else {
            return deflate(content);
        };
        let mut builder = GzBuilder::new()
            .mtime(header.mtime())
            .operating_system(header.operating_system());
        if let Some(name) = header.filename().filter(|name| !name.contains(&0)) {
            builder = builder.filename(name);
        }
        if let Some(comment) = header.comment().filter(|comment| !comment.contains(&0)) {
            builder = builder.comment(comment);
        }
        if let Some(extra) = header.extra() {
            builder = builder.extra(extra);
        }
        packed(builder, content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compressed_file_keeps_its_bytes_or_its_header() {
        let builder = GzBuilder::new()
            .mtime(7)
            .filename("a.svg")
            .comment("c")
            .extra([1, 0, 0, 0])
            .operating_system(3);
        let mut encoder = builder.write(Vec::new(), Compression::fast());
        encoder.write_all(b"<svg/>").unwrap();
        let file = encoder.finish().unwrap();
        let packed = Packed::new(&file);
        assert_eq!(packed.repacked(b"<svg/>").unwrap(), file);
        for other in [&b"<svg></svg>"[..], b"<svg/", b"<svg/>\n", b""] {
            let new = packed.repacked(other).unwrap();
            assert_eq!(inflate(&new, 99).unwrap(), other);
            let decoder = MultiGzDecoder::new(&*new);
            let header = decoder.header().unwrap();
            assert_eq!((header.mtime(), header.operating_system()), (7, 3));
            assert_eq!(header.filename(), Some(&b"a.svg"[..]));
            assert_eq!(header.comment(), Some(&b"c"[..]));
            assert_eq!(header.extra(), Some(&[1, 0, 0, 0][..]));
        }
    }

    const XML: &str = "<a>é</a>";

    #[test]
    fn every_encoding_comes_back() {
        let declared = |name: &str| format!("<?xml version='1.0' encoding='{name}'?>{XML}");
        let (latin, cyrillic) = (
            declared("ISO-8859-1"),
            declared("windows-1251").replace('é', "Я"),
        );
        let table = |label: &str| Encoding::SingleByte(Table::for_label(label.as_bytes()).unwrap());
        let cases = [
            (Encoding::Utf8 { mark: false }, XML, "UTF-8"),
            (Encoding::Utf8 { mark: true }, XML, MARKED),
            (Encoding::Utf16Le, "<a>é\u{1f600}</a>", "UTF-16LE"),
            (Encoding::Utf16Be, "<a>é\u{1f600}</a>", "UTF-16BE"),
            (Encoding::Strict(Strict::Latin1), &latin, "ISO-8859-1"),
            (table("windows-1251"), &cyrillic, "windows-1251"),
        ];
        for (encoding, text, name) in cases {
            let bytes = encoding.encode(text);
            assert_eq!(decode(&bytes).unwrap(), (text.to_owned(), encoding));
            assert_eq!(encoding.name(), name);
            assert_eq!(Encoding::try_from(String::from(encoding)), Ok(encoding));
        }
        let lacking = table("windows-1252").encode("Я");
        assert_eq!(lacking, b"&#1071;");
    }

    #[test]
    fn a_standard_differs_from_the_code_page_like_it() {
        let file = |label: &str, bytes: &[u8]| {
            let head = format!("<?xml version='1.0' encoding='{label}'?>");
            [head.as_bytes(), bytes].concat()
        };
        for (label, name, bytes, text, euro) in [
            (
                "iso-8859-1",
                "ISO-8859-1",
                &b"\x80\x9f\xe9"[..],
                "\u{80}\u{9f}é",
                &b"&#8364;"[..],
            ),
            ("latin1", "ISO-8859-1", b"\x85", "\u{85}", b"&#8364;"),
            ("windows-1252", "windows-1252", b"\x80\xe9", "€é", b"\x80"),
            ("cp1252", "windows-1252", b"\x80", "€", b"\x80"),
            (
                "ISO-8859-9",
                "ISO-8859-9",
                b"\x80\xf0",
                "\u{80}ğ",
                b"&#8364;",
            ),
            ("windows-1254", "windows-1254", b"\x80\xf0", "€ğ", b"\x80"),
            (
                "iso-8859-11",
                "ISO-8859-11",
                b"\x80\xa1",
                "\u{80}ก",
                b"&#8364;",
            ),
            ("iso-8859-15", "ISO-8859-15", b"\xa4", "€", b"\xa4"),
            ("us-ascii", "US-ASCII", b"a", "a", b"&#8364;"),
        ] {
            let bytes = file(label, bytes);
            let (read, encoding) = decode(&bytes).unwrap();
            assert_eq!(
                (encoding.name(), read.split_once('>').unwrap().1),
                (name, text),
                "{label}"
            );
            assert_eq!(encoding.encode(&read), bytes, "{label}");
            assert_eq!(encoding.encode("€"), euro, "{label}");
            assert_eq!(encoding.has('€'), euro.len() == 1, "{label}");
        }
        let refused = decode(&file("us-ascii", b"\xe9")).unwrap_err().message;
        assert_eq!(refused, "the bytes are not US-ASCII");
    }

    #[test]
    fn unencodable_text_is_refused_with_the_encoding() {
        let cases: [(&[u8], &str); 6] = [
            (b"<a>\xe9</a>", "the bytes are not UTF-8"),
            (b"\xff\xfe<\0a", "the bytes are not UTF-16LE"),
            (b"\xfe\xff\xd8\0", "the bytes are not UTF-16BE"),
            (
                b"<?xml version='1.0' encoding='windows-1253'?>\xaa",
                "the bytes are not windows-1253",
            ),
            (
                b"<?xml version='1.0' encoding='Shift_JIS'?>",
                "the encoding Shift_JIS is not read",
            ),
            (
                b"<?xml version='1.0' encoding = \"klingon\"?>",
                "the encoding klingon is not read",
            ),
        ];
        for (bytes, message) in cases {
            assert_eq!(decode(bytes).unwrap_err().message, message);
        }
    }

    #[test]
    fn gzip_is_unpacked_within_a_limit_and_packed_without_a_time() {
        let packed = deflate(XML.as_bytes()).unwrap();
        assert!(is_gzip(&packed) && !is_gzip(XML.as_bytes()));
        assert_eq!(packed[4..8], [0; 4], "the time");
        assert_eq!(inflate(&packed, XML.len()).unwrap(), XML.as_bytes());
        let over = inflate(&packed, XML.len() - 1).unwrap_err().message;
        assert_eq!(
            over,
            "the file unpacks to more than 8 bytes (set file-limit:MIB moves it)"
        );
        let cut = inflate(&packed[..packed.len() - 4], 99).unwrap_err();
        assert!(cut.message.starts_with("the gzip data is damaged: "));
    }
}

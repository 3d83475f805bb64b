//! From a file's bytes to text, and back to the same bytes.

use std::borrow::Cow;
use std::io::{Read as _, Write as _};

use encoding_rs::Encoding as Table;
use flate2::{Compression, GzBuilder, read::MultiGzDecoder};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bail;
use crate::diag::{Diagnostic, Result};

/// How a text is written as bytes. Serialised as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Encoding {
    /// UTF-8, with a byte order mark or without.
    Utf8 {
        /// Whether it begins with a byte order mark.
        mark: bool,
    },
    /// UTF-16 with the low byte first, after a byte order mark.
    Utf16Le,
    /// UTF-16 with the high byte first, after a byte order mark.
    Utf16Be,
    /// A byte a character, as the WHATWG's encoding standard lists them.
    SingleByte(&'static Table),
}

/// What UTF-8 behind a byte order mark is called here.
const MARKED: &str = "UTF-8 with a byte order mark";
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
const LE_MARK: &[u8] = b"\xff\xfe";
const BE_MARK: &[u8] = b"\xfe\xff";
/// Where an XML declaration names the encoding, if it does.
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
        }
    }

    /// What a file of XML is written in, by its byte order mark or its declaration.
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
            Some(table) if table.is_single_byte() => Ok(Self::SingleByte(table)),
            _ => bail!("the encoding {label} is not read"),
        }
    }

    /// A text as bytes. Characters that the encoding lacks become references by number, as XML has them.
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
        }
    }
}

impl Encoding {
    /// The byte order mark that a file begins with.
    #[must_use]
    pub const fn mark(self) -> &'static [u8] {
        match self {
            Self::Utf8 { mark: true } => UTF8_MARK,
            Self::Utf16Le => LE_MARK,
            Self::Utf16Be => BE_MARK,
            _ => &[],
        }
    }

    /// A part of a text as bytes, as [`encode`](Self::encode) writes it, without the mark.
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
            _ => match Table::for_label(name.as_bytes()) {
                Some(table) if table.is_single_byte() => Ok(Self::SingleByte(table)),
                _ => Err(format!("{name} is no encoding")),
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

/// The encoding that an XML declaration in ASCII names.
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

/// Reads a file of XML as text, without its byte order mark.
///
/// # Errors
/// The encoding is none that is read, or the bytes would not come back the same.
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
    };
    match text {
        Some(text) if encoding.encode(&text) == bytes => Ok((text, encoding)),
        _ => bail!("the bytes are no {}", encoding.name()),
    }
}

/// UTF-16 behind its byte order mark.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.get(LE_MARK.len()..)?.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().copied().map(unit).collect();
    String::from_utf16(&units).ok().filter(|_| rest.is_empty())
}

/// Whether bytes are packed with gzip.
#[must_use]
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x1f\x8b")
}

/// Unpacks gzip, to at most `limit` bytes.
///
/// # Errors
/// The bytes are damaged or cut off, or there is more in them.
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

/// Packs bytes with gzip: as small as it goes, and the same for the same bytes.
///
/// # Errors
/// None that is known: memory takes what is written to it.
pub fn deflate(bytes: &[u8]) -> Result<Vec<u8>> {
    let builder = GzBuilder::new().mtime(0);
    let mut encoder = builder.write(Vec::new(), Compression::best());
    match encoder.write_all(bytes).and_then(|()| encoder.finish()) {
        Ok(packed) => Ok(packed),
        Err(error) => bail!("packing failed: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (table("latin1"), &latin, "windows-1252"),
            (table("windows-1251"), &cyrillic, "windows-1251"),
        ];
        for (encoding, text, name) in cases {
            let bytes = encoding.encode(text);
            assert_eq!(decode(&bytes).unwrap(), (text.to_owned(), encoding));
            assert_eq!(encoding.name(), name);
            assert_eq!(Encoding::try_from(String::from(encoding)), Ok(encoding));
        }
        let lacking = table("latin1").encode("Я");
        assert_eq!(lacking, b"&#1071;");
    }

    #[test]
    fn what_would_not_come_back_is_refused_with_the_encoding() {
        let cases: [(&[u8], &str); 6] = [
            (b"<a>\xe9</a>", "the bytes are no UTF-8"),
            (b"\xff\xfe<\0a", "the bytes are no UTF-16LE"),
            (b"\xfe\xff\xd8\0", "the bytes are no UTF-16BE"),
            (
                b"<?xml version='1.0' encoding='windows-1253'?>\xaa",
                "the bytes are no windows-1253",
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

//! Contents of files in arguments and replies: text, or `base64:` and the bytes.

use data_encoding::BASE64;

use super::{Answer, Failure};

const MARK: &str = "base64:";

/// Bytes as shown in a reply, and the encoding.
pub fn content(bytes: &[u8], text: bool) -> (String, &'static str) {
    match std::str::from_utf8(bytes) {
        Ok(plain) if text && !plain.starts_with(MARK) => (plain.to_owned(), "utf-8"),
        _ => (MARK.to_owned() + &BASE64.encode(bytes), "base64"),
    }
}

/// Decodes the output of [`content`].
pub fn bytes(text: &str, pointer: &str) -> Answer<Vec<u8>> {
    match text.strip_prefix(MARK) {
        None => Ok(text.as_bytes().to_vec()),
        Some(encoded) => BASE64.decode(encoded.as_bytes()).map_err(|problem| {
            Failure::invalid(pointer, format!("it begins with `base64:`, and {problem}"))
        }),
    }
}

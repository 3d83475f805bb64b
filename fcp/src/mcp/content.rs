//! Converts answers to MCP content.

use rmcp::model::{CallToolResult, ContentBlock};

use crate::endpoint::{Answer, Block};

/// The text first, then the other blocks.
pub(super) fn result(answer: Answer) -> CallToolResult {
    let mut content = Vec::with_capacity(1 + answer.blocks.len());
    if !answer.text.is_empty() || answer.blocks.is_empty() {
        content.push(ContentBlock::text(answer.text));
    }
    content.extend(answer.blocks.into_iter().map(|block| match block {
        Block::Image { mime, bytes } => ContentBlock::image(base64(&bytes), mime),
        Block::Audio { mime, bytes } => ContentBlock::audio(base64(&bytes), mime),
    }));
    if answer.is_error {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    }
}

/// Base64 by RFC 4648, with padding.
pub(super) fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = ALPHABET[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= chunk.len() {
                char::from(letter)
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_the_one_of_rfc_4648() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xff, 0xfe, 0xfd]), "//79");
    }

    #[test]
    fn text_comes_first_and_is_omitted_only_if_there_is_other_content() {
        let image = Block::Image {
            mime: "image/png",
            bytes: vec![1],
        };
        let both = result(Answer {
            text: "a".into(),
            is_error: false,
            blocks: vec![image.clone()],
        });
        assert_eq!(both.content.len(), 2);
        assert_eq!(both.content[0].as_text().unwrap().text, "a");
        assert_eq!(both.content[1].as_image().unwrap().data, "AQ==");
        let bare = result(Answer {
            text: String::new(),
            is_error: false,
            blocks: vec![image],
        });
        assert_eq!(bare.content.len(), 1);
        let empty = result(Answer {
            is_error: true,
            ..Answer::default()
        });
        assert_eq!((empty.content.len(), empty.is_error), (1, Some(true)));
    }
}

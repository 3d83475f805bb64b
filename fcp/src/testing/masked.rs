//! Checks that names and texts of documents hide, reverse and forge nothing in replies.

use crate::diag::plain_lines;

/// A text that reverses what follows it, has an invisible character, and begins a new line.
pub const ODD: &str = "x\u{202e}y\u{200b}z\u{2028}w";

/// The replies of a server to calls on a document with [`ODD`] in it.
#[derive(Debug, Default)]
pub struct Masked(Vec<String>);

impl Masked {
    /// Checks the reply to a call.
    ///
    /// # Panics
    /// It has a character that hides or reverses a text.
    #[track_caller]
    pub fn check(&mut self, call: &str, text: &str) {
        assert_plain(text);
        if text.contains("x\u{fffd}y\u{fffd}z") {
            self.0.push(call.to_owned());
        }
    }

    /// Checks that the replies to some calls had the text, masked: otherwise nothing was tested.
    ///
    /// # Panics
    /// One had not.
    pub fn had(&self, calls: &[&str]) {
        for call in calls {
            assert!(self.0.iter().any(|own| own == call), "{call}: {:?}", self.0);
        }
    }
}

/// Checks that a reply has no character that hides or reverses a text.
///
/// # Panics
/// It has one; the message is the line, up to it.
#[track_caller]
pub fn assert_plain(text: &str) {
    let plain = plain_lines(text);
    let mut both = plain.char_indices().zip(text.chars());
    let raw = both.find(|((_, plain), raw)| plain != raw);
    let place = raw.map(|((at, _), _)| plain[..at].lines().last().unwrap_or_default());
    assert_eq!(place, None);
}

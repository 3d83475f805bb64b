//! Takes a text apart without building a tree.

use std::borrow::Cow;

use super::Fault;
use super::read::{Reader, whole};

/// A value by its text. Objects of the outer levels have members; equal keys are all kept.
#[derive(Clone, Debug)]
pub struct Outline<'s> {
    /// The text, without surrounding whitespace.
    pub text: &'s str,
    /// The depth of nested objects and lists; 0 for any other value.
    pub depth: usize,
    /// The members.
    pub members: Vec<(Cow<'s, str>, Self)>,
}

impl<'s> Outline<'s> {
    /// The member with a key; the last, if there are several.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        let mut last = self.members.iter().rev();
        last.find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The first byte of the value, which determines its type.
    #[must_use]
    pub fn first(&self) -> u8 {
        self.text.bytes().next().unwrap_or_default()
    }
}

/// Takes apart a text that is one value, with the members of `levels` levels of objects. It is as
/// strict as [`read`](super::read()), and builds no value.
///
/// # Errors
/// Those of `read`.
pub fn outline(text: &str, levels: usize) -> Result<Outline<'_>, Fault> {
    whole(text, |reader| reader.part(levels))
}

impl<'s> Reader<'s> {
    /// Recursion is bounded by the number of levels and the allowed depth.
    fn part(&mut self, levels: usize) -> Result<Outline<'s>, Fault> {
        let start = self.at;
        let before = std::mem::replace(&mut self.deepest, self.depth);
        let mut members = Vec::new();
        if levels > 0 && self.peek() == Some(b'{') {
            self.inside(|reader| {
                reader.items(b'}', "a comma or } is expected", |reader| {
                    let key = reader.key(Self::string)?;
                    members.push((key, reader.part(levels - 1)?));
                    Ok(())
                })
            })?;
        } else {
            self.skip()?;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        let depth = self.deepest - self.depth;
        self.deepest = self.deepest.max(before);
        Ok(Outline {
            text,
            depth,
            members,
        })
    }

    /// Recursion is bounded by the allowed depth.
    fn skip(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Some(b'{') => self.inside(|reader| {
                reader.items(b'}', "a comma or } is expected", |reader| {
                    reader.key(Self::pass)?;
                    reader.skip()
                })
            }),
            Some(b'[') => {
                self.inside(|reader| reader.items(b']', "a comma or ] is expected", Self::skip))
            }
            Some(b'"') => self.pass(),
            _ => self.scalar().map(drop),
        }
    }

    /// The items between brackets, separated by commas.
    pub(super) fn items(
        &mut self,
        end: u8,
        expected: &'static str,
        mut item: impl FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if self.take(end) {
            return Ok(());
        }
        loop {
            item(self)?;
            self.blank();
            if self.take(end) {
                return Ok(());
            }
            if !self.take(b',') {
                return self.fault(expected);
            }
            self.blank();
        }
    }

    /// A key, its colon, and the whitespace after it.
    pub(super) fn key<T>(&mut self, read: fn(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.peek() != Some(b'"') {
            return self.fault("a key in quotes is expected");
        }
        let key = read(self)?;
        self.blank();
        if !self.take(b':') {
            return self.fault("a colon is expected");
        }
        self.blank();
        Ok(key)
    }

    /// Skips a string.
    fn pass(&mut self) -> Result<(), Fault> {
        self.at += 1;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let plain = |byte: &u8| !matches!(byte, b'"' | b'\\' | 0..=0x1f);
            self.at += rest.iter().take_while(|byte| plain(byte)).count();
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => drop(self.escape()?),
                Some(_) => return self.fault("a text has a control character in it"),
                None => return self.fault("a text does not end"),
            }
        }
    }
}

//! JSON pointers (RFC 6901).

use std::borrow::Cow;

use super::Json;

/// A key as it stands in a pointer: `~` is `~0`, `/` is `~1`.
#[must_use]
pub fn escaped(key: &str) -> Cow<'_, str> {
    if key.contains(['~', '/']) {
        Cow::Owned(key.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(key)
    }
}

/// A pointer, cut into its keys. That of the whole has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    keys: Vec<String>,
}

impl Pointer {
    /// Reads a pointer; nothing if the text is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self { keys: Vec::new() });
        }
        let keys = text.strip_prefix('/')?.split('/').map(key);
        Some(Self {
            keys: keys.collect::<Option<_>>()?,
        })
    }

    /// The pointer of what this points into, and the key in it; nothing if this is the whole.
    #[must_use]
    pub fn split(&self) -> Option<(&[String], &str)> {
        let (last, before) = self.keys.split_last()?;
        Some((before, last))
    }

    /// The keys.
    #[must_use]
    pub fn keys(&self) -> &[String] {
        &self.keys
    }
}

/// A key from a pointer; nothing if a `~` is no escape.
fn key(text: &str) -> Option<String> {
    let mut parts = text.split('~');
    let mut key = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        key.push(match part.bytes().next()? {
            b'0' => '~',
            b'1' => '/',
            _ => return None,
        });
        key.push_str(part.get(1..)?);
    }
    Some(key)
}

/// The place that a key names in a list of so many: digits without a leading zero.
pub(crate) fn index(key: &str, len: usize) -> Option<usize> {
    let leads = key.len() > 1 && key.starts_with('0');
    let digits = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
    let ix = key.parse().ok().filter(|_| digits && !leads)?;
    (ix < len).then_some(ix)
}

impl<'s> Json<'s> {
    /// What keys lead to.
    #[must_use]
    pub fn at(&self, keys: &[String]) -> Option<&Self> {
        keys.iter().try_fold(self, |value, key| match value {
            Self::Object(members) => members.get(key.as_str()),
            Self::Array(items) => items.get(index(key, items.len())?),
            _ => None,
        })
    }

    /// What keys lead to, to be changed.
    pub fn at_mut(&mut self, keys: &[String]) -> Option<&mut Self> {
        keys.iter().try_fold(self, |value, key| match value {
            Self::Object(members) => members.get_mut(key.as_str()),
            Self::Array(items) => {
                let ix = index(key, items.len())?;
                items.get_mut(ix)
            }
            _ => None,
        })
    }
}

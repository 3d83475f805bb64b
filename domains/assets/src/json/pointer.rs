//! JSON pointers (RFC 6901).

use std::borrow::Cow;

use super::Json;

/// A key as written in a pointer: `~` is `~0`, `/` is `~1`.
#[must_use]
pub fn escaped(key: &str) -> Cow<'_, str> {
    if key.contains(['~', '/']) {
        Cow::Owned(key.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(key)
    }
}

/// A pointer, split into its keys. The pointer to the whole value has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    keys: Vec<String>,
}

impl Pointer {
    /// Parses a pointer; `None` if the text is not one.
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

    /// The pointer to the parent, and the key in it; `None` for the whole value.
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

/// A key from a pointer; `None` if a `~` starts no escape.
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

/// The index that a key names in a list of `len` items: digits without a leading zero.
pub(crate) fn index(key: &str, len: usize) -> Option<usize> {
    let leads = key.len() > 1 && key.starts_with('0');
    let digits = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
    let ix = key.parse().ok().filter(|_| digits && !leads)?;
    (ix < len).then_some(ix)
}

impl<'s> Json<'s> {
    /// The value at a path of keys.
    #[must_use]
    pub fn at(&self, keys: &[String]) -> Option<&Self> {
        keys.iter().try_fold(self, |value, key| match value {
            Self::Object(members) => members.get(key.as_str()),
            Self::Array(items) => items.get(index(key, items.len())?),
            _ => None,
        })
    }

    /// The value at a path of keys, mutably.
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

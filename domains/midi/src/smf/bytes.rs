//! Bytes with shared ownership.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A run of bytes that is cheap to clone. One pointer wide, and no allocation when empty, since
/// a file may hold a million of them.
///
/// Serialized as a string of hex digits in readable formats, as bytes in others.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(Option<Arc<Box<[u8]>>>);

impl Bytes {
    /// A copy of `bytes`.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        if bytes.is_empty() {
            Self(None)
        } else {
            Self(Some(Arc::new(bytes.into())))
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.as_ref().map_or(&[], |shared| shared)
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Self::new(bytes)
    }
}

impl<const N: usize> From<&[u8; N]> for Bytes {
    fn from(bytes: &[u8; N]) -> Self {
        Self::new(bytes)
    }
}

impl From<&str> for Bytes {
    fn from(text: &str) -> Self {
        Self::new(text.as_bytes())
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        if bytes.is_empty() {
            Self(None)
        } else {
            Self(Some(Arc::new(bytes.into())))
        }
    }
}

impl fmt::Debug for Bytes {
    /// At most sixteen bytes, then their number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 16;
        f.write_str("Bytes(")?;
        f.write_str(&hex(&self[..self.len().min(SHOWN)]))?;
        if self.len() > SHOWN {
            write!(f, "… {} bytes", self.len())?;
        }
        f.write_str(")")
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(&hex(self))
        } else {
            serializer.serialize_bytes(self)
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(BytesVisitor)
        } else {
            deserializer.deserialize_bytes(BytesVisitor)
        }
    }
}

struct BytesVisitor;

impl Visitor<'_> for BytesVisitor {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes, or a string of hex digits, two for each byte")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Bytes, E> {
        unhex(text)
            .map(Bytes::from)
            .ok_or_else(|| E::custom("not a string of hex digits, two for each byte"))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
        Ok(Bytes::new(bytes))
    }
}

/// `bytes` in lower-case hex digits, two for each byte.
pub(crate) fn hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}

/// The bytes of hex digits, two for each byte.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn bytes_survive_json() {
        for bytes in [Bytes::default(), Bytes::new(&[0, 0x7f, 0xff, 0x1a])] {
            let json = serde_json::to_string(&bytes).unwrap();
            assert_eq!(serde_json::from_str::<Bytes>(&json).unwrap(), bytes);
        }
        assert_eq!(
            serde_json::to_string(&Bytes::new(&[0x1a])).unwrap(),
            "\"1a\""
        );
        assert!(serde_json::from_str::<Bytes>("\"1a0\"").is_err());
        assert!(serde_json::from_str::<Bytes>("\"1ä\"").is_err());
    }

    #[test]
    fn long_bytes_are_shown_short() {
        assert_eq!(format!("{:?}", Bytes::new(&[1, 2])), "Bytes(0102)");
        assert_eq!(
            format!("{:?}", Bytes::new(&[0; 99])),
            "Bytes(00000000000000000000000000000000… 99 bytes)"
        );
    }
}

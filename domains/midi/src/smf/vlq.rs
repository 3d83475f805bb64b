//! Variable-length numbers: seven bits per byte, with the high bit set on all but the last.

/// The reason why a number cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadNumber {
    /// The bytes end inside it.
    Cut,
    /// It takes more than 255 bytes, or does not fit in 63 bits.
    Huge,
}

/// A number in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub value: u64,
    /// Zero if its spelling is the shortest, else its width in bytes.
    pub width: u8,
    /// The index of the byte after it.
    pub next: usize,
}

/// Reads the number at `at`, without reading from `limit` on.
pub(super) fn read(bytes: &[u8], at: usize, limit: usize) -> Result<Number, BadNumber> {
    let mut value = 0u64;
    let mut next = at;
    loop {
        if next >= limit {
            return Err(BadNumber::Cut);
        }
        let byte = *bytes.get(next).ok_or(BadNumber::Cut)?;
        if value >> 56 != 0 {
            return Err(BadNumber::Huge);
        }
        value = value << 7 | u64::from(byte & 0x7f);
        next += 1;
        let filled = u8::try_from(next - at).map_err(|_| BadNumber::Huge)?;
        if byte < 0x80 {
            let width = if filled > len(value) { filled } else { 0 };
            return Ok(Number { value, width, next });
        }
    }
}

/// The number of bytes in the shortest spelling of `value`.
pub(super) fn len(value: u64) -> u8 {
    let bits = 64 - value.leading_zeros();
    u8::try_from(bits.div_ceil(7).max(1)).unwrap_or(u8::MAX)
}

/// Writes `value`, at least `width` bytes wide.
#[inline]
pub(crate) fn write(value: u64, width: u8, out: &mut Vec<u8>) {
    if value < 0x80 && width < 2 {
        out.push(value as u8);
        return;
    }
    for place in (0..u32::from(len(value).max(width))).rev() {
        let bits = value.checked_shr(7 * place).unwrap_or(0) as u8 & 0x7f;
        out.push(if place == 0 { bits } else { bits | 0x80 });
    }
}

/// At most eight bytes, which are appended at once.
#[derive(Clone, Copy)]
pub(super) struct Short {
    /// From the lowest byte up.
    bytes: u64,
    len: u32,
}

impl Short {
    /// Adds a byte after at most seven others.
    pub(super) const fn push(&mut self, byte: u8) {
        self.bytes |= (byte as u64) << (8 * self.len);
        self.len += 1;
    }

    pub(super) const fn len(self) -> usize {
        self.len as usize
    }

    pub(super) fn append_to(self, out: &mut Vec<u8>) {
        let end = out.len() + self.len();
        // A copy of a fixed length takes one step.
        out.extend_from_slice(&self.bytes.to_le_bytes());
        out.truncate(end);
    }
}

/// The bytes of `value`, at least `width` bytes wide, if they are one or two.
pub(super) const fn short(value: u64, width: u8) -> Option<Short> {
    match (value, width) {
        (0..0x80, 0..2) => Some(Short {
            bytes: value,
            len: 1,
        }),
        (0..0x4000, 0..3) => Some(Short {
            bytes: value >> 7 | 0x80 | (value & 0x7f) << 8,
            len: 2,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{BadNumber, Number, len, read, short, write};

    #[test]
    fn shortest_spellings_come_back() {
        for value in [
            0,
            1,
            0x7f,
            0x80,
            0x3fff,
            0x4000,
            0x0fff_ffff,
            0x1000_0000,
            u64::from(u32::MAX),
            (1 << 63) - 1,
        ] {
            let mut bytes = Vec::new();
            write(value, 0, &mut bytes);
            assert_eq!(bytes.len(), usize::from(len(value)));
            assert_eq!(
                read(&bytes, 0, bytes.len()),
                Ok(Number {
                    value,
                    width: 0,
                    next: bytes.len()
                })
            );
        }
    }

    #[test]
    fn the_table_of_the_standard() {
        // RP-001, "Variable length quantities".
        for (value, expected) in [
            (0x0000_0040, &[0x40][..]),
            (0x0000_2000, &[0xc0, 0x00]),
            (0x0010_0000, &[0xc0, 0x80, 0x00]),
            (0x0800_0000, &[0xc0, 0x80, 0x80, 0x00]),
            (0x0fff_ffff, &[0xff, 0xff, 0xff, 0x7f]),
        ] {
            let mut bytes = Vec::new();
            write(value, 0, &mut bytes);
            assert_eq!(bytes, expected);
        }
    }

    #[test]
    fn wide_spellings_come_back() {
        for width in 2..=255u8 {
            let mut bytes = Vec::new();
            write(5, width, &mut bytes);
            assert_eq!(
                read(&bytes, 0, bytes.len()),
                Ok(Number {
                    value: 5,
                    width,
                    next: usize::from(width)
                })
            );
        }
    }

    #[test]
    fn short_numbers_are_written_alike() {
        for value in (0..0x4001).chain([1 << 21, u64::MAX >> 1]) {
            for width in 0..4 {
                let mut bytes = Vec::new();
                write(value, width, &mut bytes);
                let mut own = Vec::new();
                match short(value, width) {
                    Some(number) => number.append_to(&mut own),
                    None => assert!(bytes.len() > 2),
                }
                assert!(own.is_empty() || own == bytes, "{value} in {width}");
            }
        }
    }

    #[test]
    fn a_wide_field_keeps_its_width_until_the_value_outgrows_it() {
        let mut bytes = Vec::new();
        write(0x4000, 2, &mut bytes);
        assert_eq!(bytes, [0x81, 0x80, 0x00]);
    }

    #[test]
    fn cut_and_huge_numbers_are_distinguished() {
        assert_eq!(read(&[0x80, 0x80], 0, 2), Err(BadNumber::Cut));
        assert_eq!(read(&[0x80, 0x00], 0, 1), Err(BadNumber::Cut));
        assert_eq!(read(&[], 0, 9), Err(BadNumber::Cut));
        assert_eq!(read(&[0xff; 99], 0, 99), Err(BadNumber::Huge));
        assert_eq!(read(&[0x80; 999], 0, 999), Err(BadNumber::Huge));
    }
}

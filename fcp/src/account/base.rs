//! The start state of an account: the bytes of a file, and their owners.

use super::pieces::{Pieces, Span};

/// A file's bytes with their owners, in compact form.
#[derive(Clone, Debug, Default)]
pub struct Base {
    content: Vec<u8>,
    /// For each span the difference between its owner's code and that of two spans earlier, and its
    /// length, as LEB128 numbers.
    spans: Vec<u8>,
}

impl Base {
    /// The base of a file whose bytes are `content`, with the spans of `pieces`.
    #[must_use]
    pub(crate) fn of(content: Vec<u8>, pieces: &Pieces) -> Self {
        let mut spans = Vec::with_capacity(pieces.spans().len() * 2);
        let mut last = [0_u32; 2];
        for span in pieces.spans() {
            let step = span.code.wrapping_sub(last[0]).cast_signed();
            // Zigzag: small steps in either direction become small numbers.
            let step = (step << 1) ^ (step >> 31);
            push(&mut spans, step.cast_unsigned());
            push(&mut spans, span.len);
            last = [last[1], span.code];
        }
        spans.shrink_to_fit();
        Self { content, spans }
    }

    /// The bytes of the file.
    #[must_use]
    pub(crate) fn content(&self) -> &[u8] {
        &self.content
    }

    /// The spans in order.
    pub(super) fn spans(&self) -> impl Iterator<Item = Span> + Clone + '_ {
        let mut rest = self.spans.as_slice();
        let mut last = [0_u32; 2];
        std::iter::from_fn(move || {
            let step = take(&mut rest)?;
            let len = take(&mut rest)?;
            let step = (step >> 1).cast_signed() ^ -((step & 1).cast_signed());
            let code = last[0].wrapping_add(step.cast_unsigned());
            last = [last[1], code];
            Some(Span { code, len })
        })
    }

    /// Its memory, in bytes.
    #[must_use]
    pub fn heap(&self) -> usize {
        self.content.capacity() + self.spans.capacity()
    }
}

fn push(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        // The low seven bits.
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

fn take(rest: &mut &[u8]) -> Option<u32> {
    let (mut number, mut shift) = (0_u32, 0);
    loop {
        let (first, tail) = rest.split_first()?;
        *rest = tail;
        number |= u32::from(first & 0x7f).checked_shl(shift).unwrap_or(0);
        if first & 0x80 == 0 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers: Vec<u32>) {
            let mut out = Vec::new();
            numbers.iter().for_each(|number| push(&mut out, *number));
            let mut rest = out.as_slice();
            let back: Vec<u32> = std::iter::from_fn(|| take(&mut rest)).collect();
            prop_assert_eq!(back, numbers);
        }
    }
}

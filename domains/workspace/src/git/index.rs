//! The form of an index. Git reads beyond the end of one that was cut off, as if it went on in
//! zeros.

/// The lengths of the hash at the end, of either object format.
const HASHES: [usize; 2] = [20, 32];

/// Whether an index has all its entries and extensions, up to the hash at its end.
pub fn is_whole(index: &[u8]) -> bool {
    let Some((header, rest)) = index.split_at_checked(12) else {
        return false;
    };
    let [version, count] = [&header[4..8], &header[8..12]].map(number);
    match version {
        _ if !header.starts_with(b"DIRC") => false,
        2..=4 => HASHES
            .iter()
            .any(|hash| ends_with_hash(rest, version, count, *hash).is_some()),
        // A later form, for git to judge.
        _ => true,
    }
}

fn number(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .fold(0, |sum, byte| sum << 8 | usize::from(*byte))
}

fn ends_with_hash(mut rest: &[u8], version: usize, count: usize, hash: usize) -> Option<()> {
    for _ in 0..count {
        // Times, numbers and sizes, the object, and flags.
        let flags = *rest.get(40 + hash)?;
        let mut start = 40 + hash + if flags & 0x40 == 0 { 2 } else { 4 };
        if version == 4 {
            // The length of what is cut from the name before.
            while rest.get(start)? & 0x80 != 0 {
                start += 1;
            }
            start += 1;
        }
        let end = start + rest.get(start..)?.iter().position(|byte| *byte == 0)?;
        let length = match version {
            4 => end + 1,
            // Padded with NUL bytes, at least one.
            _ => (end + 8) & !7,
        };
        rest = rest.get(length..)?;
    }
    while rest.len() > hash {
        let length = number(rest.get(4..8)?);
        rest = rest.get(8..)?.get(length..)?;
    }
    (rest.len() == hash).then_some(())
}

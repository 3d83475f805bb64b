//! The chunks of a RIFF file around its song.

/// A chunk of a RIFF file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RiffChunk<'a> {
    /// Its type, after that of its list: `INFO/INAM`.
    pub name: String,
    /// The bytes after its length, without the padding.
    pub content: &'a [u8],
}

/// The chunks in `bytes`, those in lists one by one. `None` if the bytes are not whole chunks in the
/// plain form.
#[must_use]
pub fn riff_chunks(bytes: &[u8]) -> Option<Vec<RiffChunk<'_>>> {
    let mut chunks = Vec::new();
    read("", bytes, &mut chunks)?;
    Some(chunks)
}

fn read<'a>(list: &str, mut bytes: &'a [u8], chunks: &mut Vec<RiffChunk<'a>>) -> Option<()> {
    while !bytes.is_empty() {
        let (id, rest) = bytes.split_first_chunk::<4>()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (content, rest) = rest.split_at_checked(length)?;
        bytes = match length.is_multiple_of(2) {
            true => rest,
            false => rest.strip_prefix(&[0])?,
        };
        let printable = |id: &[u8; 4]| id.iter().all(|byte| (b' '..=b'~').contains(byte));
        let name = std::str::from_utf8(id).ok().filter(|_| printable(id))?;
        // A list of another form is one chunk.
        if list.is_empty()
            && name == "LIST"
            && let Some((form, inner)) = content.split_first_chunk::<4>()
            && printable(form)
        {
            let known = chunks.len();
            let form = String::from_utf8_lossy(form);
            if read(&format!("{form}/"), inner, chunks).is_some() {
                continue;
            }
            chunks.truncate(known);
        }
        let name = format!("{list}{name}");
        chunks.push(RiffChunk { name, content });
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::riff_chunks;

    #[test]
    fn lists_are_read_chunk_by_chunk() {
        let bytes = b"DISP\x02\0\0\0hiLIST\x10\0\0\0INFOINAM\x03\0\0\0abc\0";
        let chunks = riff_chunks(bytes).unwrap();
        let chunks: Vec<(&str, &[u8])> = chunks
            .iter()
            .map(|chunk| (&*chunk.name, chunk.content))
            .collect();
        assert_eq!(chunks, [("DISP", &b"hi"[..]), ("INFO/INAM", b"abc")]);
    }

    #[test]
    fn other_forms_are_not_read() {
        for bytes in [
            &b"DISP\x03\0\0\0hi"[..],
            b"DISP\x01\0\0\0h",
            b"DISP",
            b"DI\0P\0\0\0\0",
        ] {
            assert_eq!(riff_chunks(bytes), None, "{bytes:?}");
        }
        let chunks = riff_chunks(b"LIST\x06\0\0\0INFOxx").unwrap();
        assert_eq!(
            (&*chunks[0].name, chunks[0].content),
            ("LIST", &b"INFOxx"[..])
        );
    }
}

//! Text in MIDI files: bytes in no encoding the file would tell.

/// Bytes as text: UTF-8 if they are, else Windows-1252, which takes every byte. Control characters stay.
#[must_use]
pub fn shown(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| cp1252(*byte)).collect(),
    }
}

/// The character of a byte in Windows-1252; the five bytes it leaves free are control characters, as in Latin-1.
fn cp1252(byte: u8) -> char {
    // The Unicode Consortium's mapping of code page 1252 for 80 to 9F.
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn latin_and_utf8_show() {
        assert_eq!(super::shown(b"Caf\xe9 tune"), "Café tune");
        assert_eq!(super::shown("Café".as_bytes()), "Café");
        assert_eq!(super::shown(&[0x80, 0x9f]), "€Ÿ");
    }
}

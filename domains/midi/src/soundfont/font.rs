//! Preset names of a SoundFont: the records of the chunk `phdr` (SoundFont 2.04, 7.2).

use std::fmt;

/// Length of a record of `phdr`, in bytes.
const RECORD: usize = 38;
/// Length of the name in a record, in bytes.
const NAME: usize = 20;
/// The bank of kits.
const KITS: u16 = 128;

/// A SoundFont.
#[derive(Debug)]
pub struct Font {
    /// The path that it was read from, as written.
    pub path: String,
    /// Its presets, by bank and program.
    pub presets: Vec<Preset>,
    /// The file.
    #[cfg(feature = "audio")]
    pub bytes: Vec<u8>,
}

/// A sound of a SoundFont.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Preset {
    /// Its bank: 128 for a kit.
    pub bank: u16,
    /// Its program, from 0.
    pub program: u16,
    /// Its name.
    pub name: String,
}

impl Preset {
    /// Whether it is a kit, for the drum channel.
    #[must_use]
    pub const fn is_kit(&self) -> bool {
        self.bank == KITS
    }
}

/// `33 Fingered Bass`, `8:4 Chorused Piano`, `0 Standard (kit)`.
impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            bank,
            program,
            name,
        } = self;
        match *bank {
            0 => write!(f, "{program} {name}"),
            KITS => write!(f, "{program} {name} (kit)"),
            bank => write!(f, "{bank}:{program} {name}"),
        }
    }
}

/// The error for bytes that are not a SoundFont, or one without readable names.
pub const NONE: &str = "not a SoundFont";

impl Font {
    /// Reads the names in a file. The rest of it is not checked.
    ///
    /// # Errors
    /// It is not a SoundFont.
    pub fn read(path: &str, bytes: &[u8]) -> Result<Self, String> {
        let presets = presets(bytes).ok_or_else(|| format!("{path} is {NONE}"))?;
        Ok(Self {
            path: path.to_owned(),
            presets,
            #[cfg(feature = "audio")]
            bytes: bytes.to_vec(),
        })
    }
}

fn presets(bytes: &[u8]) -> Option<Vec<Preset>> {
    let (_, form) = Chunks(bytes).find(|(id, _)| id == b"RIFF")?;
    let lists = Chunks(form.strip_prefix(b"sfbk")?).filter(|(id, _)| id == b"LIST");
    let parameters = lists
        .filter_map(|(_, list)| list.strip_prefix(b"pdta"))
        .next()?;
    let (_, headers) = Chunks(parameters).find(|(id, _)| id == b"phdr")?;
    let records = headers.as_chunks::<RECORD>().0;
    // The last record only ends the one before it.
    let (_, records) = records.split_last()?;
    let mut presets: Vec<Preset> = records.iter().map(preset).collect();
    presets.sort();
    Some(presets)
}

fn preset(record: &[u8; RECORD]) -> Preset {
    let name = &record[..NAME];
    let end = name.iter().position(|byte| *byte == 0).unwrap_or(NAME);
    let shown = |byte: &u8| match byte {
        b' '..=b'~' => char::from(*byte),
        _ => '?',
    };
    let number = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
    Preset {
        bank: number(NAME + 2),
        program: number(NAME),
        name: name[..end]
            .iter()
            .map(shown)
            .collect::<String>()
            .trim()
            .to_owned(),
    }
}

/// Consecutive chunks. One that declares more bytes than there are ends with the bytes.
struct Chunks<'a>(&'a [u8]);

impl<'a> Iterator for Chunks<'a> {
    type Item = ([u8; 4], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (id, rest) = self.0.split_first_chunk::<4>()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (content, rest) = rest.split_at(length.min(rest.len()));
        // Chunks begin at even offsets.
        self.0 = rest.get(length % 2..).unwrap_or_default();
        Some((*id, content))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(id: &[u8; 4], content: &[u8]) -> Vec<u8> {
        let length = u32::try_from(content.len()).unwrap().to_le_bytes();
        let pad = vec![0; content.len() % 2];
        [&id[..], &length, content, &pad].concat()
    }

    fn record(name: &str, program: u16, bank: u16) -> Vec<u8> {
        let mut record = name.as_bytes().to_vec();
        record.resize(NAME, 0);
        record.extend(program.to_le_bytes());
        record.extend(bank.to_le_bytes());
        record.resize(RECORD, 0);
        record
    }

    fn font() -> Vec<u8> {
        let records = [
            record("Power", 16, 128),
            record("Fingered Bass", 33, 0),
            record("tw\u{1}enty letters long", 4, 8),
            record("EOP", 0, 0),
        ];
        let parameters = [&b"pdta"[..], &chunk(b"phdr", &records.concat())].concat();
        let info = [&b"INFO"[..], &chunk(b"INAM", b"odd")].concat();
        let lists = [chunk(b"LIST", &info), chunk(b"LIST", &parameters)].concat();
        chunk(b"RIFF", &[&b"sfbk"[..], &lists].concat())
    }

    #[test]
    fn names_are_read_by_bank_and_program() {
        let font = Font::read("a.sf2", &font()).unwrap();
        let names: Vec<String> = font.presets.iter().map(Preset::to_string).collect();
        let wanted = [
            "33 Fingered Bass",
            "8:4 tw?enty letters long",
            "16 Power (kit)",
        ];
        assert_eq!(names, wanted);
    }

    #[test]
    fn truncated_fonts_are_rejected_or_read_up_to_the_cut() {
        let whole = font();
        for end in 0..whole.len() {
            match Font::read("a.sf2", &whole[..end]) {
                Ok(font) => assert!(font.presets.len() < 3, "{end}"),
                Err(message) => assert_eq!(message, "a.sf2 is not a SoundFont"),
            }
        }
        assert!(Font::read("a.sf2", &whole).is_ok());
    }
}

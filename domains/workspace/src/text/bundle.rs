//! Bundles of a snapshot, which are always the same bytes.

use fcp::format::patch::is_binary;
use fcp::tool::canonical_string;

use crate::identity::Blob;
use crate::reply::{Answer, content};
use crate::store::{Snapshot, Store};

const BLOCK: usize = 512;

/// A tar archive. Its bytes are passed on as they are produced.
pub fn tar(store: &Store, snapshot: &Snapshot, out: &mut dyn FnMut(&[u8])) -> Answer<()> {
    for entry in &snapshot.entries {
        let bytes = store.content(&entry.blob)?;
        let mut name: Vec<u8> = entry
            .path
            .chars()
            .map(|c| if c.is_ascii() { c as u8 } else { b'?' })
            .collect();
        if name.len() > 100 || !entry.path.is_ascii() {
            name.truncate(100);
            let record = record(&entry.path);
            out(&header(b"././@PaxHeader", b"0000000\0", record.len(), b'x'));
            padded(record.as_bytes(), out);
        }
        out(&header(&name, b"0000644\0", bytes.len(), b'0'));
        padded(&bytes, out);
    }
    out(&[0; 2 * BLOCK]);
    Ok(())
}

/// A header with its checksum.
fn header(name: &[u8], mode: &[u8; 8], size: usize, kind: u8) -> [u8; BLOCK] {
    let mut header = [0; BLOCK];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, name);
    put(100, mode);
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, format!("{size:011o}\0").as_bytes());
    put(136, b"00000000000\0");
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

/// A record that includes its own length.
fn record(path: &str) -> String {
    let rest = format!(" path={path}\n");
    let mut len = rest.len() + 1;
    while rest.len() + len.to_string().len() != len {
        len = rest.len() + len.to_string().len();
    }
    format!("{len}{rest}")
}

fn padded(bytes: &[u8], out: &mut dyn FnMut(&[u8])) {
    out(bytes);
    out(&[0; BLOCK][..bytes.len().next_multiple_of(BLOCK) - bytes.len()]);
}

/// A canonical JSON bundle.
pub fn json(store: &Store, snapshot: &Snapshot, out: &mut dyn FnMut(&[u8])) -> Answer<()> {
    let mut piece = String::from("{\"entries\":[");
    for (at, entry) in snapshot.entries.iter().enumerate() {
        let bytes = store.content(&entry.blob)?;
        let (text, _) = content(&bytes, !is_binary(&bytes));
        piece.push_str(if at > 0 {
            ",{\"blob\":\""
        } else {
            "{\"blob\":\""
        });
        piece.push_str(&Blob::to_string(&entry.blob));
        piece.push_str("\",\"content\":");
        canonical_string(&text, &mut piece);
        piece.push_str(",\"path\":");
        canonical_string(&entry.path, &mut piece);
        piece.push('}');
        out(piece.as_bytes());
        piece.clear();
    }
    piece.push_str("],\"fingerprint\":");
    piece.push_str(&snapshot.fingerprint.canonical());
    piece.push('}');
    out(piece.as_bytes());
    Ok(())
}

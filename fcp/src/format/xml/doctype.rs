//! The DOCTYPE: kept as bytes, parsed for its entities.

use std::collections::BTreeMap;
use std::ops::Range;

use super::entity::{Entities, Reference, reference};
use super::error::{Fault, Reason};
use super::scan::Scan;

/// A DOCTYPE, parsed.
pub struct Read {
    /// The entities that it declares.
    pub entities: Entities,
    /// The end of the opening bracket of the internal subset, if there is one.
    pub open: Option<usize>,
    /// The pieces of the subset: the start of the whitespace before each, and its bytes.
    pub pieces: Vec<(usize, Range<usize>, Piece)>,
    /// The start of the whitespace before the closing bracket of the subset.
    pub close: usize,
}

/// A piece of an internal subset.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    Comment,
    Instruction,
    Entity,
    Other,
}

/// Reads a DOCTYPE and its declarations.
pub fn doctype(scan: &mut Scan<'_>) -> Result<Read, Fault> {
    let mut found = BTreeMap::new();
    let (mut open, mut pieces) = (None, Vec::new());
    scan.expect("<!DOCTYPE")?;
    scan.need_spaces()?;
    scan.qualified()?;
    if scan.spaces() && external(scan)? {
        scan.spaces();
    }
    let mut close = scan.at;
    if scan.take("[") {
        open = Some(scan.at);
        close = subset(scan, &mut found, &mut pieces)?;
        scan.spaces();
    }
    scan.expect(">")?;
    Ok(Read {
        entities: Entities::new(found),
        open,
        pieces,
        close,
    })
}

/// Skips the identifiers of an external file. Returns whether there are any.
fn external(scan: &mut Scan<'_>) -> Result<bool, Fault> {
    if scan.take("PUBLIC") {
        scan.need_spaces()?;
        let (at, id) = scan.quoted("a public identifier")?;
        let allowed = |c: char| c.is_ascii_alphanumeric() || " \r\n-'()+,./:=?;!*#@$_%".contains(c);
        if let Some((off, _)) = id.char_indices().find(|(_, c)| !allowed(*c)) {
            let reason = Reason::Expected("a character of a public identifier");
            return Err(Fault::new(at + off, reason));
        }
    } else if !scan.take("SYSTEM") {
        return Ok(false);
    }
    scan.need_spaces()?;
    scan.quoted("a system identifier")?;
    Ok(true)
}

/// Reads the internal subset, including the closing bracket. Returns the start of the whitespace
/// before that.
fn subset(
    scan: &mut Scan<'_>,
    found: &mut BTreeMap<String, Option<String>>,
    pieces: &mut Vec<(usize, Range<usize>, Piece)>,
) -> Result<usize, Fault> {
    loop {
        let space = scan.at;
        scan.spaces();
        let start = scan.at;
        let piece = if scan.take("]") {
            return Ok(space);
        } else if scan.sees("<!--") {
            scan.comment()?;
            Piece::Comment
        } else if scan.sees("<?") {
            scan.instruction()?;
            Piece::Instruction
        } else if scan.take("<!ENTITY") {
            entity(scan, found)?;
            Piece::Entity
        } else if ["<!ELEMENT", "<!ATTLIST", "<!NOTATION"]
            .iter()
            .any(|word| scan.take(word))
        {
            other(scan)?;
            Piece::Other
        } else if scan.sees("%") {
            return Err(parameter(scan));
        } else if scan.peek().is_none() {
            return scan.fault(Reason::Ends("the DOCTYPE"));
        } else {
            return scan.fault(Reason::Expected("a declaration or ]"));
        };
        pieces.push((space, start..scan.at, piece));
    }
}

/// The fault of a reference to a parameter entity, which is not supported.
fn parameter(scan: &mut Scan<'_>) -> Fault {
    let start = scan.at;
    let mut name = || {
        scan.expect("%")?;
        let name = scan.name()?.to_owned();
        scan.expect(";")?;
        Ok(name)
    };
    match name() {
        Ok(name) => Fault::new(start, Reason::Parameter(name)),
        Err(fault) => fault,
    }
}

/// Skips a declaration other than an entity's.
fn other(scan: &mut Scan<'_>) -> Result<(), Fault> {
    scan.need_spaces()?;
    scan.name()?;
    loop {
        match scan.peek() {
            None => return scan.fault(Reason::Ends("a declaration")),
            Some(b'>') => return scan.expect(">"),
            Some(b'"' | b'\'') => {
                scan.quoted("a declaration")?;
            }
            Some(b'<') => return scan.fault(Reason::Expected("the end of the declaration")),
            Some(b'%') => return Err(parameter(scan)),
            Some(_) => scan.at += 1,
        }
    }
}

/// Reads the declaration of an entity after its first word.
fn entity(scan: &mut Scan<'_>, found: &mut BTreeMap<String, Option<String>>) -> Result<(), Fault> {
    scan.need_spaces()?;
    let parameter = scan.take("%");
    if parameter {
        scan.need_spaces()?;
    }
    let name = scan.name()?;
    scan.need_spaces()?;
    let text = if matches!(scan.peek(), Some(b'"' | b'\'')) {
        let (at, raw) = scan.quoted("the text of an entity")?;
        Some(replacement(at, raw)?)
    } else {
        if !external(scan)? {
            return scan.fault(Reason::Expected("a quote, SYSTEM or PUBLIC"));
        }
        if scan.spaces() && !parameter && scan.take("NDATA") {
            scan.need_spaces()?;
            scan.name()?;
        }
        None
    };
    scan.spaces();
    scan.expect(">")?;
    if !parameter {
        // The first declaration is in effect.
        found.entry(name.to_owned()).or_insert(text);
    }
    Ok(())
}

/// The replacement text of an entity: its numeric character references are expanded, other
/// references are kept.
pub fn replacement(start: usize, raw: &str) -> Result<String, Fault> {
    let mut text = String::with_capacity(raw.len());
    let mut at = 0;
    while let Some(rest) = raw.get(at..).filter(|rest| !rest.is_empty()) {
        let plain = rest.find(['&', '%', '\r']).unwrap_or(rest.len());
        let (before, rest) = rest.split_at(plain);
        text.push_str(before);
        at += plain;
        let fault = |reason| Fault::new(start + at, reason);
        match rest.as_bytes().first() {
            None => break,
            Some(b'%') => {
                let mut scan = Scan::new(rest);
                return Err(fault(parameter(&mut scan).reason));
            }
            Some(b'&') => {
                let (len, found) = reference(rest).map_err(fault)?;
                match found {
                    Reference::Char(c) if rest.starts_with("&#") => text.push(c),
                    _ => text.push_str(&rest[..len]),
                }
                at += len;
            }
            Some(_) => {
                text.push('\n');
                at += if rest.starts_with("\r\n") { 2 } else { 1 };
            }
        }
    }
    Ok(text)
}

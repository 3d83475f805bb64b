//! Applies patches (RFC 6902), entirely or not at all.

use fcp::work;

use crate::json::{DEPTH, Json, Pointer, pointer_index as index};

/// Maximum number of values copied and shifted by a patch: a short one could double a value
/// repeatedly.
const WORK: usize = 1_000_000;

/// Shifting this many values in a list costs as much as copying one.
const SHIFTED: usize = 64;

/// Reason why a patch cannot be applied, with the place in the patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The index of the op; `None` if the patch is not a list.
    pub op: Option<usize>,
    /// The faulty member of the op, or empty for the op itself.
    pub member: &'static str,
    /// The reason.
    pub what: String,
}

impl Fault {
    /// The place as a JSON pointer, from the object that holds the patch: `/patch/2/path`.
    #[must_use]
    pub fn path(&self) -> String {
        match self.op {
            None => "/patch".to_owned(),
            Some(op) if self.member.is_empty() => format!("/patch/{op}"),
            Some(op) => format!("/patch/{op}/{}", self.member),
        }
    }
}

/// The faulty member of an op, and the reason.
type Wrong = (&'static str, String);

/// Applies a patch.
///
/// # Errors
/// The first op that is invalid or cannot be applied; the value is unchanged.
pub fn apply<'s>(base: &Json<'s>, patch: &Json<'s>) -> Result<Json<'s>, Fault> {
    let Json::Array(ops) = patch else {
        return Err(Fault {
            op: None,
            member: "",
            what: format!("expected array, got {}", patch.kind()),
        });
    };
    let mut patched = Patched {
        value: base.clone(),
        work: 0,
    };
    for (at, op) in ops.iter().enumerate() {
        patched.step(op).map_err(|(member, what)| Fault {
            op: Some(at),
            member,
            what,
        })?;
    }
    Ok(patched.value)
}

/// The value so far.
struct Patched<'s> {
    value: Json<'s>,
    /// The number of values copied and shifted.
    work: usize,
}

impl<'s> Patched<'s> {
    fn step(&mut self, op: &Json<'s>) -> Result<(), Wrong> {
        if !matches!(op, Json::Object(_)) {
            return Err(("", format!("expected object, got {}", op.kind())));
        }
        let name = text(op, "op")?;
        let path = pointer(op, "path")?;
        match name {
            "add" => self.add(&path, given(op)?),
            "remove" => self.remove(&path, "path").map(|_| ()),
            "replace" => {
                let new = given(op)?;
                fits(&path, &new)?;
                *self
                    .value
                    .at_mut(path.keys())
                    .ok_or_else(|| nothing("path"))? = new;
                Ok(())
            }
            "move" => {
                let from = pointer(op, "from")?;
                if path.keys().len() > from.keys().len() && path.keys().starts_with(from.keys()) {
                    return Err(("path", "a value cannot be moved into itself".to_owned()));
                }
                let moved = self.remove(&from, "from")?;
                if path.keys().len() > from.keys().len() {
                    self.spend(extent(&moved).0)?;
                }
                self.add(&path, moved)
            }
            "copy" => {
                let from = pointer(op, "from")?;
                let copied = self.value.at(from.keys()).ok_or_else(|| nothing("from"))?;
                let (size, copied) = (extent(copied).0, copied.clone());
                self.spend(size)?;
                self.add(&path, copied)
            }
            "test" => {
                let wanted = given(op)?;
                let found = self.value.at(path.keys());
                if *found.ok_or_else(|| nothing("path"))? == wanted {
                    Ok(())
                } else {
                    Err(("value", "the value there is another".to_owned()))
                }
            }
            _ => Err((
                "op",
                "expected one of \"add\", \"remove\", \"replace\", \"move\", \"copy\", \"test\""
                    .to_owned(),
            )),
        }
    }

    fn add(&mut self, path: &Pointer, new: Json<'s>) -> Result<(), Wrong> {
        fits(path, &new)?;
        let Some((before, last)) = path.split() else {
            self.value = new;
            return Ok(());
        };
        let shifted = match self.value.at_mut(before) {
            Some(Json::Object(members)) => {
                members.insert(last.to_owned().into(), new);
                0
            }
            Some(Json::Array(items)) => {
                let end = items.len();
                let at = if last == "-" {
                    Some(end)
                } else {
                    index(last, end + 1)
                };
                let at =
                    at.ok_or_else(|| ("path", format!("is not a place in a list of {end}")))?;
                items.insert(at, new);
                end - at
            }
            _ => return Err(nothing("path")),
        };
        self.spend(shifted / SHIFTED)
    }

    fn remove(&mut self, path: &Pointer, member: &'static str) -> Result<Json<'s>, Wrong> {
        let Some((before, last)) = path.split() else {
            return Ok(std::mem::replace(&mut self.value, Json::Null));
        };
        let (removed, left) = match self.value.at_mut(before) {
            Some(Json::Object(members)) => (members.shift_remove(last), members.len()),
            Some(Json::Array(items)) => {
                let ix = index(last, items.len());
                (ix.map(|ix| items.remove(ix)), items.len())
            }
            _ => (None, 0),
        };
        self.spend(left / SHIFTED)?;
        removed.ok_or_else(|| nothing(member))
    }

    fn spend(&mut self, work: usize) -> Result<(), Wrong> {
        work::spend(work).map_err(|spent| ("", spent.to_string()))?;
        self.work += work;
        if self.work <= WORK {
            return Ok(());
        }
        let what = format!("the ops up to here copy and shift more than {WORK} values");
        Err(("", what))
    }
}

/// The number of values in a value, with long strings counted for more, and its depth. Recursion is
/// bounded by the depth of the parsed text, which ops do not exceed.
fn extent(value: &Json<'_>) -> (usize, usize) {
    let inner = |inner: &mut dyn Iterator<Item = (usize, usize)>| {
        inner.fold((1, 1), |(size, depth), (more, below)| {
            (size + more, depth.max(below + 1))
        })
    };
    match value {
        Json::Null | Json::Bool(_) => (1, 0),
        Json::Number(text) | Json::String(text) => (1 + text.len() / SHIFTED, 0),
        Json::Array(items) => inner(&mut items.iter().map(extent)),
        Json::Object(members) => inner(&mut members.iter().map(|(key, value)| {
            let (size, depth) = extent(value);
            (size + 1 + key.len() / SHIFTED, depth)
        })),
    }
}

/// Whether a value at a path stays within the maximum depth.
fn fits(path: &Pointer, new: &Json<'_>) -> Result<(), Wrong> {
    if path.keys().len() + extent(new).1 <= DEPTH {
        return Ok(());
    }
    let what = format!("values would be nested more than {DEPTH} deep");
    Err(("path", what))
}

fn nothing(member: &'static str) -> Wrong {
    (member, "there is nothing".to_owned())
}

fn text<'o>(op: &'o Json<'_>, member: &'static str) -> Result<&'o str, Wrong> {
    match op.get(member) {
        Some(Json::String(text)) => Ok(text),
        Some(other) => Err((member, format!("expected string, got {}", other.kind()))),
        None => Err(("", format!("missing required property \"{member}\""))),
    }
}

fn pointer(op: &Json<'_>, member: &'static str) -> Result<Pointer, Wrong> {
    let text = text(op, member)?;
    Pointer::read(text).ok_or_else(|| (member, "is not a JSON pointer".to_owned()))
}

fn given<'s>(op: &Json<'s>) -> Result<Json<'s>, Wrong> {
    let value = op.get("value").cloned();
    value.ok_or_else(|| ("", "missing required property \"value\"".to_owned()))
}

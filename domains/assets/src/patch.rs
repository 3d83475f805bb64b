//! Patches applied (RFC 6902): all of one or nothing.

use crate::json::{Json, Pointer, pointer_index as index};

/// Why a patch cannot be applied: a place in the patch, and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which op, from 0; none if the patch is no list.
    pub op: Option<usize>,
    /// The member of the op that is wrong; the op itself if empty.
    pub member: &'static str,
    /// What is wrong with it.
    pub what: String,
}

impl Fault {
    /// Where, as a JSON pointer from what the patch stands in: `/patch/2/path`.
    #[must_use]
    pub fn path(&self) -> String {
        match self.op {
            None => "/patch".to_owned(),
            Some(op) if self.member.is_empty() => format!("/patch/{op}"),
            Some(op) => format!("/patch/{op}/{}", self.member),
        }
    }
}

/// What an op says is wrong with it: which member, and how.
type Wrong = (&'static str, String);

/// Applies a patch.
///
/// # Errors
/// The first op that is none or cannot be done; the value is as it was.
pub fn apply<'s>(base: &Json<'s>, patch: &Json<'s>) -> Result<Json<'s>, Fault> {
    let Json::Array(ops) = patch else {
        return Err(Fault {
            op: None,
            member: "",
            what: format!("expected array, got {}", patch.kind()),
        });
    };
    let mut value = base.clone();
    for (at, op) in ops.iter().enumerate() {
        value = step(value, op).map_err(|(member, what)| Fault {
            op: Some(at),
            member,
            what,
        })?;
    }
    Ok(value)
}

fn step<'s>(mut value: Json<'s>, op: &Json<'s>) -> Result<Json<'s>, Wrong> {
    if !matches!(op, Json::Object(_)) {
        return Err(("", format!("expected object, got {}", op.kind())));
    }
    let name = text(op, "op")?;
    let path = pointer(op, "path")?;
    match name {
        "add" => add(value, &path, given(op)?),
        "remove" => remove(&mut value, &path, "path").map(|_| value),
        "replace" => {
            let new = given(op)?;
            let place = value.at_mut(path.keys()).ok_or_else(|| nothing("path"))?;
            *place = new;
            Ok(value)
        }
        "move" => {
            let from = pointer(op, "from")?;
            if path.keys().len() > from.keys().len() && path.keys().starts_with(from.keys()) {
                return Err(("path", "a value cannot be moved into itself".to_owned()));
            }
            let moved = remove(&mut value, &from, "from")?;
            add(value, &path, moved)
        }
        "copy" => {
            let from = pointer(op, "from")?;
            let copied = value.at(from.keys()).cloned();
            add(value, &path, copied.ok_or_else(|| nothing("from"))?)
        }
        "test" => {
            let wanted = given(op)?;
            let found = value.at(path.keys()).ok_or_else(|| nothing("path"))?;
            if *found == wanted {
                Ok(value)
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
    Pointer::read(text).ok_or_else(|| (member, "is no JSON pointer".to_owned()))
}

fn given<'s>(op: &Json<'s>) -> Result<Json<'s>, Wrong> {
    let value = op.get("value").cloned();
    value.ok_or_else(|| ("", "missing required property \"value\"".to_owned()))
}

fn add<'s>(mut value: Json<'s>, path: &Pointer, new: Json<'s>) -> Result<Json<'s>, Wrong> {
    let Some((before, last)) = path.split() else {
        return Ok(new);
    };
    match value.at_mut(before) {
        Some(Json::Object(members)) => {
            members.insert(last.to_owned().into(), new);
        }
        Some(Json::Array(items)) => {
            let end = items.len();
            let at = if last == "-" {
                Some(end)
            } else {
                index(last, end + 1)
            };
            let at = at.ok_or_else(|| ("path", format!("is no place in a list of {end}")))?;
            items.insert(at, new);
        }
        _ => return Err(nothing("path")),
    }
    Ok(value)
}

fn remove<'s>(
    value: &mut Json<'s>,
    path: &Pointer,
    member: &'static str,
) -> Result<Json<'s>, Wrong> {
    let Some((before, last)) = path.split() else {
        return Ok(std::mem::replace(value, Json::Null));
    };
    let removed = match value.at_mut(before) {
        Some(Json::Object(members)) => members.shift_remove(last),
        Some(Json::Array(items)) => {
            let ix = index(last, items.len());
            ix.map(|ix| items.remove(ix))
        }
        _ => None,
    };
    removed.ok_or_else(|| nothing(member))
}

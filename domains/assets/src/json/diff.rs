//! The difference of two values as a JSON patch (RFC 6902).

use std::cmp::Ordering;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::json::{DEPTH, Fault, Json, Outline, escaped, outline, read};

/// The change at a place. The order is that of ops at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The member goes.
    Remove,
    /// A member comes.
    Add,
    /// The value becomes another.
    Replace,
}

/// One step of a patch.
#[derive(Clone, Debug)]
pub struct Op<'a> {
    /// The place, as a JSON pointer.
    pub path: String,
    /// The kind of step.
    pub kind: Kind,
    /// The new value; `None` for a removal.
    pub value: Option<Json<'a>>,
}

impl fmt::Display for Op<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let op = match self.kind {
            Kind::Remove => "remove",
            Kind::Add => "add",
            Kind::Replace => "replace",
        };
        let path = Json::String(self.path.as_str().into());
        write!(f, "{{\"op\":\"{op}\",\"path\":{path}")?;
        if let Some(value) = &self.value {
            write!(f, ",\"value\":{value}")?;
        }
        f.write_str("}")
    }
}

/// The ops that turn `base` into `new`, both JSON texts, sorted by path in byte order. No path is
/// inside another, so any order of the ops works.
///
/// Objects are compared member by member. A list that differs is replaced as a whole.
///
/// # Errors
/// A text is not JSON.
pub fn diff<'a>(base: &str, new: &'a str) -> Result<Vec<Op<'a>>, Fault> {
    let (base, new) = (outline(base, DEPTH)?, outline(new, DEPTH)?);
    let mut ops = Vec::new();
    compare(&base, &new, &mut String::new(), &mut ops)?;
    ops.sort_by(|one, other| (&one.path, one.kind).cmp(&(&other.path, other.kind)));
    Ok(ops)
}

/// Equal texts are equal values, so values are parsed only if their texts differ. Recursion is
/// bounded by the depth of the parsed text.
fn compare<'a>(
    base: &Outline<'_>,
    new: &Outline<'a>,
    path: &mut String,
    ops: &mut Vec<Op<'a>>,
) -> Result<(), Fault> {
    if base.text == new.text {
        return Ok(());
    }
    if base.first() != b'{' || new.first() != b'{' {
        let value = read(new.text)?;
        if read(base.text)? != value {
            ops.push(Op {
                path: path.clone(),
                kind: Kind::Replace,
                value: Some(value),
            });
        }
        return Ok(());
    }
    let above = path.len();
    let (old, new) = (sorted(base), sorted(new));
    let mut old = old.into_iter().peekable();
    let mut new = new.into_iter().peekable();
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return Ok(()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((one, _)), Some((other, _))) => one.cmp(other),
        };
        let before = old.next_if(|_| order.is_le());
        let after = new.next_if(|_| order.is_ge());
        if let Some((key, _)) = before.or(after) {
            path.push('/');
            path.push_str(&escaped(key));
        }
        match (before, after) {
            (Some((_, before)), Some((_, after))) => compare(before, after, path, ops)?,
            (_, after) => ops.push(Op {
                path: path.clone(),
                kind: after.map_or(Kind::Remove, |_| Kind::Add),
                value: after.map(|(_, after)| read(after.text)).transpose()?,
            }),
        }
        path.truncate(above);
    }
}

/// The members of an object, sorted by key in byte order. Of equal keys the last remains.
fn sorted<'o, 's>(object: &'o Outline<'s>) -> Vec<(&'o str, &'o Outline<'s>)> {
    let members = object.members.iter();
    let mut members: Vec<_> = members.map(|(key, value)| (&**key, value)).collect();
    members.sort_by_key(|(key, _)| *key);
    members.dedup_by(|later, kept| {
        let twice = later.0 == kept.0;
        if twice {
            *kept = *later;
        }
        twice
    });
    members
}

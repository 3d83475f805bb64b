//! What makes one value of another, as a JSON patch (RFC 6902).

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::json::{Json, escaped};

/// What is done at a place. The order is that of ops at one place.
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
    /// Where.
    pub path: String,
    /// What.
    pub kind: Kind,
    /// The new value, unless it goes.
    pub value: Option<&'a Json<'a>>,
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
        if let Some(value) = self.value {
            write!(f, ",\"value\":{value}")?;
        }
        f.write_str("}")
    }
}

/// The ops that make `new` of `base`, sorted by path, in the order of bytes. None lies in another, so any order does.
///
/// Objects are compared member by member. A list that differs is replaced as a whole.
#[must_use]
pub fn diff<'a>(base: &Json<'_>, new: &'a Json<'a>) -> Vec<Op<'a>> {
    let mut ops = Vec::new();
    compare(base, new, &mut String::new(), &mut ops);
    ops.sort_by(|one, other| (&one.path, one.kind).cmp(&(&other.path, other.kind)));
    ops
}

/// Recursion is bounded by the depth of what was read.
fn compare<'a>(base: &Json<'_>, new: &'a Json<'a>, path: &mut String, ops: &mut Vec<Op<'a>>) {
    let (Json::Object(old), Json::Object(members)) = (base, new) else {
        if base != new {
            ops.push(Op {
                path: path.clone(),
                kind: Kind::Replace,
                value: Some(new),
            });
        }
        return;
    };
    let above = path.len();
    let below = |key: &str, path: &mut String| {
        path.truncate(above);
        path.push('/');
        path.push_str(&escaped(key));
    };
    for key in old.keys().filter(|key| !members.contains_key(key.as_ref())) {
        below(key, path);
        ops.push(Op {
            path: path.clone(),
            kind: Kind::Remove,
            value: None,
        });
    }
    for (key, value) in members {
        below(key, path);
        match old.get(key.as_ref()) {
            Some(before) => compare(before, value, path, ops),
            None => ops.push(Op {
                path: path.clone(),
                kind: Kind::Add,
                value: Some(value),
            }),
        }
    }
    path.truncate(above);
}

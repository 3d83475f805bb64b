//! `diff_assets`

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::constant::True;
use crate::answer::failure::Failure;
use crate::json::Raw;
use crate::json::diff::{Kind, diff};
use crate::state::Assets;

/// A patch.
#[derive(Serialize, JsonSchema)]
pub struct Patch {
    /// It worked.
    ok: True,
    /// Sorted by path; none lies in another, so they can be applied in any order.
    patch: Vec<Op>,
}

/// A step of a patch.
#[derive(Serialize, JsonSchema)]
struct Op {
    /// The change.
    op: Kind,
    /// Place, as a JSON pointer.
    path: String,
    /// The new value, unless it goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Raw>,
}

/// Show the changes from one asset to another, as a JSON patch. Lists that differ are replaced as a whole.
///
/// ```json
/// {"base": {"a": 1, "b": [1, 2], "c": 2}, "new": {"a": 1.0, "b": [1, 3], "d": null}}
/// > {"ok": true, "patch": [
/// >   {"op": "replace", "path": "/b", "value": [1, 3]},
/// >   {"op": "remove", "path": "/c"},
/// >   {"op": "add", "path": "/d", "value": null}
/// > ]}
/// ```
#[fcp_tool(read_only, idempotent)]
pub fn diff_assets(
    _: &Assets,
    /// The old asset; any JSON.
    base: Raw,
    /// The new asset; any JSON.
    new: Raw,
) -> Result<Patch, Failure> {
    let ops = diff(base.text(), new.text())?.into_iter().map(|op| {
        let value = op.value.as_ref().map(Raw::written).transpose()?;
        Ok(Op {
            op: op.kind,
            path: op.path,
            value,
        })
    });
    Ok(Patch {
        ok: True,
        patch: ops.collect::<serde_json::Result<_>>()?,
    })
}

//! `apply_patch`

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::constant::True;
use crate::answer::failure::Failure;
use crate::json::Raw;
use crate::json::patch::apply;
use crate::state::Assets;
use crate::verdict::judged::{Judged, Wrong, named};

/// Result of a patch.
#[derive(Serialize, JsonSchema)]
pub struct Patched {
    /// It worked.
    ok: True,
    /// The patched asset.
    result: Raw,
    /// Its problems by the schema, if one was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Vec<Wrong>>,
}

/// Apply a JSON patch (RFC 6902) to an asset: all of it or nothing.
///
/// ```json
/// {"base": {"a": [1, 2]}, "patch": [{"op": "move", "from": "/a/0", "path": "/b"}]}
/// > {"ok": true, "result": {"a": [2], "b": 1}}
/// {"base": {"a": 1}, "patch": [{"op": "remove", "path": "/b"}]}
/// ! {"ok": false, "reason": "validation_failed", "errors": [
/// !   {"path": "/patch/0/path", "msg": "argument patch: there is nothing"}
/// ! ]}
/// ```
#[fcp_tool(read_only, idempotent)]
pub fn apply_patch(
    assets: &Assets,
    /// The asset to patch; any JSON.
    base: Raw,
    /// The ops: `add`, `remove`, `replace`, `move`, `copy`, `test`.
    patch: Raw,
    /// The name of a schema that the result is validated by.
    schema: Option<String>,
    /// Whether each error comes with its keyword, what would do, and what is there.
    #[fcp(default = true)]
    detail: bool,
) -> Result<Patched, Failure> {
    let library = &assets.library;
    let schema = schema
        .map(|name| named(library, &name, "/schema"))
        .transpose()?;
    let (base, patch) = (base.json()?, patch.json()?);
    let result = apply(&base, &patch)
        .map_err(|fault| Failure::argument(&fault.path(), &format!(": {}", fault.what)))?;
    let result = Raw::written(&result)?;
    let judged = schema.map(|schema| Judged::by(library, schema, &result, detail, "/schema"));
    Ok(Patched {
        ok: True,
        result,
        errors: judged.transpose()?.map(Judged::into_errors),
    })
}

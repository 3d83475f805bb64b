//! `get_schema`

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::constant::True;
use crate::answer::failure::Failure;
use crate::json::Raw;
use crate::state::Assets;
use crate::verdict::nearest;

/// A schema.
#[derive(Serialize, JsonSchema)]
pub struct Found {
    /// It is there.
    ok: True,
    /// The content of its file.
    schema: Raw,
    /// Empty if nothing says which.
    version: String,
}

/// Read a schema.
///
/// ```json
/// {"name": "shader"}
/// > {"ok": true, "schema": {
/// >   "$id": "https://schemas.example.test/1.0.0/shader.schema.json", "type": "object",
/// >   "required": ["name", "stage"],
/// >   "properties": {
/// >     "name": {"type": "string", "minLength": 1}, "stage": {"enum": ["vertex", "fragment"]}
/// >   },
/// >   "additionalProperties": false
/// > }, "version": "1.0.0"}
/// {"name": "shadr"}
/// ! {"ok": false, "reason": "not_found", "detail": "did you mean \"shader\"?"}
/// ```
#[fcp_tool(read_only, idempotent)]
pub fn get_schema(
    assets: &Assets,
    /// Its name as it is listed, its file's name, or its `$id`.
    name: String,
    /// Whether a name that is not there is answered with the nearest that is.
    #[fcp(default = true)]
    detail: bool,
) -> Result<Found, Failure> {
    let library = &assets.library;
    match library.schema(&name) {
        Some(schema) => Ok(Found {
            ok: True,
            schema: schema.served.clone(),
            version: schema.version.clone(),
        }),
        None => {
            let near = || nearest(&name, library.schema_names());
            Err(Failure::missing(detail.then(near).flatten()))
        }
    }
}

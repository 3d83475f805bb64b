//! `bundle_schema`

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::constant::True;
use crate::answer::failure::Failure;
use crate::bundle::bundle;
use crate::json::Raw;
use crate::state::Assets;
use crate::verdict::nearest;

/// A schema that refers to no other.
#[derive(Serialize, JsonSchema)]
pub struct Bundled {
    /// It worked.
    ok: True,
    /// The schema, with those that it refers to under `$defs`.
    schema: Raw,
    /// Empty if nothing says which.
    version: String,
}

/// Read a schema together with all that it refers to, as one that needs no other and says the same of every asset.
///
/// ```json
/// {"name": "shader"}
/// > {"ok": true, "schema": "…", "version": "1.0.0"}
/// {"name": "shadr"}
/// ! {"ok": false, "reason": "not_found", "detail": "did you mean \"shader\"?"}
/// ```
#[fcp_tool(read_only, idempotent)]
pub fn bundle_schema(
    assets: &Assets,
    /// Its name as it is listed, its file's name, or its `$id`.
    name: String,
    /// Whether a name that is not there is answered with the nearest that is.
    #[fcp(default = true)]
    detail: bool,
) -> Result<Bundled, Failure> {
    let library = &assets.library;
    let Some(schema) = library.schema(&name) else {
        let near = || nearest(&name, library.schema_names());
        return Err(Failure::missing(detail.then(near).flatten()));
    };
    if let Err(why) = &schema.validator {
        let what = format!(": \"{}\" does not compile: {why}", schema.name);
        return Err(Failure::argument("/name", &what));
    }
    let bundled = bundle(library, schema).map_err(Failure::unsupported)?;
    Ok(Bundled {
        ok: True,
        schema: Raw::written(&bundled)?,
        version: schema.version.clone(),
    })
}

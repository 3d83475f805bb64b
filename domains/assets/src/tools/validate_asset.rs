//! `validate_asset`

use fcp::prelude::*;

use crate::answer::failure::Failure;
use crate::json::Raw;
use crate::state::Assets;
use crate::verdict::judged::{Judged, named};

/// Check whether an asset is valid by a schema, and list all its problems.
///
/// ```json
/// {"asset": {"name": "Wave", "stage": "vertex"}, "schema": "shader"}
/// > {"ok": true, "errors": []}
/// {"asset": {"name": "", "stage": "vertx"}, "schema": "shader", "detail": false}
/// > {"ok": false, "reason": "validation_failed", "errors": [
/// >   {"path": "/name", "msg": "expected at least 1 character, got 0"},
/// >   {
/// >     "path": "/stage",
/// >     "msg": "expected one of \"vertex\", \"fragment\", got \"vertx\"; did you mean \"vertex\"?"
/// >   }
/// > ]}
/// {"asset": {"name": "Wave", "stag": "vertex"}, "schema": "shadr"}
/// ! {"ok": false, "reason": "validation_failed", "errors": [
/// !   {"path": "/schema", "msg": "…"}
/// ! ]}
/// ```
#[fcp_tool(read_only, idempotent)]
pub fn validate_asset(
    assets: &Assets,
    /// Any JSON. A member `$schemaRef` at its top is left aside.
    asset: Raw,
    /// The name of the schema.
    schema: String,
    /// Whether each error comes with its keyword, what would do, and what is there.
    #[fcp(default = true)]
    detail: bool,
) -> Result<Judged, Failure> {
    let library = &assets.library;
    let schema = named(library, &schema, "/schema")?;
    Judged::by(library, schema, &asset, detail, "/schema")
}

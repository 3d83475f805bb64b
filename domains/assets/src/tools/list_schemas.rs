//! `list_schemas`

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::constant::True;
use crate::answer::failure::Failure;
use crate::state::Assets;

/// All schemas.
#[derive(Serialize, JsonSchema)]
pub struct Schemas {
    /// It worked.
    ok: True,
    /// Sorted by name, version and path.
    schemas: Vec<Listed>,
}

/// A schema of the list.
#[derive(Serialize, JsonSchema)]
struct Listed {
    /// Its name for other tools.
    name: String,
    /// Empty if nothing says which.
    version: String,
    /// The file.
    path: String,
}

/// List the schemas that assets can be validated by.
///
/// ```json
/// {}
/// > {"ok": true, "schemas": [
/// >   {
/// >     "name": "shader", "version": "1.0.0",
/// >     "path": "libs/synesthetic-schemas/jsonschema/shader.schema.json"
/// >   }
/// > ]}
/// ```
#[fcp_tool(read_only, idempotent)]
pub fn list_schemas(assets: &Assets) -> Result<Schemas, Failure> {
    let schemas = assets.library.schemas().iter().map(|schema| Listed {
        name: schema.name.clone(),
        version: schema.version.clone(),
        path: schema.path.clone(),
    });
    Ok(Schemas {
        ok: True,
        schemas: schemas.collect(),
    })
}

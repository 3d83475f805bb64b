//! `get_example`

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::constant::True;
use crate::answer::failure::Failure;
use crate::json::Raw;
use crate::state::Assets;
use crate::verdict::judged::{Invalid, Judged};
use crate::verdict::{nearest, passes};

/// An example, or what is wrong with its file.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Found {
    /// An example.
    Example {
        /// It is there.
        ok: True,
        /// The content of its file.
        example: Raw,
        /// The name of its schema.
        schema: String,
        /// Whether it is valid by that schema.
        validated: bool,
    },
    /// The file holds no object.
    Unreadable(Invalid),
}

/// Read an example, and see whether it is valid.
///
/// ```json
/// {"path": "Shader_Example.json"}
/// > {
/// >   "ok": true, "example": {"name": "Wave", "stage": "vertex"}, "schema": "shader",
/// >   "validated": true
/// > }
/// {"path": "Shader_Exmple.json"}
/// ! {"ok": false, "reason": "not_found"}
/// ```
#[fcp_tool(read_only, idempotent)]
pub fn get_example(
    assets: &Assets,
    /// The path as it is listed, or from the folder of examples.
    path: String,
    /// Whether a path that is not there is answered with the nearest that is.
    #[fcp(default = true)]
    detail: bool,
) -> Result<Found, Failure> {
    let library = &assets.library;
    let Some(example) = library.example(&path) else {
        let paths = library
            .examples()
            .iter()
            .map(|example| example.path.as_str());
        let near = || nearest(&path, paths);
        return Err(Failure::missing(detail.then(near).flatten()));
    };
    let served = match &example.served {
        Ok(served) => served,
        Err(why) => return Ok(Found::Unreadable(Judged::whole(why.clone()))),
    };
    let schema = library.schema(&example.schema);
    let validated = schema.is_some_and(|schema| passes(schema, served.text()) == Ok(true));
    Ok(Found::Example {
        ok: True,
        example: served.clone(),
        schema: example.schema.clone(),
        validated,
    })
}

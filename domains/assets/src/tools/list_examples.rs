//! `list_examples`

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::constant::True;
use crate::answer::failure::Failure;
use crate::state::Assets;

/// The examples of a component.
#[derive(Serialize, JsonSchema)]
pub struct Examples {
    /// It worked.
    ok: True,
    /// Sorted by component and path.
    examples: Vec<Listed>,
}

/// An example of the list.
#[derive(Serialize, JsonSchema)]
struct Listed {
    /// The file's name up to its first dot.
    component: String,
    /// Its path for `get_example`.
    path: String,
}

/// List examples of assets, of one component or of all.
///
/// ```json
/// {"component": "shader"}
/// > {"ok": true, "examples": [
/// >   {
/// >     "component": "Shader_Example",
/// >     "path": "libs/synesthetic-schemas/examples/Shader_Example.json"
/// >   }
/// > ]}
/// ```
#[fcp_tool(read_only, idempotent)]
pub fn list_examples(
    assets: &Assets,
    /// A component as it is listed, its part before the first `_`, or a schema; in any case.
    #[fcp(default = "all".to_owned())]
    component: String,
) -> Result<Examples, Failure> {
    let examples = assets.library.examples_of(&component);
    let examples = examples.map(|example| Listed {
        component: example.component.clone(),
        path: example.path.clone(),
    });
    Ok(Examples {
        ok: True,
        examples: examples.collect(),
    })
}

//! `populate_backend`

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::constant::True;
use crate::answer::failure::Failure;
use crate::json::Object;
use crate::state::{Assets, DISABLED};
use crate::verdict::judged::{Invalid, Judged, named};

/// The stored asset, or its problems.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Stored {
    /// It is stored.
    Stored {
        /// It worked.
        ok: True,
        /// Its id in the backend; empty if not given.
        asset_id: String,
        /// The backend.
        backend_url: String,
    },
    /// It is not valid, and was not sent.
    Invalid(Invalid),
}

/// Store an asset in the backend, once it is found valid by the schema that it names.
///
/// ```json
/// {"asset": {"name": "A"}}
/// ! {"ok": false, "reason": "unsupported", "detail": "backend disabled"}
/// ```
#[fcp_tool(open_world)]
pub fn populate_backend(
    assets: &Assets,
    /// The asset. It is sent as it is.
    asset: Object,
    /// Whether it is validated before.
    #[fcp(default = true)]
    validate_first: bool,
) -> Result<Stored, Failure> {
    let Some(backend) = &assets.backend else {
        return Err(Failure::unsupported(DISABLED));
    };
    let asset = asset.0;
    let read = asset.json()?;
    if validate_first || assets.require_validation {
        let library = &assets.library;
        let schema = named(library, &library.schema_of(&read), "/asset")?;
        if let Judged::Invalid(invalid) = Judged::by(library, schema, &asset, false, "/asset")? {
            return Ok(Stored::Invalid(invalid));
        }
    }
    Ok(Stored::Stored {
        ok: True,
        asset_id: backend.store(asset.text())?,
        backend_url: backend.url().to_owned(),
    })
}

//! The state that the tools share.

use fcp::endpoint::{Flag, FlagValue};

use crate::backend::Backend;
use crate::library::Library;

/// The detail of the failure if no backend is configured.
pub(crate) const DISABLED: &str = "backend disabled";

/// Requires validation before assets are sent, whatever the call says.
pub(crate) const REQUIRE_VALIDATION: Flag = Flag {
    name: "require-validation",
    takes: FlagValue::None,
    doc: "Validate assets before they are sent to the backend, whatever a call says.",
};

/// The served schemas and examples, and the backend that stores assets.
#[derive(Debug)]
pub struct Assets {
    /// The schemas and examples.
    pub library: Library,
    /// The backend, if one is configured.
    pub backend: Option<Backend>,
    /// Whether assets are validated before they are sent, whatever the call says.
    pub require_validation: bool,
}

impl Assets {
    /// Serves a library without a backend.
    #[must_use]
    pub const fn of(library: Library) -> Self {
        Self {
            library,
            backend: None,
            require_validation: false,
        }
    }
}

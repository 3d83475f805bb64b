//! The content of a document: sections, and the tasks in them.

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Low, normal or high.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Priority {
    /// If there is time.
    Low,
    /// The usual one.
    Normal,
    /// Before all others.
    #[fcp(alias = "urgent")]
    High,
}

/// Tasks that belong together.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Section {
    /// Its name.
    #[fcp(label)]
    pub name: Name,
}

/// Something to do.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// Its name.
    #[fcp(label)]
    pub name: Name,
    /// The section it belongs to, and is removed with.
    #[fcp(parent, selector, key = "in")]
    pub section: Id<Section>,
    /// The time it takes, in minutes, 1 to 9,999.
    #[fcp(selector = "range", default = Int::clamped(30))]
    pub minutes: Int<1, 9999>,
    /// Its importance: low, normal or high.
    #[fcp(selector, default = Priority::Normal)]
    pub priority: Priority,
    /// Whether it is done.
    #[fcp(selector, default = Switch(false))]
    pub done: Switch,
}

/// The content of a document.
#[derive(FcpModel)]
#[fcp(domain = "checklist", title = "Checklist files")]
pub struct Checklist {
    /// The sections, in the order of the file.
    #[fcp(count = "s")]
    pub sections: Table<Section>,
    /// The tasks. Selectors mean these where they name no type.
    #[fcp(count = "t", universe)]
    pub tasks: Table<Task>,
}

//! The imports of a domain's files: `use fcp::prelude::*;`

pub use crate::account::{Field, Pieces, Shown};
pub use crate::diag::{Diagnostic, Result};
pub use crate::domain::{Domain, Format};
pub use crate::model::{Entity, HasTable, Id, Model, ModelExt, Row, RowIndex, Slot, Table};
pub use crate::reply::{Exported, Lines, Listing, Reply, Sign};
pub use crate::table::{NewRow, Wanted};
pub use crate::tool::{Cancel, LargeFolder, LargeTools, ToolError, Toolset};
pub use crate::value::{
    Change, FcpValue, Int, List, Name, Number, Switch, Text, ValueError, ValueSpec,
};
pub use crate::verb::{
    Arg, FileBytes, FromArg, Keyed, Keys, Nothing, Pick, Ref, Rows, Scope, Selection, Spanned,
};
pub use crate::{
    FcpEntity, FcpModel, FcpParams, FcpRow, FcpValue, fcp_action, fcp_lint, fcp_query,
    fcp_selector, fcp_table, fcp_tool, fcp_verb,
};
pub use crate::{bail, bulk, changed, created, linked, removed, unchanged};

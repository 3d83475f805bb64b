//! `workspace.lease`

use fcp::prelude::*;
use fcp::threads::lock;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::Dirs;
use crate::reply::{Failure, Worktree};
use crate::session::{Guard, Session, StaleScope, Touched, Workspace};

/// An action on a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeaseAction {
    /// Look at it.
    Inspect,
    /// Take a new one on the current state, with the same touched files.
    Refresh,
    /// Let it go.
    Release,
}

/// A lease.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LeaseState {
    /// The action.
    action: LeaseAction,
    /// The lease held when the call began.
    valid: bool,
    /// Number of paths it touched.
    touched: u64,
    /// Touched paths that have moved.
    changed_paths: Vec<String>,
}

/// Look at a lease, refresh it on the current state, or let it go.
///
/// A refresh lists the touched files that have moved: read those again.
///
/// ```json
/// {"lease_id": "L1", "action": "inspect"}
/// ! {"error": {"code": "NOT_FOUND", "message": "…", "details": "…"}}
/// {"lease_id": "L1", "action": "renew"}
/// ! {"error": {"code": "INVALID_ARGUMENT", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(name = "workspace.lease", alias = "workspace_lease")]
pub fn workspace_lease(
    workspace: &Workspace,
    /// The repository, as an absolute path; the first one served if left out.
    repo_root: Option<String>,
    /// The lease.
    lease_id: String,
    /// The action on it.
    action: LeaseAction,
) -> Result<Worktree<LeaseState>, Failure> {
    let at = workspace.served(repo_root.as_deref())?;
    let session = Session::begin(workspace, at, None, StaleScope::Repo, false)?;
    let mut lease = session.held(&lease_id)?;
    let changed_paths = lease.moved(&session.root, workspace.limits.file);
    let same = lease.fingerprint == session.fingerprint;
    let state = LeaseState {
        action,
        valid: same && changed_paths.is_empty() && !lease.superseded,
        touched: lease.touched.len() as u64,
        changed_paths,
    };
    match action {
        LeaseAction::Inspect => Ok(session.with_id(lease_id, state)),
        LeaseAction::Release => {
            lock(&workspace.leases).release(&lease_id);
            Ok(session.with_id(lease_id, state))
        }
        LeaseAction::Refresh => {
            let (mut touched, mut dirs) = (Touched::new(), Dirs::of(&session.root));
            for (path, guard) in lease.touched {
                let moved = state.changed_paths.binary_search(&path).is_ok();
                let guard = match (moved, guard) {
                    (true, _) => dirs
                        .stat(&path)
                        .ok()
                        .flatten()
                        .map_or(Guard::Absent, Guard::listed),
                    (false, guard) => guard,
                };
                touched.insert(path, guard);
            }
            session.answer(touched, state)
        }
    }
}

//! Any text as calls of tools in large folders, of which some take too many steps.

use fcp::testing::fuzz;
use fcp_workspace::Workspace;

/// Pieces of calls for mutants.
const PIECES: &[&str] = &[
    "snapshot.grep {\"pattern\": \"",
    "workspace.edit {\"edits\": [",
    "(a*)*{1,99}",
    "\\n@@ -1,9999 +1 @@\\n",
    "\"count\": \"all\"",
    "../",
    "9999999999",
    "null",
];

#[test]
fn a_call_that_takes_too_many_steps_in_a_large_folder_is_an_error() {
    fuzz::any_tool_costs::<Workspace>("workspace_costs", PIECES);
}

//! Any text as calls of tools in large folders, of which some take too many steps.

use fcp::testing::fuzz;
use fcp_assets::Assets;

/// Pieces of calls for mutants.
const PIECES: &[&str] = &[
    "validate_asset {\"schema\": \"shader\", \"asset\": ",
    "{\"op\": \"add\", \"path\": \"/a/-\", \"value\": 1}, ",
    "\"anyOf\": [",
    "[[[[[[[[[[[[[[[[",
    "/~1~0",
    "1e308",
    "\\ud83d",
    "null",
];

#[test]
fn a_call_that_takes_too_many_steps_in_a_large_folder_is_an_error() {
    fuzz::any_tool_costs::<Assets>("assets_costs", PIECES);
}

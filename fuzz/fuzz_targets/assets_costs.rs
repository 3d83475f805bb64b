//! The cost of any text as calls of tools in large folders: no work goes uncounted.

#![no_main]

use fcp::testing::fuzz::ToolCosts;
use fcp_assets::Assets;

thread_local!(static COSTS: ToolCosts<Assets> = ToolCosts::new(1_000));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| COSTS.with(|costs| costs.holds_in_time(bytes)));

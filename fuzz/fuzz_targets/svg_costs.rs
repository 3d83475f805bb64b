//! The cost of any text as calls on large documents: no work goes uncounted.

#![no_main]

use fcp::testing::fuzz::Costs;
use fcp_svg::Drawing;

thread_local!(static COSTS: Costs<Drawing> = Costs::new(4_000));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| COSTS.with(|costs| costs.holds_in_time(bytes)));

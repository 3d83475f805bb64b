//! Bars that come, go, move and are copied, with everything that starts in them.
//! Changes of single rows are in [`rows`](super::rows).

mod banked;
pub mod chase;
pub mod copy;
pub mod rearrange;
pub mod seam_reply;
pub mod settings_at_start;
pub mod time_shift;
pub mod whole_bars;

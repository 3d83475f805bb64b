//! This program, as a child of itself.

use std::env;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

static READY: AtomicBool = AtomicBool::new(false);

/// From now on this program may start itself: it looks at its hidden first arguments.
pub(crate) fn set_ready() {
    READY.store(true, Ordering::Relaxed);
}

/// This program, if it may start itself.
pub(crate) fn program() -> Option<io::Result<PathBuf>> {
    if !READY.load(Ordering::Relaxed) {
        return None;
    }
    // The kernel's name for this very program, even if its file has been replaced meanwhile.
    Some(match cfg!(target_os = "linux") {
        true => Ok(PathBuf::from("/proc/self/exe")),
        false => env::current_exe(),
    })
}

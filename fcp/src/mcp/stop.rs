//! Ends a server in order.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::sync::Notify;

/// Asks a server to end: it answers the call in hand, refuses what waits behind it, reads nothing more, and returns.
/// Copies ask the same server.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Asked>);

#[derive(Debug, Default)]
struct Asked {
    asked: AtomicBool,
    moved: Notify,
}

impl Stop {
    /// Asks. May be called from any thread.
    pub fn ask(&self) {
        self.0.asked.store(true, Ordering::Release);
        self.0.moved.notify_waiters();
    }

    /// Whether it was asked.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.0.asked.load(Ordering::Acquire)
    }

    /// Waits until it is asked.
    pub(super) async fn asked(&self) {
        let moved = self.0.moved.notified();
        let mut moved = std::pin::pin!(moved);
        // From here on a call is noticed, also one between the look and the wait.
        moved.as_mut().enable();
        if !self.is_asked() {
            moved.await;
        }
    }
}

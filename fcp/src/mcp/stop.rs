//! Ends a server in order.

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use tokio::sync::Notify;

/// How long the call in hand may go on when a server is asked to end.
const GRACE: Duration = Duration::from_secs(30);

/// Asks a server to end: it answers the call in hand, refuses what waits behind it, reads nothing more, and returns.
/// Copies ask the same server.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Asked>);

#[derive(Debug, Default)]
struct Asked {
    asked: OnceLock<Instant>,
    moved: Notify,
}

impl Stop {
    /// Asks. May be called from any thread.
    pub fn ask(&self) {
        self.0.asked.get_or_init(Instant::now);
        self.0.moved.notify_waiters();
    }

    /// Whether it was asked.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.0.asked.get().is_some()
    }

    /// Whether the call in hand has had its time: it is to end without a change, and to say so.
    pub(super) fn is_due(&self) -> bool {
        self.0
            .asked
            .get()
            .is_some_and(|asked| asked.elapsed() >= GRACE)
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

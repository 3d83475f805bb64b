//! Cancellation of calls.

use std::fmt;
use std::sync::Arc;

/// Whether a call was cancelled. A function that may take long has a parameter `cancel: &Cancel`,
/// and checks it now and then.
#[derive(Clone, Default)]
pub struct Cancel(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Cancel {
    /// A call that is never cancelled.
    #[must_use]
    pub const fn never() -> Self {
        Self(None)
    }

    /// A call that is cancelled once `cancelled` returns true.
    pub fn when(cancelled: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(cancelled)))
    }

    /// Returns whether nobody waits for the answer any more. The answer is then discarded.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.as_ref().is_some_and(|cancelled| cancelled())
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cancel({})", self.is_cancelled())
    }
}

//! Whether somebody still waits for an answer.

use std::fmt;
use std::sync::Arc;

/// Whether a call was taken back. A function that may take long asks for it, by a parameter `cancel: &Cancel`, and looks
/// now and then.
#[derive(Clone, Default)]
pub struct Cancel(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Cancel {
    /// A call that is never taken back.
    #[must_use]
    pub const fn never() -> Self {
        Self(None)
    }

    /// A call that is taken back when `cancelled` says so.
    pub fn when(cancelled: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(cancelled)))
    }

    /// Whether nobody waits any more. What is answered then goes nowhere.
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

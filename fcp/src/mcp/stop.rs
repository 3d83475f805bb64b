//! Ends a server in order.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
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
    /// Nobody would read the answer.
    unread: AtomicBool,
    moved: Notify,
}

impl Stop {
    /// Asks. May be called from any thread.
    pub fn ask(&self) {
        self.0.asked.get_or_init(Instant::now);
        self.0.moved.notify_waiters();
    }

    /// Asks as soon as nobody reads standard output any more; the call in hand is to end at once then. Only for a server that
    /// writes its replies there.
    pub(super) fn ask_when_unread(&self) {
        #[cfg(unix)]
        {
            use rustix::event::{PollFd, PollFlags, poll};

            let stop = self.clone();
            let thread = std::thread::Builder::new().name("reader".to_owned());
            // Without the thread, the server notices when it writes the answer.
            let _ = thread.spawn(move || {
                let output = std::io::stdout();
                // Poll reports these two whether they are asked for or not.
                let gone = PollFlags::ERR | PollFlags::HUP;
                let mut polled = [PollFd::new(&output, PollFlags::empty())];
                loop {
                    match poll(&mut polled, None) {
                        Ok(_) if polled[0].revents().intersects(gone) => break,
                        Err(rustix::io::Errno::INTR) => {}
                        _ => return,
                    }
                }
                stop.0.unread.store(true, Ordering::Relaxed);
                stop.ask();
            });
        }
    }

    /// Whether it was asked.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.0.asked.get().is_some()
    }

    /// Whether the call in hand has had its time, or nobody reads its answer: it is to end without a change.
    pub(super) fn is_due(&self) -> bool {
        let unread = self.0.unread.load(Ordering::Relaxed);
        let asked = self.0.asked.get();
        unread || asked.is_some_and(|asked| asked.elapsed() >= GRACE)
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

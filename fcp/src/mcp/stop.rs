//! Stops a server in order.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::sync::Notify;

/// The time that the current call may still take when a server is asked to stop.
const GRACE: Duration = Duration::from_secs(30);

/// Asks a server to stop: it answers the current call, refuses the waiting ones, reads nothing
/// more, and returns. Clones ask the same server.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Asked>);

#[derive(Debug, Default)]
struct Asked {
    asked: OnceLock<Instant>,
    /// Whether nobody would read the answer.
    unread: AtomicBool,
    moved: Notify,
}

impl Stop {
    /// Asks. May be called from any thread.
    pub fn ask(&self) {
        self.0.asked.get_or_init(Instant::now);
        self.0.moved.notify_waiters();
    }

    /// Asks as soon as nobody reads standard output any longer; the current call must then end at
    /// once. Only for a server that writes its replies there.
    pub(super) fn ask_when_unread(&self) {
        #[cfg(unix)]
        {
            use rustix::event::{PollFd, PollFlags, poll};

            let stop = self.clone();
            let thread = std::thread::Builder::new().name("reader".to_owned());
            // Without the thread, the server notices when it writes the answer.
            let _ = thread.spawn(move || {
                let output = std::io::stdout();
                // Poll always reports these two.
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

    /// Whether the server was asked to stop.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.0.asked.get().is_some()
    }

    /// Whether the current call must end without a change: its time is over, or nobody reads its
    /// answer.
    pub(super) fn is_due(&self) -> bool {
        let unread = self.0.unread.load(Ordering::Relaxed);
        let asked = self.0.asked.get();
        unread || asked.is_some_and(|asked| asked.elapsed() >= GRACE)
    }

    /// Waits until the server is asked to stop.
    pub(super) async fn asked(&self) {
        let moved = self.0.moved.notified();
        let mut moved = std::pin::pin!(moved);
        // From now on a call is noticed, even one between the check and the wait.
        moved.as_mut().enable();
        if !self.is_asked() {
            moved.await;
        }
    }
}

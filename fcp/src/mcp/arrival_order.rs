//! Arrival order: requests are served in the order of arrival, whatever the order in which their
//! tasks wake.
//!
//! The transport gives each request a [`Ticket`] when it reads it. The handler waits for the
//! ticket's turn before it passes the call to the endpoint. A request that never gets that far
//! gives up its turn when its ticket is dropped, so nothing can block the line. The gate also
//! counts the requests in progress, which limits how far the transport reads ahead and tells it, at
//! the end of the input, when the last request is done.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

/// The number of requests in progress at which reading pauses.
const MAX_REQUESTS: usize = 1024;
/// The number of bytes of requests in progress, or of unsent replies, at which reading pauses.
const MAX_BYTES: usize = 64 << 20;

/// Keeps the order.
#[derive(Debug, Default)]
pub(super) struct Gate {
    line: Mutex<Line>,
    moved: Notify,
}

#[derive(Debug, Default)]
struct Line {
    /// The number of the next ticket.
    issued: u64,
    /// The ticket whose turn it is.
    turn: u64,
    /// Tickets after `turn` that have already given up their turns.
    passed: BTreeSet<u64>,
    requests: usize,
    incoming: usize,
    outgoing: usize,
    broken: bool,
}

impl Gate {
    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A ticket for a request of this many bytes.
    pub(super) fn ticket(self: &Arc<Self>, bytes: usize) -> Ticket {
        let mut line = self.line();
        let number = line.issued;
        line.issued += 1;
        line.requests += 1;
        line.incoming += bytes;
        Ticket(Arc::new(Place {
            gate: Arc::clone(self),
            number,
            bytes,
        }))
    }

    async fn until<T>(&self, mut ready: impl FnMut(&Line) -> Option<T>) -> T {
        loop {
            let moved = self.moved.notified();
            let mut moved = std::pin::pin!(moved);
            // From now on a move is noticed, even one between the check and the wait.
            moved.as_mut().enable();
            if let Some(value) = ready(&self.line()) {
                return value;
            }
            moved.await;
        }
    }

    /// Waits until there is room for another request. False if nobody reads the replies any longer.
    pub(super) async fn room(&self) -> bool {
        self.until(|line| {
            let room = line.requests < MAX_REQUESTS
                && line.incoming < MAX_BYTES
                && line.outgoing < MAX_BYTES;
            (line.broken || room).then_some(!line.broken)
        })
        .await
    }

    /// Waits until no request is in progress.
    pub(super) async fn idle(&self) {
        self.until(|line| (line.requests == 0).then_some(())).await;
    }

    /// Waits until nobody reads the replies any longer.
    pub(super) async fn broken(&self) {
        self.until(|line| line.broken.then_some(())).await;
    }

    /// Counts a reply that is ready to be written.
    pub(super) fn queued(&self, bytes: usize) {
        self.line().outgoing += bytes;
    }

    /// Counts a reply that was written.
    pub(super) fn written(&self, bytes: usize) {
        self.line().outgoing -= bytes;
        self.moved.notify_waiters();
    }

    /// Records that nobody reads the replies any longer.
    pub(super) fn set_broken(&self) {
        self.line().broken = true;
        self.moved.notify_waiters();
    }

    /// Whether nobody reads the replies any longer.
    pub(super) fn is_broken(&self) -> bool {
        self.line().broken
    }

    fn pass(&self, number: u64) {
        let mut line = self.line();
        if number >= line.turn {
            line.passed.insert(number);
        }
        loop {
            let turn = line.turn;
            if !line.passed.remove(&turn) {
                break;
            }
            line.turn += 1;
        }
        drop(line);
        self.moved.notify_waiters();
    }
}

/// A place in the line. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct Ticket(Arc<Place>);

impl Ticket {
    /// Waits until all earlier requests have had their turns.
    pub(super) async fn turn(&self) {
        let number = self.0.number;
        self.0
            .gate
            .until(|line| (line.turn >= number).then_some(()))
            .await;
    }

    /// Passes the turn on. The request still counts as in progress.
    pub(super) fn pass(&self) {
        self.0.gate.pass(self.0.number);
    }
}

#[derive(Debug)]
struct Place {
    gate: Arc<Gate>,
    number: u64,
    bytes: usize,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut line = self.gate.line();
        line.requests -= 1;
        line.incoming -= self.bytes;
        drop(line);
        self.gate.pass(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap()
            .block_on(future)
    }

    #[test]
    fn turns_come_in_order_however_the_tasks_wake() {
        let order = Arc::new(Mutex::new(Vec::new()));
        run(async {
            let gate = Arc::new(Gate::default());
            let tickets: Vec<_> = (0..50).map(|_| gate.ticket(1)).collect();
            let mut tasks = Vec::new();
            for (number, ticket) in tickets.into_iter().enumerate().rev() {
                let order = Arc::clone(&order);
                tasks.push(tokio::spawn(async move {
                    // Every seventh request ends before it reaches the endpoint.
                    if number % 7 != 0 {
                        ticket.turn().await;
                        order.lock().unwrap().push(number);
                        ticket.pass();
                    }
                }));
            }
            for task in tasks {
                task.await.unwrap();
            }
            gate.idle().await;
        });
        let order = order.lock().unwrap();
        assert_eq!(
            *order,
            (0..50).filter(|number| number % 7 != 0).collect::<Vec<_>>()
        );
    }

    #[test]
    fn reading_pauses_while_too_much_is_in_progress() {
        run(async {
            let gate = Arc::new(Gate::default());
            let big = gate.ticket(MAX_BYTES);
            let waited =
                tokio::time::timeout(std::time::Duration::from_millis(20), gate.room()).await;
            assert!(waited.is_err());
            drop(big);
            assert!(gate.room().await);
            gate.queued(MAX_BYTES);
            let waited =
                tokio::time::timeout(std::time::Duration::from_millis(20), gate.room()).await;
            assert!(waited.is_err());
            gate.set_broken();
            assert!(!gate.room().await);
        });
    }
}

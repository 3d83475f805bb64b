//! Messages that were read and not yet handled, and the request awaiting its answer.

use std::collections::{HashSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::Ended;
use super::message::{Id, Message};

/// Maximum number of lines read ahead.
const AHEAD: usize = 256;
/// Maximum total length of lines read ahead, in bytes; a single line may be longer.
const AHEAD_BYTES: usize = 1 << 20;
/// Maximum number of open requests that do not block others.
const LISTENERS: usize = 64;

/// The queue of messages that were read. [`Desk::stop`] ends the service.
#[derive(Debug, Default)]
pub struct Desk {
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<(Message, usize)>,
    bytes: usize,
    /// The request that awaits its answer.
    hand: Option<Hand>,
    listeners: HashSet<Id>,
    /// The input has ended.
    ended: bool,
    stopped: bool,
    /// The output is closed.
    unread: bool,
    /// The protocol's server has ended.
    gone: bool,
}

#[derive(Debug)]
struct Hand {
    id: Id,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The server has not received it.
    Taken,
    Sent,
    /// Its answer is being written.
    Claimed,
}

/// Outcome of the current request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It was cancelled.
    Cancelled,
    /// Too many such requests are open, or one has the same id.
    Refused,
    /// It stays open and does not block others.
    Open,
    /// It was sent, and its answer is awaited.
    Sent,
}

impl Desk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = change(&mut self.state());
        self.moved.notify_all();
        changed
    }

    fn until<T>(&self, mut ready: impl FnMut(&mut State) -> Option<T>) -> T {
        let mut state = self.state();
        loop {
            if let Some(ready) = ready(&mut state) {
                return ready;
            }
            let waited = self.moved.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Stops after the current request and drops the rest.
    pub fn stop(&self) {
        self.change(|state| state.stopped = true);
    }

    /// Queues a message once there is room. Returns false if no more messages are taken.
    pub(super) fn put(&self, message: Message, bytes: usize) -> bool {
        let mut message = Some(message);
        let taken = self.until(|state| {
            if state.stopped || state.unread {
                return Some(false);
            }
            let room = state.queue.len() < AHEAD && state.bytes + bytes <= AHEAD_BYTES;
            if !room && !state.queue.is_empty() {
                return None;
            }
            state.bytes += bytes;
            state
                .queue
                .extend(message.take().map(|message| (message, bytes)));
            Some(true)
        });
        self.moved.notify_all();
        taken
    }

    /// Marks the end of the input.
    pub(super) fn end(&self) {
        self.change(|state| state.ended = true);
    }

    /// Marks the output as closed.
    pub(super) fn unread(&self) {
        self.change(|state| state.unread = true);
    }

    /// Marks the protocol's server as ended; it will answer nothing more.
    pub(super) fn gone(&self) {
        self.change(|state| state.gone = true);
    }

    /// The next message, or the reason why there is none.
    pub(super) fn next(&self) -> Result<Message, Ended> {
        let next = self.until(|state| {
            if state.unread {
                return Some(Err(Ended::Unread));
            }
            if state.stopped {
                return Some(Err(Ended::Stopped));
            }
            match state.queue.pop_front() {
                Some((message, bytes)) => {
                    state.bytes -= bytes;
                    if let Message::Request { id, .. } = &message {
                        let (id, phase) = (id.clone(), Phase::Taken);
                        state.hand = Some(Hand { id, phase });
                    }
                    Some(Ok(message))
                }
                None => state.ended.then_some(Err(Ended::Input)),
            }
        });
        self.moved.notify_all();
        next
    }

    /// Decides the outcome of the current request. An open or sent one must go to the server.
    pub(super) fn send(&self, listens: bool) -> Fate {
        let mut state = self.state();
        let State {
            hand, listeners, ..
        } = &mut *state;
        match hand {
            None => Fate::Cancelled,
            Some(sent) if !listens => {
                sent.phase = Phase::Sent;
                Fate::Sent
            }
            Some(_) => {
                let few = listeners.len() < LISTENERS;
                let id = hand.take().map(|hand| hand.id);
                if few && id.is_some_and(|id| listeners.insert(id)) {
                    Fate::Open
                } else {
                    Fate::Refused
                }
            }
        }
    }

    /// Waits for the answer to the current request. Returns false if there will be none.
    pub(super) fn wait(&self) -> bool {
        self.until(|state| match &state.hand {
            None => Some(true),
            Some(hand) if state.gone && hand.phase != Phase::Claimed => {
                state.hand = None;
                Some(false)
            }
            Some(_) => state.unread.then_some(true),
        })
    }

    /// Whether an answer may be written: that of the current request or of an open one. An answer
    /// without an id is to a line that the server could not read, which can only be the current
    /// one.
    pub(super) fn claim(&self, id: Option<&Id>) -> bool {
        let mut state = self.state();
        if let Some(hand) = &mut state.hand
            && id.is_none_or(|id| *id == hand.id)
        {
            hand.phase = Phase::Claimed;
            return true;
        }
        id.is_none_or(|id| state.listeners.remove(id))
    }

    /// Marks the claimed answer as written.
    pub(super) fn answered(&self) {
        self.change(|state| {
            state.hand.take_if(|hand| hand.phase == Phase::Claimed);
        });
    }

    /// Drops a request that needs no answer. Returns true if the server has received it.
    pub(super) fn cancel(&self, id: &Id) -> bool {
        self.change(|state| {
            let meant = |hand: &mut Hand| hand.id == *id && hand.phase != Phase::Claimed;
            if let Some(hand) = state.hand.take_if(meant) {
                return hand.phase == Phase::Sent;
            }
            if state.listeners.remove(id) {
                return true;
            }
            let State { queue, bytes, .. } = state;
            queue.retain(|(message, size)| {
                let meant = matches!(message, Message::Request { id: one, .. } if one == id);
                if meant {
                    *bytes -= size;
                }
                !meant
            });
            false
        })
    }
}

//! What has been read and not been dealt with, and what is being waited for.

use std::collections::{HashSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::Ended;
use super::message::{Id, Message};

/// Lines read ahead.
const AHEAD: usize = 256;
/// Bytes of lines read ahead, unless it is one line.
const AHEAD_BYTES: usize = 1 << 20;
/// Requests that may be open and hold nothing up.
const LISTENERS: usize = 64;

/// Where the lines that are read lie until their turn comes. [`Desk::stop`] ends it all.
#[derive(Debug, Default)]
pub struct Desk {
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<(Message, usize)>,
    bytes: usize,
    /// The request whose answer is waited for.
    hand: Option<Hand>,
    listeners: HashSet<Id>,
    /// All has been read.
    ended: bool,
    stopped: bool,
    /// Nobody reads what is answered.
    unread: bool,
    /// The server of the protocol has ended.
    gone: bool,
}

#[derive(Debug)]
struct Hand {
    id: Id,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The server has not heard of it.
    Taken,
    Sent,
    /// Its answer is being written.
    Claimed,
}

/// What becomes of the request in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It was taken back.
    Cancelled,
    /// There are too many like it, or one of its id.
    Refused,
    /// It is open and holds nothing up.
    Open,
    /// Its answer is waited for.
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

    /// Finishes what is in hand and leaves the rest.
    pub fn stop(&self) {
        self.change(|state| state.stopped = true);
    }

    /// Lays a message down when there is room. False if nobody will take it any more.
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

    /// Nothing more will be laid down.
    pub(super) fn end(&self) {
        self.change(|state| state.ended = true);
    }

    /// Nobody reads what is answered.
    pub(super) fn unread(&self) {
        self.change(|state| state.unread = true);
    }

    /// The server of the protocol has ended, and answers nothing more.
    pub(super) fn gone(&self) {
        self.change(|state| state.gone = true);
    }

    /// The next message, or why there is none.
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

    /// What becomes of the request in hand; the server hears of one that is open or sent.
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

    /// Waits until what is in hand has its answer. False if there will be none.
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

    /// Whether an answer may go out: the one that is waited for, and that of a request which stayed open. No id is an
    /// answer to a line that the server could not read, which can only be the one in hand.
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

    /// The answer that was claimed has been written.
    pub(super) fn answered(&self) {
        self.change(|state| {
            state.hand.take_if(|hand| hand.phase == Phase::Claimed);
        });
    }

    /// A request need not be answered. True if the server has it.
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

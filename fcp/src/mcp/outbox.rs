//! Outgoing replies: whole frames, in the order of their requests, batched if the requests were.
//!
//! `rmcp` may swap replies that are ready at the same time. Here they are put back in order, so
//! that a client may read the replies to its calls one after the other. Only the endpoint's answers
//! have a place in that order: a ping never waits.

use std::{
    collections::{BTreeMap, HashMap},
    io::{self, Write},
    sync::{Arc, mpsc},
    thread,
};

use rmcp::model::RequestId;
use serde::Serialize;
use serde_json::Value;

use super::arrival_order::Gate;

/// Takes replies without waiting; a thread writes them.
#[derive(Debug)]
pub(super) struct Outbox {
    gate: Arc<Gate>,
    queue: mpsc::Sender<Vec<u8>>,
    /// The requests without a reply.
    open: HashMap<RequestId, Open>,
    batches: HashMap<u64, Batch>,
    next_batch: u64,
    /// The replies that wait for an earlier one; `None` if a request gets none.
    held: BTreeMap<u64, Option<Vec<u8>>>,
    /// The place of the next reply.
    turn: u64,
    next_place: u64,
}

#[derive(Debug)]
struct Open {
    batch: Option<u64>,
    place: Option<u64>,
}

#[derive(Debug, Default)]
struct Batch {
    missing: usize,
    replies: Vec<Vec<u8>>,
}

impl Outbox {
    /// Starts the thread. It ends when the outbox is dropped and everything is written.
    pub(super) fn start(
        gate: Arc<Gate>,
        mut output: impl Write + Send + 'static,
    ) -> io::Result<(Self, thread::JoinHandle<()>)> {
        let (queue, frames) = mpsc::channel::<Vec<u8>>();
        let written = Arc::clone(&gate);
        let thread = thread::Builder::new()
            .name("replies".to_owned())
            .spawn(move || {
                for frame in frames {
                    if !written.is_broken()
                        && output
                            .write_all(&frame)
                            .and_then(|()| output.flush())
                            .is_err()
                    {
                        written.set_broken();
                    }
                    written.written(frame.len());
                }
            })?;
        Ok((
            Self {
                gate,
                queue,
                open: HashMap::new(),
                batches: HashMap::new(),
                next_batch: 0,
                held: BTreeMap::new(),
                turn: 0,
                next_place: 0,
            },
            thread,
        ))
    }

    /// Records a request; an `ordered` one gets its reply after those before it. False if another
    /// request with this id is still open.
    pub(super) fn expect(&mut self, id: &RequestId, batch: Option<u64>, ordered: bool) -> bool {
        if self.open.contains_key(id) {
            return false;
        }
        let place = ordered.then(|| {
            self.next_place += 1;
            self.next_place - 1
        });
        self.open.insert(id.clone(), Open { batch, place });
        if let Some(batch) = batch.and_then(|batch| self.batches.get_mut(&batch)) {
            batch.missing += 1;
        }
        true
    }

    /// Cancels a request: it gets no reply.
    pub(super) fn forget(&mut self, id: &RequestId) {
        if let Some(open) = self.open.remove(id) {
            self.settle(&open, None);
        }
    }

    /// Opens a batch. It stays open until `close_batch`.
    pub(super) fn open_batch(&mut self) -> u64 {
        let batch = self.next_batch;
        self.next_batch += 1;
        self.batches.insert(
            batch,
            Batch {
                missing: 1,
                replies: Vec::new(),
            },
        );
        batch
    }

    /// Closes a batch: all its requests are known, and its reply is sent with its last part.
    pub(super) fn close_batch(&mut self, batch: u64) {
        if let Some(pending) = self.batches.get_mut(&batch) {
            pending.missing -= 1;
        }
        self.finish(batch);
    }

    /// Sends a message that belongs to no request, or whose request was never recorded.
    pub(super) fn post(&mut self, message: &impl Serialize, batch: Option<u64>) {
        let bytes = bytes(message);
        match batch.and_then(|batch| self.batches.get_mut(&batch)) {
            Some(batch) => batch.replies.push(bytes),
            None => self.push(bytes),
        }
    }

    /// Sends the reply to a request.
    pub(super) fn reply(&mut self, id: &RequestId, message: &impl Serialize) {
        match self.open.remove(id) {
            Some(open) => self.settle(&open, Some(bytes(message))),
            None => self.push(bytes(message)),
        }
    }

    fn settle(&mut self, open: &Open, mut reply: Option<Vec<u8>>) {
        if let Some(batch) = open.batch {
            if let Some(pending) = self.batches.get_mut(&batch) {
                pending.replies.extend(reply.take());
                pending.missing -= 1;
            }
            self.finish(batch);
        }
        match open.place {
            None => reply.into_iter().for_each(|reply| self.push(reply)),
            Some(place) => {
                self.held.insert(place, reply);
                while let Some(reply) = self.held.remove(&self.turn) {
                    self.turn += 1;
                    reply.into_iter().for_each(|reply| self.push(reply));
                }
            }
        }
    }

    fn finish(&mut self, batch: u64) {
        if self
            .batches
            .get(&batch)
            .is_some_and(|pending| pending.missing == 0)
            && let Some(done) = self.batches.remove(&batch)
            && !done.replies.is_empty()
        {
            let parts = done.replies.join(&b","[..]);
            self.push([b"[".as_slice(), &parts, b"]"].concat());
        }
    }

    /// Sends all replies that still wait.
    pub(super) fn release(&mut self) {
        for reply in std::mem::take(&mut self.held).into_values().flatten() {
            self.push(reply);
        }
    }

    fn push(&self, mut frame: Vec<u8>) {
        frame.push(b'\n');
        self.gate.queued(frame.len());
        let size = frame.len();
        if self.queue.send(frame).is_err() {
            self.gate.written(size);
        }
    }
}

fn bytes(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).unwrap_or_else(|problem| {
        // No message of this server has keys that are not strings; if one ever does, it is still
        // answered.
        let text = format!("the reply cannot be written as JSON: {problem}");
        let error = serde_json::json!({ "jsonrpc": "2.0", "id": Value::Null, "error": { "code": -32603, "message": text } });
        error.to_string().into_bytes()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use super::*;

    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn written(play: impl FnOnce(&mut Outbox)) -> String {
        let paper = Paper::default();
        let (mut outbox, thread) = Outbox::start(Arc::default(), paper.clone()).unwrap();
        play(&mut outbox);
        drop(outbox);
        thread.join().unwrap();
        let bytes = paper.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap().replace('\n', " ")
    }

    fn id(number: i64) -> RequestId {
        RequestId::Number(number)
    }

    #[test]
    fn replies_get_into_the_order_of_their_requests() {
        let text = written(|outbox| {
            for number in 0..6 {
                assert!(outbox.expect(&id(number), None, number != 3));
            }
            assert!(!outbox.expect(&id(0), None, true));
            outbox.reply(&id(2), &2);
            outbox.reply(&id(3), &3);
            outbox.forget(&id(0));
            outbox.post(&9, None);
            outbox.reply(&id(1), &1);
            outbox.reply(&id(5), &5);
            outbox.forget(&id(4));
            outbox.forget(&id(77));
        });
        assert_eq!(text, "3 9 1 2 5 ");
    }

    #[test]
    fn waiting_replies_can_be_released() {
        let text = written(|outbox| {
            for number in 0..4 {
                assert!(outbox.expect(&id(number), None, true));
            }
            outbox.reply(&id(3), &3);
            outbox.reply(&id(1), &1);
            outbox.release();
        });
        assert_eq!(text, "1 3 ");
    }

    #[test]
    fn a_batch_goes_out_whole() {
        let text = written(|outbox| {
            let batch = outbox.open_batch();
            assert!(outbox.expect(&id(0), Some(batch), true));
            assert!(outbox.expect(&id(1), Some(batch), false));
            assert!(outbox.expect(&id(2), Some(batch), true));
            outbox.post(&9, Some(batch));
            outbox.close_batch(batch);
            assert!(outbox.expect(&id(3), None, true));
            outbox.reply(&id(3), &3);
            outbox.reply(&id(2), &2);
            outbox.forget(&id(1));
            outbox.reply(&id(0), &0);
            let empty = outbox.open_batch();
            outbox.close_batch(empty);
        });
        assert_eq!(text, "[9,2,0] 3 ");
    }
}

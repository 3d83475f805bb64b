//! Replies on their way out: whole frames, in the order they were ready, batched where they were asked for in a batch.

use std::{
    collections::HashMap,
    io::{self, Write},
    sync::{Arc, mpsc},
    thread,
};

use rmcp::model::RequestId;
use serde::Serialize;
use serde_json::Value;

use super::order::Gate;

/// Takes replies without ever waiting; a thread writes them.
#[derive(Debug)]
pub(super) struct Outbox {
    gate: Arc<Gate>,
    queue: mpsc::Sender<Vec<u8>>,
    /// The requests without a reply, and the batch each came in.
    open: HashMap<RequestId, Option<u64>>,
    batches: HashMap<u64, Batch>,
    next: u64,
}

#[derive(Debug, Default)]
struct Batch {
    missing: usize,
    replies: Vec<Vec<u8>>,
}

impl Outbox {
    /// Starts the thread. It ends when the outbox is gone and everything is written, or nobody reads.
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
                next: 0,
            },
            thread,
        ))
    }

    /// Notes a request. False if one with this id has no reply yet.
    pub(super) fn expect(&mut self, id: &RequestId, batch: Option<u64>) -> bool {
        if self.open.contains_key(id) {
            return false;
        }
        self.open.insert(id.clone(), batch);
        if let Some(batch) = batch.and_then(|batch| self.batches.get_mut(&batch)) {
            batch.missing += 1;
        }
        true
    }

    /// A request is taken back: it gets no reply.
    pub(super) fn forget(&mut self, id: &RequestId) {
        if let Some(Some(batch)) = self.open.remove(id)
            && let Some(pending) = self.batches.get_mut(&batch)
        {
            pending.missing -= 1;
            self.finish(batch);
        }
    }

    /// Opens a batch. It stays open until `close_batch`.
    pub(super) fn open_batch(&mut self) -> u64 {
        let batch = self.next;
        self.next += 1;
        self.batches.insert(
            batch,
            Batch {
                missing: 1,
                replies: Vec::new(),
            },
        );
        batch
    }

    /// Everything in the batch is known; its reply goes out with its last part.
    pub(super) fn close_batch(&mut self, batch: u64) {
        if let Some(pending) = self.batches.get_mut(&batch) {
            pending.missing -= 1;
        }
        self.finish(batch);
    }

    /// A message that belongs to no request, or whose request was never noted.
    pub(super) fn say(&mut self, message: &impl Serialize, batch: Option<u64>) {
        let bytes = bytes(message);
        match batch.and_then(|batch| self.batches.get_mut(&batch)) {
            Some(batch) => batch.replies.push(bytes),
            None => self.push(bytes),
        }
    }

    /// The reply to a request.
    pub(super) fn reply(&mut self, id: &RequestId, message: &impl Serialize) {
        match self.open.remove(id).flatten() {
            None => self.push(bytes(message)),
            Some(batch) => {
                if let Some(pending) = self.batches.get_mut(&batch) {
                    pending.replies.push(bytes(message));
                    pending.missing -= 1;
                }
                self.finish(batch);
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
        // No message of ours has keys that are not strings; should one ever, it is still answered.
        let text = format!("the reply cannot be written as JSON: {problem}");
        let error = serde_json::json!({ "jsonrpc": "2.0", "id": Value::Null, "error": { "code": -32603, "message": text } });
        error.to_string().into_bytes()
    })
}

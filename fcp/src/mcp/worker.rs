//! The thread that owns the endpoint. It does one job at a time, in the order of the requests.
//!
//! The transport is not blocked meanwhile: it answers pings and accepts cancellations during a long
//! call.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

use crate::{endpoint::Endpoint, memory, tool::panic_message, work::wanted};

/// Large enough for nested files, whose readers recurse.
pub(super) const STACK: usize = 16 << 20;

/// The time without a call after which freed memory is returned to the system.
const PAUSE: Duration = Duration::from_secs(1);

/// The time after which a server without such a pause returns freed memory too.
const BUSY: Duration = Duration::from_secs(30);

type Job = Box<dyn FnOnce(&mut dyn Endpoint) + Send>;

/// Asks the endpoint. Clones ask the same one.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    jobs: mpsc::Sender<Job>,
}

/// The reason why a question has no answer.
#[derive(Debug)]
pub(super) enum Lost {
    /// It was cancelled before its turn.
    Cancelled,
    /// The endpoint panicked with this message.
    Panicked(String),
}

impl Worker {
    /// Starts the thread. It ends when the last clone of the worker is dropped.
    pub(super) fn start(
        mut endpoint: Box<dyn Endpoint>,
    ) -> io::Result<(Self, thread::JoinHandle<()>)> {
        let (jobs, queue) = mpsc::channel::<Job>();
        let thread = thread::Builder::new()
            .name("endpoint".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                while let Ok(mut job) = queue.recv() {
                    let mut released = Instant::now();
                    loop {
                        job(endpoint.as_mut());
                        if released.elapsed() > BUSY {
                            memory::release();
                            released = Instant::now();
                        }
                        match queue.recv_timeout(PAUSE) {
                            Ok(next) => job = next,
                            Err(_) => break,
                        }
                    }
                    memory::release();
                }
            })?;
        Ok((Self { jobs }, thread))
    }

    /// Enters the queue at once; the future is the answer. A question that is `cancelled` before
    /// its turn is not asked. During its answer, a job started for it ends when it becomes
    /// `unwanted`.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        cancelled: impl FnOnce() -> bool + Send + 'static,
        unwanted: impl Fn() -> bool + Send + 'static,
        question: impl FnOnce(&mut dyn Endpoint) -> T + Send + 'static,
    ) -> impl Future<Output = Result<T, Lost>> + Send + 'static {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |endpoint| {
            let result = if cancelled() {
                Err(Lost::Cancelled)
            } else {
                catch_unwind(AssertUnwindSafe(|| wanted(unwanted, || question(endpoint))))
                    .map_err(|panic| Lost::Panicked(panic_message(&*panic)))
            };
            // The caller may be gone.
            let _ = reply.send(result);
        });
        let sent = self.jobs.send(job);
        async move {
            let gone = || Lost::Panicked("the endpoint is gone".to_owned());
            sent.map_err(|_| gone())?;
            answer.await.unwrap_or_else(|_| Err(gone()))
        }
    }
}

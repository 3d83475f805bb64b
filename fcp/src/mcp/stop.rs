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

#[derive(Debug)]
struct Asked {
    grace: Duration,
    asked: OnceLock<Instant>,
    /// Whether nobody would read the answer.
    unread: AtomicBool,
    moved: Notify,
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            grace: GRACE,
            asked: OnceLock::new(),
            unread: AtomicBool::new(false),
            moved: Notify::new(),
        }
    }
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
        unread || asked.is_some_and(|asked| asked.elapsed() >= self.0.grace)
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

#[cfg(test)]
mod tests {
    use std::{
        io::{BufRead, BufReader, Write, pipe},
        sync::mpsc::{Sender, channel},
        thread,
    };

    use serde_json::{Value, json};

    use super::*;
    use crate::{
        endpoint::{Answer, Endpoint, Policy},
        mcp::{Options, serve},
        work,
    };

    /// An endpoint whose calls end only when nobody waits for them any longer.
    struct Endless(Sender<()>);

    impl Endless {
        fn answer(&self) -> Answer {
            let _ = self.0.send(());
            let text = work::within(u64::MAX, || {
                loop {
                    if let Err(spent) = work::spend(5_000) {
                        return spent.to_string();
                    }
                }
            });
            Answer {
                text,
                is_error: true,
                blocks: Vec::new(),
            }
        }
    }

    impl Endpoint for Endless {
        fn domain(&self) -> &'static str {
            "endless"
        }

        fn title(&self) -> &'static str {
            "Endless calls"
        }

        fn card(&self) -> String {
            String::new()
        }

        fn run(&mut self, _ops: &[String], _policy: Option<Policy>) -> Answer {
            self.answer()
        }

        fn query(&mut self, _query: &str) -> Answer {
            self.answer()
        }

        fn act(&mut self, _action: &str) -> Answer {
            self.answer()
        }

        fn help(&mut self, _topic: Option<&str>) -> Answer {
            self.answer()
        }

        fn codebook(&self) -> Value {
            Value::Null
        }

        fn schema(&self) -> Value {
            Value::Null
        }

        fn document(&self) -> String {
            String::new()
        }

        fn check(&mut self, _path: &str) -> Answer {
            self.answer()
        }
    }

    #[test]
    fn a_long_call_is_answered_when_the_time_to_stop_is_over() {
        let mut options = Options::new("1");
        options.stop = Stop(Arc::new(Asked {
            grace: Duration::from_millis(200),
            ..Asked::default()
        }));
        let stop = options.stop.clone();
        let (input, mut requests) = pipe().unwrap();
        let (replies, output) = pipe().unwrap();
        let (begun, is_begun) = channel();
        let (ended, is_ended) = channel();
        thread::spawn(move || {
            serve(Box::new(Endless(begun)), options, input, output).unwrap();
            let _ = ended.send(());
        });
        let params = json!({ "name": "endless_query", "arguments": { "q": "map" } });
        let call = json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params });
        writeln!(requests, "{call}").unwrap();
        let patience = Duration::from_secs(30);
        is_begun.recv_timeout(patience).unwrap();
        let asked = Instant::now();
        stop.ask();
        is_ended.recv_timeout(patience).unwrap();
        assert!(asked.elapsed() >= Duration::from_millis(200));
        let reply = BufReader::new(replies).lines().next().unwrap().unwrap();
        let reply: Value = serde_json::from_str(&reply).unwrap();
        let text = &reply["result"]["content"][0]["text"];
        assert_eq!(
            (&reply["id"], text),
            (
                &json!(5),
                &json!("the call was cancelled and changes nothing")
            )
        );
    }
}

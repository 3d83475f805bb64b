//! Standard input and output of the program, in two dialects.
//!
//! In the plain dialect a method is the name of a tool and its result is the tool's answer, byte
//! for byte. Lines of the Model Context Protocol go to the framework's server through pipes.
//! Requests are handled one at a time, and replies come in the order of requests, in either
//! dialect.

mod message;
mod out;
mod pipe;
mod reply;
mod request_queue;

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;

use fcp::lines::{self, Line};
use fcp::mcp::Skim;
use fcp::tool::{Cancel, Tools, Transport};

use message::{Id, Message, message};
use out::Out;
use pipe::{Feed, Inlet, Outlet, pipe};
use reply::{Fault, NO_TOOL, TOO_LARGE};
pub use request_queue::Desk;
use request_queue::Fate;

/// The maximum length of a line, in bytes, without its line ending.
pub const LINE_BYTES: usize = 1 << 20;

/// Reason why serving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The input ended, and all of it has been answered.
    Input,
    /// [`Desk::stop`] was called, and the current request has been answered.
    Stopped,
    /// The output is closed.
    Unread,
}

/// Serves tools on a pair of streams. `mcp` is the protocol's server. `ended` is called with the
/// reason for the end, before requests that the server still has open are awaited.
///
/// # Errors
/// A thread cannot be started.
pub fn serve<W: Write + Send + 'static>(
    desk: &Arc<Desk>,
    tools: &Arc<dyn Tools>,
    (input, output): (impl Read + Send + 'static, W),
    mcp: &Transport<'_>,
    ended: impl FnOnce(Ended),
) -> io::Result<()> {
    let (feed, inlet) = pipe();
    let feed = Arc::new(feed);
    let front = Front {
        desk: Arc::clone(desk),
        tools: Arc::clone(tools),
        feed: Arc::clone(&feed),
    };
    // It cannot be joined while it blocks in a read, and need not be.
    thread::Builder::new()
        .name("lines".to_owned())
        .spawn(move || front.read(input))?;
    let out = Arc::new(Out::new(Arc::clone(desk), output));
    thread::scope(|scope| {
        let mut inlet = Some(inlet);
        let start = || match inlet.take() {
            None => Ok(()),
            Some(inlet) => {
                let outlet = Outlet::new(Arc::clone(desk), Arc::clone(&out));
                let server = || speak(mcp, inlet, outlet, desk);
                let builder = thread::Builder::new().name("protocol".to_owned());
                builder.spawn_scoped(scope, server).map(drop)
            }
        };
        let how = attend(desk, tools.as_ref(), &feed, &out, start);
        feed.close();
        how.map(ended)
    })
}

/// Runs the protocol's server until its input ends. However it ends, nothing waits for it any more.
fn speak<W: Write + Send + 'static>(
    mcp: &Transport<'_>,
    inlet: Inlet,
    outlet: Outlet<W>,
    desk: &Desk,
) {
    struct Gone<'d>(&'d Desk);
    impl Drop for Gone<'_> {
        fn drop(&mut self) {
            self.0.gone();
        }
    }
    let _gone = Gone(desk);
    // If the server fails, whoever waits for its open requests answers them.
    let _ = mcp(Box::new(inlet), Box::new(outlet));
}

/// Handles messages in the order they were read. `start` starts the protocol's server if needed.
fn attend<W: Write>(
    desk: &Desk,
    tools: &dyn Tools,
    feed: &Feed,
    out: &Out<W>,
    mut start: impl FnMut() -> io::Result<()>,
) -> io::Result<Ended> {
    loop {
        let reply = match desk.next() {
            Err(ended) => return Ok(ended),
            Ok(Message::Answer(reply)) => Some(reply),
            Ok(Message::Call {
                id,
                tool,
                arguments,
            }) => Some(reply::result(&id, &call(tools, tool, &arguments))),
            Ok(Message::Notice(line)) => {
                start()?;
                feed.send_line(line, || true);
                None
            }
            Ok(Message::Request { id, listens, line }) => {
                start()?;
                request(desk, feed, &id, listens, line)
            }
            // The cancellation took effect when the line was read.
            Ok(Message::Cancel { .. }) => None,
        };
        if let Some(reply) = reply
            && out.write(reply).is_err()
        {
            return Ok(Ended::Unread);
        }
    }
}

/// The answer of a tool.
fn call(tools: &dyn Tools, tool: &str, arguments: &str) -> String {
    let reply = tools.carry_out(tool, arguments, &Cancel::never());
    reply.map_or_else(|| NO_TOOL.to_owned(), |reply| reply.text)
}

/// Passes a request to the protocol's server and waits for its answer. Returns an error as a
/// fallback.
fn request(desk: &Desk, feed: &Feed, id: &Id, listens: bool, line: String) -> Option<String> {
    let mut fate = Fate::Cancelled;
    feed.send_line(line, || {
        fate = desk.send(listens);
        matches!(fate, Fate::Open | Fate::Sent)
    });
    let error = |fault, why: &str| Some(reply::error(&id.to_string(), fault, why));
    match fate {
        Fate::Refused => error(Fault::Request, "too many requests like this are open"),
        Fate::Sent if !desk.wait() => {
            error(Fault::Internal, "the server of the protocol has ended")
        }
        _ => None,
    }
}

/// The reply to an overlong line: under the id of a request of the protocol, else without one.
fn too_long(skim: &Skim) -> Message {
    let answer = skim.too_long(LINE_BYTES);
    Message::Answer(answer.unwrap_or_else(|| TOO_LARGE.to_owned()))
}

/// State of the thread that reads lines.
struct Front {
    desk: Arc<Desk>,
    tools: Arc<dyn Tools>,
    feed: Arc<Feed>,
}

impl Front {
    /// Reads until the input ends or nothing more is taken. Cancellations take effect at once.
    fn read(&self, input: impl Read) {
        lines::read(input, LINE_BYTES, |line| {
            let (message, bytes) = match line {
                Line::TooLong(skim) => (too_long(&skim), 0),
                Line::Whole(line) => {
                    let bytes = line.len();
                    (message(line, self.tools.as_ref()), bytes)
                }
            };
            if let Message::Cancel { id, line } = message {
                self.feed.send_line(line, || self.desk.cancel(&id));
                return true;
            }
            self.desk.put(message, bytes)
        });
        self.desk.end();
    }
}

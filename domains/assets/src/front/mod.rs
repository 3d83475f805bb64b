//! The program's side of standard input and output, where two dialects are spoken.
//!
//! In the plain dialect a method is the name of a tool and its result is what the tool answers, byte for byte. Lines of
//! the Model Context Protocol go on to the framework's server through pipes. One request is carried out at a time and
//! replies come in the order of requests, whichever dialect they are in.

mod desk;
mod message;
mod out;
mod pipe;
mod reply;

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;

use fcp::lines::{self, Line};
use fcp::tool::{Cancel, Tools, Transport};

pub use desk::Desk;
use desk::Fate;
use message::{Id, Message, message};
use out::Out;
use pipe::{Feed, Inlet, Outlet, pipe};
use reply::{Fault, NO_TOOL, TOO_LARGE};

/// The longest line that is read, in bytes, without what ends it.
pub const LINE_BYTES: usize = 1 << 20;

/// Why serving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The input ended, and all of it is answered.
    Input,
    /// [`Desk::stop`] was called, and what was in hand is answered.
    Stopped,
    /// Nobody reads the answers.
    Unread,
}

/// Serves tools on a pair of streams. `mcp` speaks the protocol. `ended` is told why it is over; what the protocol's
/// server still has open is waited for behind that.
///
/// # Errors
/// A thread cannot be started, or the protocol's server fails.
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
    // Blocked in a read it cannot be joined, nor needs to be.
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

/// Speaks the protocol until its input ends. However it ends, nobody is left waiting for it.
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
    // Requests that it leaves open are answered by whoever waits for it.
    let _ = mcp(Box::new(inlet), Box::new(outlet));
}

/// Deals with messages in the order they were read. `start` starts the protocol's server, the first time.
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
                feed.tell(line, || true);
                None
            }
            Ok(Message::Request { id, listens, line }) => {
                start()?;
                request(desk, feed, &id, listens, line)
            }
            // It was acted on as it was read.
            Ok(Message::Cancel { .. }) => None,
        };
        if let Some(reply) = reply
            && out.say(reply).is_err()
        {
            return Ok(Ended::Unread);
        }
    }
}

/// What a tool answers.
fn call(tools: &dyn Tools, tool: &str, arguments: &str) -> String {
    let reply = tools.carry_out(tool, arguments, &Cancel::never());
    reply.map_or_else(|| NO_TOOL.to_owned(), |reply| reply.text)
}

/// Has the protocol's server answer a request, and waits until it has. What it does not answer is answered here.
fn request(desk: &Desk, feed: &Feed, id: &Id, listens: bool, line: String) -> Option<String> {
    let mut fate = Fate::Cancelled;
    feed.tell(line, || {
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

/// What the thread that reads lines works with.
struct Front {
    desk: Arc<Desk>,
    tools: Arc<dyn Tools>,
    feed: Arc<Feed>,
}

impl Front {
    /// Reads to the end of the input, or until nobody wants to know. What is taken back is so at once.
    fn read(&self, input: impl Read) {
        lines::read(input, LINE_BYTES, |line| {
            let (message, bytes) = match line {
                Line::TooLong(()) => (Message::Answer(TOO_LARGE.to_owned()), 0),
                Line::Whole(line) => {
                    let bytes = line.len();
                    (message(line, self.tools.as_ref()), bytes)
                }
            };
            if let Message::Cancel { id, line } = message {
                self.feed.tell(line, || self.desk.cancel(&id));
                return true;
            }
            self.desk.put(message, bytes)
        });
        self.desk.end();
    }
}

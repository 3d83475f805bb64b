//! MCP over a pair of byte streams: one message per line.
//!
//! A thread reads, a thread writes, and a thread owns the endpoint, or each call of a structured
//! tool has its own; `rmcp` runs on a single-threaded runtime between them. The transport never
//! blocks `rmcp`, and ends its input only when every request is done: at the end of the input,
//! `rmcp` itself waits at most five seconds for requests in progress.

use std::{
    collections::VecDeque,
    convert::Infallible,
    future::ready,
    io::{self, Read, Write},
    sync::Arc,
    thread,
    time::Duration,
};

use rmcp::{
    RoleServer,
    model::{
        ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorCode, GetExtensions,
        ProtocolVersion, ServerJsonRpcMessage, ServerResult,
    },
    service::serve_directly,
    transport::Transport,
};
use serde_json::Value;
use tokio::sync::mpsc;

use super::{
    Options,
    arrival_order::Gate,
    documents::Documents,
    handler::{Handler, Served},
    message::{self, Fault},
    outbox::Outbox,
    stop::Stop,
    structured::Toolkit,
    unparsed::Skim,
    worker::{STACK, Worker},
};
use crate::{
    endpoint::Endpoint,
    lines::{self, Line},
    tool::Tools,
};

/// The largest number of structured tool calls that run at the same time. Others wait.
const THREADS: usize = 64;
/// The time to wait at the end for functions whose results nobody waits for.
pub(super) const GRACE: Duration = Duration::from_secs(5);

/// Serves until the input ends or the server is asked to [stop](Options::stop), and every request
/// has its reply; or until nobody reads the replies any longer.
///
/// # Errors
///
/// The threads or the runtime cannot be started.
pub fn serve(
    endpoint: Box<dyn Endpoint>,
    options: Options,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let (limit, stop) = (options.max_request, options.stop.clone());
    let (domain, title) = (endpoint.domain(), endpoint.title());
    let (worker, endpoint_thread) = Worker::start(endpoint)?;
    let served = Documents::new(worker, domain, title, options);
    if run(
        served,
        ServeOptions {
            ordered: true,
            spelled: false,
        },
        limit,
        stop,
        input,
        output,
    )? {
        let _ = endpoint_thread.join();
    }
    Ok(())
}

/// [`serve`] for structured tools.
///
/// # Errors
///
/// The threads or the runtime cannot be started.
pub fn serve_tools(
    tools: Arc<dyn Tools>,
    options: Options,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let (ordered, limit) = (tools.is_sequential(), options.max_request);
    let stop = options.stop.clone();
    let served = Toolkit::new(tools, options);
    let serving = ServeOptions {
        ordered,
        spelled: true,
    };
    run(served, serving, limit, stop, input, output).map(drop)
}

/// The options for passing on requests.
#[derive(Clone, Copy)]
struct ServeOptions {
    /// Whether replies are in the order of their requests.
    ordered: bool,
    /// Whether calls carry the text of their arguments.
    spelled: bool,
}

/// A runtime with one thread for waiting tasks, and one for each call.
pub(super) fn runtime() -> tokio::runtime::Builder {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime
        .enable_time()
        .max_blocking_threads(THREADS)
        .thread_stack_size(STACK);
    runtime
}

/// Serves; returns whether the replies were read to the end.
fn run(
    served: impl Served,
    serving: ServeOptions,
    limit: usize,
    stop: Stop,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<bool> {
    let runtime = runtime().build()?;
    let gate = Arc::new(Gate::default());
    let (outbox, replies_thread) = Outbox::start(Arc::clone(&gate), output)?;
    let (sender, lines) = mpsc::channel(1);
    // While it blocks in a read it cannot be joined, and need not be.
    thread::Builder::new()
        .name("requests".to_owned())
        .spawn(move || {
            lines::read(input, limit, |line| sender.blocking_send(line).is_ok());
        })?;
    let transport = Lines {
        gate: Arc::clone(&gate),
        lines,
        outbox,
        queue: VecDeque::new(),
        ended: false,
        stop,
        limit,
        batches: false,
        serving,
    };
    let ended = runtime.block_on(async {
        serve_directly(Handler(served), transport, None)
            .waiting()
            .await
    });
    runtime.shutdown_timeout(GRACE);
    let read = !gate.is_broken();
    if read {
        let _ = replies_thread.join();
    }
    ended.map(|_| read).map_err(io::Error::other)
}

struct Lines {
    gate: Arc<Gate>,
    lines: mpsc::Receiver<Line<Skim>>,
    outbox: Outbox,
    /// Messages that were read but not yet passed on.
    queue: VecDeque<ClientJsonRpcMessage>,
    ended: bool,
    stop: Stop,
    limit: usize,
    /// Whether the negotiated revision has JSON-RPC batches.
    batches: bool,
    serving: ServeOptions,
}

impl Lines {
    fn take(&mut self, line: Line<Skim>) {
        match line {
            Line::Whole(line) => match message::read(&line, self.serving.spelled) {
                message::Line::One(one) => self.one(one, None, line.len()),
                message::Line::Batch(parts) => self.batch(parts, line.len()),
                message::Line::Refused { faults, batch } => {
                    let batch = (batch && self.batches).then(|| self.outbox.open_batch());
                    for fault in faults {
                        self.outbox.post(&fault, batch);
                    }
                    if let Some(batch) = batch {
                        self.outbox.close_batch(batch);
                    }
                }
            },
            Line::TooLong(Skim { outline, .. }) => {
                if outline.method && outline.ids.is_empty() {
                    return;
                }
                for fault in outline.too_large(self.limit) {
                    self.outbox.post(&fault, None);
                }
            }
        }
    }

    fn batch(&mut self, parts: Vec<Value>, bytes: usize) {
        let refusal = if parts.is_empty() {
            "an empty batch"
        } else if !self.batches {
            "this revision of the protocol has no batches; send one message a line"
        } else {
            ""
        };
        if !refusal.is_empty() {
            self.outbox.post(
                &Fault::new(Value::Null, ErrorCode::INVALID_REQUEST, refusal),
                None,
            );
            return;
        }
        let batch = self.outbox.open_batch();
        let share = bytes / parts.len();
        for part in parts {
            self.one(message::message(part), Some(batch), share);
        }
        self.outbox.close_batch(batch);
    }

    fn one(
        &mut self,
        read: Option<Result<ClientJsonRpcMessage, Fault>>,
        batch: Option<u64>,
        bytes: usize,
    ) {
        match read {
            None => {}
            Some(Err(fault)) => self.outbox.post(&fault, batch),
            Some(Ok(mut message)) => {
                match &mut message {
                    ClientJsonRpcMessage::Request(request) => {
                        if !self.outbox.expect(
                            &request.id,
                            batch,
                            self.serving.ordered && asks(&request.request),
                        ) {
                            let text = format!(
                                "the request with id {} has not been answered yet",
                                request.id
                            );
                            let id = request.id.clone().into_json_value();
                            self.outbox
                                .post(&Fault::new(id, ErrorCode::INVALID_REQUEST, text), batch);
                            return;
                        }
                        request
                            .request
                            .extensions_mut()
                            .insert(self.gate.ticket(bytes));
                    }
                    ClientJsonRpcMessage::Notification(notification) => {
                        if let ClientNotification::CancelledNotification(cancelled) =
                            &notification.notification
                            && let Some(id) = &cancelled.params.request_id
                        {
                            self.outbox.forget(id);
                        }
                    }
                    _ => {}
                }
                self.queue.push_back(message);
            }
        }
    }
}

/// Whether a request needs the endpoint.
fn asks(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::ListToolsRequest(_) | ClientRequest::ReadResourceRequest(_) => true,
        other => calls(other),
    }
}

/// Whether a request calls a tool.
fn calls(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::CallToolRequest(_) => true,
        ClientRequest::CustomRequest(custom) => custom.method == "tools/call",
        _ => false,
    }
}

impl Transport<RoleServer> for Lines {
    type Error = Infallible;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
        match &message {
            ServerJsonRpcMessage::Response(response) => {
                if let ServerResult::InitializeResult(result) = &response.result {
                    self.batches =
                        result.protocol_version.as_str() <= ProtocolVersion::V_2025_03_26.as_str();
                }
                self.outbox.reply(&response.id, &message);
            }
            ServerJsonRpcMessage::Error(error) => match &error.id {
                Some(id) => self.outbox.reply(id, &message),
                None => self.outbox.post(&message, None),
            },
            _ => self.outbox.post(&message, None),
        }
        ready(Ok(()))
    }

    /// Nothing is lost if the future is dropped midway, as `rmcp` does with every reply it sends.
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Some(message) = self.queue.pop_front() {
                return Some(message);
            }
            if self.ended {
                self.gate.idle().await;
                return None;
            }
            let room = tokio::select! {
                room = self.gate.room() => room,
                () = self.stop.asked() => {
                    self.ended = true;
                    continue;
                }
            };
            if !room {
                return None;
            }
            let line = tokio::select! {
                line = self.lines.recv() => line,
                () = self.gate.broken() => return None,
                () = self.stop.asked() => None,
            };
            match line {
                Some(line) => self.take(line),
                None => self.ended = true,
            }
        }
    }

    async fn close(&mut self) -> Result<(), Infallible> {
        self.outbox.release();
        Ok(())
    }
}

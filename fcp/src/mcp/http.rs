//! MCP over streamable HTTP: with sessions for clients of the revisions that have them, and single
//! requests for later ones.
//!
//! `hyper` reads and writes connections, `rmcp` implements the transport. A connection has one
//! request at a time, so its calls take effect in the order in which they were sent. Nothing is
//! sent unasked, so there are no streams to listen on (GET) and none to resume.

use std::{
    convert::Infallible,
    io,
    net::{SocketAddr, TcpListener, ToSocketAddrs},
    sync::Arc,
    time::Duration,
};

use http_body_util::{BodyExt, Full, combinators::BoxBody};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Body as _, Bytes, Incoming},
    header::{ALLOW, CONTENT_TYPE, HeaderValue},
    http::request::Parts,
    server::conn::http1,
    service::service_fn,
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use rmcp::{
    model::{ClientJsonRpcMessage, ErrorCode, GetExtensions},
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde_json::Value;
use tokio::{
    sync::Semaphore,
    time::{sleep, timeout},
};

use super::{
    Options,
    handler::{Context, Handler},
    message::{self, Fault},
    raw_arguments::Spelled,
    stdio::{GRACE, runtime},
    stop::Stop,
    structured::Toolkit,
    unparsed::{self, Outline},
};
use crate::tool::Tools;

/// The path of the endpoint.
pub const PATH: &str = "/mcp";

/// The largest number of simultaneous connections. Others wait.
const CONNECTIONS: usize = 256;
/// The bodies of more than [`SMALL`] bytes that are received at a time. Others wait, so that slow clients hold neither the
/// memory nor the place of the rest.
const LARGE_BODIES: usize = 8;
/// The largest body that never waits, in bytes.
const SMALL: u64 = 1 << 20;
/// The largest number of simultaneous sessions. Others are refused.
const SESSIONS: usize = 256;
/// The largest head of a request, in bytes.
const HEAD: usize = 64 << 10;
/// The time for the head of a request, also on a connection that stays open.
const HEAD_TIME: Duration = Duration::from_secs(60);
/// The time for the body of a request, and to wait for its turn.
const BODY_TIME: Duration = Duration::from_secs(30);
/// The time after which an unused session ends.
const IDLE: Duration = Duration::from_secs(60 * 60);

type Reply = Response<BoxBody<Bytes, Infallible>>;

/// A listener, and the hosts that requests may name.
#[derive(Debug)]
pub struct Http {
    listener: TcpListener,
    address: SocketAddr,
    hosts: Vec<String>,
}

impl Http {
    /// Listens on an address. Requests may name this machine's loopback hosts and the given ones.
    ///
    /// # Errors
    /// The address cannot be used, or other machines can reach it and no hosts are given.
    pub fn listen(address: &str, hosts: Vec<String>) -> io::Result<Self> {
        let addresses: Vec<SocketAddr> = address.to_socket_addrs()?.collect();
        if hosts.is_empty() && !addresses.iter().all(|address| address.ip().is_loopback()) {
            return Err(io::Error::other(
                "other machines reach this address; name the hosts that requests are for with --http-host",
            ));
        }
        let listener = TcpListener::bind(&addresses[..])?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Self {
            listener,
            address,
            hosts,
        })
    }

    /// The address for clients.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }
}

/// Serves structured tools until the server is asked to [stop](Options::stop), and every request
/// has its reply.
///
/// # Errors
/// The runtime cannot be started.
pub fn serve_http(tools: Arc<dyn Tools>, options: Options, http: Http) -> io::Result<()> {
    let runtime = runtime().enable_io().build()?;
    let stop = options.stop.clone();
    let ended = runtime.block_on(async move {
        let listener = tokio::net::TcpListener::from_std(http.listener)?;
        let front = Arc::new(Front::new(tools, options, http.hosts));
        accept(&front, listener, &stop).await;
        // Sessions end with their tasks.
        front.service.config.cancellation_token.cancel();
        Ok(())
    });
    runtime.shutdown_timeout(GRACE);
    ended
}

/// Serves connections until the server is asked to stop and all have their replies.
async fn accept(front: &Arc<Front>, listener: tokio::net::TcpListener, stop: &Stop) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD);
    loop {
        let accepted = async {
            let permit = Arc::clone(&room).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            accepted = accepted => accepted,
            () = stop.asked() => break,
        };
        let Ok((stream, _)) = accepted else {
            // The process has no more descriptors, or the client disconnected.
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        let front = Arc::clone(front);
        let service = service_fn(move |request| {
            let front = Arc::clone(&front);
            async move { Ok::<_, Infallible>(front.answer(request).await) }
        });
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that disconnects is not the server's fault.
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    graceful.shutdown().await;
}

/// The shared state of connections.
struct Front {
    service: StreamableHttpService<Handler<Toolkit>, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    limit: usize,
    large: Semaphore,
}

impl Front {
    fn new(tools: Arc<dyn Tools>, options: Options, hosts: Vec<String>) -> Self {
        let limit = options.max_request;
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.sse_retry = None;
        sessions.session_config.keep_alive = Some(IDLE);
        sessions.session_config.completed_cache_ttl = Duration::ZERO;
        let sessions = Arc::new(sessions);
        let loopback = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
        let hosts: Vec<String> = loopback.into_iter().chain(hosts).collect();
        let origins = hosts.iter().flat_map(|host| {
            let host = host.rsplit_once(':').map_or(host.as_str(), |(name, port)| {
                if port.ends_with(']') { host } else { name }
            });
            [format!("http://{host}:*"), format!("https://{host}:*")]
        });
        let config = StreamableHttpServerConfig::default()
            .with_allowed_origins(origins)
            .with_allowed_hosts(hosts)
            .with_sse_retry(None)
            .with_json_response(true)
            .with_max_request_body_bytes(limit);
        let served = Handler(Toolkit::new(tools, options));
        let service =
            StreamableHttpService::new(move || Ok(served.clone()), Arc::clone(&sessions), config);
        Self {
            service,
            sessions,
            limit,
            large: Semaphore::new(LARGE_BODIES),
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Reply {
        let (mut head, body) = request.into_parts();
        if head.uri.path() != PATH {
            return refusal(StatusCode::NOT_FOUND, format!("MCP is at {PATH}"));
        }
        if head.method == Method::DELETE {
            return self.service.handle(Request::from_parts(head, body)).await;
        }
        if head.method != Method::POST {
            let mut reply = refusal(
                StatusCode::METHOD_NOT_ALLOWED,
                "only POST and DELETE are served",
            );
            let allowed = HeaderValue::from_static("POST, DELETE");
            reply.headers_mut().insert(ALLOW, allowed);
            return reply;
        }
        let is_small = body.size_hint().upper().is_some_and(|most| most <= SMALL);
        let turn = match is_small {
            true => None,
            false => match timeout(BODY_TIME, self.large.acquire()).await {
                Ok(turn) => turn.ok(),
                Err(_) => {
                    let text = format!("{LARGE_BODIES} large requests are arriving; send it again");
                    return refusal(StatusCode::SERVICE_UNAVAILABLE, text);
                }
            },
        };
        let mut body = match timeout(BODY_TIME, whole(body, self.limit)).await {
            Ok(Ok(Whole::Body(body))) => body,
            // The id is unknown if it is behind the limit: the rest is not read.
            Ok(Ok(Whole::TooLarge(outline))) => {
                return wrong(
                    StatusCode::PAYLOAD_TOO_LARGE,
                    outline.too_large(self.limit).first(),
                );
            }
            Ok(Err(problem)) => return refusal(StatusCode::BAD_REQUEST, problem.to_string()),
            Err(_) => {
                let text = "the request took too long to arrive";
                return refusal(StatusCode::REQUEST_TIMEOUT, text);
            }
        };
        drop(turn);
        match message::read(&body, true) {
            message::Line::Batch(_) => {
                let text = "batches are not served over HTTP; send one message a request";
                let fault = Fault::new(Value::Null, ErrorCode::INVALID_REQUEST, text);
                return wrong(StatusCode::BAD_REQUEST, Some(&fault));
            }
            message::Line::One(Some(Err(fault))) => {
                return wrong(StatusCode::BAD_REQUEST, Some(&fault));
            }
            message::Line::Refused { faults, .. } => {
                return wrong(StatusCode::BAD_REQUEST, faults.first());
            }
            message::Line::One(Some(Ok(ClientJsonRpcMessage::Request(mut request)))) => {
                let spelled = request.request.extensions_mut().remove::<Spelled>();
                if request.request.method() == "initialize"
                    && self.sessions.sessions.read().await.len() >= SESSIONS
                {
                    let text = format!("there are {SESSIONS} sessions; end one");
                    return refusal(StatusCode::SERVICE_UNAVAILABLE, text);
                }
                if let Some(spelled) = spelled {
                    head.extensions.insert(spelled);
                    // `rmcp` reads the body once more, and would refuse arguments that only their tool may refuse.
                    if let Ok(brief) = serde_json::to_vec(&ClientJsonRpcMessage::Request(request)) {
                        body = brief.into();
                    }
                }
            }
            message::Line::One(_) => {}
        }
        let request = Request::from_parts(head, Full::new(body));
        self.service.handle(request).await
    }
}

/// The text of a call's arguments, as in its request.
pub(super) fn spelled(context: &Context) -> Option<&Spelled> {
    context.extensions.get::<Parts>()?.extensions.get()
}

fn refusal(status: StatusCode, text: impl Into<String>) -> Reply {
    respond(status, "text/plain; charset=utf-8", text.into())
}

/// An error of the protocol. There is one reply to a request, so an error of several is that of the first.
fn wrong(status: StatusCode, fault: Option<&Fault>) -> Reply {
    let text = serde_json::to_string(&fault).unwrap_or_default();
    respond(status, "application/json", text)
}

/// The body of a request.
enum Whole {
    Body(Bytes),
    /// It is larger than the limit; an outline of what was read.
    TooLarge(Outline),
}

/// Reads a body up to a limit in bytes.
async fn whole(mut body: Incoming, limit: usize) -> hyper::Result<Whole> {
    let (mut parts, mut size) = (Vec::new(), 0);
    while let Some(frame) = body.frame().await {
        let Ok(part) = frame?.into_data() else {
            continue;
        };
        size += part.len();
        parts.push(part);
        if size > limit {
            return Ok(Whole::TooLarge(unparsed::outline(&parts.concat())));
        }
    }
    Ok(Whole::Body(match parts.len() {
        1 => parts.swap_remove(0),
        _ => parts.concat().into(),
    }))
}

fn respond(status: StatusCode, kind: &'static str, text: String) -> Reply {
    let mut reply = Response::new(Full::from(text).boxed());
    *reply.status_mut() = status;
    let kind = HeaderValue::from_static(kind);
    reply.headers_mut().insert(CONTENT_TYPE, kind);
    reply
}

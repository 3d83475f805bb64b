//! The Model Context Protocol over standard input and output, or over HTTP (`http.rs`): documents
//! with four tools and three resources, or the tools of a toolset.
//!
//! This is the only module that knows `rmcp` and `tokio`. A transport needs a handler
//! (`handler.rs`) of a server (`documents.rs`, `structured.rs`), which any number of connections
//! may share, and, if its requests arrive in a known order, an order gate (`order.rs`).

mod action;
mod arrival_order;
mod content;
mod decode;
mod documents;
mod handler;
#[cfg(feature = "http")]
mod http;
mod message;
mod outbox;
mod raw_arguments;
mod stdio;
mod stop;
mod structured;
mod tools;
mod unparsed;
mod worker;

use std::io;

#[cfg(feature = "http")]
pub use http::{Http, serve_http};
pub use stdio::{serve, serve_tools};
pub use stop::Stop;
pub use unparsed::Skim;

use crate::endpoint::Endpoint;

/// The tool names in `tools/list`. Calls by either set of names are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolNames {
    /// `midi`, `midi_query`, `midi_session`, `midi_help`.
    #[default]
    Domain,
    /// `fcp_edit`, `fcp_query`, `fcp_session`, `fcp_help`.
    Fcp,
}

/// The options of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The version of the program.
    pub version: String,
    /// The listed names.
    pub tool_names: ToolNames,
    /// The longest request, in bytes.
    pub max_request: usize,
    /// Stops the server before its input ends.
    pub stop: Stop,
}

impl Options {
    /// The defaults: 64 MiB, and the domain's own names.
    pub fn new(version: impl Into<String>) -> Self {
        Self {
            version: version.into(),
            tool_names: ToolNames::default(),
            max_request: 64 << 20,
            stop: Stop::default(),
        }
    }
}

/// Serves on this process's standard input and output, until the input ends.
///
/// # Errors
///
/// The threads or the runtime cannot be started.
pub fn serve_stdio(endpoint: Box<dyn Endpoint>, options: Options) -> io::Result<()> {
    options.stop.ask_when_unread();
    serve(endpoint, options, io::stdin(), io::stdout())
}

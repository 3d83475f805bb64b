//! The connection to a deliberately broken server: its messages can be changed in both directions.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use fcp::endpoint::Config;
use fcp::mcp::{Options, ToolNames};
use fcp::session::Session;
use fcp::testing::contract::{Peer, Target, inside, inside_tools};
use fcp::testing::toolbox;
use serde_json::{Value, json};

use crate::board::Board;
use crate::shelf::Shelf;

/// A way to break a server.
pub struct Fault {
    /// The row that it breaks.
    pub row: &'static str,
    /// The description of the fault.
    pub how: &'static str,
    /// Returns the answer to a request, or `None` to pass it on.
    pub tamper: fn(&mut Line, &Value) -> Option<Value>,
}

/// A server of boards, sound or broken.
pub struct Server(pub Option<&'static Fault>);

impl Target for Server {
    fn start(&self, folder: &Path, arguments: &[&str]) -> Result<Box<dyn Peer>, String> {
        let session = Session::<Board>::new(&Config::at(folder)).map_err(|error| error.message)?;
        let mut options = Options::new("0");
        if arguments == ["--tool-names", "fcp"] {
            options.tool_names = ToolNames::Fcp;
        }
        let inner = inside(Box::new(session), options).map_err(|error| error.to_string())?;
        Ok(Box::new(Line {
            inner,
            fault: self.0,
            kept: HashMap::new(),
            next: 1_000_000,
        }))
    }

    fn print(&self, folder: &Path, arguments: &[&str]) -> Option<Result<String, String>> {
        let mut peer = self.start(folder, &[]).ok()?;
        let ask = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let about = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        peer.request(&ask("initialize", about)).ok()?;
        peer.notify(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
            .ok()?;
        let printed = match arguments {
            ["codebook"] if self.0.is_some_and(|fault| fault.row == "D12") => {
                json!({ "schema_map": {} }).to_string()
            }
            ["codebook"] => {
                let read = peer
                    .request(&ask(
                        "resources/read",
                        json!({ "uri": "fcp://board/codebook" }),
                    ))
                    .ok()?;
                read["result"]["contents"][0]["text"].as_str()?.to_owned()
            }
            _ => text(
                &peer
                    .request(&ask(
                        "tools/call",
                        json!({ "name": "board_help", "arguments": { "topic": "all" } }),
                    ))
                    .ok()?,
            )
            .to_owned(),
        };
        Some(Ok(printed))
    }

    fn name(&self) -> String {
        self.0.map_or("sound", |fault| fault.how).to_owned()
    }
}

/// A server of structured tools, sound or broken.
pub struct Shelves(pub Option<&'static Fault>);

impl Target for Shelves {
    fn start(&self, folder: &Path, _: &[&str]) -> Result<Box<dyn Peer>, String> {
        let tools = Arc::new(toolbox::<Shelf>(folder));
        let inner = inside_tools(tools, Options::new("0")).map_err(|error| error.to_string())?;
        Ok(Box::new(Line {
            inner,
            fault: self.0,
            kept: HashMap::new(),
            next: 1_000_000,
        }))
    }

    fn print(&self, _: &Path, _: &[&str]) -> Option<Result<String, String>> {
        None
    }

    fn name(&self) -> String {
        self.0.map_or("sound", |fault| fault.how).to_owned()
    }
}

/// One connection, and the data kept about it.
pub struct Line {
    inner: Box<dyn Peer>,
    fault: Option<&'static Fault>,
    /// Values that a fault remembers.
    pub kept: HashMap<&'static str, String>,
    next: u64,
}

impl Peer for Line {
    fn request(&mut self, message: &Value) -> Result<Value, String> {
        let fault = self.fault;
        match fault.and_then(|fault| (fault.tamper)(self, message)) {
            Some(mut answer) => {
                answer["id"] = message["id"].clone();
                Ok(answer)
            }
            None => self.inner.request(message),
        }
    }

    fn notify(&mut self, message: &Value) -> Result<(), String> {
        self.inner.notify(message)
    }
}

impl Line {
    /// The answer of the sound server.
    pub fn pass(&mut self, message: &Value) -> Value {
        self.inner.request(message).unwrap()
    }

    /// The sound server's answer to a call made by the fault.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.next += 1;
        self.pass(&json!({
            "jsonrpc": "2.0", "id": self.next, "method": "tools/call",
            "params": { "name": tool, "arguments": arguments },
        }))
    }

    /// The answer to a message with another argument.
    pub fn with(&mut self, message: &Value, key: &str, value: Value) -> Value {
        let mut other = message.clone();
        other["params"]["arguments"][key] = value;
        self.pass(&other)
    }
}

/// The tool that a message calls.
pub fn tool(message: &Value) -> &str {
    message["params"]["name"].as_str().unwrap_or_default()
}

/// The argument of a call: a query, an action.
pub fn argument<'a>(message: &'a Value, key: &str) -> &'a str {
    message["params"]["arguments"][key]
        .as_str()
        .unwrap_or_default()
}

/// The ops of a call.
pub fn ops(message: &Value) -> Vec<String> {
    let ops = message["params"]["arguments"]["ops"].as_array();
    let texts = ops.into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

/// The text of a result.
pub fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_default()
}

/// Whether a result is an error.
pub fn failed(answer: &Value) -> bool {
    answer["result"]["isError"] == true
}

/// A result with another text. A protocol error is left unchanged.
pub fn with_text(mut answer: Value, text: impl Into<String>) -> Value {
    if let Some(place) = answer.pointer_mut("/result/content/0/text") {
        *place = json!(text.into());
    }
    answer
}

/// A result with this error flag.
pub fn erring(mut answer: Value, error: bool) -> Value {
    if let Some(result) = answer.get_mut("result") {
        result["isError"] = json!(error);
    }
    answer
}

/// A result that is refused.
pub fn refusing(answer: Value) -> Value {
    erring(with_text(answer, "! no"), true)
}

//! A recorded conversation with a server.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};

use super::pipe::Peer;
use super::verdict::{Stop, fail};

/// A sent message and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// A tool and its argument, or a method and its parameters.
    pub sent: String,
    /// The text of the result, or the result as JSON.
    pub got: String,
}

/// All exchanges while a row was proved.
pub(super) type Record = Rc<RefCell<Vec<Exchange>>>;

/// The requested revision of the protocol. The server may offer another one.
const REVISION: &str = "2025-11-25";

/// A connection after its handshake.
pub(super) struct Talk {
    peer: Box<dyn Peer>,
    record: Record,
    domain: String,
    next: u64,
}

impl Talk {
    pub fn begin(mut peer: Box<dyn Peer>, domain: &str, record: Record) -> Result<Self, Stop> {
        let about = json!({
            "protocolVersion": REVISION,
            "capabilities": {},
            "clientInfo": { "name": "fcp-conformance", "version": env!("CARGO_PKG_VERSION") },
        });
        let hello = peer.request(&json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": about,
        }));
        let hello = hello.map_err(|problem| fail(format!("initialize: {problem}")))?;
        if hello.get("result").is_none() {
            return Err(fail(format!("initialize is refused: {hello}")));
        }
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        peer.notify(&ready).map_err(fail)?;
        Ok(Self {
            peer,
            record,
            domain: domain.to_owned(),
            next: 0,
        })
    }

    /// Sends a request. Returns its result, or the message of its error.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Result<Value, String>, Stop> {
        let sent = format!("{method} {params}");
        let answer = self.send(method, params);
        let got = match &answer {
            Ok(Ok(result)) => result.to_string(),
            Ok(Err(message)) => message.clone(),
            Err(stop) => stop.why().unwrap_or_default().to_owned(),
        };
        self.note(sent, got);
        answer
    }

    /// Calls a tool by its name.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Result<Reply, Stop> {
        let sent = format!("{tool} {arguments}");
        let answer = self.send(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        );
        let reply = match answer {
            Ok(Ok(result)) => Reply::of(&sent, &result),
            Ok(Err(message)) => Reply {
                sent: sent.clone(),
                text: message,
                error: true,
                protocol: true,
                kinds: Vec::new(),
                structured: false,
            },
            Err(stop) => {
                self.note(sent, stop.why().unwrap_or_default().to_owned());
                return Err(stop);
            }
        };
        self.note(sent, reply.text.clone());
        Ok(reply)
    }

    fn send(&mut self, method: &str, params: Value) -> Result<Result<Value, String>, Stop> {
        self.next += 1;
        let message =
            json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params });
        let mut answer = self.peer.request(&message).map_err(fail)?;
        Ok(match answer.get_mut("result") {
            Some(result) => Ok(result.take()),
            None => Err(answer["error"]["message"]
                .as_str()
                .unwrap_or("no message")
                .to_owned()),
        })
    }

    /// Sends ops in one call.
    pub fn ops<T: AsRef<str>>(&mut self, ops: &[T]) -> Result<Reply, Stop> {
        let ops: Vec<&str> = ops.iter().map(AsRef::as_ref).collect();
        let tool = self.domain.clone();
        self.call(&tool, json!({ "ops": ops }))
    }

    /// Sends one op in its own call.
    pub fn op(&mut self, op: &str) -> Result<Reply, Stop> {
        self.ops(&[op])
    }

    /// Sends ops that must all succeed.
    pub fn does<T: AsRef<str>>(&mut self, ops: &[T]) -> Result<Reply, Stop> {
        self.ops(ops)?.good()
    }

    /// Sends a query.
    pub fn query(&mut self, query: &str) -> Result<Reply, Stop> {
        let tool = format!("{}_query", self.domain);
        self.call(&tool, json!({ "q": query }))
    }

    /// Sends a query that must succeed.
    pub fn query_ok(&mut self, query: &str) -> Result<Reply, Stop> {
        self.query(query)?.good()
    }

    /// Sends a session action.
    pub fn act(&mut self, action: &str) -> Result<Reply, Stop> {
        let tool = format!("{}_session", self.domain);
        self.call(&tool, json!({ "action": action }))
    }

    /// Sends a session action that must succeed.
    pub fn acts(&mut self, action: &str) -> Result<Reply, Stop> {
        self.act(action)?.good()
    }

    /// The reference card, or a topic of it.
    pub fn help(&mut self, topic: Option<&str>) -> Result<Reply, Stop> {
        let tool = format!("{}_help", self.domain);
        self.call(
            &tool,
            topic.map_or(json!({}), |topic| json!({ "topic": topic })),
        )
    }

    /// A textual snapshot of the document: equal before and after calls that change nothing.
    pub fn content(&mut self) -> Result<String, Stop> {
        let mut content = String::new();
        for query in ["map", "stats", "list"] {
            let reply = self.query(query)?;
            // `list` is optional.
            if !reply.error {
                content.push_str(&reply.text);
                content.push('\n');
            }
        }
        Ok(content)
    }

    /// The rows that a query lists, one line each.
    pub fn rows(&mut self, query: &str) -> Result<Vec<String>, Stop> {
        let none = self.query("list @all @not:all")?.text;
        let listed = self.query_ok(query)?.text;
        let rows = listed
            .lines()
            .filter(|line| !line.starts_with([' ', '…']) && *line != none);
        Ok(rows.map(str::to_owned).collect())
    }

    /// The lines of the log.
    pub fn history(&mut self) -> Result<Vec<String>, Stop> {
        let reply = self.query("history 100")?;
        if reply.error {
            return Ok(Vec::new());
        }
        let lines = reply.text.lines();
        let lines =
            lines.filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
        Ok(lines.map(|line| line.trim().to_owned()).collect())
    }

    fn note(&self, sent: String, got: String) {
        self.record.borrow_mut().push(Exchange { sent, got });
    }
}

/// The answer of a tool.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub sent: String,
    pub text: String,
    /// Whether it has `isError` or is a protocol error.
    pub error: bool,
    /// Whether it is a protocol error.
    pub protocol: bool,
    /// The type of each content block.
    pub kinds: Vec<String>,
    /// Whether there is structured content.
    pub structured: bool,
}

/// The characters that may begin a line of a reply.
pub(super) const SIGNS: [char; 8] = ['+', '~', '*', '-', '@', '=', '!', '?'];

impl Reply {
    fn of(sent: &str, result: &Value) -> Self {
        let blocks = result["content"].as_array().cloned().unwrap_or_default();
        let texts = blocks.iter().filter_map(|block| block["text"].as_str());
        Self {
            sent: sent.to_owned(),
            text: texts.collect::<Vec<_>>().join("\n"),
            error: result["isError"] == true,
            protocol: false,
            kinds: blocks
                .iter()
                .map(|block| block["type"].as_str().unwrap_or_default().to_owned())
                .collect(),
            structured: result.get("structuredContent").is_some(),
        }
    }

    /// The reply itself, unless it is an error.
    pub fn good(self) -> Result<Self, Stop> {
        if self.error {
            return Err(fail(format!("{} is refused: {}", self.sent, self.text)));
        }
        Ok(self)
    }

    /// The reply itself, if it is an error with an error line.
    pub fn bad(self) -> Result<Self, Stop> {
        if self.protocol || !self.error {
            return Err(fail(format!(
                "{} is not an error: {}",
                self.sent, self.text
            )));
        }
        if !self.lines('!').is_empty() {
            return Ok(self);
        }
        Err(fail(format!("{} has no ! line: {}", self.sent, self.text)))
    }

    /// The lines that begin with a sign and a space.
    pub fn lines(&self, sign: char) -> Vec<&str> {
        self.text
            .lines()
            .filter(|line| sign_of(line) == Some(sign))
            .collect()
    }

    /// The signs of the lines, in order; continuations and the digest have none.
    pub fn signs(&self) -> String {
        self.text.lines().filter_map(sign_of).collect()
    }

    /// The last line, unless it is a result, an error, a warning or a continuation.
    pub fn digest(&self) -> Option<&str> {
        let last = self.text.lines().next_back()?;
        let other = sign_of(last).is_some() || last.starts_with(' ') || last.is_empty();
        (!other).then_some(last)
    }

    /// The digest, which is required.
    pub fn digested(&self) -> Result<String, Stop> {
        self.digest().map(str::to_owned).ok_or_else(|| {
            fail(format!(
                "{} is answered without a digest: {}",
                self.sent, self.text
            ))
        })
    }

    /// The text after the first `try:`.
    pub fn repair(&self) -> Option<&str> {
        self.behind("try:")
    }

    /// The text after the first `syntax:`.
    pub fn syntax(&self) -> Option<&str> {
        self.behind("syntax:")
    }

    fn behind(&self, word: &str) -> Option<&str> {
        let mut lines = self.text.lines();
        lines.find_map(|line| line.trim_start().strip_prefix(word).map(str::trim))
    }

    /// Returns whether it contains a text.
    pub fn has(&self, text: &str) -> bool {
        self.text.contains(text)
    }
}

/// The sign that a line begins with.
pub(super) fn sign_of(line: &str) -> Option<char> {
    let mut chars = line.chars();
    let sign = chars.next().filter(|first| SIGNS.contains(first))?;
    (chars.next() == Some(' ')).then_some(sign)
}

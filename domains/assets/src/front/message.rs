//! Parses a line into a message.

use std::borrow::Cow;
use std::fmt;

use fcp::lines::Skim as _;
use fcp::tool::Tools;
use serde::Deserialize;

use super::reply::{self, Fault, NO_TOOL, NOT_JSON};
use crate::json::{DEPTH, Json, Outline, outline, read};

/// Levels of objects to take apart: a request and its parameters.
const LEVELS: usize = 2;

/// The id of a request of the protocol.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Hash)]
#[serde(untagged)]
pub(super) enum Id {
    Number(i64),
    Text(String),
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => Json::String(text.into()).fmt(f),
        }
    }
}

/// Meaning of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// It cannot be handled, and this is the reply.
    Answer(String),
    /// A call of a tool, in the plain dialect.
    Call {
        /// The id as written.
        id: String,
        tool: &'static str,
        arguments: String,
    },
    /// A request for the protocol's server.
    Request {
        id: Id,
        /// Whether its answer may take long, so that it must not block others.
        listens: bool,
        line: String,
    },
    /// A notification or a response for the protocol's server.
    Notice(String),
    /// The cancellation of a request.
    Cancel { id: Id, line: String },
}

/// Parses a line without acting on it.
pub(super) fn message(line: Vec<u8>, tools: &dyn Tools) -> Message {
    // The protocol wants an answer under the id of each request, the plain dialect null.
    let not_json = |line: &[u8]| {
        let mut skim = fcp::mcp::Skim::default();
        skim.feed(line);
        Message::Answer(skim.unreadable().unwrap_or_else(|| NOT_JSON.to_owned()))
    };
    let line = match String::from_utf8(line) {
        Ok(line) => line,
        Err(wrong) => return not_json(wrong.as_bytes()),
    };
    let Ok(parts) = outline(&line, LEVELS) else {
        return not_json(line.as_bytes());
    };
    let refuse = |id: &str, why: &str| Message::Answer(reply::error(id, Fault::Request, why));
    match parts.first() {
        b'{' => {}
        b'[' => return refuse("null", "batch not supported"),
        _ => return refuse("null", "a request is a JSON object"),
    }
    let id = parts.get("id");
    let shown = id.map(|id| id.text).filter(|id| is_id(id));
    let echo = shown.unwrap_or("null");
    if parts.get("jsonrpc").and_then(text).as_deref() != Some("2.0") {
        return refuse(echo, "\"jsonrpc\" must be \"2.0\"");
    }
    let Some(method) = parts.get("method") else {
        let replies = parts.get("result").or(parts.get("error")).is_some();
        if replies && parts.depth < DEPTH {
            return Message::Notice(line);
        }
        return refuse(echo, "a request has a \"method\"");
    };
    let Some(method) = text(method) else {
        return refuse(echo, "\"method\" must be a string");
    };
    let protocol = method.contains('/') || matches!(method.as_ref(), "initialize" | "ping");
    // The protocol's server reads one level less than `DEPTH`.
    if protocol && parts.depth >= DEPTH {
        return not_json(line.as_bytes());
    }
    if method.starts_with("notifications/") {
        return notice(&method, &parts);
    }
    let Some(shown) = shown else {
        return refuse(
            "null",
            match id {
                Some(_) => "\"id\" must be a string or a number",
                None => "a request has an \"id\"",
            },
        );
    };
    if protocol {
        return match protocol_id(shown) {
            None => refuse(echo, "\"id\" must be a string or an integer of 64 bits"),
            Some(id) => Message::Request {
                id,
                listens: method == "subscriptions/listen",
                line,
            },
        };
    }
    let Some(arguments) = Arguments::of(parts.get("params")) else {
        let why = "\"params\" must be an object";
        return Message::Answer(reply::error(shown, Fault::Params, why));
    };
    match tools.find(&method) {
        None => Message::Answer(reply::result(shown, NO_TOOL)),
        Some(tool) => Message::Call {
            id: shown.to_owned(),
            tool: tool.name,
            arguments: arguments.fit(|key| tool.input.get("properties")?.get(key)),
        },
    }
}

/// A notification, passed on without its id if it has one.
fn notice(method: &str, parts: &Outline<'_>) -> Message {
    let params = parts.get("params");
    let method_text = Json::String(method.into());
    let line = match params {
        None => format!(r#"{{"jsonrpc":"2.0","method":{method_text}}}"#),
        Some(params) => format!(
            r#"{{"jsonrpc":"2.0","method":{method_text},"params":{}}}"#,
            params.text
        ),
    };
    let meant = || params?.get("requestId").map(|id| protocol_id(id.text));
    match meant() {
        Some(Some(id)) if method == "notifications/cancelled" => Message::Cancel { id, line },
        _ => Message::Notice(line),
    }
}

/// The value as a string.
fn text<'s>(value: &Outline<'s>) -> Option<Cow<'s, str>> {
    match read(value.text) {
        Ok(Json::String(text)) => Some(text),
        _ => None,
    }
}

/// Whether a value is a string or a number.
fn is_id(value: &str) -> bool {
    matches!(value.bytes().next(), Some(b'"' | b'-' | b'0'..=b'9'))
}

/// An id that the protocol allows. `-0` is not allowed: it would be echoed differently.
fn protocol_id(id: &str) -> Option<Id> {
    match read(id) {
        Ok(Json::String(text)) => Some(Id::Text(text.into_owned())),
        Ok(Json::Number(number)) if number != "-0" => number.parse().ok().map(Id::Number),
        _ => None,
    }
}

/// The parameters of a call in the plain dialect.
enum Arguments<'p, 's> {
    None,
    Some(&'p Outline<'s>),
}

impl<'p, 's> Arguments<'p, 's> {
    /// The parameters, or `None` if they are invalid.
    fn of(params: Option<&'p Outline<'s>>) -> Option<Self> {
        let Some(params) = params else {
            return Some(Self::None);
        };
        match (params.first(), params.text) {
            (b'{', _) => Some(Self::Some(params)),
            (b'n', _) => Some(Self::None),
            (b'[', list) if list.get(1..)?.trim_start().starts_with(']') => Some(Self::None),
            _ => None,
        }
    }

    /// Arguments for the tool: without unknown members, and with `detail` false unless it is given.
    fn fit<'v, V: 'v>(&self, property: impl Fn(&str) -> Option<&'v V>) -> String {
        let (given, whole) = match self {
            Self::None => (&[][..], "{}"),
            Self::Some(params) => (params.members.as_slice(), params.text),
        };
        let terse = property("detail").is_some() && given.iter().all(|(key, _)| key != "detail");
        if !terse && given.iter().all(|(key, _)| property(key).is_some()) {
            return whole.to_owned();
        }
        let mut text = String::with_capacity(whole.len() + 16);
        text.push('{');
        if terse {
            text.push_str("\"detail\":false,");
        }
        for (key, value) in given.iter().filter(|(key, _)| property(key).is_some()) {
            text.push_str(&Json::String(key.as_ref().into()).to_string());
            text.push(':');
            text.push_str(value.text);
            text.push(',');
        }
        if text.ends_with(',') {
            text.pop();
        }
        text.push('}');
        text
    }
}

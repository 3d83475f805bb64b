//! Parses a line into a message for `rmcp`, or into the error that answers it.
//!
//! `rmcp` ignores text that is not JSON and answers a malformed request without its id. Here every
//! line that could be a request gets its reply, with its id if that is readable.

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientJsonRpcMessage, ClientRequest, ErrorCode,
    GetExtensions, NumberOrString, RequestMetaObject,
};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::{raw_arguments, unparsed};

/// A request that cannot be served. It is serialized as the JSON-RPC error.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The id of the request as JSON text, or `null`: a number keeps its spelling, however large it is.
    pub(super) id: String,
    /// The code, from JSON-RPC.
    pub(super) code: ErrorCode,
    /// The error.
    pub(super) message: String,
}

impl Fault {
    pub(super) fn new(id: impl ToString, code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            id: id.to_string(),
            code,
            message: message.into(),
        }
    }
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let id: &RawValue = serde_json::from_str(&self.id).unwrap_or(RawValue::NULL);
        let error = json!({ "code": self.code.0, "message": self.message });
        let mut reply = to.serialize_map(Some(3))?;
        reply.serialize_entry("jsonrpc", "2.0")?;
        reply.serialize_entry("id", id)?;
        reply.serialize_entry("error", &error)?;
        reply.end()
    }
}

/// The content of a line.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one at a time, and it is taken apart at once"
)]
#[derive(Debug)]
pub(super) enum Line {
    /// One message, or its error. `None` needs no answer.
    One(Option<Result<ClientJsonRpcMessage, Fault>>),
    /// A JSON-RPC batch.
    Batch(Vec<Value>),
    /// Errors for all requests of a line that is not served.
    Refused {
        /// One for each request that has an id, or one without.
        faults: Vec<Fault>,
        /// Whether they are from a batch.
        batch: bool,
    },
}

/// The most values in the lists and objects of a request: each takes some hundred bytes of memory.
const VALUES: usize = 1_000_000;

/// RFC 8259 allows a reader to ignore a byte order mark.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Reads a line. If it calls a tool and the text of arguments is wanted, they are not parsed, but
/// attached as text.
pub(super) fn read(line: &[u8], spelled: bool) -> Line {
    let line = line.strip_prefix(BOM).unwrap_or(line);
    let refused = |code, message: &str| {
        let batch = line.trim_ascii_start().starts_with(b"[");
        let done = if batch {
            "; nothing of the batch was done"
        } else {
            ""
        };
        let faults = unparsed::outline(line).faults(code, &format!("{message}{done}"));
        Line::Refused { faults, batch }
    };
    if unparsed::values(line) > VALUES {
        let message = format!("the request has more than {VALUES} values");
        return refused(ErrorCode::INVALID_REQUEST, &message);
    }
    let text = str::from_utf8(line).ok().filter(|_| spelled);
    if let Some((value, spelled)) = text.and_then(raw_arguments::call) {
        let mut one = message_of(line, value);
        if let Some(Ok(ClientJsonRpcMessage::Request(request))) = &mut one {
            request.request.extensions_mut().insert(spelled);
        }
        return Line::One(one);
    }
    let value = match std::str::from_utf8(line) {
        Ok(text) => serde_json::from_str(text).map_err(|problem| format!("not JSON: {problem}")),
        Err(problem) => Err(format!("not UTF-8 at byte {}", problem.valid_up_to())),
    };
    match value {
        Ok(Value::Array(batch)) => Line::Batch(batch),
        Ok(value) => Line::One(message_of(line, value)),
        Err(message) => refused(ErrorCode::PARSE_ERROR, &message),
    }
}

/// Reads the message of a line.
fn message_of(line: &[u8], value: Value) -> Option<Result<ClientJsonRpcMessage, Fault>> {
    // A parsed number of this kind is only near to that of the line.
    let is_rounded = value.get("id").is_some_and(Value::is_f64);
    let mut message = message(value);
    if let Some(Err(fault)) = &mut message
        && is_rounded
        && let Some(id) = unparsed::outline(line).ids.pop()
    {
        fault.id = id;
    }
    message
}

/// Reads one message. `None` is a reply, or a notification without meaning here.
pub(super) fn message(value: Value) -> Option<Result<ClientJsonRpcMessage, Fault>> {
    let invalid =
        |id: &Value, message: &str| Some(Err(Fault::new(id, ErrorCode::INVALID_REQUEST, message)));
    let Value::Object(mut fields) = value else {
        return invalid(&Value::Null, "a message is a JSON object");
    };
    let asks = fields.contains_key("method");
    if !asks && (fields.contains_key("result") || fields.contains_key("error")) {
        return serde_json::from_value(Value::Object(fields)).ok().map(Ok);
    }
    let id = match fields.get("id") {
        None => None,
        Some(id) => match NumberOrString::deserialize(id) {
            Ok(read) => Some((read, id.clone())),
            Err(_) => {
                // A number that cannot be an id here is still the number that the client waits for.
                let shown = if id.is_number() { id } else { &Value::Null };
                return invalid(shown, "\"id\" must be a string or an integer below 2^63");
            }
        },
    };
    let shown = id.as_ref().map_or(Value::Null, |(_, id)| id.clone());
    if fields.get("jsonrpc") != Some(&json!("2.0")) {
        return invalid(&shown, "\"jsonrpc\" must be \"2.0\"");
    }
    let Some(Value::String(method)) = fields.get("method") else {
        return invalid(&shown, "\"method\" must be a string");
    };
    let calls = method == "tools/call";
    if fields.get("params") == Some(&Value::Null) {
        fields.remove("params");
    }
    let Some((id, _)) = id else {
        // A notification gets no answer, so its errors are dropped.
        return serde_json::from_value(Value::Object(fields)).ok().map(Ok);
    };
    match fields.get_mut("params") {
        None => {}
        Some(Value::Object(params)) if calls => {
            if let Some(request) = call(params) {
                return Some(Ok(ClientJsonRpcMessage::request(request, id)));
            }
        }
        Some(Value::Object(_)) => {}
        Some(_) => {
            return Some(Err(Fault::new(
                shown,
                ErrorCode::INVALID_PARAMS,
                "\"params\" must be an object",
            )));
        }
    }
    match serde_json::from_value(Value::Object(fields)) {
        Ok(message) => Some(Ok(message)),
        Err(problem) => invalid(&shown, &format!("not a request: {problem}")),
    }
}

/// A tool call, moved out of its parameters if they are valid. Large calls are not copied.
fn call(params: &mut Map<String, Value>) -> Option<ClientRequest> {
    let named = params.get("name").is_some_and(Value::is_string);
    let listed = params
        .get("arguments")
        .is_none_or(|arguments| arguments.is_object() || arguments.is_null());
    let meta = params
        .get("_meta")
        .map(RequestMetaObject::deserialize)
        .transpose();
    let (true, true, Ok(meta)) = (named, listed, meta) else {
        return None;
    };
    params.remove("_meta");
    let name = params.remove("name")?.as_str()?.to_owned();
    let mut call = CallToolRequestParams::new(name);
    if let Some(Value::Object(arguments)) = params.remove("arguments") {
        call.arguments = Some(arguments);
    }
    let mut request = CallToolRequest::new(call);
    if let Some(meta) = meta {
        request.extensions.insert(meta);
    }
    Some(ClientRequest::CallToolRequest(request))
}

#[cfg(test)]
mod tests {
    use super::super::raw_arguments::Spelled;
    use super::*;

    /// The error of a line, which is the same whether or not the text of arguments is wanted.
    fn fault(line: &[u8]) -> (Value, i32, String) {
        let [one, other] = [false, true].map(|spelled| fault_of(line, spelled));
        assert_eq!(one, other, "{:.200}", String::from_utf8_lossy(line));
        one
    }

    fn fault_of(line: &[u8], spelled: bool) -> (Value, i32, String) {
        let fault = match read(line, spelled) {
            Line::One(Some(Err(fault))) => fault,
            Line::Refused { mut faults, batch } if !batch && faults.len() == 1 => faults.remove(0),
            other => panic!("{other:?}"),
        };
        let id = serde_json::from_str(&fault.id).unwrap();
        (id, fault.code.0, fault.message)
    }

    fn served(line: &str) -> ClientJsonRpcMessage {
        match read(line.as_bytes(), true) {
            Line::One(Some(Ok(message))) => message,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn errors_of_a_line_are_reported_with_its_id() {
        for (line, id, code, message) in [
            (
                "{\"jsonrpc\":\"2.0\",\"id\":1,",
                json!(1),
                -32700,
                "not JSON: EOF",
            ),
            (
                r#"{"jsonrpc":"2.0","id":"s","method":"ping","params":{"a":"\ud83d"}}"#,
                json!("s"),
                -32700,
                "not JSON: unexpected end of hex escape",
            ),
            (
                r#"{"jsonrpc":"2.0","id":2,"method":"ping","params":{"a":1e999}}"#,
                json!(2),
                -32700,
                "not JSON: number out of range",
            ),
            (
                &format!(
                    r#"{{"jsonrpc":"2.0","method":"ping","params":{}{},"id":3}}"#,
                    "[".repeat(200),
                    "]".repeat(200)
                ),
                json!(3),
                -32700,
                "not JSON: recursion limit exceeded",
            ),
            ("hello", json!(null), -32700, "not JSON: expected value"),
            ("7", json!(null), -32600, "a message is a JSON object"),
            ("{}", json!(null), -32600, "\"jsonrpc\" must be"),
            (
                r#"{"id":4,"method":"ping"}"#,
                json!(4),
                -32600,
                "\"jsonrpc\" must be",
            ),
            (
                r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#,
                json!("a"),
                -32600,
                "\"jsonrpc\" must be",
            ),
            (
                r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
                json!(null),
                -32600,
                "\"id\" must be",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
                json!(1.5),
                -32600,
                "\"id\" must be",
            ),
            (
                r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}"#,
                json!(u64::MAX),
                -32600,
                "\"id\" must be",
            ),
            (
                r#"{"jsonrpc":"2.0","i\u0064":7,"method":"ping","params":{"a":1e999}}"#,
                json!(7),
                -32700,
                "not JSON: number out of range",
            ),
            (
                r#"{"jsonrpc":"2.0","id":5,"method":6}"#,
                json!(5),
                -32600,
                "\"method\" must be a string",
            ),
            (
                r#"{"jsonrpc":"2.0","id":5}"#,
                json!(5),
                -32600,
                "\"method\" must be a string",
            ),
            (
                r#"{"jsonrpc":"2.0","id":5,"method":"tools/list","params":[1]}"#,
                json!(5),
                -32602,
                "\"params\" must be",
            ),
            (
                r#"{"jsonrpc":"2.0","id":5,"method":"ping","result":{}}"#,
                json!(5),
                -32600,
                "not a request",
            ),
        ] {
            let (found, number, text) = fault(line.as_bytes());
            assert_eq!((found, number), (id, code), "{line}");
            assert!(text.starts_with(message), "{line}: {text}");
        }
        let (id, code, text) = fault(b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"a\xff\"}");
        assert_eq!(
            (id, code, text.as_str()),
            (json!(9), -32700, "not UTF-8 at byte 35")
        );
        assert_eq!(fault(b"\xff\xfe").0, json!(null));
    }

    #[test]
    fn every_request_of_a_line_that_is_not_json_is_answered() {
        let replies_of = |line: &str, spelled| match read(line.as_bytes(), spelled) {
            Line::Refused { faults, batch } => (serde_json::to_string(&faults).unwrap(), batch),
            Line::One(Some(Err(fault))) => (serde_json::to_string(&fault).unwrap(), false),
            other => panic!("{other:?}"),
        };
        let replies = |line: &str| {
            let [one, other] = [false, true].map(|spelled| replies_of(line, spelled));
            assert_eq!(one, other, "{line}");
            one
        };
        let ids = |reply: &str| -> Vec<String> {
            let parts = reply.split("\"id\":").skip(1);
            parts
                .map(|part| part.split(',').next().unwrap().to_owned())
                .collect()
        };
        let ping = |id: &str, more: &str| {
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"{more}}}"#)
        };
        let broken = ping("118", r#","params":{"a":"\ud83d"}"#);
        let (reply, batch) = replies(&format!("[{broken},{}]", ping("119", "")));
        assert_eq!(
            (ids(&reply), batch),
            (vec!["118".into(), "119".into()], true)
        );
        assert!(reply.contains("; nothing of the batch was done"), "{reply}");
        let (reply, batch) = replies(&(ping("116", "") + &ping("117", "")));
        assert_eq!(
            (ids(&reply), batch),
            (vec!["116".into(), "117".into()], false)
        );
        // Larger than any number that is parsed exactly.
        for id in ["18446744073709551617", "1.50"] {
            assert_eq!(ids(&replies(&ping(id, "")).0), [id]);
        }
    }

    #[test]
    fn a_request_of_too_many_values_is_answered_and_not_read() {
        let call = |list: &str| {
            let params = format!(r#"{{"name":"toy","arguments":{{"ops":[{list}]}}}}"#);
            format!(r#"{{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{params}}}"#)
        };
        for one in [r#""a","#, "[],", "1,", "{},"] {
            let (id, code, text) = fault(call(&one.repeat(VALUES + 1)).as_bytes());
            assert_eq!((id, code), (json!(6), -32600), "{one}");
            assert_eq!(text, "the request has more than 1000000 values");
        }
        // A long text is one value, however many commas it has.
        served(&call(&format!("\"{}\"", "1,2 \\\" ".repeat(VALUES))));
    }

    #[test]
    fn replies_and_strange_notifications_are_not_answered() {
        for line in [
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not JSON"}}"#,
            r#"{"jsonrpc":"2.0","result":3}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#,
        ] {
            assert!(
                matches!(read(line.as_bytes(), true), Line::One(None | Some(Ok(_)))),
                "{line}"
            );
        }
    }

    #[test]
    fn a_call_keeps_its_arguments_and_its_metadata() {
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"toy","arguments":{"ops":["a"]},
            "_meta":{"progressToken":"p"}}}"#;
        let ClientJsonRpcMessage::Request(request) = served(call) else {
            panic!()
        };
        let ClientRequest::CallToolRequest(call) = request.request else {
            panic!()
        };
        assert_eq!(call.params.arguments, Some(Map::new()));
        let spelled = call.extensions.get::<Spelled>().unwrap();
        assert_eq!(&*spelled.0, r#"{"ops":["a"]}"#);
        assert_eq!(
            call.extensions.get::<RequestMetaObject>().unwrap().0.0["progressToken"],
            json!("p")
        );
    }

    #[test]
    fn odd_but_legal_lines_are_served() {
        for line in [
            "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
            r#"{"jsonrpc":"2.0","id":"x","method":"ping","params":null}"#,
            r#"{"jsonrpc":"2.0","id":1.0,"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"toy","arguments":"{}"}}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"toy","arguments":null}}"#,
        ] {
            assert!(
                matches!(served(line), ClientJsonRpcMessage::Request(_)),
                "{line}"
            );
        }
        assert!(matches!(read(b"[1,2]", true), Line::Batch(parts) if parts.len() == 2));
    }
}

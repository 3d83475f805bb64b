//! What is answered to lines that no tool is called for.

use crate::json::Json;

/// To a line that is too long, whatever it holds.
pub(super) const TOO_LARGE: &str = r#"{"jsonrpc":"2.0","id":null,"result":{"ok":false,"reason":"validation_failed","errors":[{"path":"","msg":"payload_too_large"}]}}"#;

/// To a line that is no JSON.
pub(super) const NOT_JSON: &str =
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#;

/// What a tool that is not there answers.
pub(super) const NO_TOOL: &str =
    r#"{"ok":false,"reason":"unsupported","detail":"tool not implemented"}"#;

/// An error of JSON-RPC.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    Request,
    Params,
    Internal,
}

/// The reply to a call.
pub(super) fn result(id: &str, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

/// The reply to what is no request, and a sentence that says why.
pub(super) fn error(id: &str, fault: Fault, data: &str) -> String {
    let (code, message) = match fault {
        Fault::Request => (-32600, "Invalid Request"),
        Fault::Params => (-32602, "Invalid params"),
        Fault::Internal => (-32603, "Internal error"),
    };
    let data = Json::String(data.into());
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"{message}","data":{data}}}}}"#
    )
}

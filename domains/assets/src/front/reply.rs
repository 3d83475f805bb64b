//! Replies to lines that call no tool.

use crate::json::Json;

/// The reply to an overlong line that is not a request of the protocol.
pub(super) const TOO_LARGE: &str = r#"{"jsonrpc":"2.0","id":null,"result":{"ok":false,"reason":"validation_failed","errors":[{"path":"","msg":"payload_too_large"}]}}"#;

/// The reply to a line that is not JSON.
pub(super) const NOT_JSON: &str =
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#;

/// The result for a missing tool.
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

/// The reply to an invalid request, with a sentence for the reason.
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

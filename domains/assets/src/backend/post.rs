//! One request to a backend.

use std::io::Read as _;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use ureq::http::header::{AUTHORIZATION, CONTENT_TYPE, LOCATION};
use ureq::{Agent, Error};

use super::Response;

/// The timeout of the whole request.
const WITHIN: Duration = Duration::from_secs(5);

/// The maximum length of a response that is read, in bytes.
const RESPONSE_BYTES: u64 = 1 << 20;

/// Posts a text, once: no retry, no redirect, no proxy.
///
/// # Errors
/// The reason why there is no response, without any part of the address.
pub(super) fn post(
    address: &str,
    credentials: Option<&str>,
    text: &str,
) -> Result<Response, String> {
    let agent: Agent = Agent::config_builder()
        .timeout_global(Some(WITHIN))
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None)
        .build()
        .into();
    let mut request = agent.post(address).header(CONTENT_TYPE, "application/json");
    if let Some(credentials) = credentials {
        let plain = percent_decode_str(credentials).decode_utf8_lossy();
        let colon = if plain.contains(':') { "" } else { ":" };
        let plain = format!("{plain}{colon}");
        request = request.header(AUTHORIZATION, format!("Basic {}", STANDARD.encode(plain)));
    }
    let response = request.send(text).map_err(|error| cause(&error))?;
    let location = response.headers().get(LOCATION);
    let location = location
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned);
    let status = response.status().as_u16();
    let mut body = Vec::new();
    let reader = response.into_body().into_reader();
    reader
        .take(RESPONSE_BYTES)
        .read_to_end(&mut body)
        .map_err(|error| format!("the response breaks off: {}", error.kind()))?;
    Ok(Response {
        status,
        location,
        body,
    })
}

/// The cause of an error, in words without any part of the address.
fn cause(error: &Error) -> String {
    match error {
        Error::Timeout(_) => format!("there was no answer within {} s", WITHIN.as_secs()),
        Error::Io(error) => error.kind().to_string(),
        Error::HostNotFound => "there is no such host".to_owned(),
        Error::ConnectionFailed => "there is no connection".to_owned(),
        Error::BadUri(_) | Error::Http(_) => "SYN_BACKEND_URL is not an address".to_owned(),
        Error::Tls(what) => format!("TLS: {what}"),
        Error::Rustls(error) => format!("TLS: {error}"),
        Error::Protocol(_) => "the response is not HTTP".to_owned(),
        _ => "the request failed".to_owned(),
    }
}

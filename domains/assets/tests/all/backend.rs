//! Tests of the backend, by the program, since the environment configures the backend.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::kit::fixture;

const ASSET: &str = r#"{"asset":{"$schemaRef":"shader","name":"s","stage":"vertex","uniforms":[{"name":"u","value":1.50}]}}"#;

/// A server for one connection, which answers after `pause`; sends the request it received.
fn backend(answer: Vec<u8>, pause: Duration) -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (sender, heard) = mpsc::channel();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut request, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            request.push_str(&line);
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        request.push_str(&String::from_utf8(body).unwrap());
        thread::sleep(pause);
        let _ = stream.write_all(&answer);
        drop(stream);
        let _ = sender.send(request);
    });
    (address, heard)
}

fn http(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n{headers}\r\n{body}").into_bytes()
}

struct Said {
    reply: String,
    log: String,
    failed: bool,
    took: Duration,
}

fn populate(url: &str, flags: &[&str], arguments: &str) -> Said {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_fcp-assets"))
        .args(flags)
        .args(["call", "populate_backend", arguments])
        .current_dir(fixture())
        .env("SYN_BACKEND_URL", url)
        .env("HTTP_PROXY", "http://127.0.0.1:9")
        .env_remove("SYN_BACKEND_ASSETS_PATH")
        .output()
        .unwrap();
    Said {
        reply: String::from_utf8(output.stdout)
            .unwrap()
            .trim_end()
            .to_owned(),
        log: String::from_utf8(output.stderr).unwrap(),
        failed: !output.status.success(),
        took: start.elapsed(),
    }
}

#[test]
fn backend_answers_are_reported() {
    let location = "location: /assets/42?x\r\n";
    let long = "a".repeat(200_000);
    for (answer, wanted) in [
        (http("200 OK", "", r#"{"id":"seven"}"#), Ok("seven")),
        (http("201 Created", location, r#"{"id":1.50}"#), Ok("1.50")),
        (http("200 OK", "", r#"{"id":null,"asset_id":"b"}"#), Ok("b")),
        (http("200 OK", location, "{}"), Ok("42")),
        (http("200 OK", "", "[1]"), Ok("")),
        (http("200 OK", "", "stored"), Ok("")),
        (http("204 No Content", location, ""), Ok("42")),
        (
            http("200 OK", "", &format!("\"{}\"", "a".repeat(3 << 20))),
            Ok(""),
        ),
        (http("302 Found", location, ""), Err((302, "HTTP 302"))),
        (
            http("404 Not Found", "", "  none such\n"),
            Err((404, "none such")),
        ),
        (http("500 Oops", "", &long), Err((500, &long[..2_048]))),
        (http("500 Oops", "", ""), Err((500, "HTTP 500"))),
        (
            b"nonsense\r\n\r\n".to_vec(),
            Err((503, "network_unreachable")),
        ),
        (Vec::new(), Err((503, "network_unreachable"))),
        (
            b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{".to_vec(),
            Err((503, "network_unreachable")),
        ),
    ] {
        let shown = String::from_utf8_lossy(&answer[..answer.len().min(60)]).into_owned();
        let (address, heard) = backend(answer, Duration::ZERO);
        let outcome = populate(&format!("http://{address}/"), &[], ASSET);
        let reply = match wanted {
            Ok(id) => {
                format!(r#"{{"ok":true,"asset_id":"{id}","backend_url":"http://{address}/"}}"#)
            }
            Err((status, detail)) => format!(
                r#"{{"ok":false,"reason":"backend_error","status":{status},"detail":"{detail}"}}"#
            ),
        };
        assert_eq!(outcome.reply, reply, "{shown}\n{}", outcome.log);
        assert_eq!(outcome.failed, wanted.is_err(), "{shown}");
        let request = heard.recv().unwrap();
        assert!(
            request.starts_with("POST /synesthetic-assets/ HTTP/1.1\r\n"),
            "{request}"
        );
        assert!(
            request.contains("content-type: application/json\r\n"),
            "{request}"
        );
        // The asset as it was sent, with its marker and the spelling of its numbers.
        let body = request.rsplit("\r\n").next().unwrap();
        assert_eq!(format!("{{\"asset\":{body}}}"), ASSET);
    }
}

#[test]
fn a_silent_backend_is_left_after_five_seconds() {
    let (address, _heard) = backend(Vec::new(), Duration::from_secs(8));
    let outcome = populate(&format!("http://user:secret@{address}"), &[], ASSET);
    assert!(
        outcome
            .reply
            .contains(r#""status":503,"detail":"network_unreachable""#),
        "{}",
        outcome.reply
    );
    let took = outcome.took;
    assert!((4_500..6_500).contains(&took.as_millis()), "{took:?}");
    assert!(
        outcome.log.contains("no answer within 5 s"),
        "{}",
        outcome.log
    );
    assert!(
        !outcome.log.contains("secret") && !outcome.log.contains("user"),
        "{}",
        outcome.log
    );
}

#[test]
fn user_and_password_are_sent_and_never_shown() {
    let (address, heard) = backend(http("200 OK", "", "{}"), Duration::ZERO);
    let outcome = populate(&format!("http://us%65r:p%40ss@{address}"), &[], ASSET);
    assert_eq!(
        outcome.reply,
        format!(r#"{{"ok":true,"asset_id":"","backend_url":"http://{address}"}}"#)
    );
    // user:p@ss
    assert!(
        heard
            .recv()
            .unwrap()
            .contains("authorization: Basic dXNlcjpwQHNz\r\n")
    );
    for url in [
        "http://user:secret@127.0.0.1:9",
        "http://user:secret@[",
        "ftp://user:secret@h",
        "user:secret",
    ] {
        let outcome = populate(url, &[], ASSET);
        assert!(
            outcome.reply.contains("network_unreachable"),
            "{url}: {}",
            outcome.reply
        );
        let hidden = url == "user:secret" || !(outcome.log + &outcome.reply).contains("secret");
        assert!(hidden, "{url}");
    }
}

#[test]
fn an_asset_is_validated_before_unless_the_call_says_no_and_the_server_lets_it() {
    let bad = r#"{"asset":{"name":""},"validate_first":false}"#;
    let (address, heard) = backend(http("200 OK", "", r#"{"id":"x"}"#), Duration::ZERO);
    let url = format!("http://{address}");
    let wrong = r#"{"ok":false,"reason":"validation_failed","errors":[{"path":"/name","msg":"expected at least 1 character, got 0"}]}"#;
    for (flags, arguments) in [
        (&["--require-validation"][..], bad),
        (&[], r#"{"asset":{"name":""}}"#),
        (&[], r#"{"asset":{"name":""},"validate_first":null}"#),
    ] {
        let outcome = populate(&url, flags, arguments);
        assert_eq!(
            (outcome.reply.as_str(), outcome.failed),
            (wrong, false),
            "{}",
            outcome.log
        );
    }
    for (arguments, msg) in [
        (
            r#"{"asset":{},"validate_first":"false"}"#,
            "argument validate_first is a string, not a boolean",
        ),
        (
            r#"{"asset":[]}"#,
            "argument asset is an array, not an object",
        ),
    ] {
        let outcome = populate(&url, &[], arguments);
        assert!(
            outcome.failed && outcome.reply.contains(msg),
            "{}",
            outcome.reply
        );
    }
    let outcome = populate("", &[], r#"{"asset":{}}"#);
    assert_eq!(
        outcome.reply,
        r#"{"ok":false,"reason":"unsupported","detail":"backend disabled"}"#
    );
    assert!(heard.try_recv().is_err());
    let outcome = populate(&url, &[], bad);
    assert!(
        outcome.reply.contains(r#""asset_id":"x""#),
        "{}",
        outcome.reply
    );
    assert!(heard.recv().unwrap().ends_with(r#"{"name":""}"#));
}

//! Signals: the current request is finished, the rest is dropped.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::program::{Program, library, plain};

/// A backend that answers one request when it is released, and its address.
fn backend() -> (String, mpsc::Receiver<()>, mpsc::Sender<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (came, asked) = mpsc::channel();
    let (go, wait) = mpsc::channel();
    thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let mut request = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            request.read_line(&mut line).unwrap();
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        request.read_exact(&mut body).unwrap();
        came.send(()).unwrap();
        if wait.recv().is_ok() {
            let reply = "HTTP/1.1 201 Created\r\nContent-Length: 10\r\nConnection: close\r\n\r\n{\"id\":\"7\"}";
            request.get_mut().write_all(reply.as_bytes()).unwrap();
        }
    });
    (address, asked, go)
}

fn start(file: &Path, backend: &str) -> Program {
    let variables = [
        ("MCP_READY_FILE", file.to_str().unwrap()),
        ("SYN_BACKEND_URL", backend),
    ];
    Program::start(&library(), &variables)
}

fn populate(dialect: &str) -> String {
    let arguments = json!({ "asset": { "name": "A" } });
    if dialect == "plain" {
        return plain("1", "populate_backend", &arguments.to_string());
    }
    let params = json!({ "name": "populate_backend", "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()
}

#[test]
fn signals_let_the_current_request_finish_and_drop_the_rest() {
    for (signal, dialect) in [("TERM", "plain"), ("INT", "protocol"), ("HUP", "plain")] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ready");
        let (address, asked, go) = backend();
        let mut program = start(&file, &address);
        program.say(&populate(dialect));
        asked.recv_timeout(Duration::from_secs(20)).unwrap();
        program.say(&plain("2", "list_schemas", "{}"));
        program.signal(signal);
        thread::sleep(Duration::from_millis(200));
        assert!(program.child.try_wait().unwrap().is_none());
        go.send(()).unwrap();
        let (lines, log, code) = program.end();
        assert_eq!((lines.len(), code), (1, 0), "{lines:?} {log:?}");
        let reply: Value = serde_json::from_str(&lines[0]).unwrap();
        let result = &reply["result"];
        let result = if dialect == "plain" {
            result
        } else {
            &result["structuredContent"]
        };
        assert_eq!(
            (&reply["id"], &result["asset_id"]),
            (&json!(1), &json!("7")),
            "{lines:?}"
        );
        assert!(
            log.last().unwrap().ends_with(" mcp:shutdown mode=stdio"),
            "{log:?}"
        );
        assert!(!file.exists());
    }
}

#[test]
fn a_second_signal_ends_it_at_once() {
    for (second, code) in [("TERM", 143), ("INT", 130), ("HUP", 129)] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ready");
        let (address, asked, go) = backend();
        let mut program = start(&file, &address);
        program.say(&populate("plain"));
        asked.recv_timeout(Duration::from_secs(20)).unwrap();
        program.signal("TERM");
        thread::sleep(Duration::from_millis(100));
        program.signal(second);
        assert_eq!(program.code(), code);
        assert!(!file.exists());
        drop(go);
    }
}

#[test]
fn an_idle_server_is_gone_within_a_tenth_of_a_second() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ready");
    let mut quickest = Duration::MAX;
    // Other processes may keep the machine busy.
    for _ in 0..5 {
        let mut program = start(&file, "");
        program.ask(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
        let start = Instant::now();
        program.signal("TERM");
        assert_eq!(program.code(), 0);
        quickest = quickest.min(start.elapsed());
        assert!(!file.exists());
    }
    assert!(quickest < Duration::from_millis(100), "{quickest:?}");
}

#[test]
fn a_signal_right_after_the_ready_line_ends_it_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ready");
    for round in 0..50 {
        let program = start(&file, "");
        program.signal(["TERM", "INT", "HUP"][round % 3]);
        let (lines, log, code) = program.end();
        assert_eq!((lines.len(), code), (0, 0), "{log:?}");
        assert!(!file.exists());
    }
}

#[test]
fn a_signal_at_any_time_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ready");
    for micros in (0..30_000).step_by(1500) {
        let mut command =
            crate::program::command(&library(), &[("MCP_READY_FILE", file.to_str().unwrap())]);
        command.stdin(std::process::Stdio::piped());
        let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_micros(micros));
        let kill = format!("kill -TERM {}", child.id());
        std::process::Command::new("sh")
            .args(["-c", &kill])
            .status()
            .unwrap();
        let status = child.wait().unwrap();
        // The system ends it before its first own instruction.
        assert!(matches!(status.code(), Some(0) | None), "{status:?}");
        assert!(!file.exists());
    }
}

//! Streamable HTTP, with a handwritten client.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use fcp::testing::{unreadable_lines, unreadable_values};
use serde_json::{Value, json};

use crate::kit::{PROGRAM, Repo};

/// A listening server. It is killed if a test fails.
pub struct Web {
    pub child: Child,
    address: SocketAddr,
}

impl Web {
    pub fn start(repo: &Repo, flags: &[&str]) -> Self {
        Self::of(&mut Command::new(PROGRAM), repo, flags)
    }

    /// Starts a command with the program's arguments.
    pub fn of(command: &mut Command, repo: &Repo, flags: &[&str]) -> Self {
        let mut child = command
            .args(["--root", repo.root.to_str().unwrap()])
            .args(["--state", repo.state.to_str().unwrap()])
            .args(["--http", "127.0.0.1:0"])
            .args(flags)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        errors.read_line(&mut line).unwrap();
        let address = line
            .trim()
            .strip_prefix("Serving MCP at http://")
            .and_then(|rest| rest.strip_suffix("/mcp"))
            .unwrap_or_else(|| panic!("{line}"));
        let address = address.parse().unwrap();
        Self { child, address }
    }

    pub fn connect(&self) -> Connection {
        let stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(120)))
            .unwrap();
        Connection {
            stream: BufReader::new(stream),
            host: self.address.to_string(),
            session: None,
        }
    }

    /// Asks the server to stop.
    pub fn terminate(&self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    }

    /// The exit status.
    pub fn ended(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "it does not end");
            sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub struct Connection {
    stream: BufReader<TcpStream>,
    host: String,
    session: Option<String>,
}

#[derive(Debug)]
pub struct Reply {
    status: u16,
    headers: HashMap<String, String>,
    body: String,
}

impl Reply {
    /// The message in the body, or in its only event.
    fn message(&self) -> Value {
        let data = self.body.lines().find_map(|line| {
            let data = line.strip_prefix("data:")?.trim();
            (!data.is_empty()).then_some(data)
        });
        serde_json::from_str(data.unwrap_or(&self.body)).unwrap_or_else(|_| panic!("{self:?}"))
    }
}

const BOTH: (&str, &str) = ("accept", "application/json, text/event-stream");
const JSON: (&str, &str) = ("content-type", "application/json");

impl Connection {
    fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: impl AsRef<[u8]>) {
        let body = body.as_ref();
        let mut text = format!("{method} {path} HTTP/1.1\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            text += &format!("host: {}\r\n", self.host);
        }
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("content-length: {}\r\n\r\n", body.len());
        // A server that rejects a request may not read all of it.
        let _ = self
            .stream
            .get_mut()
            .write_all(&[text.as_bytes(), body].concat());
    }

    fn line(&mut self) -> std::io::Result<String> {
        let mut line = String::new();
        match self.stream.read_line(&mut line)? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(line.trim_end().to_owned()),
        }
    }

    fn receive(&mut self) -> std::io::Result<Reply> {
        let first = self.line()?;
        let status = first.split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = HashMap::new();
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(": ") else {
                break;
            };
            headers.insert(name.to_lowercase(), value.to_owned());
        }
        let mut body = Vec::new();
        if headers.contains_key("transfer-encoding") {
            loop {
                let size = usize::from_str_radix(&self.line()?, 16).unwrap();
                let mut chunk = vec![0; size + 2];
                self.stream.read_exact(&mut chunk)?;
                if size == 0 {
                    break;
                }
                body.extend_from_slice(&chunk[..size]);
            }
        } else {
            let size = headers.get("content-length").map(|size| size.parse());
            body.resize(size.unwrap_or(Ok(0)).unwrap(), 0);
            self.stream.read_exact(&mut body)?;
        }
        let body = String::from_utf8(body).unwrap();
        Ok(Reply {
            status,
            headers,
            body,
        })
    }

    fn request(&mut self, method: &str, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Reply {
        self.send(method, "/mcp", headers, body);
        self.receive().unwrap()
    }

    fn post(&mut self, more: &[(&str, &str)], body: &Value) -> Reply {
        let headers = [&[BOTH, JSON], more].concat();
        self.request("POST", &headers, body.to_string())
    }

    /// Starts a session.
    pub fn initialize(&mut self) -> Reply {
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        let body = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let reply = self.post(&[], &body);
        self.session = reply.headers.get("mcp-session-id").cloned();
        let session = self.session.clone().unwrap();
        let body = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(
            self.post(&[("mcp-session-id", &session)], &body).status,
            202
        );
        reply
    }

    /// Asks in the session, or without a session in the protocol revision without a handshake.
    pub fn ask(&mut self, id: u64, method: &str, params: &Value) -> Reply {
        self.put(id, method, params);
        self.receive().unwrap()
    }

    fn put(&mut self, id: u64, method: &str, params: &Value) {
        let message = message(self.session.is_none(), id, method, params);
        let name = ["name", "uri"].map(|key| params[key].as_str().unwrap_or_default());
        let name = name.into_iter().find(|name| !name.is_empty()).unwrap_or("");
        let session = self.session.clone();
        let headers = match &session {
            Some(session) => vec![
                ("mcp-session-id", session.as_str()),
                ("mcp-protocol-version", "2025-11-25"),
            ],
            None => vec![
                ("mcp-protocol-version", "2026-07-28"),
                ("mcp-method", method),
                ("mcp-name", name),
            ],
        };
        let headers = [&[BOTH, JSON], &headers[..]].concat();
        self.send("POST", "/mcp", &headers, &message);
    }
}

/// The text of a request, with the metadata that the revision without a handshake requires.
fn message(new: bool, id: u64, method: &str, params: &Value) -> String {
    let mut params = params.clone();
    if new {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

/// A reply without its lease id, the one thing that differs between two servers.
fn alike(mut reply: Value) -> Value {
    let lease = reply["result"]["structuredContent"]["lease_id"].clone();
    if let Some(lease) = lease.as_str() {
        reply = serde_json::from_str(&reply.to_string().replace(lease, "LEASE")).unwrap();
    }
    reply
}

fn requests(s0: &str) -> Vec<(&'static str, Value)> {
    let patch =
        "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-export const a = 1;\n+export const a = 2;\n";
    let call = |name: &str, arguments: Value| {
        (
            "tools/call",
            json!({ "name": name, "arguments": arguments }),
        )
    };
    let captured = json!({ "snapshot_id": s0 });
    vec![
        ("tools/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        call("snapshot.list", json!({ "path": "src" })),
        call("snapshot_file", json!({ "path": "café.txt" })),
        call("snapshot.grep", json!({ "pattern": "export" })),
        call("snapshot.create", json!({ "paths": ["."] })),
        call("snapshot.info", captured.clone()),
        call("snapshot.changes", captured.clone()),
        call("snapshot.export", captured),
        call("snapshot.diff", json!({ "path": "." })),
        call(
            "workspace.apply_patch",
            json!({ "patch": patch, "dry_run": true }),
        ),
        call(
            "workspace.write_file",
            json!({ "snapshot_id": s0, "path": "é", "content": "x" }),
        ),
        call("snapshot.list", json!({ "lease_id": "L0" })),
        call("snapshot.list", json!({ "depht": 1, "limit": 1.50 })),
        call("snapshot.file", json!({ "path": "../x" })),
        call("snapshot.file", json!({ "path": "absent" })),
        (
            "tools/call",
            json!({ "name": "snapshot.list", "arguments": "{\"path\":\"src\"}" }),
        ),
        call("snapshot.nothing", json!({})),
        (
            "resources/read",
            json!({ "uri": format!("snapshot://{}", &s0[7..]) }),
        ),
        (
            "resources/read",
            json!({ "uri": format!("snapshot://{}?format=tar", &s0[7..]) }),
        ),
        (
            "resources/read",
            json!({ "uri": format!("snapshot://{}/caf%C3%A9.txt", &s0[7..]) }),
        ),
        ("resources/read", json!({ "uri": "snapshot://0" })),
        ("workspace/nothing", json!({})),
    ]
}

#[test]
fn replies_are_those_of_standard_output_in_both_eras() {
    let repo = Repo::r1();
    let s0 = repo.client().create(&["."]);
    let web = Web::start(&repo, &[]);
    for new in [false, true] {
        let mut piped = Command::new(PROGRAM)
            .args(["--root", repo.root.to_str().unwrap()])
            .args(["--state", repo.state.to_str().unwrap()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = piped.stdin.take().unwrap();
        let mut stdout = BufReader::new(piped.stdout.take().unwrap()).lines();
        let mut over_pipe = |text: String| -> Value {
            writeln!(stdin, "{text}").unwrap();
            serde_json::from_str(&stdout.next().unwrap().unwrap()).unwrap()
        };
        let mut connection = web.connect();
        if new {
            assert_eq!(
                connection.ask(1, "server/discover", &json!({})).message()["result"],
                over_pipe(message(true, 1, "server/discover", &json!({})))["result"]
            );
        } else {
            let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
            assert_eq!(
                connection.initialize().message(),
                over_pipe(message(false, 0, "initialize", &params))
            );
        }
        for (id, (method, params)) in (2..).zip(requests(&s0)) {
            let here = over_pipe(message(new, id, method, &params));
            let there = connection.ask(id, method, &params);
            let expected = if new {
                "application/json"
            } else {
                "text/event-stream"
            };
            assert_eq!(there.headers["content-type"], expected, "{there:?}");
            assert_eq!(
                alike(there.message()),
                alike(here),
                "{new} {method} {params}"
            );
        }
        drop(stdin);
        assert!(piped.wait().unwrap().success());
    }
}

#[test]
fn unacceptable_requests_are_rejected() {
    let repo = Repo::r1();
    let web = Web::start(
        &repo,
        &["--max-request", "1", "--http-host", "named.example"],
    );
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let mut connection = web.connect();
    connection.initialize();
    let session = connection.session.clone().unwrap();
    let of = ("mcp-session-id", session.as_str());
    let port = connection.host.rsplit_once(':').unwrap().1.to_owned();
    let local = format!("http://localhost:{port}");
    for (headers, status) in [
        (vec![of], 200),
        (vec![of, ("origin", local.as_str())], 200),
        (vec![of, ("host", "localhost")], 200),
        (vec![of, ("host", "named.example:8000")], 200),
        (vec![of, ("origin", "https://named.example")], 200),
        (vec![of, ("origin", "http://evil.example")], 403),
        (vec![of, ("origin", "http://localhost.evil.example")], 403),
        (vec![of, ("origin", "null")], 403),
        (vec![of, ("host", "evil.example")], 403),
        (vec![of, ("host", "127.0.0.1.evil.example")], 403),
        (vec![of, ("host", "")], 400),
        (vec![], 400),
        (vec![("mcp-session-id", "made up")], 404),
        (vec![of, ("mcp-protocol-version", "1999-01-01")], 400),
    ] {
        let reply = connection.post(&headers, &ping);
        assert_eq!(reply.status, status, "{headers:?} {reply:?}");
    }
    for (headers, status) in [
        (vec![BOTH, of], 415),
        (vec![BOTH, of, ("content-type", "text/plain")], 415),
        (vec![JSON, of, ("accept", "application/json")], 406),
    ] {
        let reply = connection.request("POST", &headers, ping.to_string());
        assert_eq!(reply.status, status, "{headers:?} {reply:?}");
    }
    for method in ["GET", "PUT", "OPTIONS", "PATCH"] {
        let reply = connection.request(method, &[BOTH, of], "");
        assert_eq!(
            (reply.status, reply.headers["allow"].as_str()),
            (405, "POST, DELETE"),
            "{method} {reply:?}"
        );
        assert!(!reply.headers.contains_key("access-control-allow-origin"));
    }
    connection.send("POST", "/", &[BOTH, JSON, of], ping.to_string());
    assert_eq!(connection.receive().unwrap().status, 404);
    for (body, code, id) in [
        ("{\"jsonrpc\":\"2.0\",\"id\":7,", -32700, json!(7)),
        ("hello", -32700, Value::Null),
        ("[]", -32600, Value::Null),
        ("{\"id\":8,\"method\":\"ping\"}", -32600, json!(8)),
        ("\u{1}", -32700, Value::Null),
    ] {
        let reply = connection.request("POST", &[BOTH, JSON, of], body);
        let message = reply.message();
        assert_eq!(
            (reply.status, &message["error"]["code"], &message["id"]),
            (400, &json!(code), &id),
            "{body}"
        );
    }
    let arguments = json!({ "path": "x", "content": "x".repeat(1 << 20) });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "workspace.write_file", "arguments": arguments } });
    assert_eq!(web.connect().post(&[of], &call).status, 413);
    let names: Vec<String> = (0..200).map(|at| format!("x-{at}")).collect();
    let many: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "x")).collect();
    let long = "x".repeat(300 << 10);
    for headers in [many, vec![of, ("x-long", &long)]] {
        let mut connection = web.connect();
        let headers = [&[BOTH, JSON], &headers[..]].concat();
        connection.send("POST", "/mcp", &headers, ping.to_string());
        // A client that is still sending may see the end of the connection first.
        let refused = connection.receive().map_or(431, |reply| reply.status);
        assert_eq!(refused, 431);
    }

    assert_eq!(connection.post(&[of], &ping).status, 200);
    let ended = connection.request("DELETE", &[of], "");
    assert!((200..300).contains(&ended.status), "{ended:?}");
    assert_eq!(connection.post(&[of], &ping).status, 404);
    assert!(!repo.root.join("x").exists());
}

#[test]
fn a_request_that_cannot_be_read_is_answered_under_its_id() {
    let repo = Repo::r1();
    let web = Web::start(&repo, &["--max-request", "1"]);
    let mut first = web.connect();
    first.initialize();
    let session = first.session.clone().unwrap();
    let of = ("mcp-session-id", session.as_str());
    for (case, value) in unreadable_values() {
        for id in ["7", "\"seven\""] {
            for body in unreadable_lines("snapshot.list", id, &value) {
                let mut connection = web.connect();
                let reply = connection.request("POST", &[BOTH, JSON, of], &body);
                let shown = String::from_utf8_lossy(&body[..body.len().min(200)]);
                let message = reply.message();
                // The tool itself refuses its arguments.
                let is_refused = matches!(reply.status, 400 | 413) && message["error"].is_object()
                    || message["result"]["isError"] == true;
                assert!(is_refused, "{case}\n{shown}\n{reply:?}");
                // The end of a request that is too large may not be read, and with it an id that comes last.
                let may_be_unknown = reply.status == 413 && !body.starts_with(b"{\"id\"");
                let shown_id = message["id"].to_string();
                assert!(
                    shown_id == id || may_be_unknown && shown_id == "null",
                    "{case}\n{shown}\n{reply:?}"
                );
                let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
                assert_eq!(first.post(&[of], &ping).status, 200);
            }
        }
    }
}

#[test]
fn an_address_in_reach_of_others_needs_its_names() {
    let repo = Repo::r1();
    let output = Command::new(PROGRAM)
        .args(["--root", repo.root.to_str().unwrap()])
        .args(["--state", repo.state.to_str().unwrap()])
        .args(["--http", "0.0.0.0:0"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(log.contains("--http-host"), "{log}");
    assert_eq!(log.lines().count(), 1, "{log}");
}

#[test]
fn calls_of_one_connection_take_effect_in_their_order() {
    let repo = Repo::r1();
    let web = Web::start(&repo, &[]);
    let mut connection = web.connect();
    for id in 0..100 {
        let arguments = json!({ "path": "f", "content": id.to_string() });
        let params = json!({ "name": "workspace.write_file", "arguments": arguments });
        connection.put(id, "tools/call", &params);
    }
    for id in 0..100 {
        let reply = connection.receive().unwrap().message();
        assert_eq!(
            (&reply["id"], &reply["result"]["isError"]),
            (&json!(id), &json!(false)),
            "{reply}"
        );
    }
    assert_eq!(repo.text("f"), "99");
}

#[test]
fn a_connection_too_many_waits_for_another_to_end() {
    let repo = Repo::r1();
    let web = Web::start(&repo, &[]);
    let mut idle: Vec<Connection> = (0..256).map(|_| web.connect()).collect();
    // The last one is served, so all of them were accepted.
    idle[255].initialize();
    let mut waiting = web.connect();
    waiting.put(1, "tools/list", &json!({}));
    let patience = |connection: &Connection, time| {
        let stream = connection.stream.get_ref();
        stream.set_read_timeout(Some(time)).unwrap();
    };
    patience(&waiting, Duration::from_millis(300));
    let early = waiting.receive().unwrap_err().kind();
    assert!(
        matches!(early, ErrorKind::WouldBlock | ErrorKind::TimedOut),
        "{early}"
    );
    drop(idle.pop());
    patience(&waiting, Duration::from_secs(60));
    assert_eq!(waiting.receive().unwrap().status, 200);
}

#[test]
fn requests_that_never_arrive_hold_up_nobody() {
    let repo = Repo::r1();
    let web = Web::start(&repo, &[]);
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: 60000000\r\n\r\n{{",
        web.address
    );
    let mut slow: Vec<Connection> = (0..100).map(|_| web.connect()).collect();
    for connection in &mut slow {
        connection
            .stream
            .get_mut()
            .write_all(head.as_bytes())
            .unwrap();
    }
    let mut client = web.connect();
    let stream = client.stream.get_ref();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    assert_eq!(client.initialize().status, 200);
}

#[test]
fn a_signal_lets_the_call_in_hand_finish() {
    let repo = Repo::r1();
    let slow = repo.dir.path().join("slow");
    fs::create_dir(&slow).unwrap();
    let path = std::env::var("PATH").unwrap();
    let script = format!("#!/bin/sh\nsleep 0.2\nPATH='{path}' exec git \"$@\"\n");
    fs::write(slow.join("git"), script).unwrap();
    fs::set_permissions(slow.join("git"), fs::Permissions::from_mode(0o755)).unwrap();
    for new in [false, true] {
        let mut command = Command::new(PROGRAM);
        command.env("PATH", format!("{}:{path}", slow.display()));
        let mut web = Web::of(&mut command, &repo, &[]);
        let mut connection = web.connect();
        if !new {
            connection.initialize();
        }
        let _idle = web.connect();
        let arguments = json!({ "path": "f", "content": format!("{new}") });
        let params = json!({ "name": "workspace.write_file", "arguments": arguments });
        connection.put(7, "tools/call", &params);
        sleep(Duration::from_millis(150));
        assert!(!repo.root.join("f").exists() || repo.text("f") != format!("{new}"));
        web.terminate();
        let reply = connection.receive().unwrap().message();
        assert_eq!(reply["result"]["isError"], false, "{reply}");
        assert_eq!(web.ended().code(), Some(0));
        assert_eq!(repo.text("f"), format!("{new}"));
        assert!(TcpStream::connect(web.address).is_err());
    }
}

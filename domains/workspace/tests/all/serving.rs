//! Names, order, text, resources, flags.

use std::io::BufRead;
use std::process::Command;
use std::sync::Arc;

use fcp::endpoint::{Config, Flags};
use fcp::tool::{Cancel, Hints, Run, Structured, Tool, Toolbox, Tools, Toolset};
use fcp::verb::Source;
use fcp_workspace::Workspace;
use serde_json::{Value, json};

use crate::kit::{PROGRAM, Repo, decoded, text};

#[test]
fn both_spellings_are_answered_and_one_is_listed() {
    let repo = Repo::r1();
    for (flags, separator) in [(&[][..], '.'), (&["--tool-names", "underscore"], '_')] {
        let mut client = repo.with(flags);
        let listed = client.server.ask("tools/list", json!({}));
        let names: Vec<String> = listed["result"]["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| text(&tool["name"]))
            .collect();
        assert_eq!(names.len(), 17);
        assert!(
            names
                .iter()
                .all(|name| name.contains('.') == (separator == '.')),
            "{names:?}"
        );
        assert_eq!(
            client.ok("snapshot.list", json!({}))["total"],
            client.ok("snapshot_list", json!({}))["total"]
        );
    }
}

#[test]
fn hints_say_what_a_tool_does() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let listed = client.server.ask("tools/list", json!({}));
    for tool in listed["result"]["tools"].as_array().unwrap() {
        let (name, hints) = (text(&tool["name"]), &tool["annotations"]);
        assert_eq!(hints["openWorldHint"], false);
        let reads = ["list", "file", "grep", "info", "changes", "diff", "export"]
            .iter()
            .any(|read| name == format!("snapshot.{read}"));
        assert_eq!(hints["readOnlyHint"], reads, "{name}");
        if reads {
            assert_eq!(hints["idempotentHint"], true, "{name}");
        }
        if name == "snapshot.create" {
            assert_eq!(
                (&hints["destructiveHint"], &hints["idempotentHint"]),
                (&json!(false), &json!(true))
            );
        }
        if name.starts_with("workspace.") && name != "workspace.lease" {
            assert_eq!(hints["destructiveHint"], true, "{name}");
        }
    }
}

/// The roots of the published schemas.
#[test]
fn schemas_have_the_branches_of_the_specification() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let listed = client.server.ask("tools/list", json!({}));
    for tool in listed["result"]["tools"].as_array().unwrap() {
        let (name, schema) = (text(&tool["name"]), &tool["outputSchema"]);
        let resolve = |of: &Value| -> (String, Value) {
            let path = text(&of["$ref"]);
            let name = path.rsplit('/').next().unwrap().to_owned();
            let definition = schema["$defs"][&name].clone();
            (name, definition)
        };
        assert_eq!(
            (&schema["type"], schema["oneOf"].as_array().unwrap().len()),
            (&json!("object"), 2)
        );
        let (error, definition) = resolve(&schema["oneOf"][1]);
        assert_eq!(error, "ErrorResponse");
        let stale = &definition["properties"]["error"]["oneOf"][0]["properties"];
        assert_eq!(stale["code"]["const"], "STALE_LEASE");
        assert!(
            stale["details"]["required"]
                .as_array()
                .unwrap()
                .contains(&json!("fingerprint"))
        );
        let (success, definition) = resolve(&schema["oneOf"][0]);
        let check = |name: &str, branch: &Value| {
            let required = branch["required"].as_array().unwrap();
            match name {
                "ImmutableResponse" => {
                    assert_eq!(branch["properties"]["cache_hint"]["const"], "immutable");
                }
                "WorktreeResponse" => {
                    assert_eq!(branch["properties"]["cache_hint"]["const"], "until_dirty");
                    assert!(
                        required.contains(&json!("lease_id"))
                            && required.contains(&json!("fingerprint"))
                    );
                }
                other => panic!("{other}"),
            }
            assert!(required.contains(&json!("cache_hint")));
            assert_eq!(branch["additionalProperties"], false);
        };
        match name.split_once('.').unwrap().1 {
            "create" | "info" | "changes" => check("ImmutableResponse", &definition),
            "restore" | "lease" => check("WorktreeResponse", &definition),
            "catalog" | "gc" | "materialize" => {
                assert_eq!(definition["additionalProperties"], false, "{success}");
            }
            _ => {
                assert_eq!(success, "Success", "{name}");
                for branch in definition["oneOf"].as_array().unwrap() {
                    let (name, branch) = resolve(branch);
                    check(&name, &branch);
                }
            }
        }
    }
}

fn answer(text: &str) -> Structured {
    Structured {
        text: text.to_owned(),
        is_error: false,
    }
}

fn wrong_hint(_: &Workspace, _: &str, _: &Cancel) -> Structured {
    let zeros = "0".repeat(64);
    answer(&format!(
        r#"{{"cache_hint":"until_dirty","fingerprint":{{"head_oid":"","index_oid":"","status_hash":"{zeros}"}},"manifest_stats":{{"files":0,"total_bytes":0}},"snapshot_id":"sha256:{zeros}"}}"#
    ))
}

fn other_mode(_: &Workspace, _: &str, _: &Cancel) -> Structured {
    let zeros = "0".repeat(64);
    answer(&format!(
        r#"{{"cache_hint":"immutable","entries":[],"mode":"snapshot","path":".","snapshot_id":"sha256:{zeros}","total":0,"truncated":false}}"#
    ))
}

/// The result over MCP of a tool of the toolset with another function. No call makes the program
/// itself answer wrongly.
fn forged(
    toolbox: &Toolbox<Workspace>,
    name: &'static str,
    run: fn(&Workspace, &str, &Cancel) -> Structured,
) -> Value {
    use std::sync::OnceLock;
    static SCHEMAS: OnceLock<[(Value, Value); 2]> = OnceLock::new();
    let of = |name: &str| {
        let tool = toolbox.find(name).unwrap();
        (
            Value::Object(tool.input.clone()),
            Value::Object(tool.output()),
        )
    };
    SCHEMAS.get_or_init(|| [of("snapshot.info"), of("snapshot.list")]);
    let info = name == "snapshot.info";
    let tool: &'static Tool<Workspace> = Box::leak(Box::new(Tool {
        name,
        aliases: &[],
        summary: "",
        doc: "",
        hints: Hints::default(),
        examples: &[],
        source: Source { file: "", line: 0 },
        input: if info {
            || SCHEMAS.get().unwrap()[0].0.clone()
        } else {
            || SCHEMAS.get().unwrap()[1].0.clone()
        },
        output: if info {
            || SCHEMAS.get().unwrap()[0].1.clone()
        } else {
            || SCHEMAS.get().unwrap()[1].1.clone()
        },
        trouble: |trouble| Structured {
            text: json!({ "error": { "code": "INTERNAL", "message": trouble.to_string() } })
                .to_string(),
            is_error: true,
        },
        run: Run::Shared(run),
    }));
    let state = Workspace::open(&config(&toolbox.look(|_| Repo::r1()))).unwrap();
    let forged = Toolbox::of(state, vec![tool]).unwrap();
    let arguments = if info {
        json!({ "snapshot_id": "x" })
    } else {
        json!({})
    };
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let call = fcp::testing::line(1, name, arguments);
    let sent = std::io::Cursor::new(format!("{hello}\n{ready}\n{call}"));
    let (heard, answers) = std::io::pipe().unwrap();
    let options = fcp::mcp::Options::new("1");
    fcp::mcp::serve_tools(Arc::new(forged), options, sent, answers).unwrap();
    let line = std::io::BufReader::new(heard).lines().nth(1).unwrap();
    let reply: Value = serde_json::from_str(&line.unwrap()).unwrap();
    assert_eq!(reply["id"], 1, "{reply}");
    reply["result"].clone()
}

fn config(repo: &Repo) -> Config {
    let none = Workspace::FLAGS
        .iter()
        .find(|flag| flag.name == "no-state")
        .unwrap();
    Config {
        flags: Flags::default().with(none, None),
        ..Config::at(&repo.root)
    }
}

#[test]
fn a_reply_with_the_wrong_hint_goes_out_as_an_internal_error() {
    let repo = Repo::r1();
    let toolbox = Toolbox::<Workspace>::open(&config(&repo)).unwrap();
    for (name, run) in [
        (
            "snapshot.info",
            wrong_hint as fn(&Workspace, &str, &Cancel) -> Structured,
        ),
        ("snapshot.list", other_mode),
    ] {
        let reply = forged(&toolbox, name, run);
        assert_eq!(reply["isError"], true, "{reply}");
        let error = &reply["structuredContent"]["error"];
        assert_eq!(error["code"], "INTERNAL", "{reply}");
        assert!(
            text(&error["message"]).contains("internal error"),
            "{reply}"
        );
    }
}

#[test]
fn of_four_hundred_writes_in_one_go_the_last_one_stays() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let count: i64 = 400;
    let lines: String = (0..count)
        .map(|n| {
            fcp::testing::line(
                n,
                "workspace.write_file",
                json!({ "path": "f", "content": n.to_string() }),
            )
        })
        .collect();
    client.server.write(lines.as_bytes());
    for n in 0..count {
        let reply = client.server.hear();
        assert_eq!(
            (&reply["id"], &reply["result"]["isError"]),
            (&json!(n), &json!(false)),
            "{reply}"
        );
    }
    assert_eq!(repo.text("f"), (count - 1).to_string());
}

#[test]
fn plain_text_changes_the_text_alone() {
    let repo = Repo::r1();
    repo.write("lines", "one\ntwo\nthree\nfour");
    repo.write("z\nsrc/b.ts:7:1:ok", "forged");
    let (mut json_client, mut plain) = (repo.client(), repo.with(&["--text", "plain"]));
    let s0 = json_client.create(&["."]);
    let rejected = "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-nope\n+x\n";
    for (tool, arguments, shown) in [
        (
            "snapshot.list",
            json!({ "snapshot_id": s0 }),
            "café.txt\nlines\nnew.txt\nsrc/\nsrc-x.ts\nz\\nsrc/",
        ),
        (
            "snapshot.list",
            json!({ "snapshot_id": s0, "limit": 2 }),
            "café.txt\nlines\n… truncated, go on with offset: 2",
        ),
        (
            "snapshot.grep",
            json!({ "snapshot_id": s0, "pattern": "forged" }),
            "z\\nsrc/b.ts:7:1:ok:1:1:forged",
        ),
        (
            "snapshot.grep",
            json!({ "snapshot_id": s0, "pattern": "o", "paths": ["lines"], "max_matches": 1 }),
            "lines:1:1:one\n… truncated",
        ),
        (
            "snapshot.grep",
            json!({ "snapshot_id": s0, "pattern": "const a" }),
            "src/a.ts:1:8:export const a = 1;",
        ),
        (
            "snapshot.file",
            json!({ "snapshot_id": s0, "path": "src/a.ts" }),
            "     1  export const a = 1;\n",
        ),
        (
            "snapshot.file",
            json!({ "snapshot_id": s0, "path": "lines", "start_line": 2, "end_line": 3 }),
            "     2  two\n     3  three\n",
        ),
        (
            "snapshot.file",
            json!({ "snapshot_id": s0, "path": "lines", "start_byte": 5 }),
            "wo\nthree\nfour",
        ),
        (
            "snapshot.file",
            json!({ "snapshot_id": s0, "path": "lines", "start_line": 9 }),
            "",
        ),
        (
            "workspace.apply_patch",
            json!({ "snapshot_id": s0, "patch": rejected }),
            "REJECTED: nothing was written\nsrc/a.ts: hunk 0: context_mismatch",
        ),
    ] {
        let (a, b) = (
            json_client.raw(tool, arguments.clone()),
            plain.raw(tool, arguments),
        );
        assert_eq!(a["structuredContent"], b["structuredContent"]);
        assert_eq!(b["content"][0]["text"], shown);
    }
}

#[test]
fn resources_are_what_the_tools_say() {
    let repo = Repo::r1();
    repo.write("bin", "a\0b");
    repo.write("odd/a b?%41#ü+&.txt", "odd\n");
    let mut client = repo.client();
    let templates = client.server.ask("resources/templates/list", json!({}));
    let patterns: Vec<&Value> = templates["result"]["resourceTemplates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|template| &template["uriTemplate"])
        .collect();
    assert_eq!(patterns, ["snapshot://{hex}", "snapshot://{hex}/{+path}"]);
    let made = client.raw("snapshot.create", json!({ "paths": ["."] }));
    let s0 = text(&made["structuredContent"]["snapshot_id"]);
    let link = &made["content"][1];
    assert_eq!(
        (&link["type"], &link["uri"]),
        (
            &json!("resource_link"),
            &json!(format!("snapshot://{}", &s0[7..]))
        )
    );
    let mut read = |uri: String| {
        let reply = client.server.ask("resources/read", json!({ "uri": uri }));
        reply["result"]["contents"][0].clone()
    };
    let manifest = text(&read(text(&link["uri"]))["text"]);
    let preimage = std::fs::read_to_string(repo.state.join("snapshots").join(&s0[7..])).unwrap();
    assert_eq!(preimage.split_once('\n').unwrap().1, manifest);
    assert_eq!(
        read(format!("snapshot://{}/caf%C3%A9.txt", &s0[7..]))["text"],
        "héllo\n"
    );
    assert_eq!(read(format!("snapshot://{}/bin", &s0[7..]))["blob"], "YQBi");
    let odd = "odd/a%20b%3F%2541%23%C3%BC%2B%26.txt";
    let odd = read(format!("snapshot://{}/{odd}", &s0[7..]));
    assert_eq!(odd["text"], "odd\n");
    for lost in ["nothing", "", "src", "src/%FF", "bin?format=tar", "../bin"] {
        let uri = format!("snapshot://{}/{lost}", &s0[7..]);
        assert_eq!(read(uri), Value::Null, "{lost}");
    }
    let json_bundle = text(&read(format!("snapshot://{}?format=json", &s0[7..]))["text"]);
    let tar = read(format!("snapshot://{}?format=tar", &s0[7..]))["blob"].clone();
    let bundle = client.ok(
        "snapshot.export",
        json!({ "snapshot_id": s0, "format": "json" }),
    );
    assert_eq!(decoded(&bundle["bundle"]), json_bundle.into_bytes());
    let bundle = client.ok("snapshot.export", json!({ "snapshot_id": s0 }));
    assert_eq!(text(&bundle["bundle"]), format!("base64:{}", text(&tar)));
    let listed = client.server.ask("resources/list", json!({}));
    assert!(listed.to_string().contains(&s0[7..]));
}

#[test]
fn the_command_line_calls_a_tool() {
    let repo = Repo::r1();
    let call = |arguments: &[&str]| {
        Command::new(PROGRAM)
            .args([
                "--root",
                repo.root.to_str().unwrap(),
                "--state",
                repo.state.to_str().unwrap(),
            ])
            .args(arguments)
            .output()
            .unwrap()
    };
    let good = call(&["call", "snapshot.file", r#"{"path":"new.txt"}"#]);
    assert!(
        good.status.success()
            && String::from_utf8_lossy(&good.stdout).contains(r#""content":"new\n""#)
    );
    let json =
        |output: std::process::Output| -> Value { serde_json::from_slice(&output.stdout).unwrap() };
    let made = json(call(&[
        "call",
        "snapshot.create",
        r#"{"paths":["."],"label":"first"}"#,
    ]));
    let listed = json(call(&["snapshots", "--limit", "5", "--label", "first"]));
    assert_eq!(listed["snapshots"][0]["snapshot_id"], made["snapshot_id"]);
    assert_eq!(json(call(&["snapshots", "--label", "5"]))["total"], 0);
    let other = json(call(&["call", "snapshot.create", r#"{"paths":["src"]}"#]));
    let gone = json(call(&[
        "gc",
        "--keep-days",
        "0",
        "--keep-bytes",
        "0",
        "--dry-run",
    ]));
    assert_eq!(
        (&gone["removed"], &gone["dry_run"]),
        (&json!([other["snapshot_id"]]), &json!(true))
    );
    assert_eq!(json(call(&["snapshots"]))["total"], 2);
    json(call(&["gc", "--keep-days", "0", "--keep-bytes", "0"]));
    assert_eq!(json(call(&["snapshots"]))["total"], 1);
    assert_eq!(call(&["gc", "--keep-days", "x"]).status.code(), Some(1));
    assert_eq!(call(&["gc", "--keep"]).status.code(), Some(2));
    let help = String::from_utf8(call(&["gc", "--help"]).stdout).unwrap();
    assert!(
        help.contains("--keep-days") && help.contains("snapshot.gc"),
        "{help}"
    );
    assert_eq!(
        call(&["call", "snapshot.file", r#"{"path":"x"}"#])
            .status
            .code(),
        Some(1)
    );
    assert_eq!(
        call(&["call", "snapshot.nothing", "{}"]).status.code(),
        Some(2)
    );
    assert_eq!(
        call(&["--text", "loud", "call", "snapshot.list"])
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn a_root_may_have_a_line_end_in_its_name() {
    let mut repo = Repo::r1();
    let root = repo.dir.path().join("ro\not\n");
    std::fs::rename(&repo.root, &root).unwrap();
    repo.root = std::fs::canonicalize(root).unwrap();
    let mut client = repo.client();
    let list = client.ok("snapshot.list", json!({ "repo_root": repo.root }));
    assert_eq!(list["total"], 4);
    let written = client.ok(
        "workspace.write_file",
        json!({ "path": "src/b.ts", "content": "b\n" }),
    );
    client.ok(
        "snapshot.diff",
        json!({ "path": ".", "lease_id": written["lease_id"] }),
    );
    let id = client.create(&["."]);
    repo.write("src/b.ts", "c\n");
    client.ok("snapshot.restore", json!({ "snapshot_id": id }));
    assert_eq!(repo.text("src/b.ts"), "b\n");
    let nested = client.fails(
        "PERMISSION_DENIED",
        "snapshot.list",
        json!({ "path": ".git" }),
    );
    assert!(nested["message"].is_string());
}

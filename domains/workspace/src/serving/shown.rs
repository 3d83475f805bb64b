//! Final steps of replies: a check, text for people, and links to resources.

use fcp::diag::one_line;
use fcp::tool::{Presented, Resource, Structured};
use serde_json::Value;

/// Checks that a reply is of the requested mode. Its schema, which is checked too, says what such a
/// reply has: a snapshot, or a lease.
pub fn verify(tool: &str, arguments: &str, reply: &Structured) -> Option<String> {
    if reply.is_error {
        return None;
    }
    let sent: Value = serde_json::from_str(arguments).unwrap_or_default();
    let reply = reply.value().ok()?;
    let captured =
        sent["mode"] == "snapshot" || (sent["mode"].is_null() && sent["snapshot_id"].is_string());
    let expected = match tool {
        "snapshot.create" | "snapshot.info" | "snapshot.changes" => "immutable",
        "snapshot.restore" | "workspace.lease" => "until_dirty",
        "snapshot.catalog" | "snapshot.gc" | "snapshot.materialize" => return None,
        _ if captured => "immutable",
        _ => "until_dirty",
    };
    let hint = reply["cache_hint"].as_str().unwrap_or("no cache_hint");
    (hint != expected).then(|| format!("{tool} answered with cache_hint {hint}, not {expected}"))
}

/// The text next to structured content, and links to resources.
pub fn present(plain: bool, tool: &str, arguments: &str, reply: &Structured) -> Presented {
    let mut shown = Presented::default();
    let linked = matches!(tool, "snapshot.create" | "snapshot.export") && !reply.is_error;
    if !plain && !linked {
        return shown;
    }
    let Ok(value) = reply.value() else {
        return shown;
    };
    if linked
        && let Some(hex) = value["snapshot_id"]
            .as_str()
            .and_then(|id| id.strip_prefix("sha256:"))
    {
        shown.links.push(Resource {
            uri: value["uri"]
                .as_str()
                .map_or_else(|| format!("snapshot://{hex}"), str::to_owned),
            name: hex.chars().take(12).collect(),
            about: "The snapshot of this reply.".to_owned(),
            mime: if value["format"] == "tar" {
                "application/x-tar"
            } else {
                "application/json"
            },
        });
    }
    if plain {
        shown.text = text(tool, arguments, &value).map(|text| text + &rest(&value));
    }
    shown
}

/// The line that tells that a reply is cut, and how to go on.
fn rest(reply: &Value) -> String {
    if reply["truncated"] != true {
        return String::new();
    }
    let places = [
        ("next_offset", "offset"),
        ("next_path", "from"),
        ("next_start_line", "start_line"),
        ("next_start_byte", "start_byte"),
    ];
    let next = places.iter().find_map(|(key, argument)| {
        let value = [&reply[*key], &reply["range"][*key]];
        let value = value.into_iter().find(|value| !value.is_null())?;
        Some(format!(", go on with {argument}: {value}"))
    });
    format!("\n… truncated{}", next.unwrap_or_default())
}

fn text(tool: &str, arguments: &str, reply: &Value) -> Option<String> {
    let each = |key: &str, line: &dyn Fn(&Value) -> String| -> Option<String> {
        let lines: Vec<String> = reply[key].as_array()?.iter().map(line).collect();
        Some(lines.join("\n"))
    };
    let word = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    // A name must not forge a line.
    let name = |value: &Value| one_line(value.as_str().unwrap_or_default()).into_owned();
    if let Some(error) = reply.get("error") {
        return Some(format!(
            "{}: {}",
            word(&error["code"]),
            word(&error["message"])
        ));
    }
    match tool {
        "snapshot.list" => each("entries", &|entry| {
            name(&entry["path"]) + if entry["type"] == "dir" { "/" } else { "" }
        }),
        "snapshot.grep" => each("matches", &|found| {
            format!(
                "{}:{}:{}:{}",
                name(&found["path"]),
                found["line"],
                found["col"],
                word(&found["text"])
            )
        }),
        "snapshot.diff" => Some(word(&reply["diff"])),
        "snapshot.file" if reply["encoding"] == "utf-8" => {
            let content = reply["content"].as_str()?;
            let sent: Value = serde_json::from_str(arguments).unwrap_or_default();
            if sent["start_byte"].as_f64().is_some_and(|at| at > 0.0) {
                // A part of bytes has no line numbers.
                return Some(content.to_owned());
            }
            let first = sent["start_line"].as_f64().unwrap_or(1.0) as u64;
            let lines = (first..).zip(content.split_inclusive('\n'));
            Some(lines.map(|(at, line)| format!("{at:>6}  {line}")).collect())
        }
        "workspace.apply_patch" | "workspace.edit" if reply["status"] != "applied" => {
            let first = match reply["status"].as_str() {
                Some("rejected") => "REJECTED: nothing was written",
                _ => "PARTIAL: some files were not written",
            };
            let rejects = each("rejects", &|file| {
                let hunks = file["hunks"].as_array().into_iter().flatten();
                let hunks =
                    hunks.map(|hunk| format!("hunk {}: {}", hunk["index"], word(&hunk["reason"])));
                format!(
                    "{}: {}",
                    name(&file["path"]),
                    hunks.collect::<Vec<_>>().join(", ")
                )
            });
            Some(format!("{first}\n{}", rejects.unwrap_or_default()))
        }
        _ => None,
    }
}

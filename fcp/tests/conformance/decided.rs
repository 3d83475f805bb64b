//! A way to break a server for each of D1 to D28.

use serde_json::{Value, json};

use crate::line::{Fault, Line, argument, erring, failed, ops, refusing, text, tool, with_text};

const fn fault(
    row: &'static str,
    how: &'static str,
    tamper: fn(&mut Line, &Value) -> Option<Value>,
) -> Fault {
    Fault { row, how, tamper }
}

/// A reply, with its text changed.
fn altered(line: &mut Line, message: &Value, change: impl Fn(&str) -> String) -> Value {
    let answer = line.pass(message);
    let changed = change(text(&answer));
    with_text(answer, changed)
}

/// The list of tools, with each tool changed.
fn each(line: &mut Line, message: &Value, change: fn(&mut Value)) -> Option<Value> {
    let listing = message["method"] == "tools/list";
    listing.then(|| {
        let mut answer = line.pass(message);
        answer["result"]["tools"]
            .as_array_mut()
            .into_iter()
            .flatten()
            .for_each(change);
        answer
    })
}

pub const FAULTS: &[Fault] = &[
    fault("D1", "a tool nobody has is answered", |line, message| {
        let known = [
            "board",
            "fcp_edit",
            "board_query",
            "fcp_query",
            "board_session",
            "fcp_session",
            "board_help",
            "fcp_help",
        ];
        let unknown = message["method"] == "tools/call" && !known.contains(&tool(message));
        unknown.then(|| line.call("board_help", json!({})))
    }),
    fault("D2", "ops as one text are refused", |line, message| {
        let one = message["params"]["arguments"]["ops"].is_string();
        one.then(|| refusing(line.call("board_help", json!({}))))
    }),
    fault("D3", "batch stop goes on", |line, message| {
        let mut all = ops(message);
        let stops = all.first().is_some_and(|op| op == "batch stop");
        stops.then(|| {
            all[0] = "batch isolate".to_owned();
            line.with(message, "ops", json!(all))
        })
    }),
    fault(
        "D3",
        "an op that needs a failed one does not say why",
        |line, message| {
            (ops(message).len() > 1)
                .then(|| altered(line, message, |text| text.replace("needs op", "lacks op")))
        },
    ),
    fault(
        "D4",
        "amend finds a batch where none is held",
        |line, message| {
            let amends = ops(message)
                .first()
                .is_some_and(|op| op.starts_with("amend 2"));
            amends.then(|| {
                let answer = line.pass(message);
                if failed(&answer) {
                    erring(with_text(answer, "= nothing"), false)
                } else {
                    answer
                }
            })
        },
    ),
    fault("D5", "a setting is a step of the log", |line, message| {
        if argument(message, "action").starts_with("set ") {
            line.kept.insert("set", String::new());
        }
        let shown = argument(message, "q").starts_with("history") && line.kept.contains_key("set");
        shown.then(|| altered(line, message, |text| format!("{text}\n  0  set")))
    }),
    fault("D6", "checkpoint answers +", |line, message| {
        let names = argument(message, "action").starts_with("checkpoint");
        names.then(|| altered(line, message, |text| text.replacen("* ", "+ ", 1)))
    }),
    fault(
        "D6",
        "an op that changes nothing is in the history",
        |line, message| {
            if ops(message).iter().any(|op| op == "gaze") {
                line.kept.insert("gaze", String::new());
            }
            let shown =
                argument(message, "q").starts_with("history") && line.kept.contains_key("gaze");
            shown.then(|| altered(line, message, |text| format!("{text}\n  1  gaze")))
        },
    ),
    fault("D7", "a digest follows save", |line, message| {
        let saves = argument(message, "action").starts_with("save as:");
        saves.then(|| {
            altered(line, message, |text| {
                format!("{text}\n[1l 0c refs:0 #123456]")
            })
        })
    }),
    fault(
        "D7",
        "undo answers the digest of before",
        |line, message| {
            let ends = |answer: &Value| text(answer).lines().next_back().map(str::to_owned);
            let answer = (message["method"] == "tools/call").then(|| line.pass(message))?;
            let last = ends(&answer).filter(|last| last.starts_with('['));
            let Some(now) = last.filter(|_| !tool(message).ends_with("query")) else {
                return Some(answer);
            };
            let before = line.kept.insert("digest", now.clone());
            let stale = before.filter(|_| argument(message, "action").starts_with("undo"));
            let changed = stale.map(|before| text(&answer).replace(&now, &before));
            Some(match changed {
                Some(changed) => with_text(answer, changed),
                None => answer,
            })
        },
    ),
    fault("D8", "warnings come before their op", |line, message| {
        (tool(message) == "board").then(|| {
            altered(line, message, |text| {
                let (first, rest): (Vec<&str>, Vec<&str>) =
                    text.lines().partition(|line| line.starts_with("? "));
                [first, rest].concat().join("\n")
            })
        })
    }),
    fault("D8", "a hidden warning is shown", |line, message| {
        let hides = argument(message, "action").starts_with("set warn:-");
        hides.then(|| line.with(message, "action", json!("set batch:atomic")))
    }),
    fault("D9", "a list has no pages", |line, message| {
        let query = argument(message, "q");
        let page = query.ends_with(" limit:1");
        page.then(|| line.with(message, "q", json!(query.trim_end_matches(" limit:1"))))
    }),
    fault("D10", "find cuts its text into words", |line, message| {
        let open = argument(message, "q") == "find \"no end";
        open.then(|| refusing(line.pass(message)))
    }),
    fault("D11", "the card is too long", |line, message| {
        each(line, message, |tool| {
            if tool["name"] == "board" {
                let long = format!(
                    "{}\n{}",
                    tool["description"].as_str().unwrap(),
                    " ".repeat(2048)
                );
                tool["description"] = json!(long);
            }
        })
    }),
    // For this row, the server of the tests prints another codebook.
    fault("D12", "the subcommand prints another codebook", |_, _| None),
    fault("D13", "close drops unsaved changes", |line, message| {
        let closes = argument(message, "action") == "close" && tool(message) == "board_session";
        closes.then(|| line.with(message, "action", json!("close discard")))
    }),
    fault("D14", "an arrow goes to the end", |line, message| {
        let drawn = ops(message).iter().any(|op| op.contains(" <-> "));
        drawn.then(|| {
            altered(line, message, |text| {
                text.replace("Hang <-> Paint", "Hang Paint <->")
            })
        })
    }),
    fault("D15", "a verb has one name", |line, message| {
        let other = ops(message).iter().any(|op| op.starts_with("wire "));
        other.then(|| refusing(line.pass(message)))
    }),
    fault("D16", "a key has one name", |line, message| {
        let other = ops(message).iter().any(|op| op.contains(" why:"));
        other.then(|| refusing(line.pass(message)))
    }),
    fault(
        "D17",
        "the beginning of a name is enough to delete",
        |line, message| {
            let all = ops(message);
            let part = matches!(all.as_slice(), [op] if op.starts_with("remove ") && op.ends_with(" Qvon"));
            part.then(|| line.with(message, "ops", json!(["remove Qvonk"])))
        },
    ),
    fault("D17", "a misspelt type is every type", |line, message| {
        let wide = argument(message, "q") == "list @type:zzqx";
        wide.then(|| line.with(message, "q", json!("list")))
    }),
    fault(
        "D18",
        "a call of which something was done is an error",
        |line, message| {
            (tool(message) == "board" || tool(message) == "fcp_edit").then(|| {
                let answer = line.pass(message);
                let part = text(&answer).lines().any(|line| line.starts_with("! "));
                let error = part || failed(&answer);
                erring(answer, error)
            })
        },
    ),
    fault("D19", "an argument doc is shown", |line, message| {
        each(line, message, |tool| {
            tool["inputSchema"]["properties"]["doc"] = json!({ "type": "string" });
        })
    }),
    fault("D20", "a limit is not named", |line, message| {
        let long = ops(message).iter().any(|op| op.len() > 1000);
        long.then(|| {
            altered(line, message, |text| {
                let digest = text.lines().next_back().unwrap_or_default();
                format!("! too long\n{digest}")
            })
        })
    }),
    fault(
        "D21",
        "save writes over what changed on disk",
        |line, message| {
            let saves = argument(message, "action") == "save";
            saves.then(|| {
                let answer = line.pass(message);
                if text(&answer).contains("force") {
                    line.with(message, "action", json!("save force"))
                } else {
                    answer
                }
            })
        },
    ),
    fault("D22", "results are structured", |line, message| {
        (message["method"] == "tools/call").then(|| {
            let mut answer = line.pass(message);
            if let Some(result) = answer.get_mut("result") {
                result["structuredContent"] = json!({});
            }
            answer
        })
    }),
    fault("D23", "a tool shows an output schema", |line, message| {
        each(line, message, |tool| {
            tool["outputSchema"] = json!({ "type": "object" });
        })
    }),
    fault("D24", "save is not a checkpoint", |line, message| {
        let back = argument(message, "action") == "undo to:save";
        back.then(|| refusing(line.with(message, "action", json!("status"))))
    }),
    fault(
        "D25",
        "results are in another order than ops",
        |line, message| {
            let many = tool(message) == "board" && ops(message).len() > 1;
            many.then(|| {
                altered(line, message, |text| {
                    let mut all: Vec<&str> = text.lines().collect();
                    if !text.contains("! ") {
                        all.swap(0, 1);
                    }
                    all.join("\n")
                })
            })
        },
    ),
    fault(
        "D26",
        "what is set aside is dropped silently",
        |line, message| {
            let begins = argument(message, "action").starts_with("new");
            begins.then(|| {
                altered(line, message, |text| {
                    text.lines()
                        .filter(|line| !line.starts_with('?'))
                        .collect::<Vec<_>>()
                        .join("\n")
                })
            })
        },
    ),
    fault(
        "D27",
        "the suggested repair does not work",
        |line, message| {
            (tool(message) == "board").then(|| {
                altered(line, message, |text| {
                    text.replace("try: ! new", "try: ! nwe")
                })
            })
        },
    ),
    fault("D28", "what was undone is recent still", |line, message| {
        if argument(message, "action") == "undo" {
            line.kept.insert("undone", String::new());
        }
        if argument(message, "q") != "list @recent:1ops" {
            return None;
        }
        let answer = line.pass(message);
        let stale = line
            .kept
            .get("recent")
            .cloned()
            .filter(|_| line.kept.contains_key("undone"));
        line.kept.insert("recent", text(&answer).to_owned());
        Some(match stale {
            Some(stale) => with_text(answer, stale),
            None => answer,
        })
    }),
];

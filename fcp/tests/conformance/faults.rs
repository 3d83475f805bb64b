//! A way to break a server for each row.

use serde_json::{Value, json};

use crate::line::{Fault, Line, argument, erring, failed, ops, refusing, text, tool, with_text};

const fn fault(
    row: &'static str,
    how: &'static str,
    tamper: fn(&mut Line, &Value) -> Option<Value>,
) -> Fault {
    Fault { row, how, tamper }
}

/// The codebook, changed.
fn book(line: &mut Line, message: &Value, change: fn(&mut Value)) -> Option<Value> {
    if message["method"] != "resources/read" {
        return None;
    }
    let mut answer = line.pass(message);
    let place = &mut answer["result"]["contents"][0]["text"];
    let mut book: Value = serde_json::from_str(place.as_str()?).ok()?;
    change(&mut book);
    *place = json!(book.to_string());
    Some(answer)
}

/// The list of tools, changed.
fn tools(line: &mut Line, message: &Value, change: fn(&mut Value)) -> Option<Value> {
    let listing = message["method"] == "tools/list";
    listing.then(|| {
        let mut answer = line.pass(message);
        change(&mut answer["result"]["tools"]);
        answer
    })
}

/// The lines of a reply, changed if `wanted`.
fn lines(
    line: &mut Line,
    message: &Value,
    wanted: bool,
    change: fn(Vec<&str>) -> Vec<String>,
) -> Option<Value> {
    wanted.then(|| {
        let answer = line.pass(message);
        let changed = change(text(&answer).lines().collect()).join("\n");
        with_text(answer, changed)
    })
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

pub const FAULTS: &[Fault] = &[
    fault("M1", "five tools are listed", |line, message| {
        tools(line, message, |tools| {
            tools
                .as_array_mut()
                .unwrap()
                .push(json!({ "name": "board_more", "inputSchema": {} }));
        })
    }),
    fault("M2", "a quote without an end is taken", |line, message| {
        let open = ops(message).iter().any(|op| op.contains("\"unterminated"));
        open.then(|| erring(with_text(line.pass(message), "= nothing"), false))
    }),
    fault(
        "M3",
        "a second path is saved to in words only",
        |line, message| {
            let saves = argument(message, "action").starts_with("save as:");
            if saves && line.kept.contains_key("saved") {
                let answer = line.call("board_session", json!({ "action": "status" }));
                return Some(with_text(answer, "* Saved"));
            }
            let answer = saves.then(|| line.pass(message))?;
            if !failed(&answer) {
                line.kept.insert("saved", String::new());
            }
            Some(answer)
        },
    ),
    fault(
        "M4",
        "an op does not cut what can be redone",
        |line, message| {
            if argument(message, "action") == "redo" {
                let answer = line.pass(message);
                let undone = line.kept.get("undone").cloned();
                return Some(match undone.filter(|_| failed(&answer)) {
                    Some(op) => line.call("board", json!({ "ops": [op] })),
                    None => answer,
                });
            }
            if argument(message, "action") == "undo" {
                let last = line.kept.get("op").cloned().unwrap_or_default();
                line.kept.insert("undone", last);
            }
            if let [op] = ops(message).as_slice() {
                line.kept.insert("op", op.clone());
            }
            None
        },
    ),
    fault(
        "M5",
        "what stats counts does not follow undo",
        |line, message| {
            if argument(message, "action").starts_with("undo") {
                line.kept.insert("undone", String::new());
            }
            let stale = argument(message, "q") == "stats" && line.kept.contains_key("undone");
            stale.then(|| {
                let answer = line.pass(message);
                let more = format!("{}\nstale: 1", text(&answer));
                with_text(answer, more)
            })
        },
    ),
    fault(
        "M6",
        "plan does what it should foretell",
        |line, message| {
            let op = argument(message, "q").strip_prefix("plan ")?;
            let op = op.split(';').next()?.to_owned();
            let answer = line.pass(message);
            line.call("board", json!({ "ops": [op] }));
            Some(answer)
        },
    ),
    fault(
        "M7",
        "an op of an unknown verb is ignored",
        |line, message| {
            let [_] = ops(message).as_slice() else {
                return None;
            };
            let answer = line.pass(message);
            let digest = text(&answer).lines().next_back()?.to_owned();
            let unknown = text(&answer).starts_with("! Unknown verb");
            Some(if unknown {
                erring(with_text(answer, format!("= nothing\n{digest}")), false)
            } else {
                answer
            })
        },
    ),
    fault("S1", "the card shows no selectors", |line, message| {
        tools(line, message, |tools| {
            let card = tools[0]["description"]
                .as_str()
                .unwrap()
                .replace("@", "")
                .replace("many", "@ many");
            tools[0]["description"] = json!(card);
        })
    }),
    fault(
        "S2",
        "a deletion is reported as a change",
        |line, message| {
            let wanted = tool(message) == "board";
            lines(line, message, wanted, |lines| {
                lines
                    .iter()
                    .map(|line| {
                        line.strip_prefix("- ")
                            .map_or((*line).to_owned(), |rest| format!("* {rest}"))
                    })
                    .collect()
            })
        },
    ),
    fault(
        "S3",
        "no digest follows an op that fails",
        |line, message| {
            let [_] = ops(message).as_slice() else {
                return None;
            };
            let answer = line.pass(message);
            if !failed(&answer) || !text(&answer).ends_with(']') {
                return Some(answer);
            }
            let rest = text(&answer).rsplit_once('\n')?.0.to_owned();
            Some(with_text(answer, rest))
        },
    ),
    fault(
        "S4",
        "for an unknown verb nothing is suggested",
        |line, message| {
            let wanted = ops(message).len() == 1;
            lines(line, message, wanted, |lines| {
                let unknown = lines[0].starts_with("! Unknown verb");
                owned(
                    &lines
                        .into_iter()
                        .filter(|line| !(unknown && line.starts_with("  try:")))
                        .collect::<Vec<_>>(),
                )
            })
        },
    ),
    fault(
        "S5",
        "a batch that is rolled back leaves its first op",
        |line, message| {
            let all = ops(message);
            let answer = (all.len() > 1).then(|| line.pass(message))?;
            if text(&answer).contains("rolled back") {
                line.call("board", json!({ "ops": [all[0]] }));
            }
            Some(answer)
        },
    ),
    fault(
        "S5",
        "a batch that is rolled back is in the history",
        |line, message| {
            if ops(message).len() > 1 {
                let answer = line.pass(message);
                if text(&answer).contains("rolled back") {
                    line.kept.insert("rolled", String::new());
                }
                return Some(answer);
            }
            let is_shown =
                argument(message, "q").starts_with("history") && line.kept.contains_key("rolled");
            lines(line, message, is_shown, |lines| {
                [owned(&lines), vec!["  1  zzqx".to_owned()]].concat()
            })
        },
    ),
    fault(
        "S6",
        "a name is still known when its row is undone",
        |line, message| {
            if !argument(message, "q").starts_with("describe ") {
                return None;
            }
            let answer = line.pass(message);
            if !failed(&answer) {
                line.kept.insert("row", text(&answer).to_owned());
                return Some(answer);
            }
            let known = line
                .kept
                .get("row")
                .cloned()
                .filter(|_| argument(message, "q") == "describe Qvonk");
            Some(match known {
                Some(row) => erring(with_text(answer, row), false),
                None => answer,
            })
        },
    ),
    fault("S7", "history begins with the newest", |line, message| {
        let wanted = argument(message, "q") == "history 2";
        lines(line, message, wanted, |lines| {
            owned(&lines.into_iter().rev().collect::<Vec<_>>())
        })
    }),
    fault(
        "O1",
        "an action of its own takes a quote without an end",
        |line, message| {
            let open = argument(message, "action").ends_with("\"no end")
                && !argument(message, "action").starts_with("open");
            open.then(|| erring(with_text(line.pass(message), "+ done"), false))
        },
    ),
    fault(
        "O2",
        "a selector nobody has selects everything",
        |line, message| {
            let wide = argument(message, "q").starts_with("list @zzqx");
            wide.then(|| line.with(message, "q", json!("list @all")))
        },
    ),
    fault(
        "O2",
        "a negated selector is taken without its not",
        |line, message| {
            let query = argument(message, "q");
            let own = query.contains("@not:")
                && !["@not:not", "@not:all", "@not:type"]
                    .iter()
                    .any(|word| query.contains(word));
            own.then(|| line.with(message, "q", json!(query.replace("@not:", "@"))))
        },
    ),
    fault(
        "O3",
        "an arrow with two heads is refused",
        |line, message| {
            let both = ops(message).iter().any(|op| op.contains(" <-> "));
            both.then(|| refusing(line.pass(message)))
        },
    ),
    fault(
        "O4",
        "the codebook does not show what was defined",
        |line, message| {
            if ops(message).iter().any(|op| op.starts_with("define ")) {
                line.kept.insert("defined", String::new());
            }
            if message["method"] != "resources/read" {
                return None;
            }
            let mut answer = line.pass(message);
            let place = &mut answer["result"]["contents"][0]["text"];
            if line.kept.contains_key("defined") {
                *place = json!(line.kept.get("book"));
            } else {
                line.kept.insert("book", place.as_str()?.to_owned());
            }
            Some(answer)
        },
    ),
    fault(
        "O5",
        "a query nobody has is answered with nothing",
        |line, message| {
            let unknown = argument(message, "q").starts_with("zzqx");
            unknown.then(|| erring(with_text(line.pass(message), "nothing"), false))
        },
    ),
    fault("O6", "the codebook describes no verb", |line, message| {
        book(line, message, |book| {
            for verb in book["schema_map"]["verbs"].as_array_mut().unwrap() {
                verb["summary"] = json!("");
            }
        })
    }),
    fault(
        "F2",
        "the content map does not follow the document",
        |line, message| book(line, message, |book| book["content_map"] = json!({})),
    ),
    fault("F3.1", "op:open knows no file", |line, message| {
        let opens = tool(message) == "fcp_session" && !argument(message, "file").is_empty();
        opens.then(|| refusing(line.pass(message)))
    }),
    fault("F3.2", "fcp_help shows no workflow", |line, message| {
        let wanted = tool(message) == "fcp_help";
        lines(line, message, wanted, |lines| {
            owned(
                &lines
                    .into_iter()
                    .filter(|line| !line.trim().starts_with("! save"))
                    .collect::<Vec<_>>(),
            )
        })
    }),
    fault(
        "F3.3",
        "describe names a row and no more",
        |line, message| {
            let wanted =
                tool(message) == "fcp_query" && argument(message, "q") == "describe @recent";
            lines(line, message, wanted, |lines| owned(&lines[..1]))
        },
    ),
    fault(
        "F3.4",
        "fcp_edit confirms the last op alone",
        |line, message| {
            let wanted = tool(message) == "fcp_edit" && !ops(message).iter().any(|op| op == "zzqx");
            lines(line, message, wanted, |lines| {
                owned(&lines[lines.len().saturating_sub(2)..])
            })
        },
    ),
    fault("F3.5", "a path ends at its first blank", |line, message| {
        let path = argument(message, "as");
        let cut = tool(message) == "fcp_session" && path.contains(' ');
        cut.then(|| line.with(message, "as", json!(path.replace(' ', "-"))))
    }),
    fault("F4.1", "fcp_session closes nothing", |line, message| {
        let closes = tool(message) == "fcp_session" && argument(message, "action") == "close";
        closes.then(|| line.with(message, "action", json!("status")))
    }),
    fault("F4.2", "fcp_query knows no diff", |line, message| {
        let diff = tool(message) == "fcp_query" && argument(message, "q").starts_with("diff");
        diff.then(|| refusing(line.pass(message)))
    }),
    fault("F4.3", "fcp_edit rolls back", |line, message| {
        (tool(message) == "fcp_edit")
            .then(|| line.call("board", message["params"]["arguments"].clone()))
    }),
    fault("F4.4", "help shows no settings", |line, message| {
        let wanted = tool(message) == "board_help";
        lines(line, message, wanted, |lines| {
            owned(
                &lines
                    .into_iter()
                    .filter(|line| {
                        !line.trim().starts_with("batch") && !line.trim().starts_with("warn")
                    })
                    .collect::<Vec<_>>(),
            )
        })
    }),
    fault(
        "F5",
        "an example is not answered as it is shown",
        |line, message| {
            let links = |op: &String| op.lines().any(|line| line.starts_with("link"));
            let wanted = tool(message) == "board" && ops(message).iter().any(links);
            lines(line, message, wanted, |lines| {
                lines
                    .iter()
                    .map(|line| line.replace(" -> ", " to "))
                    .collect()
            })
        },
    ),
    fault("F5.1", "there is no copy", |line, message| {
        book(line, message, |book| {
            book["schema_map"]["verbs"]
                .as_array_mut()
                .unwrap()
                .retain(|verb| verb["phrase"] != "copy");
        })
    }),
    fault(
        "F5.2",
        "of two selectors the second is ignored",
        |line, message| {
            let query = argument(message, "q");
            let both = query.starts_with("list @type:") && query.contains(" @recent");
            both.then(|| line.with(message, "q", json!(query.replace(" @recent", ""))))
        },
    ),
    fault(
        "F5.3",
        "the beginning of a name is not enough",
        |line, message| {
            let begins = argument(message, "q") == "describe Qvon";
            begins.then(|| refusing(line.pass(message)))
        },
    ),
    fault("F6", "a digest is nothing but a hash", |line, message| {
        let wanted = message["method"] == "tools/call" && !tool(message).ends_with("help");
        lines(line, message, wanted, |lines| {
            let short = |line: &str| match line.rsplit_once('#') {
                Some((_, hash)) if line.starts_with('[') => format!("[#{hash}"),
                _ => line.to_owned(),
            };
            lines.into_iter().map(short).collect()
        })
    }),
    fault("F7", "warnings shows none", |line, message| {
        let asked = argument(message, "q") == "warnings";
        asked.then(|| with_text(line.pass(message), "no warnings"))
    }),
];

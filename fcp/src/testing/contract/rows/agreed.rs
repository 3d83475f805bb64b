//! D1, D2, D11, D12, D15, D16, D19, D22, D23: the protocol, and the server's descriptions.

use serde_json::{Value, json};

use super::Row;
use crate::script::Call;
use crate::testing::contract::case::{Case, send};
use crate::testing::contract::known::{Example, NONSENSE};
use crate::testing::contract::verdict::{Proved, fail, holds, none, unproved};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "D1",
        rule: "The four fcp_* names are answered too, unlisted; --tool-names fcp lists them instead.",
        proof: "A call by each of the eight names; tools/list without and with the flag.",
        restated: &["M1"],
        prove: names,
    },
    Row {
        id: "D2",
        rule: "The schemas show ops, q, action and topic; ops as text or JSON text, op, and op + file + as are taken too.",
        proof: "The same ops in four forms leave the same digest; actions in both forms; no other argument is in a schema.",
        restated: &["M1", "F3.1", "F3.5", "D19"],
        prove: arguments,
    },
    Row {
        id: "D11",
        rule: "The compact card has at most 2,048 bytes and names all there is; help covers it all in 12 KB, a topic in 4 KB, an unknown one in 300 bytes; --help prints the long card, help all.",
        proof: "Its length; batch, amend, plan and resume in it; a topic that is a part; an unknown topic is an error; --help holds the card.",
        restated: &["S1", "F3.2", "F4.4"],
        prove: cards,
    },
    Row {
        id: "D12",
        rule: "The codebook is the resource fcp://DOMAIN/codebook and what the subcommand codebook prints.",
        proof: "Both are JSON with the same schema map.",
        restated: &["F2"],
        prove: codebook,
    },
    Row {
        id: "D15",
        rule: "Short forms and add TYPE are the same verb.",
        proof: "Examples of verbs with aliases are sent by each alias: the digest is the same.",
        restated: &["D16"],
        prove: aliases,
    },
    Row {
        id: "D16",
        rule: "A key may have other names; the card shows the short one.",
        proof: "Examples are sent with each key by its other names: the digest is the same.",
        restated: &["D15"],
        prove: keys,
    },
    Row {
        id: "D19",
        rule: "A document belongs to the connection that opened it; no argument doc is shown if none is needed.",
        proof: "A second connection has no document while the first has; no schema shows doc.",
        restated: &["D2"],
        prove: connections,
    },
    Row {
        id: "D22",
        rule: "Results are text; what is binary follows in blocks of its own.",
        proof: "The first block of every reply of the four tools is text, and none has structured content.",
        restated: &[],
        prove: text,
    },
    Row {
        id: "D23",
        rule: "Structured tools have JSON Schema in and out, and are another kind of server.",
        proof: "None of the four tools shows an output schema.",
        restated: &["M1"],
        prove: structured,
    },
];

fn names(case: &Case<'_>) -> Proved {
    let op = &case.good(1)?[0];
    let domain = &case.known.domain;
    let mut digests = Vec::new();
    for prefix in [None, Some("fcp")] {
        let tool = |kind: &str| match (prefix, kind) {
            (None, "edit") => domain.clone(),
            (prefix, kind) => format!("{}_{kind}", prefix.unwrap_or(domain)),
        };
        let mut talk = case.bare()?;
        talk.call(&tool("session"), json!({ "action": case.known.new }))?
            .good()?;
        digests.push(
            talk.call(&tool("edit"), json!({ "ops": [op] }))?
                .good()?
                .digested()?,
        );
        talk.call(&tool("query"), json!({ "q": "map" }))?.good()?;
        talk.call(&tool("help"), json!({}))?.good()?;
        let unknown = talk.call(&tool(NONSENSE), json!({}))?;
        holds!(
            unknown.error,
            "an unknown tool is answered: {}",
            unknown.text
        );
    }
    holds!(
        digests.first() == digests.last(),
        "by the two names an op leaves {digests:?}"
    );
    let listed = |arguments: &[&str]| -> Result<Vec<String>, super::super::verdict::Stop> {
        let list = case
            .with(arguments)?
            .request("tools/list", json!({}))?
            .map_err(fail)?;
        let tools = list["tools"].as_array().cloned().unwrap_or_default();
        let mut names: Vec<String> = tools
            .iter()
            .filter_map(|tool| tool["name"].as_str())
            .map(str::to_owned)
            .collect();
        names.sort_unstable();
        Ok(names)
    };
    let own = listed(&[])?;
    holds!(
        !own.iter().any(|name| name.starts_with("fcp_")),
        "fcp_ names are listed: {}",
        own.join(", ")
    );
    let general = listed(&["--tool-names", "fcp"])?;
    holds!(
        general == ["fcp_edit", "fcp_help", "fcp_query", "fcp_session"],
        "--tool-names fcp lists {}",
        general.join(", ")
    );
    Ok(())
}

fn arguments(case: &Case<'_>) -> Proved {
    for tool in &case.known.tools {
        let shown = tool["inputSchema"]["properties"].as_object();
        let strange = shown
            .into_iter()
            .flat_map(|map| map.keys())
            .find(|key| !["ops", "q", "action", "topic"].contains(&key.as_str()));
        holds!(
            strange.is_none(),
            "{} shows an argument {}",
            tool["name"],
            strange.map_or("", String::as_str)
        );
    }
    let op = &case.good(1)?[0];
    let domain = &case.known.domain;
    let plain = case.fresh()?.does(&[op])?.digested()?;
    for arguments in [
        json!({ "ops": op }),
        json!({ "ops": json!([op]).to_string() }),
        json!({ "op": op }),
    ] {
        let now = case
            .fresh()?
            .call(domain, arguments.clone())?
            .good()?
            .digested()?;
        holds!(now == plain, "{arguments} leaves {now}, not {plain}");
    }
    let mut talk = case.fresh()?;
    talk.does(&[op])?;
    let session = format!("{domain}_session");
    let path = format!("with spaces {}", case.known.file);
    talk.call(&session, json!({ "op": "save", "as": path }))?
        .good()?;
    holds!(
        case.folder().join(&path).is_file(),
        "op:save as:{path:?} wrote no such file"
    );
    for key in ["file", "path"] {
        let now = talk
            .call(&session, json!({ "op": "open", key: path }))?
            .good()?
            .digested()?;
        holds!(
            now == plain,
            "op:open {key}:{path:?} gives {now}, not {plain}"
        );
    }
    Ok(())
}

fn cards(case: &Case<'_>) -> Proved {
    let card = case.known.card();
    holds!(
        card.len() <= 2048,
        "the compact card has {} bytes",
        card.len()
    );
    for word in [
        "batch",
        "amend",
        "plan",
        "resume",
        "undo",
        "redo",
        "checkpoint",
    ] {
        holds!(card.contains(word), "the compact card lacks {word}");
    }
    let mut talk = case.bare()?;
    let whole = talk.help(None)?.good()?.text;
    let topic = case
        .known
        .good
        .first()
        .and_then(|op| op.split(' ').next())
        .unwrap_or("selectors");
    for topic in [topic, "selectors"] {
        let part = talk.help(Some(topic))?.good()?;
        holds!(
            part.text.len() <= 4096,
            "help on {topic} has {} bytes",
            part.text.len()
        );
        holds!(
            part.text.len() < whole.len(),
            "help on {topic} is not shorter than all of help"
        );
    }
    holds!(whole.len() <= 12 * 1024, "help has {} bytes", whole.len());
    let unknown = talk.help(Some(NONSENSE))?.bad()?;
    holds!(
        unknown.text.len() <= 300,
        "an unknown topic is answered in {} bytes",
        unknown.text.len()
    );
    let whole = talk.help(Some("all"))?.good()?.text;
    match case.target.print(case.folder(), &["--help"]) {
        None => Ok(()),
        Some(Err(problem)) => Err(fail(format!("--help: {problem}"))),
        Some(Ok(printed)) => {
            holds!(
                printed.contains(whole.trim()),
                "--help does not print the full card"
            );
            Ok(())
        }
    }
}

fn codebook(case: &Case<'_>) -> Proved {
    let Some(book) = &case.known.codebook else {
        return Err(fail("there is no resource codebook"));
    };
    holds!(
        book["schema_map"].is_object(),
        "the codebook has no schema_map"
    );
    holds!(
        book.get("content_map").is_some(),
        "the codebook has no content_map"
    );
    // Requested again, so that the exchange is listed under the row.
    let mut talk = case.bare()?;
    let uri = format!("fcp://{}/codebook", case.known.domain);
    talk.request("resources/read", json!({ "uri": uri }))?
        .map_err(fail)?;
    match case.target.print(case.folder(), &["codebook"]) {
        None => Ok(()),
        Some(Err(problem)) => Err(fail(format!("the subcommand codebook: {problem}"))),
        Some(Ok(text)) => {
            let printed: Value = serde_json::from_str(&text)
                .map_err(|_| fail("the subcommand codebook prints no JSON"))?;
            holds!(
                printed["schema_map"] == book["schema_map"],
                "the subcommand codebook prints another schema map than the resource"
            );
            Ok(())
        }
    }
}

/// Checks that an example leaves the same digest with its op spelled differently.
fn spelt(case: &Case<'_>, example: &Example, op: &str, other: &str) -> Proved {
    let plain = case.before(example)?.does(&[op])?.digested()?;
    let now = case.before(example)?.does(&[other])?.digested()?;
    holds!(now == plain, "{other} leaves {now}, {op} leaves {plain}");
    Ok(())
}

/// The number of spellings tried; all are read by the same code, so this many suffice.
const SPELLINGS: usize = 24;

fn aliases(case: &Case<'_>) -> Proved {
    case.booked()?;
    let mut tried = 0;
    for verb in case.known.map("verbs") {
        let phrase = verb["phrase"].as_str().unwrap_or_default();
        let others = verb["aliases"].as_array().map_or(&[][..], Vec::as_slice);
        let mut mine = ['+', '~', '*', '-', '@']
            .into_iter()
            .flat_map(|sign| case.shown(sign));
        let own = mine.find(|(example, op)| example.phrase == phrase && begins(op, phrase));
        let Some((example, op)) = own else { continue };
        for alias in others
            .iter()
            .filter_map(Value::as_str)
            .take(SPELLINGS - tried.min(SPELLINGS))
        {
            tried += 1;
            spelt(
                case,
                example,
                op,
                &format!("{alias}{}", &op[phrase.len()..]),
            )?;
        }
    }
    match tried {
        0 => Err(none(
            "no verb that the codebook shows an example of has an alias",
        )),
        _ => Ok(()),
    }
}

fn begins(op: &str, phrase: &str) -> bool {
    op.strip_prefix(phrase)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

fn keys(case: &Case<'_>) -> Proved {
    case.booked()?;
    let mut tried = 0;
    for verb in case.known.map("verbs") {
        let params = verb["params"].as_array().map_or(&[][..], Vec::as_slice);
        for param in params {
            let keys: Vec<&str> = param["keys"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let Some((first, others)) = keys.split_first() else {
                continue;
            };
            for other in others {
                let mut shown = ['+', '~', '*', '@']
                    .into_iter()
                    .flat_map(|sign| case.shown(sign));
                let (own, written) = (format!(" {first}:"), format!(" {other}:"));
                let found = shown.find(|(example, op)| {
                    example.phrase == verb["phrase"].as_str().unwrap_or_default()
                        && (op.contains(&own) || op.contains(&written))
                });
                let Some((example, op)) = found.filter(|_| tried < SPELLINGS) else {
                    continue;
                };
                tried += 1;
                let swapped = if op.contains(&own) {
                    op.replace(&own, &written)
                } else {
                    op.replace(&written, &own)
                };
                spelt(case, example, op, &swapped)?;
            }
        }
    }
    if tried > 0 {
        return Ok(());
    }
    let aliased = case
        .known
        .map("verbs")
        .iter()
        .flat_map(|verb| verb["params"].as_array().into_iter().flatten());
    match aliased
        .filter(|param| param["keys"].as_array().is_some_and(|keys| keys.len() > 1))
        .count()
    {
        0 => Err(none("no key in the codebook has another name")),
        n => Err(unproved(format!(
            "{n} keys have other names, and no example uses one"
        ))),
    }
}

fn connections(case: &Case<'_>) -> Proved {
    for tool in &case.known.tools {
        holds!(
            tool["inputSchema"]["properties"].get("doc").is_none(),
            "{} shows an argument doc",
            tool["name"]
        );
    }
    let mut first = case.fresh()?;
    case.bare()?.query("map")?.bad()?;
    first.query_ok("map")?;
    Ok(())
}

fn text(case: &Case<'_>) -> Proved {
    let op = &case.good(1)?[0];
    let mut talk = case.bare()?;
    let mut replies = vec![
        talk.act(&case.known.new)?,
        talk.op(op)?,
        talk.op(NONSENSE)?,
        talk.help(None)?,
    ];
    for query in ["map", "status", "list", NONSENSE] {
        replies.push(talk.query(query)?);
    }
    for example in &case.known.examples {
        if let Call::Query(_) = example.call {
            replies.push(send(&mut case.before(example)?, &example.call)?);
        }
    }
    for reply in replies {
        holds!(
            !reply.protocol,
            "{} is an error of the protocol: {}",
            reply.sent,
            reply.text
        );
        let first = reply.kinds.first().map(String::as_str);
        holds!(
            first == Some("text"),
            "{} is answered by {:?}",
            reply.sent,
            reply.kinds
        );
        holds!(!reply.structured, "{} has structured content", reply.sent);
    }
    Ok(())
}

fn structured(case: &Case<'_>) -> Proved {
    let shown = case
        .known
        .tools
        .iter()
        .find(|tool| tool.get("outputSchema").is_some());
    holds!(
        shown.is_none(),
        "{} shows an output schema",
        shown.map_or(&Value::Null, |tool| &tool["name"])
    );
    match case.known.tools.len() {
        4 => Err(none("the server has the four tools and no structured ones")),
        _ => Ok(()),
    }
}

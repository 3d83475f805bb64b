//! M1 to M7: requirements on every server.

use super::Row;
use crate::op::quote;
use crate::testing::contract::case::Case;
use crate::testing::contract::known::NONSENSE;
use crate::testing::contract::verdict::{Proved, holds, unproved};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "M1",
        rule: "Exactly four tools: DOMAIN(ops), DOMAIN_query(q), DOMAIN_session(action), DOMAIN_help().",
        proof: "tools/list shows these four names, and arguments of these names and types.",
        restated: &["D1", "D2", "D19", "D23"],
        prove: tools,
    },
    Row {
        id: "M2",
        rule: "Ops are cut and classified by the grammar; it refuses the rest with an error that says why.",
        proof: "An op spelt with other white space, quotes and case gives the same digest; twelve ops that break the grammar are refused and change nothing.",
        restated: &["D25"],
        prove: grammar,
    },
    Row {
        id: "M3",
        rule: "The session has new, open, save, save as:, checkpoint, undo, undo to:, redo.",
        proof: "All eight in one session: each brings back the digest that it should, and the file is on disk.",
        restated: &["F4.1", "D5", "D13", "D24"],
        prove: session,
    },
    Row {
        id: "M4",
        rule: "The log is a list with a cursor: an op cuts the redo tail, and checkpoints count in no undo.",
        proof: "Undo, then an op: redo has nothing left and a checkpoint in the tail is gone; undo steps over a checkpoint.",
        restated: &["D5"],
        prove: cursor,
    },
    Row {
        id: "M5",
        rule: "Every change can be reversed and replayed.",
        proof: "The workflow's ops are undone one by one and redone one by one; digest and content are at each step what they were.",
        restated: &["M3", "M4", "S6", "D5", "D7"],
        prove: reversal,
    },
    Row {
        id: "M6",
        rule: "Queries change nothing; there are map, stats and status.",
        proof: "The three answer; after every query that needs no argument, and after plan, digest, content and history are as before.",
        restated: &["D9", "F4.2"],
        prove: queries,
    },
    Row {
        id: "M7",
        rule: "An unknown verb is an error, never ignored.",
        proof: "A nonsense verb is refused with a ! line and isError, and changes nothing; no verb of the codebook is unknown.",
        restated: &["S4", "F4.3", "D18", "D27"],
        prove: verbs,
    },
];

fn tools(case: &Case<'_>) -> Proved {
    // Requested again, so that the exchange is listed under the row.
    case.bare()?
        .request("tools/list", serde_json::json!({}))?
        .ok();
    let domain = &case.known.domain;
    let wanted = [
        (domain.clone(), "ops", "array"),
        (format!("{domain}_query"), "q", "string"),
        (format!("{domain}_session"), "action", "string"),
        (format!("{domain}_help"), "", ""),
    ];
    let mut names = case.known.tool_names();
    names.sort_unstable();
    let mut sorted: Vec<&str> = wanted.iter().map(|(name, _, _)| name.as_str()).collect();
    sorted.sort_unstable();
    holds!(names == sorted, "the tools are {}", names.join(", "));
    for tool in &case.known.tools {
        let own = wanted
            .iter()
            .find(|(name, _, _)| tool["name"] == name.as_str());
        let Some((name, argument, kind)) = own.filter(|(_, argument, _)| !argument.is_empty())
        else {
            continue;
        };
        let schema = &tool["inputSchema"]["properties"][*argument];
        holds!(
            schema["type"] == *kind,
            "{name} takes no {argument} of type {kind}: {}",
            tool["inputSchema"]
        );
    }
    Ok(())
}

/// Ops that no grammar accepts.
const BROKEN: &[&str] = &[
    "",
    " \t\r\n ",
    "\"quoted\" a",
    "@all a",
    "-> a",
    "key:value a",
    "=SUM(A1) a",
    "A1:B2 a",
    "1st a",
    "VERB \"unterminated",
    "VERB \"a\"b",
    "VERB a\u{0}b",
];

fn grammar(case: &Case<'_>) -> Proved {
    let op = &case.good(1)?[0];
    let mut talk = case.fresh()?;
    let plain = talk.does(&[op])?.digested()?;
    let verb = op.split(char::is_whitespace).next().unwrap_or_default();
    for broken in BROKEN {
        let reply = talk.op(&broken.replace("VERB", verb))?.bad()?;
        if let Some(digest) = reply.digest() {
            holds!(
                digest == plain,
                "{broken:?} was refused and changed something: {}",
                reply.text
            );
        }
    }
    let Ok(parsed) = crate::op::parse(op) else {
        return Err(unproved(format!(
            "the server's own example is not an op: {op}"
        )));
    };
    let words = crate::op::words(op).unwrap_or_default();
    let source = |word: &crate::op::Word<'_>| {
        op.trim()
            .get(word.span.start..word.span.end)
            .unwrap_or_default()
    };
    let mut spread = format!(" \t{}", parsed.verb.text.to_uppercase());
    for word in words.iter().skip(1) {
        spread.push_str("\r\n\t ");
        let plain = source(word);
        // A whole word in quotes equals the word without them; the same holds for a value.
        match plain.split_once(':') {
            _ if plain.contains(['"', '\'', '@', '=']) => spread.push_str(plain),
            Some((key, value)) if !value.contains(':') => {
                spread.push_str(&format!("{key}:\"{value}\""));
            }
            Some(_) => spread.push_str(plain),
            None if quote(plain) == plain => spread.push_str(plain),
            None => spread.push_str(&format!("'{plain}'")),
        }
    }
    spread.push_str(" \n");
    let again = case.fresh()?.does(&[&spread])?;
    holds!(
        again.digested()? == plain,
        "{spread:?} is not {op:?}: {}",
        again.text
    );
    Ok(())
}

fn session(case: &Case<'_>) -> Proved {
    let ops = case.good(3)?;
    let (mut talk, begun) = case.started()?;
    let zero = begun.digested()?;
    let one = talk.does(&ops[..1])?.digested()?;
    talk.acts("checkpoint first")?;
    let two = talk.does(&ops[1..2])?.digested()?;
    let three = talk.does(&ops[2..3])?.digested()?;
    let now = talk.acts("undo")?.digested()?;
    holds!(now == two, "undo of an op leaves {now}, not {two}");
    let now = talk.acts("redo")?.digested()?;
    holds!(now == three, "redo of an op leaves {now}, not {three}");
    let now = talk.acts("undo to:first")?.digested()?;
    holds!(now == one, "undo to:first leaves {now}, not {one}");
    let now = talk.acts("redo 2")?.digested()?;
    holds!(now == three, "redo 2 leaves {now}, not {three}");
    let file = &case.known.file;
    let other = file.rsplit_once('.').map_or_else(
        || format!("{file}-2"),
        |(stem, end)| format!("{stem}-2.{end}"),
    );
    for (action, path) in [
        (format!("save as:{file}"), file),
        ("save".to_owned(), file),
        (format!("save as:{other}"), &other),
    ] {
        talk.acts(&action)?;
        holds!(
            case.folder().join(path).is_file(),
            "after {action} there is no file {path}"
        );
    }
    let now = talk.acts(&case.known.new)?.digested()?;
    holds!(
        now == zero,
        "a second new begins with {now}, the first with {zero}"
    );
    for path in [file, &other] {
        let now = talk.acts(&format!("open {path}"))?.digested()?;
        holds!(
            now == three,
            "open {path} gives {now}; what was saved was {three}"
        );
    }
    Ok(())
}

fn cursor(case: &Case<'_>) -> Proved {
    let (mut talk, ops) = case.grown(1, 2)?;
    talk.acts("checkpoint mark")?;
    let marked = talk.does(&ops[..1])?.digested()?;
    talk.acts("checkpoint late")?;
    let before = talk.acts("undo")?.digested()?;
    holds!(before != marked, "undo took back a checkpoint and no op");
    let now = talk.acts("redo")?.digested()?;
    holds!(now == marked, "redo leaves {now}, not {marked}");
    talk.acts("undo")?;
    // An op drops the redo entries, together with their checkpoint.
    let cut = talk.does(&ops[..1])?.digested()?;
    let redo = talk.act("redo")?;
    holds!(
        redo.error,
        "redo found something after a new op: {}",
        redo.text
    );
    let gone = talk.act("undo to:late")?;
    holds!(
        gone.error,
        "checkpoint late lay in the tail that was cut, and is still known: {}",
        gone.text
    );
    let now = talk.does(&ops[1..2])?.digested()?;
    holds!(now != cut, "{} changed nothing", ops[1]);
    let now = talk.acts("undo 2")?.digested()?;
    holds!(now == before, "undo 2 leaves {now}, not {before}");
    let gone = talk.act("undo to:nobody-made-this")?;
    holds!(
        gone.error,
        "undo to: a name that is not a checkpoint is answered: {}",
        gone.text
    );
    Ok(())
}

fn reversal(case: &Case<'_>) -> Proved {
    let ops = case.good(3)?;
    let (mut talk, begun) = case.started()?;
    let mut seen = vec![(begun.digested()?, talk.content()?)];
    for op in ops {
        let digest = talk.does(&[op])?.digested()?;
        seen.push((digest, talk.content()?));
    }
    let ahead = seen
        .iter()
        .zip(ops.iter().map(String::as_str).chain([""]))
        .collect::<Vec<_>>();
    for ((digest, content), op) in ahead.iter().rev().skip(1) {
        let now = talk.acts("undo")?.digested()?;
        holds!(now == *digest, "undo of {op} leaves {now}, not {digest}");
        holds!(
            talk.content()? == *content,
            "undo of {op} leaves other content than was there before"
        );
    }
    let nothing = talk.act("undo")?;
    holds!(
        nothing.error,
        "undo goes back past the start: {}",
        nothing.text
    );
    for ((digest, content), op) in seen.iter().skip(1).zip(ops) {
        let now = talk.acts("redo")?.digested()?;
        holds!(now == *digest, "redo of {op} leaves {now}, not {digest}");
        holds!(
            talk.content()? == *content,
            "redo of {op} leaves other content than was there before"
        );
    }
    Ok(())
}

fn queries(case: &Case<'_>) -> Proved {
    let (mut talk, ops) = case.grown(2, 1)?;
    for query in ["map", "stats", "status"] {
        let reply = talk.query_ok(query)?;
        holds!(!reply.text.trim().is_empty(), "{query} shows nothing");
    }
    let (content, history) = (talk.content()?, talk.history()?);
    let bare = case.known.map("queries").iter().filter(|query| {
        let params = query["params"].as_array().map_or(&[][..], Vec::as_slice);
        !params.iter().any(|param| param["required"] == true)
    });
    let mut asked: Vec<String> = bare
        .filter_map(|query| query["phrase"].as_str())
        .map(str::to_owned)
        .collect();
    asked.push(format!("plan {}", ops[0]));
    for query in asked {
        talk.query(&query)?;
        holds!(talk.history()? == history, "{query} changed the log");
        holds!(talk.content()? == content, "{query} changed the document");
    }
    Ok(())
}

fn verbs(case: &Case<'_>) -> Proved {
    let mut talk = case.fresh()?;
    let content = talk.content()?;
    let unknown = talk.op(&format!("{NONSENSE} a b:1"))?.bad()?;
    holds!(
        unknown.has(NONSENSE),
        "the error does not name the verb: {}",
        unknown.text
    );
    holds!(
        talk.content()? == content,
        "an unknown verb changed the document"
    );
    let message = unknown
        .lines('!')
        .first()
        .map(|line| line.replace(NONSENSE, "VERB"))
        .unwrap_or_default();
    let begins = message.split("VERB").next().unwrap_or_default();
    for phrase in case.known.phrases("verbs") {
        let reply = talk.op(phrase)?;
        let refused = reply.lines('!');
        let unknown = refused
            .iter()
            .any(|line| begins.len() > 4 && line.starts_with(begins));
        holds!(
            !unknown,
            "the codebook shows {phrase}, which is answered: {}",
            reply.text
        );
    }
    Ok(())
}

//! F2 to F4: workflow and tools of the draft of 2026-02-26.

use serde_json::json;

use super::Row;
use crate::testing::contract::case::Case;
use crate::testing::contract::known::NONSENSE;
use crate::testing::contract::verdict::{Proved, fail, holds};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "F2",
        rule: "The codebook is structured and machine-readable: a schema map and a content map.",
        proof: "The resource fcp://DOMAIN/codebook is JSON with both; the content map follows the open document.",
        restated: &["D12", "O4"],
        prove: codebook,
    },
    Row {
        id: "F3.1",
        rule: "Step 1: fcp_session op:\"new\" starts a document, op:\"open\" file:\"PATH\" reads one.",
        proof: "Both in this form; the opened document has the digest of the saved one.",
        restated: &["D2", "F4.1"],
        prove: initialise,
    },
    Row {
        id: "F3.2",
        rule: "Step 2: fcp_help returns the whole vocabulary with an example workflow, and map an outline.",
        proof: "fcp_help without a document names every verb, query, action, selector and type and shows a script from new to save.",
        restated: &["D11", "F4.4", "D1"],
        prove: vocabulary,
    },
    Row {
        id: "F3.3",
        rule: "Step 3: describe shows the properties of an object.",
        proof: "fcp_query describe @recent answers with a row and, below it, its fields.",
        restated: &["S7", "D1", "D9"],
        prove: inspect,
    },
    Row {
        id: "F3.4",
        rule: "Step 4: fcp_edit confirms each op that succeeds.",
        proof: "The workflow's ops in one call of fcp_edit: a line with a sign for each, in order, and no error.",
        restated: &["D25", "D1"],
        prove: edit,
    },
    Row {
        id: "F3.5",
        rule: "Step 5: fcp_session op:\"save\" as:\"PATH\" writes the file.",
        proof: "In this form, with a space in the path; the file exists.",
        restated: &["D2"],
        prove: save,
    },
    Row {
        id: "F4.1",
        rule: "fcp_session takes new, open, save, close, checkpoint, undo, redo.",
        proof: "All seven by that name, each without error; after close no document is open.",
        restated: &["M3", "D1", "D13"],
        prove: actions,
    },
    Row {
        id: "F4.2",
        rule: "fcp_query takes map, describe, list, status, find, history, diff, and wildcards.",
        proof: "All seven by that name; describe * shows every row that list shows.",
        restated: &["D9", "D1", "S7"],
        prove: queries,
    },
    Row {
        id: "F4.3",
        rule: "fcp_edit takes arrays of any length, in order, reports each op, and failed ops do not block others.",
        proof: "Good, bad, good: two results and an error in their places; 500 bad ops are answered by 500 errors, or by one that names all of them.",
        restated: &["D3", "D1", "D18", "D25"],
        prove: isolation,
    },
    Row {
        id: "F4.4",
        rule: "fcp_help names all verbs, types, named values, selectors and a workflow, as they are now.",
        proof: "Each entry of the codebook is in help.",
        restated: &["D11", "F3.2", "O6"],
        prove: help,
    },
];

fn codebook(case: &Case<'_>) -> Proved {
    let (mut talk, ops) = case.grown(0, 1)?;
    let uri = format!("fcp://{}/codebook", case.known.domain);
    let mut maps = Vec::new();
    for op in [None, ops.first()] {
        if let Some(op) = op {
            talk.does(&[op])?;
        }
        let read = talk
            .request("resources/read", json!({ "uri": uri }))?
            .map_err(fail)?;
        let text = read["contents"][0]["text"].as_str().unwrap_or_default();
        let book: serde_json::Value =
            serde_json::from_str(text).map_err(|_| fail(format!("{uri} is not JSON")))?;
        for part in ["verbs", "types", "selectors", "queries", "session"] {
            let filled = book["schema_map"][part]
                .as_array()
                .is_some_and(|list| !list.is_empty());
            holds!(filled, "the schema map has no {part}");
        }
        holds!(
            book["content_map"].is_object(),
            "there is no content map of the open document"
        );
        maps.push(book["content_map"].clone());
    }
    holds!(
        maps.first() != maps.last(),
        "the content map does not follow {}",
        ops[0]
    );
    Ok(())
}

fn initialise(case: &Case<'_>) -> Proved {
    let op = &case.good(1)?[0];
    let mut talk = case.bare()?;
    talk.call("fcp_session", json!({ "op": "new" }))?.good()?;
    let mut talk = case.fresh()?;
    let digest = talk.does(&[op])?.digested()?;
    let file = &case.known.file;
    talk.acts(&format!("save as:{file}"))?;
    let opened = case
        .bare()?
        .call("fcp_session", json!({ "op": "open", "file": file }))?
        .good()?;
    let now = opened.digested()?;
    holds!(
        now == digest,
        "op:open file:{file} gives {now}; what was saved was {digest}"
    );
    Ok(())
}

fn vocabulary(case: &Case<'_>) -> Proved {
    let help = case.bare()?.call("fcp_help", json!({}))?.good()?;
    for part in ["verbs", "queries", "session"] {
        for phrase in case.known.phrases(part) {
            let missing = phrase.split(' ').find(|word| !help.has(word));
            holds!(missing.is_none(), "help lacks {phrase}, one of the {part}");
        }
    }
    for kind in case
        .known
        .map("types")
        .iter()
        .filter_map(|kind| kind["kind"].as_str())
    {
        holds!(help.has(kind), "help lacks the type {kind}");
    }
    for name in case.known.selectors() {
        holds!(help.has(&format!("@{name}")), "help lacks @{name}");
    }
    let lines: Vec<&str> = help.text.lines().map(str::trim).collect();
    let begins = lines
        .iter()
        .rposition(|line| line.starts_with("! new") || line.starts_with("! open"));
    let ends = lines.iter().rposition(|line| line.starts_with("! save"));
    holds!(
        begins.is_some() && begins < ends,
        "help shows no workflow from new to save"
    );
    case.fresh()?
        .call("fcp_query", json!({ "q": "map" }))?
        .good()?;
    Ok(())
}

fn inspect(case: &Case<'_>) -> Proved {
    let (mut talk, _) = case.grown(1, 0)?;
    let row = talk
        .call("fcp_query", json!({ "q": "describe @recent" }))?
        .good()?;
    let fields = row
        .text
        .lines()
        .skip(1)
        .filter(|line| line.starts_with("  "))
        .count();
    holds!(fields > 0, "describe shows no fields: {}", row.text);
    Ok(())
}

fn edit(case: &Case<'_>) -> Proved {
    let ops = case.good(2)?;
    let reply = case
        .fresh()?
        .call("fcp_edit", json!({ "ops": ops }))?
        .good()?;
    holds!(
        reply.lines('!').is_empty(),
        "ops that work one by one fail together: {}",
        reply.text
    );
    let results = reply.signs().chars().filter(|sign| *sign != '?').count();
    holds!(
        results >= ops.len(),
        "{} ops are answered by {results} lines: {}",
        ops.len(),
        reply.text
    );
    Ok(())
}

fn save(case: &Case<'_>) -> Proved {
    let (mut talk, _) = case.grown(1, 0)?;
    let path = format!("./a {}", case.known.file);
    talk.call("fcp_session", json!({ "op": "save", "as": path }))?
        .good()?;
    holds!(
        case.folder().join(&path).is_file(),
        "there is no file {path}"
    );
    Ok(())
}

fn actions(case: &Case<'_>) -> Proved {
    let ops = case.good(1)?;
    let mut talk = case.bare()?;
    let file = &case.known.file;
    let mut act = |action: &str| talk.call("fcp_session", json!({ "action": action }));
    act(&case.known.new)?.good()?;
    act("checkpoint here")?.good()?;
    act(&format!("save as:{file}"))?.good()?;
    act(&format!("open {file}"))?.good()?;
    talk.call("fcp_edit", json!({ "ops": ops[..1] }))?.good()?;
    for action in ["undo", "redo", "save", "close"] {
        talk.call("fcp_session", json!({ "action": action }))?
            .good()?;
    }
    let closed = talk.query("map")?;
    holds!(
        closed.error,
        "after close a document is open: {}",
        closed.text
    );
    Ok(())
}

fn queries(case: &Case<'_>) -> Proved {
    let (mut talk, ops) = case.grown(1, 1)?;
    talk.acts("checkpoint here")?;
    talk.does(&ops[..1])?;
    for query in [
        "map",
        "describe @recent",
        "list",
        "list @all",
        "status",
        "find a",
        "history 2",
        "diff checkpoint:here",
    ] {
        talk.call("fcp_query", json!({ "q": query }))?.good()?;
    }
    let all = talk
        .call("fcp_query", json!({ "q": "describe *" }))?
        .good()?;
    let rows = talk.rows("list limit:5000")?.len();
    let described = all
        .text
        .lines()
        .filter(|line| !line.starts_with(' '))
        .count();
    holds!(
        described >= rows,
        "describe * shows {described} rows, and list shows {rows}"
    );
    Ok(())
}

fn isolation(case: &Case<'_>) -> Proved {
    let ops = case.good(2)?;
    let mut talk = case.fresh()?;
    let mixed = json!({ "ops": [ops[0], NONSENSE, ops[1]] });
    let reply = talk.call("fcp_edit", mixed)?.good()?;
    let signs: String = reply.signs().chars().filter(|sign| *sign != '?').collect();
    let places: Vec<usize> = signs
        .char_indices()
        .filter(|(_, sign)| *sign == '!')
        .map(|(at, _)| at)
        .collect();
    holds!(
        places == [1] && signs.len() >= 3,
        "good, bad, good is answered by {signs}: {}",
        reply.text
    );
    let both = case.fresh()?.does(&ops[..2])?.digested()?;
    let now = reply.digested()?;
    holds!(
        now == both,
        "with a bad op between them two ops leave {now}, without it {both}"
    );
    let many = vec![NONSENSE; 500];
    let reply = talk.call("fcp_edit", json!({ "ops": many }))?.bad()?;
    let errors = reply.lines('!').len();
    let counted = errors == 500 || reply.text.starts_with("! ops 1-500: ");
    holds!(counted, "500 bad ops are answered by {errors} errors");
    Ok(())
}

fn help(case: &Case<'_>) -> Proved {
    case.booked()?;
    let help = case.bare()?.help(None)?.good()?;
    for item in ["verbs", "queries", "session", "settings"]
        .into_iter()
        .flat_map(|part| case.known.map(part))
    {
        let own = item["syntax"]
            .as_str()
            .or_else(|| item["phrase"].as_str())
            .unwrap_or_default();
        let first = own.split([' ', ':']).next().unwrap_or_default();
        let there = help
            .text
            .lines()
            .any(|line| line.trim_start().starts_with(first));
        holds!(there, "help has no entry {first}");
    }
    for item in ["types", "values", "warnings"]
        .into_iter()
        .flat_map(|part| case.known.map(part))
    {
        let own = ["kind", "name", "code"]
            .iter()
            .find_map(|key| item[*key].as_str())
            .unwrap_or_default();
        holds!(help.has(own), "help lacks {own}");
    }
    for selector in case.known.map("selectors") {
        let form = selector["form"].as_str().unwrap_or_default();
        holds!(help.has(form), "help lacks {form}");
    }
    Ok(())
}

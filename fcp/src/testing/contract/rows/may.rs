//! O1 to O6: optional features of a server.

use serde_json::json;

use super::Row;
use crate::script::Call;
use crate::testing::contract::case::{Case, send};
use crate::testing::contract::known::NONSENSE;
use crate::testing::contract::verdict::{Proved, holds, none, unproved};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "O1",
        rule: "A server may have further session actions; they are cut into words as the others are.",
        proof: "Each further action of the codebook is refused if a quote has no end; an unknown action is an error.",
        restated: &["D13"],
        prove: actions,
    },
    Row {
        id: "O2",
        rule: "A server may have selectors of its own, besides @all, @recent and @recent:N.",
        proof: "The fields that describe shows of a row are sent as selectors: @K:V has the row and @not:K:V has it not; an unknown selector is an error.",
        restated: &["F5.2"],
        prove: selectors,
    },
    Row {
        id: "O3",
        rule: "A server may connect with arrows: ->, <->, --.",
        proof: "The codebook's examples with an arrow are taken, and answered by the sign that it shows.",
        restated: &["D14", "F5"],
        prove: arrows,
    },
    Row {
        id: "O4",
        rule: "A server may let agents define types; help and codebook then show them.",
        proof: "After each example of a verb define the codebook differs from before.",
        restated: &["D11", "F3.2"],
        prove: define,
    },
    Row {
        id: "O5",
        rule: "A server may have queries of its own.",
        proof: "The examples of each query of the codebook beyond the required are answered; an unknown query is an error.",
        restated: &["D10", "D18"],
        prove: queries,
    },
    Row {
        id: "O6",
        rule: "A server may keep one registry of verbs that its cards are made from.",
        proof: "Every verb of the codebook has a syntax that begins with its phrase, a summary and a place in help.",
        restated: &["D12", "F4.4"],
        prove: registry,
    },
];

/// The actions of every server.
const ACTIONS: [&str; 11] = [
    "new",
    "open",
    "save",
    "close",
    "resume",
    "checkpoint",
    "undo",
    "redo",
    "status",
    "set",
    "export",
];

/// The queries of every server.
pub(super) const QUERIES: [&str; 10] = [
    "map", "stats", "status", "describe", "list", "find", "history", "diff", "warnings", "plan",
];

fn actions(case: &Case<'_>) -> Proved {
    let mut talk = case.fresh()?;
    talk.act(&format!("{NONSENSE} a"))?.bad()?;
    case.booked()?;
    let all = case.known.phrases("session");
    let own: Vec<&&str> = all
        .iter()
        .filter(|phrase| !ACTIONS.contains(phrase))
        .collect();
    if own.is_empty() {
        return Err(none("the server has no action beyond those that all have"));
    }
    for phrase in own {
        talk.act(&format!("{phrase} \"no end"))?.bad()?;
    }
    Ok(())
}

fn selectors(case: &Case<'_>) -> Proved {
    let (mut talk, _) = case.grown(case.good(1)?.len(), 0)?;
    talk.query(&format!("list @{NONSENSE}:1"))?.bad()?;
    let universal = ["all", "recent", "type", "range", "id", "not", ""];
    let names = case.known.selectors();
    let own: Vec<&str> = names
        .into_iter()
        .filter(|name| !universal.contains(name))
        .collect();
    case.booked()?;
    if own.is_empty() {
        return Err(none(
            "the codebook shows no selector beyond those that all have",
        ));
    }
    let mut tried = 0;
    // The values that `describe` shows for rows, sent as selectors.
    let described = talk.query_ok("describe @all")?.text;
    let mut row = "";
    for line in described.lines() {
        if !line.starts_with(' ') {
            row = line;
        }
        let Some((key, value)) = line
            .trim()
            .split_once(": ")
            .filter(|(key, _)| own.contains(key))
        else {
            continue;
        };
        // The source of a value may follow it, in brackets.
        let value = crate::op::quote_value(value.split(" (").next().unwrap_or(value));
        let with = talk.query(&format!("describe @{key}:{value}"))?;
        if with.error || tried >= TRIED {
            continue;
        }
        tried += 1;
        let has = |text: &str| text.lines().any(|own| own == row);
        holds!(has(&with.text), "@{key}:{value} lacks {row}: {}", with.text);
        let without = talk.query_ok(&format!("describe @not:{key}:{value}"))?;
        holds!(
            !has(&without.text),
            "@not:{key}:{value} has {row}: {}",
            without.text
        );
    }
    // Selectors of the examples: with their complements they make up all rows.
    for example in &case.known.examples {
        let Call::Ops(ops) = &example.call else {
            continue;
        };
        let words = ops.iter().flat_map(|op| op.split_whitespace());
        let mine = words.filter(|word| {
            word.strip_prefix('@')
                .is_some_and(|rest| own.contains(&rest.split(':').next().unwrap_or_default()))
        });
        for selector in mine.take(2) {
            if tried >= 2 * TRIED || selector.contains(['"', '\'']) {
                continue;
            }
            let mut talk = case.before(example)?;
            let with = talk.rows(&format!("list {selector} limit:5000"))?;
            let without = talk.rows(&format!("list @not:{} limit:5000", &selector[1..]))?;
            tried += 1;
            let both = with.iter().find(|row| without.contains(row));
            holds!(
                both.is_none(),
                "{selector} and its negation both have {}",
                both.map_or("", String::as_str)
            );
        }
    }
    match tried {
        0 => Err(unproved(
            "neither describe nor an example shows a selector that can be sent",
        )),
        _ => Ok(()),
    }
}

/// The number of selectors tried from each source.
const TRIED: usize = 40;

fn arrows(case: &Case<'_>) -> Proved {
    case.booked()?;
    let mut shown = 0;
    for sign in ['~', '+'] {
        for (example, op) in case.arrowed(sign).take(4) {
            shown += 1;
            let reply = case.before(example)?.op(op)?.good()?;
            holds!(
                reply.signs().starts_with(sign),
                "{op} should answer {sign}: {}",
                reply.text
            );
        }
    }
    match shown {
        0 => Err(none("no example of the server has an arrow")),
        _ => Ok(()),
    }
}

fn define(case: &Case<'_>) -> Proved {
    case.booked()?;
    let mine = |phrase: &str| phrase.split(' ').next() == Some("define");
    if !case.known.phrases("verbs").into_iter().any(mine) {
        return Err(none("the server has no verb define"));
    }
    let uri = json!({ "uri": format!("fcp://{}/codebook", case.known.domain) });
    let mut shown = 0;
    for (example, op) in case
        .shown('+')
        .filter(|(example, _)| mine(&example.phrase))
        .take(6)
    {
        shown += 1;
        let mut talk = case.before(example)?;
        let before = talk.request("resources/read", uri.clone())?;
        talk.does(&[op])?;
        let after = talk.request("resources/read", uri.clone())?;
        holds!(
            before != after,
            "the codebook does not show what {op} defined"
        );
    }
    match shown {
        0 => Err(unproved("the codebook shows no example of define")),
        _ => Ok(()),
    }
}

fn queries(case: &Case<'_>) -> Proved {
    let mut talk = case.fresh()?;
    talk.query(&format!("{NONSENSE} a"))?.bad()?;
    case.booked()?;
    let all = case.known.phrases("queries");
    if all.iter().all(|phrase| QUERIES.contains(phrase)) {
        return Err(none("the server has no query beyond those that all have"));
    }
    let mut shown = 0;
    for example in &case.known.examples {
        let own =
            all.contains(&example.phrase.as_str()) && !QUERIES.contains(&example.phrase.as_str());
        let fails = example
            .expected
            .first()
            .is_some_and(|line| line.starts_with("! "));
        if !own || fails {
            continue;
        }
        shown += 1;
        send(&mut case.before(example)?, &example.call)?.good()?;
    }
    match shown {
        0 => Err(unproved("the codebook shows no example of a query")),
        _ => Ok(()),
    }
}

fn registry(case: &Case<'_>) -> Proved {
    case.booked()?;
    let help = case.bare()?.help(None)?.good()?;
    let verbs = case.known.map("verbs");
    holds!(!verbs.is_empty(), "the codebook shows no verbs");
    for verb in verbs {
        let (phrase, syntax) = (verb["phrase"].as_str(), verb["syntax"].as_str());
        let (Some(phrase), Some(syntax)) = (phrase, syntax) else {
            return Err(super::super::verdict::fail(format!(
                "a verb without a phrase or syntax: {verb}"
            )));
        };
        let first = phrase.split(' ').next().unwrap_or_default();
        holds!(
            syntax.starts_with(first),
            "the syntax of {phrase} is {syntax}"
        );
        holds!(
            verb["summary"]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{phrase} has no summary"
        );
        let listed = help
            .text
            .lines()
            .any(|line| line.trim_start().starts_with(first));
        holds!(listed, "help lacks {phrase}");
    }
    Ok(())
}

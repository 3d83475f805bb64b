//! D6, D7, D8, D9, D18, D25, D27: the form of replies.

use super::Row;
use crate::testing::contract::case::Case;
use crate::testing::contract::known::NONSENSE;
use crate::testing::contract::talk::{Talk, sign_of};
use crate::testing::contract::verdict::{Proved, Stop, fail, holds, none, unproved};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "D6",
        rule: "A sign and one space; = for no change, and no entry in the log; new, open, resume answer +, other actions *.",
        proof: "Each action's first sign; an example that shows = leaves digest and history as they were.",
        restated: &["S2"],
        prove: signs,
    },
    Row {
        id: "D7",
        rule: "The digest is [counts metrics #hash]: under every reply to ops, new, open, undo, redo, resume, and no other; equal states have equal digests.",
        proof: "Its form; where it appears and where not; a state reached by ops, by undo, and by save and open.",
        restated: &["M3", "M4", "M5", "S3", "F6", "D5", "D24", "D26"],
        prove: digest,
    },
    Row {
        id: "D8",
        rule: "Warnings come after the results and before the digest, only new ones, at most five; each has a code, and set warn:-CODE hides it.",
        proof: "An example that leads to a warning: its place; the same op in a session that hides every code has none.",
        restated: &["F7", "D25"],
        prove: warnings,
    },
    Row {
        id: "D9",
        rule: "Every server answers map, stats, status, describe, list, find, history, diff, warnings, plan; lists page by limit: and from:, and no answer passes 16 KB.",
        proof: "All ten; status names its parts; a list in pages of one is the list; plan answers and changes nothing.",
        restated: &["M6", "S7", "F4.2"],
        prove: queries,
    },
    Row {
        id: "D18",
        rule: "isError is set when a call applied nothing because of errors, and on failed queries and actions; partial success is a result.",
        proof: "A failed op, a rolled-back call, a failed query and action set it; an isolated call with one good op does not.",
        restated: &["S5", "F4.3", "M7", "D3"],
        prove: errors,
    },
    Row {
        id: "D25",
        rule: "A line for each op in their order, continuations indented, then warnings, then the digest; a line break inside an op is a space, and ends it if the next line begins another.",
        proof: "Ops in one call answer the lines they answer one by one, and so do the same ops as one string of several lines; the order of kinds of lines; an op broken over lines.",
        restated: &["M2", "S3"],
        prove: order,
    },
    Row {
        id: "D27",
        rule: "try: is a complete op, action or query that succeeds when sent as it is; syntax: is shown if none is known; never both.",
        proof: "Misspelt verbs, keys, names and no document: what is suggested is sent, to the tool it is for.",
        restated: &["S4"],
        prove: repairs,
    },
];

/// Checks that the reply to an action begins with a sign.
fn answers(talk: &mut Talk, action: &str, sign: char) -> Proved {
    let reply = talk.acts(action)?;
    let first = reply.text.lines().next().and_then(sign_of);
    holds!(
        first == Some(sign),
        "{action} should answer {sign}: {}",
        reply.text
    );
    Ok(())
}

fn signs(case: &Case<'_>) -> Proved {
    let ops = case.good(1)?;
    let file = &case.known.file;
    let mut talk = case.bare()?;
    answers(&mut talk, &case.known.new, '+')?;
    answers(&mut talk, "checkpoint here", '*')?;
    answers(&mut talk, &format!("save as:{file}"), '*')?;
    answers(&mut talk, &format!("open {file}"), '+')?;
    answers(&mut talk, "set batch:atomic", '*')?;
    talk.does(&ops[..1])?;
    for action in ["undo", "redo", "save", "close"] {
        answers(&mut talk, action, '*')?;
    }
    case.answers_by(&['+', '~', '*', '-', '@'])?;
    let Some((example, op)) = case.shown('=').find(|(_, op)| !op.starts_with("batch")) else {
        return Ok(());
    };
    let mut talk = case.before(example)?;
    let (content, history) = (talk.content()?, talk.history()?);
    let reply = talk.does(&[op])?;
    holds!(
        reply.signs().starts_with('='),
        "{op} changes nothing and should answer =: {}",
        reply.text
    );
    holds!(
        talk.content()? == content,
        "{op} answers = and changed something"
    );
    holds!(
        talk.history()? == history,
        "{op} answers = and is in the history"
    );
    Ok(())
}

fn digest(case: &Case<'_>) -> Proved {
    let ops = case.good(2)?;
    let (mut talk, begun) = case.started()?;
    let zero = begun.digested()?;
    let one = talk.does(&ops[..1])?.digested()?;
    for digest in [&zero, &one] {
        let inner = digest
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        let words: Vec<&str> = inner.unwrap_or_default().split(' ').collect();
        let hash = words.last().and_then(|last| last.strip_prefix('#'));
        let hex =
            hash.is_some_and(|hash| hash.len() >= 6 && hash.chars().all(|c| c.is_ascii_hexdigit()));
        holds!(hex, "{digest} is not [counts metrics #hash]");
        let counted = words
            .iter()
            .any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        holds!(
            counted && words.len() >= 3,
            "{digest} lacks a count or a metric"
        );
    }
    let file = &case.known.file;
    for action in [
        "checkpoint here".to_owned(),
        format!("save as:{file}"),
        "set".to_owned(),
        "set batch:atomic".to_owned(),
    ] {
        let reply = talk.acts(&action)?;
        let ends = reply.digest().is_some_and(|line| line.starts_with('['));
        holds!(!ends, "{action} is answered with a digest: {}", reply.text);
    }
    for query in ["map", "stats", "list", "history"] {
        let reply = talk.query_ok(query)?;
        holds!(
            !reply.text.lines().any(|line| line == one),
            "{query} is answered with a digest"
        );
    }
    let two = talk.does(&ops[1..2])?.digested()?;
    let steps = [
        ("undo", &one),
        ("undo", &zero),
        ("redo 2", &two),
        ("undo", &one),
    ];
    for (action, wanted) in steps {
        let now = talk.acts(action)?.digested()?;
        holds!(now == *wanted, "{action} leaves {now}, not {wanted}");
    }
    let now = talk.acts(&format!("open {file}"))?.digested()?;
    holds!(now == one, "what was saved opens as {now}, not {one}");
    talk.acts(&case.known.new)?;
    let failed = talk.op(NONSENSE)?.digested()?;
    holds!(
        failed == zero,
        "a failed op on a new document leaves {failed}, not {zero}"
    );
    Ok(())
}

fn warnings(case: &Case<'_>) -> Proved {
    let codes: Vec<&str> = case
        .known
        .map("warnings")
        .iter()
        .filter_map(|item| item["code"].as_str())
        .collect();
    if case.known.codebook.is_some() && codes.is_empty() {
        return Err(none("the codebook shows no warnings"));
    }
    let warned = case.warned()?;
    let reply = &warned.reply;
    let marked = reply.lines('?').len();
    holds!(marked <= 6, "{marked} warnings in one reply");
    let kinds = reply.signs();
    let behind = kinds.trim_start_matches(|sign| sign != '?');
    holds!(
        behind.chars().all(|sign| sign == '?'),
        "a result comes after a warning: {}",
        reply.text
    );
    reply.digested()?;
    let again = case.codeless(&warned, &codes)?;
    holds!(
        again.lines('?').is_empty(),
        "hidden warnings are shown: {}",
        again.text
    );
    Ok(())
}

fn queries(case: &Case<'_>) -> Proved {
    let (mut talk, ops) = case.grown(2, 1)?;
    talk.acts("checkpoint here")?;
    let plan = format!("plan {}; {NONSENSE}", ops[0]);
    let all = [
        "map",
        "stats",
        "status",
        "describe *",
        "list",
        "list @all",
        "find a",
        "history",
        "diff checkpoint:here",
        "warnings",
    ];
    for query in all {
        let reply = talk.query_ok(query)?;
        holds!(
            reply.text.len() <= 16 << 10,
            "{query} answers {} bytes",
            reply.text.len()
        );
    }
    let status = talk.query_ok("status")?.text;
    for part in [
        "file",
        "unsaved",
        "undo",
        "redo",
        "checkpoint",
        "batch",
        "here",
        "[",
    ] {
        holds!(
            status.contains(part),
            "status does not show {part}: {status}"
        );
    }
    let content = talk.content()?;
    let planned = talk.query(&plan)?;
    holds!(
        planned.has(NONSENSE),
        "plan does not show the error of its second op: {}",
        planned.text
    );
    holds!(talk.content()? == content, "plan changed the document");
    let planned = talk.query_ok(&format!("plan {}", ops[0]))?.signs();
    let done = talk.does(&ops[..1])?;
    holds!(
        planned.replace('?', "") == done.signs().replace('?', ""),
        "plan predicts {planned}, and the op answers {}",
        done.text
    );
    let rows = |talk: &mut Talk, query: &str| -> Result<Vec<String>, Stop> { talk.rows(query) };
    let whole = rows(&mut talk, "list @all")?;
    let mut paged = Vec::new();
    for from in 1..=whole.len() {
        paged.extend(rows(&mut talk, &format!("list @all from:{from} limit:1"))?);
    }
    holds!(
        paged == whole,
        "pages of one row show {paged:?}, and the list {whole:?}"
    );
    let first = talk.query_ok("list @all limit:1")?;
    holds!(
        whole.len() < 2 || first.has("from:2"),
        "the first page does not name the query for the next: {}",
        first.text
    );
    Ok(())
}

fn errors(case: &Case<'_>) -> Proved {
    let (mut talk, ops) = case.grown(0, 2)?;
    let (first, second) = (ops[0].as_str(), ops[1].as_str());
    talk.op(NONSENSE)?.bad()?;
    talk.ops(&[first, NONSENSE])?.bad()?;
    talk.ops(&["batch isolate", NONSENSE, NONSENSE])?.bad()?;
    talk.query(NONSENSE)?.bad()?;
    talk.act(NONSENSE)?.bad()?;
    let part = talk
        .ops(&["batch isolate", first, NONSENSE, second])?
        .good()?;
    holds!(
        part.lines('!').len() == 1,
        "one op of three failed, and {} are shown: {}",
        part.lines('!').len(),
        part.text
    );
    Ok(())
}

fn order(case: &Case<'_>) -> Proved {
    let ops = case.good(2)?;
    let results = |text: &str| -> Vec<String> {
        let shown = text
            .lines()
            .filter(|line| sign_of(line).is_some_and(|sign| sign != '?') || line.starts_with("  "));
        shown.map(str::to_owned).collect()
    };
    let mut talk = case.fresh()?;
    let mut single = Vec::new();
    for op in ops {
        single.extend(results(&talk.does(&[op])?.text));
    }
    let together = case.fresh()?.does(ops)?;
    holds!(
        results(&together.text) == single,
        "ops in one call are not answered as one by one: {}",
        together.text
    );
    let block = case.fresh()?.does(&[ops.join("\n")])?;
    holds!(
        block.text == together.text,
        "ops as lines of one string are answered differently than in an array: {}",
        block.text
    );
    let mut rank = 0;
    for line in together.text.lines() {
        let own = match sign_of(line) {
            Some('?') => 1,
            Some(_) => 0,
            None if line.starts_with(' ') => rank,
            None => 2,
        };
        holds!(own >= rank, "{line:?} is out of order: {}", together.text);
        rank = own;
    }
    holds!(
        rank == 2,
        "the digest is not the last line: {}",
        together.text
    );
    let Some((verb, rest)) = ops[0].split_once(' ') else {
        return Err(unproved("the first op of the workflow is one word"));
    };
    let plain = case.fresh()?.does(&ops[..1])?.text;
    let broken = case.fresh()?.does(&[format!("{verb}\n  {rest}\n")])?.text;
    holds!(
        broken == plain,
        "with a line break for a space {} answers {broken}",
        ops[0]
    );
    Ok(())
}

/// Sends the text after `try:` to its tool.
fn follow(talk: &mut Talk, own: char, repair: &str) -> Proved {
    let mut chars = repair.chars();
    let (tool, text) = match (chars.next(), chars.next()) {
        (Some(sign @ ('!' | '?')), Some(' ')) => (sign, repair.get(2..).unwrap_or_default()),
        _ => (own, repair),
    };
    let reply = match tool {
        '!' => talk.act(text)?,
        '?' => talk.query(text)?,
        _ => talk.op(text)?,
    };
    match reply.error {
        true => Err(fail(format!(
            "try: {repair} fails when it is sent: {}",
            reply.text
        ))),
        false => Ok(()),
    }
}

fn repairs(case: &Case<'_>) -> Proved {
    let ops = case.good(1)?;
    let mut talk = case.bare()?;
    let none = talk.op(&ops[0])?.bad()?;
    let Some(repair) = none.repair() else {
        return Err(fail(format!(
            "without a document none is suggested: {}",
            none.text
        )));
    };
    follow(&mut talk, '+', repair)?;
    let mut followed = 0;
    let mut done: Vec<&str> = Vec::new();
    for op in ops {
        for slip in slips(op) {
            let mut talk = case.fresh()?;
            if !done.is_empty() {
                talk.does(&done)?;
            }
            let reply = talk.op(&slip)?;
            if !reply.error {
                continue;
            }
            let (repair, syntax) = (reply.repair(), reply.syntax());
            holds!(
                repair.is_none() || syntax.is_none(),
                "both try: and syntax: {}",
                reply.text
            );
            if let Some(repair) = repair {
                followed += 1;
                follow(&mut talk, '+', repair)?;
            }
        }
        done.push(op);
    }
    let mut talk = case.fresh()?;
    for (query, own) in [
        ("mpa", '?'),
        ("sttas", '?'),
        ("chekpoint a", '!'),
        ("reod", '!'),
    ] {
        let reply = if own == '?' {
            talk.query(query)?
        } else {
            talk.act(query)?
        };
        let reply = reply.bad()?;
        if let Some(repair) = reply.repair().filter(|repair| *repair != "redo") {
            followed += 1;
            follow(&mut talk, own, repair)?;
        }
    }
    holds!(followed > 0, "nothing is suggested for any typo");
    Ok(())
}

/// An op with a typo: in its verb, in a key, in a name.
fn slips(op: &str) -> Vec<String> {
    let words: Vec<&str> = op.split(' ').collect();
    let mut slips = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let head = word.split(':').next().unwrap_or_default();
        let letters: Vec<char> = head.chars().collect();
        let plain = letters.len() > 3 && letters.iter().all(char::is_ascii_alphabetic);
        let (Some(a), Some(b)) = (letters.get(1), letters.get(2)) else {
            continue;
        };
        if !plain || a == b {
            continue;
        }
        let mut swapped = letters.clone();
        swapped.swap(1, 2);
        let mut other = words.clone();
        let word = format!(
            "{}{}",
            swapped.into_iter().collect::<String>(),
            &word[head.len()..]
        );
        if let Some(place) = other.get_mut(at) {
            *place = &word;
        }
        slips.push(other.join(" "));
    }
    slips
}

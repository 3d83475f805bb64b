//! S1 to S7: recommendations for servers.

use super::Row;
use crate::testing::contract::case::Case;
use crate::testing::contract::known::{NAME, NONSENSE};
use crate::testing::contract::talk::sign_of;
use crate::testing::contract::verdict::{Proved, holds, unproved};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "S1",
        rule: "The description of the tool DOMAIN is a reference card: verbs, selectors, the signs of replies.",
        proof: "It names every verb, query, action and selector of the codebook, and the signs + ~ * - @ ! ?.",
        restated: &["D11", "F3.2"],
        prove: card,
    },
    Row {
        id: "S2",
        rule: "A line of a result begins with its sign: + created, ~ connection, * property, - deleted, @ many, ! error.",
        proof: "Every sign that the codebook's examples show is answered where they show it; every line of the workflow's replies has one.",
        restated: &["D6", "F5"],
        prove: signs,
    },
    Row {
        id: "S3",
        rule: "The last line of every reply to ops is a digest of the state, in one line.",
        proof: "It follows ops that succeed, fail, and both; it changes with the state, and is the same for the same state.",
        restated: &["D7", "F6", "D25", "M5"],
        prove: digest,
    },
    Row {
        id: "S4",
        rule: "An error suggests a repair if one is known.",
        proof: "Two letters of a verb of the workflow are swapped: under the error is try: with an op of that verb.",
        restated: &["D27"],
        prove: suggestion,
    },
    Row {
        id: "S5",
        rule: "If an op of a call fails, the call leaves no trace.",
        proof: "A good op and a bad one in one call: an error, and digest, content, history and redo are as before.",
        restated: &["D3", "D18", "D4"],
        prove: atomic,
    },
    Row {
        id: "S6",
        rule: "Lookups are up to date after undo and redo.",
        proof: "A name is known when its row is made, unknown after undo, and known after redo, where list and find agree.",
        restated: &["M5"],
        prove: indices,
    },
    Row {
        id: "S7",
        rule: "There are queries describe REF and history N.",
        proof: "describe shows a row by name or @recent; history 2 shows the last two ops, oldest first.",
        restated: &["D5", "D9", "F3.3", "F4.2"],
        prove: describe,
    },
];

fn card(case: &Case<'_>) -> Proved {
    case.booked()?;
    let card = case.known.card();
    let has = |word: &str| {
        card.split(|c: char| !(c.is_alphanumeric() || "_-.".contains(c)))
            .any(|own| own == word)
    };
    for part in ["verbs", "queries", "session"] {
        for phrase in case.known.phrases(part) {
            let missing = phrase.split(' ').find(|word| !has(word));
            holds!(
                missing.is_none(),
                "the card lacks {phrase}, one of the {part}"
            );
        }
    }
    for name in case.known.selectors() {
        holds!(card.contains(&format!("@{name}")), "the card lacks @{name}");
    }
    for sign in ["+ ", "~ ", "* ", "- ", "@ ", "! ", "? "] {
        holds!(card.contains(sign), "the card does not explain {sign:?}");
    }
    Ok(())
}

fn signs(case: &Case<'_>) -> Proved {
    let ops = case.good(1)?;
    let mut talk = case.fresh()?;
    for op in ops {
        let reply = talk.does(&[op])?;
        let mut lines: Vec<&str> = reply.text.lines().collect();
        if reply.digest().is_some() {
            lines.pop();
        }
        let strange = lines
            .iter()
            .find(|line| !line.starts_with("  ") && sign_of(line).is_none());
        holds!(
            strange.is_none(),
            "a line without a sign: {}",
            strange.unwrap_or(&"")
        );
    }
    case.answers_by(&['+', '~', '*', '-', '@', '!'])
}

fn digest(case: &Case<'_>) -> Proved {
    let ops = case.good(2)?;
    let (mut talk, begun) = case.started()?;
    let zero = begun.digested()?;
    let one = talk.does(&ops[..1])?.digested()?;
    holds!(
        one != zero,
        "the digest is the same before and after {}",
        ops[0]
    );
    let failed = talk.op(NONSENSE)?.digested()?;
    holds!(failed == one, "a failed op left {failed}, not {one}");
    let two = talk.does(&ops[1..2])?.digested()?;
    holds!(
        two != one,
        "the digest is the same before and after {}",
        ops[1]
    );
    let mixed = talk.ops(&[ops[0].as_str(), NONSENSE])?;
    mixed.digested()?;
    let again = case.fresh()?.does(&ops[..2])?.digested()?;
    holds!(
        again == two,
        "the same ops on another document leave {again}, not {two}"
    );
    Ok(())
}

fn suggestion(case: &Case<'_>) -> Proved {
    let ops = case.good(1)?;
    let mut seen = Vec::new();
    for (at, op) in ops.iter().enumerate() {
        let (verb, rest) = op.split_once(' ').unwrap_or((op, ""));
        let Some(slip) = swapped(verb).filter(|_| !seen.contains(&verb)) else {
            continue;
        };
        seen.push(verb);
        let (mut talk, _) = case.grown(at, 0)?;
        let reply = talk.op(&format!("{slip} {rest}"))?.bad()?;
        let repair = reply.repair().unwrap_or_default();
        holds!(
            repair.starts_with(verb),
            "for {slip} is suggested {repair:?}: {}",
            reply.text
        );
    }
    if seen.is_empty() {
        return Err(unproved(
            "no verb of the workflow is long enough to be misspelt",
        ));
    }
    Ok(())
}

/// A verb with its second and third letters swapped, if that makes another word.
fn swapped(verb: &str) -> Option<String> {
    let mut letters: Vec<char> = verb.chars().collect();
    if letters.len() < 4 || letters.get(1) == letters.get(2) {
        return None;
    }
    letters.swap(1, 2);
    Some(letters.into_iter().collect())
}

fn atomic(case: &Case<'_>) -> Proved {
    let ops = case.good(3)?;
    let mut talk = case.fresh()?;
    let before = talk.does(&ops[..1])?.digested()?;
    talk.does(&ops[1..2])?;
    talk.acts("undo")?;
    let ops = &ops[1..];
    let (content, history) = (talk.content()?, talk.history()?);
    let reply = talk.ops(&[ops[0].as_str(), NONSENSE, ops[1].as_str()])?;
    holds!(
        reply.error,
        "a call with a bad op is not an error: {}",
        reply.text
    );
    if let Some(digest) = reply.digest() {
        holds!(
            digest == before,
            "a call with a bad op leaves {digest}, not {before}"
        );
    }
    holds!(
        talk.content()? == content,
        "a call with a bad op leaves other content"
    );
    holds!(
        talk.history()? == history,
        "a call with a bad op is in the history"
    );
    talk.acts("redo")?;
    Ok(())
}

fn indices(case: &Case<'_>) -> Proved {
    let (mut talk, named) = case.naming()?;
    let describe = format!("describe {NAME}");
    let known =
        |talk: &mut super::super::talk::Talk| -> Result<[bool; 3], super::super::verdict::Stop> {
            let described = !talk.query(&describe)?.error;
            let listed = talk.query("list")?.has(NAME);
            // A search without results may repeat its text.
            let nothing = talk.query("find Xwqonz")?.text.replace("Xwqonz", NAME);
            let found = talk.query(&format!("find {NAME}"))?.text != nothing;
            Ok([described, listed, found])
        };
    holds!(!known(&mut talk)?[0], "{NAME} is known before it is made");
    talk.does(&[named.make(NAME)])?;
    let made = known(&mut talk)?;
    holds!(made[0], "{NAME} is not known after it is made");
    talk.acts("undo")?;
    let undone = known(&mut talk)?;
    holds!(
        undone == [false; 3],
        "after undo {NAME} is still found (describe, list, find: {undone:?})"
    );
    talk.acts("redo")?;
    let redone = known(&mut talk)?;
    holds!(
        redone == made,
        "after redo describe, list and find show {redone:?}, before undo {made:?}"
    );
    Ok(())
}

fn describe(case: &Case<'_>) -> Proved {
    let (mut talk, ops) = case.grown(2, 1)?;
    let by_name = case.known.named.as_ref().and_then(|named| {
        let made = talk
            .ops(&named.before)
            .and_then(|_| talk.does(&[named.make(NAME)]));
        made.is_ok().then_some(NAME)
    });
    let described = talk.query_ok(&format!("describe {}", by_name.unwrap_or("@recent")))?;
    holds!(!described.text.trim().is_empty(), "describe shows nothing");
    let mut talk = case.fresh()?;
    let done = &case.good(3)?[..2];
    talk.does(&done[..1])?;
    talk.does(&done[1..])?;
    let second = talk.query_ok("history 1")?.text;
    talk.does(&ops[..1])?;
    let history = talk.query_ok("history 2")?;
    let lines: Vec<&str> = history
        .text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    holds!(
        lines.len() == 2,
        "history 2 shows {} lines: {}",
        lines.len(),
        history.text
    );
    let last = [&done[1], &ops[0]];
    for (line, op) in lines.iter().zip(last) {
        let verb = op.split(' ').next().unwrap_or_default();
        holds!(line.contains(verb), "history shows {line:?} for {op}");
    }
    // Numbers count from the end, so they change with each op.
    let bare = |line: &str| {
        line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ')
            .trim()
            .to_owned()
    };
    let first = lines.first().map_or(String::new(), |line| bare(line));
    let second = bare(second.trim());
    // A single op may be shown whole, while in a list it is cut.
    let cut = first
        .split_once('…')
        .is_some_and(|(kept, _)| second.starts_with(kept));
    holds!(
        first == second || cut,
        "history 2 does not begin with {}: {}",
        done[1],
        history.text
    );
    Ok(())
}

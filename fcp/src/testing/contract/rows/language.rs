//! D10, D14, D17, D28: queries, arrows, names and selectors.

use super::Row;
use crate::script::compare;
use crate::testing::contract::case::Case;
use crate::testing::contract::known::{NAME, NONSENSE};
use crate::testing::contract::talk::Talk;
use crate::testing::contract::verdict::{Proved, Stop, fail, holds, none, unproved};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "D10",
        rule: "The first word of a query names it; the rest is cut as ops are, and taken as it is if it is free text.",
        proof: "Quoted selectors in list; a quote without end is an error in list and plain text in find; an unknown query is an error.",
        restated: &["O5"],
        prove: queries,
    },
    Row {
        id: "D14",
        rule: "Arrows keep their place among the words.",
        proof: "The codebook's examples with an arrow are answered word for word.",
        restated: &["O3", "F5"],
        prove: arrows,
    },
    Row {
        id: "D17",
        rule: "Names are found by the cascade everywhere, types too; what deletes takes no beginning of a name, and gives the whole op; a typo never widens.",
        proof: "A type in capitals and by its beginning; a deletion by a beginning is refused, and its try: works; a misspelt type matches nothing.",
        restated: &["F5.3", "D27"],
        prove: names,
    },
    Row {
        id: "D28",
        rule: "@recent is the last row touched, @recent:N the last N, newest first, @recent:Nops the rows of N ops; undone work does not count.",
        proof: "Ops of the workflow: one row and two rows are recent, the rows of the last op are among those of the last two, and after undo those of the op before are.",
        restated: &["F5.2"],
        prove: recent,
    },
];

fn rows(talk: &mut Talk, query: &str) -> Result<Vec<String>, Stop> {
    talk.rows(query)
}

fn queries(case: &Case<'_>) -> Proved {
    let (mut talk, _) = case.grown(case.good(1)?.len(), 0)?;
    talk.query(NONSENSE)?.bad()?;
    talk.query("list \"no end")?.bad()?;
    talk.query("list @not:not:all")?.bad()?;
    talk.query_ok("find \"no end")?;
    talk.query_ok("find don't say -> @nothing")?;
    let plain = talk.query_ok("list @all")?.text;
    let spread = talk.query_ok("LIST \t @all\n")?.text;
    holds!(
        spread == plain,
        "other white space and case make another answer: {spread}"
    );
    Ok(())
}

fn names(case: &Case<'_>) -> Proved {
    let (mut talk, _) = case.grown(case.good(1)?.len(), 0)?;
    let kinds: Vec<&str> = case
        .known
        .map("types")
        .iter()
        .filter_map(|kind| kind["kind"].as_str())
        .collect();
    let mut seen = false;
    for kind in &kinds {
        let plain = rows(&mut talk, &format!("list @type:{kind} limit:5000"))?;
        if plain.is_empty() {
            continue;
        }
        seen = true;
        let upper = rows(
            &mut talk,
            &format!("list @type:{} limit:5000", kind.to_uppercase()),
        )?;
        holds!(
            upper == plain,
            "@type:{} is not @type:{kind}",
            kind.to_uppercase()
        );
        let front: String = kind
            .chars()
            .take(kind.chars().count().saturating_sub(1))
            .collect();
        let others = kinds
            .iter()
            .filter(|other| other.starts_with(&front))
            .count();
        if front.len() > 1 && others == 1 {
            let begun = rows(&mut talk, &format!("list @type:{front} limit:5000"))?;
            holds!(begun == plain, "@type:{front} is not @type:{kind}");
        }
    }
    talk.query(&format!("list @type:{NONSENSE}"))?.bad()?;
    if !seen && !kinds.is_empty() {
        return Err(unproved("the workflow makes no rows of a type"));
    }
    deletion(case)
}

fn arrows(case: &Case<'_>) -> Proved {
    case.booked()?;
    let mut shown = 0;
    for (example, op) in case.arrowed('~').take(4) {
        shown += 1;
        let reply = case.before(example)?.op(op)?;
        if let Err(difference) = compare(&example.expected, &reply.text) {
            return Err(fail(format!("{op} is not answered as shown: {difference}")));
        }
    }
    match shown {
        0 => Err(none("no example of the server has an arrow")),
        _ => Ok(()),
    }
}

/// A verb that deletes, given only the beginning of a name.
fn deletion(case: &Case<'_>) -> Proved {
    let (mut talk, named) = case.naming()?;
    let made = talk.does(&[named.make(NAME)])?.digested()?;
    let deleting = case
        .known
        .map("verbs")
        .iter()
        .filter(|verb| verb["deletes"] == true);
    let phrases: Vec<&str> = deleting
        .filter_map(|verb| verb["phrase"].as_str())
        .collect();
    for phrase in phrases {
        let Ok(exact) = talk.does(&[format!("{phrase} {NAME}")]) else {
            continue;
        };
        if exact.digested()? == made {
            continue;
        }
        talk.acts("undo")?;
        let part = talk.op(&format!("{phrase} Qvon"))?;
        if !part.error {
            return Err(fail(format!("{phrase} Qvon deletes {NAME}: {}", part.text)));
        }
        let repair = part.repair().unwrap_or_default().to_owned();
        holds!(
            repair.contains(NAME),
            "{phrase} Qvon does not suggest the whole op: {}",
            part.text
        );
        talk.does(&[repair])?;
        talk.acts("undo")?;
        let upper = talk.op(&format!("{phrase} {}", NAME.to_uppercase()))?;
        holds!(
            !upper.error,
            "{phrase} does not take a name in other case: {}",
            upper.text
        );
        return Ok(());
    }
    Err(unproved(
        "no verb of the codebook deletes a row by its name",
    ))
}

fn recent(case: &Case<'_>) -> Proved {
    let (mut talk, ops) = case.grown(1, 2)?;
    let first = talk.query_ok("list @recent:1ops")?.text;
    let before = talk.rows("list @recent")?;
    talk.does(&ops[..1])?;
    let second = talk.query_ok("list @recent:1ops")?.text;
    holds!(
        second != first,
        "@recent:1ops is the same before and after {}: {first}",
        ops[0]
    );
    let newest = talk.rows("list @recent")?;
    holds!(newest.len() == 1, "@recent is {} rows", newest.len());
    holds!(
        newest != before,
        "@recent is the same before and after {}",
        ops[0]
    );
    let two = talk.rows("list @recent:2")?;
    holds!(two.len() == 2, "@recent:2 is {} rows", two.len());
    let both = talk.rows("list @recent:2ops")?;
    let last = talk.rows("list @recent:1ops")?;
    holds!(
        last.iter().all(|row| both.contains(row)),
        "@recent:2ops lacks rows of @recent:1ops: {both:?}"
    );
    holds!(
        newest.iter().all(|row| last.contains(row)),
        "@recent is not a row of the last op: {newest:?}"
    );
    talk.acts("undo")?;
    let now = talk.query_ok("list @recent:1ops")?.text;
    holds!(now == first, "what was undone is recent still: {now}");
    let mut all = talk.rows("list limit:5000")?;
    // Container rows may be listed only on request.
    let kinds = case.known.map("types");
    for kind in kinds.iter().filter_map(|kind| kind["kind"].as_str()) {
        all.extend(talk.rows(&format!("list @type:{kind} limit:5000"))?);
    }
    let lost = before.iter().find(|row| !all.contains(row));
    holds!(
        lost.is_none(),
        "@recent has a row that list does not show: {}",
        lost.map_or("", String::as_str)
    );
    Ok(())
}

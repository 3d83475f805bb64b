//! F5 to F7: the language, the digest and the warnings of the draft of 2026-02-26.

use serde_json::json;

use super::Row;
use crate::script::{Call, compare};
use crate::testing::contract::case::{Case, send};
use crate::testing::contract::known::NAME;
use crate::testing::contract::talk::Talk;
use crate::testing::contract::verdict::{Proved, Stop, fail, holds, none, unproved};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "F5",
        rule: "Ops are VERB [TYPE] TARGET [key:value]….",
        proof: "Every example of the codebook is played on a new document; each reply is the one that is shown.",
        restated: &["O5", "O3", "S2", "D14", "D6"],
        prove: examples,
    },
    Row {
        id: "F5.1",
        rule: "There are add and remove; there should be modify, copy, and repeat if rows follow each other.",
        proof: "The codebook has the verbs, as phrases or aliases.",
        restated: &["D15"],
        prove: universal,
    },
    Row {
        id: "F5.2",
        rule: "@type:T, @all and @recent[:N] select, and selectors together mean what all of them mean.",
        proof: "Every row of @all is a row of exactly one type; two selectors give the rows that both give; @recent:2 has two rows.",
        restated: &["O2", "D28"],
        prove: selectors,
    },
    Row {
        id: "F5.3",
        rule: "Names are found exactly, in other case, with other hyphens, by their beginning, else the nearest is suggested; several hits are an error that lists them.",
        proof: "One row by each of the four spellings; a typo is refused with its name; a beginning that two names share lists both.",
        restated: &["D17"],
        prove: cascade,
    },
    Row {
        id: "F6",
        rule: "Every reply to ops, and to actions that change the document, ends with a digest of counts and a metric.",
        proof: "fcp_edit, new, open, undo and redo end with it; it has a count and something besides counts.",
        restated: &["D7", "S3"],
        prove: digest,
    },
    Row {
        id: "F7",
        rule: "Structural problems are reported in lines that begin with ?, and fail nothing.",
        proof: "An example that leads to a warning: the line is there, the op is done, and query warnings shows it.",
        restated: &["D8"],
        prove: warnings,
    },
];

fn examples(case: &Case<'_>) -> Proved {
    if case.known.examples.is_empty() {
        return Err(unproved("the codebook shows no examples"));
    }
    // The steps of a script share a document, as long as each example continues the previous one.
    let mut played: Option<(Talk, Vec<Call>)> = None;
    for example in &case.known.examples {
        let ended = played
            .take()
            .filter(|(_, done)| example.before.starts_with(done));
        let (mut talk, done) = match ended {
            Some((talk, done)) => (talk, done.len()),
            None => (case.bare()?, 0),
        };
        for call in example.before.iter().skip(done) {
            send(&mut talk, call)?;
        }
        let reply = send(&mut talk, &example.call)?;
        if let Err(difference) = compare(&example.expected, &reply.text) {
            return Err(fail(format!(
                "{}: {} is not answered as shown: {difference}",
                example.phrase, example.call
            )));
        }
        let mut done = example.before.clone();
        done.push(example.call.clone());
        played = Some((talk, done));
    }
    Ok(())
}

fn universal(case: &Case<'_>) -> Proved {
    case.booked()?;
    let verbs = case.known.map("verbs");
    let has = |wanted: &str| {
        verbs.iter().any(|verb| {
            let aliases = verb["aliases"].as_array().map_or(&[][..], Vec::as_slice);
            let mut names = aliases
                .iter()
                .chain([&verb["phrase"]])
                .filter_map(|name| name.as_str());
            names.any(|name| name.split(' ').next() == Some(wanted))
        })
    };
    for verb in ["add", "remove", "modify", "copy"] {
        holds!(has(verb), "there is no verb {verb}");
    }
    case.fresh()?.query_ok("map")?;
    Ok(())
}

fn selectors(case: &Case<'_>) -> Proved {
    let (mut talk, _) = case.grown(case.good(2)?.len(), 0)?;
    let mut rows = |query: &str| -> Result<Vec<String>, Stop> {
        let mut rows = talk.rows(query)?;
        rows.sort_unstable();
        Ok(rows)
    };
    let all = rows("list @all limit:5000")?;
    if all.is_empty() {
        return Err(unproved("list @all shows no rows"));
    }
    let mut typed = Vec::new();
    for kind in case
        .known
        .map("types")
        .iter()
        .filter_map(|kind| kind["kind"].as_str())
    {
        let own = rows(&format!("list @type:{kind} limit:5000"))?;
        let both = rows(&format!("list @type:{kind} @recent limit:5000"))?;
        let recent = rows("list @recent")?;
        let wanted: Vec<String> = own
            .iter()
            .filter(|row| recent.contains(row))
            .cloned()
            .collect();
        holds!(
            both == wanted,
            "@type:{kind} @recent has {both:?}, and both have {wanted:?}"
        );
        let not = rows(&format!("list @not:type:{kind} limit:5000"))?;
        holds!(
            !own.iter().any(|row| not.contains(row)),
            "a row is @type:{kind} and @not:type:{kind}"
        );
        typed.extend(own);
    }
    typed.sort_unstable();
    let several = typed.windows(2).find(|pair| pair[0] == pair[1]);
    holds!(
        several.is_none(),
        "{} is of two types",
        several.map_or("", |pair| &pair[0])
    );
    let lost = all.iter().find(|row| !typed.contains(row));
    holds!(
        lost.is_none(),
        "{} is of no type",
        lost.map_or("", String::as_str)
    );
    Ok(())
}

fn cascade(case: &Case<'_>) -> Proved {
    let (mut talk, named) = case.naming()?;
    talk.does(&[named.make(NAME)])?;
    let exact = talk.query_ok(&format!("describe {NAME}"))?.text;
    for (level, name) in [
        ("in other case", "QVONK"),
        ("with a hyphen", "Q-vonk"),
        ("with an underscore", "qv_onk"),
        ("by its beginning", "Qvon"),
    ] {
        let found = talk.query(&format!("describe {name}"))?;
        holds!(
            found.text == exact,
            "{NAME} is not found {level}, as {name}: {}",
            found.text
        );
    }
    let slip = talk.query("describe Qvnok")?.bad()?;
    holds!(
        slip.has(NAME),
        "for Qvnok {NAME} is not suggested: {}",
        slip.text
    );
    talk.does(&[named.make("Qvontal")])?;
    let both = talk.query("describe Qvon")?.bad()?;
    holds!(
        both.has(NAME) && both.has("Qvontal"),
        "Qvon begins two names, which are not listed: {}",
        both.text
    );
    let found = talk.query(&format!("describe {NAME}"))?;
    holds!(
        !found.error && found.text.lines().next() == exact.lines().next(),
        "an exact name loses to others that begin like it: {}",
        found.text
    );
    Ok(())
}

fn digest(case: &Case<'_>) -> Proved {
    let ops = case.good(1)?;
    let mut talk = case.fresh()?;
    let done = talk
        .call("fcp_edit", json!({ "ops": ops }))?
        .good()?
        .digested()?;
    let words: Vec<&str> = done.trim_matches(['[', ']']).split_whitespace().collect();
    let count = |word: &&&str| {
        word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with(char::is_alphabetic)
            || word.contains(':') && word.ends_with(|c: char| c.is_ascii_digit())
    };
    let counts = words.iter().filter(count).count();
    holds!(counts > 0, "no count in {done}");
    let metrics = words.iter().filter(|word| !word.starts_with('#')).count();
    holds!(metrics > 1, "nothing but one count in {done}");
    for action in ["undo", "redo"] {
        talk.acts(action)?.digested()?;
    }
    talk.acts(&format!("save as:{}", case.known.file))?;
    talk.acts(&format!("open {}", case.known.file))?
        .digested()?;
    talk.acts(&case.known.new)?.digested()?;
    Ok(())
}

fn warnings(case: &Case<'_>) -> Proved {
    if case.known.codebook.is_some() && case.known.map("warnings").is_empty() {
        return Err(none("the codebook shows no warnings"));
    }
    let mut warned = case.warned()?;
    let lines = warned.reply.lines('?');
    let warning = lines
        .first()
        .map_or("", |line| line.trim_start_matches("? "));
    let listed = warned.talk.query_ok("warnings")?;
    holds!(
        listed.has(warning),
        "warnings does not show {warning:?}: {}",
        listed.text
    );
    Ok(())
}

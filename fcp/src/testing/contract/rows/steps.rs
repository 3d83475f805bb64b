//! D3, D4, D5, D13, D24, D26: batches, undo, and the life of documents.

use super::Row;
use crate::testing::contract::case::Case;
use crate::testing::contract::known::{NAME, NONSENSE};
use crate::testing::contract::talk::Talk;
use crate::testing::contract::verdict::{Proved, Stop, holds};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "D3",
        rule: "A call with a failing op ends by its policy: atomic, isolate or stop; the call's own word beats the setting, the setting the tool's name.",
        proof: "Good, bad, good under each policy, given by batch, by set and by fcp_edit; needs op N if a failed op should have made a name.",
        restated: &["S5", "F4.3", "D18", "D25"],
        prove: policies,
    },
    Row {
        id: "D4",
        rule: "A call that was rolled back is held: amend N OP runs it with that op replaced; any change of state drops it.",
        proof: "A bad op is amended and leaves what the good ops leave; after another op amend is an error.",
        restated: &[],
        prove: amend,
    },
    Row {
        id: "D5",
        rule: "An op is one step of the log: undo [N], undo batch, undo to:NAME, redo [N]; settings are not steps.",
        proof: "Three ops in one call are three lines of history; undo 2, redo 2, undo batch and set between them leave the digests they should.",
        restated: &["M3", "M4", "M5", "S7"],
        prove: undo,
    },
    Row {
        id: "D13",
        rule: "Actions are read like ops, in any case; open:PATH and as: are taken; close refuses unsaved changes, close discard does not; export leaves document and path alone.",
        proof: "Each in turn.",
        restated: &["M3", "F4.1"],
        prove: actions,
    },
    Row {
        id: "D24",
        rule: "new and open begin an empty log; open and save are checkpoints of these names.",
        proof: "After new and after open there is nothing to undo; after save and an op, undo to:save and diff checkpoint:save know the place.",
        restated: &["M3", "F4.2"],
        prove: logs,
    },
    Row {
        id: "D26",
        rule: "new or open over unsaved changes sets the document aside, reports that, and resume brings it back with its log.",
        proof: "The ? line; resume gives the old digest, and undo works; with nothing set aside resume is an error.",
        restated: &["D8"],
        prove: aside,
    },
];

fn policies(case: &Case<'_>) -> Proved {
    let ops = case.good(2)?;
    let (first, second) = (ops[0].as_str(), ops[1].as_str());
    let (mut talk, begun) = case.started()?;
    let zero = begun.digested()?;
    let one = talk.does(&[first])?.digested()?;
    let both = talk.does(&[second])?.digested()?;
    let domain = case.known.domain.clone();
    // The ways to choose the policy: a setting, a word in the call, the tool; and the result.
    let ways: [(&str, &str, &str, &str); 9] = [
        ("", "", &domain, "atomic"),
        ("", "batch isolate", &domain, "isolate"),
        ("", "batch stop", &domain, "stop"),
        ("", "", "fcp_edit", "isolate"),
        ("", "batch atomic", "fcp_edit", "atomic"),
        ("set batch:stop", "", "fcp_edit", "stop"),
        ("set batch:isolate", "", &domain, "isolate"),
        ("set batch:isolate", "batch atomic", &domain, "atomic"),
        ("set batch:atomic", "", "fcp_edit", "atomic"),
    ];
    for (set, word, tool, policy) in ways {
        let mut talk = case.fresh()?;
        if !set.is_empty() {
            talk.acts(set)?;
        }
        let ops: Vec<&str> = [word, first, NONSENSE, second]
            .into_iter()
            .filter(|op| !op.is_empty())
            .collect();
        let reply = talk.call(tool, serde_json::json!({ "ops": ops }))?;
        let wanted = match policy {
            "atomic" => &zero,
            "stop" => &one,
            _ => &both,
        };
        let now = reply.digested()?;
        holds!(
            now == *wanted,
            "{set} {word} {tool} leaves {now}, and {policy} should leave {wanted}"
        );
        let rolled = reply.text.contains("rolled back");
        holds!(
            rolled == (policy == "atomic"),
            "{policy} is answered: {}",
            reply.text
        );
        holds!(
            reply.error == (policy == "atomic"),
            "isError is {} under {policy}",
            reply.error
        );
    }
    needs(case)
}

/// An error that follows from another names that one.
fn needs(case: &Case<'_>) -> Proved {
    let Some(named) = &case.known.named else {
        return Ok(());
    };
    let Some(uses) = named.uses(NAME) else {
        return Ok(());
    };
    let (mut talk, named) = case.naming()?;
    let broken = format!("{} {NONSENSE}:1", named.make(NAME));
    let reply = talk.ops(&[broken.as_str(), &uses])?.bad()?;
    holds!(
        reply.has("needs op 1"),
        "{uses} fails without op 1, and does not say why: {}",
        reply.text
    );
    holds!(
        reply.has("ops 1, 2 of 2 failed"),
        "two failed ops are not counted: {}",
        reply.text
    );
    Ok(())
}

fn amend(case: &Case<'_>) -> Proved {
    let ops = case.good(2)?;
    let (first, second) = (ops[0].as_str(), ops[1].as_str());
    let both = case.fresh()?.does(&[first, second])?.digested()?;
    let amended = format!("amend 2 {second}");
    let mut talk = case.fresh()?;
    talk.op(&amended)?.bad()?;
    talk.ops(&[first, NONSENSE])?.bad()?;
    let now = talk.does(&[&amended])?.digested()?;
    holds!(now == both, "the amended batch leaves {now}, not {both}");
    let mut talk = case.fresh()?;
    talk.ops(&[first, NONSENSE])?.bad()?;
    talk.query_ok("map")?;
    talk.does(&[first])?;
    let late = talk.op(&amended)?;
    holds!(
        late.error,
        "amend finds a batch after the document has changed: {}",
        late.text
    );
    Ok(())
}

fn undo(case: &Case<'_>) -> Proved {
    let (mut talk, ops) = case.grown(0, 3)?;
    let one = talk.does(&ops[..1])?.digested()?;
    let three = talk.does(&ops[1..3])?.digested()?;
    holds!(
        talk.history()?.len() == 3,
        "three ops are not three lines of history"
    );
    talk.acts("set batch:stop")?;
    holds!(talk.history()?.len() == 3, "set is a step of the log");
    let mut to = |action: &str, wanted: &str| -> Proved {
        let now = talk.acts(action)?.digested()?;
        holds!(now == wanted, "{action} leaves {now}, not {wanted}");
        Ok(())
    };
    to("undo 2", &one)?;
    to("redo 2", &three)?;
    to("undo batch", &one)?;
    to("redo 9", &three)?;
    talk.act("undo to:nobody-made-this")?.bad()?;
    talk.acts("undo 99")?;
    talk.act("undo")?.bad()?;
    Ok(())
}

fn actions(case: &Case<'_>) -> Proved {
    let op = &case.good(1)?[0];
    let file = &case.known.file;
    let mut talk = case.bare()?;
    talk.acts("new")?;
    talk.acts("NEW")?;
    let mut talk = case.fresh()?;
    let digest = talk.does(&[op])?.digested()?;
    talk.act("close")?.bad()?;
    talk.acts(&format!("SAVE as:{file}"))?;
    let now = talk.acts(&format!("open:{file}"))?.digested()?;
    holds!(
        now == digest,
        "open:{file} gives {now}; what was saved was {digest}"
    );
    let status = talk.query_ok("status")?.text;
    let kept = format!("export-of-{file}");
    if !talk.act(&format!("export as:{kept}"))?.error {
        holds!(
            case.folder().join(&kept).is_file(),
            "export wrote no file {kept}"
        );
        let now = talk.query_ok("status")?.text;
        holds!(now == status, "export changed the status: {now}");
    }
    talk.does(&[op]).ok();
    talk.acts("close discard")?;
    talk.query("map")?.bad()?;
    talk.act("open \"no end")?.bad()?;
    Ok(())
}

fn logs(case: &Case<'_>) -> Proved {
    let (mut talk, ops) = case.grown(1, 1)?;
    let file = &case.known.file;
    talk.acts(&format!("save as:{file}"))?;
    let saved = talk.acts("undo")?.digested()?;
    let again = talk.acts("redo")?.digested()?;
    holds!(saved != again, "save cut the log");
    let now = talk.does(&ops[..1])?.digested()?;
    holds!(now != again, "{} changed nothing", ops[0]);
    talk.query_ok("diff checkpoint:save")?;
    let now = talk.acts("undo to:save")?.digested()?;
    holds!(now == again, "undo to:save leaves {now}, not {again}");
    for begin in [format!("open {file}"), case.known.new.clone()] {
        talk.acts(&begin)?;
        let nothing = talk.act("undo")?;
        holds!(
            nothing.error,
            "after {begin} there is something to undo: {}",
            nothing.text
        );
    }
    Ok(())
}

fn aside(case: &Case<'_>) -> Proved {
    let op = &case.good(1)?[0];
    let (mut talk, begun) = case.started()?;
    talk.act("resume")?.bad()?;
    let zero = begun.digested()?;
    let one = talk.does(&[op])?.digested()?;
    let over = talk.acts(&case.known.new)?;
    holds!(
        !over.lines('?').is_empty(),
        "a document with unsaved changes is dropped silently: {}",
        over.text
    );
    let back = |talk: &mut Talk| -> Result<String, Stop> { talk.acts("resume")?.digested() };
    let now = back(&mut talk)?;
    holds!(now == one, "resume gives {now}, not {one}");
    let now = talk.acts("undo")?.digested()?;
    holds!(
        now == zero,
        "what was resumed lost its log: undo leaves {now}"
    );
    Ok(())
}

//! D20: limits.

use super::Row;
use crate::testing::contract::case::Case;
use crate::testing::contract::known::NONSENSE;
use crate::testing::contract::verdict::{Proved, holds};

pub(super) const ROWS: &[Row] = &[Row {
    id: "D20",
    rule: "An op has at most 1 MiB and 4,096 words, and limits that can be moved name their setting; status shows the reach of undo.",
    proof: "An op beyond each limit is refused, changes nothing, and the next op works; set moves the limit of ops; status shows the reach of undo.",
    restated: &[],
    prove: limits,
}];

fn limits(case: &Case<'_>) -> Proved {
    let op = &case.good(1)?[0];
    let (mut talk, begun) = case.started()?;
    let zero = begun.digested()?;
    let long = format!("{NONSENSE} {}", "a".repeat(1 << 20));
    let many = format!("{NONSENSE}{}", " a".repeat(4097));
    for (what, broken) in [("1 MiB", &long), ("4,096 words", &many)] {
        let reply = talk.op(broken)?.bad()?;
        holds!(
            reply.text.len() < 4096,
            "an op of more than {what} is answered by {} bytes",
            reply.text.len()
        );
        let named = reply.has("op-limit") || reply.has("4096") || reply.has("4,096");
        holds!(
            named,
            "an op of more than {what} is refused without the limit: {}",
            reply.text
        );
        if let Some(now) = reply.digest() {
            holds!(now == zero, "an op of more than {what} left {now}");
        }
    }
    talk.acts("set op-limit:2")?;
    let reply = talk.op(&long)?;
    holds!(
        !reply.has("op-limit"),
        "set op-limit:2 does not move the limit: {}",
        reply.text.chars().take(200).collect::<String>()
    );
    talk.act("set op-limit:0")?.bad()?;
    talk.does(&[op])?;
    let status = talk.query_ok("status")?;
    holds!(
        status.text.lines().any(|line| line.starts_with("undo")),
        "status does not show the reach of undo: {}",
        status.text
    );
    Ok(())
}

//! Random valid and invalid ops, with the invariants of `fcp::testing::walk` at each step.

/// The ops of the walk. A verb that is missing here is not tested by it.
const OPS: &[&str] = &[
    "add section Walls",
    "add section \"Floor: new\"",
    "add task Scrape in:Walls minutes:120",
    "add task Paint in:Walls priority:high",
    "add task \"# [x] low 5m: Sand\" in:floor minutes:9999 done:on",
    "add task Nowhere in:Cellar",
    "copy Paint minutes:10",
    "copy @recent name:Sand",
    "modify @recent minutes:+5",
    "modify @minutes:>=60 priority:low",
    "modify Scrape in:floor done:yes",
    "modify Paint minutes:0",
    "rename Walls Ceiling",
    "rename section:Ceiling Walls",
    "finish @in:Walls",
    "finish @recent",
    "finish Nothing",
    "remove @recent",
    "remove @done:on",
    "remove section:Walls",
];

#[test]
fn documents_hold_together_on_any_walk() {
    for seed in 1..=4 {
        fcp::testing::walk::<fcp_checklist::Checklist>(seed, 200, |random| {
            random.pick(OPS).unwrap_or_default().to_owned()
        });
    }
}

//! Random sessions on small files, checked with `roxmltree`: see `fcp::testing::fidelity`.

use fcp::testing::fidelity::{Effort, Judge, Sample, fidelity};
use fcp_judges::{Roxmltree, samples};
use fcp_svg::Drawing;

#[test]
fn nothing_changes_but_what_the_account_says() {
    let mut judges: Vec<Box<dyn Judge>> = vec![Box::new(Roxmltree)];
    let files = samples::xml();
    let outcome = fidelity::<Drawing>(&files, &mut judges, Effort::TEST, None);
    assert_eq!(outcome.faults().count(), 0, "{outcome}");
    assert_eq!(
        (outcome.files, outcome.unread.len()),
        (files.len(), 0),
        "{outcome}"
    );
    assert!(outcome.applied * 8 > outcome.tried, "{outcome}");
}

/// A drawing with rows in every table.
const TABLES: &str = r##"<!DOCTYPE svg [<!ENTITY soft "#aabbcc">]>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">
  <!-- of all sorts -->
  <style>
    .hot { fill: red; stroke: blue }
    #sun, g > .cold { opacity: .5; fill: navy }
    @media print { .hot { fill: black } }
  </style>
  <defs><linearGradient id="sky"><stop offset="0" stop-color="red"/></linearGradient></defs>
  <g id="one" style="font-size:20px; fill:green" transform="translate(10,0)">
    <rect class="hot" x="1" y="2" width="10" height="20"/>
    <rect class="cold" x="30" y="2" width="10" height="20" fill="url(#sky)"/>
    <circle id="sun" cx="50" cy="50" r="10" style="stroke:red;stroke-width:2"/>
    <text id="says" x="5" y="90">Hello <tspan font-size="2em">World</tspan>!<!-- so --></text>
  </g>
  <g id="two"><path d="M0 0h10v10z" fill="&soft;"/><line x2="9" y2="9" stroke="black"/></g>
  <use id="again" href="#sun" x="40"/>
</svg>
"##;

#[test]
fn every_column_that_can_be_written_is_on_the_walk() {
    let effort = Effort {
        ops: 2400,
        sql: 3,
        ..Effort::TEST
    };
    let files = [Sample {
        name: "tables.svg".to_owned(),
        bytes: TABLES.into(),
        begun: Vec::new(),
    }];
    let outcome = fidelity::<Drawing>(&files, &mut [Box::new(Roxmltree)], effort, None);
    assert_eq!(outcome.faults().count(), 0, "{outcome}");
    let targets: Vec<&String> = outcome.written.keys().collect();
    for target in [
        "elements.id",
        "elements.nth",
        "rules.selector",
        "texts.text",
        "INSERT rules",
    ] {
        assert!(
            targets.iter().any(|own| *own == target),
            "{target}: {targets:?}"
        );
    }
    let mut idle = outcome
        .written
        .iter()
        .filter(|(_, count)| count.applied == 0);
    assert_eq!(idle.next().map(|(target, _)| target), None, "{outcome}");
}

//! A bounded fuzz run for the ordinary compiler: mutants of the committed seeds, opened as XML,
//! edited, and undone. `FCP_FUZZ_BYTES` sets the number of bytes. The coverage-guided run is in
//! `fuzz/`.

#[path = "../../fuzz/invariants/xml.rs"]
mod xml;

use fcp::testing::fuzz::mutants;

/// Characters and words with a meaning in XML.
const PIECES: &[&str] = &[
    "<",
    ">",
    "&",
    "\"",
    "'",
    "/",
    "=",
    " ",
    "\r\n",
    "]]>",
    "--",
    "?",
    "!",
    ":",
    ";",
    "<!--",
    "-->",
    "<?",
    "?>",
    "<![CDATA[",
    "<a>",
    "</a>",
    "<a/>",
    "<p:a/>",
    "</g>",
    "</svg>",
    " a='1'",
    " p:a=''",
    "&lt;",
    "&#65;",
    "&#0;",
    "&#xD800;",
    "&x;",
    "\u{1}",
    "\u{fffe}",
    "é",
    " xmlns:p='q'",
    " xmlns='x'",
    " xmlns=''",
    "<?xml version='1.0' encoding='utf-16'?>",
    "<!DOCTYPE a [<!ENTITY x 'y'>]>",
    "<!ENTITY x '&y;&y;'>",
    "\0",
];

#[test]
fn mutants_of_xml_break_no_promise() {
    let seeds = mutants::seeds("xml");
    for seed in &seeds {
        xml::holds(seed);
    }
    // The edits of one mutant cost as much as reading dozens.
    mutants::run(
        30,
        |random| mutants::mutated(random, &seeds, PIECES),
        |bytes, _| xml::holds(bytes),
    );
}

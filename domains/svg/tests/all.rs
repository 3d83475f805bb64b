//! All tests except those of pictures and random text, in one program, since linking the renderer
//! into each takes long.

mod accounted;
mod any_text;
mod bounded;
mod cascade;
mod changes;
mod compared;
mod conformance;
mod corpus_boxes;
mod corpus_styles;
mod corpus_values;
mod definitions;
mod drawn_bytes;
mod entity_markup;
mod exact;
mod fidelity;
mod guide;
mod kept;
mod limits;
mod line_ends;
mod lossless;
mod mcp;
mod moving;
mod names;
mod pages;
mod parameters;
mod path_edits;
mod promises;
mod proof;
mod references;
mod refusals;
mod renderers;
mod repairs;
mod restyled;
mod same_picture;
mod saving;
mod sessions;
mod sheets;
mod steps;
mod style_bytes;
mod style_holds;
mod support;
mod tables;
mod tables_judged;
mod told_attributes;
mod twins;
mod walk;
mod warnings;

/// The tests of a file without a `mod` line would never run.
#[test]
fn every_file_is_named() {
    let package = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let unnamed = fcp::testing::unnamed_tests(package);
    assert!(unnamed.is_empty(), "{}", unnamed.join("\n"));
}

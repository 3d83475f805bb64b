//! The program over real pipes: the ops of the contract as written, and the saved file.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::testing::Server;
use serde_json::json;
use tempfile::tempdir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fcp-svg");

/// A drawing with all the elements in the examples.
const GIVEN: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 120">
  <rect id="background" width="200" height="120" fill="#fff"/>
  <g id="logo">
    <rect id="card" x="10" y="10" width="40" height="20" fill="red"/>
  </g>
  <path id="my_path" d="M10 100h80" fill="none" stroke="black"/>
</svg>
"##;

/// The examples of the contract, in an order in which the elements they use exist.
const OPS: &[&str] = &[
    "add circle id:dot r:5 fill:red in:logo",
    "style background fill:#eee",
    "add circle id:my_circle r:20 at:50,50 fill:red",
    "style my_circle stroke:blue stroke-width:3",
    "move my_circle by:10,0",
    "rotate @type:rect by:45 about:center",
    r#"define gradient id:sunset type:linear colors:"0%:blue; 100%:red""#,
    "style my_circle fill:gradient:sunset",
    "define filter id:drop_shadow type:gaussian-blur std-dev:5",
    "style my_circle filter:drop_shadow",
    "animate my_circle attribute:r from:10 to:20 duration:2s repeat:indefinite",
    r#"add text "Hello World" to:path:my_path start-offset:10%"#,
    "style @fill:red stroke:black",
    "modify my_path add-curve to:100,200 control1:50,150",
];

#[test]
fn the_examples_of_the_contract_work_as_they_are_written() {
    let root = tempdir().unwrap();
    std::fs::create_dir_all(root.path().join("path/to")).unwrap();
    std::fs::write(root.path().join("logo.svg"), GIVEN).unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    let (opened, error) = server.call("fcp_session", json!({ "op": "open", "file": "logo.svg" }));
    assert!(
        !error && opened.contains("Opened logo.svg: 200x120"),
        "{opened}"
    );
    for op in OPS {
        let text = server.run(&[op]);
        let sign = text.chars().next().unwrap_or('!');
        assert!(matches!(sign, '+' | '*' | '~' | '@'), "{op}\n{text}");
    }
    let described = server.query("describe logo");
    assert!(described.contains("dot"), "{described}");
    let (saved, error) = server.call(
        "fcp_session",
        json!({ "op": "save", "as": "./path/to/document.v2.svg" }),
    );
    assert!(!error, "{saved}");
    let written = std::fs::read(root.path().join("path/to/document.v2.svg")).unwrap();
    let text = String::from_utf8(written).unwrap();
    let tree = usvg::Tree::from_str(&text, &usvg::Options::default()).unwrap();
    assert!(tree.node_by_id("my_circle").is_some(), "{text}");
    for part in [
        r#"<linearGradient id="sunset""#,
        r#"fill="url(#sunset)""#,
        "<feGaussianBlur",
        r#"filter="url(#drop_shadow)""#,
        "<animate ",
        "<textPath ",
        r##"href="#my_path""##,
        r#"startOffset="10%""#,
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // Undoing all steps restores the opened file.
    server.act(&format!("undo {}", OPS.len()));
    assert_eq!(server.query("svg *"), GIVEN.trim_end());
    assert_eq!(
        std::fs::read_to_string(root.path().join("logo.svg")).unwrap(),
        GIVEN
    );
}

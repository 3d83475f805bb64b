//! How new elements look in a file, byte for byte.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;

use fcp::endpoint::Config;

const LOGO: &str = include_str!("files/logo.svg");

/// What a file is after an op.
fn after(text: &str, op: &str) -> String {
    after_all(text, &[op])
}

/// What a file is after a call of several ops.
fn after_all(text: &str, ops: &[&str]) -> String {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a.svg"), text).unwrap();
    let config = Config::at(root.path());
    let mut session = fcp::session::endpoint::<fcp_svg::Drawing>(&config).unwrap();
    assert!(!session.act("open a.svg").is_error);
    let ops: Vec<String> = ops.iter().map(|op| (*op).to_owned()).collect();
    let answer = session.run(&ops, None);
    assert!(!answer.is_error, "{}", answer.text);
    assert!(!session.act("save as:b.svg").is_error);
    fs::read_to_string(root.path().join("b.svg")).unwrap()
}

#[test]
fn a_circle_gets_a_line_of_its_own() {
    let new = "<circle id=\"dot\" cx=\"20.75\" cy=\"10\" r=\"5\" fill=\"red\"/>";
    let wanted = LOGO.replace("h-10z\"/>\n", &format!("h-10z\"/>\n    {new}\n"));
    assert_ne!(wanted, LOGO);
    let op = "add circle id:dot r:5 fill:red in:logo";
    assert_eq!(after(LOGO, op), wanted);
}

#[test]
fn attributes_have_an_order_and_the_spelling_of_the_op() {
    for (op, new) in [
        (
            "add rect stroke-width:2 fill:red at:+1,.5 size:5.50x1e1 class:a,b id:r transform:scale(2)",
            "<s:rect id=\"r\" class=\"a b\" x=\"+1\" y=\".5\" width=\"5.50\" height=\"1e1\" transform=\"scale(2)\" stroke-width=\"2\" fill=\"red\"/>",
        ),
        (
            "add text \"A & B\\n\\nC\" at:1,2",
            "<s:text x=\"1\" y=\"2\"><s:tspan x=\"1\">A &amp; B</s:tspan><s:tspan x=\"1\" dy=\"2.4em\">C</s:tspan></s:text>",
        ),
        (
            "add a href:#x title:Home",
            "<s:a xlink:href=\"#x\"><s:title>Home</s:title></s:a>",
        ),
    ] {
        let file = |content: &str| {
            format!(
                "<s:svg xmlns:s=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 9 9\">{content}</s:svg>"
            )
        };
        assert_eq!(after(&file(""), op), file(new), "{op}");
    }
}

#[test]
fn five_ops_change_five_places_and_add_a_line() {
    let ops = [
        "add circle id:dot r:5 fill:red in:logo",
        "style background fill:#eee",
        "style @fill:red stroke:black",
        "rotate logo by:45 about:center",
        "style .hot fill:#c00",
    ];
    let mut wanted = LOGO.to_owned();
    for (old, new) in [
        ("#F00", "#c00"),
        ("fill=\"#fff\"", "fill=\"#eee\""),
        ("\"translate(", "\"rotate(45 20.375 15) translate("),
        ("r=\"8.50\"", "r=\"8.50\" stroke=\"black\""),
        ("stroke-width:2", "stroke-width:2; stroke:black"),
        (
            "h-10z\"/>\n",
            "h-10z\"/>\n    <circle id=\"dot\" cx=\"20.75\" cy=\"10\" r=\"5\" fill=\"red\" stroke=\"black\"/>\n",
        ),
    ] {
        assert_eq!(wanted.matches(old).count(), 1, "{old}");
        wanted = wanted.replace(old, new);
    }
    assert_eq!(after_all(LOGO, &ops), wanted);
}

//! Each warning arises, is reported once, and disappears with its cause.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::endpoint::{Config, Endpoint, Flags};
use fcp::format::picture::NO_SYSTEM_FONTS;
use fcp::session::endpoint;
use fcp::verb::Registry;
use fcp_svg::Drawing;

const PICTURE: &[u8] = b"GIF89a\x02\x00\x01\x00\x80\x00\x00\xff\x00\x00\x00\x00\x00!\xf9\x04\x01\n\x00\x01\x00,\x00\x00\x00\x00\x02\x00\x01\x00\x00\x02\x02D\n\x00;";

/// A warning that an op causes: the preceding ops, the op, the warning, and the op that ends it.
struct Arising {
    code: &'static str,
    before: &'static [&'static str],
    op: &'static str,
    warning: &'static str,
    end: &'static str,
}

const ARISING: &[Arising] = &[
    Arising {
        code: "outside",
        before: &[],
        op: "add rect id:dot size:9x9 at:5000,10",
        warning: "? dot: outside the canvas",
        end: "move dot to:0,0",
    },
    Arising {
        code: "zero",
        before: &[],
        op: "add rect id:r1 size:0x5 at:1,1",
        warning: "? r1: zero width, not drawn",
        end: "modify r1 size:5x5",
    },
    Arising {
        code: "unread",
        before: &[],
        op: "raw '<rect id=\"card\" width=\"9\" height=\"9\" style=\"--k:red;fill:blue\"/>'",
        warning: "? card: fill is after --k, where the renderer does not read it",
        end: "set card style \"fill:blue;--k:red\"",
    },
    Arising {
        code: "broken",
        before: &[],
        op: "raw '<rect id=\"card\" width=\"9\" height=\"9\" fill=\"url(#sky)\"/>'",
        warning: "? card: fill url(#sky) has no target",
        end: "style card fill:red",
    },
    Arising {
        code: "wide",
        before: &["add box API id:api size:100x40 at:1,1"],
        op: "modify api text:\"A label that is wider\"",
        warning: "? api: text ",
        end: "modify api text:DB",
    },
    Arising {
        code: "contrast",
        before: &["add rect id:card size:200x90 at:10,10 fill:white"],
        op: "add text Hi id:t at:50,60 fill:#fff",
        warning: "? t: #fff on white (card)",
        end: "style t fill:black",
    },
    Arising {
        code: "behind",
        before: &["add rect id:r2 size:9x9 at:20,20"],
        op: "add rect id:card size:90x90 at:10,10",
        warning: "? r2: wholly behind card",
        end: "order r2 front",
    },
    Arising {
        code: "image",
        before: &[],
        op: "add image it.gif id:photo at:1,1",
        warning: "? photo: not embedded, not drawn",
        end: "modify photo embed:on",
    },
    Arising {
        code: "font",
        before: &["add text Hi id:t at:50,60"],
        op: "style t font:Futura",
        warning: "? t: no font \"Futura\", drawn in DejaVu Sans",
        end: "style t font:\"DejaVu Sans\"",
    },
    Arising {
        code: "unused",
        before: &[
            "define gradient id:f colors:red,blue",
            "add rect id:card size:9x9 at:1,1 fill:gradient:f",
        ],
        op: "style card fill:red",
        warning: "? f: unused",
        end: "style card fill:gradient:f",
    },
    Arising {
        code: "viewbox",
        before: &[],
        op: "unset svg~1 viewBox",
        warning: "? no viewBox",
        end: "canvas viewbox:0,0,800,600",
    },
];

/// Warnings that only files have: the file, the warning, and the ops that end it, if there are any.
const OPENED: &[(&str, &str, &str, &[&str])] = &[
    (
        "duplicate",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><g id=\"a\"/><g id=\"a\"/><g id=\"a\"/></svg>",
        "? duplicate id \"a\": group~1, group~2, group~3",
        &["rename group~2 b", "rename group~3 c"],
    ),
    (
        "script",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><script>1</script></svg>",
        "? script is kept, not run",
        &["remove script~1"],
    ),
    (
        "namespace",
        "<svg viewBox=\"0 0 9 9\"/>",
        "? no SVG namespace: viewers refuse it",
        &[],
    ),
    (
        "namespace",
        "<svg:svg xmlns:svg=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><g id=\"a\"><g/></g><own/></svg:svg>",
        "? a: no SVG namespace, not drawn",
        &["remove a"],
    ),
];

fn session(text: &str) -> (Box<dyn Endpoint>, tempfile::TempDir) {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("it.gif"), PICTURE).unwrap();
    std::fs::write(root.path().join("it.svg"), text).unwrap();
    let config = Config {
        flags: Flags::default().with(&NO_SYSTEM_FONTS, None),
        ..Config::at(root.path())
    };
    (endpoint::<Drawing>(&config).unwrap(), root)
}

fn done(session: &mut dyn Endpoint, op: &str) -> String {
    let answer = session.run(&[op.to_owned()], None);
    assert!(!answer.is_error, "{op}\n{}", answer.text);
    answer.text
}

#[test]
fn a_warning_appears_once_and_goes_with_its_cause() {
    for Arising {
        code,
        before,
        op,
        warning,
        end,
    } in ARISING
    {
        let (mut session, _root) = session("");
        assert!(!session.act("new").is_error);
        for op in *before {
            let text = done(&mut *session, op);
            assert!(!text.contains(warning), "{code}\n{text}");
        }
        let query = format!("warnings {code}");
        let is_known = |session: &mut dyn Endpoint| session.query(&query).text.contains(warning);
        let text = done(&mut *session, op);
        let lines = text
            .lines()
            .filter(|line| line.starts_with(warning))
            .count();
        assert_eq!(lines, 1, "{code}\n{text}");
        assert!(is_known(&mut *session), "{code}");
        // An op elsewhere does not repeat the warning.
        let text = done(&mut *session, "add rect id:other size:3x3 at:300,300");
        assert!(!text.contains(warning), "{code}\n{text}");
        let text = done(&mut *session, end);
        assert!(!text.contains(warning), "{code}\n{text}");
        assert!(!is_known(&mut *session), "{code}");
        assert!(!session.act("undo").is_error);
        assert!(is_known(&mut *session), "{code}, undone");
    }
}

#[test]
fn causes_in_opened_files_are_reported() {
    for (code, text, warning, ends) in OPENED {
        let (mut session, _root) = session(text);
        let opened = session.act("open it.svg").text;
        assert!(
            opened.contains("1 warning (query \"warnings\")"),
            "{code}\n{opened}"
        );
        let query = format!("warnings {code}");
        let known = session.query(&query).text;
        assert_eq!(known, format!("{warning} ({code})"));
        for end in *ends {
            done(&mut *session, end);
        }
        assert!(
            ends.is_empty() || !session.query(&query).text.contains(warning),
            "{code}"
        );
    }
}

#[test]
fn an_element_without_the_namespace_is_reported_when_it_is_inserted() {
    let text = "<svg:svg xmlns:svg=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><svg:g id=\"g\"/></svg:svg>";
    for op in [
        "INSERT INTO elements(xml,parent) VALUES('<circle id=\"c\" r=\"3\"/>','g')",
        "insert '<circle id=\"c\" r=\"3\"/>' last:g",
        "replace '<svg:g id=\"g\"/>' '<circle id=\"c\" r=\"3\"/>'",
    ] {
        let (mut session, _root) = session(text);
        session.act("open it.svg");
        let reply = done(&mut *session, op);
        let warning = "? c: no SVG namespace, not drawn\n";
        assert_eq!(reply.matches(warning).count(), 1, "{op}\n{reply}");
    }
}

#[test]
fn every_warning_is_tested() {
    let registry = Registry::<Drawing>::build().unwrap();
    for lint in registry.lints() {
        let arising = ARISING.iter().any(|one| one.code == lint.code);
        let opened = OPENED.iter().any(|one| one.0 == lint.code);
        assert!(arising || opened, "{} is not looked at", lint.code);
    }
}

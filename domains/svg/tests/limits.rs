//! Limits on the content of a drawing: each error names the setting that changes the limit, and the
//! repair changes it.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::endpoint::{Answer, Config, Endpoint};
use fcp::format::encoding;
use fcp::session::endpoint;
use fcp_svg::Drawing;
use tempfile::{TempDir, tempdir};

fn session(files: &[(&str, &[u8])]) -> (Box<dyn Endpoint>, TempDir) {
    let root = tempdir().unwrap();
    for (name, bytes) in files {
        let path = root.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let session = endpoint::<Drawing>(&Config::at(root.path())).unwrap();
    (session, root)
}

/// Sends the repair of an error, and returns its answer.
fn mend(session: &mut Box<dyn Endpoint>, answer: &Answer) -> Answer {
    let tried = answer
        .text
        .lines()
        .find_map(|line| line.trim().strip_prefix("try: "));
    let tried = tried.unwrap_or_default();
    session.act(tried.strip_prefix("! ").unwrap_or(tried))
}

/// Follows the repairs until the call succeeds. Returns their number.
fn mended(
    session: &mut Box<dyn Endpoint>,
    setting: &str,
    mut send: impl FnMut(&mut Box<dyn Endpoint>) -> Answer,
) -> usize {
    for times in 0..20 {
        let answer = send(session);
        if !answer.is_error {
            return times;
        }
        assert!(
            answer.text.contains(&format!("(set {setting}:")),
            "{}",
            answer.text
        );
        let set = mend(session, &answer);
        assert!(
            set.text.starts_with(&format!("* Set {setting}:")),
            "{}\n{}",
            answer.text,
            set.text
        );
    }
    20
}

fn drawing(inner: &str) -> String {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">{inner}</svg>")
}

#[test]
fn a_raised_limit_lets_a_file_open() {
    let attributes: String = (0..4_100).map(|n| format!(" a{n}=\"\"")).collect();
    let packed = encoding::deflate(drawing(&" ".repeat(3 << 20)).as_bytes()).unwrap();
    for (first, setting, bytes, times) in [
        (
            "",
            "depth-limit",
            drawing(&format!("{}{}", "<g>".repeat(1_000), "</g>".repeat(1_000))).into_bytes(),
            1,
        ),
        (
            "set node-limit:10",
            "node-limit",
            drawing(&"<g/>".repeat(50)).into_bytes(),
            3,
        ),
        (
            "",
            "attribute-limit",
            drawing(&format!("<g{attributes}/>")).into_bytes(),
            1,
        ),
        ("set file-limit:1", "file-limit", packed, 2),
        (
            "set file-limit:1",
            "file-limit",
            drawing(&" ".repeat(3 << 20)).into_bytes(),
            1,
        ),
    ] {
        let (mut session, _root) = session(&[("it.svg", &bytes)]);
        assert!(first.is_empty() || !session.act(first).is_error, "{first}");
        let often = mended(&mut session, setting, |session| session.act("open it.svg"));
        assert_eq!(often, times, "{setting}");
        // Back to the default.
        if setting != "file-limit" {
            assert!(!session.act(&format!("set {setting}:default")).is_error);
        }
    }
}

#[test]
fn limits_also_apply_to_ops() {
    let rules = format!(
        "<style>{}</style><rect id=\"a\" width=\"9\" height=\"9\"/>",
        "a{b:c}".repeat(30)
    );
    let large = format!("<!--{}--><g/>", " ".repeat(1_500_000));
    let files: &[(&str, &[u8])] = &[
        ("rules.svg", drawing(&rules).as_bytes()),
        ("large.xml", large.as_bytes()),
    ]
    .map(|(name, bytes)| (name, bytes.to_vec().leak() as &[u8]));
    let (mut session, _root) = session(files);
    assert!(!session.act("open rules.svg").is_error);
    let run = |op: &'static str| {
        move |session: &mut Box<dyn Endpoint>| session.run(&[op.to_owned()], None)
    };
    // Checking a repair must not change the setting.
    assert!(session.act("set file-limit:1 bach:isolate").is_error);
    let read = run("raw file:large.xml")(&mut session);
    assert!(!read.is_error, "{}", read.text);
    session.act("undo");
    for (set, setting, op, times) in [
        ("set rule-limit:10", "rule-limit", "style a fill:red", 2),
        ("set file-limit:1", "file-limit", "raw file:large.xml", 1),
        (
            "set depth-limit:2",
            "depth-limit",
            "raw '<g><g><g id=\"inner\"/></g></g>'",
            1,
        ),
        ("set depth-limit:3", "depth-limit", "copy a in:inner", 1),
        ("set node-limit:8", "node-limit", "copy a", 1),
    ] {
        assert!(!session.act(set).is_error, "{set}");
        let before = session.query("status").text;
        let often = mended(&mut session, setting, run(op));
        assert_eq!(often, times, "{op}");
        assert!(session.query("status").text != before, "{op}");
    }
}

#[test]
fn invalid_limits_are_repaired() {
    let (mut session, _root) = session(&[]);
    for (set, tried) in [
        ("set depth-limit:0", "set depth-limit:1"),
        ("set depth-limit:99999999", "set depth-limit:1024"),
        ("set node-limit:many", "set node-limit:default"),
        ("set rule-limit:-5", "set rule-limit:1"),
        ("set depht-limit:9", "set depth-limit:9"),
    ] {
        let answer = session.act(set);
        assert!(
            answer.text.contains(&format!("\n  try: {tried}")),
            "{}",
            answer.text
        );
        assert!(
            mend(&mut session, &answer).text.starts_with("* Set "),
            "{tried}"
        );
    }
}

#[test]
fn a_folder_of_fonts_is_set_and_taken_back() {
    let fonts = fcp::testing::data("svg/fonts");
    let found = fonts
        .iter()
        .flat_map(|fonts| fcp::testing::files(fonts, &["ttf"]));
    let yellow = found
        .into_iter()
        .find(|path| path.to_string_lossy().contains("Yellowtail"));
    let Some(yellow) = yellow else {
        fcp::testing::say("NOTHING WAS CHECKED of fonts in a folder: there are none");
        return;
    };
    let bytes = std::fs::read(yellow).unwrap();
    let (mut session, _root) = session(&[("letters/Yellowtail.ttf", &bytes)]);
    assert!(!session.act("new").is_error);
    let known = |session: &mut Box<dyn Endpoint>| session.query("fonts Yellowtail").text;
    assert_eq!(known(&mut session), "nothing matches");
    for (set, tried) in [
        ("set fonts:leters", "set fonts:letters"),
        ("set fonts:/etc", "set fonts:default"),
        ("set fonts:..", "set fonts:default"),
        ("set fonts:letters/Yellowtail.ttf", "set fonts:default"),
    ] {
        let answer = session.act(set);
        assert!(
            answer.is_error && answer.text.contains(&format!("\n  try: {tried}")),
            "{}",
            answer.text
        );
    }
    assert!(!session.act("set fonts:letters").is_error);
    assert_eq!(known(&mut session), "Yellowtail 400 (folder)");
    assert!(!session.act("new").is_error);
    assert_eq!(known(&mut session), "Yellowtail 400 (folder)");
    assert!(!session.act("set fonts:default").is_error);
    assert_eq!(known(&mut session), "nothing matches");
}

/// A font of a family of this name, of six letters.
#[cfg(unix)]
fn font(family: &str) -> Vec<u8> {
    let wide = |text: &str| -> Vec<u8> { text.bytes().flat_map(|byte| [0, byte]).collect() };
    let mut font = dejavu::sans::regular().to_vec();
    for (old, new) in [
        (b"DejaVu".to_vec(), family.as_bytes().to_vec()),
        (wide("DejaVu"), wide(family)),
    ] {
        let places = font.windows(old.len()).enumerate();
        let places: Vec<usize> = places
            .filter(|(_, part)| *part == old)
            .map(|(at, _)| at)
            .collect();
        for at in places {
            font[at..at + old.len()].copy_from_slice(&new);
        }
    }
    font
}

#[cfg(unix)]
#[test]
fn a_folder_of_fonts_has_no_links_out_of_the_root() {
    use std::os::unix::fs::symlink;

    let outside = tempdir().unwrap();
    let secret = outside.path().join("far.ttf");
    std::fs::write(&secret, font("Secret")).unwrap();
    let files = [
        ("own/near.ttf", &font("Nearby")[..]),
        ("letters/a.ttf", &font("Plainy")),
    ];
    let (mut session, root) = session(&files);
    let letters = root.path().join("letters");
    symlink(&secret, letters.join("far.ttf")).unwrap();
    symlink(outside.path(), letters.join("far")).unwrap();
    symlink("../own/near.ttf", letters.join("near.ttf")).unwrap();
    symlink(outside.path(), root.path().join("out")).unwrap();
    assert!(!session.act("new").is_error);
    assert!(session.act("set fonts:out").is_error);
    assert!(!session.act("set fonts:letters").is_error);
    let known = session.query("fonts").text;
    for (family, is_known) in [("Plainy", true), ("Nearby", true), ("Secret", false)] {
        let line = format!("{family} Sans 400 (folder)");
        assert_eq!(known.contains(&line), is_known, "{family}: {known}");
    }
}

#[test]
fn the_command_line_has_the_limits_of_calls() {
    let rects = "<rect width=\"3\" height=\"3\"/>".repeat(20_000);
    let text = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{rects}</svg>");
    let root = tempdir().unwrap();
    std::fs::write(root.path().join("a.svg"), text).unwrap();
    let run = |arguments: &[&str]| {
        let program = std::process::Command::new(env!("CARGO_BIN_EXE_fcp-svg"))
            .current_dir(root.path())
            .args(arguments)
            .output()
            .unwrap();
        let text = [program.stdout, program.stderr].concat();
        (program.status.success(), String::from_utf8(text).unwrap())
    };
    let work = "takes more than 1 million steps";
    let runs = "<tspan>a</tspan>".repeat(500);
    let text = format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><text>{runs}</text></svg>");
    std::fs::write(root.path().join("runs.svg"), text).unwrap();
    let query = "SELECT count(*) FROM elements a, elements b WHERE a.x<b.x";
    for arguments in [
        &["sql", "a.svg", query][..],
        &["sql", "runs.svg", "SELECT 1"],
        &["check", "runs.svg"],
    ] {
        let (is_done, text) = run(&[arguments, &["--set", "work-limit:1"]].concat());
        assert!(!is_done && text.contains(work), "{arguments:?}: {text}");
    }
    assert!(run(&["check", "a.svg", "runs.svg"]).0);
    let all = [
        "sql",
        "a.svg",
        "SELECT ref, xml FROM elements LIMIT -1 OFFSET 1",
    ];
    let (is_done, text) = run(&all);
    assert!(is_done && text.len() < 64 << 10, "{}", text.len());
    assert!(
        text.contains("more lines") && text.ends_with("(20000 rows)\n"),
        "{}",
        &text[text.len() - 100..]
    );
    let as_csv = [&all[..], &["--format", "csv"]].concat();
    let (is_done, text) = run(&as_csv);
    assert!(is_done && text.lines().count() == 20_001);
    let (is_done, text) = run(&["check", "a.svg", "--set", "reply-limt:9"]);
    assert!(!is_done && text.contains("reply-limit"), "{text}");
}

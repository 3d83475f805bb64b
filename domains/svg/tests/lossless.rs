//! Files come back byte for byte, and what is no drawing is refused.

#![allow(clippy::unwrap_used, reason = "what a test calls may fail it")]

use fcp::domain::Domain;
use fcp::format::encoding;
use fcp::testing::{data, files, say};
use fcp_svg::Drawing;

/// Files of our own: each odd spelling that a save must keep.
const OWN: &[&str] = &[
    "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "\u{feff}<?xml version=\"1.0\"?>\r\n<svg xmlns=\"http://www.w3.org/2000/svg\">\r\n\t<rect  x = '1'\r\ny=\"+2.50\" />\r\n</svg >\r\n",
    "<!DOCTYPE svg [<!ENTITY dot \"<circle r='1'/>\">]>\n<svg xmlns=\"http://www.w3.org/2000/svg\">&dot;<!-- a --><?b c?><![CDATA[]]></svg>\n\n",
    "<s:svg xmlns:s=\"http://www.w3.org/2000/svg\" xmlns:x=\"urn:x\"><x:y z=\"&#65;&amp;&lt;\"/>\n<s:text> a <s:tspan>b</s:tspan>\u{a0}c</s:text></s:svg>",
];

/// What is refused, with what the error says.
const REFUSED: &[(&str, &str)] = &[
    ("", "root"),
    ("<html/>", "<html>, not <svg>"),
    ("<svg><g></svg>", "line 1 column"),
    ("<svg a='1' a='2'/>", "line 1 column"),
    ("<svg>&nothing;</svg>", "nothing"),
    (
        "<!DOCTYPE svg SYSTEM 'a.dtd' [<!ENTITY e SYSTEM 'b.txt'>]><svg>&e;</svg>",
        "e",
    ),
    ("<svg/><svg/>", "line 1 column"),
];

#[test]
fn every_spelling_comes_back() {
    for text in OWN {
        let drawing = Drawing::read(text.as_bytes(), "own.svg").unwrap();
        let written = drawing.write("svg").unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), *text);
        let packed = drawing.write("svgz").unwrap();
        let again = Drawing::read(&packed, "own.svgz").unwrap();
        assert_eq!(again.write("svg").unwrap(), text.as_bytes());
    }
}

#[test]
fn what_is_no_drawing_is_refused_with_a_reason() {
    for (text, reason) in REFUSED {
        let error = Drawing::read(text.as_bytes(), "bad.svg").err();
        let message = error.unwrap_or_else(|| panic!("{text} was opened")).message;
        assert!(message.contains(reason), "{text}: {message}");
    }
}

#[test]
fn other_encodings_come_back() {
    let text = "<?xml version=\"1.0\" encoding=\"windows-1252\"?><svg><text>caf\u{e9}</text></svg>";
    let latin: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let drawing = Drawing::read(&latin, "latin.svg").unwrap();
    assert_eq!(drawing.write("svg").unwrap(), latin);
    let units = "<svg><text>\u{1f600}</text></svg>".encode_utf16();
    let wide: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain(units.flat_map(u16::to_le_bytes))
        .collect();
    let drawing = Drawing::read(&wide, "wide.svg").unwrap();
    assert_eq!(drawing.write("svg").unwrap(), wide);
}

/// What a packed file holds, or the file itself.
fn unpacked(bytes: Vec<u8>) -> Vec<u8> {
    if encoding::is_gzip(&bytes) {
        encoding::inflate(&bytes, 128 << 20).unwrap()
    } else {
        bytes
    }
}

#[test]
fn other_peoples_files_come_back() {
    let Some(folder) = data("svg") else { return };
    let mut checked = 0;
    for path in files(&folder, &["svg", "svgz"]) {
        let bytes = std::fs::read(&path).unwrap();
        if path.components().any(|part| part.as_os_str() == "nasty") {
            continue;
        }
        let drawing = Drawing::read(&bytes, "a.svg")
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let written = drawing.write("svg").unwrap();
        assert!(written == unpacked(bytes), "{}", path.display());
        checked += 1;
    }
    say(&format!("{checked} drawings came back byte for byte"));
    assert!(checked >= 700);
}

#[test]
fn nasty_files_come_back_or_are_refused() {
    let Some(folder) = data("svg") else { return };
    let manifest = std::fs::read_to_string(folder.join("nasty/manifest.json")).unwrap();
    let verdict = |name: &str| {
        let at = manifest
            .find(&format!("\"{name}\""))
            .unwrap_or_else(|| panic!("{name} is not in the manifest"));
        let (_, rest) = manifest[at..].split_once("\"verdict\": \"").unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    for path in files(&folder.join("nasty"), &["svg", "svgz"]) {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        match (Drawing::read(&bytes, &name), &*verdict(&name)) {
            (Ok(drawing), "accept" | "either") => {
                let written = drawing.write("svg").unwrap();
                assert!(written == unpacked(bytes), "{name}");
            }
            (Err(_), "reject" | "either") => {}
            (Ok(_), other) => panic!("{name} was opened: {other}"),
            (Err(error), other) => panic!("{name} was refused ({error}): {other}"),
        }
    }
}

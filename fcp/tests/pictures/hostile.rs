//! Drawings that demand too much, and malformed ones. Each must end without affecting the next one.

use std::{fs, time::Duration};

use fcp::format::picture::{Error, Options, Size, render_in_worker};
use fcp::worker::{Limits, WorkerError};

use super::Test;

pub const TESTS: &[Test] = &[
    ("bombs_are_refused_by_name", bombs_are_refused_by_name),
    ("slow_drawings_are_ended", slow_drawings_are_ended),
    (
        "drawings_over_the_memory_limit_are_ended",
        drawings_over_the_memory_limit_are_ended,
    ),
    ("nasty_files_end", nasty_files_end),
];

/// Generous limits: a refused drawing is refused long before.
fn limits() -> Limits {
    Limits {
        time: Duration::from_secs(120),
        ..Limits::default()
    }
}

fn small() -> Options {
    Options {
        size: Size::Width(100),
        ..Options::default()
    }
}

fn draw(svg: &str, limits: &Limits) -> Result<(), Error> {
    render_in_worker(svg.as_bytes(), &small(), limits).map(drop)
}

fn the_next_is_drawn() {
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text>a</text></svg>";
    assert_eq!(draw(svg, &limits()), Ok(()));
}

fn entities(levels: usize, times: usize) -> String {
    let mut declared = "<!ENTITY e0 '<g/>'>".to_owned();
    for level in 1..levels {
        let inside = format!("&e{};", level - 1).repeat(times);
        declared += &format!("<!ENTITY e{level} '{inside}'>");
    }
    let top = levels - 1;
    format!(
        "<!DOCTYPE svg [{declared}]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>&e{top};</svg>"
    )
}

fn doubling(levels: usize) -> String {
    let mut body = "<rect id='n0' width='9' height='9'/>".to_owned();
    for level in 1..=levels {
        let copy = format!("<use href='#n{}'/>", level - 1);
        body += &format!("<g id='n{level}'>{copy}{copy}</g>");
    }
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{body}</svg>")
}

fn morphology() -> String {
    "<svg xmlns='http://www.w3.org/2000/svg' width='2000' height='2000'>\
     <filter id='f' primitiveUnits='userSpaceOnUse'><feMorphology operator='dilate' radius='500'/></filter>\
     <circle cx='1000' cy='1000' r='900' filter='url(#f)'/></svg>"
        .to_owned()
}

fn bombs_are_refused_by_name() {
    let deep = |depth: usize| {
        let (open, close) = ("<g>".repeat(depth), "</g>".repeat(depth));
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{open}<path d='M0 0h9v9z'/>{close}</svg>"
        )
    };
    let packed = |svg: &str| {
        use std::io::Write;
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        out.write_all(svg.as_bytes()).unwrap();
        out.finish().unwrap()
    };
    let zeros = packed(&" ".repeat(129 << 20));
    let cases: [(Vec<u8>, &str); 7] = [
        (
            entities(12, 10).into(),
            "the SVG cannot be drawn: entities refer to entities too often, at 1:",
        ),
        (
            entities(9, 10).into(),
            "the SVG cannot be drawn: entities refer to entities too often, at 1:",
        ),
        // 10^8 copies and more.
        (doubling(26).into(), "use elements make "),
        (
            doubling(200).into(),
            "use elements make 18446744073709551615 copies, at most 1000000 are drawn",
        ),
        (packed(&doubling(26)), "use elements make "),
        (
            zeros,
            "the SVG cannot be drawn: it unpacks to more than 128 MiB",
        ),
        (
            deep(100_000).into(),
            "the SVG cannot be drawn: more than 1,024 elements lie inside each other",
        ),
    ];
    for (svg, message) in cases {
        let error = render_in_worker(&svg, &small(), &limits())
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(message), "{error}");
    }
    // Large drawings within the bounds are drawn.
    for svg in [entities(3, 10), doubling(14), deep(1000)] {
        assert_eq!(draw(&svg, &limits()), Ok(()));
    }
    the_next_is_drawn();
}

fn slow_drawings_are_ended() {
    let limits = Limits {
        time: Duration::from_secs(1),
        ..limits()
    };
    let error = render_in_worker(
        morphology().as_bytes(),
        &Options {
            size: Size::Width(2000),
            ..Options::default()
        },
        &limits,
    );
    assert_eq!(error, Err(Error::Worker(WorkerError::Time(limits.time))));
    assert_eq!(error.unwrap_err().to_string(), "render stopped after 1 s");
    the_next_is_drawn();
    let error = Error::Worker(WorkerError::Time(Limits::default().time));
    assert_eq!(error.to_string(), "render stopped after 20 s");
}

fn drawings_over_the_memory_limit_are_ended() {
    if !cfg!(target_os = "linux") {
        eprintln!("nothing was checked: memory is limited on Linux");
        return;
    }
    // Many elements, each with a long text.
    let svg = format!(
        "<!DOCTYPE svg [<!ENTITY e '{}'>]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{}</svg>",
        "x".repeat(1 << 20),
        "<desc>a&e;</desc>".repeat(1000),
    );
    let limits = Limits {
        memory: 512 << 20,
        ..limits()
    };
    let error = draw(&svg, &limits).unwrap_err();
    assert_eq!(error.to_string(), "render ran out of 512 MiB");
    the_next_is_drawn();
}

fn nasty_files_end() {
    let Some(folder) = fcp::testing::data("svg") else {
        return;
    };
    let folder = folder.join("nasty");
    let manifest = fs::read(folder.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let (mut drawn, mut refused, mut ended) = (0, 0, vec![]);
    for row in manifest["files"].as_array().unwrap() {
        let name = row["file"].as_str().unwrap();
        // Files that are too large to keep are absent.
        let Ok(svg) = fs::read(folder.join(name)) else {
            assert!(row.get("left_out").is_some(), "{name} is not there");
            continue;
        };
        match render_in_worker(&svg, &small(), &Limits::default()) {
            Ok(_) => {
                assert_ne!(row["well_formed"], false, "{name} was drawn");
                drawn += 1;
            }
            Err(Error::Worker(error)) => {
                let bound = matches!(error, WorkerError::Time(_) | WorkerError::Memory(_));
                assert!(bound, "{name}: {error}");
                ended.push(name.to_owned());
            }
            Err(_) => refused += 1,
        }
    }
    assert!(drawn > 0 && refused > 0);
    eprintln!(
        "of the nasty files {drawn} were drawn, {refused} refused, ended: {}",
        ended.join(" ")
    );
    // Only drawings made to be slow may run out of time.
    let costly = |name: &String| {
        ["costly", "reference", "deep", "elements", "gzip"]
            .iter()
            .any(|kind| name.starts_with(kind))
    };
    assert!(ended.iter().all(costly), "{ended:?}");
    the_next_is_drawn();
}

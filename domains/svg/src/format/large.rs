//! Large drawings that are expensive in different ways.

use fcp::domain::Large;

/// The nesting depth of groups in the nested drawing.
const DEPTH: usize = 200;

/// Large drawings of different kinds.
pub const LARGE: &[Large] = &[
    Large {
        name: "a grid",
        make: |rows| {
            let across = rows.isqrt().max(1);
            let boxes = (0..rows).map(|at| {
                let (x, y) = (at % across * 12, at / across * 12);
                format!(
                    r##"<rect id="r{at}" x="{x}" y="{y}" width="10" height="10" fill="#f00"/>"##
                )
            });
            drawing(&boxes.collect::<String>())
        },
    },
    Large {
        name: "one id",
        make: |rows| drawing(&r##"<rect id="x" width="9" height="9" fill="#f00"/>"##.repeat(rows)),
    },
    Large {
        name: "one column",
        make: |rows| {
            let boxes =
                (0..rows).map(|at| format!(r#"<rect y="{}" width="9" height="9"/>"#, at * 10));
            drawing(&boxes.collect::<String>())
        },
    },
    Large {
        name: "nested",
        make: |rows| {
            let (open, close) = ("<g>".repeat(DEPTH), "</g>".repeat(DEPTH));
            let boxes = r##"<rect width="9" height="9" fill="#f00"/>"##.repeat(rows);
            drawing(&format!("{open}{boxes}{close}"))
        },
    },
    Large {
        name: "used",
        make: |rows| {
            let uses = r##"<use href="#a" x="3"/>"##.repeat(rows);
            drawing(&format!(
                r#"<defs><rect id="a" width="9" height="9"/></defs>{uses}"#
            ))
        },
    },
    Large {
        name: "styled",
        make: |rows| {
            let rules: String = (0..rows / 20)
                .map(|at| format!(".c{at}{{fill:#00{:02x}00}}", at % 256))
                .collect();
            let boxes = (0..rows).map(|at| {
                format!(
                    r#"<rect class="c{}" width="9" height="9"/>"#,
                    at % (rows / 20).max(1)
                )
            });
            drawing(&format!(
                "<style>{rules}</style>{}",
                boxes.collect::<String>()
            ))
        },
    },
    Large {
        name: "texts",
        make: |rows| {
            let texts =
                (0..rows).map(|at| format!(r#"<text x="0" y="{}">Some text</text>"#, at * 14));
            drawing(&texts.collect::<String>())
        },
    },
];

fn drawing(inner: &str) -> Vec<u8> {
    format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000">{inner}</svg>"#)
        .into_bytes()
}

//! Every drawing with a reference picture.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use fcp::format::picture::{Fonts, Generics, Options, Size, render};
use resvg::usvg::roxmltree::{Document, ParsingOptions};

use super::{Test, pixels};

pub const TESTS: &[Test] = &[(
    "pictures_are_as_the_references",
    pictures_are_as_the_references,
)];

/// The settings with which the references were made.
pub fn options(folder: &Path) -> Options {
    let name = |name: &str| Some(name.to_owned());
    Options {
        size: Size::Width(300),
        fonts: Fonts {
            dirs: vec![folder.join("fonts")],
            system: false,
            root: None,
            generics: Generics {
                default: name("Noto Sans"),
                unknown: name("Noto Serif"),
                sans_serif: name("Noto Sans"),
                serif: name("Noto Serif"),
                cursive: name("Yellowtail"),
                fantasy: name("Sedgwick Ave Display"),
                monospace: name("Noto Mono"),
            },
        },
        ..Options::default()
    }
}

fn pictures_are_as_the_references() {
    let Some(folder) = fcp::testing::data("svg") else {
        return;
    };
    let mut files = Vec::new();
    let mut folders = vec![folder.join("tests"), folder.join("extra")];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(inside).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "svg") {
                files.push(path);
            }
        }
    }
    files.sort();
    let (next, checked) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong = Mutex::new(BTreeSet::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            // Nested drawings need more than a thread's usual stack in a debug build.
            let thread = thread::Builder::new().stack_size(64 << 20);
            let work = || {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match compare(file, options(&folder)) {
                        Ok(true) => drop(checked.fetch_add(1, Ordering::Relaxed)),
                        Ok(false) => {}
                        Err(problem) => {
                            let name = file.strip_prefix(&folder).unwrap().display();
                            wrong.lock().unwrap().insert(format!("{name}: {problem}"));
                        }
                    }
                }
            };
            thread.spawn_scoped(scope, work).unwrap();
        }
    });
    let wrong: Vec<String> = wrong.into_inner().unwrap().into_iter().collect();
    let checked = checked.into_inner();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        checked + wrong.len(),
        wrong.join("\n")
    );
    eprintln!(
        "{checked} pictures are as their references, of {} drawings",
        files.len()
    );
    assert!(checked > 0);
}

/// Returns whether there was something to compare, or the difference.
fn compare(file: &Path, mut options: Options) -> Result<bool, String> {
    let svg = fs::read(file).unwrap();
    options.images = images(&svg, file.parent().unwrap());
    let picture = render(&svg, &options);
    // The others are drawn too: none may panic.
    let Ok(reference) = fs::read(file.with_extension("png")) else {
        return Ok(false);
    };
    let (ours, theirs) = (
        pixels(&picture.map_err(|error| error.to_string())?.png),
        pixels(&reference),
    );
    if (ours.width(), ours.height()) != (theirs.width(), theirs.height()) {
        return Err(format!(
            "{}x{} for {}x{}",
            ours.width(),
            ours.height(),
            theirs.width(),
            theirs.height()
        ));
    }
    let apart = ours
        .data()
        .iter()
        .zip(theirs.data())
        .map(|(a, b)| a.abs_diff(*b));
    match apart.max() {
        Some(most @ 2..) => Err(format!("{most} of 255 apart")),
        _ => Ok(true),
    }
}

/// The existing files that a drawing names.
fn images(svg: &[u8], folder: &Path) -> BTreeMap<String, Arc<Vec<u8>>> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let text = std::str::from_utf8(svg).unwrap();
    let document = Document::parse_with_options(text, options).unwrap();
    let hrefs = document
        .descendants()
        .flat_map(|node| node.attributes())
        .filter(|attribute| attribute.name() == "href")
        .map(|attribute| attribute.value().to_owned());
    hrefs
        .filter_map(|href| {
            let path: PathBuf = folder.join(&href);
            Some((href, Arc::new(fs::read(path).ok()?)))
        })
        .collect()
}

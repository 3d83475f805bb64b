//! The content of pictures, their maximum cost, and the files they must not read. This program is
//! its own worker.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

#[path = "pictures/drawn.rs"]
mod drawn;
#[path = "pictures/files.rs"]
mod files;
#[path = "pictures/hostile.rs"]
mod hostile;
#[path = "pictures/kept.rs"]
mod kept;
#[path = "pictures/texts.rs"]
mod texts;

use std::process::ExitCode;

use fcp::endpoint::{Answer, Block, Config, Endpoint, Flags};
use fcp::format::picture::{NO_SYSTEM_FONTS, RENDER_TIME};
use fcp::session::Session;
use fcp_svg::Drawing;
use libtest_mimic::{Arguments, Trial};
use resvg::tiny_skia::Pixmap;

/// A test by its name.
type Test = (&'static str, fn());

fn main() -> ExitCode {
    if let Some(code) = fcp::worker::dispatch() {
        return code;
    }
    let groups: [&[Test]; 5] = [
        drawn::TESTS,
        files::TESTS,
        hostile::TESTS,
        kept::TESTS,
        texts::TESTS,
    ];
    let trials = groups.into_iter().flatten().map(|(name, test)| {
        let test = *test;
        Trial::test(*name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// A session in its own folder, with the bundled fonts.
struct Play {
    session: Session<Drawing>,
    folder: tempfile::TempDir,
}

impl Play {
    fn with(flags: Flags) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = Config {
            flags: flags.with(&NO_SYSTEM_FONTS, None),
            ..Config::at(folder.path())
        };
        Self {
            session: Session::new(&config).unwrap(),
            folder,
        }
    }

    /// With a time limit of this many seconds per picture.
    fn hurried(seconds: u16) -> Self {
        let seconds = seconds.to_string().into();
        Self::with(Flags::default().with(&RENDER_TIME, Some(seconds)))
    }

    /// Opens a drawing of 100 by 100 units.
    fn open(&mut self, body: &str) {
        let text =
            format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>{body}</svg>");
        self.open_file("own.svg", text.as_bytes());
    }

    fn open_file(&mut self, name: &str, bytes: &[u8]) {
        std::fs::write(self.folder.path().join(name), bytes).unwrap();
        self.act(&format!("open {name}"));
    }

    fn act(&mut self, action: &str) -> String {
        let answer = self.session.act(action);
        assert!(!answer.is_error, "{action}: {}", answer.text);
        answer.text
    }

    fn run(&mut self, op: &str) -> Answer {
        self.session.run(&[op.to_owned()], None)
    }

    fn text(&self) -> String {
        self.session.model().unwrap().nodes.tree().text()
    }

    /// The picture of a query `render`, and the lines of its reply.
    fn render(&mut self, query: &str) -> (String, Pixmap) {
        let answer = self.session.query(query);
        assert!(!answer.is_error, "{query}: {}", answer.text);
        let Some(Block::Image { mime, bytes }) = answer.blocks.first() else {
            panic!("{query} shows no picture: {}", answer.text)
        };
        assert_eq!(*mime, "image/png");
        (answer.text, Pixmap::decode_png(bytes).unwrap())
    }

    fn refused(&mut self, query: &str) -> String {
        let answer = self.session.query(query);
        assert!(answer.is_error, "{query}: {}", answer.text);
        answer.text
    }
}

/// A pixel's red, green, blue and opacity, at a position given as shares of the picture.
fn at(pixels: &Pixmap, x: f32, y: f32) -> [u8; 4] {
    let (width, height) = (pixels.width() as f32, pixels.height() as f32);
    let pixel = pixels
        .pixel((x * width) as u32, (y * height) as u32)
        .unwrap();
    [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]
}

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const NOTHING: [u8; 4] = [0; 4];

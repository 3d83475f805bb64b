//! Drawings that a server or a session has open, in a folder of its own.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;

use fcp::endpoint::{Config, Endpoint};
use fcp::testing::Server;
use tempfile::{TempDir, tempdir};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_fcp-svg");

/// A server that has opened a file `a.svg`, and its folder.
pub(crate) fn opened(content: impl AsRef<[u8]>) -> (Server, TempDir) {
    let root = tempdir().unwrap();
    fs::write(root.path().join("a.svg"), content).unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("open a.svg");
    (server, root)
}

/// A folder of files, and a server in it.
pub(crate) fn serving(files: &[(&str, &[u8])]) -> (TempDir, Server) {
    let root = tempdir().unwrap();
    for (name, bytes) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
    (root, server)
}

/// A file of a drawing with this content.
pub(crate) fn drawing(inner: &str) -> Vec<u8> {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 900\">{inner}</svg>")
        .into_bytes()
}

/// The content of a drawing that takes years to draw: patterns in patterns.
pub(crate) fn endless_picture() -> String {
    let patterns = (1..30).map(|at| {
        let fill = format!(
            "<rect width=\"3\" height=\"3\" fill=\"url(#p{})\"/>",
            at - 1
        );
        format!("<pattern id=\"p{at}\" width=\"3\" height=\"3\">{fill}{fill}</pattern>")
    });
    format!(
        "<pattern id=\"p0\" width=\"2\" height=\"2\"><rect width=\"1\" height=\"1\"/></pattern>{}\
         <rect width=\"500\" height=\"500\" fill=\"url(#p29)\"/>",
        patterns.collect::<String>()
    )
}

/// A server with a new drawing, and its folder.
pub(crate) fn fresh() -> (Server, TempDir) {
    let root = tempdir().unwrap();
    let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
    server.act("new");
    (server, root)
}

/// A session on a file `a.svg`.
pub(crate) struct Desk {
    pub(crate) session: Box<dyn Endpoint>,
    root: TempDir,
}

impl Desk {
    pub(crate) fn open(text: &str) -> Self {
        let root = tempdir().unwrap();
        fs::write(root.path().join("a.svg"), text).unwrap();
        let config = Config::at(root.path());
        let session = fcp::session::endpoint::<fcp_svg::Drawing>(&config).unwrap();
        let mut desk = Self { session, root };
        desk.act("open a.svg");
        desk
    }

    pub(crate) fn act(&mut self, action: &str) {
        let answer = self.session.act(action);
        assert!(!answer.is_error, "{}", answer.text);
    }

    pub(crate) fn run(&mut self, ops: &[&str]) {
        let ops: Vec<String> = ops.iter().map(|op| (*op).to_owned()).collect();
        let answer = self.session.run(&ops, None);
        assert!(!answer.is_error, "{}", answer.text);
    }

    /// The file as it would be saved now.
    pub(crate) fn saved(&mut self) -> String {
        self.act("save as:b.svg force");
        fs::read_to_string(self.root.path().join("b.svg")).unwrap()
    }
}

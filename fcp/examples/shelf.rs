//! A server of structured tools: books on a shelf. It replaces a real one in the tests of servers
//! and command lines.

use std::process::ExitCode;

#[path = "../tests/support/shelf.rs"]
mod shelf;

fn main() -> ExitCode {
    fcp::cli::tools("1.2.3", fcp::tool::program::<shelf::Shelf>())
}

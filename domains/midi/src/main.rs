//! `fcp-midi`: the MCP server and command line of the domain.

use std::process::ExitCode;

fn main() -> ExitCode {
    fcp::cli::main(
        env!("CARGO_PKG_VERSION"),
        fcp::session::program::<fcp_midi::Song>(),
    )
}

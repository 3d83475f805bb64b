//! `fcp-workspace`: the MCP server and command line of the domain.

use std::process::ExitCode;

fn main() -> ExitCode {
    fcp::cli::tools(
        env!("CARGO_PKG_VERSION"),
        fcp::tool::program::<fcp_workspace::Workspace>(),
    )
}

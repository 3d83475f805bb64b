//! `fcp-assets`: the MCP server and command line of the domain.

use std::process::ExitCode;

fn main() -> ExitCode {
    fcp_assets::process::begin();
    fcp::cli::tools(
        concat!(env!("CARGO_PKG_VERSION"), " (spec 0.2.3)"),
        fcp::tool::program::<fcp_assets::Assets>(),
    )
}

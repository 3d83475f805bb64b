//! The process: start, end, standard error and the command line.
//! Requests are in `front`, commands other than serving in `command`.

mod ready;

use std::env;
use std::io::{self, Write};
use std::process;
use std::sync::Arc;

use fcp::signals::{self, Leave};
use fcp::tool::{Tools, Transport};

use crate::front::{self, Desk, Ended};
use crate::library::Sources;
use crate::log;
use crate::state::Assets;
pub use ready::{READY_FILE, Ready};

/// Contents of the ready line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The folder of schemas.
    pub schemas_dir: String,
    /// The folder of examples.
    pub examples_dir: String,
    /// The number of schemas.
    pub schemas: usize,
    /// The number of examples.
    pub examples: usize,
}

impl About {
    pub(crate) fn of(assets: &Assets) -> Self {
        let sources = Sources::of("", |name| env::var(name).ok());
        Self {
            schemas_dir: sources.schemas.display().to_string(),
            examples_dir: sources.examples.display().to_string(),
            schemas: assets.library.schemas().len(),
            examples: assets.library.examples().len(),
        }
    }
}

/// Handles signals from now on. This is the first action of the program.
pub fn begin() {
    if let Err(problem) = signals::watch() {
        log::line(format_args!("signals end the process at once: {problem}"));
    }
}

/// Marks the process as a command: a signal ends it at once.
pub(crate) fn command() {
    signals::command();
}

/// Serves tools on standard input and output and ends the process: with 0 at the end of the input
/// or after a signal, with 1 if the output is closed. A file and a line on standard error announce
/// that the server is ready.
///
/// # Errors
/// Serving cannot begin.
pub fn serve(tools: &Arc<dyn Tools>, about: &About, mcp: &Transport<'_>) -> io::Result<()> {
    begin();
    let desk = Arc::new(Desk::default());
    let ready = Ready::announce(env::var_os("MCP_READY_FILE"));
    let (stopped, withdrawn) = (Arc::clone(&desk), ready.clone());
    signals::serving(Leave {
        stop: Box::new(move || stopped.stop()),
        drop: Box::new(move || withdrawn.withdraw()),
    });
    let About {
        schemas_dir,
        examples_dir,
        schemas,
        examples,
    } = about;
    log::line(format_args!(
        "mcp:ready mode=stdio schemas_dir={schemas_dir} examples_dir={examples_dir} schemas={schemas} examples={examples}"
    ));
    let streams = (io::stdin(), standard_output());
    let served = front::serve(&desk, tools, streams, mcp, |ended| {
        ready.withdraw();
        log::line("mcp:shutdown mode=stdio");
        // The protocol's server may have open requests that never end.
        process::exit(match ended {
            Ended::Input | Ended::Stopped => 0,
            Ended::Unread => 1,
        });
    });
    ready.withdraw();
    served
}

/// Standard output, reserved for frames: all other output goes to standard error from now on.
fn standard_output() -> Box<dyn Write + Send> {
    #[cfg(unix)]
    {
        use std::fs::File;
        use std::os::fd::AsFd;
        let own = io::stdout().as_fd().try_clone_to_owned();
        if let Ok(own) = own
            && rustix::stdio::dup2_stdout(io::stderr()).is_ok()
        {
            return Box::new(File::from(own));
        }
    }
    Box::new(io::stdout())
}

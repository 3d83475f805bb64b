//! Pictures compared with reference pictures, hostile drawings, and measurements of texts. This
//! program is its own worker.

#![allow(
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says when it checked nothing"
)]

mod pictures;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    if let Some(code) = fcp::worker::dispatch() {
        return code;
    }
    let groups: [&[pictures::Test]; 4] = [
        pictures::corpus::TESTS,
        pictures::hostile::TESTS,
        pictures::drawing::TESTS,
        pictures::measuring::TESTS,
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

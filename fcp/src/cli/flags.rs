//! A domain's own flags on the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches};

use crate::diag::shown_path;
use crate::endpoint::{Flag, FlagValue, Flags};

/// The flags as arguments of the command line. They may come before or after a command.
pub(super) fn arguments(flags: &'static [Flag]) -> impl Iterator<Item = Arg> {
    flags.iter().map(|flag| {
        let argument = Arg::new(flag.name)
            .long(flag.name)
            .help(flag.doc)
            .global(true);
        match flag.takes {
            FlagValue::None => argument.action(ArgAction::SetTrue),
            FlagValue::Folder => argument
                .action(ArgAction::Append)
                .value_name("DIR")
                .value_parser(clap::value_parser!(PathBuf)),
            FlagValue::Text { names, more } => {
                let least = names.len();
                let most = if more { usize::MAX } else { least };
                argument
                    .value_names(names.iter().copied())
                    .num_args(least..=most)
                    .value_parser(clap::value_parser!(OsString))
            }
            FlagValue::Seconds => argument
                .value_name("SECONDS")
                .value_parser(clap::value_parser!(u16).range(1..=3600)),
        }
    })
}

/// The flags that were given, or an error about a folder that does not exist.
pub(super) fn given(flags: &'static [Flag], matches: &ArgMatches) -> Result<Flags, String> {
    let mut given = Flags::default();
    for flag in flags {
        match flag.takes {
            FlagValue::None if matches.get_flag(flag.name) => given = given.with(flag, None),
            FlagValue::None => {}
            FlagValue::Folder => {
                for folder in matches.get_many::<PathBuf>(flag.name).into_iter().flatten() {
                    if !folder.is_dir() {
                        let (name, folder) = (flag.name, shown_path(folder));
                        return Err(format!("--{name} {folder} is not a folder"));
                    }
                    given = given.with(flag, Some(folder.clone().into()));
                }
            }
            FlagValue::Text { .. } => {
                for text in matches
                    .get_many::<OsString>(flag.name)
                    .into_iter()
                    .flatten()
                {
                    given = given.with(flag, Some(text.clone()));
                }
            }
            FlagValue::Seconds => {
                if let Some(seconds) = matches.get_one::<u16>(flag.name) {
                    given = given.with(flag, Some(seconds.to_string().into()));
                }
            }
        }
    }
    Ok(given)
}

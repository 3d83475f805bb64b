//! Limits of a toolset's own, each moved by a flag of its program.

use std::fmt;

use crate::diag::{Diagnostic, Result};
use crate::endpoint::{Config, Flag};

/// A struct of limits, each with its flag, the name of the flag's value, and its default. Its doc
/// comment is the help of the flag.
///
/// ```
/// use fcp::endpoint::Config;
///
/// fcp::tool::limits! {
///     /// The limits of books.
///     pub struct Limits {
///         /// The most pages of a book [default: 100].
///         pages: PAGES = "max-pages" "N" 100;
///     }
/// }
///
/// # fn main() -> fcp::diag::Result<()> {
/// assert_eq!(Limits::PAGES.doc, "The most pages of a book [default: 100].");
/// let limits = Limits::of(&Config::at("."))?;
/// assert!(limits.pages.check("the book", 100).is_ok());
/// assert_eq!(
///     limits.pages.check("the book", 101).unwrap_err().to_string(),
///     "the book: 101 is over the limit of 100, which --max-pages moves"
/// );
/// # Ok(())
/// # }
/// ```
#[macro_export]
#[doc(hidden)]
macro_rules! __limits {
    ($(#[$doc:meta])* $vis:vis struct $name:ident {
        $(#[doc = $about:literal] $field:ident: $flag:ident = $setting:literal $unit:literal $default:expr;)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        $vis struct $name {
            $(#[doc = $about] pub $field: $crate::tool::Most,)*
        }

        impl $name {
            $(
                #[doc = $about]
                pub const $flag: $crate::endpoint::Flag =
                    $crate::endpoint::Flag::text($setting, &[$unit], $about.trim_ascii());
            )*

            /// The limits that the program was started with.
            ///
            /// # Errors
            /// The value of a flag is not a number.
            pub fn of(config: &$crate::endpoint::Config) -> $crate::diag::Result<Self> {
                Ok(Self {
                    $($field: $crate::tool::Most::of(config, &Self::$flag, $default)?,)*
                })
            }
        }
    };
}

#[doc(inline)]
pub use crate::__limits as limits;

/// A limit that holds now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    /// The greatest number within the limit.
    pub most: u64,
    /// The flag that moves it.
    pub setting: &'static str,
}

impl Most {
    /// The limit that the program was started with.
    ///
    /// # Errors
    /// The value of the flag is not a number.
    pub fn of(config: &Config, flag: &Flag, default: u64) -> Result<Self> {
        let setting = flag.name;
        let most = match config.flags.texts(flag).last() {
            None => default,
            Some(given) => given
                .to_str()
                .and_then(|text| text.parse().ok())
                .ok_or_else(|| Diagnostic::new(format!("--{setting} takes a number")))?,
        };
        Ok(Self { most, setting })
    }

    /// The limit as the size of something in memory.
    #[must_use]
    pub fn size(self) -> usize {
        usize::try_from(self.most).unwrap_or(usize::MAX)
    }

    /// The error for more than the limit.
    #[must_use]
    pub fn over(self, what: &str, actual: u64) -> Over {
        Over {
            what: what.to_owned(),
            limit: self.most,
            actual,
            setting: self.setting,
        }
    }

    /// Rejects more than the limit.
    ///
    /// # Errors
    /// It is more.
    pub fn check(self, what: &str, actual: u64) -> std::result::Result<(), Over> {
        match actual > self.most {
            true => Err(self.over(what, actual)),
            false => Ok(()),
        }
    }
}

/// More than a limit allows. It is displayed as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Over {
    /// The thing that is too large.
    pub what: String,
    /// The limit.
    pub limit: u64,
    /// The number over it.
    pub actual: u64,
    /// The flag that moves it.
    pub setting: &'static str,
}

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            limit,
            actual,
            setting,
        } = self;
        write!(
            f,
            "{what}: {actual} is over the limit of {limit}, which --{setting} moves"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_moves_its_limit_and_takes_a_number() {
        const PAGES: Flag = Flag::text("max-pages", &["N"], "The most pages.");
        let config = |value: &str| {
            let mut config = Config::at(".");
            config.flags = config.flags.with(&PAGES, Some(value.into()));
            config
        };
        assert_eq!(Most::of(&Config::at("."), &PAGES, 7).unwrap().most, 7);
        assert_eq!(Most::of(&config("9"), &PAGES, 7).unwrap().most, 9);
        let refused = Most::of(&config("many"), &PAGES, 7).unwrap_err();
        assert_eq!(refused.message, "--max-pages takes a number");
        let flags = config("json").flags;
        assert_eq!(flags.choice(&PAGES, &["json", "plain"]), Ok(0));
        let refused = config("yaml").flags.choice(&PAGES, &["json", "plain"]);
        assert_eq!(
            refused.unwrap_err().message,
            "--max-pages takes json or plain"
        );
    }
}

//! Valid names of domains: words that can be a folder, a crate, a type, a variable and a tool.

use crate::{names::is_keyword, workspace::Result};

/// The longest name. Tools are called `NAME_session`, and some clients add a prefix of their own.
const LONGEST: usize = 32;

/// Words with another meaning, by that meaning.
const RESERVED: &[(&str, &str)] = &[
    (
        "is the project's own",
        "domain domains fcp fcps macros runtime template test tests xtask",
    ),
    (
        "is a tool or a command of every domain",
        "call check codebook edit help mcp query repl run schema serve session tools",
    ),
    (
        "names something of the runtime",
        "action arg batch card change diagnostic diff endpoint entity event find format history id int kind label lint \
         list listing model name number op pick policy query redo ref registry reply row rows save scope selection \
         selector sign slot spanned switch table text tool toolset undo value verb",
    ),
    (
        "names something of Rust's own",
        "alloc bool char clone copy core debug default drop err f32 f64 from hash i128 i16 i32 i64 i8 into isize iterator \
         none ok option ord result send some std str string sync u128 u16 u32 u64 u8 usize vec",
    ),
    (
        "cannot be a folder on every system, or is ignored",
        "aux build com1 com2 com3 com4 com5 com6 com7 com8 com9 con lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 nul \
         prn target",
    ),
];

/// Rejects invalid names. `used` are the names in the template's code, in lower case.
pub fn legal(name: &str, used: &[String]) -> Result<()> {
    let form = (2..=LONGEST).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let reserved = || {
        RESERVED
            .iter()
            .find(|(_, words)| words.split_whitespace().any(|word| word == name))
    };
    let why = if !form {
        "is not a domain name"
    } else if is_keyword(name) {
        "is a keyword of Rust"
    } else if let Some((why, _)) = reserved() {
        why
    } else if used.iter().any(|word| word == name) {
        "means something else in the template"
    } else {
        return Ok(());
    };
    Err(format!(
        "{name:?} {why}; a name is one word of 2 to {LONGEST} lower-case letters and digits, a letter first, that \
         means nothing yet, such as \"recipes\""
    )
    .into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_free_word() {
        let used = ["task".to_owned()];
        let longest = "a".repeat(LONGEST);
        for name in ["svg", "midi2", "workspace", "drawio", longest.as_str()] {
            assert!(legal(name, &used).is_ok(), "{name}");
        }
        let longer = "a".repeat(LONGEST + 1);
        for (name, why) in [
            ("", "is not a domain name"),
            ("q", "is not a domain name"),
            (longer.as_str(), "is not a domain name"),
            ("Svg", "is not a domain name"),
            ("2d", "is not a domain name"),
            ("time-line", "is not a domain name"),
            ("time_line", "is not a domain name"),
            ("two words", "is not a domain name"),
            ("../svg", "is not a domain name"),
            ("/svg", "is not a domain name"),
            ("naïve", "is not a domain name"),
            ("match", "keyword"),
            ("self", "keyword"),
            ("fcp", "project's own"),
            ("macros", "project's own"),
            ("session", "tool or a command"),
            ("query", "tool or a command"),
            ("help", "tool or a command"),
            ("table", "of the runtime"),
            ("option", "Rust's own"),
            ("nul", "folder"),
            ("target", "folder"),
            ("task", "in the template"),
        ] {
            let message = legal(name, &used).unwrap_err().to_string();
            assert!(message.contains(why), "{message}");
            assert!(
                message.contains("one word of 2 to 32 lower-case letters and digits"),
                "{message}"
            );
        }
    }
}

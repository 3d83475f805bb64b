//! `new-verb`: creates a working verb or query from `templates/`, and its `mod` line.
//!
//! Placeholders in a template are between two `@`: `@PHRASE@`, `@FUNCTION@`, `@TITLE@` (of the
//! domain), `@MODEL@` (the model's type), `@PATH@` (of the type), `@model@` (the parameter),
//! `@CATEGORY@`, and `@NAME@`, the option with the phrase if the function's name cannot express it.

use std::path::Path;

use crate::{
    names::{capital, is_keyword},
    tidy::source::masked,
    workspace::{self, Result},
};

/// Create a verb: a file with a working example, and its `mod` line.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The domain: a folder of domains/.
    domain: String,
    /// The phrase that starts its ops: one lower-case word or two.
    phrase: String,
    /// Create a query instead.
    #[arg(long)]
    query: bool,
    /// The heading on the card, if not that of the verbs with the same first word.
    #[arg(long, conflicts_with = "query")]
    category: Option<String>,
}

/// Writes the files and prints the next steps.
pub fn run(root: &Path, args: &Args) -> Result<bool> {
    let phrase = legal(&args.phrase)?;
    let domains = workspace::domains(root);
    if !domains.contains(&args.domain) {
        return Err(format!(
            "there is no domain {:?}; there are: {}",
            args.domain,
            domains.join(", ")
        )
        .into());
    }
    let source = root.join("domains").join(&args.domain).join("src");
    let (noun, folder) = if args.query {
        ("query", "queries")
    } else {
        ("verb", "verbs")
    };
    let folder_path = source.join(folder);
    let module = phrase.replace([' ', '-', '.'], "_");
    let shown = |file: &str| format!("domains/{}/src/{folder}/{file}", args.domain);
    if let Some(place) = taken(&folder_path, &phrase, &module)? {
        return Err(format!("{phrase:?} is taken by {}", shown(&place)).into());
    }

    let model = Model::find(root, &source)?;
    let ident = if is_keyword(&module) {
        format!("r#{module}")
    } else {
        module.clone()
    };
    let name = match (module.replace('_', " ") == phrase, args.query) {
        (true, _) => String::new(),
        (false, true) => format!("(name = \"{phrase}\")"),
        (false, false) => format!(", name = \"{phrase}\""),
    };
    let category = match &args.category {
        Some(category) if category.starts_with(char::is_uppercase) => category.clone(),
        Some(category) => {
            return Err(format!(
                "a category is a heading, with a capital letter: {:?}",
                capital(category)
            )
            .into());
        }
        None => category(&folder_path, &module)?,
    };
    let template = workspace::read(&root.join(format!("templates/{noun}.rs.txt")))?;
    let text = template
        .replace("@PHRASE@", &phrase)
        .replace("@FUNCTION@", &ident)
        .replace("@TITLE@", &model.title)
        .replace("@MODEL@", &model.name)
        .replace("@PATH@", &model.path)
        .replace("@model@", &model.parameter)
        .replace("@CATEGORY@", &category)
        .replace("@NAME@", &name);

    let list = folder_path.join("mod.rs");
    let fresh = !list.exists();
    let mods = if fresh {
        format!(
            "//! The {folder} of {}, one a file.\n\nmod {ident};\n",
            model.title
        )
    } else {
        with_module(&workspace::read(&list)?, &ident)
    };
    workspace::write(&folder_path.join(format!("{module}.rs")), &text)?;
    workspace::write(&list, &mods)?;

    let file = shown(&format!("{module}.rs"));
    println!("{file}: a {noun} that works; {} names it", shown("mod.rs"));
    println!("next:");
    if fresh {
        println!(
            "  put `mod {folder};` into domains/{}/src/lib.rs",
            args.domain
        );
    }
    println!("  fill in the doc comment and its example, the parameters, the body");
    println!("  cargo test -p fcp-{} --lib {module}", args.domain);
    println!("  cargo xtask cards");
    Ok(true)
}

/// Checks the phrase.
fn legal(phrase: &str) -> Result<String> {
    let words: Vec<&str> = phrase.split_whitespace().collect();
    let typed = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.ends_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
            && word
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.'))
    };
    if words.is_empty() || words.len() > 2 || !words.iter().all(|word| typed(word)) {
        return Err(format!(
            "{phrase:?} is not a phrase: one lower-case word or two, such as \"time-sig\" or \"track add\""
        )
        .into());
    }
    let module = words.join("_");
    if ["mod", "self", "super", "crate"].contains(&module.as_str()) {
        return Err(format!("{phrase:?} cannot be the name of a file of Rust").into());
    }
    Ok(words.join(" "))
}

/// The file of a verb that already has this phrase.
fn taken(folder: &Path, phrase: &str, module: &str) -> Result<Option<String>> {
    let quoted = format!("\"{phrase}\"");
    for file in workspace::names(folder) {
        if file == format!("{module}.rs") {
            return Ok(Some(file));
        }
        if !file.ends_with(".rs") {
            continue;
        }
        let text = workspace::read(&folder.join(&file))?;
        // `name = "…"` and `alias = "…"` of attributes.
        let named = text.match_indices(&quoted).any(|(at, _)| {
            let before = text[..at].trim_end();
            before
                .strip_suffix('=')
                .map(str::trim_end)
                .is_some_and(|before| before.ends_with("name") || before.ends_with("alias"))
        });
        if named {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// The heading of the verbs with the same first word, or else that word.
fn category(folder: &Path, module: &str) -> Result<String> {
    let first = module.split('_').next().unwrap_or(module);
    for file in workspace::names(folder) {
        if file.trim_end_matches(".rs").split('_').next() == Some(first) {
            let text = workspace::read(&folder.join(&file))?;
            let category = text.split("category = \"").nth(1);
            if let Some(category) = category.and_then(|category| category.split('"').next()) {
                return Ok(category.to_owned());
            }
        }
    }
    Ok(capital(first))
}

/// A list of modules with one more module, in alphabetical order.
fn with_module(text: &str, ident: &str) -> String {
    let name = |line: &str| {
        let rest = line.strip_prefix("pub ").unwrap_or(line);
        let rest = rest.strip_prefix("mod ")?.strip_suffix(';')?;
        Some(rest.trim_start_matches("r#").to_owned())
    };
    let own = ident.trim_start_matches("r#");
    let lines: Vec<&str> = text.lines().collect();
    let modules: Vec<usize> = (0..lines.len())
        .filter(|&at| name(lines[at]).is_some())
        .collect();
    let public = modules
        .first()
        .is_some_and(|&at| lines[at].starts_with("pub "));
    let line = format!("{}mod {ident};", if public { "pub " } else { "" });
    let after = modules
        .iter()
        .find(|&&at| name(lines[at]).is_some_and(|name| name.as_str() > own));
    let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
    match (after, modules.last()) {
        (Some(&at), _) => lines.insert(at, line),
        (None, Some(&last)) => lines.insert(last + 1, line),
        (None, None) => {
            // After the file's documentation.
            let docs = lines
                .iter()
                .take_while(|line| line.starts_with("//!"))
                .count();
            lines.splice(docs..docs, [String::new(), line]);
        }
    }
    lines.join("\n") + "\n"
}

/// The model that a domain's verbs change.
struct Model {
    name: String,
    path: String,
    parameter: String,
    title: String,
}

impl Model {
    fn find(root: &Path, source: &Path) -> Result<Self> {
        let within = |path: &Path| {
            path.strip_prefix(root)
                .map(|path| path.to_string_lossy().replace('\\', "/"))
                .unwrap_or_default()
        };
        let prefix = format!("{}/", within(source));
        let files: Vec<(String, String)> = workspace::files(root)
            .into_iter()
            .filter(|path| path.starts_with(&prefix) && path.ends_with(".rs"))
            .map(|path| workspace::read(&root.join(&path)).map(|text| (path, text)))
            .collect::<Result<_>>()?;
        let name = files
            .iter()
            .find_map(|(_, text)| {
                let code = masked(text).code;
                let rest = code.split("Domain for ").nth(1)?;
                let name: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
                (!name.is_empty()).then_some(name)
            })
            .ok_or_else(|| {
                format!("{prefix} holds no `impl Domain for MODEL`; a domain starts with its model")
            })?;
        let defined = files
            .iter()
            .find(|(_, text)| text.contains(&format!("struct {name}")));
        let (file, text) =
            defined.ok_or_else(|| format!("{prefix} holds no `struct {name}`, the model"))?;
        let title = text
            .split("title = \"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        let exported = files.iter().any(|(path, text)| {
            path.strip_prefix(&prefix) == Some("lib.rs")
                && text.lines().any(|line| {
                    line.starts_with("pub use ")
                        && line
                            .split(|c: char| !c.is_alphanumeric())
                            .any(|word| word == name)
                })
        });
        let module = file
            .trim_start_matches(&prefix)
            .trim_end_matches(".rs")
            .trim_end_matches("/mod")
            .replace('/', "::");
        let path = if exported || module == "lib" {
            format!("crate::{name}")
        } else {
            format!("crate::{module}::{name}")
        };
        let mut parameter = String::new();
        for (at, c) in name.char_indices() {
            if at > 0 && c.is_uppercase() {
                parameter.push('_');
            }
            parameter.extend(c.to_lowercase());
        }
        Ok(Self {
            title: title.unwrap_or(&name).to_owned(),
            name,
            path,
            parameter,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_takes_its_place_in_the_list() {
        let list = "//! Verbs.\n\nmod add;\nmod note;\n\nuse x;\n";
        let one = with_module(list, "lyric_add");
        assert_eq!(
            one,
            "//! Verbs.\n\nmod add;\nmod lyric_add;\nmod note;\n\nuse x;\n"
        );
        let two = with_module(&one, "touch");
        assert!(two.contains("mod note;\nmod touch;\n\nuse"));
        assert!(with_module(&two, "r#move").contains("mod lyric_add;\nmod r#move;\nmod note;"));
        assert_eq!(with_module("pub mod b;\n", "a"), "pub mod a;\npub mod b;\n");
        assert_eq!(with_module("//! Verbs.\n", "a"), "//! Verbs.\n\nmod a;\n");
    }

    #[test]
    fn a_phrase_is_one_lower_case_word_or_two() {
        for phrase in ["note", "track add", "time-sig", "grid2", " lyric  add "] {
            assert!(legal(phrase).is_ok(), "{phrase}");
        }
        for phrase in [
            "", "Note", "a b c", "2x", "add_note", "-x", "x-", "é", "a:b", "../x", "super",
        ] {
            assert!(legal(phrase).is_err(), "{phrase}");
        }
    }
}

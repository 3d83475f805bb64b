//! The check of a whole domain, for properties that no single verb can show.

use std::path::Path;

use super::play::{by_role, play, scratch, session};
use crate::card::{CARD_BYTES, HELP_BYTES, TOPIC_BYTES, brief, compact, full, tables_card, topic};
use crate::domain::Domain;
use crate::endpoint::Endpoint;
use crate::model::ModelExt;
use crate::verb::{Registry, Role};

/// Checks that a domain is consistent: the registry builds; every file of `verbs/`, `queries/`,
/// `selectors/` and `lints/` registers something; the card fits and names everything; the workflow
/// runs; a save preserves the content.
///
/// `source` is the crate's `src`: `concat!(env!("CARGO_MANIFEST_DIR"), "/src")`.
///
/// # Panics
/// A check fails.
pub fn conformance<M: Domain>(source: &str) {
    let registry = Registry::<M>::build().unwrap_or_else(|error| panic!("{error}"));
    let silent = unregistered::<M>(Path::new(source));
    assert!(silent.is_empty(), "{}", silent.join("\n"));
    card(&registry);
    help(&registry);
    workflow::<M>();
}

/// The files that register nothing, each with the probable reason.
#[must_use]
pub fn unregistered<M: Domain>(source: &Path) -> Vec<String> {
    let Ok(registry) = Registry::<M>::build() else {
        return vec!["the registry does not build".to_owned()];
    };
    let mut sources: Vec<&str> = Vec::new();
    for role in [Role::Verb, Role::Query, Role::Action] {
        sources.extend(by_role(&registry, role).iter().map(|verb| verb.source.file));
    }
    sources.extend(registry.selectors().map(|def| def.source.file));
    sources.extend(registry.lints().map(|lint| lint.source.file));
    let folders = ["verbs", "queries", "actions", "selectors", "lints"];
    silent(source, &folders, &sources)
}

/// The files in these folders that are not among `sources`.
pub(super) fn silent(source: &Path, folders: &[&str], sources: &[&str]) -> Vec<String> {
    let mut silent = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(source.join(folder))
            .into_iter()
            .flatten()
            .flatten()
        {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name == "mod.rs" || !name.ends_with(".rs") {
                continue;
            }
            let end = format!("{folder}/{name}");
            if !sources
                .iter()
                .any(|file| file.replace('\\', "/").ends_with(&end))
            {
                let module = name.trim_end_matches(".rs");
                silent.push(format!("src/{end} registers nothing: is `mod {module};` missing in src/{folder}/mod.rs?"));
            }
        }
    }
    silent.sort();
    silent
}

fn card<M: Domain>(registry: &Registry<M>) {
    let card = compact(registry);
    assert!(
        card.len() <= CARD_BYTES,
        "the card has {} bytes, {CARD_BYTES} are shown:\n{card}",
        card.len()
    );
    let full = full(registry);
    for role in [Role::Verb, Role::Query, Role::Action] {
        for verb in by_role(registry, role) {
            // Verbs with the same first word share it: `add circle|star r:`, `modify PATH close`.
            let (first, second) = verb.phrase.split_once(' ').unwrap_or((verb.phrase, ""));
            let named = card.contains(verb.phrase)
                || card.lines().any(|line| {
                    let mut words = line.split([' ', '|', '/', '…']);
                    words.any(|word| word == first) && words.any(|word| word == second)
                });
            assert!(named, "the card lacks {}:\n{card}", verb.phrase);
            let opening = verb.opening().0;
            assert!(
                full.contains(&format!("\n  {opening}")),
                "the full card lacks {opening}"
            );
            assert!(
                verb.summary.ends_with('.'),
                "{}: the summary is not a sentence: {}",
                verb.phrase,
                verb.summary
            );
        }
    }
    let runtime = [
        crate::session::STEERING,
        crate::queries::BUILTIN,
        crate::session::actions::BUILTIN,
    ];
    for (syntax, _) in runtime.into_iter().flatten() {
        let word = syntax.split(' ').next().unwrap_or_default();
        assert!(card.contains(word), "the card lacks {word}:\n{card}");
        assert!(full.contains(word), "the full card lacks {word}");
    }
    for (_, shape) in M::kinds() {
        assert!(
            full.contains(shape.kind),
            "the full card lacks the type {}",
            shape.kind
        );
    }
    for name in registry.selector_names() {
        assert!(
            card.contains(&format!("@{name}")),
            "the card lacks @{name}:\n{card}"
        );
    }
    for word in ["SELECT", "UPDATE", "@where", ":=", "each", "ONE CALL"] {
        assert!(card.contains(word), "the card lacks {word}:\n{card}");
    }
}

/// Checks that help fits: all of it, and every topic.
fn help<M: Domain>(registry: &Registry<M>) {
    let help = brief(registry);
    assert!(
        help.len() <= HELP_BYTES,
        "help has {} bytes, {HELP_BYTES} are allowed:\n{help}",
        help.len()
    );
    let mut topics: Vec<String> = Vec::new();
    for role in [Role::Verb, Role::Query, Role::Action] {
        for verb in by_role(registry, role) {
            assert!(
                verb.phrase.split(' ').all(|word| help.contains(word)),
                "help lacks {}",
                verb.phrase
            );
            topics.push(verb.phrase.to_owned());
            topics.extend(verb.phrase.split(' ').map(str::to_owned));
        }
    }
    topics.extend(M::kinds().map(|(_, shape)| shape.kind.to_owned()));
    for name in registry.selector_names() {
        assert!(help.contains(&format!("@{name}")), "help lacks @{name}");
        topics.push(format!("@{name}"));
        // `help all` is the long card.
        topics.extend((name != "all").then(|| name.to_owned()));
    }
    for table in crate::sql::tables_of(registry) {
        assert!(
            help.contains(&table.name),
            "help lacks the table {}",
            table.name
        );
        topics.extend(
            table
                .names
                .iter()
                .map(|column| format!("{}.{column}", table.name)),
        );
        topics.extend(table.names.clone());
        topics.push(table.name);
    }
    for part in [
        "verbs",
        "queries",
        "session",
        "types",
        "values",
        "selectors",
        "tables",
        "sql",
        "settings",
        "examples",
    ] {
        topics.push(part.to_owned());
    }
    for wanted in &topics {
        match topic(registry, wanted) {
            Ok(text) => assert!(
                text.len() <= TOPIC_BYTES && !text.is_empty(),
                "help {wanted} has {} bytes:\n{text}",
                text.len()
            ),
            Err(error) => panic!("there is no help on {wanted}: {error}"),
        }
    }
    let unknown = topic(registry, "zzqx-nothing")
        .err()
        .map(|error| error.to_string());
    assert!(
        unknown.as_ref().is_some_and(|text| text.len() <= 300),
        "an unknown topic: {unknown:?}"
    );
    let tables = tables_card(registry, 1500);
    assert!(tables.len() <= 1500, "{} bytes:\n{tables}", tables.len());
}

fn workflow<M: Domain>() {
    let root = scratch();
    let mut session = session::<M>(root.path());
    if let Err((line, failure)) = play(&mut session, M::WORKFLOW) {
        panic!("the workflow on the card fails in its line {line}:\n{failure}");
    }
    assert!(
        M::WORKFLOW.contains("! save"),
        "the workflow on the card ends without a save"
    );
    let digest = session.digest();
    let saved: Vec<String> = std::fs::read_dir(root.path())
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let [file] = saved.as_slice() else {
        panic!("the workflow saved {saved:?}")
    };
    let opened = session.act(&format!("open {file}"));
    assert!(!opened.is_error, "{}", opened.text);
    assert_eq!(
        session.digest(),
        digest,
        "opening what was saved gives another digest"
    );
}

/// The tests of every domain, in one line: it is consistent, an edit changes only the bytes of the
/// rows that it changes, and its program keeps the contract.
///
/// ```ignore
/// fcp::testing::conformance!(fcp_list::Shopping);
/// ```
///
/// Known faults that are not fixed yet are named by check and verb:
/// `known: &[("identity", "list sort")]`.
#[macro_export]
#[doc(hidden)]
macro_rules! __conformance {
    ($model:ty $(, known: $known:expr)?) => {
        #[test]
        fn the_domain_holds_together() {
            $crate::testing::conformance::<$model>(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
        }

        #[test]
        fn every_changed_byte_is_accounted_for() {
            let known: &[(&str, &str)] = &[];
            $(let known: &[(&str, &str)] = $known;)?
            $crate::testing::fidelity::any_edits::<$model>(known);
        }

        #[test]
        fn the_program_ends_in_order_at_a_signal() {
            $crate::testing::ends_at_signals(env!(concat!(
                "CARGO_BIN_EXE_",
                env!("CARGO_PKG_NAME")
            )));
        }

        #[test]
        fn the_program_ends_when_nobody_reads_its_replies() {
            $crate::testing::ends_when_unread(env!(concat!(
                "CARGO_BIN_EXE_",
                env!("CARGO_PKG_NAME")
            )));
        }

        #[test]
        fn the_program_answers_requests_that_it_cannot_read() {
            $crate::testing::answers_every_id(env!(concat!(
                "CARGO_BIN_EXE_",
                env!("CARGO_PKG_NAME")
            )));
        }

        #[test]
        fn the_program_stops_a_call_that_is_cancelled() {
            $crate::testing::stops_when_cancelled(env!(concat!(
                "CARGO_BIN_EXE_",
                env!("CARGO_PKG_NAME")
            )));
        }

        #[test]
        fn the_program_keeps_the_contract() {
            $crate::testing::contract::keeps::<$model>(env!(concat!(
                "CARGO_BIN_EXE_",
                env!("CARGO_PKG_NAME")
            )));
        }
    };
}

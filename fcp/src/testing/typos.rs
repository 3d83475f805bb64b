//! Typos: one letter wrong in the ops of a domain's examples.

use std::collections::BTreeSet;

use super::play::by_role;
use super::slips::{Bench, Least, Report, Slip};
use super::walk::Walk;
use crate::diag::Span;
use crate::domain::Domain;
use crate::model::{Level, ModelExt};
use crate::op::{OpWord, ParsedOp, Quoted};
use crate::script::{self, Call};
use crate::verb::{Param, Place, Registry, Role};

/// A word of an op that has a right spelling.
struct Target {
    kind: &'static str,
    span: Span,
}

/// Makes `count` typos of one letter in the verbs, types, keys, references and selectors of the ops that the examples
/// of verbs show, and in the words that `own` tells the kind of: see [`slips`](super::slips()). A typo that makes another
/// right word is none.
///
/// # Panics
/// There are not so many, or the repairs do not reach `least`.
pub fn typos<M: Domain>(
    seed: u64,
    count: usize,
    least: Least,
    own: impl Fn(&str) -> Option<&'static str>,
) {
    let registry = Registry::<M>::build().unwrap_or_else(|error| panic!("{error}"));
    let mut random = Walk::new(seed);
    let places = places::<M>(&registry);
    assert!(!places.is_empty(), "no example shows an op that is taken");
    let words = vocabulary(&registry);
    let each = count.div_ceil(places.len());
    let (mut report, mut made) = (Report::default(), 0);
    for (script, op) in &places {
        let mut bench = Bench::<M>::new(script);
        let mut seen = BTreeSet::new();
        let targets = targets(&registry, &bench, op, &own);
        // A short op has few typos: what it lacks the others make up for.
        for _ in 0..each * 8 {
            if seen.len() >= each * 2 || made >= count {
                break;
            }
            let Some(target) = targets.get(random.below(targets.len())) else {
                break;
            };
            let word = target.span.of(op);
            let wrong = typo(&mut random, word);
            let right = wrong == word
                || words.contains(&wrong)
                || own(&wrong).is_some()
                || names(&bench, &wrong);
            let wrong = target.span.replace(op, &wrong);
            if right || !seen.insert(wrong.clone()) {
                continue;
            }
            made += 1;
            let slip = Slip {
                kind: target.kind,
                wrong,
                meant: op.clone(),
            };
            report.make(&mut bench, &slip);
        }
    }
    assert!(made >= count, "there are {made} typos, not {count}");
    report.check(least);
}

/// The ops of examples that are taken, each with the script before it.
fn places<M: Domain>(registry: &Registry<M>) -> Vec<(String, String)> {
    let mut places = Vec::new();
    for verb in by_role(registry, Role::Verb) {
        for example in verb.examples {
            let lines = example
                .script
                .lines()
                .map(|line| line.strip_prefix("# ").unwrap_or(line));
            let text: String = lines.flat_map(|line| [line, "\n"]).collect();
            let steps = script::parse(&text).unwrap_or_else(|error| panic!("{error}"));
            let mut before = String::new();
            for step in steps {
                let refused = step.expected.iter().flatten().next();
                let refused = refused.is_some_and(|line| line.starts_with('!'));
                // What stands on one line, and shows a reply, is what the example is about.
                if let (Call::Ops(ops), Some(_)) = (&step.call, &step.expected)
                    && let [op] = ops.as_slice()
                    && !refused
                {
                    places.push((before.clone(), op.clone()));
                }
                if !refused {
                    before.push_str(&format!("{}\n", step.call));
                }
            }
        }
    }
    places
}

/// Every word that a verb, a key or a selector is called by.
fn vocabulary<M: Domain>(registry: &Registry<M>) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for verb in by_role(registry, Role::Verb) {
        words.extend(verb.phrase.split(' ').map(str::to_owned));
        words.extend(
            verb.aliases
                .iter()
                .flat_map(|alias| alias.split(' '))
                .map(str::to_owned),
        );
        words.extend(verb.params.iter().flat_map(Param::keys).map(str::to_owned));
    }
    words.extend(registry.selector_names().map(str::to_owned));
    words
}

/// Whether a row of the document is called so.
fn names<M: Domain>(bench: &Bench<M>, word: &str) -> bool {
    let model = bench.session().model();
    model.is_some_and(|model| {
        let mut tables = model.tables();
        tables.any(|(_, _, rows)| !rows.labelled(word, Level::Exact).is_empty())
    })
}

/// The words of an op that have a right spelling.
fn targets<M: Domain>(
    registry: &Registry<M>,
    bench: &Bench<M>,
    op: &str,
    own: &impl Fn(&str) -> Option<&'static str>,
) -> Vec<Target> {
    let Ok(parsed) = crate::op::parse(op) else {
        return Vec::new();
    };
    let Some(found) = registry.verb(&parsed) else {
        return Vec::new();
    };
    let mut targets = vec![Target {
        kind: "verb",
        span: parsed.verb.span,
    }];
    for (at, word) in parsed.words.iter().enumerate() {
        if found.skip.contains(&at) {
            targets.push(Target {
                kind: "type",
                span: word.span(),
            });
            continue;
        }
        let open = found
            .verb
            .params
            .iter()
            .any(|param| param.place == Place::Fields);
        match word {
            OpWord::Positional(word) if word.quoted == Quoted::No => {
                let kind = if names(bench, &word.text) {
                    Some("reference")
                } else {
                    own(&word.text)
                };
                targets.extend(kind.map(|kind| Target {
                    kind,
                    span: word.span,
                }));
            }
            OpWord::Param(param) => {
                let known = found
                    .verb
                    .params
                    .iter()
                    .any(|own| own.answers_to(&param.key));
                let kind = match own(&param.key) {
                    Some(kind) if open && !known => Some(kind),
                    _ => known.then_some("key"),
                };
                targets.extend(kind.map(|kind| Target {
                    kind,
                    span: param.key_span,
                }));
                // What is called is no name of what is new.
                let new = matches!(&*param.key, "id" | "as" | "name");
                if !new && param.quoted == Quoted::No && names(bench, &param.value) {
                    targets.push(Target {
                        kind: "reference",
                        span: param.value_span,
                    });
                }
            }
            OpWord::Selector(selector) => {
                targets.push(Target {
                    kind: "selector",
                    span: selector.kind_span,
                });
                if selector.quoted == Quoted::No && names(bench, &selector.value) {
                    targets.push(Target {
                        kind: "reference",
                        span: selector.value_span,
                    });
                }
            }
            _ => {}
        }
    }
    targets.retain(|target| in_letters(&parsed, target));
    targets
}

/// Whether a word has a letter to get wrong.
fn in_letters(op: &ParsedOp<'_>, target: &Target) -> bool {
    let word = target.span.of(op.raw);
    word.len() > 1 && word.chars().any(char::is_alphabetic)
}

/// A word with one letter dropped, doubled, replaced, or changed with its neighbour.
fn typo(random: &mut Walk, word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = random.below(letters.len());
    match random.below(4) {
        0 => {
            letters.remove(at);
        }
        1 => letters.insert(at, letters[at]),
        2 if at + 1 < letters.len() => letters.swap(at, at + 1),
        _ => letters[at] = char::from(b'a' + random.below(26) as u8),
    }
    letters.into_iter().collect()
}

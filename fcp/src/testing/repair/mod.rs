//! Measurement of repairs: valid ops with a deliberate mistake, the error for each, and the value
//! of its repair.
//!
//! The valid ops are those of a domain's own examples and of its workflow. Each kind of mistake is
//! made a given number of times, in ops and at places that a seed picks. `docs/repair.md` describes
//! the counts.

mod letters;
mod notations;
mod place;
mod report;
mod stage;
mod words;

use std::collections::BTreeSet;
use std::rc::Rc;

use super::data::say;
use super::walk::Walk;
use crate::domain::Domain;
use crate::verb::Registry;
use place::{Example, Facts, Piece};
use stage::Stage;

pub use report::{Least, Report, Tally};

/// An op with a mistake in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slip {
    /// The kind of mistake, by which the report counts.
    pub kind: &'static str,
    /// The op that is sent.
    pub wrong: String,
    /// The op that was meant; empty if the sent op does not reveal it.
    pub meant: String,
}

/// An op with a mistake in it, and the intended op if it is not the op of the example.
struct Wrong {
    op: String,
    meant: Option<String>,
}

impl From<String> for Wrong {
    fn from(op: String) -> Self {
        Self { op, meant: None }
    }
}

/// A kind of mistake: its name, and the function that makes it in an op, if possible.
type Mutator = (&'static str, fn(&Facts, &mut Walk) -> Option<Wrong>);

/// Every kind of mistake.
const MUTATORS: &[Mutator] = &[
    ("typo: verb", letters::verb),
    ("typo: second word", letters::second_word),
    ("typo: type", letters::kind),
    ("typo: name", letters::reference),
    ("typo: key", letters::key),
    ("typo: word of a value", letters::choice),
    ("typo: selector", letters::selector),
    ("typo: selector's value", letters::selector_value),
    ("case of a key", letters::key_case),
    ("words joined differently", letters::joint),
    ("plural", letters::plural),
    ("synonym: verb", words::verb_synonym),
    ("synonym: key", words::key_synonym),
    ("words of a verb swapped", words::swapped_phrase),
    ("word missing", words::missing),
    ("extra word", words::surplus),
    ("key twice", words::repeated),
    ("key value", words::no_colon),
    ("key=value", words::equals),
    ("key: value", words::blank_behind),
    ("key :value", words::blank_before),
    ("--key value", words::dashes),
    ("selector without @", words::no_at),
    ("@ or # before a name", words::marked_name),
    ("another arrow", words::arrow),
    ("extra unit", notations::unit),
    ("unit missing", notations::no_unit),
    ("out of range", notations::out_of_range),
    ("unquoted spaces", notations::unquoted),
    ("quote not closed", notations::unclosed),
    ("typographic quotes", notations::smart_quotes),
    ("backticks", notations::backticks),
    ("brackets", notations::brackets),
    ("space in a list", notations::blank_in_list),
    ("commas", notations::commas),
    ("JSON", notations::json),
    ("function call", notations::call),
    ("tool's name", notations::tool_name),
    ("sign in front", notations::sign),
];

/// A meaningless word: a parameter that accepts it accepts anything.
const NONSENSE: &str = "zqxjk";

/// One of several, if there is one.
fn one_of<'a, T>(random: &mut Walk, from: &'a [T]) -> Option<&'a T> {
    let ix = random.below(from.len());
    from.get(ix)
}

/// Makes `count` mistakes of each kind in the ops of a domain's examples, as the seed picks them;
/// fewer if there are not enough.
///
/// # Panics
/// An example does not work.
#[must_use]
pub fn measure<M: Domain>(seed: u64, count: usize) -> Report {
    let registry = Registry::<M>::build().unwrap_or_else(|error| panic!("{error}"));
    let lexicon = Rc::new(place::lexicon(&registry));
    let examples = place::examples::<M>(&registry);
    assert!(!examples.is_empty(), "no example shows an op that is taken");
    let taken = |Example { script, op }: Example| {
        let mut stage = Stage::<M>::new(&script);
        let mut facts = place::facts(stage.session(), &op, &lexicon)?;
        let shown = |piece: &&mut Piece| piece.is_shown() && !piece.is_choice();
        let (right, pieces) = (facts.op.clone(), &mut facts.pieces);
        for piece in pieces.iter_mut().filter(shown) {
            piece.any = stage.send(&piece.value.replace(&right, NONSENSE)).taken;
        }
        let goal = stage.goal(&op);
        // If an op changes nothing, any ineffective op would pass as the intended one.
        (goal.taken && !goal.rows.is_empty()).then_some((stage, facts))
    };
    let mut places: Vec<_> = examples.into_iter().filter_map(taken).collect();
    let mut report = Report::default();
    for (at, (kind, make)) in MUTATORS.iter().enumerate() {
        // Each kind has its own walk, so that a new kind does not affect the others.
        let mut random = Walk::new(seed.wrapping_mul(1009).wrapping_add(at as u64));
        for (place, wrong) in made(&mut random, &places, *make, count) {
            let Some((stage, facts)) = places.get_mut(place) else {
                continue;
            };
            // An op that does not work itself cannot be the intended one.
            let meant = wrong.meant.as_ref();
            if meant.is_some_and(|meant| !stage.goal(meant).taken) {
                continue;
            }
            let slip = Slip {
                kind,
                wrong: wrong.op,
                meant: wrong.meant.unwrap_or_else(|| facts.op.clone()),
            };
            report.make(stage, &slip);
        }
    }
    report
}

/// At most `count` different mistakes of a kind, each with the index of its place.
fn made<S>(
    random: &mut Walk,
    places: &[(S, Facts)],
    make: fn(&Facts, &mut Walk) -> Option<Wrong>,
    count: usize,
) -> Vec<(usize, Wrong)> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    // Most kinds can be made in only few of the ops.
    for _ in 0..count.saturating_mul(40).max(2_000) {
        if found.len() >= count {
            break;
        }
        let place = random.below(places.len());
        let Some((_, facts)) = places.get(place) else {
            break;
        };
        if let Some(wrong) = make(facts, random)
            && wrong.op != facts.op
            && seen.insert((place, wrong.op.clone()))
        {
            found.push((place, wrong));
        }
    }
    found
}

/// Checks that a domain's repairs reach the targets of the benchmark, with `count` mistakes of each
/// kind. Prints the table.
///
/// # Panics
/// A target is missed.
pub fn repairs<M: Domain>(seed: u64, count: usize) {
    let report = measure::<M>(seed, count);
    say(&report.to_string());
    judge(&report, Least::BENCHMARK);
}

/// Makes each mistake on the document that a script makes: an accepted op must do what was meant, a
/// refused one must leave no trace, and enough errors must suggest a repair. Prints the counts of
/// each kind.
///
/// # Panics
/// A check fails.
pub fn slips<M: Domain>(script: &str, slips: &[Slip], least: Least) {
    let mut stage = Stage::<M>::new(script);
    let mut report = Report::default();
    for slip in slips {
        report.make(&mut stage, slip);
    }
    say(&report.to_string());
    judge(&report, least);
}

fn judge(report: &Report, least: Least) {
    let missed = report.missed(least);
    assert!(
        missed.is_empty(),
        "{}\n{}\n{}",
        missed.join("\n"),
        report.impossible.join("\n"),
        report.misses.join("\n")
    );
}

//! Repairs, measured: right ops with a slip in them, what is said of each, and what that is worth.
//!
//! The right ops are those of a domain's own examples and of its workflow. Each kind of slip is made so many times, in ops
//! and at places that a seed picks. `docs/repair.md` says what is
//! counted.

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

/// An op with a slip in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slip {
    /// What kind of slip: the report counts by it.
    pub kind: &'static str,
    /// What is sent.
    pub wrong: String,
    /// What was meant; empty where that cannot be told from what is sent.
    pub meant: String,
}

/// An op with a slip in it, and what was meant where that is not the op of the example.
struct Wrong {
    op: String,
    meant: Option<String>,
}

impl From<String> for Wrong {
    fn from(op: String) -> Self {
        Self { op, meant: None }
    }
}

/// A kind of slip: its name, and how it is made in an op, if it can be.
type Mutator = (&'static str, fn(&Facts, &mut Walk) -> Option<Wrong>);

/// Every kind of slip.
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
    ("words joined otherwise", letters::joint),
    ("plural", letters::plural),
    ("synonym: verb", words::verb_synonym),
    ("synonym: key", words::key_synonym),
    ("words of a verb swapped", words::swapped_phrase),
    ("word missing", words::missing),
    ("word too many", words::surplus),
    ("key twice", words::repeated),
    ("key value", words::no_colon),
    ("key=value", words::equals),
    ("key: value", words::blank_behind),
    ("key :value", words::blank_before),
    ("--key value", words::dashes),
    ("selector without @", words::no_at),
    ("@ or # before a name", words::marked_name),
    ("another arrow", words::arrow),
    ("unit too many", notations::unit),
    ("unit missing", notations::no_unit),
    ("out of range", notations::out_of_range),
    ("blanks unquoted", notations::unquoted),
    ("quote not closed", notations::unclosed),
    ("typographic quotes", notations::smart_quotes),
    ("backticks", notations::backticks),
    ("brackets", notations::brackets),
    ("blank in a list", notations::blank_in_list),
    ("commas", notations::commas),
    ("JSON", notations::json),
    ("function call", notations::call),
    ("tool's name", notations::tool_name),
    ("sign in front", notations::sign),
];

/// A word that means nothing to anybody: where it is taken, any is.
const NONSENSE: &str = "zqxjk";

/// One of several, if there is one.
fn one_of<'a, T>(random: &mut Walk, from: &'a [T]) -> Option<&'a T> {
    let ix = random.below(from.len());
    from.get(ix)
}

/// Makes `count` slips of each kind in the ops of a domain's examples, as the seed picks them: fewer where there are
/// not so many.
///
/// # Panics
/// The examples are not true.
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
        // Where nothing is to change, whatever changes nothing would pass for what was meant.
        (goal.taken && !goal.rows.is_empty()).then_some((stage, facts))
    };
    let mut places: Vec<_> = examples.into_iter().filter_map(taken).collect();
    let mut report = Report::default();
    for (at, (kind, make)) in MUTATORS.iter().enumerate() {
        // Each kind has a walk of its own, so that one more kind changes no other.
        let mut random = Walk::new(seed.wrapping_mul(1009).wrapping_add(at as u64));
        for (place, wrong) in made(&mut random, &places, *make, count) {
            let Some((stage, facts)) = places.get_mut(place) else {
                continue;
            };
            // What is no right op itself is not what anybody meant.
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

/// At most `count` different slips of a kind, each with the place it is made at.
fn made<S>(
    random: &mut Walk,
    places: &[(S, Facts)],
    make: fn(&Facts, &mut Walk) -> Option<Wrong>,
    count: usize,
) -> Vec<(usize, Wrong)> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    // Most kinds can be made in few of the ops.
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

/// Checks that a domain's repairs reach the targets of the benchmark, with `count` slips of each kind. Prints the table.
///
/// # Panics
/// A target is missed.
pub fn repairs<M: Domain>(seed: u64, count: usize) {
    let report = measure::<M>(seed, count);
    say(&report.to_string());
    judge(&report, Least::BENCHMARK);
}

/// Makes each slip on the document that a script makes: one that is taken must do what was meant, one that is refused
/// must leave no trace, and enough must say what to send instead. Prints how many there were of each kind.
///
/// # Panics
/// One of these does not hold.
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

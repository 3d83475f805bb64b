//! The comparison of a claim with the judges' readings of both files.

use std::ops::Range;

use super::ledger::{Claim, Ledger};
use super::reading::{Fact, Judge};
use super::spans::Spans;
use crate::account::ByOwner;

/// The most bytes of a fact shown in a complaint.
const SHOWN: usize = 120;

/// A fault: its judge, and its description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The judge, or the compared aspect.
    pub judge: String,
    /// The difference.
    pub problem: String,
}

impl Complaint {
    /// A judge's complaint.
    pub fn new(judge: &str, problem: impl Into<String>) -> Self {
        Self {
            judge: judge.to_owned(),
            problem: problem.into(),
        }
    }
}

/// Checks only the bytes: outside the claimed spans both files are equal, and each claim has a
/// changed byte.
pub(super) fn bytes(ledger: &Ledger) -> Result<(), Complaint> {
    let complain = |problem: String| Err(Complaint::new("bytes", problem));
    let Ledger { before, after, .. } = ledger;
    if let Some(fault) = ledger.faults.first() {
        return Err(Complaint::new("account", fault));
    }
    let all = ledger.claims.iter();
    for claim in &ledger.claims {
        let inside = |ranges: &[Range<usize>], bytes: &[u8]| {
            ranges
                .iter()
                .all(|range| range.start <= range.end && range.end <= bytes.len())
        };
        if !inside(&claim.before, before) || !inside(&claim.after, after) {
            return complain(format!("{} has a span outside of the file", claim.name));
        }
    }
    let old = Spans::of(all.clone().flat_map(|claim| claim.before.iter().cloned()));
    let new = Spans::of(all.flat_map(|claim| claim.after.iter().cloned()));
    let (old, new) = (old.rest(before), new.rest(after));
    if old != new {
        let at = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        return complain(format!(
            "outside of the {} changes {} bytes became {}, different from the one at {at} of them on: {} -> {}",
            ledger.claims.len(),
            old.len(),
            new.len(),
            show(&old, at),
            show(&new, at)
        ));
    }
    if ledger.claims.is_empty() && before != after {
        return complain("the files differ, and no change is reported".to_owned());
    }
    Ok(())
}

/// The bytes around a position.
fn show(bytes: &[u8], at: usize) -> String {
    let piece = bytes.get(at.saturating_sub(12)..(at + 24).min(bytes.len()));
    piece.unwrap_or_default().escape_ascii().to_string()
}

/// Checks a judge's readings: the facts of rows that no op touched are the same in both files, in
/// the same order and at the same positions.
pub(super) fn facts(
    judge: &dyn Judge,
    ledger: &Ledger,
    before: &[Fact],
    after: &[Fact],
) -> Result<(), Complaint> {
    let complain = |problem: String| Err(Complaint::new(judge.name(), problem));
    let claims = ledger.claims.iter();
    let old = claims
        .clone()
        .flat_map(|claim| &claim.before)
        .chain(&ledger.stirred_before);
    let new = claims.flat_map(|claim| &claim.after).chain(&ledger.stirred);
    let (old, new) = (Spans::of(old.cloned()), Spans::of(new.cloned()));
    let (old, new) = (outside(before, &old), outside(after, &new));
    let same = old
        .iter()
        .zip(&new)
        .take_while(|(a, b)| a.content == b.content);
    let same = same.count();
    if same < old.len().max(new.len()) {
        return complain(format!(
            "sees a change that is not in the account: {} -> {}",
            shown(old.get(same).copied()),
            shown(new.get(same).copied())
        ));
    }
    let mut pairs = old
        .iter()
        .zip(&new)
        .filter(|(a, b)| a.position != b.position && judge.is_free(b));
    let strayed = pairs.next();
    match strayed {
        Some((a, b)) => complain(format!(
            "sees something move that no op touched: {} -> {}",
            shown(Some(a)),
            shown(Some(b))
        )),
        None => Ok(()),
    }
}

fn outside<'a>(facts: &'a [Fact], spans: &Spans) -> Vec<&'a Fact> {
    let untouched = |fact: &&Fact| fact.span.as_ref().is_some_and(|span| !spans.touches(span));
    facts.iter().filter(untouched).collect()
}

/// A judge's readings of both files.
pub(super) type Both<'a> = (&'a [Fact], &'a [Fact]);

/// Checks that a claim is justified: its bytes differ, or its order among the others, or a judge
/// reads some of its owner's bytes at another position.
pub(super) fn claims(
    ledger: &Ledger,
    read: &[Both<'_>],
    owners: &ByOwner,
) -> Result<(), Complaint> {
    let order = [
        Order::of(ledger.claims.iter().map(|claim| &claim.before)),
        Order::of(ledger.claims.iter().map(|claim| &claim.after)),
    ];
    // Whether other bytes now precede a piece of a claim: unclaimed ones, or pieces of other claims.
    let moved = |claim: &Claim| order[0].before(&claim.before) != order[1].before(&claim.after);
    let idle = |claim: &&Claim| {
        let gather = |ranges: &[Range<usize>], bytes: &[u8]| -> Vec<u8> {
            let pieces = ranges.iter().filter_map(|range| bytes.get(range.clone()));
            pieces.flatten().copied().collect()
        };
        let old = gather(&claim.before, &ledger.before);
        let positions = |facts: &[Fact], ranges: &[Range<usize>]| -> Vec<u64> {
            let spans = Spans::of(ranges.iter().cloned());
            let own = |fact: &&Fact| fact.span.as_ref().is_some_and(|span| spans.touches(span));
            facts
                .iter()
                .filter(own)
                .filter_map(|fact| fact.position)
                .collect()
        };
        let stay = |old: &[Range<usize>], new: &[Range<usize>]| {
            let stays =
                |(before, after): &Both<'_>| positions(before, old) == positions(after, new);
            read.iter().all(stays)
        };
        // If rows change their order on one tick, the account may claim any of them; a claimed one
        // may be unchanged, while an unclaimed one moved.
        old == gather(&claim.after, &ledger.after)
            && !moved(claim)
            && stay(&claim.before, &claim.after)
            && owners
                .get(&claim.owner)
                .is_none_or(|(before, after)| stay(before, after))
    };
    match ledger.claims.iter().find(idle) {
        Some(claim) => Err(Complaint::new(
            "claims",
            format!(
                "{} is reported as changed, and has not changed: bytes {:?} -> {:?}",
                claim.name, claim.before, claim.after
            ),
        )),
        None => Ok(()),
    }
}

/// The pieces of all claims in one state, in order.
struct Order {
    /// The start of each piece, with the claimed bytes before it, and the sum of the marks of the
    /// claims whose pieces are before it.
    pieces: Vec<(usize, usize, u64)>,
}

impl Order {
    fn of<'l>(all: impl Iterator<Item = &'l Vec<Range<usize>>>) -> Self {
        let pieces = (1_u64..).zip(all).flat_map(|(claim, ranges)| {
            // Sums of marks are equal only by chance unless the claims are.
            let mark = claim.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            let mark = mark.wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ claim;
            ranges.iter().map(move |range| (range.clone(), mark))
        });
        let mut pieces: Vec<(Range<usize>, u64)> = pieces.collect();
        pieces.sort_by_key(|(range, _)| range.start);
        let (mut claimed, mut marks) = (0, 0_u64);
        let placed = pieces.into_iter().map(|(range, mark)| {
            let place = (range.start, claimed, marks);
            claimed += range.len();
            marks = marks.wrapping_add(mark);
            place
        });
        Self {
            pieces: placed.collect(),
        }
    }

    /// For each piece of a claim, the number of unclaimed bytes before it, and the marks of the
    /// pieces before it.
    fn before(&self, ranges: &[Range<usize>]) -> Vec<(usize, u64)> {
        let place = |range: &Range<usize>| {
            let at = self
                .pieces
                .partition_point(|(start, ..)| *start < range.start);
            let (start, claimed, marks) = self.pieces.get(at).copied().unwrap_or_default();
            (start.saturating_sub(claimed), marks)
        };
        ranges.iter().map(place).collect()
    }
}

/// Checks that a judge reads the same in a file as another one.
pub(super) fn confirms(judge: &dyn Judge, read: &[Fact], first: &[Fact]) -> Result<(), Complaint> {
    let (own, others) = (judge.comparable(read), judge.comparable(first));
    if own == others {
        return Ok(());
    }
    let same = own.iter().zip(&others).take_while(|(a, b)| a == b).count();
    Err(Complaint::new(
        judge.name(),
        format!(
            "reads {}, but {} reads {}",
            cut(own.get(same).map_or("the end", String::as_str)),
            judge.confirms().unwrap_or("another"),
            cut(others.get(same).map_or("the end", String::as_str))
        ),
    ))
}

fn shown(fact: Option<&Fact>) -> String {
    match fact {
        None => "the end".to_owned(),
        Some(fact) => {
            let span = fact.span.as_ref();
            let span = span.map_or(String::new(), |span| {
                format!(" at {}-{}", span.start, span.end)
            });
            let position = fact.position.map_or(String::new(), |at| format!(" @{at}"));
            format!("{}{position}{span}", cut(&fact.content))
        }
    }
}

pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::Owner;

    /// The start and end of a span.
    type Ends = (usize, usize);

    fn ledger(before: &str, after: &str, claims: &[(&str, &[Ends], &[Ends])]) -> Ledger {
        let ranges = |pairs: &[Ends]| pairs.iter().map(|(from, to)| *from..*to).collect();
        let claims = claims.iter().map(|(name, before, after)| Claim {
            owner: Owner::Rest,
            name: (*name).to_owned(),
            before: ranges(before),
            after: ranges(after),
        });
        Ledger {
            before: before.into(),
            after: after.into(),
            claims: claims.collect(),
            ..Ledger::default()
        }
    }

    #[test]
    fn bytes_outside_of_the_claims_must_be_the_same() {
        let good = ledger(
            "one two three",
            "one 2 three",
            &[("two", &[(4, 7)], &[(4, 5)])],
        );
        assert_eq!(bytes(&good), Ok(()));
        let silent = ledger(
            "one two three",
            "One 2 three",
            &[("two", &[(4, 7)], &[(4, 5)])],
        );
        assert!(bytes(&silent).is_err());
        assert!(bytes(&ledger("a", "b", &[])).is_err());
        assert!(bytes(&ledger("a", "b", &[("far", &[(0, 9)], &[(0, 1)])])).is_err());
    }

    #[test]
    fn a_claim_must_have_changed_something() {
        let moved = ledger("ab-", "b-a", &[("a", &[(0, 1)], &[(2, 3)])]);
        assert_eq!(
            (bytes(&moved), claims(&moved, &[], &ByOwner::default())),
            (Ok(()), Ok(()))
        );
        // The end of `b` passes `c`, whose bytes stay the same.
        let passed = ledger(
            "bec",
            "bce",
            &[
                ("b", &[(0, 1), (1, 2)], &[(0, 1), (2, 3)]),
                ("c", &[(2, 3)], &[(1, 2)]),
            ],
        );
        assert_eq!(
            (bytes(&passed), claims(&passed, &[], &ByOwner::default())),
            (Ok(()), Ok(()))
        );
        let idle = ledger(
            "ab",
            "ac",
            &[("a", &[(0, 1)], &[(0, 1)]), ("b", &[(1, 2)], &[(1, 2)])],
        );
        assert!(
            claims(&idle, &[], &ByOwner::default())
                .is_err_and(|complaint| complaint.problem.starts_with("a is reported"))
        );
    }
}

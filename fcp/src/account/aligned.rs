//! Pieces that are in the same order in two states of a file.

use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::FxHashMap;

use super::compare::Piece;

/// The most pieces that are aligned by the search for the shortest edit, whose cost grows with the square.
const FEW: usize = 10_000;

/// The owner of a piece, and the next one, if it depends on that.
type Key = (u32, u32);

/// The index in `old` of each piece of `new`, in ascending order: of the same owner, and for pieces
/// that depend on neighbours, before the same piece. As few pieces as possible have no partner:
/// these moved, or were added or removed.
pub(super) fn aligned(old: &[Piece], new: &[Piece]) -> Vec<Option<usize>> {
    let (old, new) = (keys(old), keys(new));
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (
        old.get(head..).unwrap_or_default(),
        new.get(head..).unwrap_or_default(),
    );
    let tails = old.iter().rev().zip(new.iter().rev());
    let tail = tails.take_while(|(a, b)| a == b).count();
    let mut matched: Vec<Option<usize>> = (0..head).map(Some).collect();
    let inner = |keys: &'_ [Key]| keys.iter().take(keys.len() - tail).copied().collect();
    let (inner_old, inner_new): (Vec<Key>, Vec<Key>) = (inner(old), inner(new));
    if inner_old.len().max(inner_new.len()) > FEW {
        let found = longest_in_order(&inner_old, &inner_new).into_iter();
        matched.extend(found.map(|ix| Some(head + ix?)));
        matched.extend((0..tail).map(|ix| Some(head + inner_old.len() + ix)));
        return matched;
    }
    let mut input = InternedInput::default();
    input.update_before(inner_old.into_iter());
    input.update_after(inner_new.into_iter());
    let (mut from, mut to) = (0, 0);
    for hunk in Diff::compute(Algorithm::Myers, &input).hunks() {
        let (gone, come) = (hunk.before, hunk.after);
        matched.extend((from..gone.start as usize).map(|ix| Some(head + ix)));
        matched.extend(come.clone().map(|_| None));
        (from, to) = (gone.end as usize, come.end as usize);
    }
    matched.extend((0..new.len() - to).map(|ix| Some(head + from + ix)));
    matched
}

/// The longest list of pieces that are in the same order on both sides: for each piece of `new`, its index in `old`.
/// Of several with one key, the first is taken for the first, and so on.
fn longest_in_order(old: &[Key], new: &[Key]) -> Vec<Option<usize>> {
    let numbered = |keys: &[Key]| -> Vec<(Key, u32)> {
        let mut seen: FxHashMap<Key, u32> = FxHashMap::default();
        let number = |key: &Key| {
            let count = seen.entry(*key).or_default();
            *count += 1;
            (*key, *count)
        };
        keys.iter().map(number).collect()
    };
    let places: FxHashMap<(Key, u32), usize> = numbered(old).into_iter().zip(0..).collect();
    let partners = numbered(new).into_iter();
    let partners: Vec<Option<usize>> = partners.map(|key| places.get(&key).copied()).collect();
    // For each length, the list that ends first in `old`: the place there and in `new`.
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(new.len());
    for (ix, partner) in partners.iter().enumerate() {
        let Some(place) = *partner else {
            previous.push(None);
            continue;
        };
        let length = ends.partition_point(|(end, _)| *end < place);
        let shorter = length.checked_sub(1).and_then(|at| ends.get(at));
        previous.push(shorter.map(|(_, ix)| *ix));
        match ends.get_mut(length) {
            Some(end) => *end = (place, ix),
            None => ends.push((place, ix)),
        }
    }
    let mut matched = vec![None; new.len()];
    let mut next = ends.last().map(|(_, ix)| *ix);
    while let Some(ix) = next {
        if let (Some(found), Some(partner)) = (matched.get_mut(ix), partners.get(ix)) {
            *found = *partner;
        }
        next = previous.get(ix).copied().flatten();
    }
    matched
}

/// The keys of the pieces of one state: their owner, and for those that depend on neighbours also
/// the next owner.
fn keys(pieces: &[Piece]) -> Vec<Key> {
    let code = |ix: usize| pieces.get(ix).map_or(0, |piece: &Piece| piece.span.code);
    let key = |ix: usize| {
        let joint = pieces.get(ix).is_some_and(|piece| piece.span.is_joint());
        (code(ix), if joint { code(ix + 1) } else { 0 })
    };
    (0..pieces.len()).map(key).collect()
}

#[cfg(test)]
mod tests {
    use super::{Key, longest_in_order};

    #[test]
    fn most_pieces_are_aligned() {
        let keys = |numbers: &[u32]| -> Vec<Key> { numbers.iter().map(|key| (*key, 0)).collect() };
        for (old, new, aligned) in [
            (&[1, 2, 3, 4][..], &[2, 3, 4, 1][..], 3),
            (&[1, 2, 3], &[3, 2, 1], 1),
            (&[1, 2, 3], &[4, 5], 0),
            (&[1, 1, 2, 2, 3], &[2, 1, 1, 2, 3], 4),
            (&[5, 1, 2, 3, 9, 4], &[1, 9, 2, 3, 4, 5], 4),
        ] {
            let found = longest_in_order(&keys(old), &keys(new));
            let places: Vec<usize> = found.iter().flatten().copied().collect();
            assert_eq!(places.len(), aligned, "{old:?} {new:?}");
            assert!(places.is_sorted(), "{places:?}");
            for (own, place) in new.iter().zip(&found) {
                assert!(place.is_none_or(|place| old[place] == *own));
            }
        }
    }
}

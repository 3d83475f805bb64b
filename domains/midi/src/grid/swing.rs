//! Swing: late second lines of a grid.

use crate::values::Frac;

/// A place in pairs of equal halves, whose second half is moved to start at `swing` per cent.
pub fn warped(at: Frac, base: Frac, pair: Frac, swing: i64) -> Option<Frac> {
    let (one, two) = (Frac::whole(1), Frac::whole(2));
    let share = Frac::new(swing.into(), 100)?;
    let pairs = at.minus(base)?.over(pair)?;
    let whole = Frac::whole(pairs.floor());
    let part = pairs.minus(whole)?;
    let doubled = part.times(two)?;
    let part = if doubled < one {
        doubled.times(share)?
    } else {
        share.plus(doubled.minus(one)?.times(one.minus(share)?)?)?
    };
    base.plus(whole.plus(part)?.times(pair)?)
}

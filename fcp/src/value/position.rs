//! Values that are positions, and the steps between them.

use super::{FcpValue, Int, ValueError, ValueSpec};

/// The position of a row: a day, a tick, a point. A field of this type is `#[fcp(position)]`, which
/// gives its rows the universal verb `repeat`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a position",
    label = "`#[fcp(position)]` needs `impl Position`",
    note = "of the values at hand these are positions: `Int<MIN, MAX>` and Rust's whole numbers"
)]
pub trait Position: FcpValue {
    /// The distance from one position to the next: the value of `every:`.
    type By: FcpValue;

    /// The position `times` steps further; `None` if there is no such position.
    fn moved(&self, by: &Self::By, times: u32) -> Option<Self>;
}

/// The steps of a field that is a position, as the runtime uses them.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// The description of a step.
    pub spec: fn() -> ValueSpec,
    /// The position some steps further than another, both as text.
    pub moved: fn(place: &str, by: &str, times: u32) -> Result<Option<String>, ValueError>,
}

impl Steps {
    /// The steps of a type.
    #[must_use]
    pub const fn of<T: Position>() -> Self {
        Self {
            spec: || T::By::SPEC,
            moved: moved::<T>,
        }
    }
}

fn moved<T: Position>(place: &str, by: &str, times: u32) -> Result<Option<String>, ValueError> {
    let by = T::By::parse(by)?;
    let place = T::parse(place)?.moved(&by, times);
    Ok(place.map(|place| place.to_string()))
}

impl<const MIN: i64, const MAX: i64> Position for Int<MIN, MAX> {
    type By = i64;

    fn moved(&self, by: &i64, times: u32) -> Option<Self> {
        let place = self.get().checked_add(by.checked_mul(times.into())?)?;
        (MIN..=MAX).contains(&place).then(|| Self::clamped(place))
    }
}

macro_rules! integers {
    ($($int:ty),*) => {$(
        impl Position for $int {
            type By = i64;

            fn moved(&self, by: &i64, times: u32) -> Option<Self> {
                let place = i128::from(*self) + i128::from(*by) * i128::from(times);
                place.try_into().ok()
            }
        }
    )*};
}

integers!(u8, u16, u32, u64, i32, i64);

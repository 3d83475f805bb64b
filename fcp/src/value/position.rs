//! Values that say where something is, and how far it is to the next place.

use super::{FcpValue, Int, ValueError, ValueSpec};

/// A value that says where a row is: a day, a tick, a point. A field of it is `#[fcp(position)]`, which gives its rows the
/// universal verb `repeat`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no position",
    label = "`#[fcp(position)]` needs `impl Position`",
    note = "of the values at hand these are positions: `Int<MIN, MAX>` and Rust's whole numbers"
)]
pub trait Position: FcpValue {
    /// How far it is from one to the next: what `every:` takes.
    type By: FcpValue;

    /// The place `times` steps further; nothing if there is no such place.
    fn moved(&self, by: &Self::By, times: u32) -> Option<Self>;
}

/// What the runtime knows of a field that is a position.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// How a step is spoken of.
    pub spec: fn() -> ValueSpec,
    /// The place some steps further than a place, both as text.
    pub moved: fn(place: &str, by: &str, times: u32) -> Result<Option<String>, ValueError>,
}

impl Steps {
    /// Those of a type.
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

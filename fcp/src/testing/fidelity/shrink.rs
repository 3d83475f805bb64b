//! The shortest list of calls that shows a fault.

use crate::script::Call;

/// The most replays of one fault.
const REPLAYS: usize = 120;

/// Drops calls as long as `shows` still finds the fault.
pub(super) fn shrink(calls: Vec<Call>, mut shows: impl FnMut(&[Call]) -> bool) -> Vec<Call> {
    let mut calls = calls;
    let mut replays = 0;
    let mut size = calls.len().div_ceil(2).max(1);
    loop {
        let mut start = 0;
        let mut dropped = false;
        while start < calls.len() {
            if replays == REPLAYS {
                return calls;
            }
            replays += 1;
            let end = (start + size).min(calls.len());
            let mut fewer = calls.clone();
            fewer.drain(start..end);
            if shows(&fewer) {
                calls = fewer;
                dropped = true;
            } else {
                start = end;
            }
        }
        match (size, dropped) {
            (1, false) => return calls,
            (1, true) => {}
            _ => size = size.div_ceil(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_calls_that_show_the_fault_are_left() {
        let calls = (0..37).map(|n| Call::Action(n.to_string())).collect();
        let has = |calls: &[Call], n: &str| calls.contains(&Call::Action(n.to_owned()));
        let left = shrink(calls, |calls| has(calls, "3") && has(calls, "31"));
        assert_eq!(left, ["3", "31"].map(|n| Call::Action(n.to_owned())));
    }
}

//! Values of a field in one unit.

/// Spells values of one field in one unit: if only some of them are numbers after `prefix` or on their own, all are.
pub(super) fn in_one_unit<'v>(
    prefix: &str,
    values: impl Iterator<Item = &'v mut (String, Option<i64>)>,
) {
    let values: Vec<_> = values.collect();
    let bare = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (mut prefixed, mut plain, mut named) = (false, false, false);
    for (text, number) in &values {
        match text.strip_prefix(prefix) {
            Some(_) => prefixed = true,
            None if bare(text) => plain = true,
            // A value without a number is in no unit.
            None => named |= number.is_some(),
        }
    }
    if usize::from(prefixed) + usize::from(plain) + usize::from(named) < 2 {
        return;
    }
    let prefix = if prefixed { prefix } else { "" };
    for (text, number) in values {
        if let Some(number) = number {
            *text = format!("{prefix}{number}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::in_one_unit;

    #[test]
    fn values_of_a_field_are_in_one_unit() {
        for (values, shown) in [
            (vec![("q", 480), ("e", 240)], "q e"),
            (vec![("480", 480), ("470", 470)], "480 470"),
            (vec![("ticks:5", 5), ("ticks:7", 7)], "ticks:5 ticks:7"),
            (vec![("q", 480), ("470", 470)], "480 470"),
            (vec![("470", 470), ("ticks:5", 5)], "ticks:470 ticks:5"),
            (vec![("q", 480), ("ticks:5", 5)], "ticks:480 ticks:5"),
        ] {
            let own = |(text, number): &(&str, i64)| ((*text).to_owned(), Some(*number));
            let mut values: Vec<_> = values.iter().map(own).collect();
            in_one_unit("ticks:", values.iter_mut());
            let values: Vec<&str> = values.iter().map(|(text, _)| &**text).collect();
            assert_eq!(values.join(" "), shown);
        }
        let mut values = [("open".to_owned(), None), ("q".to_owned(), Some(480))];
        in_one_unit("ticks:", values.iter_mut());
        assert_eq!(values.map(|(text, _)| text), ["open", "q"]);
    }
}

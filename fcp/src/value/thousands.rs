//! Large numbers for people.

/// A number with a comma before every three digits: `21,034`.
#[must_use]
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (ix, digit) in digits.chars().enumerate() {
        if ix > 0 && (digits.len() - ix).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::thousands;

    #[test]
    fn three_digits_are_a_group() {
        let shown = [0, 999, 1000, 21_034, 1_234_567].map(thousands);
        assert_eq!(shown, ["0", "999", "1,000", "21,034", "1,234,567"]);
    }
}

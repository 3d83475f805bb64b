//! Times.

use std::fmt;

use super::decimal::{leading, meant, read};
use super::text_form::text_form;
use super::{FcpValue, ValueError, ValueSpec, nearest_word};

/// A time as it was spelled: `2s`, `500ms`, `0:02`, `1:00:00`, or `indefinite`. A bare number is seconds.
#[derive(Clone, Debug)]
pub struct Time {
    seconds: Option<f64>,
    text: Box<str>,
}

const UNITS: &[(&str, f64)] = &[
    ("h", 3600.0),
    ("min", 60.0),
    ("s", 1.0),
    ("ms", 0.001),
    ("", 1.0),
];

impl Time {
    /// The time in seconds; `None` for `indefinite`.
    #[must_use]
    pub const fn seconds(&self) -> Option<f64> {
        self.seconds
    }
}

impl PartialEq for Time {
    fn eq(&self, other: &Self) -> bool {
        self.seconds == other.seconds
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl FcpValue for Time {
    const SPEC: ValueSpec = ValueSpec::new("TIME", "2s, 500ms, 0:02, indefinite");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if let Some(seconds) = seconds(text) {
            return Ok(Self {
                seconds,
                text: text.into(),
            });
        }
        let meant = meant_time(text).filter(|meant| seconds(meant).is_some());
        Err(ValueError::new("is not a time").maybe_fix(meant))
    }
}

/// The seconds of a time, or `Some(None)` for `indefinite`; `None` if the text is not a time.
fn seconds(text: &str) -> Option<Option<f64>> {
    if text == "indefinite" {
        return Some(None);
    }
    if text.contains(':') {
        return clock(text).map(Some);
    }
    let (number, unit) = leading(text);
    let (_, unit) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let number = read(number)?;
    Some(Some(number.get() * unit))
}

/// `MM:SS` or `HH:MM:SS`, with decimals in the last part. Two digits each, except for hours and a
/// lone minute.
fn clock(text: &str) -> Option<f64> {
    let parts: Vec<&str> = text.splitn(4, ':').collect();
    let (hours, minutes, last) = match parts.as_slice() {
        [minutes, last] => ("0", *minutes, *last),
        [hours, minutes, last] if minutes.len() == 2 => (*hours, *minutes, *last),
        _ => return None,
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, part) = last.split_once('.').unwrap_or((last, "0"));
    if !(digits(hours) && digits(minutes) && digits(whole) && digits(part) && whole.len() == 2) {
        return None;
    }
    let [hours, minutes, last] = [hours, minutes, last].map(|part| part.parse::<f64>().ok());
    let (hours, minutes, last) = (hours?, minutes?, last?);
    let sound = hours <= 1e5 && minutes < 60.0 && last < 60.0;
    sound.then_some(hours * 3600.0 + minutes * 60.0 + last)
}

/// The time that was probably meant.
fn meant_time(text: &str) -> Option<String> {
    if text.len() > 64 {
        return None;
    }
    if let Some((minutes, last)) = text.split_once(':') {
        // A single digit of seconds lacks a zero.
        return Some(format!("{}:{last:0>2}", minutes.trim()));
    }
    let (number, unit) = leading(text);
    let number = read(number)
        .map(|number| number.to_string())
        .or_else(|| meant(number));
    let Some(number) = number else {
        let endless = ["indefinite", "infinite", "infinity", "forever"];
        return nearest_word(text, endless).map(|_| "indefinite".to_owned());
    };
    let unit = unit.trim().to_lowercase();
    let unit = match unit.as_str() {
        "sec" | "secs" | "second" | "seconds" => "s",
        "m" | "mins" | "minute" | "minutes" => "min",
        "msec" | "millis" | "milliseconds" => "ms",
        "hour" | "hours" => "h",
        other => UNITS.iter().find(|(name, _)| *name == other)?.0,
    };
    Some(format!("{number}{unit}"))
}

text_form!(Time);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_convert_to_seconds() {
        for (text, seconds) in [
            ("2s", Some(2.0)),
            ("500ms", Some(0.5)),
            ("0:02", Some(2.0)),
            ("1:30.5", Some(90.5)),
            ("1:00:00", Some(3600.0)),
            ("2min", Some(120.0)),
            ("-.5s", Some(-0.5)),
            ("3", Some(3.0)),
            ("indefinite", None),
        ] {
            let time = Time::parse(text).unwrap();
            assert_eq!((time.seconds(), time.to_string().as_str()), (seconds, text));
        }
    }

    #[test]
    fn invalid_times_are_repaired() {
        for (text, fix) in [
            ("2 s", Some("2s")),
            ("2sec", Some("2s")),
            ("2,5s", Some("2.5s")),
            ("0:2", Some("0:02")),
            ("0:61", None),
            ("infinite", Some("indefinite")),
            ("indefinit", Some("indefinite")),
            ("soon", None),
            ("", None),
            (":", None),
            ("1:2:3:4", None),
        ] {
            assert_eq!(Time::parse(text).unwrap_err().fix.as_deref(), fix, "{text}");
        }
    }
}

//! Parses text into items.

use fcp::value::nearest_word;
use fcp::work;

use super::item::Measure;
use super::{Argument, Function, Item, Syntax, TransformFault};
use crate::syntax::number::{scan, skip_blanks, skip_separator};

/// The bytes of a list that are read in about the time of a step.
const BYTES_A_STEP: usize = 4;

/// The fault at a byte, and the list with a likely correction.
struct ParseError {
    at: usize,
    problem: &'static str,
    fix: Option<String>,
}

fn wrong(at: usize, problem: &'static str) -> ParseError {
    ParseError {
        at,
        problem,
        fix: None,
    }
}

/// The items before the first fault, and the fault.
pub(super) fn parse(text: &str, syntax: Syntax) -> (Vec<Item>, Option<TransformFault>) {
    let mut items = Vec::new();
    // Past the limit, the op fails when it is done.
    let _ = work::spend(text.len() / BYTES_A_STEP);
    if syntax == Syntax::Css && text.trim().eq_ignore_ascii_case("none") {
        return (items, None);
    }
    let mut at = skip_blanks(text, 0);
    while at < text.len() {
        match item(text, at, syntax) {
            Ok(read) => {
                at = match syntax {
                    Syntax::Attribute => skip_separator(text, read.span.end),
                    Syntax::Css => skip_blanks(text, read.span.end),
                };
                items.push(read);
            }
            Err(ParseError { at, problem, fix }) => {
                let before = text.get(..at).unwrap_or(text);
                let column = before.chars().count() + 1;
                let fault = TransformFault {
                    item: items.len() + 1,
                    column,
                    at,
                    problem,
                    fix,
                };
                return (items, Some(fault));
            }
        }
    }
    (items, None)
}

fn item(text: &str, start: usize, syntax: Syntax) -> Result<Item, ParseError> {
    let bytes = text.as_bytes();
    let letters = bytes.get(start..).unwrap_or_default();
    let name_end = start
        + letters
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric())
            .count();
    let name = text.get(start..name_end).unwrap_or_default();
    let known = Function::of(syntax);
    let function = known.iter().find(|function| match syntax {
        Syntax::Attribute => function.name() == name,
        Syntax::Css => function.name().eq_ignore_ascii_case(name),
    });
    let Some(&function) = function else {
        let near = nearest_word(name, known.iter().map(|function| function.name()));
        let fix = near.map(|near| replaced(text, start, name_end, near));
        return Err(ParseError {
            at: start,
            problem: "no transform begins like this",
            fix,
        });
    };
    let open = match syntax {
        Syntax::Attribute => skip_blanks(text, name_end),
        Syntax::Css => name_end,
    };
    if bytes.get(open) != Some(&b'(') {
        return Err(wrong(open, "( is missing"));
    }
    let mut at = skip_blanks(text, open + 1);
    let mut arguments = Vec::new();
    // No function takes more than six.
    while bytes.get(at) != Some(&b')') && arguments.len() < 7 {
        let argument = argument(text, at, function.measure(arguments.len()), syntax)?;
        at = skip_separator(text, argument.span.end);
        arguments.push(argument);
    }
    function
        .takes(arguments.len())
        .map_err(|problem| wrong(start, problem))?;
    if bytes.get(at) != Some(&b')') {
        return Err(wrong(at, ") is missing"));
    }
    Ok(Item {
        function,
        span: start..at + 1,
        arguments,
    })
}

fn argument(
    text: &str,
    at: usize,
    measure: Measure,
    syntax: Syntax,
) -> Result<Argument, ParseError> {
    let number = scan(text, at).ok_or_else(|| match text.as_bytes().get(at) {
        None => wrong(at, ") is missing"),
        Some(_) => wrong(at, "this is not a number"),
    })?;
    let digits = number.span.end;
    let rest = text.as_bytes().get(digits..).unwrap_or_default();
    let unit_end = digits
        + rest
            .iter()
            .take_while(|b| b.is_ascii_alphabetic() || **b == b'%')
            .count();
    let unit = text.get(digits..unit_end).unwrap_or_default();
    let in_one = match (unit, measure) {
        ("", _) => 1.0,
        (unit, Measure::Angle) => fcp::value::AngleUnit::named(unit)
            .ok_or_else(|| wrong(digits, "no angle has this unit"))?
            .degrees(),
        (unit, Measure::Length) => fcp::value::LengthUnit::named(unit)
            .and_then(fcp::value::LengthUnit::pixels)
            .ok_or_else(|| wrong(digits, "a length here is in px"))?,
        (_, Measure::Factor) => return Err(wrong(digits, "a factor has no unit")),
    };
    if syntax == Syntax::Attribute && !unit.is_empty() {
        let plain = number.value * in_one;
        let fix = replaced(
            text,
            at,
            unit_end,
            &crate::syntax::number::spell_within(plain, 1e-9),
        );
        let problem = "a number in the attribute has no unit";
        return Err(ParseError {
            at: digits,
            problem,
            fix: Some(fix),
        });
    }
    Ok(Argument {
        value: number.value * in_one,
        span: at..unit_end,
    })
}

fn replaced(text: &str, from: usize, to: usize, with: &str) -> String {
    let before = text.get(..from).unwrap_or_default();
    let after = text.get(to..).unwrap_or_default();
    [before, with, after].concat()
}

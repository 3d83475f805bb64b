//! Ops in words of CSS, of SVG or of other programs.

use fcp::diag::Span;
use fcp::op::{OpWord, Param, ParsedOp, Quoted, Word, quote, quote_value, spell_param};

use crate::property;
use crate::syntax::effective::effective;
use crate::transform::{Syntax, TransformList};

/// The likely meanings of a failed op.
pub(crate) fn ops(op: &ParsedOp<'_>) -> Vec<String> {
    let verb = &*op.verb.text;
    let verbs = |with: &str| op.verb.span.replace(op.raw, with);
    let last = match op.words.last() {
        Some(OpWord::Positional(word)) if op.words.len() > 1 => Some(word),
        _ => None,
    };
    let found = match (verb, last) {
        ("hide" | "show", _) => {
            let hidden = if verb == "hide" { "on" } else { "off" };
            Some(format!("{} hidden:{hidden}", verbs("modify")))
        }
        ("title" | "desc", Some(text)) => {
            let keyed = text.span.replace(op.raw, &spell_param(verb, &text.text));
            Some(op.verb.span.replace(&keyed, "modify"))
        }
        ("add", _) if titled(op).is_some() => titled(op),
        ("add" | "text", _) => worded(op),
        ("move" | "copy", _) => moved(op),
        ("repeat", _) => {
            let by = op.params().find(|param| param.key == "by");
            by.map(|by| by.key_span.replace(op.raw, "every"))
        }
        ("transform", Some(list)) if is_transforms(&list.text) => {
            let set = format!("set {}", quote(&list.text));
            Some(list.span.replace(op.raw, &set))
        }
        ("style", Some(text)) => declared(op, text.span, &text.text),
        ("modify", Some(text)) if text.quoted == Quoted::Whole => {
            let keyed = text
                .span
                .replace(op.raw, &format!("text:{}", quote_value(&text.text)));
            let set = text
                .span
                .replace(op.raw, &format!("text {}", quote(&text.text)));
            return vec![keyed, op.verb.span.replace(&set, "set")];
        }
        // An attribute with a prefix reads like a key.
        ("set", _) => match op.words.as_slice() {
            [
                OpWord::Positional(_),
                OpWord::Param(param),
                OpWord::Positional(_),
            ] => {
                let name = format!("{}:{}", param.key, param.value);
                Some(param.span.replace(op.raw, &format!("{name:?}")))
            }
            _ => None,
        },
        ("remove", _) if is_comments(op) => {
            Some("DELETE FROM texts WHERE kind='comment'".to_owned())
        }
        _ => None,
    };
    let keyed = || op.params().find_map(|param| spelled(op, param));
    found.or_else(keyed).into_iter().collect()
}

fn is_transforms(text: &str) -> bool {
    text.contains('(') && TransformList::checked(text, Syntax::Attribute).is_ok()
}

/// `add title "x" in:card`
fn titled(op: &ParsedOp<'_>) -> Option<String> {
    let [
        OpWord::Positional(kind),
        OpWord::Positional(text),
        OpWord::Param(target),
    ] = op.words.as_slice()
    else {
        return None;
    };
    let is_title = matches!(&*kind.text, "title" | "desc") && kind.quoted == Quoted::No;
    let (target, title) = (quote(&target.value), spell_param(&kind.text, &text.text));
    is_title.then(|| format!("modify {target} {title}"))
}

/// `add text text:"Hello"`
fn worded(op: &ParsedOp<'_>) -> Option<String> {
    let is_text = |word: &Word<'_>| &*word.text == "text";
    let adds = is_text(&op.verb)
        || matches!(op.words.first(), Some(OpWord::Positional(word)) if is_text(word));
    let text = op
        .params()
        .find(|param| matches!(&*param.key, "text" | "content" | "label"));
    let text = text.filter(|_| adds)?;
    Some(text.span.replace(op.raw, &quote(&text.value)))
}

/// `move card dx:10`
fn moved(op: &ParsedOp<'_>) -> Option<String> {
    let is_step = |param: &&Param<'_>| matches!(&*param.key, "dx" | "dy");
    let steps: Vec<&Param<'_>> = op.params().filter(is_step).collect();
    let step = |key: &str| {
        steps
            .iter()
            .find(|param| param.key == key)
            .map_or("0", |param| &*param.value)
    };
    let by = format!("by:{},{}", step("dx"), step("dy"));
    match steps.as_slice() {
        [only] => Some(only.span.replace(op.raw, &by)),
        [first, second] if first.key != second.key => {
            let before = op.raw.get(..second.span.start)?.trim_end().len();
            let rest = Span::new(before, second.span.end).replace(op.raw, "");
            Some(first.span.replace(&rest, &by))
        }
        _ => None,
    }
}

/// Declarations as they are in `style=`.
fn declared(op: &ParsedOp<'_>, span: Span, text: &str) -> Option<String> {
    let keys = effective(text).map(|one| {
        let key = spell_param(one.name, one.value);
        (!one.important).then_some(key)
    });
    let keys = keys.collect::<Option<Vec<_>>>()?.join(" ");
    (!keys.is_empty()).then(|| span.replace(op.raw, &keys))
}

/// A key of CSS, or a step: `background:red`, `x:+5`.
fn spelled(op: &ParsedOp<'_>, param: &Param<'_>) -> Option<String> {
    let key = &*param.key;
    if matches!(key, "background" | "background-color") {
        return Some(param.key_span.replace(op.raw, "fill"));
    }
    if key == "style" {
        return declared(op, param.span, &param.value);
    }
    let step = param
        .value
        .strip_prefix('+')
        .filter(|_| param.quoted == Quoted::No)?;
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let column = match key {
        "width" => "w".to_owned(),
        "height" => "h".to_owned(),
        key => property::find(key)
            .map_or(key, |property| property.name)
            .replace('-', "_"),
    };
    let expression = format!("={column}+{step}");
    step.chars()
        .all(is_number)
        .then(|| param.value_span.replace(op.raw, &expression))
}

/// `remove @type:comment`
fn is_comments(op: &ParsedOp<'_>) -> bool {
    match op.words.as_slice() {
        [OpWord::Selector(only)] => only.kind == "type" && only.value == "comment" && !only.negated,
        [OpWord::Positional(only)] => matches!(&*only.text, "comment" | "comments"),
        _ => false,
    }
}

//! Errors for bars and lengths of a phrase that do not fit, with the repaired phrase.

use std::ops::Range;

use fcp::prelude::*;

use super::item::{Item, Tone};
use super::line::{Line, Token, Wrong, misread};
use super::reader::{Reader, length, ticks};
use crate::values::{Dur, Frac};

/// Number of items of a bar that an error shows.
const SHOWN: usize = 16;

impl Reader<'_> {
    /// The items of the bar before one, each with its length; only the last few if there are many.
    fn held(&self, line: &Line, nth: usize) -> String {
        let (from, mut dur) = self.before.clone();
        let mut held = Vec::new();
        for ix in line.order.get(from..nth).unwrap_or_default() {
            let Some(Token { item, .. }) = line.tokens.get(*ix) else {
                continue;
            };
            if let Item::Rest(own) | Item::Hold(own) | Item::Notes { dur: own, .. } = item {
                dur = own.clone().unwrap_or(dur);
            }
            held.extend(respelled(item, &dur));
        }
        held.split_off(held.len().saturating_sub(SHOWN)).join(" ")
    }

    /// The error of an invalid length. The repair covers all invalid lengths in the word, since a
    /// repair of one would fail at the next.
    pub(super) fn relengthened(&self, line: &Line, wrong: &Token, error: &ValueError) -> Wrong {
        let (word, place) = wrong.place.clone();
        let text = line.words.get(word).map_or("", |text| text);
        let error = ValueError::sentence(error.about(text.get(place.clone()).unwrap_or_default()));
        let own = line.tokens.iter().filter(|it| it.place.0 == word);
        let corrected = own.filter_map(|token| {
            let fix = self.length(length(&token.item)?).err()?.fix;
            let dur = fix.and_then(|fix| Dur::parse(&fix).ok());
            Some((
                &token.place.1,
                dur.and_then(|dur| respelled(&token.item, &dur)),
            ))
        });
        let (mut fix, mut end) = (String::with_capacity(text.len()), 0);
        for (own, item) in corrected {
            let Some(item) = item else {
                return misread(word, place, error);
            };
            fix.push_str(text.get(end..own.start).unwrap_or_default());
            fix.push_str(&item);
            end = own.end;
        }
        fix.push_str(text.get(end..).unwrap_or_default());
        misread(word, 0..text.len(), error.fix(fix))
    }

    /// The length of each item in the order they are played, given other lengths for some.
    fn lengths<'l>(&'l self, line: &'l Line, other: &'l [(usize, Dur)]) -> Vec<(usize, &'l Dur)> {
        let mut dur = &self.first;
        let items = line.order.iter().filter_map(|ix| {
            let item = &line.tokens.get(*ix)?.item;
            let other = other.iter().find(|(item, _)| item == ix);
            let own = other.map(|(_, dur)| dur).or(length(item));
            dur = own.unwrap_or(dur);
            lasts(item).then_some((*ix, dur))
        });
        items.collect()
    }

    /// The next item with its present length, which it must state if the item before gets another
    /// length; the inner `None` means that no item needs to. The outer `None` means that the
    /// lengths cannot be kept.
    fn keeping(&self, line: &Line, (ix, dur): (usize, &Dur)) -> Option<Option<(usize, Dur)>> {
        let mut behind = line.tokens.iter().enumerate().skip(ix + 1);
        let next = behind.find(|(_, token)| lasts(&token.item));
        let before = self.lengths(line, &[]);
        let kept = next.filter(|(_, token)| length(&token.item).is_none());
        let kept = kept.and_then(|(next, _)| {
            let (_, own) = before.iter().find(|(item, _)| *item == next)?;
            Some((next, (*own).clone()))
        });
        let mut other = vec![(ix, dur.clone())];
        other.extend(kept.clone());
        let after = self.lengths(line, &other);
        let mut items = before.iter().zip(&after);
        let same = items.all(|(before, after)| before.0 == ix || before == after);
        same.then_some(kept)
    }

    /// Checks the barline at an index.
    pub(super) fn barline(
        &mut self,
        line: &Line,
        nth: usize,
        wrong: impl Fn(ValueError) -> Wrong,
    ) -> Result<(), Wrong> {
        if !self.song.has_bars() {
            return Err(wrong(ValueError::sentence(
                "this file counts SMPTE frames, so it has no barlines",
            )));
        }
        let bars = self.song.bars(self.chunk);
        let (from, at) = (ticks(self.bar), ticks(self.at));
        let bar = bars.place(from).bar;
        let (first, next) = (bars.bar(bar), bars.bar(bar + 1));
        // A phrase may begin with a barline.
        if at == next || (at == from && at == first) {
            self.begin_bar(nth + 1);
            return Ok(());
        }
        let span = bars.at(first);
        let beats = Frac::new(i128::from(at) - i128::from(first), span.beat.into());
        let beats = beats.map_or_else(String::new, |beats| beats.to_string());
        let noun = if beats == "1" { "beat" } else { "beats" };
        let problem = format!(
            "phrase: bar {bar} holds {beats} {noun} before \"|\", meter is {}/{} ({})",
            span.beats,
            span.unit,
            self.held(line, nth)
        );
        let error = ValueError::sentence(problem);
        // Let the last item end with the bar, if a note value fits.
        let fit = self.last.and_then(|(ix, start)| {
            let length = next.checked_sub(ticks(start))?;
            let dur = Dur::of_ticks(length, Some(self.song.ppqn()))?;
            let Token { place, item } = line.tokens.get(ix)?;
            let kept = self.keeping(line, (ix, &dur))?;
            let also = kept.and_then(|(next, own)| {
                let Token { place, item } = line.tokens.get(next)?;
                Some((place.0, place.1.clone(), respelled(item, &own)?))
            });
            Some((place, respelled(item, &dur)?, also))
        });
        if let Some((place, item, also)) = fit {
            let mut wrong = misread(place.0, place.1.clone(), error.fix(item));
            wrong.also = also;
            return Err(wrong);
        }
        Err(match self.rebarred(line, nth, next) {
            Some((word, place, text)) => misread(word, place, error.fix(text)),
            None => wrong(error),
        })
    }

    /// Moves the barline at an index to the item that starts where the bar ends, `F G |` to
    /// `F | G`, and adds one at each later end of a bar; it also stays if a bar ends there. If no
    /// item starts there, the barline is removed.
    fn rebarred(
        &self,
        line: &Line,
        nth: usize,
        next: u64,
    ) -> Option<(usize, Range<usize>, String)> {
        let place = |nth: usize| Some(&line.tokens.get(*line.order.get(nth)?)?.place);
        let (word, bar) = place(nth)?;
        let text = line.words.get(*word)?;
        let is_bar = |at: u64| self.song.on_barline(self.chunk, at);
        let first = self.begun.iter().position(|(_, at)| *at == next);
        let behind = first.and_then(|first| self.begun.get(first..));
        let begins = behind.and_then(|behind| place(behind.first()?.0));
        if let (Some((first_word, first)), Some(behind)) = (begins, behind)
            && first_word == word
            && let Some(between) = text.get(first.start..bar.start)
            && !between.contains(['(', ')'])
        {
            let between = between.trim_end();
            let (mut moved, mut end) = (String::with_capacity(between.len()), 0);
            // An item without length has the tick of the next item.
            let mut last = None;
            for (nth, at) in behind.iter().filter(|(_, at)| is_bar(*at)) {
                if last.replace(*at) != Some(*at) {
                    let start = place(*nth)?.1.start.checked_sub(first.start)?;
                    moved.push_str(between.get(end..start)?);
                    moved.push_str("| ");
                    end = start;
                }
            }
            moved.push_str(between.get(end..)?);
            if is_bar(ticks(self.at)) {
                moved.push_str(" |");
            }
            return Some((*word, first.start..bar.end, moved));
        }
        let before = text.get(..bar.start)?.trim_end();
        Some((*word, before.len()..bar.end, String::new()))
    }
}

/// Whether an item has a length.
const fn lasts(item: &Item) -> bool {
    !matches!(item, Item::Bar | Item::Loud(_))
}

/// An item with another length.
fn respelled(item: &Item, dur: &Dur) -> Option<String> {
    let head = match item {
        Item::Rest(_) => "r".to_owned(),
        Item::Hold(_) => "_".to_owned(),
        Item::Notes { tones, .. } => {
            let names = tones.iter().map(|tone| match tone {
                Tone::Class(class, octave) => {
                    format!("{class}{}", octave.map_or(String::new(), |n| n.to_string()))
                }
                Tone::Word(word) => word.to_string(),
            });
            names.collect::<Vec<_>>().join("+")
        }
        Item::Bar | Item::Loud(_) => return None,
    };
    let marks = match item {
        Item::Notes { accent, short, .. } => {
            format!(
                "{}{}",
                if *accent { ">" } else { "" },
                if *short { "!" } else { "" }
            )
        }
        _ => String::new(),
    };
    Some(format!("{head}/{dur}{marks}"))
}

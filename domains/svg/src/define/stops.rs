//! The stops of an existing gradient, and their changes. Each stop keeps its id, its content and everything that is not
//! a colour or a place.

use fcp::format::xml;
use fcp::prelude::*;
use fcp::value::{Color, Share};
use fcp::work;

use super::Blueprint;
use super::gradient::opacity_number;
use crate::model::{Drawing, NodeId};
use crate::property;
use crate::style::Styles;
use crate::values::{ColorStop, ColorStops};

/// The pairs of a stop and a colour that are compared in the time of a step.
const PAIRS_A_STEP: usize = 64;

/// The largest distance between two places that are the same one.
const SAME: f64 = 1e-6;

/// A stop of a gradient in the document.
#[derive(Clone, Debug, PartialEq)]
struct Stop {
    id: NodeId,
    /// Its place from 0 to 1, and as written.
    at: f64,
    offset: String,
    color: String,
    opacity: String,
}

impl Stop {
    fn read(drawing: &Drawing, styles: &Styles<'_>, id: NodeId) -> Self {
        let offset = drawing.nodes.attr(id, "offset").unwrap_or("0".into());
        let value = |property: &str| styles.computed(id, property).value.trim().to_owned();
        let at = Share::parse(offset.trim()).map_or(0.0, |share| share.get());
        Self {
            id,
            at: at.clamp(0.0, 1.0),
            offset: offset.trim().to_owned(),
            color: value("stop-color"),
            opacity: value("stop-opacity"),
        }
    }

    fn is_at(&self, stop: &ColorStop) -> bool {
        (self.at - stop.at).abs() < SAME
    }

    /// The opacity to write, if this is another.
    fn other_opacity(&self, stop: &ColorStop) -> Option<String> {
        let given = stop.opacity.as_ref()?;
        let own = Share::parse(&self.opacity).map_or(1.0, |own| own.get());
        ((own - given.get()).abs() >= SAME).then(|| opacity_number(given))
    }
}

/// The stops of a gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Stops(Vec<Stop>);

impl Stops {
    pub fn read(drawing: &Drawing, gradient: NodeId) -> Self {
        let is_stop = |id: &NodeId| drawing.nodes.kind_name(*id) == "stop";
        let stops = drawing.nodes.tree().children(gradient).filter(is_stop);
        let styles = drawing.styles();
        Self(stops.map(|id| Stop::read(drawing, &styles, id)).collect())
    }

    /// The colours, as replies show them.
    pub fn describe(&self) -> String {
        let shown = self.0.iter().map(|stop| match &*stop.opacity {
            "1" => format!("{}:{}", stop.offset, stop.color),
            opacity => format!("{}:{}@{opacity}", stop.offset, stop.color),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    /// The stop that each of these colours is for, by its index: one at the same place, or else the next one that is left
    /// between two of these.
    fn paired(&self, colors: &[ColorStop]) -> Vec<Option<usize>> {
        let mut pairs: Vec<Option<usize>> = Vec::with_capacity(colors.len());
        let mut from = 0;
        for stop in colors {
            let later = self.0.iter().enumerate().skip(from);
            let same = later
                .filter(|(_, own)| own.is_at(stop))
                .map(|(ix, _)| ix)
                .next();
            from = same.map_or(from, |ix| ix + 1);
            pairs.push(same);
        }
        let mut free = 0;
        for at in 0..pairs.len() {
            let next = pairs.iter().skip(at).flatten().next();
            let end = next.copied().unwrap_or(self.0.len());
            match pairs.get_mut(at) {
                Some(Some(own)) => free = *own + 1,
                Some(pair) if free < end => {
                    *pair = Some(free);
                    free += 1;
                }
                _ => {}
            }
        }
        pairs
    }
}

impl Drawing {
    /// Gives a gradient these colours. Returns whether anything changed.
    ///
    /// # Errors
    /// If something stronger overrides a colour, or it cannot be written.
    pub fn recolor(&mut self, gradient: NodeId, colors: &ColorStops) -> Result<bool> {
        let stops = Stops::read(self, gradient);
        work::spend(stops.0.len() * colors.all().len() / PAIRS_A_STEP)?;
        let pairs = stops.paired(colors.all());
        let last = stops.0.last();
        let behind = last.and_then(|last| self.nodes.tree().next_sibling(last.id));
        let mut any = false;
        for (ix, stop) in stops.0.iter().enumerate() {
            if !pairs.contains(&Some(ix)) {
                xml::remove_node(self.nodes.tree_mut(), stop.id)?;
                any = true;
            }
        }
        for (ix, color) in colors.all().iter().enumerate() {
            let own = |pair: &Option<usize>| stops.0.get((*pair)?);
            let Some(stop) = pairs.get(ix).and_then(own) else {
                let before = pairs.iter().skip(ix).find_map(own).map(|stop| stop.id);
                self.add_part(&new_stop(color), gradient, before.or(behind))?;
                any = true;
                continue;
            };
            if !stop.is_at(color) {
                xml::set_attr(self.nodes.tree_mut(), stop.id, "offset", &color.offset)?;
                any = true;
            }
            let is_other = Color::parse(&stop.color).ok().as_ref() != Some(&color.color);
            let values = [
                ("stop-color", is_other.then(|| color.color.to_string())),
                ("stop-opacity", stop.other_opacity(color)),
            ];
            for (name, value) in values {
                let Some(value) = value else { continue };
                let property =
                    property::find(name).map_err(|error| Diagnostic::new(error.about(name)))?;
                self.write_style(stop.id, property, &value, None)?;
                any = true;
            }
        }
        Ok(any)
    }
}

/// A new stop.
pub fn new_stop(stop: &ColorStop) -> Blueprint {
    let (offset, color) = (stop.offset.clone(), stop.color.to_string());
    let mut made = Blueprint::new("stop", [("offset", offset), ("stop-color", color)]);
    let opacity = stop.opacity.as_ref();
    made.attrs
        .extend(opacity.map(|share| ("stop-opacity", opacity_number(share))));
    made
}

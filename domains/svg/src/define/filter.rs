//! Filters: chains of effects.

use fcp::format::xml::{self, Element};
use fcp::prelude::*;

use super::Blueprint;
use super::change::Step;
use super::effect::Effect;
use super::recognised::{self, MOST};
use crate::model::{Drawing, NodeId};
use crate::values::FilterType;

/// The keys of filters, including those of all effects.
pub(super) const KEYS: &[&str] = &[
    "type",
    "effect",
    "std-dev",
    "offset",
    "dx",
    "dy",
    "color",
    "opacity",
    "width",
    "amount",
    "angle",
    "frequency",
    "octaves",
    "seed",
];

/// The filter region for effects that paint beyond their object: half its size more on each side.
const REGION: [(&str, &str); 4] = [
    ("x", "-50%"),
    ("y", "-50%"),
    ("width", "200%"),
    ("height", "200%"),
];

/// An existing filter.
#[derive(Clone, Debug)]
pub struct Filter {
    id: NodeId,
    /// Its name.
    name: String,
    /// Whether it sets its own region.
    is_bounded: bool,
    links: Vec<Link>,
}

/// An effect of a filter.
#[derive(Clone, Debug)]
struct Link {
    /// The effect; `None` if its primitives are not a known effect.
    effect: Option<Effect>,
    /// The name of its first primitive.
    called: String,
    /// Its input, if its primitives name it.
    input: String,
    /// The name of its result for later primitives.
    result: Option<String>,
    nodes: Vec<NodeId>,
}

impl Link {
    /// The primitives of an effect that replaces it, in a filter.
    fn parts(&self, effect: &Effect) -> Blueprint {
        let input = match self.input.as_str() {
            "" => "SourceGraphic",
            input => input,
        };
        let mut children = effect.parts(input);
        if let Some((last, result)) = children.last_mut().zip(self.result.clone()) {
            last.attrs.push(("result", result));
        }
        Blueprint {
            children,
            ..Blueprint::new("filter", [])
        }
    }
}

/// The attributes of the filter region.
fn region() -> Vec<(&'static str, String)> {
    let own = REGION.iter();
    own.map(|(name, value)| (*name, (*value).to_owned()))
        .collect()
}

/// A filter with one effect.
#[must_use]
pub fn blueprint(effect: &Effect) -> Blueprint {
    let mut attrs = if effect.spreads() {
        region()
    } else {
        Vec::new()
    };
    // Colours are mixed in sRGB, as in the shorthands of style sheets.
    attrs.push(("color-interpolation-filters", "sRGB".to_owned()));
    Blueprint {
        name: "filter",
        attrs,
        children: effect.parts("SourceGraphic"),
    }
}

impl Filter {
    /// Reads the effects of a filter.
    #[must_use]
    pub fn read(drawing: &Drawing, id: NodeId) -> Self {
        let nodes = &drawing.nodes;
        let elements = |id: NodeId| -> Vec<(NodeId, &Element)> {
            let children = nodes.tree().children(id);
            children
                .filter_map(|id| Some((id, nodes.element(id)?)))
                .collect()
        };
        let primitives: Vec<(NodeId, &Element)> = elements(id)
            .into_iter()
            .filter(|(_, element)| element.local_name().starts_with("fe"))
            .collect();
        let (mut links, mut at) = (Vec::new(), 0);
        while let Some((first, element)) = primitives.get(at) {
            let next: Vec<&Element> = primitives
                .iter()
                .skip(at)
                .take(MOST)
                .map(|(_, element)| *element)
                .collect();
            let inner: Vec<&Element> = elements(*first).into_iter().map(|(_, one)| one).collect();
            let (effect, input, count) = match recognised::effect(&next, &inner) {
                Some((effect, input, count)) => (Some(effect), input, count),
                None => (None, String::new(), 1),
            };
            let own = primitives.iter().skip(at).take(count);
            let last = own.clone().next_back();
            links.push(Link {
                effect,
                called: element.local_name().to_owned(),
                input,
                result: last.and_then(|(_, last)| Some(last.attr("result")?.into_owned())),
                nodes: own.map(|(id, _)| *id).collect(),
            });
            at += count;
        }
        Self {
            id,
            name: nodes.name(id),
            is_bounded: REGION
                .iter()
                .any(|(name, _)| nodes.attr(id, name).is_some()),
            links,
        }
    }

    /// Its effects: `gaussian-blur std-dev:5, glow std-dev:6 color:gold opacity:1`.
    #[must_use]
    pub fn describe(&self) -> String {
        let description = self.links.iter().map(|link| match &link.effect {
            Some(effect) => effect.describe(),
            None => link.called.clone(),
        });
        description.collect::<Vec<_>>().join(", ")
    }

    /// Applies keys to it.
    ///
    /// # Errors
    /// If no effect has such a setting, several have it and none is named, or a value is invalid.
    pub fn change(mut self, keys: &[&Keyed]) -> Result<(Vec<Step>, String)> {
        let mut named = None;
        for keyed in keys.iter().filter(|keyed| keyed.key() == "effect") {
            let n: Int<1, 1000> = keyed.parse()?;
            let at = usize::try_from(n.get()).unwrap_or(0);
            if at > self.links.len() {
                let error =
                    ValueError::sentence(format!("{} has {} effects", self.name, self.links.len()));
                return Err(keyed.wrong(error.fix(self.links.len().to_string())));
            }
            named = Some(at - 1);
        }
        let old: Vec<Option<Effect>> = self.links.iter().map(|link| link.effect.clone()).collect();
        let is_type = |keyed: &&&Keyed| keyed.key() == "type";
        let types = keys.iter().filter(is_type);
        let rest = keys.iter().filter(|keyed| !is_type(keyed));
        for keyed in types.chain(rest.filter(|keyed| keyed.key() != "effect")) {
            let at = self.meant(keyed, named)?;
            let Some(link) = self.links.get_mut(at) else {
                continue;
            };
            if keyed.key() == "type" {
                let FilterType(kind) = keyed.parse()?;
                if link.effect.as_ref().map(|effect| effect.kind) != Some(kind) {
                    link.effect = Some(Effect::new(kind));
                }
            } else if let Some(effect) = &mut link.effect {
                effect.set(keyed)?;
            }
        }
        let none = || Blueprint::new("filter", []);
        let mut steps = Vec::new();
        for (link, old) in self.links.iter().zip(old) {
            let Some(new) = link
                .effect
                .as_ref()
                .filter(|new| old.as_ref() != Some(*new))
            else {
                continue;
            };
            let spread = old.as_ref().is_some_and(Effect::spreads);
            steps.push(Step {
                id: self.id,
                parts: link.nodes.clone(),
                old: old.map_or_else(none, |old| link.parts(&old)),
                new: link.parts(new),
            });
            if new.spreads() && !spread && !self.is_bounded {
                steps.push(Step {
                    id: self.id,
                    parts: Vec::new(),
                    old: none(),
                    new: Blueprint {
                        attrs: region(),
                        ..none()
                    },
                });
            }
        }
        Ok((steps, self.describe()))
    }

    /// The effect that a key applies to: the named one, or else the only one with this setting.
    fn meant(&self, keyed: &Keyed, named: Option<usize>) -> Result<usize> {
        if let Some(at) = named {
            let has = |link: &Link| link.effect.as_ref().is_some_and(|own| own.has(keyed.key()));
            return match self.links.get(at) {
                Some(link) if keyed.key() == "type" || has(link) => Ok(at),
                Some(link) => {
                    let what = link
                        .effect
                        .as_ref()
                        .map_or(link.called.clone(), |own| own.kind.to_string());
                    Err(keyed.unknown(&what, self.known(Some(at)).into_iter()))
                }
                None => Err(keyed.unknown(&self.name, std::iter::empty())),
            };
        }
        let fits = |link: &&Link| {
            let has = |effect: &Effect| effect.has(keyed.key());
            keyed.key() == "type" || link.effect.as_ref().is_some_and(has)
        };
        let count = self.links.iter().filter(fits).count();
        match (self.links.iter().position(|link| fits(&link)), count) {
            (Some(at), 1) => Ok(at),
            (Some(at), several) => {
                let (name, key) = (&self.name, keyed.key());
                bail!("{name} has {several} effects with {key}:; give effect:"; add: "effect:{}", at + 1)
            }
            (None, _) => Err(keyed.unknown(&self.name, self.known(None).into_iter())),
        }
    }

    /// The settings of one effect, or of all.
    fn known(&self, at: Option<usize>) -> Vec<&'static str> {
        let links = self.links.iter().enumerate();
        let own = links.filter(|(ix, _)| at.is_none_or(|at| at == *ix));
        let effects = own.filter_map(|(_, link)| link.effect.as_ref());
        effects.flat_map(Effect::keys).collect()
    }
}

impl Drawing {
    /// Appends an effect to a filter.
    ///
    /// # Errors
    /// If XML forbids a character.
    pub fn add_effect(&mut self, id: NodeId, effect: &Effect) -> Result<()> {
        let filter = Filter::read(self, id);
        let last = filter.links.last().and_then(|link| link.nodes.last());
        let input = match last.copied() {
            None => "SourceGraphic".to_owned(),
            Some(_) if !effect.names_input() => String::new(),
            Some(last) => match self.nodes.attr(last, "result") {
                Some(result) => result.into_owned(),
                None => {
                    let result = format!("effect-{}", filter.links.len());
                    xml::set_attr(self.nodes.tree_mut(), last, "result", &result)?;
                    result
                }
            },
        };
        for part in effect.parts(&input) {
            self.add_part(&part, id, None)?;
        }
        if effect.spreads() && !filter.is_bounded {
            xml::modify_element(self.nodes.tree_mut(), id, |element| {
                region()
                    .iter()
                    .try_for_each(|(name, value)| element.set_attr(name, value).map(drop))
            })?;
        }
        Ok(())
    }
}

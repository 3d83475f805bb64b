//! The verbs `define clip`, `define mask` and `define symbol`.

use fcp::prelude::*;
use fcp::value::{Point, Size};
use kurbo::Affine;

use super::Blueprint;
use super::shape::Shape;
use crate::model::Drawing;
use crate::syntax::id::ElementId;
use crate::values::ShapeType;

/// The content of clips, masks and symbols: an object, or a shape.
#[derive(FcpParams)]
pub struct Content {
    /// The objects that go into it.
    #[fcp(key)]
    pub from: Option<Rows>,
    /// The objects stay, and copies go into it.
    #[fcp(default = Switch(false))]
    pub keep: Switch,
    /// A shape instead.
    pub r#type: Option<ShapeType>,
    /// The place of the shape's corner or, if it is round, of its centre, in canvas units; 0,0 if left out.
    pub at: Option<Point>,
    /// The shape's width and height.
    pub size: Option<Spanned<Size>>,
}

/// A kind of definition that contains drawn objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Shows the area inside its content.
    Clip,
    /// Shows the area under the light parts of its content.
    Mask,
    /// Is drawn by `use`.
    Symbol,
}

impl Holder {
    /// Its name in replies.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Clip => "clip",
            Self::Mask => "mask",
            Self::Symbol => "symbol",
        }
    }

    /// Its element.
    #[must_use]
    pub const fn element(self) -> &'static str {
        match self {
            Self::Clip => "clipPath",
            Self::Mask => "mask",
            Self::Symbol => "symbol",
        }
    }
}

impl Drawing {
    /// Makes a clip, mask or symbol.
    ///
    /// # Errors
    /// If the id is taken, the op has neither or both of an object and a shape, or the object
    /// cannot go into it.
    pub fn hold(
        &mut self,
        holder: Holder,
        id: &Spanned<ElementId>,
        source: &Content,
    ) -> Result<Reply> {
        let kind = holder.kind();
        let own = id.get().as_str();
        self.is_free(id, kind, "")?;
        match (&source.from, source.r#type) {
            (Some(_), Some(shape)) => {
                bail!("from: and type: both set the contents; give one"; try: "define {kind} id:{own} type:{shape} size:100x100")
            }
            (None, None) => bail!("{kind} needs from: or type:"; add: "type:rect size:100x100"),
            (Some(from), None) if source.at.is_some() || source.size.is_some() => {
                let all = self.outermost(from);
                let names: Vec<String> = all.iter().map(|id| self.nodes.name(*id)).collect();
                let name = names.join(",");
                bail!("at: and size: are for a shape; {name} has its own"; try: "define {kind} id:{own} from:{name}")
            }
            (Some(from), None) => self.hold_objects(holder, own, from, source.keep.0),
            (None, Some(shape)) => {
                let Some(size) = &source.size else {
                    bail!("{shape} needs size:"; add: "size:100x100")
                };
                if size.get().is_empty() {
                    return Err(size.wrong(ValueError::new("is empty").fix("100x100")));
                }
                let zero = || ["0".to_owned(), "0".to_owned()];
                let at = source.at.as_ref();
                let at = at.map_or_else(zero, |at| [at.x.to_string(), at.y.to_string()]);
                self.hold_shape(holder, own, &Shape::new(shape, at, size.get()))
            }
        }
    }

    fn hold_objects(
        &mut self,
        holder: Holder,
        own: &str,
        from: &Rows,
        keep: bool,
    ) -> Result<Reply> {
        let objects = self.outermost(from);
        for object in &objects {
            self.can_define(*object, holder.kind())?;
        }
        let Some((first, others)) = objects.split_first() else {
            bail!("{} needs from: or type:", holder.kind(); add: "type:rect size:100x100")
        };
        let title = match others {
            [] => self.titled(*first),
            _ => self.names_of(&objects),
        };
        let mut attrs = Vec::new();
        if holder == Holder::Symbol {
            let geometry = self.geometry();
            let precision = geometry.precision();
            let mut frame = crate::moving::frame(self, &geometry, *first)?;
            for other in others {
                frame = frame.union(crate::moving::frame(self, &geometry, *other)?);
            }
            let numbers = [frame.x0, frame.y0, frame.width(), frame.height()];
            let numbers = numbers.map(|n| precision.spell(n));
            attrs.push(("viewBox", numbers.join(" ")));
            // Strokes extend beyond the box.
            attrs.push(("overflow", "visible".to_owned()));
        }
        let onto = Affine::IDENTITY;
        let (made, new) = self.define_of(*first, holder.element(), own, &attrs, onto, keep)?;
        for other in others {
            self.put_into(*other, made, onto, keep)?;
        }
        let name = self.nodes.name(made);
        Ok(created!("{} {name} of {title}{new}", holder.kind()))
    }

    fn hold_shape(&mut self, holder: Holder, own: &str, shape: &Shape) -> Result<Reply> {
        let mut content = shape.blueprint();
        let mut attrs = Vec::new();
        match holder {
            Holder::Clip => {}
            Holder::Mask => content.attrs.push(("fill", "white".to_owned())),
            Holder::Symbol => attrs.push(("viewBox", shape.view_box())),
        }
        let blueprint = Blueprint {
            name: holder.element(),
            attrs,
            children: vec![content],
        };
        let (defs, new) = self.defs()?;
        self.build(own, &blueprint, defs)?;
        Ok(created!(
            "{} {own} {}{new}",
            holder.kind(),
            shape.describe()
        ))
    }
}

//! New positions for existing objects.

use fcp::prelude::*;
use fcp::value::Length;
use kurbo::Vec2;

use super::place_of;
use crate::geometry::LocalPoint;
use crate::model::kind::BOX;
use crate::model::{Drawing, NodeId};
use crate::resolve::{Spot, Toward};

impl Drawing {
    /// The attributes that move an object's corner or centre to a point. `own` are the other
    /// attributes to be set.
    ///
    /// # Errors
    /// If its kind has no such position, or its size is not known.
    pub fn placing(
        &self,
        id: NodeId,
        at: Option<&Spot>,
        center: Option<&Toward>,
        own: &[(&'static str, String)],
    ) -> Result<Vec<(&'static str, String)>> {
        let (kind, name) = (self.nodes.kind_name(id), self.nodes.name(id));
        // Definitions position their own shapes.
        let at = at.filter(|_| !matches!(kind, "clip" | "mask" | "symbol"));
        let key = match (at, center) {
            (None, None) => return Ok(Vec::new()),
            (Some(_), Some(_)) => bail!("at: and center: both set the position; give one"),
            (Some(_), None) => "at",
            (None, Some(_)) => "center",
        };
        let place = match kind {
            BOX => place_of("rect"),
            "use" | "svg" if key == "center" => None,
            _ => place_of(kind),
        };
        let Some([x, y]) = place else {
            let corner = if key == "at" { "" } else { " corner:center" };
            bail!("{name} is a {kind}, which has no {key}:"; try: "move {name} to:0,0{corner}")
        };
        let parent = self.nodes.tree().parent(id).unwrap_or(id);
        let mut local = match (at, center) {
            (Some(at), _) => at.within(self, parent)?,
            (None, Some(center)) => center.spot()?.within(self, parent)?,
            (None, None) => return Ok(Vec::new()),
        };
        if key == "center" && matches!(kind, "rect" | "image" | BOX) {
            let point = local.point - self.size_with(id, own)? / 2.0;
            let precision = self.geometry().precision();
            local = LocalPoint {
                x: precision.spell(point.x),
                y: precision.spell(point.y),
                point,
            };
        }
        if kind == BOX {
            local = self.in_box(id, local)?;
        }
        Ok(vec![(x, local.x), (y, local.y)])
    }

    /// The width and height of an object after some attributes are set.
    fn size_with(&self, id: NodeId, own: &[(&'static str, String)]) -> Result<Vec2> {
        let shape = self.nodes.box_shape(id).unwrap_or(id);
        let side = |wanted: &str| -> Option<f64> {
            let given = own.iter().rfind(|(name, _)| *name == wanted);
            let spelled = match given {
                Some((_, value)) => value.clone(),
                None => self.nodes.attr(shape, wanted)?.into_owned(),
            };
            if spelled.contains('%') {
                return None;
            }
            Some(Length::parse(spelled.trim()).ok()?.to_user(16.0, 0.0))
        };
        match (side("width"), side("height")) {
            (Some(width), Some(height)) => Ok(Vec2::new(width, height)),
            _ => {
                let name = self.nodes.name(id);
                bail!("{name} has no width and height of its own"; try: "move {name} to:0,0 corner:center")
            }
        }
    }
}

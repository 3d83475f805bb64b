//! Draws pictures, with their sizes and limits.

use fcp::format::picture::{self, Error, Options, Picture, Region, Size, WIDEST};
use fcp::op::ParsedOp;
use fcp::prelude::*;
use fcp::value::{Color, Decimal, Unsigned};
use fcp::work;
use fcp::worker::WorkerError;
use kurbo::Rect;

use super::{files, marks, only, transforms};
use crate::model::{Drawing, NodeId};
use crate::values::Area;

/// The default width in pixels.
const USUAL: u32 = 800;
/// A width in pixels that is drawn fast, for a picture that took too long.
const SMALL: u32 = 400;

/// The steps of reading and drawing an element. A rectangle takes 10 microseconds.
const STEPS_AN_ELEMENT: usize = 200;

/// The steps of laying out a letter: a text of 11 letters takes 106 microseconds.
const STEPS_A_LETTER: usize = 170;

/// The frame of a picture.
#[derive(FcpParams)]
pub struct Framing {
    /// Pixels across; 800 if left out. The height follows.
    pub width: Option<Spanned<Int<1, 4096>>>,
    /// Pixels for each unit of the drawing's own size, instead of a width.
    pub scale: Option<Spanned<Unsigned<Decimal>>>,
    /// The part of the canvas that is seen.
    pub region: Option<Spanned<Area>>,
    /// The colour that lies behind; nothing if left out.
    pub background: Option<Spanned<Color>>,
}

impl Framing {
    fn size(&self) -> Result<Size> {
        match (&self.width, &self.scale) {
            (Some(_), Some(_)) => {
                bail!("width: and scale: both set the size; give one"; try: "? render width:{USUAL}")
            }
            (None, Some(scale)) if scale.get().get().get() == 0.0 => {
                Err(scale.wrong(ValueError::new("leaves nothing to see").fix("1")))
            }
            (None, Some(scale)) => Ok(Size::Scale(scale.get().get().get())),
            (Some(width), None) => Ok(Size::Width(
                u32::try_from(width.get().get()).unwrap_or(USUAL),
            )),
            (None, None) => Ok(Size::Width(USUAL)),
        }
    }

    fn background(&self) -> Result<Option<[u8; 4]>> {
        let Some(color) = &self.background else {
            return Ok(None);
        };
        match color.get().rgba() {
            Some(rgba) => Ok(Some(rgba)),
            None => Err(color.wrong(ValueError::new("is not a colour by itself").fix("white"))),
        }
    }
}

/// The query `render` for a picture whose sides are scaled by `times`.
#[must_use]
pub fn smaller(query: &ParsedOp<'_>, times: f64) -> Option<String> {
    if query.verb.text != "render" {
        return None;
    }
    let sized = |key: &str| query.params().find(|param| param.key == key);
    if let Some(scale) = sized("scale") {
        let scaled = scale.value.parse::<f64>().ok()? * times;
        return Some(scale.value_span.replace(query.raw, &format!("{scaled:.3}")));
    }
    let width = sized("width");
    let pixels = match width {
        Some(width) => width.value.parse::<f64>().ok()?,
        None => f64::from(USUAL),
    };
    let pixels = format!("{:.0}", (pixels * times).floor().max(1.0));
    Some(match width {
        Some(width) => width.value_span.replace(query.raw, &pixels),
        None => format!("{} width:{pixels}", query.raw.trim_end()),
    })
}

impl Drawing {
    /// Draws the drawing or some of its objects, in a separate process. With `marked`, objects are
    /// outlined and named. The drawing itself does not change.
    ///
    /// # Errors
    /// If an object draws nothing, a limit of size, time or memory is reached, or the drawing
    /// cannot be drawn.
    pub fn picture(&self, objects: &[NodeId], framing: &Framing, marked: bool) -> Result<Picture> {
        let (size, background) = (framing.size()?, framing.background()?);
        if let Some(root) = self.nodes.root() {
            self.geometry().check_copies(root)?;
        }
        let mut copy = None;
        if !objects.is_empty() {
            copy = Some(only::only(self, objects)?);
        }
        let region = match &framing.region {
            Some(region) => Some(region.get().rect()),
            None if objects.is_empty() => None,
            None => Some(self.frame_of(objects)?),
        };
        if marked {
            let shown = region.unwrap_or_else(|| self.geometry().canvas());
            let across = match size {
                Size::Width(width) => f64::from(width),
                Size::Scale(scale) => shown.width() * scale,
            };
            let marks = marks::of(self, objects);
            let base = match copy {
                Some(copy) => copy,
                None => self.same()?,
            };
            copy = Some(marks::drawn(base, &marks, shown, across)?);
        }
        if let Some(copy) = &mut copy {
            let unread = transforms::unread(copy);
            transforms::write(copy, unread)?;
        } else if !transforms::unread(self).is_empty() {
            let mut same = self.same()?;
            let unread = transforms::unread(&same);
            transforms::write(&mut same, unread)?;
            copy = Some(same);
        }
        let drawn = copy.as_ref().unwrap_or(self);
        drawn.spend_rendering_styles()?;
        drawn.spend_drawing()?;
        let text = drawn.nodes.tree().text();
        let options = Options {
            size,
            region: region.map(|region| Region {
                from: (region.x0, region.y0),
                to: (region.x1, region.y1),
            }),
            background,
            fonts: self.host.fonts.clone(),
            images: files::images(self),
        };
        picture::render_in_worker(text.as_bytes(), &options, &self.host.limits)
            .map_err(|error| self.refused(&error, objects, framing))
    }

    /// Counts the steps that the renderer takes to read and draw all elements.
    fn spend_drawing(&self) -> Result<()> {
        for id in self.nodes.elements() {
            let text = match self.nodes.is_called(id, "text") {
                true => self.nodes.text_of(id).len(),
                false => 0,
            };
            work::spend(STEPS_AN_ELEMENT + STEPS_A_LETTER * text)?;
        }
        Ok(())
    }

    /// The box around objects, with their strokes.
    fn frame_of(&self, objects: &[NodeId]) -> Result<Rect> {
        let geometry = self.geometry();
        let mut all: Option<Rect> = None;
        for id in objects {
            let found = geometry.stroke_box(*id);
            let Some(found) = found.filter(Rect::is_finite) else {
                let name = self.nodes.name(*id);
                bail!("{name} draws nothing"; try: "? describe {name}")
            };
            all = Some(all.map_or(found, |all| all.union(found)));
        }
        // A line without a stroke has no area.
        let all = all.unwrap_or_default();
        let least = all.width().max(all.height()).max(1.0) / 100.0;
        let flat = |length: f64| if length > 0.0 { 0.0 } else { least };
        Ok(all.inflate(flat(all.width()), flat(all.height())))
    }

    /// The error for a missing picture; the repair is a query that works.
    fn refused(&self, error: &Error, objects: &[NodeId], framing: &Framing) -> Diagnostic {
        let mut message = Diagnostic::new(error.to_string());
        if matches!(
            error,
            Error::Worker(WorkerError::Time(_) | WorkerError::Work(_))
        ) {
            message
                .message
                .push_str(" (set render-limit:SECONDS moves it)");
        }
        let called = |objects: &[NodeId]| {
            let names = objects.iter().take(5).map(|id| self.nodes.name(*id));
            names.collect::<Vec<_>>().join(",")
        };
        let asked = if objects.is_empty() {
            "render".to_owned()
        } else {
            format!("render {}", called(objects))
        };
        let width = framing
            .width
            .as_ref()
            .map_or(i64::from(USUAL), |width| width.get().get());
        match error {
            Error::Size {
                fits: Some(fits), ..
            } => message.or_untried(format!("{asked} width:{}", fits.min(&WIDEST))),
            Error::Size { .. } | Error::Region => {
                let canvas = self.geometry().canvas();
                let region = format!("{},{}-{},{}", canvas.x0, canvas.y0, canvas.x1, canvas.y1);
                message.or_try(format!("{asked} region:{region}"))
            }
            Error::Worker(
                WorkerError::Time(_)
                | WorkerError::Work(_)
                | WorkerError::Memory(_)
                | WorkerError::Died(_),
            ) => {
                let part = if objects.is_empty() {
                    let root = self.nodes.root();
                    let tops = root
                        .into_iter()
                        .flat_map(|root| self.nodes.tree().children(root));
                    let drawn = tops.filter(|id| self.nodes.is_object(*id)).take(1);
                    called(&drawn.collect::<Vec<_>>())
                } else {
                    called(objects)
                };
                let width = i64::from(SMALL).min((width / 2).max(1));
                message.or_untried(format!("render {part} width:{width}").replace("  ", " "))
            }
            _ => message,
        }
    }
}

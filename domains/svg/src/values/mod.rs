//! Values that only drawings have.

mod about;
mod area;
mod axis;
mod beside;
mod classes;
mod depth;
mod factors;
mod glob;
mod kind_name;
mod link;
mod paint_pick;
mod path_data;
mod place;
mod point_list;
mod side;
mod spot;
mod style_target;
mod transforms;

pub use about::About;
pub use area::Area;
pub use axis::Axis;
pub use beside::Beside;
pub use classes::Classes;
pub use depth::Depth;
pub use factors::Factors;
pub use glob::Glob;
pub use kind_name::KindName;
pub use link::Link;
pub use paint_pick::PaintPick;
pub use path_data::PathData;
pub use place::{Corner, Place};
pub use point_list::PointList;
pub use side::{Line, Side};
pub use spot::Spot;
pub use style_target::StyleTarget;
pub use transforms::Transforms;

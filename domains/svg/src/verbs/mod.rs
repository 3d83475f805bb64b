//! The verbs, a file each.

mod flip;
mod modify_absolute;
mod modify_add_arc;
mod modify_add_curve;
mod modify_add_line;
mod modify_add_move;
mod modify_add_point;
mod modify_add_smooth;
mod modify_close;
mod modify_move_point;
mod modify_relative;
mod modify_remove_point;
mod modify_remove_seg;
mod modify_reverse;
mod modify_set_seg;
mod modify_split_seg;
mod r#move;
mod raw;
mod rotate;
mod scale;
mod skew;

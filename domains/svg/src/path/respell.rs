//! All segments absolute, or all relative.

use super::{Command, Path, PathError};

impl Path {
    /// Makes every segment absolute. Those that are keep their text, and so does a close.
    ///
    /// # Errors
    /// A fault that would be read as more.
    pub fn absolute(&self) -> Result<String, PathError> {
        self.respelled(false)
    }

    /// Makes every segment relative. Those that are keep their text, and so does a close.
    ///
    /// # Errors
    /// A fault that would be read as more.
    pub fn relative(&self) -> Result<String, PathError> {
        self.respelled(true)
    }

    fn respelled(&self, relative: bool) -> Result<String, PathError> {
        let mut steps = self.steps();
        for step in &mut steps {
            if step.relative != relative && step.want.command != Command::Close {
                step.relative = relative;
                step.changed = true;
            }
        }
        self.write(&steps)
    }
}

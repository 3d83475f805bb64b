//! Makes all segments absolute or relative.

use super::{Command, Path, PathError};

impl Path {
    /// Makes every segment absolute. Absolute segments and closes keep their text.
    ///
    /// # Errors
    /// Text after a fault that would be read as segments.
    pub fn absolute(&self) -> Result<String, PathError> {
        self.respelled(false)
    }

    /// Makes every segment relative. Relative segments and closes keep their text.
    ///
    /// # Errors
    /// Text after a fault that would be read as segments.
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

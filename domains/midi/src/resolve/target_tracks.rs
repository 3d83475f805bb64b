//! The tracks of an op that takes each as a whole.

use fcp::prelude::*;
use fcp::verb::Takes;

use crate::model::{Song, Track};

/// A track by name, or the tracks that selectors match.
#[derive(Clone, Debug)]
pub struct TargetTracks(Vec<Id<Track>>);

impl FromArg<Song> for TargetTracks {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        ValueSpec {
            part: <Selection<Track> as FromArg<Song>>::spec().part,
            ..<Ref<Track> as FromArg<Song>>::spec()
        }
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Result<Self, ValueError> {
        if arg.selectors.is_empty() && arg.picked.is_none() {
            let track = <Ref<Track> as FromArg<Song>>::from_arg(arg, scope)?;
            return Ok(Self(vec![track.id()]));
        }
        let tracks = <Selection<Track> as FromArg<Song>>::from_arg(arg, scope)?;
        Ok(Self(tracks.iter().collect()))
    }
}

impl TargetTracks {
    /// The tracks.
    pub fn iter(&self) -> impl Iterator<Item = Id<Track>> {
        self.0.iter().copied()
    }

    /// `track Piano`, `tracks Piano, Bass`
    #[must_use]
    pub fn describe(&self, song: &Song) -> String {
        named(song, &self.0)
    }

    /// `Track Piano`, `Tracks Piano, Bass`
    #[must_use]
    pub fn capitalized(song: &Song, ids: &[Id<Track>]) -> String {
        named(song, ids).replacen('t', "T", 1)
    }

    /// Changes each track. Returns `Track Piano` or `Tracks Piano, Bass` of those that changed.
    ///
    /// # Errors
    /// None changed; then it is `Track Piano is` or `Tracks Piano, Bass are`.
    pub fn switched(
        &self,
        song: &mut Song,
        mut set: impl FnMut(&mut Song, Id<Track>) -> bool,
    ) -> Result<String, String> {
        let changed: Vec<Id<Track>> = self.iter().filter(|id| set(song, *id)).collect();
        let begun = |ids| Self::capitalized(song, ids);
        match (changed.as_slice(), self.0.as_slice()) {
            ([], one @ [_]) => Err(format!("{} is", begun(one))),
            ([], all) => Err(format!("{} are", begun(all))),
            (changed, _) => Ok(begun(changed)),
        }
    }
}

fn named(song: &Song, ids: &[Id<Track>]) -> String {
    let names: Vec<String> = ids.iter().map(|id| song.name_of_track(*id)).collect();
    let s = if names.len() == 1 { "" } else { "s" };
    format!("track{s} {}", names.join(", "))
}

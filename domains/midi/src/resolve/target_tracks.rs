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
        <Ref<Track> as FromArg<Song>>::spec()
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Result<Self, ValueError> {
        if arg.selectors.is_empty() && arg.picked.is_none() {
            let track = <Ref<Track> as FromArg<Song>>::from_arg(arg, scope)?;
            return Ok(Self(vec![track.id()]));
        }
        // Of tracks themselves, this selector is their name.
        if let [only] = arg.selectors
            && only.kind == "track"
            && arg.picked.is_none()
            && !only.negated
        {
            let named = only.value.split('|').map(|text| {
                let own = Arg {
                    text,
                    selectors: &[],
                    ..*arg
                };
                <Ref<Track> as FromArg<Song>>::from_arg(&own, scope).map(Ref::id)
            });
            return named.collect::<Result<_, _>>().map(Self);
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
        let begun = |ids| named(song, ids).replacen('t', "T", 1);
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

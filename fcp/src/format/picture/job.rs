//! Renders in a separate process. It receives all its data, and opens no files but fonts.

use std::sync::Arc;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Error, Options, Picture, render};
use crate::worker::{self, Job, Limits, WorkerError};

const NAME: &str = "picture";

inventory::submit! { Job { name: NAME, run } }

/// The header before the bytes of the SVG and the images.
#[derive(Serialize, Deserialize)]
struct Question {
    options: Options,
    svg: usize,
    /// The images' names and lengths.
    images: Vec<(String, usize)>,
}

/// The header before the bytes of the PNG.
#[derive(Serialize, Deserialize)]
struct Drawn {
    width: u32,
    height: u32,
    notes: Vec<String>,
}

/// Renders an SVG, plain or gzipped, in a separate process. [`timed`](super::timed) makes limits that suit rendering.
///
/// # Errors
/// Those of [`render()`], and [`Error::Worker`] if a limit was reached.
pub fn render_in_worker(svg: &[u8], options: &Options, limits: &Limits) -> Result<Picture, Error> {
    let question = Question {
        options: options.clone(),
        svg: svg.len(),
        images: options
            .images
            .iter()
            .map(|(name, bytes)| (name.clone(), bytes.len()))
            .collect(),
    };
    let bodies = options.images.values().map(|bytes| bytes.as_slice());
    let input = packed(&question, std::iter::once(svg).chain(bodies)).map_err(broken)?;
    let output = worker::call(NAME, &input, limits).map_err(Error::Worker)?;
    let (drawn, png) = unpacked::<Result<Drawn, Error>>(&output).map_err(broken)?;
    let drawn = drawn?;
    Ok(Picture {
        png: png.to_vec(),
        width: drawn.width,
        height: drawn.height,
        notes: drawn.notes,
    })
}

fn broken(why: String) -> Error {
    Error::Worker(WorkerError::Died(why))
}

fn run(input: &[u8]) -> Result<Vec<u8>, String> {
    let (question, mut rest) = unpacked::<Question>(input)?;
    let mut take = |length: usize| {
        let (body, after) = rest
            .split_at_checked(length)
            .ok_or("the input is cut off")?;
        rest = after;
        Ok::<_, String>(body)
    };
    let svg = take(question.svg)?;
    let mut options = question.options;
    for (name, length) in question.images {
        options
            .images
            .insert(name, Arc::new(take(length)?.to_vec()));
    }
    match render(svg, &options) {
        Ok(Picture {
            png,
            width,
            height,
            notes,
        }) => {
            let drawn = Drawn {
                width,
                height,
                notes,
            };
            packed(&Ok::<_, Error>(drawn), [png.as_slice()])
        }
        Err(error) => packed(&Err::<Drawn, _>(error), []),
    }
}

/// The length of a header, the header, and the data after it.
fn packed<'a>(
    head: &impl Serialize,
    bodies: impl IntoIterator<Item = &'a [u8]>,
) -> Result<Vec<u8>, String> {
    let head = serde_json::to_vec(head).map_err(|error| error.to_string())?;
    let mut out = (head.len() as u64).to_le_bytes().to_vec();
    out.extend(head);
    for body in bodies {
        out.extend_from_slice(body);
    }
    Ok(out)
}

fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, &[u8]), String> {
    let split = || {
        let (length, rest) = bytes.split_first_chunk()?;
        rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
    };
    let (head, body) = split().ok_or("the message is cut off")?;
    let head = serde_json::from_slice(head).map_err(|error| error.to_string())?;
    Ok((head, body))
}

//! What Python sees: `read`, what it is told, and the versions of the handshake.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyIterator, PyList};

use crate::block::{Block, VERSION};
use crate::decline::{Decline, REASONS};
use crate::document::Charset;
use crate::limits::{Limits, Stop};
use crate::wire::{Pieces, Wire};
use crate::{Given, read};

/// Raised whenever the function below changes what it takes or gives; Python refuses another.
const INTERFACE: u32 = 1;

/// Set by another thread to make `read` decline at once.
#[pyclass(name = "Stop", frozen)]
#[derive(Default)]
struct PyStop(Stop);

#[pymethods]
impl PyStop {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Decline as soon as possible.
    fn set(&self) {
        self.0.set();
    }
}

/// What is known of a document before its bytes are looked at.
#[pyclass(name = "Given", frozen)]
struct PyGiven(Given);

#[pymethods]
impl PyGiven {
    #[new]
    #[pyo3(signature = (*, wire_bytes, inflated_bytes, ratio, ratio_after, encodings, references, charset, named_gzip, stop=None))]
    #[expect(clippy::too_many_arguments, reason = "most are the limits of `usp.limits`, by name")]
    fn new(
        wire_bytes: u64,
        inflated_bytes: u64,
        ratio: u64,
        ratio_after: u64,
        encodings: u32,
        references: usize,
        charset: &str,
        named_gzip: bool,
        stop: Option<&Bound<'_, PyStop>>,
    ) -> Self {
        let charset = match charset {
            "decoded" => Charset::Decoded,
            "utf-8" => Charset::Utf8,
            _ => Charset::Other,
        };
        Self(Given {
            limits: Limits { wire_bytes, inflated_bytes, ratio, ratio_after, encodings, references },
            charset,
            named_gzip,
            stop: stop.map(|stop| stop.get().0.clone()).unwrap_or_default(),
        })
    }
}

/// A piece of a body, or the whole text of a document.
#[derive(FromPyObject)]
enum Piece {
    Bytes(PyBackedBytes),
    Text(PyBackedStr),
}

impl Piece {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Text(text) => text.as_bytes(),
        }
    }
}

/// What Python raised while it was asked for a piece, or told to keep a block.
type Raised = Mutex<Option<PyErr>>;

fn raised(slot: &Raised, error: PyErr) -> Decline {
    if let Ok(mut slot) = slot.lock() {
        *slot = Some(error);
    }
    Decline::Stopped
}

/// Pieces that Python gives one by one: of a file, which nobody holds whole.
struct OneByOne<'a> {
    pieces: Py<PyIterator>,
    piece: Option<Piece>,
    taken: usize,
    raised: &'a Raised,
}

impl OneByOne<'_> {
    fn next(&mut self) -> Result<Option<Piece>, Decline> {
        let next = Python::attach(|py| match self.pieces.bind(py).clone().next() {
            Some(Ok(piece)) if piece.is_none() => Ok(Err(Decline::Unreadable)),
            Some(piece) => Ok(Ok(Some(piece?.extract()?))),
            None => Ok(Ok(None)),
        });
        next.unwrap_or_else(|error| Err(raised(self.raised, error)))
    }
}

impl Wire for OneByOne<'_> {
    fn fill(&mut self, into: &mut [u8]) -> Result<usize, Decline> {
        let mut filled = 0;
        while filled < into.len() {
            let rest = self.piece.as_ref().map_or(&[][..], |piece| &piece.bytes()[self.taken..]);
            let taken = rest.len().min(into.len() - filled);
            into[filled..filled + taken].copy_from_slice(&rest[..taken]);
            filled += taken;
            self.taken += taken;
            if taken == 0 {
                self.taken = 0;
                self.piece = self.next()?;
                if self.piece.is_none() {
                    break;
                }
            }
        }
        Ok(filled)
    }
}

/// `(kind, [what keep gave, ...], references)`, or the reason of a decline.
#[derive(IntoPyObject)]
enum Answer<'py> {
    Read((&'static str, Py<PyList>, Bound<'py, PyBytes>)),
    Declined(&'static str),
}

/// Read a document.
///
/// `pieces` is a list of all pieces of a body, which then is read without Python, or an iterator of them, in which None
/// means that there is no more to be had. `keep` is given each block and the number of its rows; it may be called before
/// the document is declined.
#[pyfunction]
#[pyo3(name = "read")]
fn read_pieces<'py>(
    py: Python<'py>,
    pieces: &Bound<'py, PyAny>,
    given: &Bound<'py, PyGiven>,
    keep: &Bound<'py, PyAny>,
) -> PyResult<Answer<'py>> {
    let given = &given.get().0;
    let kept = PyList::empty(py).unbind();
    let keep = keep.clone().unbind();
    let slot = Raised::default();
    let mut sink = |blocks: Vec<Block>| {
        Python::attach(|py| hand_over(py, blocks, &keep, kept.bind(py))).map_err(|error| raised(&slot, error))
    };
    let reading = if let Ok(pieces) = pieces.cast::<PyList>() {
        let pieces = pieces.extract::<Vec<Piece>>()?;
        py.detach(|| read(Box::new(Pieces::new(pieces.iter().map(Piece::bytes).collect())), given, &mut sink))
    } else {
        let wire = OneByOne { pieces: pieces.try_iter()?.unbind(), piece: None, taken: 0, raised: &slot };
        py.detach(|| read(Box::new(wire), given, &mut sink))
    };
    if let Some(error) = slot.into_inner().ok().flatten() {
        return Err(error);
    }
    Ok(match reading {
        Ok(reading) => Answer::Read((reading.kind.root(), kept, PyBytes::new(py, &reading.references))),
        Err(decline) => Answer::Declined(decline.reason()),
    })
}

fn hand_over(py: Python<'_>, blocks: Vec<Block>, keep: &Py<PyAny>, kept: &Bound<'_, PyList>) -> PyResult<()> {
    for block in blocks {
        kept.append(keep.call1(py, (PyBytes::new(py, block.bytes()), block.rows))?)?;
    }
    Ok(())
}

#[pymodule(name = "usp_native")]
mod module {
    #[pymodule_export]
    use super::{PyGiven, PyStop, read_pieces};

    use super::{Bound, INTERFACE, PyModule, PyModuleMethods, PyResult, REASONS, VERSION};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("INTERFACE", INTERFACE)?;
        module.add("BLOCK_VERSION", VERSION)?;
        module.add("REASONS", REASONS)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

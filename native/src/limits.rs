//! The bounds that Python gives along; see `usp.limits`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::decline::Decline;

/// How much a document may cost.
#[derive(Clone, Debug)]
pub struct Limits {
    pub wire_bytes: u64,
    pub inflated_bytes: u64,
    pub ratio: u64,
    pub ratio_after: u64,
    pub encodings: u32,
    pub references: usize,
}

/// Set by whoever does not want the result any more.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// `Decline::Stopped` once it was set.
    pub fn check(&self) -> Result<(), Decline> {
        if self.0.load(Ordering::Relaxed) { Err(Decline::Stopped) } else { Ok(()) }
    }
}

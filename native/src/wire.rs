//! The bytes of the wire, and of what they inflate to.
//!
//! Laws: every layer is bounded in bytes and in ratio, and holds no more than one piece. What Python would only
//! perhaps refuse is declined: the ratio is judged against the bytes fed *before* a piece was inflated.

use flate2::{Decompress, FlushDecompress, Status};

use crate::decline::Decline;
use crate::limits::Limits;

/// Where bytes come from: fills what it is given as far as it can; 0 only at the end.
pub trait Wire {
    /// # Errors
    /// Why the bytes cannot be had.
    fn fill(&mut self, into: &mut [u8]) -> Result<usize, Decline>;
}

/// Pieces in memory, one after the other.
pub struct Pieces<'a> {
    pieces: Vec<&'a [u8]>,
    next: usize,
}

impl<'a> Pieces<'a> {
    #[must_use]
    pub fn new(pieces: Vec<&'a [u8]>) -> Self {
        Self { pieces, next: 0 }
    }
}

impl Wire for Pieces<'_> {
    fn fill(&mut self, into: &mut [u8]) -> Result<usize, Decline> {
        let mut filled = 0;
        while filled < into.len() && self.next < self.pieces.len() {
            let piece = &mut self.pieces[self.next];
            let taken = piece.len().min(into.len() - filled);
            into[filled..filled + taken].copy_from_slice(&piece[..taken]);
            *piece = &piece[taken..];
            filled += taken;
            if piece.is_empty() {
                self.next += 1;
            }
        }
        Ok(filled)
    }
}

/// At most so many bytes.
struct Capped<'a> {
    inner: Box<dyn Wire + 'a>,
    left: u64,
}

impl Wire for Capped<'_> {
    fn fill(&mut self, into: &mut [u8]) -> Result<usize, Decline> {
        let filled = self.inner.fill(into)?;
        self.left = self.left.checked_sub(filled as u64).ok_or(Decline::TooLarge)?;
        Ok(filled)
    }
}

/// Bytes that were read to look at them, and all that follow.
struct Resumed<'a> {
    head: Vec<u8>,
    inner: Box<dyn Wire + 'a>,
}

impl Wire for Resumed<'_> {
    fn fill(&mut self, into: &mut [u8]) -> Result<usize, Decline> {
        let taken = self.head.len().min(into.len());
        into[..taken].copy_from_slice(&self.head[..taken]);
        self.head.drain(..taken);
        Ok(taken + self.inner.fill(&mut into[taken..])?)
    }
}

const GZIP: [u8; 3] = [0x1f, 0x8b, 0x08];
const ZSTD: [u8; 3] = [0x28, 0xb5, 0x2f];
const PIECE: usize = 64 * 1024;

/// More members than any site writes; each costs microseconds, whatever is in it.
const MEMBERS: u32 = 1000;

/// Undo every layer of gzip; `named` says that a header names one.
///
/// # Errors
/// Another compression, too many layers, or none where one is named.
pub fn inflated<'a>(wire: Box<dyn Wire + 'a>, limits: &Limits, named: bool) -> Result<Box<dyn Wire + 'a>, Decline> {
    let mut wire: Box<dyn Wire + 'a> = Box::new(Capped { inner: wire, left: limits.wire_bytes });
    let mut layers = 0;
    loop {
        let mut head = vec![0; GZIP.len()];
        let read = wire.fill(&mut head)?;
        head.truncate(read);
        let compressed = head == GZIP;
        if head == ZSTD || (named && layers == 0 && !compressed) {
            return Err(Decline::Compression);
        }
        wire = Box::new(Resumed { head, inner: wire });
        if !compressed {
            return Ok(Box::new(Capped { inner: wire, left: limits.inflated_bytes }));
        }
        layers += 1;
        if layers > limits.encodings {
            return Err(Decline::Compression);
        }
        wire = Box::new(Gzip::new(wire, limits));
    }
}

/// The members of one gzip stream.
struct Gzip<'a> {
    inner: Box<dyn Wire + 'a>,
    input: Vec<u8>,
    start: usize,
    end: usize,
    member: Option<Decompress>,
    opened: u32,
    fed: u64,
    given: u64,
    ratio: u64,
    ratio_after: u64,
    most: u64,
}

impl<'a> Gzip<'a> {
    fn new(inner: Box<dyn Wire + 'a>, limits: &Limits) -> Self {
        Self {
            inner,
            input: vec![0; PIECE],
            start: 0,
            end: 0,
            member: None,
            opened: 0,
            fed: 0,
            given: 0,
            ratio: limits.ratio,
            ratio_after: limits.ratio_after,
            most: limits.inflated_bytes,
        }
    }

    /// More input, if there is any.
    fn refill(&mut self) -> Result<bool, Decline> {
        if self.start == self.end {
            self.start = 0;
            self.end = self.inner.fill(&mut self.input)?;
        }
        Ok(self.start < self.end)
    }

    fn open(&mut self) -> Result<&mut Decompress, Decline> {
        if self.member.is_none() {
            self.opened += 1;
            if self.opened > MEMBERS {
                return Err(Decline::Compression);
            }
        }
        Ok(self.member.get_or_insert_with(|| Decompress::new_gzip(15)))
    }

    /// Inflate once; how many bytes that gave.
    fn inflate(&mut self, into: &mut [u8]) -> Result<usize, Decline> {
        let (start, end) = (self.start, self.end);
        let input = std::mem::take(&mut self.input);
        let member = self.open()?;
        let (fed, given) = (member.total_in(), member.total_out());
        let status = member.decompress(&input[start..end], into, FlushDecompress::None);
        let (fed, given) = (member.total_in() - fed, member.total_out() - given);
        self.input = input;
        self.start += usize::try_from(fed).map_err(|_| Decline::Compression)?;
        match status {
            Ok(Status::StreamEnd) => self.member = None,
            Ok(Status::Ok) if fed > 0 || given > 0 => {}
            _ => return Err(Decline::Compression),
        }
        self.given += given;
        if self.given > self.most {
            return Err(Decline::TooLarge);
        }
        if self.given > self.ratio_after && self.given > self.ratio.saturating_mul(self.fed) {
            return Err(Decline::Ratio);
        }
        self.fed += fed;
        usize::try_from(given).map_err(|_| Decline::Compression)
    }
}

impl Wire for Gzip<'_> {
    fn fill(&mut self, into: &mut [u8]) -> Result<usize, Decline> {
        let mut filled = 0;
        while filled < into.len() {
            if !self.refill()? && self.member.is_none() {
                break;
            }
            let step = (into.len() - filled).min(PIECE);
            filled += self.inflate(&mut into[filled..filled + step])?;
        }
        Ok(filled)
    }
}

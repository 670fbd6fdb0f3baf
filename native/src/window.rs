//! The text of a document, one stretch of whole entries at a time.
//!
//! Laws: every stretch but the last ends where an entry ends, so that nothing but the root is open at a cut; line ends
//! are single line feeds, as in Python; what XML forbids is declined here, before anything looks at it.

use memchr::{memchr, memmem, memrchr};

use crate::decline::Decline;
use crate::limits::Stop;
use crate::wire::Wire;

/// What is read at a time: it stays in the cache of a core while it is looked at three times.
const STEP: usize = 64 * 1024;

/// The longest stretch without the end of an entry, but for one step more. Tokens and values of 1 MiB and more, which
/// the Python parser does not keep whole, are never met.
const LONGEST: usize = 900 * 1024;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

pub struct Window<'a> {
    wire: Box<dyn Wire + 'a>,
    stop: Stop,
    text: Vec<u8>,
    /// Where the stretch given last ends.
    given: usize,
    begun: bool,
    ended: bool,
    /// A stretch with single line feeds, where the document has others.
    unified: Vec<u8>,
}

impl<'a> Window<'a> {
    #[must_use]
    pub fn new(wire: Box<dyn Wire + 'a>, stop: Stop) -> Self {
        Self { wire, stop, text: Vec::new(), given: 0, begun: false, ended: false, unified: Vec::new() }
    }

    /// The next stretch; None at the end.
    ///
    /// # Errors
    /// Whatever the bytes are declined for, or a stretch that is too long.
    pub fn stretch(&mut self) -> Result<Option<&str>, Decline> {
        self.stop.check()?;
        self.text.drain(..self.given);
        self.given = self.find_end()?;
        let mut stretch = &self.text[..self.given];
        if stretch.is_empty() {
            return Ok(None);
        }
        if !self.begun {
            self.begun = true;
            stretch = stretch.strip_prefix(BYTE_ORDER_MARK).unwrap_or(stretch);
        }
        if has_control(stretch) {
            // No pair of carriage return and line feed is cut in two: a stretch ends in a tag.
            unify_line_ends(stretch, &mut self.unified);
            stretch = &self.unified;
            if has_control(stretch) {
                return Err(Decline::Characters);
            }
        }
        check_characters(stretch)?;
        str::from_utf8(stretch).map(Some).map_err(|_| Decline::Characters)
    }

    /// Read on to where the next stretch ends.
    fn find_end(&mut self) -> Result<usize, Decline> {
        let mut searched = 0;
        while !self.ended {
            let before = self.text.len();
            self.text.resize(before + STEP, 0);
            let read = self.wire.fill(&mut self.text[before..])?;
            self.text.truncate(before + read);
            self.ended = read < STEP;
            if self.ended {
                break;
            }
            if let Some(end) = last_entry_end(&self.text, searched) {
                return Ok(end);
            }
            searched = self.text.len();
            if searched > LONGEST {
                return Err(Decline::LongEntry);
            }
        }
        Ok(self.text.len())
    }
}

/// Make `\r\n` and `\r` to `\n`.
fn unify_line_ends(text: &[u8], unified: &mut Vec<u8>) {
    unified.clear();
    let mut rest = text;
    while let Some(position) = memchr(b'\r', rest) {
        unified.extend_from_slice(&rest[..position]);
        unified.push(b'\n');
        rest = &rest[position + 1..];
        rest = rest.strip_prefix(b"\n").unwrap_or(rest);
    }
    unified.extend_from_slice(rest);
}

/// Where the last entry ends that ends behind a position, or nearly before it.
fn last_entry_end(text: &[u8], searched: usize) -> Option<usize> {
    const ENDS: [&[u8]; 2] = [b"</url>", b"</sitemap>"];
    let first = searched.saturating_sub(b"</sitemap>".len());
    let mut end = text.len();
    while let Some(position) = memrchr(b'<', &text[first..end]).map(|found| first + found) {
        if let Some(tag) = ENDS.iter().find(|tag| text[position..].starts_with(tag)) {
            return Some(position + tag.len());
        }
        end = position;
    }
    None
}

/// Whether there are control characters other than tabulators and line feeds.
fn has_control(text: &[u8]) -> bool {
    let is_control = |byte: u8| byte < b' ' && byte != b'\n' && byte != b'\t';
    text.iter().fold(0, |met, &byte| met | u8::from(is_control(byte))) != 0
}

/// Decline U+FFFE and U+FFFF, and a byte order mark where the tokenizer would pass over it.
fn check_characters(text: &[u8]) -> Result<(), Decline> {
    let noncharacter = |found: usize| text.get(found + 2) >= Some(&0xbe);
    let unusual = !text.is_ascii() && memmem::find_iter(text, b"\xef\xbf").any(noncharacter);
    if unusual || text.starts_with(BYTE_ORDER_MARK) { Err(Decline::Characters) } else { Ok(()) }
}

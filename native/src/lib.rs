//! A second reader of plain sitemaps, for the Python package `usp`.
//!
//! Laws: given the bytes of the wire and the limits it gives exactly what the Python parser would, without a single
//! problem, or declines, and Python reads from the start; `usp.formats` is the definition of what is accepted, and the
//! home of every leniency. Anything unusual is declined: a decline costs time, a difference would be a lie. Nothing is
//! held but one stretch of the text and the blocks. A panic is a decline.

pub mod attributes;
pub mod block;
pub mod decline;
pub mod document;
pub mod events;
pub mod limits;
pub mod page;
pub mod prolog;
pub mod sections;
pub mod seen;
pub mod text;
pub mod video;
pub mod window;
pub mod wire;

#[cfg(feature = "python")]
mod python;

use std::panic::{AssertUnwindSafe, catch_unwind};

use decline::Decline;
use document::{Charset, Reading, Sink};
use limits::{Limits, Stop};
use wire::Wire;

/// What is known of a document before its bytes are looked at.
#[derive(Clone, Debug)]
pub struct Given {
    pub limits: Limits,
    pub charset: Charset,
    /// A header names gzip.
    pub named_gzip: bool,
    pub stop: Stop,
}

/// Read one document; its blocks go into the sink.
///
/// # Errors
/// Whatever the Python parser has to judge.
pub fn read(wire: Box<dyn Wire + '_>, given: &Given, sink: &mut Sink) -> Result<Reading, Decline> {
    guarded(|| {
        let text = match given.charset {
            Charset::Decoded => wire,
            _ => wire::inflated(wire, &given.limits, given.named_gzip)?,
        };
        document::read(text, given, sink)
    })
}

/// A panic is a fault of the reader: Python reads the document then, and counts it.
fn guarded(read: impl FnOnce() -> Result<Reading, Decline>) -> Result<Reading, Decline> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or(Err(Decline::Panic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::Block;
    use crate::wire::Pieces;

    const ROOT: &str = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">"#;

    fn given() -> Given {
        let limits = Limits {
            wire_bytes: 1 << 20,
            inflated_bytes: 1 << 20,
            ratio: 250,
            ratio_after: 8 << 20,
            encodings: 2,
            references: 2,
        };
        Given { limits, charset: Charset::Utf8, named_gzip: false, stop: Stop::default() }
    }

    fn rows(pieces: &[&str]) -> Result<usize, Decline> {
        let mut rows = 0;
        let wire = Pieces::new(pieces.iter().map(|piece| piece.as_bytes()).collect());
        let mut count = |blocks: Vec<Block>| {
            rows += blocks.iter().map(|block| block.rows).sum::<usize>();
            Ok(())
        };
        read(Box::new(wire), &given(), &mut count)?;
        Ok(rows)
    }

    #[test]
    fn a_panic_is_a_decline() {
        std::panic::set_hook(Box::new(|_| {})); // no noise among the results of the tests
        assert_eq!(guarded(|| panic!("a fault of the reader")).unwrap_err(), Decline::Panic);
    }

    #[test]
    fn a_plain_document_is_read_in_any_pieces() {
        let entries = "<url><loc>https://example.com/a</loc></url><url><loc>https://example.com/b</loc></url></urlset>";
        assert_eq!(rows(&[ROOT, entries]), Ok(2));
        assert_eq!(rows(&[&ROOT[..5], &ROOT[5..], &entries[..30], "", &entries[30..]]), Ok(2));
    }

    #[test]
    fn what_is_not_plain_is_declined_with_its_reason() {
        let declined = |entries: &str| rows(&[ROOT, entries, "</urlset>"]).unwrap_err();
        assert_eq!(declined("<url></url>"), Decline::MissingLoc);
        assert_eq!(declined("<url><loc>/relative</loc></url>"), Decline::Url);
        assert_eq!(declined("<url><loc>https://example.com/&bogus;</loc></url>"), Decline::Reference);
        assert_eq!(declined("<url><loc>https://example.com/]]></loc></url>"), Decline::Syntax);
        assert_eq!(declined("<url><loc>https://example.com/\u{ffff}</loc></url>"), Decline::Characters);
        assert_eq!(declined("<!-- <url> -->"), Decline::Comment);
        assert_eq!(rows(&["<urlset></urlset>"]), Err(Decline::Namespace));
        assert_eq!(rows(&[ROOT]), Err(Decline::End));
    }

    #[test]
    fn every_reason_has_a_name_of_its_own() {
        let mut names = decline::REASONS.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), decline::REASONS.len());
        assert!(decline::REASONS.contains(&Decline::Panic.reason()));
    }
}

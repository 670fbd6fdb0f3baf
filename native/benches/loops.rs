//! How far the reader is from the tokenizer: quick-xml's bare event loop over the same bytes, and reading into blocks.
//!
//! `cargo bench --no-default-features [-- FILE...]`; without a file, over a generated urlset of 50,000 pages.

#![expect(clippy::cast_precision_loss, reason = "these are figures to be read")]

use std::hint::black_box;
use std::time::Instant;

use quick_xml::events::Event;
use quick_xml::reader::Reader;
use usp_native::block::Block;
use usp_native::document::Charset;
use usp_native::limits::{Limits, Stop};
use usp_native::wire::Pieces;
use usp_native::{Given, read};

const ROUNDS: usize = 25;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    if files.is_empty() {
        compare("plain", plain(50_000).as_bytes());
    }
    for file in files {
        compare(&file, &std::fs::read(&file).expect("the file can be read"));
    }
}

/// Both in turn, again and again; the best of each, since all else that the machine does only adds.
fn compare(name: &str, document: &[u8]) {
    let (mut bare, mut blocks) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        bare.push(seconds(|| black_box(events(document))));
        blocks.push(seconds(|| black_box(rows(document))));
    }
    let (bare, blocks) = (best(&bare), best(&blocks));
    let speed = |seconds: f64| document.len() as f64 / 1e6 / seconds;
    println!(
        "{name}: {:.1} MB, bare event loop {:.0} MB/s, into blocks {:.0} MB/s: {:.2} of its speed",
        document.len() as f64 / 1e6,
        speed(bare),
        speed(blocks),
        bare / blocks
    );
}

fn events(document: &[u8]) -> usize {
    let mut reader = Reader::from_reader(document);
    let mut events = 0;
    while !matches!(reader.read_event().expect("the document is well-formed"), Event::Eof) {
        events += 1;
    }
    events
}

fn rows(document: &[u8]) -> usize {
    let limits = Limits {
        wire_bytes: u64::MAX,
        inflated_bytes: u64::MAX,
        ratio: 250,
        ratio_after: 8 << 20,
        encodings: 2,
        references: usize::MAX,
    };
    let given = Given { limits, charset: Charset::Utf8, named_gzip: false, stop: Stop::default() };
    let mut rows = 0;
    let mut count = |blocks: Vec<Block>| {
        rows += blocks.iter().map(|block| block.rows).sum::<usize>();
        Ok(())
    };
    let wire = Box::new(Pieces::new(vec![document]));
    let reading = read(wire, &given, &mut count).expect("the document is plain");
    rows + reading.references.len()
}

fn seconds(work: impl FnOnce() -> usize) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn best(figures: &[f64]) -> f64 {
    figures.iter().copied().fold(f64::INFINITY, f64::min)
}

fn plain(pages: usize) -> String {
    use std::fmt::Write;

    let mut document = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for page in 0..pages {
        let written = write!(
            document,
            "  <url>\n    <loc>https://www.example.com/section-{}/an-article-with-a-title-{page}.html?page=1&amp;sort=date</loc>\n\
             \x20   <lastmod>2024-{:02}-{:02}T03:04:05+02:00</lastmod>\n    <changefreq>weekly</changefreq>\n\
             \x20   <priority>0.{}</priority>\n  </url>\n",
            page % 40,
            page % 12 + 1,
            page % 28 + 1,
            page % 9 + 1
        );
        written.expect("a string takes everything");
    }
    document + "</urlset>\n"
}

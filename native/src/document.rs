//! One document: from the bytes of the wire to blocks and references.

use std::mem;

use crate::Given;
use crate::block::{Block, Blocks, array, number, text, text_or_nil};
use crate::decline::Decline;
use crate::events::{Events, Token, parts, pass};
use crate::page::{Leaves, PARTS, Page};
use crate::prolog::{Prefixes, check_head, declares_utf_8, prefixes};
use crate::sections::{SITEMAP, URL};
use crate::seen::Seen;
use crate::text::is_plain_url;
use crate::window::Window;
use crate::wire::Wire;

/// Bytes before the root; the Python parser looks for it in the first 64 Ki characters.
const PROLOG: usize = 32 * 1024;

/// What kind of document it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    Urlset,
    Index,
}

impl Kind {
    /// The name of the root.
    #[must_use]
    pub fn root(self) -> &'static str {
        match self {
            Self::Urlset => "urlset",
            Self::Index => "sitemapindex",
        }
    }
}

/// Where blocks go: a few at a time, and all of them before the reading is done.
pub type Sink<'a> = dyn FnMut(Vec<Block>) -> Result<(), Decline> + 'a;

/// What a document says beside its blocks.
#[derive(Debug)]
pub struct Reading {
    pub kind: Kind,
    /// `MessagePack`: an array of maps with the fields of `usp.messages.SitemapRef`.
    pub references: Vec<u8>,
}

/// What is known of the charset before the document is read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Charset {
    /// It was decoded by somebody else.
    Decoded,
    /// No header speaks against UTF-8.
    Utf8,
    /// A header names another one: the document itself has to declare UTF-8.
    Other,
}

/// Read a document whose compression is undone already. What it declines in the end may have given blocks before.
///
/// # Errors
/// Whatever the Python parser has to judge.
pub fn read(wire: Box<dyn Wire + '_>, given: &Given, sink: &mut Sink) -> Result<Reading, Decline> {
    let mut window = Window::new(wire, given.stop.clone());
    let mut document = Document::default();
    while let Some(stretch) = window.stretch()? {
        document.take(stretch, given.charset)?;
        if document.references.count > given.limits.references {
            return Err(Decline::TooLarge);
        }
        let full = document.blocks.take_full();
        if !full.is_empty() {
            sink(full)?;
        }
    }
    document.finish(sink)
}

enum Stage {
    Before,
    Within(Kind),
    After(Kind),
}

struct Document {
    stage: Stage,
    begun: bool,
    line: usize,
    prefixes: Prefixes,
    page: Page,
    blocks: Blocks,
    references: References,
    seen: Seen,
}

impl Default for Document {
    fn default() -> Self {
        Self {
            stage: Stage::Before,
            begun: false,
            line: 1,
            prefixes: Prefixes::default(),
            page: Page::default(),
            blocks: Blocks::default(),
            references: References::default(),
            seen: Seen::default(),
        }
    }
}

impl Document {
    /// Read one stretch of text.
    fn take(&mut self, stretch: &str, charset: Charset) -> Result<(), Decline> {
        let mut events = Events::new(stretch, self.line);
        if !mem::replace(&mut self.begun, true) {
            self.begin(stretch, &mut events, charset)?;
        }
        self.blocks.note_text(stretch.len());
        while let Stage::Within(kind) = self.stage {
            match events.following()? {
                Token::Start(tag) if tag == URL.name && kind == Kind::Urlset => self.page(&mut events)?,
                Token::Start(tag) if tag == SITEMAP.name && kind == Kind::Index => {
                    let line = events.line_of_tag(SITEMAP.name.len());
                    self.references.read(&mut events, line, &mut self.seen)?;
                }
                Token::End(name) if name == kind.root() => self.stage = Stage::After(kind),
                Token::Eof => break,
                other => pass(other)?,
            }
        }
        if matches!(self.stage, Stage::After(_)) {
            end(&mut events)?;
        }
        self.line = events.last_line();
        Ok(())
    }

    /// Read up to the root.
    fn begin(&mut self, stretch: &str, events: &mut Events, charset: Charset) -> Result<(), Decline> {
        check_head(stretch.as_bytes())?;
        let mut declared = false;
        loop {
            match events.following()? {
                Token::Declaration(declaration) => {
                    if events.position() != declaration.len() + "<??>".len() {
                        return Err(Decline::Declaration); // blanks stand before it
                    }
                    match declares_utf_8(declaration) {
                        // what it declares does not count, but it must be one
                        Err(Decline::Charset) if charset == Charset::Decoded => {}
                        found => declared = found?,
                    }
                }
                Token::Start(root) => {
                    self.stage = Stage::Within(self.root(root)?);
                    break;
                }
                Token::Empty(root) => {
                    self.stage = Stage::After(self.root(root)?);
                    break;
                }
                Token::Text(_) | Token::Eof | Token::End(_) => return Err(Decline::Root),
                other => pass(other)?,
            }
        }
        if charset == Charset::Other && !declared {
            return Err(Decline::Charset);
        }
        if events.position() > PROLOG { Err(Decline::Root) } else { Ok(()) }
    }

    fn root(&mut self, root: &str) -> Result<Kind, Decline> {
        let (name, written) = parts(root);
        let kind = [Kind::Urlset, Kind::Index].into_iter().find(|kind| kind.root() == name).ok_or(Decline::Root)?;
        self.prefixes = prefixes(written)?;
        Ok(kind)
    }

    fn page(&mut self, events: &mut Events) -> Result<(), Decline> {
        let line = events.line_of_tag(URL.name.len());
        let url = self.page.read(events, &self.prefixes)?;
        if !self.seen.add(url) {
            return Err(Decline::DuplicateUrl);
        }
        self.page.pack(line, self.blocks.row());
        self.blocks.row_written(self.page.parts());
        Ok(())
    }

    fn finish(self, sink: &mut Sink) -> Result<Reading, Decline> {
        match self.stage {
            Stage::Before => Err(Decline::Root),
            Stage::Within(_) => Err(Decline::End),
            Stage::After(kind) => {
                sink(self.blocks.finish())?;
                Ok(Reading { kind, references: self.references.finish() })
            }
        }
    }
}

/// Pass over what may follow the root.
fn end(events: &mut Events) -> Result<(), Decline> {
    loop {
        match events.following()? {
            Token::Eof => return Ok(()),
            other => pass(other).map_err(|_| Decline::End)?,
        }
    }
}

/// The entries of an index.
struct References {
    packed: Vec<u8>,
    count: usize,
    fields: Leaves,
    /// Every URL of the entry at hand: some plugins write several, and each is a child.
    urls: Vec<String>,
}

impl Default for References {
    fn default() -> Self {
        Self { packed: Vec::new(), count: 0, fields: Leaves::of(&SITEMAP), urls: Vec::new() }
    }
}

impl References {
    /// Read the entry whose start tag was just read.
    fn read(&mut self, events: &mut Events, line: usize, seen: &mut Seen) -> Result<(), Decline> {
        let [loc, lastmod] = [0, 1];
        self.fields.clear();
        self.urls.clear();
        loop {
            match events.usual_start(SITEMAP.leaves) {
                Some(leaf) if leaf == loc => {
                    let mut url = String::new();
                    events.value(SITEMAP.leaves[loc], &mut url)?;
                    self.urls.extend((!url.is_empty()).then_some(url));
                    continue;
                }
                Some(_) => {
                    events.value(SITEMAP.leaves[lastmod], self.fields.empty(lastmod)?)?;
                    continue;
                }
                None => {}
            }
            match events.following()? {
                Token::Empty(tag) if SITEMAP.leaves.contains(&tag.trim_end()) => {}
                Token::End(name) if name == SITEMAP.name => break,
                other => pass(other)?,
            }
        }
        if self.urls.is_empty() {
            return Err(Decline::MissingLoc);
        }
        if self.urls.len() > PARTS {
            return Err(Decline::TooManyParts);
        }
        for url in mem::take(&mut self.urls) {
            self.add(&url, line, seen)?;
        }
        Ok(())
    }

    fn add(&mut self, url: &str, line: usize, seen: &mut Seen) -> Result<(), Decline> {
        if !is_plain_url(url) {
            return Err(Decline::Url);
        }
        if !seen.add(url) {
            return Err(Decline::DuplicateUrl);
        }
        self.count += 1;
        let packed = &mut self.packed;
        packed.push(0x83); // a map of three
        text(packed, "url");
        text(packed, url);
        text(packed, "lastmod");
        text_or_nil(packed, self.fields.get(1));
        text(packed, "line");
        number(packed, line);
        Ok(())
    }

    fn finish(self) -> Vec<u8> {
        let mut finished = Vec::with_capacity(self.packed.len() + 5);
        array(&mut finished, self.count);
        finished.extend_from_slice(&self.packed);
        finished
    }
}

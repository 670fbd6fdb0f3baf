//! One entry of a urlset: its fields and what hangs on it, into one packed row.

use crate::attributes::{Attributes, attributes, said};
use crate::block::{array, array_or_nil, number, text, text_or_nil};
use crate::decline::Decline;
use crate::events::{Events, Token, parts, pass};
use crate::prolog::Prefixes;
use crate::sections::{
    IMAGE, IN_PAGE_MAP, LINK, MOBILE, NEWS, OF_PAGE_MAP, PAGE_MAP, PUBLICATION, Section, URL, namespaces,
};
use crate::text::{check_blank, check_text, is_plain_url, push_reference};
use crate::video::Video;

/// Images, videos or alternates of one page.
pub const PARTS: usize = 10_000;

const IN_PAGE_MAP_DEEP: usize = 10;

/// The leaves of a section; an empty string is what the document did not say.
pub struct Leaves {
    values: Vec<String>,
}

impl Leaves {
    #[must_use]
    pub fn of(section: &Section) -> Self {
        Self { values: vec![String::new(); section.leaves.len()] }
    }

    pub fn clear(&mut self) {
        self.values.iter_mut().for_each(String::clear);
    }

    #[must_use]
    pub fn get(&self, leaf: usize) -> &str {
        &self.values[leaf]
    }

    /// Where the value of a leaf goes.
    ///
    /// # Errors
    /// It has one already.
    pub fn empty(&mut self, leaf: usize) -> Result<&mut String, Decline> {
        let value = &mut self.values[leaf];
        if value.is_empty() { Ok(value) } else { Err(Decline::RepeatedField) }
    }

    pub fn pack(&self, into: &mut Vec<u8>) {
        self.values.iter().for_each(|value| text_or_nil(into, value));
    }
}

/// Several of a kind, packed one after the other.
#[derive(Default)]
pub struct Several {
    packed: Vec<u8>,
    count: usize,
}

impl Several {
    pub fn clear(&mut self) {
        self.packed.clear();
        self.count = 0;
    }

    /// Where the next one goes.
    ///
    /// # Errors
    /// There are too many.
    pub fn another(&mut self) -> Result<&mut Vec<u8>, Decline> {
        self.count += 1;
        if self.count > PARTS { Err(Decline::TooManyParts) } else { Ok(&mut self.packed) }
    }

    pub fn pack(&self, into: &mut Vec<u8>) {
        array(into, self.count);
        into.extend_from_slice(&self.packed);
    }
}

/// The page that is being read; its memory is used again for the next one.
pub struct Page {
    fields: Leaves,
    news: Leaves,
    has_news: bool,
    image: Leaves,
    images: Several,
    video: Video,
    videos: Several,
    alternates: Several,
}

impl Default for Page {
    fn default() -> Self {
        Self {
            fields: Leaves::of(&URL),
            news: Leaves::of(&NEWS),
            has_news: false,
            image: Leaves::of(&IMAGE),
            images: Several::default(),
            video: Video::default(),
            videos: Several::default(),
            alternates: Several::default(),
        }
    }
}

impl Page {
    /// Read the entry whose start tag was just read; gives its URL.
    ///
    /// # Errors
    /// Anything unusual in it.
    pub fn read(&mut self, events: &mut Events, prefixes: &Prefixes) -> Result<&str, Decline> {
        self.clear();
        loop {
            if let Some(leaf) = events.usual_start(URL.leaves) {
                events.value(URL.leaves[leaf], self.fields.empty(leaf)?)?;
                continue;
            }
            if let Some((language, address)) = events.usual_link() {
                self.alternate(language, address, prefixes)?;
                continue;
            }
            match events.following()? {
                Token::Start(tag) => self.element(events, tag, prefixes)?,
                Token::End(name) if name == URL.name => break,
                Token::Empty(tag) => self.empty_element(tag, prefixes)?,
                other => pass(other)?,
            }
        }
        let url = self.fields.get(0);
        if url.is_empty() {
            return Err(Decline::MissingLoc);
        }
        if is_plain_url(url) { Ok(url) } else { Err(Decline::Url) }
    }

    /// Images, videos, alternates and stories.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.images.count + self.videos.count + self.alternates.count + usize::from(self.has_news)
    }

    pub fn pack(&self, line: usize, into: &mut Vec<u8>) {
        let parts = self.parts() > 0;
        array(into, if parts { 9 } else { 5 });
        self.fields.pack(into);
        number(into, line);
        if parts {
            if self.has_news {
                array(into, NEWS.leaves.len());
                self.news.pack(into);
            } else {
                text_or_nil(into, "");
            }
            for several in [&self.images, &self.videos, &self.alternates] {
                array_or_nil(into, several.count, &several.packed);
            }
        }
    }

    fn clear(&mut self) {
        self.fields.clear();
        self.has_news = false;
        self.images.clear();
        self.videos.clear();
        self.alternates.clear();
    }

    fn element(&mut self, events: &mut Events, tag: &str, prefixes: &Prefixes) -> Result<(), Decline> {
        match tag {
            "image:image" if prefixes.image => self.image(events),
            "news:news" if prefixes.news => self.news(events),
            "video:video" if prefixes.video => {
                self.video.read(events)?;
                self.video.pack(self.videos.another()?);
                Ok(())
            }
            "image:image" | "news:news" | "video:video" => Err(Decline::Namespace),
            MOBILE if !prefixes.odd_mobile => events.nothing(MOBILE),
            _ => match parts(tag) {
                (LINK, attributes) => {
                    self.link(attributes, prefixes)?;
                    events.nothing(LINK)
                }
                (PAGE_MAP, attributes) => pass_page_map(events, attributes),
                (_, "") => Err(Decline::Element),
                _ => Err(Decline::Attributes),
            },
        }
    }

    fn empty_element(&mut self, tag: &str, prefixes: &Prefixes) -> Result<(), Decline> {
        if let Some(attributes) = tag.strip_prefix(LINK) {
            return self.link(attributes, prefixes);
        }
        match parts(tag) {
            (MOBILE, attributes) if !prefixes.odd_mobile && is_blank(attributes) => Ok(()),
            (name, attributes) if URL.leaves.contains(&name) && is_blank(attributes) => Ok(()),
            _ => Err(Decline::Element),
        }
    }

    fn link(&mut self, written: &str, prefixes: &Prefixes) -> Result<(), Decline> {
        match link(written)? {
            Some((language, address)) => self.alternate(language, address, prefixes),
            None if prefixes.xhtml => Ok(()), // the page for small screens, which is ignored
            None => Err(Decline::Namespace),
        }
    }

    fn alternate(&mut self, language: &str, address: &str, prefixes: &Prefixes) -> Result<(), Decline> {
        if !prefixes.xhtml {
            return Err(Decline::Namespace);
        }
        let (language, address) = (said(language)?, said(address)?);
        if language.is_empty() || !(address.starts_with("https://") || address.starts_with("http://")) {
            return Err(Decline::IncompletePart);
        }
        let alternate = self.alternates.another()?;
        array(alternate, 2);
        text(alternate, &language);
        text(alternate, &address);
        Ok(())
    }

    fn image(&mut self, events: &mut Events) -> Result<(), Decline> {
        self.image.clear();
        section(events, &IMAGE, &mut self.image, false)?;
        if self.image.get(0).is_empty() {
            return Err(Decline::IncompletePart);
        }
        if !is_plain_url(self.image.get(0)) {
            return Err(Decline::Url);
        }
        let image = self.images.another()?;
        array(image, IMAGE.leaves.len());
        self.image.pack(image);
        Ok(())
    }

    fn news(&mut self, events: &mut Events) -> Result<(), Decline> {
        if self.has_news {
            return Err(Decline::RepeatedField);
        }
        self.has_news = true;
        self.news.clear();
        section(events, &NEWS, &mut self.news, false)
    }
}

/// Language and address of a link; nothing if it is none to another language.
fn link(written: &str) -> Result<Option<(&str, &str)>, Decline> {
    const NAMES: [&str; 4] = ["rel", "hreflang", "href", "media"];
    let mut found = [None; NAMES.len()];
    for attribute in Attributes::of(written) {
        let (name, value) = attribute?;
        said(value)?;
        let place = NAMES.iter().position(|known| *known == name).ok_or(Decline::Attributes)?;
        if found[place].replace(value).is_some() {
            return Err(Decline::Attributes);
        }
    }
    match found {
        [Some(relation), ..] if relation != "alternate" => Err(Decline::Attributes),
        [_, Some(language), Some(address), _] => Ok(Some((language, address))),
        [_, None, _, Some(_)] => Ok(None),
        _ => Err(Decline::IncompletePart),
    }
}

/// Read the leaves of a section to its end, or to that of the group in it.
fn section(events: &mut Events, section_: &Section, leaves: &mut Leaves, in_group: bool) -> Result<(), Decline> {
    let end_name = if in_group { PUBLICATION } else { section_.name };
    loop {
        if let Some(leaf) = events.usual_start(section_.leaves) {
            events.value(section_.leaves[leaf], leaves.empty(leaf)?)?;
            continue;
        }
        match events.following()? {
            Token::Start(tag) => {
                if tag == PUBLICATION && section_.name == NEWS.name && !in_group {
                    section(events, section_, leaves, true)?;
                } else if section_.ignored.contains(&tag) {
                    events.value(tag, &mut String::new())?;
                } else {
                    return Err(Decline::Element);
                }
            }
            Token::Empty(tag) if section_.leaves.contains(&tag.trim_end()) => {}
            Token::End(name) if name == end_name => return Ok(()),
            other => pass(other)?,
        }
    }
}

/// Pass over a `PageMap`, which says in every entry that it is one.
fn pass_page_map(events: &mut Events, written: &str) -> Result<(), Decline> {
    if attributes(written)? != [("xmlns", namespaces::PAGE_MAP)] {
        return Err(Decline::Namespace);
    }
    let mut open = vec![PAGE_MAP];
    while let Some(name) = open.last() {
        match events.following()? {
            Token::Start(tag) if open.len() < IN_PAGE_MAP_DEEP => open.push(in_page_map(tag)?),
            Token::Empty(tag) => {
                in_page_map(tag)?;
            }
            Token::End(end) if end == *name => {
                open.pop();
            }
            Token::Text(text) => check_text(text)?,
            Token::Reference(reference) => push_reference(reference, &mut String::new())?,
            _ => return Err(Decline::Element),
        }
    }
    Ok(())
}

/// The name of a known element of a `PageMap` with known attributes.
fn in_page_map(tag: &str) -> Result<&str, Decline> {
    let (name, written) = parts(tag);
    for (attribute, value) in attributes(written)? {
        said(value)?;
        if !OF_PAGE_MAP.contains(&attribute) {
            return Err(Decline::Attributes);
        }
    }
    if IN_PAGE_MAP.contains(&name) { Ok(name) } else { Err(Decline::Element) }
}

fn is_blank(text: &str) -> bool {
    check_blank(text).is_ok()
}

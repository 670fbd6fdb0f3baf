//! The events of one stretch of text, and the values in it.

use memchr::{memchr, memchr_iter, memchr3};
use quick_xml::events::Event;
use quick_xml::reader::Reader;

use crate::decline::Decline;
use crate::text::{check_blank, check_section, push_reference, trimmed};

/// The longest reference that means something: ten digits and the sign of a number.
const LONGEST_REFERENCE: usize = 12;

/// What the tokenizer found, without the markup around it.
#[derive(Clone, Copy, Debug)]
pub enum Token<'t> {
    /// Name and attributes.
    Start(&'t str),
    /// Name and attributes of an element that ends at once.
    Empty(&'t str),
    End(&'t str),
    Text(&'t str),
    Reference(&'t str),
    Section(&'t str),
    Comment(&'t str),
    Instruction(&'t str),
    Declaration(&'t str),
    Doctype,
    Eof,
}

/// The tokens of one stretch of text.
///
/// Most of a sitemap is plain leaves, alternates and the blanks between elements: these are read straight from where the
/// tokenizer stands. What is written in any other way is left to it.
pub struct Events<'t> {
    text: &'t str,
    reader: Reader<&'t [u8]>,
    line: usize,
    /// Up to where line breaks were counted.
    counted: usize,
}

impl<'t> Events<'t> {
    /// The tokens of a text that begins on that line.
    #[must_use]
    pub fn new(text: &'t str, line: usize) -> Self {
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        // Every end is compared with what is open here; what was open before this stretch the reader does not know.
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        Self { text, reader, line, counted: 0 }
    }

    /// The next token behind blanks.
    ///
    /// # Errors
    /// What is no markup.
    #[inline]
    pub fn following(&mut self) -> Result<Token<'t>, Decline> {
        self.pass_blanks();
        self.token()
    }

    #[inline]
    fn pass_blanks(&mut self) {
        let rest = self.reader.get_mut();
        let blanks = rest.iter().position(|byte| !matches!(byte, b' ' | b'\n' | b'\t')).unwrap_or(rest.len());
        *rest = &rest[blanks..];
    }

    /// The next token, cut out of the text: to move the tokenizer's own events about costs half as much as they do.
    #[inline]
    fn token(&mut self) -> Result<Token<'t>, Decline> {
        let start = self.position();
        let event = self.reader.read_event();
        let end = self.position();
        let inner = |before: usize, after: usize| self.text.get(start + before..end - after).unwrap_or_default();
        Ok(match event {
            Ok(Event::Start(_)) => Token::Start(inner(1, 1)),
            Ok(Event::End(_)) => Token::End(inner(2, 1)),
            Ok(Event::Empty(_)) => Token::Empty(inner(1, 2)),
            Ok(Event::Text(_)) => Token::Text(inner(0, 0)),
            Ok(Event::GeneralRef(_)) => Token::Reference(inner(1, 1)),
            Ok(Event::CData(_)) => Token::Section(inner(9, 3)),
            Ok(Event::Comment(_)) => Token::Comment(inner(4, 3)),
            Ok(Event::PI(_)) => Token::Instruction(inner(2, 2)),
            Ok(Event::Decl(_)) => Token::Declaration(inner(2, 2)),
            Ok(Event::DocType(_)) => Token::Doctype,
            Ok(Event::Eof) => Token::Eof,
            Err(_) => return Err(Decline::Syntax),
        })
    }

    /// Bytes of the stretch that were read.
    #[inline]
    #[must_use]
    pub fn position(&self) -> usize {
        self.text.len() - self.reader.get_ref().len()
    }

    /// The line on which the tag begins that was read last, given its length without `<` and `>`.
    pub fn line_of_tag(&mut self, length: usize) -> usize {
        self.count(self.position() - length - 2)
    }

    /// The line on which the text ends.
    #[must_use]
    pub fn last_line(mut self) -> usize {
        self.count(self.text.len())
    }

    fn count(&mut self, position: usize) -> usize {
        self.line += memchr_iter(b'\n', &self.text.as_bytes()[self.counted..position]).count();
        self.counted = position;
        self.line
    }

    /// The value of the leaf whose start tag was just read, trimmed, into an empty string.
    ///
    /// # Errors
    /// Anything in it but text, references and CDATA sections.
    pub fn value(&mut self, name: &str, into: &mut String) -> Result<(), Decline> {
        loop {
            let rest = &self.text[self.position()..];
            let special = memchr3(b'<', b'&', b'>', rest.as_bytes()).ok_or(Decline::Syntax)?;
            let (text, markup) = rest.split_at(special);
            into.push_str(text);
            if let Some(tag) = markup.strip_prefix("</") {
                if !tag.strip_prefix(name).is_some_and(|tag| tag.starts_with('>')) {
                    return Err(Decline::Syntax);
                }
                self.advance(special + "</>".len() + name.len());
                trim(into);
                return Ok(());
            }
            if markup.starts_with('<') {
                self.advance(special);
                self.section(into)?;
            } else if let Some(reference) = markup.strip_prefix('&') {
                let length = reference.bytes().take(LONGEST_REFERENCE).position(|byte| byte == b';');
                let length = length.ok_or(Decline::Reference)?;
                push_reference(&reference[..length], into)?;
                self.advance(special + "&;".len() + length);
            } else if text.ends_with("]]") {
                return Err(Decline::Syntax);
            } else {
                into.push('>');
                self.advance(special + 1);
            }
        }
    }

    /// Which of these elements begins behind blanks, if one does, without attributes: then its start tag is read.
    #[inline]
    pub fn usual_start(&mut self, names: &[&str]) -> Option<usize> {
        self.pass_blanks();
        let tag = self.text[self.position()..].strip_prefix('<')?;
        let found = names.iter().position(|name| tag.strip_prefix(name).is_some_and(|rest| rest.starts_with('>')))?;
        self.advance("<>".len() + names[found].len());
        Some(found)
    }

    /// Language and address of a link as nearly every program writes it, if one begins behind blanks.
    #[inline]
    pub fn usual_link(&mut self) -> Option<(&'t str, &'t str)> {
        self.pass_blanks();
        let rest = &self.text[self.position()..];
        let written = rest.strip_prefix("<xhtml:link rel=\"alternate\" hreflang=\"")?;
        let (language, written) = split_at_quote(written)?;
        let (address, written) = split_at_quote(written.strip_prefix(" href=\"")?)?;
        let behind = written.strip_prefix(' ').unwrap_or(written).strip_prefix("/>")?;
        self.advance(rest.len() - behind.len());
        Some((language, address))
    }

    fn advance(&mut self, length: usize) {
        let rest = self.reader.get_mut();
        *rest = &rest[length..];
    }

    /// A CDATA section in a value: no other markup may stand there.
    fn section(&mut self, into: &mut String) -> Result<(), Decline> {
        match self.token()? {
            Token::Section(section) => {
                check_section(section)?;
                into.push_str(section);
                Ok(())
            }
            Token::Start(_) | Token::Empty(_) => Err(Decline::MarkupInValue),
            other => Err(misplaced(other)),
        }
    }

    /// The end of an element that holds nothing.
    ///
    /// # Errors
    /// It holds something.
    pub fn nothing(&mut self, name: &str) -> Result<(), Decline> {
        loop {
            match self.following()? {
                Token::Text(text) => check_blank(text)?,
                Token::End(end) if end == name => return Ok(()),
                other => return Err(misplaced(other)),
            }
        }
    }
}

/// Pass over what says nothing between elements.
///
/// # Errors
/// It says something, or is nothing of the kind.
#[inline]
pub fn pass(token: Token) -> Result<(), Decline> {
    match token {
        Token::Text(text) => check_blank(text),
        Token::Comment(comment) => check_comment(comment),
        Token::Instruction(instruction) => check_instruction(instruction),
        other => Err(misplaced(other)),
    }
}

/// Why a token is none that was expected.
fn misplaced(token: Token) -> Decline {
    match token {
        Token::Start(_) | Token::Empty(_) => Decline::Element,
        Token::Text(_) | Token::Reference(_) => Decline::StrayText,
        Token::Section(_) => Decline::Cdata,
        Token::Comment(_) => Decline::Comment,
        Token::Instruction(_) => Decline::Instruction,
        Token::Declaration(_) => Decline::Declaration,
        Token::Doctype => Decline::Doctype,
        Token::End(_) | Token::Eof => Decline::Syntax,
    }
}

/// The name of an element, and its attributes as written.
#[must_use]
pub fn parts(tag: &str) -> (&str, &str) {
    tag.split_at(tag.find([' ', '\t', '\n']).unwrap_or(tag.len()))
}

/// In comments the Python parser looks for entries, and decides by them whether they were closed.
fn check_comment(comment: &str) -> Result<(), Decline> {
    let ends_early = comment.starts_with('>') || comment.starts_with("->");
    if ends_early || comment.contains('<') { Err(Decline::Comment) } else { Ok(()) }
}

fn check_instruction(instruction: &str) -> Result<(), Decline> {
    let target = instruction.split([' ', '\t', '\n']).next().unwrap_or_default();
    let plain = target.starts_with(|c: char| c.is_ascii_alphabetic()) && !target.eq_ignore_ascii_case("xml");
    if plain && !instruction.contains(['<', '>']) { Ok(()) } else { Err(Decline::Instruction) }
}

fn split_at_quote(text: &str) -> Option<(&str, &str)> {
    let quote = memchr(b'"', text.as_bytes())?;
    Some((&text[..quote], &text[quote + 1..]))
}

fn trim(text: &mut String) {
    let trimmed = trimmed(text);
    if trimmed.len() < text.len() {
        *text = trimmed.to_owned();
    }
}

//! Attributes, read as strictly as expat does, and more strictly where that costs nothing.

use std::borrow::Cow;

use memchr::memchr;

use crate::decline::Decline;
use crate::text::{push_reference, trimmed};

/// More than any real element has.
const MOST: usize = 30;

/// The longest name; expat keeps every name that it ever met, and the Python parser bounds them.
const LONGEST_NAME: usize = 100;

/// The attributes of a tag, one after the other: names, and values as written.
///
/// Whoever takes them sees to it that each name is one, that none is repeated, and that each value can be `said`.
pub struct Attributes<'t> {
    rest: &'t str,
}

impl<'t> Attributes<'t> {
    /// Of what follows the name of an element.
    #[must_use]
    pub fn of(written: &'t str) -> Self {
        Self { rest: written }
    }

    #[inline]
    fn read(&mut self) -> Option<(&'t str, &'t str)> {
        let (start, rest) = (blanks(self.rest), self.rest);
        let bytes = rest.as_bytes();
        let equals = start + memchr(b'=', &bytes[start..])?;
        let quote = equals + 1 + blanks(&rest[equals + 1..]);
        let mark = *bytes.get(quote).filter(|byte| matches!(byte, b'"' | b'\''))?;
        let close = quote + 1 + memchr(mark, &bytes[quote + 1..])?;
        self.rest = &rest[close + 1..];
        (start > 0).then(|| (rest[start..equals].trim_end_matches(is_blank), &rest[quote + 1..close]))
    }
}

impl<'t> Iterator for Attributes<'t> {
    type Item = Result<(&'t str, &'t str), Decline>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let ended = blanks(self.rest) == self.rest.len();
        (!ended).then(|| self.read().ok_or(Decline::Attributes))
    }
}

/// All attributes of a tag.
///
/// # Errors
/// Whatever is not well-formed, repeated, or unusual.
pub fn attributes(written: &str) -> Result<Vec<(&str, &str)>, Decline> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    for attribute in Attributes::of(written) {
        let (name, value) = attribute?;
        let well_named = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.bytes().all(is_name_byte);
        if !well_named
            || name.len() > LONGEST_NAME
            || found.len() == MOST
            || found.iter().any(|(known, _)| *known == name)
        {
            return Err(Decline::Attributes);
        }
        found.push((name, value));
    }
    Ok(found)
}

/// What an attribute says: references decoded, white space trimmed.
///
/// # Errors
/// References that mean nothing, a `<`, and line breaks, which XML makes spaces of.
#[inline]
pub fn said(value: &str) -> Result<Cow<'_, str>, Decline> {
    let unusual = |byte: u8| byte < b' ' || byte == b'&' || byte == b'<';
    if value.bytes().fold(false, |met, byte| met | unusual(byte)) {
        decoded(value)
    } else {
        Ok(Cow::Borrowed(trimmed(value)))
    }
}

fn decoded(value: &str) -> Result<Cow<'_, str>, Decline> {
    if value.contains(['\n', '\t', '<']) {
        return Err(Decline::Attributes);
    }
    let mut said = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('&') {
        let (reference, after) = after.split_once(';').ok_or(Decline::Reference)?;
        said.push_str(before);
        push_reference(reference, &mut said)?;
        rest = after;
    }
    said.push_str(rest);
    Ok(Cow::Owned(trimmed(&said).to_owned()))
}

/// How many blanks a text begins with.
fn blanks(text: &str) -> usize {
    text.bytes().take_while(|byte| is_blank(char::from(*byte))).count()
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n')
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'_' | b'-' | b'.')
}

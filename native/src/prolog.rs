//! What stands before the first entry: the XML declaration, and the root with its namespaces.

use crate::attributes::attributes;
use crate::decline::Decline;
use crate::sections::namespaces;

/// Bytes in which the Python parser looks for a declaration of the charset.
const HEAD: usize = 1024;

/// The longest declaration: all of it is within the head, even if every line end and a byte order mark were longer there.
const LONGEST_DECLARATION: usize = HEAD / 2 - 4;

/// Labels of UTF-8 as sites write them, without punctuation; ASCII is part of it.
const UTF_8: [&str; 3] = ["utf8", "usascii", "ascii"];

/// What the root declares: whether each prefix means what it is defined to mean.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "one a prefix")]
pub struct Prefixes {
    pub news: bool,
    pub image: bool,
    pub video: bool,
    pub xhtml: bool,
    /// Declared as something that it is not.
    pub odd_mobile: bool,
}

/// Look at the XML declaration, given without `<?` and `?>`; whether it declares UTF-8.
///
/// # Errors
/// It is not written as the definition of XML has it, or declares another charset.
pub fn declares_utf_8(declaration: &str) -> Result<bool, Decline> {
    const NAMES: [&str; 3] = ["version", "encoding", "standalone"];
    let written = declaration.strip_prefix("xml").ok_or(Decline::Declaration)?;
    if declaration.len() > LONGEST_DECLARATION {
        return Err(Decline::Declaration);
    }
    let found = attributes(written).map_err(|_| Decline::Declaration)?;
    let places: Option<Vec<_>> = found.iter().map(|(name, _)| NAMES.iter().position(|known| known == name)).collect();
    if !places.is_some_and(|places| places.is_sorted() && places.first() == Some(&0)) {
        return Err(Decline::Declaration);
    }
    if found.iter().any(|(_, value)| value.contains(['&', '<', '>', '\'', '"', '='])) {
        return Err(Decline::Declaration);
    }
    let Some((_, label)) = found.iter().find(|(name, _)| *name == "encoding") else {
        return Ok(false);
    };
    let label: String = label.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    if UTF_8.contains(&label.as_str()) { Ok(true) } else { Err(Decline::Charset) }
}

/// Decline a second declaration where the Python parser would believe it: even in a value or a comment.
///
/// # Errors
/// There is one.
pub fn check_head(text: &[u8]) -> Result<(), Decline> {
    let head = &text[..text.len().min(HEAD)];
    let declaration = |place: usize| {
        let found = &head[place..];
        found.len() > 5 && found[..5].eq_ignore_ascii_case(b"<?xml") && found[5] != b'-'
    };
    if memchr::memchr_iter(b'<', head).any(|place| place > 0 && declaration(place)) {
        return Err(Decline::Declaration);
    }
    Ok(())
}

/// What the root declares.
///
/// # Errors
/// Its own namespace is not that of the protocol, or its attributes are not plain.
pub fn prefixes(raw: &str) -> Result<Prefixes, Decline> {
    let mut prefixes = Prefixes::default();
    let mut own = false;
    for (name, value) in attributes(raw)? {
        if value.contains(['&', '<']) {
            return Err(Decline::Attributes);
        }
        if !name.starts_with("xmlns") {
            continue;
        }
        match name {
            "xmlns" if value == namespaces::SITEMAP => own = true,
            "xmlns:news" => prefixes.news = value == namespaces::NEWS,
            "xmlns:image" => prefixes.image = value == namespaces::IMAGE,
            "xmlns:video" => prefixes.video = value == namespaces::VIDEO,
            "xmlns:xhtml" => prefixes.xhtml = value == namespaces::XHTML,
            "xmlns:mobile" => prefixes.odd_mobile = value != namespaces::MOBILE,
            other if other.starts_with("xmlns:") && !other.bytes().any(|byte| byte.is_ascii_uppercase()) => {}
            _ => return Err(Decline::Namespace),
        }
    }
    if own { Ok(prefixes) } else { Err(Decline::Namespace) }
}

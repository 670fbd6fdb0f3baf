//! What text means: references, CDATA sections, white space, URLs; as `usp.values.text` and `usp.formats.clean` have it.

use memchr::memmem;

use crate::decline::Decline;

/// Decline text between elements that is more than white space.
///
/// # Errors
/// There is some.
pub fn check_blank(text: &str) -> Result<(), Decline> {
    if text.bytes().all(|byte| matches!(byte, b' ' | b'\n' | b'\t')) { Ok(()) } else { Err(Decline::StrayText) }
}

/// Decline `]]>` in text, which XML forbids.
///
/// # Errors
/// It is there.
pub fn check_text(text: &str) -> Result<(), Decline> {
    if memchr::memchr(b'>', text.as_bytes()).is_some() && text.contains("]]>") { Err(Decline::Syntax) } else { Ok(()) }
}

/// Decline a CDATA section in which the Python parser would decode something, or which it would not take for one.
///
/// # Errors
/// It holds a reference or another section.
pub fn check_section(text: &str) -> Result<(), Decline> {
    let bytes = text.as_bytes();
    if memmem::find(bytes, b"<![CDATA[").is_some() {
        return Err(Decline::Cdata);
    }
    for ampersand in memchr::memchr_iter(b'&', bytes) {
        let name = bytes[ampersand + 1..].iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'#');
        if name.is_some_and(|length| length > 0 && bytes[ampersand + 1 + length] == b';') {
            return Err(Decline::Cdata);
        }
    }
    Ok(())
}

/// Add the character that a reference names, given without ampersand and semicolon.
///
/// # Errors
/// It is none of XML's own.
pub fn push_reference(reference: &str, into: &mut String) -> Result<(), Decline> {
    into.push(match reference {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => numbered(reference).ok_or(Decline::Reference)?,
    });
    Ok(())
}

/// The character of a numeric reference, if XML allows it.
fn numbered(reference: &str) -> Option<char> {
    let digits = reference.strip_prefix('#')?;
    let (digits, radix, longest) =
        digits.strip_prefix('x').map_or((digits, 10, 10), |hexadecimal| (hexadecimal, 16, 8));
    if digits.len() > longest || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let character = char::from_u32(u32::from_str_radix(digits, radix).ok()?)?;
    let allowed = matches!(character, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    allowed.then_some(character)
}

/// Whether this begins like a URL of a page. `HTTP_URL` of Python knows capitals too: they are left to it.
#[must_use]
pub fn is_plain_url(url: &str) -> bool {
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    host.and_then(|host| host.chars().next())
        .is_some_and(|first| !matches!(first, '/' | '?' | '#') && !first.is_whitespace())
}

/// A text without white space at its ends, of which most have none.
#[inline]
#[must_use]
pub fn trimmed(text: &str) -> &str {
    let solid = |byte: Option<&u8>| byte.is_some_and(|byte| (b'!'..=b'~').contains(byte));
    if solid(text.as_bytes().first()) && solid(text.as_bytes().last()) { text } else { text.trim() }
}

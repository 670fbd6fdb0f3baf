//! One video of a page.

use std::borrow::Cow;

use crate::attributes::{attributes, said};
use crate::block::{array, text, text_or_nil};
use crate::decline::Decline;
use crate::events::{Events, Token, parts, pass};
use crate::page::{Leaves, Several};
use crate::sections::{IGNORED_ATTRIBUTES, OF_PRICE, PRICE, TAG, VIDEO, WITH_ATTRIBUTE};

/// The video that is being read.
pub struct Video {
    leaves: Leaves,
    /// Of the leaves of `WITH_ATTRIBUTE`; None where there is no such leaf.
    kept: Vec<Option<String>>,
    tags: Several,
    prices: Several,
    value: String,
}

impl Default for Video {
    fn default() -> Self {
        Self {
            leaves: Leaves::of(&VIDEO),
            kept: vec![None; WITH_ATTRIBUTE.len()],
            tags: Several::default(),
            prices: Several::default(),
            value: String::new(),
        }
    }
}

impl Video {
    /// Read the video whose start tag was just read.
    ///
    /// # Errors
    /// Anything unusual in it.
    pub fn read(&mut self, events: &mut Events) -> Result<(), Decline> {
        self.leaves.clear();
        self.kept.fill(None);
        self.tags.clear();
        self.prices.clear();
        loop {
            match events.following()? {
                Token::Start(tag) => self.leaf(Some(events), tag)?,
                Token::Empty(tag) => self.leaf(None, tag)?,
                Token::End(name) if name == VIDEO.name => return Ok(()),
                other => pass(other)?,
            }
        }
    }

    pub fn pack(&self, into: &mut Vec<u8>) {
        array(into, VIDEO.leaves.len() + WITH_ATTRIBUTE.len() + 2);
        for (leaf, name) in VIDEO.leaves.iter().enumerate() {
            text_or_nil(into, self.leaves.get(leaf));
            if let Some(place) = WITH_ATTRIBUTE.iter().position(|(of, _)| of == name) {
                text_or_nil(into, self.kept[place].as_deref().unwrap_or_default());
            }
        }
        self.tags.pack(into);
        self.prices.pack(into);
    }

    /// A leaf; without events one that is empty.
    fn leaf(&mut self, events: Option<&mut Events>, tag: &str) -> Result<(), Decline> {
        let (name, written) = parts(tag);
        let given = given(written)?;
        let of = |attribute: &str| given.iter().find(|(name, _)| *name == attribute).map(|(_, value)| &**value);
        if let Some(leaf) = VIDEO.leaves.iter().position(|leaf| *leaf == name) {
            if let Some(place) = WITH_ATTRIBUTE.iter().position(|(leaf, _)| *leaf == name) {
                let attribute = of(WITH_ATTRIBUTE[place].1).unwrap_or_default().to_owned();
                if self.kept[place].replace(attribute).is_some() {
                    return Err(Decline::RepeatedField);
                }
            }
            let value = self.leaves.empty(leaf)?;
            return events.map_or(Ok(()), |events| events.value(name, value));
        }
        self.value.clear();
        if let Some(events) = events {
            events.value(name, &mut self.value)?;
        }
        match name {
            TAG if !self.value.is_empty() => text(self.tags.another()?, &self.value),
            PRICE if !self.value.is_empty() => {
                let price = self.prices.another()?;
                array(price, 1 + OF_PRICE.len());
                text(price, &self.value);
                for name in OF_PRICE {
                    text_or_nil(price, of(name).unwrap_or_default());
                }
            }
            TAG | PRICE => {}
            _ if VIDEO.ignored.contains(&name) => {}
            _ => return Err(Decline::Element),
        }
        Ok(())
    }
}

/// The attributes of a leaf, if each of them is known.
fn given(written: &str) -> Result<Vec<(&str, Cow<'_, str>)>, Decline> {
    let known = |name: &str| {
        OF_PRICE.contains(&name)
            || IGNORED_ATTRIBUTES.contains(&name)
            || WITH_ATTRIBUTE.iter().any(|(_, of)| *of == name)
    };
    let written = attributes(written)?;
    if written.iter().any(|(name, _)| !known(name)) {
        return Err(Decline::Attributes);
    }
    written.into_iter().map(|(name, value)| Ok((name, said(value)?))).collect()
}

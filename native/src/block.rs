//! Blocks of rows, as `docs/architecture.md` writes them down: `MessagePack` `[version, [row, ...]]`.

/// The version of the format; Python refuses another.
pub const VERSION: u8 = 1;

/// Rows in a block.
const ROWS: usize = 1000;

/// Images, videos and alternates in a block.
const PARTS: usize = 10_000;

/// Text of a document that may go into one block.
const TEXT: usize = 1024 * 1024;

/// Bytes of blocks that are held until they are handed over: those of an ordinary document come when all of it is read.
const HELD: usize = 4 * 1024 * 1024;

/// Bytes before the first row: two of the version, at most three for the number of rows.
const HEAD: usize = 5;

const NIL: u8 = 0xc0;

/// A packed block.
#[derive(Debug)]
pub struct Block {
    packed: Vec<u8>,
    start: usize,
    pub rows: usize,
}

impl Block {
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.packed[self.start..]
    }
}

/// Rows on their way into blocks.
#[derive(Default)]
pub struct Blocks {
    full: Vec<Block>,
    rows: usize,
    parts: usize,
    text: usize,
    packed: Vec<u8>,
    /// The length of the last block: the next one is about as long.
    last: usize,
}

impl Blocks {
    /// So much text is about to be read: rows that hold much of it must not wait for a full block.
    pub fn note_text(&mut self, length: usize) {
        self.text += length;
        if self.text > TEXT && self.rows > 0 {
            self.close();
        }
    }

    /// Where the next row goes.
    pub fn row(&mut self) -> &mut Vec<u8> {
        if self.packed.is_empty() {
            self.packed.reserve(self.last + self.last / 8);
            self.packed.resize(HEAD, 0);
        }
        &mut self.packed
    }

    /// A row was written, with so many parts.
    pub fn row_written(&mut self, parts: usize) {
        self.rows += 1;
        self.parts += parts;
        if self.rows == ROWS || self.parts >= PARTS {
            self.close();
        }
    }

    fn close(&mut self) {
        let mut head = vec![0x92, VERSION];
        array(&mut head, self.rows);
        let start = HEAD - head.len();
        self.packed[start..HEAD].copy_from_slice(&head);
        let packed = std::mem::take(&mut self.packed);
        self.last = packed.len();
        self.full.push(Block { packed, start, rows: self.rows });
        (self.rows, self.parts, self.text) = (0, 0, 0);
    }

    /// The blocks that are full, if they are worth to be handed over.
    pub fn take_full(&mut self) -> Vec<Block> {
        let held: usize = self.full.iter().map(|block| block.packed.len()).sum();
        if held > HELD { std::mem::take(&mut self.full) } else { Vec::new() }
    }

    /// All blocks that are left.
    #[must_use]
    pub fn finish(mut self) -> Vec<Block> {
        if self.rows > 0 {
            self.close();
        }
        self.full
    }
}

/// Begin an array of so many elements.
pub fn array(into: &mut Vec<u8>, length: usize) {
    match length {
        0..=15 => into.push(0x90 | low_byte(length)),
        16..=0xffff => sized::<2>(into, 0xdc, length),
        _ => sized::<4>(into, 0xdd, length),
    }
}

/// A string.
pub fn text(into: &mut Vec<u8>, text: &str) {
    let length = text.len();
    match length {
        0..=31 => into.push(0xa0 | low_byte(length)),
        32..=0xff => sized::<1>(into, 0xd9, length),
        0x100..=0xffff => sized::<2>(into, 0xda, length),
        _ => sized::<4>(into, 0xdb, length),
    }
    into.extend_from_slice(text.as_bytes());
}

/// A string, or nil for an empty one.
pub fn text_or_nil(into: &mut Vec<u8>, words: &str) {
    if words.is_empty() {
        into.push(NIL);
    } else {
        text(into, words);
    }
}

/// An array of which the elements are packed already, or nil for an empty one.
pub fn array_or_nil(into: &mut Vec<u8>, length: usize, elements: &[u8]) {
    if length == 0 {
        into.push(NIL);
    } else {
        array(into, length);
        into.extend_from_slice(elements);
    }
}

/// A number that is not negative.
pub fn number(into: &mut Vec<u8>, number: usize) {
    match number {
        0..=0x7f => into.push(low_byte(number)),
        0x80..=0xff => sized::<1>(into, 0xcc, number),
        0x100..=0xffff => sized::<2>(into, 0xcd, number),
        _ => sized::<4>(into, 0xce, number),
    }
}

/// A code, and the last bytes of a number, which fits.
fn sized<const WIDTH: usize>(into: &mut Vec<u8>, code: u8, number: usize) {
    let bytes = number.to_be_bytes();
    into.push(code);
    into.extend_from_slice(&bytes[bytes.len() - WIDTH..]);
}

fn low_byte(number: usize) -> u8 {
    number.to_le_bytes()[0]
}

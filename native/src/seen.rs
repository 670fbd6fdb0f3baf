//! Which URLs a document has already listed, by 64-bit hashes.
//!
//! A document that lists one twice is declined, so that two URLs that share a hash cost nothing but that. The hashes are
//! keyed anew for each document: no site can choose its URLs so that they collide.

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher};

use foldhash::fast::RandomState;

#[derive(Default)]
pub struct Seen {
    keys: RandomState,
    hashes: HashSet<u64, BuildHasherDefault<Hashed>>,
}

impl Seen {
    /// Remember a URL; whether it is new.
    pub fn add(&mut self, url: &str) -> bool {
        self.hashes.insert(self.keys.hash_one(url))
    }
}

/// Gives back the hash that it is given.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

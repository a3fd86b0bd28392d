//! Storages, and which of them may be one.

/// Where a storage comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An argument's; its name, where the function declares one.
    Argument(Option<String>),
    /// Made by the operation of this number.
    Made(usize),
}

/// A storage.
#[derive(Clone, Debug)]
pub struct Storage {
    /// Where it comes from.
    pub origin: Origin,
    /// How often it was written.
    pub version: usize,
}

impl Storage {
    /// Whether two storages, each by its own number, may be one: two of arguments, unless both are named.
    pub fn may_be(&self, other: &Storage) -> bool {
        match (&self.origin, &other.origin) {
            (Origin::Argument(a), Origin::Argument(b)) => a.is_none() || b.is_none(),
            _ => false,
        }
    }
}

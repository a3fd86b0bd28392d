//! What was found on a path of calls.

use super::Fake;
use rustc_hash::FxHashMap;
use terrace_size::Size;

/// What is known of the values of a function, on a path.
#[derive(Clone, Debug, Default)]
pub(super) struct Found<'c> {
    pub fakes: FxHashMap<usize, Fake<'c>>,
    pub numbers: FxHashMap<usize, Size>,
}

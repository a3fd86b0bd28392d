//! What the launches of kernels say of the memory of their arguments.

use melior::ir::ValueLike;
use std::collections::{HashMap, HashSet};
use terrace_dialects::{analysis::memory::Memory, ir::shaped::Shaped, ops::kernel};

/// Buffers of a launch beyond which nothing is looked for: pairs are as many as their square.
const BUFFERS: usize = 64;

/// For each kernel that is launched, by its name, the pairs of arguments that share no memory in any launch,
/// the smaller number first.
pub(crate) struct Disjoint(HashMap<String, HashSet<(usize, usize)>>);

impl Disjoint {
    /// What these launches say.
    pub fn of<'c: 'a, 'a>(launches: impl IntoIterator<Item = kernel::LaunchOp<'c, 'a>>) -> Self {
        let mut known: HashMap<String, HashSet<(usize, usize)>> = HashMap::new();
        for launch in launches {
            let arguments = launch.arguments().into_iter().enumerate();
            let buffers =
                arguments.filter(|(_, v)| Shaped::of(v.r#type()).is_some_and(|shaped| shaped.buffer));
            let memories: Vec<_> = buffers.map(|(i, v)| (i, Memory::of(v))).collect();
            let mut pairs = HashSet::new();
            for (n, (i, first)) in memories.iter().enumerate().filter(|_| memories.len() <= BUFFERS) {
                let disjoint =
                    memories[n + 1..].iter().filter(|(_, second)| first.is_disjoint(second, false));
                pairs.extend(disjoint.map(|(j, _)| (*i, *j)));
            }
            let kernel = launch.callee();
            match known.get_mut(&kernel) {
                Some(all) => all.retain(|pair| pairs.contains(pair)),
                None => drop(known.insert(kernel, pairs)),
            }
        }
        Self(known)
    }

    /// The pairs of a kernel: none of one that nobody launches here.
    pub fn pairs(&self, kernel: &str) -> HashSet<(usize, usize)> {
        self.0.get(kernel).cloned().unwrap_or_default()
    }
}

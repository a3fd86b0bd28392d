//! Contexts by reference.
//!
//! melior's `ContextRef::to_ref` promises a reference that lives as long as the context, but points at the
//! `ContextRef` that it is called on, mostly a temporary. [`of`] gives one that keeps the promise.

use melior::{Context, ContextRef};
use std::sync::RwLock;

/// The context of an operation, a location, a type, as a reference that may be kept.
pub fn of<'c>(context: ContextRef<'c>) -> &'c Context {
    /// Raw contexts, each with the address of a `ContextRef` that is never freed: a word a context.
    static KNOWN: RwLock<Vec<(usize, usize)>> = RwLock::new(Vec::new());
    // SAFETY: `context` lives to the end of this function.
    let raw = unsafe { context.to_ref() }.to_raw();
    let key = raw.ptr as usize;
    let find = |known: &[(usize, usize)]| known.iter().find(|(k, _)| *k == key).map(|(_, address)| *address);
    let found = find(&KNOWN.read().unwrap_or_else(|e| e.into_inner()));
    let address = found.unwrap_or_else(|| {
        let mut known = KNOWN.write().unwrap_or_else(|e| e.into_inner());
        find(&known).unwrap_or_else(|| {
            // SAFETY: the raw context is live for 'c; beyond it the entry is only used for a context at the
            // same address.
            let kept: &ContextRef = Box::leak(Box::new(unsafe { ContextRef::from_raw(raw) }));
            let address = kept as *const ContextRef as usize;
            known.push((key, address));
            address
        })
    });
    // SAFETY: the address of a `ContextRef` of this context, which is never freed.
    unsafe { (*(address as *const ContextRef<'c>)).to_ref() }
}

#[cfg(test)]
mod tests {
    use super::of;
    use melior::{Context, ContextRef, ir::Location};

    fn kept<'c>(context: ContextRef<'c>) -> &'c Context {
        of(context)
    }

    #[test]
    fn a_reference_outlives_the_temporary_that_it_came_from() {
        let (one, other) = (Context::new(), Context::new());
        let [a, b, c] = [&one, &other, &one].map(|context| kept(Location::unknown(context).context()));
        assert!(*a == one && *b == other && *a != other);
        assert!(std::ptr::eq(a, c));
    }
}

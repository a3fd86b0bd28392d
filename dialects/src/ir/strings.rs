//! Strings as they cross from C++.

use mlir_sys::MlirStringRef;
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

/// The text behind a string reference. Bytes that are no UTF-8 stand as U+FFFD and their number, so that
/// other bytes are another text.
///
/// # Safety
/// The reference must be valid for `'a`.
pub unsafe fn text<'a>(s: MlirStringRef) -> &'a str {
    // An empty string may be nowhere.
    if s.length == 0 {
        return "";
    }
    // SAFETY: the caller's.
    let bytes = unsafe { std::slice::from_raw_parts(s.data.cast::<u8>(), s.length) };
    std::str::from_utf8(bytes).unwrap_or_else(|_| escaped(bytes))
}

/// Bytes that are no UTF-8 as a text, each kind once.
fn escaped(bytes: &[u8]) -> &'static str {
    static KNOWN: Mutex<BTreeMap<Vec<u8>, &'static str>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(bytes.to_vec()).or_insert_with(|| {
        let part = |chunk: std::str::Utf8Chunk| {
            let bad = chunk.invalid().iter().map(|byte| format!("\u{FFFD}{byte:02X}")).collect::<String>();
            format!("{}{bad}", chunk.valid())
        };
        bytes.utf8_chunks().map(part).collect::<String>().leak()
    })
}

/// A reference to a string, as the C interface takes it.
pub fn string_ref(s: &str) -> MlirStringRef {
    MlirStringRef { data: s.as_ptr().cast(), length: s.len() }
}

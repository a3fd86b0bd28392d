//! Locations as texts: where in the user's files something stands.

use melior::{StringRef, ir::Location};
use mlir_sys::*;

/// `file:line:column` of a location. What was inlined is where it was written, what stands for several
/// operations where the first of them was, and a name where it names no place. None where nothing is known.
pub fn place(location: Location) -> Option<String> {
    of(location.to_raw())
}

/// The same, or that it is not known.
pub fn text(location: Location) -> String {
    place(location).unwrap_or_else(|| "unknown".into())
}

fn of(raw: MlirLocation) -> Option<String> {
    let text_of = |raw| {
        // SAFETY: a string of the context.
        unsafe { StringRef::from_raw(raw) }.as_str().unwrap_or("?").to_owned()
    };
    // SAFETY: the location is live; the accessors are asked of the kind of location that has them.
    unsafe {
        if mlirLocationIsAFileLineColRange(raw) {
            let file = text_of(mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(raw)));
            let line = mlirLocationFileLineColRangeGetStartLine(raw);
            return Some(format!("{file}:{line}:{}", mlirLocationFileLineColRangeGetStartColumn(raw)));
        }
        if mlirLocationIsACallSite(raw) {
            return of(mlirLocationCallSiteGetCallee(raw)).or_else(|| of(mlirLocationCallSiteGetCaller(raw)));
        }
        if mlirLocationIsAName(raw) {
            let name = || text_of(mlirIdentifierStr(mlirLocationNameGetName(raw)));
            return of(mlirLocationNameGetChildLoc(raw)).or_else(|| Some(name()));
        }
        if mlirLocationIsAFused(raw) {
            let mut all = vec![raw; mlirLocationFusedGetNumLocations(raw) as usize];
            mlirLocationFusedGetLocations(raw, all.as_mut_ptr());
            return all.into_iter().find_map(of);
        }
        None
    }
}

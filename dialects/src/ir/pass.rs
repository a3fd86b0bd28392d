//! Passes: declared in a Passes.td, their bodies Rust functions.
//!
//! A crate with a Passes.td registers its table with [`register`]; the bridge asks `run`.

pub use super::failure::Failure;
use super::{
    OperationLike, diagnostics,
    refusal::INTERNAL,
    strings::{string_ref, text},
};
use melior::{
    ir::{Module, OperationRef},
    pass::PassManager,
};
use mlir_sys::{
    MlirOperation, MlirPassManager, MlirStringRef, mlirCreateConversionLiftControlFlowToSCFPass,
    mlirPassManagerAddOwnedPass, mlirPassManagerCreateOnOperation, mlirPassManagerDestroy,
    mlirPassManagerRunOnOp,
};
use std::{
    ffi::c_void,
    sync::{
        RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

type Fails = unsafe extern "C" fn(MlirStringRef, MlirOperation, bool, *mut c_void);

unsafe extern "C" {
    fn terrace_watch_passes(manager: MlirPassManager, fails: Fails, out: *mut c_void);
    fn terrace_register_pipeline(name: MlirStringRef, description: MlirStringRef, passes: MlirStringRef);
}

pub use mlir_sys::MlirPass;

/// Why a pipeline did not come to its end; a diagnostic says what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// A pass refuses the program: it says why at an operation (see [`crate::ir::refusal::Reason`]).
    Refused,
    /// A pass panicked, left what is not valid, or is one of upstream's and fails: a mistake of ours.
    Internal,
}

/// The body of a pass: the operation it runs on, and the pass in textual form, `name{option=value ...}`.
pub type PassFn = fn(OperationRef, &str) -> Result<(), Failure>;

static PASSES: RwLock<Vec<(&'static str, PassFn)>> = RwLock::new(Vec::new());

/// Adds passes to those that the bridge can run.
pub fn register(passes: &[(&'static str, PassFn)]) {
    PASSES.write().expect("no panic holds the lock").extend_from_slice(passes);
}

/// Whether a pass is one of those that were added, by its argument.
pub fn is_registered(argument: &str) -> bool {
    PASSES.read().expect("no panic holds the lock").iter().any(|pass| pass.0 == argument)
}

/// Runs a pass by its argument, once per operation that it is run on.
pub(crate) fn run(argument: &str, text: &str, op: OperationRef) -> Result<(), Failure> {
    let found = PASSES.read().expect("no panic holds the lock").iter().find(|p| p.0 == argument).map(|p| p.1);
    found.ok_or_else(|| Failure::Message("is not registered with the bridge".into()))?(op, text)
}

/// Gives a name to a pipeline in MLIR's notation, as `--NAME` of `terrace-opt` and inside `--pass-pipeline`.
pub fn register_pipeline(name: &str, description: &str, passes: &str) {
    // SAFETY: the strings are read during the call; C++ copies them.
    unsafe { terrace_register_pipeline(string_ref(name), string_ref(description), string_ref(passes)) }
}

unsafe extern "C" fn fails(argument: MlirStringRef, op: MlirOperation, panics: bool, out: *mut c_void) {
    // SAFETY: `run_passes` hands over a flag that outlives the passes.
    let (argument, failed) = unsafe { (text(argument), &*out.cast::<AtomicBool>()) };
    failed.store(true, Ordering::Relaxed);
    if !panics {
        let what = "it fails, or what it made is not valid";
        let message = format!("{INTERNAL} in {argument}: {what}; please report it");
        // SAFETY: the operation is the one that the pass ran on.
        diagnostics::emit(unsafe { OperationRef::from_raw(op) }.location(), &message);
    }
}

/// Runs the passes of a manager on a module.
///
/// # Errors
/// One of ours refuses it, or there is a mistake of ours; a diagnostic has said so.
pub fn run_passes(manager: PassManager, module: &mut Module) -> Result<(), Failed> {
    let internal = AtomicBool::new(false);
    // SAFETY: the flag lives until the passes have run, and the manager, which points to it, ends here.
    unsafe {
        terrace_watch_passes(manager.to_raw(), fails, (&raw const internal).cast_mut().cast());
        let done = mlirPassManagerRunOnOp(manager.to_raw(), module.as_operation().to_raw());
        match done.value {
            0 if internal.load(Ordering::Relaxed) => Err(Failed::Internal),
            0 => Err(Failed::Refused),
            _ => Ok(()),
        }
    }
}

/// The options of a pass, out of its textual form.
///
/// ```
/// use terrace_dialects::ir::pass::Options;
/// let options = Options::new("tile{sizes=4,8 name={a b} fast=true}").unwrap();
/// assert_eq!(options.ints("sizes").unwrap(), [4, 8]);
/// assert_eq!(options.string("name").unwrap(), "a b");
/// assert!(options.bool("fast").unwrap());
/// ```
pub struct Options<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Options<'a> {
    /// Splits `name{a=1 b={x y} c=2,3}` into its options.
    pub fn new(text: &'a str) -> Result<Self, Failure> {
        let mut options = vec![];
        let inner = text.split_once('{').and_then(|(_, rest)| rest.strip_suffix('}')).unwrap_or("");
        let mut rest = inner.trim();
        while !rest.is_empty() {
            let (key, after) =
                rest.split_once('=').ok_or_else(|| format!("option without a value: '{rest}'"))?;
            let end = value_end(after);
            options.push((key.trim(), unquote(&after[..end])));
            rest = after[end..].trim_start();
        }
        Ok(Self(options))
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|o| o.0 == name).map(|o| o.1)
    }

    fn parse<T: std::str::FromStr + Default>(&self, name: &str) -> Result<T, Failure> {
        match self.get(name) {
            None => Ok(T::default()),
            Some(v) => {
                v.parse().map_err(|_| Failure::Message(format!("option '{name}' has the value '{v}'")))
            }
        }
    }

    /// A flag.
    pub fn bool(&self, name: &str) -> Result<bool, Failure> {
        match self.get(name) {
            Some("1") => Ok(true),
            Some("0") => Ok(false),
            _ => self.parse(name),
        }
    }

    /// An integer.
    pub fn int(&self, name: &str) -> Result<i64, Failure> {
        self.parse(name)
    }

    /// A float.
    pub fn float(&self, name: &str) -> Result<f64, Failure> {
        self.parse(name)
    }

    /// A string.
    pub fn string(&self, name: &str) -> Result<String, Failure> {
        Ok(self.get(name).unwrap_or("").to_string())
    }

    /// A list of strings.
    pub fn strings(&self, name: &str) -> Result<Vec<String>, Failure> {
        Ok(self
            .get(name)
            .unwrap_or("")
            .split(',')
            .filter(|s| !s.is_empty())
            .map(|s| s.trim().to_string())
            .collect())
    }

    /// A list of integers.
    pub fn ints(&self, name: &str) -> Result<Vec<i64>, Failure> {
        self.strings(name)?
            .iter()
            .map(|v| v.parse().map_err(|_| Failure::Message(format!("option '{name}' has the entry '{v}'"))))
            .collect()
    }
}

/// The end of a value: at the first space outside braces and quotes.
fn value_end(text: &str) -> usize {
    let (mut depth, mut quote) = (0, None);
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(q), _) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => depth -= 1,
            (None, c) if c.is_whitespace() && depth == 0 => return i,
            _ => {}
        }
    }
    text.len()
}

fn unquote(value: &str) -> &str {
    let pairs = [('{', '}'), ('\'', '\''), ('"', '"')];
    pairs.iter().find_map(|(open, close)| value.strip_prefix(*open)?.strip_suffix(*close)).unwrap_or(value)
}

/// Runs upstream's pass that turns blocks and branches into operations of `scf`, on one function.
///
/// # Errors
/// It refused, and has said why.
pub fn lift_control_flow(function: OperationRef) -> Result<(), Failure> {
    // SAFETY: the pass manager owns the pass and is destroyed here; the pass changes nothing outside of the
    // function.
    let result = unsafe {
        let context = super::context::of(function.context()).to_raw();
        let manager = mlirPassManagerCreateOnOperation(context, string_ref("func.func"));
        mlirPassManagerAddOwnedPass(manager, mlirCreateConversionLiftControlFlowToSCFPass());
        let result = mlirPassManagerRunOnOp(manager, function.to_raw());
        mlirPassManagerDestroy(manager);
        result
    };
    if result.value == 0 { Err(Failure::Reported) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn a_list_in_last_place_is_whole() {
        let options = Options::new("p{a=1 sizes=2,3}").ok().unwrap();
        assert_eq!(options.ints("sizes").ok().unwrap(), [2, 3]);
        assert_eq!(options.int("a").ok().unwrap(), 1);
        assert_eq!(options.string("absent").ok().unwrap(), "");
    }

    #[test]
    fn no_options() {
        assert!(Options::new("p").is_ok());
        assert!(Options::new("p{}").is_ok());
        assert!(Options::new("p{a}").is_err());
    }
}

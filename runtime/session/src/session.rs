//! Programs as they are written, and the variants that are compiled of them.
//!
//! A call takes the variant of its [`Signature`], the one that was called last first. Where there is none the
//! function is compiled for it; calls of other variants go on meanwhile, and a second call of the same
//! signature waits for the first.

use crate::{
    Diagnostic, Error, Variant,
    diagnostics::listening,
    entry::Entry,
    lower::{self, GpuCompiled},
    options::{Fallback, OpenSizes, Options},
    signature::{Details, Pattern, Signature},
    specialize::{copy, specialize},
    variant::offsets,
};
use melior::{Context, ir::Module};
use rustc_hash::FxHashMap;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock},
    time::Instant,
};
use terrace_dialects::ir::diagnostics::emit_op_warning;
use terrace_interpreter::{Interpreter, semantics::random};
use terrace_lowering::pipeline;
use terrace_tensor::{Tensor, Value};

/// A way to run programs.
pub struct Session<'c, 'o> {
    context: &'c Context,
    options: Options<'o>,
    /// One at a time asks MLIR for something.
    compiling: Mutex<()>,
    /// The generator, by its seed and how many operations have drawn since; calls that draw take turns.
    generator: Mutex<(u64, u64)>,
}

/// A module as it was written, and what was compiled of it.
pub struct Program<'c, 's> {
    session: &'s Session<'c, 's>,
    module: Module<'c>,
    /// What of a call its signatures have.
    details: Details,
    functions: RwLock<FxHashMap<String, Function>>,
}

// SAFETY: the module is read and copied under the lock of the session alone.
unsafe impl Send for Program<'_, '_> {}
// SAFETY: as above; `functions` is behind a lock.
unsafe impl Sync for Program<'_, '_> {}

/// What is known of a function.
#[derive(Default)]
struct Function {
    /// The one that was called last comes last.
    variants: Vec<Arc<Variant>>,
    /// What was refused, and why.
    refused: HashMap<Signature, Vec<Diagnostic>>,
    /// Which sizes were open where that was refused.
    closed: Vec<Vec<Vec<bool>>>,
    /// Whether a warning has said that the reference runs it.
    warned: bool,
}

/// Whether an error leaves another way open.
fn is_refusal(error: &Error) -> bool {
    matches!(error, Error::Refused(_) | Error::Guard { .. })
}

impl<'c, 'o> Session<'c, 'o> {
    /// A session that compiles in a context, which has our dialects ([`crate::context`]).
    pub fn new(context: &'c Context, options: Options<'o>) -> Self {
        Session { context, options, compiling: Mutex::default(), generator: Mutex::default() }
    }

    /// Starts the generator anew that calls draw from.
    pub fn manual_seed(&self, seed: u64) {
        *self.generator() = (seed, 0);
    }

    /// The state of the generator: its seed, and how many operations have drawn since.
    pub fn generator_state(&self) -> (u64, u64) {
        *self.generator()
    }

    /// The generator, for one call.
    pub(crate) fn generator(&self) -> MutexGuard<'_, (u64, u64)> {
        self.generator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The options.
    pub fn options(&self) -> &Options<'o> {
        &self.options
    }
}

impl<'c, 's> Session<'c, 's> {
    /// A program of this session.
    pub fn program(&'s self, module: Module<'c>) -> Program<'c, 's> {
        let details = Details::of(&module, self.options.gpu.is_some());
        Program { session: self, module, details, functions: RwLock::default() }
    }
}

impl<'c> Program<'c, '_> {
    /// The module as it was written.
    pub fn module(&self) -> &Module<'c> {
        &self.module
    }

    /// Calls a function; tensors among the arguments are written in place.
    ///
    /// # Errors
    /// The arguments do not fit it, it is refused, or what it computes is an error.
    pub fn call(&self, entry: &str, arguments: &[Value]) -> Result<Vec<Value>, Error> {
        let why = match self.with_variant(entry, arguments, |variant| variant.call(self.session, arguments)) {
            Err(Error::Refused(why)) => why,
            Err(Error::Guard { entry, text }) if self.session.options.fallback == Fallback::Reference => {
                vec![self.diagnostic(&entry, text)]
            }
            done => return done,
        };
        match self.session.options.fallback {
            Fallback::Never => Err(Error::Refused(why)),
            Fallback::Reference => {
                self.warn(entry, &why);
                self.reference(entry, arguments)
            }
        }
    }

    /// Calls a function, and puts its results into tensors of the caller's: of their dtypes and sizes,
    /// wherever they lie.
    ///
    /// # Errors
    /// As [`Program::call`]; a result that does not fit, which is an error of the argument that it is no
    /// argument for.
    pub fn call_into(&self, entry: &str, arguments: &[Value], into: &[Tensor]) -> Result<(), Error> {
        let results = self.call(entry, arguments)?;
        let wrong = |why: String| Error::Argument {
            location: Entry::find(&self.module, Some(entry)).map(Entry::location).unwrap_or_default(),
            entry: entry.to_owned(),
            why,
        };
        if results.len() != into.len() {
            return Err(wrong(format!(
                "gives {} results, got {} tensors for them",
                results.len(),
                into.len()
            )));
        }
        let fit = |(number, (result, into)): (usize, (&Value, &Tensor))| match result {
            Value::Tensor(own) if (own.dtype(), own.sizes()) != (into.dtype(), into.sizes()) => {
                Err(wrong(format!(
                    "result {number} is {}{:?}, and goes into no {}{:?}",
                    own.dtype(),
                    own.sizes(),
                    into.dtype(),
                    into.sizes()
                )))
            }
            Value::Scalar(_) => Err(wrong(format!("result {number} is a number, and goes into no tensor"))),
            Value::Tensor(_) => Ok(()),
        };
        results.iter().zip(into).enumerate().try_for_each(fit)?;
        for (result, into) in results.iter().zip(into) {
            if let Value::Tensor(result) = result {
                into.put(result);
            }
        }
        Ok(())
    }

    /// The variant that a call takes, compiled where there is none.
    ///
    /// # Errors
    /// The arguments do not fit the function, or it is refused.
    pub fn variant(&self, entry: &str, arguments: &[Value]) -> Result<Arc<Variant>, Error> {
        self.with_variant(entry, arguments, |variant| Ok(variant.clone()))
    }

    /// Does something with the variant of a call: first one for all numbers, and where there is none, or a
    /// guard refuses it, the one for those of the call.
    fn with_variant<T>(
        &self,
        entry: &str,
        arguments: &[Value],
        work: impl Fn(&Arc<Variant>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        // Usually a call is like one before; a guard may still refuse it.
        if let Some(known) = self.taking(entry, arguments) {
            match work(&known) {
                Err(Error::Guard { text, .. }) => {
                    self.explain(|| {
                        format!("@{entry}: the code for {} refuses the call: {text}", known.pattern())
                    });
                }
                done => return done,
            }
        }
        let signature = self.signature(arguments, false);
        match self.without_numbers(entry, arguments, &signature, &work) {
            Err(why) if is_refusal(&why) && signature.has_numbers() => {
                let signature = self.signature(arguments, true);
                let second = self.exact(entry, arguments, &signature).and_then(|variant| work(&variant));
                second.map_err(|error| if is_refusal(&error) { why } else { error })
            }
            done => done,
        }
    }

    /// The same with variants for all numbers: the one of the signature, one of open sizes that accepts it,
    /// or a new one. That has open sizes where calls before had others, unless it is refused, or its guards
    /// refuse the call: then it is for this signature.
    fn without_numbers<T>(
        &self,
        entry: &str,
        arguments: &[Value],
        signature: &Signature,
        work: &impl Fn(&Arc<Variant>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if let Some(known) = self.known(entry, signature) {
            return known.and_then(|variant| work(&variant));
        }
        let made = self.variant_of(entry, arguments, signature)?;
        match work(&made) {
            Err(Error::Guard { .. }) if !made.pattern().is_exact() => {
                self.exact(entry, arguments, signature).and_then(|variant| work(&variant))
            }
            done => done,
        }
    }

    /// The variant of a signature, compiled where there is none.
    fn exact(&self, entry: &str, arguments: &[Value], signature: &Signature) -> Result<Arc<Variant>, Error> {
        if let Some(known) = self.known(entry, signature) {
            return known;
        }
        let _lock = self.session.compiling.lock().unwrap_or_else(PoisonError::into_inner);
        self.exactly(entry, arguments, signature)
    }

    /// The same for who has the lock: who had it before may have compiled it.
    fn exactly(
        &self,
        entry: &str,
        arguments: &[Value],
        signature: &Signature,
    ) -> Result<Arc<Variant>, Error> {
        match self.known(entry, signature) {
            Some(known) => known,
            None => {
                let made = self.compile(entry, arguments, Pattern::exactly(signature.clone()));
                if let Err(Error::Refused(why)) = &made {
                    self.change(entry, |function| {
                        // What is kept of programs that are called with ever new tensors has an end.
                        if function.refused.len() >= self.session.options.variants {
                            function.refused.clear();
                        }
                        function.refused.insert(signature.clone(), why.clone());
                    });
                }
                made
            }
        }
    }

    /// A variant of open sizes that accepts a call, compiled where calls before had other sizes; else the one
    /// of the signature. Both are decided under one lock, so that of calls that come at once the first is
    /// compiled for its sizes, and the second sees that.
    fn variant_of(
        &self,
        entry: &str,
        arguments: &[Value],
        signature: &Signature,
    ) -> Result<Arc<Variant>, Error> {
        let find = |function: &Function| {
            let mut variants = function.variants.iter().rev();
            variants.find(|own| !own.pattern().is_exact() && own.pattern().accepts(signature)).cloned()
        };
        if let Some(known) = self.functions().get(entry).and_then(find) {
            return Ok(known);
        }
        let _lock = self.session.compiling.lock().unwrap_or_else(PoisonError::into_inner);
        let pattern = {
            let functions = self.functions();
            let function = functions.get(entry);
            if let Some(known) = function.and_then(find) {
                return Ok(known);
            }
            let before = function.iter().flat_map(|function| &function.variants);
            let before: Vec<&Pattern> = before.map(|own| own.pattern()).collect();
            let opened = match self.session.options.open_sizes {
                OpenSizes::Differing => Pattern::opened(signature, &before),
                OpenSizes::Declared if before.is_empty() => {
                    let found = Entry::find(&self.module, Some(entry)).map_err(Error::Entry)?;
                    Pattern::opened_by(signature, |i, d, _| found.leaves_open(i, d))
                }
                OpenSizes::Declared => Pattern::opened(signature, &before),
                OpenSizes::All => Pattern::opened_by(signature, |_, _, size| size > 1),
            };
            opened.filter(|opened| !function.is_some_and(|own| own.closed.contains(&opened.open)))
        };
        let Some(pattern) = pattern else { return self.exactly(entry, arguments, signature) };
        match self.compile(entry, arguments, pattern.clone()) {
            // The variant for this signature says why.
            Err(Error::Refused(_)) => {
                self.change(entry, |function| function.closed.push(pattern.open));
                self.exactly(entry, arguments, signature)
            }
            made => made,
        }
    }

    /// How many variants of a function there are.
    pub fn variants(&self, entry: &str) -> usize {
        self.functions().get(entry).map_or(0, |function| function.variants.len())
    }

    /// Whether a function was refused with open sizes.
    pub fn closed(&self, entry: &str) -> bool {
        self.functions().get(entry).is_some_and(|function| !function.closed.is_empty())
    }

    fn functions(&self) -> std::sync::RwLockReadGuard<'_, FxHashMap<String, Function>> {
        self.functions.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The variant that was called last of those that take a call.
    fn taking(&self, entry: &str, arguments: &[Value]) -> Option<Arc<Variant>> {
        let functions = self.functions();
        let variants = &functions.get(entry)?.variants;
        let at = variants.iter().rposition(|variant| variant.pattern().takes(arguments))?;
        let (found, last) = (variants[at].clone(), at + 1 == variants.len());
        drop(functions);
        if !last {
            self.called(entry, &found);
        }
        Some(found)
    }

    /// Moves a variant to where the last one that was called is.
    fn called(&self, entry: &str, variant: &Arc<Variant>) {
        self.change(entry, |function| {
            let variants = &mut function.variants;
            if let Some(at) = variants.iter().position(|other| Arc::ptr_eq(other, variant)) {
                variants[at..].rotate_left(1);
            }
        });
    }

    fn signature(&self, arguments: &[Value], numbers: bool) -> Signature {
        Signature::of(arguments, Details { numbers, ..self.details })
    }

    /// The variant that there is, or why there is none.
    fn known(&self, entry: &str, signature: &Signature) -> Option<Result<Arc<Variant>, Error>> {
        let functions = self.functions();
        let function = functions.get(entry)?;
        let is_for = |variant: &Arc<Variant>| {
            variant.pattern().is_exact() && variant.pattern().signature_of == *signature
        };
        let Some(at) = function.variants.iter().rposition(is_for) else {
            return function.refused.get(signature).map(|why| Err(Error::Refused(why.clone())));
        };
        let variant = function.variants[at].clone();
        let last = at + 1 == function.variants.len();
        drop(functions);
        if !last {
            self.called(entry, &variant);
        }
        Some(Ok(variant))
    }

    /// Changes what is known of a function.
    fn change<T>(&self, entry: &str, change: impl FnOnce(&mut Function) -> T) -> T {
        let mut functions = self.functions.write().unwrap_or_else(PoisonError::into_inner);
        change(functions.entry(entry.to_owned()).or_default())
    }

    /// Compiles the function for a pattern, and keeps the variant.
    fn compile(&self, entry: &str, arguments: &[Value], pattern: Pattern) -> Result<Arc<Variant>, Error> {
        Entry::find(&self.module, Some(entry)).map_err(Error::Entry)?.check(arguments)?;
        let Session { context, options, .. } = self.session;
        self.explain(|| format!("@{entry}: compiled for {pattern}: {}", self.why(entry, &pattern)));
        let started = Instant::now();
        let made = self.lowered(entry, &pattern, |module| lower::make(context, module, entry, options))?;
        let variant = Arc::new(Variant::new(made, entry, pattern, (options.threads, started.elapsed())));
        self.change(entry, |function| {
            function.variants.push(variant.clone());
            let bytes =
                |variants: &[Arc<Variant>]| variants.iter().map(|own| own.code_bytes()).sum::<usize>();
            let is_above = |variants: &[Arc<Variant>]| {
                variants.len() > options.variants || bytes(variants) > options.code_bytes
            };
            while function.variants.len() > 1 && is_above(&function.variants) {
                function.variants.remove(0);
            }
        });
        Ok(variant)
    }

    /// Compiles a function for a call, its kernels for an architecture, and loads nothing.
    ///
    /// # Errors
    /// The arguments do not fit it, or it is refused.
    pub fn gpu_code(
        &self,
        entry: &str,
        arguments: &[Value],
        architecture: &str,
    ) -> Result<GpuCompiled, Error> {
        Entry::find(&self.module, Some(entry)).map_err(Error::Entry)?.check(arguments)?;
        let Session { context, options, .. } = self.session;
        let made = |numbers: bool| {
            let own = Details { numbers, misaligned: true, ..self.details };
            let pattern = Pattern::exactly(Signature::of(arguments, own));
            let made = self.lowered(entry, &pattern, |module| {
                lower::gpu_code(context, module, entry, options, architecture)
            })?;
            Ok(GpuCompiled { offsets: offsets(&pattern), ..made })
        };
        made(false).or_else(|why| made(true).map_err(|_| why))
    }

    /// Does something with a copy of the module that a pattern is written into.
    fn lowered<T>(
        &self,
        entry: &str,
        pattern: &Pattern,
        work: impl FnOnce(Module<'c>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (made, said) = listening(self.session.context, || {
            let module = specialize(self.session.context, &self.module, entry, pattern).map_err(|why| {
                Error::Refused(if why.is_empty() { vec![] } else { vec![self.diagnostic(entry, why)] })
            })?;
            work(module)
        });
        made.map_err(|error| match error {
            Error::Refused(_) | Error::Bug(_) if said.iter().any(Diagnostic::is_internal) => {
                Error::Bug(said.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("\n"))
            }
            Error::Refused(own) => Error::Refused(said.into_iter().chain(own).collect()),
            error => error,
        })
    }

    fn explain(&self, text: impl FnOnce() -> String) {
        if let Some(explain) = &self.session.options.explain {
            explain(&text());
        }
    }

    /// Why a function is compiled for a pattern.
    fn why(&self, entry: &str, pattern: &Pattern) -> String {
        match self.functions().get(entry).and_then(|function| function.variants.last()) {
            Some(last) => pattern.signature_of.difference(&last.pattern().signature_of),
            None => "it is the first call".into(),
        }
    }

    /// An error at a function.
    fn diagnostic(&self, entry: &str, message: String) -> Diagnostic {
        let location = Entry::find(&self.module, Some(entry)).map(Entry::location).unwrap_or_default();
        Diagnostic { location, severity: "error", message, notes: vec![] }
    }

    /// Says once that the reference runs a function.
    fn warn(&self, entry: &str, why: &[Diagnostic]) {
        if self.change(entry, |function| std::mem::replace(&mut function.warned, true)) {
            return;
        }
        let why = why.first().map(Diagnostic::to_string).unwrap_or_default();
        if let Ok(found) = Entry::find(&self.module, Some(entry)) {
            emit_op_warning(&found.operation(), &format!("the reference runs it: {why}"));
        }
    }

    /// Runs a call by the reference.
    ///
    /// # Errors
    /// What it computes is an error, or the reference refuses it.
    pub fn reference(&self, entry: &str, arguments: &[Value]) -> Result<Vec<Value>, Error> {
        let _lock = self.session.compiling.lock().unwrap_or_else(PoisonError::into_inner);
        Entry::find(&self.module, Some(entry)).map_err(Error::Entry)?.check(arguments)?;
        let mut generator = self.session.generator();
        random::set_state(*generator);
        let (done, said) = listening(self.session.context, || {
            if !pipeline::has_tosa(&self.module) {
                return Interpreter::new(&self.module).call(entry, arguments.to_vec()).ok();
            }
            let mut readable = copy(&self.module);
            pipeline::lower_tosa(self.session.context, &mut readable).ok()?;
            Interpreter::new(&readable).call(entry, arguments.to_vec()).ok()
        });
        *generator = random::state();
        done.ok_or(Error::Refused(said))
    }
}

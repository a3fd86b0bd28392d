//! The edge between MLIR and Rust: every callback comes in here, and no panic leaves.
//!
//! A panic inside a callback becomes a diagnostic at the operation, with the file and line of the panic.

use crate::{
    args::Args,
    facts::Place,
    layout::Layout,
    parameters::Wires,
    pass,
    refusal::INTERNAL,
    registry::{self, Effect, Fold, OpImpl},
};
use melior::{
    ContextRef,
    ir::{Attribute, AttributeLike, BlockRef, Location, OperationRef, Type, TypeLike, Value, ValueLike},
};
use mlir_sys::*;
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ffi::{CString, c_char, c_int, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, Once, PoisonError},
};

type PushType = unsafe extern "C" fn(MlirType, *mut c_void);
type PushFold = unsafe extern "C" fn(MlirAttribute, MlirValue, *mut c_void);
type PushEffect = unsafe extern "C" fn(c_int, isize, *mut c_void);
type GetAttr = unsafe extern "C" fn(MlirStringRef, *mut c_void) -> MlirAttribute;
type Refuse = unsafe extern "C" fn(MlirStringRef, *mut c_void);
type Impl = *const OpImpl;

#[repr(C)]
struct Hooks {
    resolve: unsafe extern "C" fn(MlirStringRef, MlirTypeID) -> Impl,
    verify: unsafe extern "C" fn(Impl, MlirOperation, bool) -> bool,
    #[allow(clippy::type_complexity)]
    infer_types: unsafe extern "C" fn(
        Impl,
        MlirContext,
        MlirLocation,
        isize,
        *const MlirValue,
        GetAttr,
        *mut c_void,
        PushType,
        *mut c_void,
    ) -> bool,
    fold:
        unsafe extern "C" fn(Impl, MlirOperation, isize, *const MlirAttribute, PushFold, *mut c_void) -> bool,
    effects: unsafe extern "C" fn(Impl, MlirOperation, PushEffect, *mut c_void),
    verify_symbol: unsafe extern "C" fn(Impl, MlirOperation, MlirOperation) -> bool,
    elementwise: unsafe extern "C" fn(Impl, MlirOperation, MlirOperation, MlirValue) -> bool,
    reads_destination: unsafe extern "C" fn(Impl, MlirOperation, isize) -> bool,
    canonicalize: unsafe extern "C" fn(MlirStringRef, MlirContext, MlirRewritePatternSet),
    materialize: unsafe extern "C" fn(MlirStringRef, MlirAttribute, MlirType, MlirLocation) -> MlirOperation,
    run_pass: unsafe extern "C" fn(MlirStringRef, MlirStringRef, MlirOperation) -> c_int,
    verify_attribute: unsafe extern "C" fn(MlirOperation, c_int, isize, MlirStringRef, MlirAttribute) -> bool,
    verify_data: unsafe extern "C" fn(u32, *const *const c_void, Refuse, *mut c_void) -> bool,
    verify_encoding: unsafe extern "C" fn(MlirAttribute, isize, *const i64, Refuse, *mut c_void) -> bool,
}

type Register = unsafe extern "C" fn(MlirDialectRegistry);
type Fails = unsafe extern "C" fn(MlirStringRef, MlirOperation, bool, *mut c_void);
type PatternCall = unsafe extern "C" fn(MlirOperation, MlirRewriterBase, *const c_void) -> bool;

unsafe extern "C" {
    fn terrace_set_hooks(hooks: *const Hooks);
    fn terrace_register_dialects(registry: MlirDialectRegistry);
    pub(crate) fn terrace_register_upstream(registry: MlirDialectRegistry);
    fn terrace_opt_main(
        argc: c_int,
        argv: *const *const c_char,
        title: *const c_char,
        register: Register,
    ) -> c_int;
    fn terrace_lsp_server_main(argc: c_int, argv: *const *const c_char, register: Register) -> c_int;
    fn terrace_reduce_main(argc: c_int, argv: *const *const c_char, register: Register) -> c_int;
    fn terrace_pattern_add(
        set: MlirRewritePatternSet,
        root: MlirStringRef,
        benefit: u32,
        context: MlirContext,
        call: PatternCall,
        data: *const c_void,
    );
    fn terrace_op_attributes(op: MlirOperation) -> MlirAttribute;
    fn terrace_block_erase_arguments(block: MlirBlock, count: isize);
    fn terrace_op_is_memory_effect_free(op: MlirOperation) -> bool;
    fn terrace_op_properties_hash(op: MlirOperation) -> usize;
    fn terrace_op_properties_equal(a: MlirOperation, b: MlirOperation) -> bool;
    fn terrace_emit_warning(location: MlirLocation, message: MlirStringRef);
    fn terrace_emit_remark(location: MlirLocation, message: MlirStringRef);
    fn terrace_remarks_are_wanted(context: MlirContext) -> bool;
    fn terrace_optimization_remark(
        location: MlirLocation,
        done: bool,
        name: MlirStringRef,
        category: MlirStringRef,
        message: MlirStringRef,
    );
    pub(crate) fn terrace_watch_passes(manager: MlirPassManager, fails: Fails, out: *mut c_void);
    fn terrace_register_pipeline(name: MlirStringRef, description: MlirStringRef, passes: MlirStringRef);
    #[cfg(test)]
    fn terrace_op_is_terminator(op: MlirOperation) -> bool;
}

/// Gives a name to a pipeline in MLIR's notation, as `--NAME` of `terrace-opt` and inside `--pass-pipeline`.
pub fn register_pipeline(name: &str, description: &str, passes: &str) {
    unsafe { terrace_register_pipeline(string_ref(name), string_ref(description), string_ref(passes)) }
}

/// A rewrite pattern's body: whether it changed the operation. Stateless, for it runs on several threads.
pub type PatternFn = fn(OperationRef, melior::RewriterBase) -> bool;

/// Adds a pattern on operations named `root` to a set.
///
/// # Safety
/// `set` must be a live pattern set of `context`.
pub unsafe fn add_pattern(set: MlirRewritePatternSet, context: MlirContext, root: &str, f: PatternFn) {
    unsafe extern "C" fn call(op: MlirOperation, rewriter: MlirRewriterBase, data: *const c_void) -> bool {
        // The pointer is the function itself, put there below.
        let f: PatternFn = unsafe { std::mem::transmute(data) };
        guard(|| {
            Ok(f(unsafe { OperationRef::from_raw(op) }, unsafe { melior::RewriterBase::from_raw(rewriter) }))
        })
        .unwrap_or_else(|m| {
            emit_op(op, &m);
            false
        })
    }
    unsafe { terrace_pattern_add(set, string_ref(root), 1, context, call, f as *const c_void) }
}

/// The text behind a string reference. Bytes that are no UTF-8 stand as U+FFFD and their number, so that other bytes are another text.
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

/// Emits an error at a location.
pub fn emit(location: Location, message: &str) {
    emit_raw(location.to_raw(), message);
}

fn emit_raw(location: MlirLocation, message: &str) {
    if !location.ptr.is_null() {
        let message = CString::new(message.replace('\0', " ")).expect("no zeros are left");
        unsafe { mlirEmitError(location, message.as_ptr()) }
    }
}

fn emit_op(op: MlirOperation, message: &str) {
    unsafe {
        let name = text(mlirIdentifierStr(mlirOperationGetName(op)));
        emit_raw(mlirOperationGetLocation(op), &format!("'{name}' op {message}"));
    }
}

/// Emits `'NAME' op MESSAGE` at an operation.
pub fn emit_op_error<'c: 'a, 'a>(op: &impl crate::ir::OperationLike<'c, 'a>, message: &str) {
    emit_op(op.to_raw(), message);
}

/// Emits `'NAME' op MESSAGE` at an operation, as a warning: the program is right, but not all of it is done.
pub fn emit_op_warning<'c: 'a, 'a>(op: &impl crate::ir::OperationLike<'c, 'a>, message: &str) {
    unsafe {
        let name = text(mlirIdentifierStr(mlirOperationGetName(op.to_raw())));
        let message = format!("'{name}' op {message}");
        terrace_emit_warning(mlirOperationGetLocation(op.to_raw()), string_ref(&message));
    }
}

/// Emits `'NAME' op MESSAGE` at an operation, as a remark: what a pass found out.
pub fn emit_op_remark<'c: 'a, 'a>(op: &impl crate::ir::OperationLike<'c, 'a>, message: &str) {
    unsafe {
        let name = text(mlirIdentifierStr(mlirOperationGetName(op.to_raw())));
        let message = format!("'{name}' op {message}");
        terrace_emit_remark(mlirOperationGetLocation(op.to_raw()), string_ref(&message));
    }
}

/// Reports a decision as an optimization remark of a category, of what was done or of what was not and why: upstream's
/// `--remarks-filter` shows it. Its text is made only where somebody listens.
pub fn optimization_remark<'c: 'a, 'a>(
    op: &impl crate::ir::OperationLike<'c, 'a>,
    category: &str,
    name: &str,
    done: bool,
    message: impl FnOnce() -> String,
) {
    unsafe {
        if terrace_remarks_are_wanted(mlirOperationGetContext(op.to_raw())) {
            let location = mlirOperationGetLocation(op.to_raw());
            let message = message();
            terrace_optimization_remark(
                location,
                done,
                string_ref(name),
                string_ref(category),
                string_ref(&message),
            );
        }
    }
}

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Runs `f`; a panic becomes an error with its message and place, and never crosses into C++.
pub fn guard<T>(f: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(f));
    DEPTH.set(DEPTH.get() - 1);
    result.unwrap_or_else(|_| Err(PANIC.take()))
}

fn install_panic_hook() {
    let old = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if DEPTH.get() == 0 {
            return old(info);
        }
        let message = info.payload_as_str().unwrap_or("panic");
        let place = info.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
        PANIC.set(format!("{INTERNAL}: {message}{place}; please report it"));
    }));
}

unsafe extern "C" fn resolve(name: MlirStringRef, id: MlirTypeID) -> Impl {
    match guard(|| Ok(registry::resolve(unsafe { text(name) }, id.ptr as usize))) {
        Ok(op) => op,
        // Every name comes from the .td that the table was made of; a mismatch is a broken build.
        Err(message) => {
            eprintln!("terrace: {message}");
            std::process::exit(1)
        }
    }
}

unsafe extern "C" fn verify(op_impl: Impl, op: MlirOperation, regions: bool) -> bool {
    let op_impl = unsafe { &*op_impl };
    let Some(f) = (if regions { op_impl.verify_regions } else { op_impl.verify }) else { return true };
    // An empty message: what is wrong has been said where it is.
    let result = guard(|| f(unsafe { OperationRef::from_raw(op) }));
    result
        .map_err(|m| {
            if !m.is_empty() {
                emit_op(op, &m)
            }
        })
        .is_ok()
}

#[allow(clippy::too_many_arguments)]
unsafe extern "C" fn infer_types(
    op_impl: Impl,
    context: MlirContext,
    location: MlirLocation,
    n: isize,
    operands: *const MlirValue,
    get: GetAttr,
    source: *mut c_void,
    push: PushType,
    out: *mut c_void,
) -> bool {
    let op_impl = unsafe { &*op_impl };
    let result = guard(|| unsafe {
        let operands: Vec<Value> = (0..n).map(|i| Value::from_raw(*operands.offset(i))).collect();
        let attribute = |name: &str| Attribute::from_option_raw(get(string_ref(name), source));
        let args = Args::new(op_impl, ContextRef::from_raw(context), &operands, &attribute);
        op_impl.result_types(&args)?.iter().for_each(|t| push(t.to_raw(), out));
        Ok(())
    });
    result.map_err(|m| emit_raw(location, &format!("'{}' op {m}", op_impl.name))).is_ok()
}

unsafe extern "C" fn fold(
    op_impl: Impl,
    op: MlirOperation,
    n: isize,
    operands: *const MlirAttribute,
    push: PushFold,
    out: *mut c_void,
) -> bool {
    let Some(f) = unsafe { &*op_impl }.fold else { return false };
    let result = guard(|| unsafe {
        let operands: Vec<_> = (0..n).map(|i| Attribute::from_option_raw(*operands.offset(i))).collect();
        Ok(f(OperationRef::from_raw(op), &operands))
    });
    match result {
        Ok(Some(Fold::Attribute(a))) => unsafe { push(a.to_raw(), MlirValue { ptr: std::ptr::null() }, out) },
        Ok(Some(Fold::Value(v))) => unsafe { push(MlirAttribute { ptr: std::ptr::null() }, v.to_raw(), out) },
        Ok(None) => return false,
        Err(m) => {
            emit_op(op, &m);
            return false;
        }
    }
    true
}

unsafe extern "C" fn effects(op_impl: Impl, op: MlirOperation, push: PushEffect, out: *mut c_void) {
    let Some(f) = unsafe { &*op_impl }.effects else { return };
    match guard(|| Ok(f(unsafe { OperationRef::from_raw(op) }))) {
        Ok(effects) => {
            for effect in effects {
                let (kind, at) = match effect {
                    Effect::Read(i) => (0, i as isize),
                    Effect::Write(i) => (1, i as isize),
                    Effect::Allocate(i) => (2, !(i as isize)),
                    Effect::ReadAnything => (0, isize::MIN),
                    Effect::WriteAnything => (1, isize::MIN),
                };
                unsafe { push(kind, at, out) }
            }
        }
        Err(m) => emit_op(op, &m),
    }
}

unsafe extern "C" fn verify_symbol(op_impl: Impl, op: MlirOperation, symbol: MlirOperation) -> bool {
    let Some(f) = unsafe { &*op_impl }.verify_symbol else { return true };
    guard(|| unsafe { f(OperationRef::from_raw(op), OperationRef::from_option_raw(symbol)) })
        .map_err(|m| emit_op(op, &m))
        .is_ok()
}

unsafe extern "C" fn elementwise(
    op_impl: Impl,
    op: MlirOperation,
    read: MlirOperation,
    written: MlirValue,
) -> bool {
    let Some(f) = unsafe { &*op_impl }.elementwise else { return false };
    guard(|| unsafe {
        Ok(f(OperationRef::from_raw(op), OperationRef::from_raw(read), Value::from_raw(written)))
    })
    .unwrap_or_else(|m| {
        emit_op(op, &m);
        false
    })
}

unsafe extern "C" fn reads_destination(op_impl: Impl, op: MlirOperation, operand: isize) -> bool {
    let Some(f) = unsafe { &*op_impl }.reads_destination else { return true };
    guard(|| Ok(f(unsafe { OperationRef::from_raw(op) }, operand as usize))).unwrap_or_else(|m| {
        emit_op(op, &m);
        true
    })
}

unsafe extern "C" fn canonicalize(dialect: MlirStringRef, context: MlirContext, set: MlirRewritePatternSet) {
    let result = guard(|| {
        unsafe { crate::patterns::populate(text(dialect), context, set) };
        Ok(())
    });
    if let Err(m) = result {
        emit_raw(unsafe { mlirLocationUnknownGet(context) }, &m);
    }
}

unsafe extern "C" fn materialize(
    dialect: MlirStringRef,
    value: MlirAttribute,
    ty: MlirType,
    location: MlirLocation,
) -> MlirOperation {
    let result = guard(|| unsafe {
        let built = crate::folds::materialize(
            text(dialect),
            Attribute::from_raw(value),
            Type::from_raw(ty),
            Location::from_raw(location),
        );
        Ok(built.map(|op| op.into_raw()))
    });
    result.ok().flatten().unwrap_or(MlirOperation { ptr: std::ptr::null_mut() })
}

unsafe extern "C" fn run_pass(argument: MlirStringRef, pipeline: MlirStringRef, op: MlirOperation) -> c_int {
    let (argument, pipeline) = unsafe { (text(argument), text(pipeline)) };
    let result = guard(|| Ok(pass::run(argument, pipeline, unsafe { OperationRef::from_raw(op) })));
    match result {
        Ok(Ok(())) => 1,
        Ok(Err(pass::Failure::Reported)) => 0,
        Ok(Err(pass::Failure::Message(m))) => {
            emit_raw(unsafe { mlirOperationGetLocation(op) }, &format!("{argument}: {m}"));
            0
        }
        Err(m) => {
            emit_raw(unsafe { mlirOperationGetLocation(op) }, &format!("{argument}: {m}"));
            2
        }
    }
}

unsafe extern "C" fn verify_attribute(
    op: MlirOperation,
    place: c_int,
    number: isize,
    name: MlirStringRef,
    value: MlirAttribute,
) -> bool {
    let place = match place {
        0 => Place::Operation,
        1 => Place::Argument(number as usize),
        _ => Place::Result(number as usize),
    };
    guard(|| unsafe {
        let (owner, name, value) = (OperationRef::from_raw(op), text(name), Attribute::from_raw(value));
        match place {
            Place::Argument(argument) if name.starts_with("graph.") => {
                crate::arguments::verify(owner, argument, name, value)
            }
            Place::Operation if name.starts_with("graph.") => Ok(()),
            _ => crate::facts::verify(owner, place, name, value),
        }
    })
    .map_err(|m| match place {
        Place::Operation => emit_op(op, &m),
        Place::Argument(argument) => emit_op(op, &format!("argument {argument}: {m}")),
        Place::Result(result) => emit_op(op, &format!("result {result}: {m}")),
    })
    .is_ok()
}

unsafe extern "C" fn verify_data(
    verifier: u32,
    parameters: *const *const c_void,
    refuse: Refuse,
    out: *mut c_void,
) -> bool {
    guard(|| unsafe { crate::table::DATA[verifier as usize](Wires(parameters)) })
        .map_err(|m| unsafe { refuse(string_ref(&m), out) })
        .is_ok()
}

unsafe extern "C" fn verify_encoding(
    encoding: MlirAttribute,
    rank: isize,
    shape: *const i64,
    refuse: Refuse,
    out: *mut c_void,
) -> bool {
    let result = guard(|| {
        let layout =
            Layout::read(unsafe { Attribute::from_raw(encoding) }).ok_or("is no layout of a tile")?;
        let shape = if rank == 0 { &[] } else { unsafe { std::slice::from_raw_parts(shape, rank as usize) } };
        layout.check_shape(shape)
    });
    result.map_err(|m| unsafe { refuse(string_ref(&m), out) }).is_ok()
}

/// All attributes of an operation, a dictionary.
pub(crate) fn attributes(op: MlirOperation) -> MlirAttribute {
    // SAFETY: whoever asks has the operation.
    unsafe { terrace_op_attributes(op) }
}

/// Erases the first arguments of a block, all at once: one by one each moves all behind it.
///
/// # Safety
/// They have no uses, and nobody holds on to them or to the arguments behind them by number.
pub unsafe fn erase_arguments(block: BlockRef, count: usize) {
    unsafe { terrace_block_erase_arguments(block.to_raw(), count as isize) }
}

/// Whether an operation, and what is inside it, neither reads nor writes memory, nor allocates.
pub fn is_memory_effect_free(op: OperationRef) -> bool {
    unsafe { terrace_op_is_memory_effect_free(op.to_raw()) }
}

/// A hash of the attributes that an operation's definition names.
pub(crate) fn properties_hash(op: OperationRef) -> usize {
    unsafe { terrace_op_properties_hash(op.to_raw()) }
}

/// Whether two operations of one class have the same attributes, of those that its definition names.
pub(crate) fn properties_equal(a: OperationRef, b: OperationRef) -> bool {
    unsafe { terrace_op_properties_equal(a.to_raw(), b.to_raw()) }
}

/// Gives MLIR the way into Rust; called before anything of ours is registered.
pub fn init() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        install_panic_hook();
        let hooks = Hooks {
            resolve,
            verify,
            infer_types,
            fold,
            effects,
            verify_symbol,
            elementwise,
            reads_destination,
            canonicalize,
            materialize,
            run_pass,
            verify_attribute,
            verify_data,
            verify_encoding,
        };
        unsafe { terrace_set_hooks(&hooks) }
    });
}

/// Adds the dialects of Terrace to a raw registry: the form that plugins and C callers need.
///
/// # Safety
/// The registry must be live.
pub unsafe extern "C" fn register_dialects(registry: MlirDialectRegistry) {
    init();
    unsafe { terrace_register_dialects(registry) }
}

/// Set in a process that has Terrace built in, for the plugin to see: two dialects of one name can't be in one process.
pub const BUILT_IN: &str = "TERRACE_BUILT_IN";

/// Runs MLIR's opt driver on the process's arguments, with upstream's dialects and passes and ours. Returns the exit status.
pub fn opt_main(title: &str) -> i32 {
    // SAFETY: no other thread has been started yet.
    unsafe { std::env::set_var(BUILT_IN, "1") };
    let title = CString::new(title).expect("a title has no zeros");
    driver(|argc, argv| unsafe { terrace_opt_main(argc, argv, title.as_ptr(), register_dialects) })
}

/// Runs MLIR's language server on standard input and output, with upstream's dialects and ours. Returns the exit status.
pub fn lsp_server_main() -> i32 {
    driver(|argc, argv| unsafe { terrace_lsp_server_main(argc, argv, register_dialects) })
}

/// Runs MLIR's reducer on the process's arguments, with upstream's dialects and passes and ours. Returns the exit status.
pub fn reduce_main() -> i32 {
    driver(|argc, argv| unsafe { terrace_reduce_main(argc, argv, register_dialects) })
}

/// Calls a C main function with the process's arguments.
fn driver(main: impl FnOnce(c_int, *const *const c_char) -> c_int) -> i32 {
    init();
    let args: Vec<CString> = std::env::args_os()
        .filter_map(|a| CString::new(std::os::unix::ffi::OsStringExt::into_vec(a)).ok())
        .collect();
    let mut argv: Vec<*const c_char> = args.iter().map(|a| a.as_ptr()).collect();
    argv.push(std::ptr::null());
    main(args.len() as c_int, argv.as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{BlockLike, OperationLike};
    use melior::ir::Module;
    use melior::ir::RegionLike;

    // g++ would give our classes trait ids that libMLIR.so does not know; then this is false.
    #[test]
    fn traits_have_the_ids_of_the_library() {
        let context = crate::context::new();
        let text = "func.func @f(%x: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> { return %x : !graph.tensor<2xf32> }";
        let module = Module::parse(&context, text).unwrap();
        let function = module.body().first_operation().unwrap();
        let end = function.region(0).unwrap().first_block().unwrap().terminator().unwrap();
        assert!(unsafe { terrace_op_is_terminator(end.to_raw()) });
    }

    #[test]
    fn a_panic_is_an_error_with_its_place() {
        init();
        let message = guard::<()>(|| panic!("out of luck")).unwrap_err();
        assert!(message.starts_with("internal error: out of luck ("), "{message}");
        assert!(message.contains("bridge.rs:"), "{message}");
    }
}

//! The edge between MLIR and Rust: every callback comes in here, and no panic leaves.
//!
//! A panic inside a callback becomes a diagnostic at the operation, with the file and line of the panic.

use crate::{
    ir::{
        annotations::Place,
        args::Args,
        diagnostics::{emit_op, emit_raw},
        panics::{self, guard},
        parameters::Wires,
        pass,
        pattern::add_pattern,
        registry::{self, Effect, Fold, OpImpl},
        strings::{string_ref, text},
    },
    loops::layout::Layout,
    table,
};
use melior::{
    ContextRef,
    dialect::DialectRegistry,
    ir::{Attribute, AttributeLike, Location, OperationRef, Type, TypeLike, Value, ValueLike},
};
use mlir_sys::*;
use std::{
    ffi::{c_int, c_void},
    sync::Once,
};

type PushType = unsafe extern "C" fn(MlirType, *mut c_void);
type PushFold = unsafe extern "C" fn(MlirAttribute, MlirValue, *mut c_void);
type PushEffect = unsafe extern "C" fn(c_int, isize, *mut c_void);
type GetAttr = unsafe extern "C" fn(MlirStringRef, *mut c_void) -> MlirAttribute;
type Refuse = unsafe extern "C" fn(MlirStringRef, *mut c_void);
/// What [`resolve`] has given to C++, and C++ gives back.
type Impl = &'static OpImpl;

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

unsafe extern "C" {
    fn terrace_set_hooks(hooks: *const Hooks);
    fn terrace_register_dialects(registry: MlirDialectRegistry);
    fn terrace_register_upstream(registry: MlirDialectRegistry);
    #[cfg(test)]
    fn terrace_op_is_terminator(op: MlirOperation) -> bool;
}

unsafe extern "C" fn resolve(name: MlirStringRef, id: MlirTypeID) -> Impl {
    // SAFETY: the name is a constant of the C++ class.
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
    let Some(f) = (if regions { op_impl.verify_regions } else { op_impl.verify }) else { return true };
    // An empty message: what is wrong has been said where it is.
    // SAFETY: the operation that C++ verifies is live during the call.
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
    // SAFETY: there are `n` operands, live during the call as the context is; `get` takes what it came with,
    // `source`, and `push` takes `out`.
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
    let Some(f) = op_impl.fold else { return false };
    // SAFETY: there are `n` attributes, null where an operand is no constant; the operation is live.
    let result = guard(|| unsafe {
        let operands: Vec<_> = (0..n).map(|i| Attribute::from_option_raw(*operands.offset(i))).collect();
        Ok(f(OperationRef::from_raw(op), &operands))
    });
    let (attribute, value) = match result {
        Ok(Some(Fold::Attribute(a))) => (a.to_raw(), MlirValue { ptr: std::ptr::null() }),
        Ok(Some(Fold::Value(v))) => (MlirAttribute { ptr: std::ptr::null() }, v.to_raw()),
        Ok(None) => return false,
        Err(m) => {
            emit_op(op, &m);
            return false;
        }
    };
    // SAFETY: `push` takes what it came with, `out`; one of both is null, the other one live.
    unsafe { push(attribute, value, out) };
    true
}

unsafe extern "C" fn effects(op_impl: Impl, op: MlirOperation, push: PushEffect, out: *mut c_void) {
    let Some(f) = op_impl.effects else { return };
    // SAFETY: the operation that C++ asks about is live during the call.
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
                // SAFETY: `push` takes what it came with, `out`; the place is one of the operation's.
                unsafe { push(kind, at, out) }
            }
        }
        Err(m) => emit_op(op, &m),
    }
}

unsafe extern "C" fn verify_symbol(op_impl: Impl, op: MlirOperation, symbol: MlirOperation) -> bool {
    let Some(f) = op_impl.verify_symbol else { return true };
    // SAFETY: both operations are live during the call; the symbol is null where there is none.
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
    let Some(f) = op_impl.elementwise else { return false };
    // SAFETY: both operations and the value are live during the call.
    guard(|| unsafe {
        Ok(f(OperationRef::from_raw(op), OperationRef::from_raw(read), Value::from_raw(written)))
    })
    .unwrap_or_else(|m| {
        emit_op(op, &m);
        false
    })
}

unsafe extern "C" fn reads_destination(op_impl: Impl, op: MlirOperation, operand: isize) -> bool {
    let Some(f) = op_impl.reads_destination else { return true };
    // SAFETY: the operation that C++ asks about is live during the call.
    guard(|| Ok(f(unsafe { OperationRef::from_raw(op) }, operand as usize))).unwrap_or_else(|m| {
        emit_op(op, &m);
        true
    })
}

unsafe extern "C" fn canonicalize(dialect: MlirStringRef, context: MlirContext, set: MlirRewritePatternSet) {
    let result = guard(|| {
        // SAFETY: MLIR lends the set, of this context, for the call.
        unsafe {
            for (root, f) in crate::definitions::patterns::of_dialect(text(dialect)) {
                add_pattern(set, context, root, *f);
            }
        }
        Ok(())
    });
    if let Err(m) = result {
        // SAFETY: the context is live.
        emit_raw(unsafe { mlirLocationUnknownGet(context) }, &m);
    }
}

unsafe extern "C" fn materialize(
    dialect: MlirStringRef,
    value: MlirAttribute,
    ty: MlirType,
    location: MlirLocation,
) -> MlirOperation {
    // SAFETY: the dialect's name, and what C++ would have as a constant, are of one live context.
    let result = guard(|| unsafe {
        let built = crate::definitions::folds::materialize(
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
    // SAFETY: the strings and the operation are the caller's, and live during the call.
    let (argument, pipeline, on) = unsafe { (text(argument), text(pipeline), OperationRef::from_raw(op)) };
    let result = guard(|| Ok(pass::run(argument, pipeline, on)));
    // SAFETY: a pass leaves the operation that it runs on in its place.
    let say = |m: &str| emit_raw(unsafe { mlirOperationGetLocation(op) }, &format!("{argument}: {m}"));
    match result {
        Ok(Ok(())) => 1,
        Ok(Err(pass::Failure::Reported)) => 0,
        Ok(Err(pass::Failure::Message(m))) => {
            say(&m);
            0
        }
        Err(m) => {
            say(&m);
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
    // SAFETY: the operation is live during the call; name and value are its context's.
    guard(|| unsafe {
        let (owner, name, value) = (OperationRef::from_raw(op), text(name), Attribute::from_raw(value));
        match place {
            Place::Argument(argument) if name.starts_with("graph.") => {
                crate::ir::arguments::verify(owner, argument, name, value)
            }
            Place::Operation if name.starts_with("graph.") => Ok(()),
            _ => crate::ir::annotations::verify(owner, place, name, value),
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
    // SAFETY: C++ asks with the number of the verifier that was generated for these parameters.
    guard(|| unsafe { table::DATA[verifier as usize](Wires(parameters)) })
        // SAFETY: `refuse` takes what it came with, `out`, and copies the message.
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
            // SAFETY: the encoding is an attribute of the type that C++ verifies.
            Layout::read(unsafe { Attribute::from_raw(encoding) }).ok_or("is no layout of a tile")?;
        // SAFETY: the shape has `rank` sizes, which live during the call.
        let shape = if rank == 0 { &[] } else { unsafe { std::slice::from_raw_parts(shape, rank as usize) } };
        layout.check_shape(shape)
    });
    // SAFETY: `refuse` takes what it came with, `out`, and copies the message.
    result.map_err(|m| unsafe { refuse(string_ref(&m), out) }).is_ok()
}

/// Gives MLIR the way into Rust; called before anything of ours is registered.
pub fn init() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        panics::install_hook();
        registry::fill(table::ALL);
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
        // SAFETY: the hooks are laid out as TerraceHooks of Bridge.h; C++ copies them.
        unsafe { terrace_set_hooks(&hooks) }
    });
}

/// Adds all of upstream's dialects, extensions and translations to a registry.
pub fn register_upstream(registry: &DialectRegistry) {
    // SAFETY: the registry is alive.
    unsafe { terrace_register_upstream(registry.to_raw()) }
}

/// Adds the dialects of Terrace to a raw registry: the form that plugins and C callers need.
///
/// # Safety
/// The registry must be live.
pub unsafe extern "C" fn register_dialects(registry: MlirDialectRegistry) {
    init();
    // SAFETY: the registry is live, as the caller promises; `init` has set the hooks.
    unsafe { terrace_register_dialects(registry) }
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
        let context = crate::new_context();
        let text = "func.func @f(%x: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> { return %x : !graph.tensor<2xf32> }";
        let module = Module::parse(&context, text).unwrap();
        let function = module.body().first_operation().unwrap();
        let end = function.region(0).unwrap().first_block().unwrap().terminator().unwrap();
        // SAFETY: the terminator is in the module, which is still there.
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

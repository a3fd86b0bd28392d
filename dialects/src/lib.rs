//! The four dialects of Terrace: definitions, verifiers, type inference, folds, effects.
//!
//! ODS (`td/`) is the one source of truth. The build script makes C++ classes of it, which ask Rust through a
//! generic bridge (`cpp/`, [`bridge`]), and typed Rust views and builders of each operation, type and
//! attribute ([`ops`]).
//!
//! ```
//! use melior::ir::Module;
//! use terrace_dialects::ir::OperationLike;
//!
//! let context = terrace_dialects::new_context();
//! let text = "func.func private @f(!graph.tensor<2x3xf32>)";
//! assert!(Module::parse(&context, text).unwrap().as_operation().verify());
//! ```

#[forbid(unsafe_code)]
pub mod analysis;
#[forbid(unsafe_code)]
pub mod aten;
pub mod bridge;
pub mod copies;
#[forbid(unsafe_code)]
pub mod definitions;
pub mod drivers;
pub mod ir;
#[forbid(unsafe_code)]
pub mod loops;

pub use bridge::{init, register_upstream};
use melior::{Context, dialect::DialectRegistry};
// For what its build script tells the linker.
use terrace_link as _;

/// Typed views and builders of every operation, type, attribute and enumeration, generated from ODS.
pub mod ops {
    #[allow(unused_imports)]
    use crate::ir::{
        attributes as convert,
        builder::{BuildError, Builder, IntoAttribute},
        parameters::Parameter,
        view,
    };
    #[allow(unused_imports)]
    use melior::{
        Context,
        ir::{
            AffineMap, Attribute, AttributeLike, Location, Operation, OperationRef, Region, RegionRef, Type,
            TypeLike, Value, attribute::IntegerAttribute, r#type::IntegerType,
        },
    };
    #[allow(unused_imports)]
    use mlir_sys::{MlirAttribute, MlirLocation, MlirType};

    include!(concat!(env!("OUT_DIR"), "/ops.rs"));
}

/// What the bridge dispatches by: one constant per operation, one function per verified type or attribute,
/// generated from ODS.
pub mod table {
    #[allow(unused_imports)]
    use crate::{
        aten::rules,
        definitions::{effects, folds, symbol_verifiers, verifiers},
        ir::{
            operator::{Elements, OperandDevice, Role, Strides},
            registry::{Arity, OpImpl, VerifyDataFn},
        },
    };

    include!(concat!(env!("OUT_DIR"), "/table.rs"));
}

/// Adds the dialects of Terrace to a registry.
pub fn register_dialects(registry: &DialectRegistry) {
    // SAFETY: the registry is borrowed, and so live.
    unsafe { bridge::register_dialects(registry.to_raw()) }
}

/// A context with upstream's dialects and ours, all of them loaded.
pub fn new_context() -> Context {
    let registry = DialectRegistry::new();
    register_upstream(&registry);
    register_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

//! The four dialects of Terrace: definitions, verifiers, type inference, folds, effects.
//!
//! ODS (`td/`) is the one source of truth. The build script makes C++ classes of it, which ask Rust through a generic
//! bridge (`cpp/`, [`bridge`]), and typed Rust views and builders of each operation, type and attribute ([`ops`]).
//!
//! ```
//! use melior::ir::Module;
//! use terrace_dialects::ir::OperationLike;
//!
//! let context = terrace_dialects::context::new();
//! let text = "func.func private @f(!graph.tensor<2x3xf32>)";
//! assert!(Module::parse(&context, text).unwrap().as_operation().verify());
//! ```

pub mod actual;
pub mod affine;
pub mod args;
pub mod arguments;
pub mod attributes;
pub mod bridge;
pub mod builder;
pub mod combiners;
pub mod context;
pub mod cursor;
pub mod custom;
pub mod descriptor;
pub mod device;
pub mod diagnostics;
pub mod drivers;
pub mod dtype;
mod effects;
pub mod extent;
pub mod facts;
pub mod fake;
pub mod flow;
mod folds;
pub mod foreach;
pub mod groups;
pub mod infer;
pub mod ir;
pub mod layout;
pub mod library;
pub mod lists;
pub mod location;
pub mod memory;
pub mod operations;
pub mod panics;
pub mod parameters;
pub mod pass;
pub mod pattern;
mod patterns;
pub mod placement;
pub mod reassociation;
pub mod refusal;
pub mod registry;
pub mod reinterpret;
pub mod rules;
pub mod scatters;
pub mod schema;
pub mod shaped;
pub mod size;
pub mod strided;
pub mod strings;
mod symbol_verifiers;
pub mod toss;
pub mod touches;
pub mod types;
pub mod upstream;
pub mod verifiers;
pub mod view;

pub use bridge::{init, register_upstream};
use melior::dialect::DialectRegistry;
// For what its build script tells the linker.
use terrace_link as _;

/// Typed views and builders of every operation, type, attribute and enumeration, generated from ODS.
pub mod ops {
    #[allow(unused_imports)]
    use crate::{
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

/// What the bridge dispatches by: one constant per operation, one function per verified type or attribute, generated
/// from ODS.
pub mod table {
    #[allow(unused_imports)]
    use crate::{
        effects, folds,
        registry::{Arity, OpImpl, VerifyDataFn},
        rules, symbol_verifiers, verifiers,
    };

    include!(concat!(env!("OUT_DIR"), "/table.rs"));
}

/// Adds the dialects of Terrace to a registry.
pub fn register_dialects(registry: &DialectRegistry) {
    unsafe { bridge::register_dialects(registry.to_raw()) }
}

//! What the tests have in common.

use melior::{Context, dialect::DialectRegistry};

/// A context with all dialects.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    terrace_dialects::register_dialects(&registry);
    terrace_dialects::register_upstream(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

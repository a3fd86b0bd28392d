//! What the generated builders of operations stand on: operands, segment sizes, attributes; an error where
//! type inference refuses.

use super::{
    failure::Failure,
    registry::{Arity, OpImpl},
};
use melior::ir::{
    Attribute, Identifier, Location, Operation, Region, Type, Value,
    attribute::{
        BoolAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute, FlatSymbolRefAttribute,
        FloatAttribute, IntegerAttribute, StringAttribute, TypeAttribute,
    },
    operation::OperationBuilder,
    r#type::IntegerType,
};
use mlir_sys::*;

/// An operation, type or attribute was refused; the diagnostic that says why has been emitted at its
/// location.
#[derive(Debug, Clone, thiserror::Error)]
#[error("'{name}' could not be built")]
pub struct BuildError {
    /// Its name, as in `graph.add`, `!graph.tensor`.
    pub name: &'static str,
}

impl From<BuildError> for Failure {
    fn from(_: BuildError) -> Self {
        Self::Reported
    }
}

/// What stands for an attribute in Rust: an enumeration, a view.
pub trait IntoAttribute<'c> {
    /// The attribute.
    fn attribute(self, context: &'c melior::Context) -> Attribute<'c>;
}

/// An operation under construction.
pub struct Builder<'c> {
    op: &'static OpImpl,
    location: Location<'c>,
    inner: Option<OperationBuilder<'c>>,
    segments: Vec<i32>,
}

impl<'c> Builder<'c> {
    /// Starts an operation.
    pub fn new(op: &'static OpImpl, location: Location<'c>) -> Self {
        Self { op, location, inner: Some(OperationBuilder::new(op.name, location)), segments: vec![] }
    }

    fn context(&self) -> &'c melior::Context {
        crate::ir::context::of(self.location.context())
    }

    fn with(&mut self, f: impl FnOnce(OperationBuilder<'c>) -> OperationBuilder<'c>) {
        self.inner = self.inner.take().map(f);
    }

    /// Adds the value of a single operand.
    pub fn operand(&mut self, value: Value<'c, '_>) {
        self.operands(&[value]);
    }

    /// Adds the values of an optional or variadic operand.
    pub fn operands(&mut self, values: &[Value<'c, '_>]) {
        self.segments.push(values.len() as i32);
        self.with(|b| b.add_operands(values));
    }

    /// Adds an attribute.
    pub fn any(&mut self, name: &str, value: Attribute<'c>) {
        let name = Identifier::new(self.context(), name);
        self.with(|b| b.add_attributes(&[(name, value)]));
    }

    /// Adds an attribute by what stands for it.
    pub fn typed(&mut self, name: &str, value: impl IntoAttribute<'c>) {
        self.any(name, value.attribute(self.context()));
    }

    /// Adds an integer attribute.
    pub fn i64(&mut self, name: &str, value: i64) {
        let ty = IntegerType::new(self.context(), 64).into();
        self.any(name, IntegerAttribute::new(ty, value).into());
    }

    /// Adds a float attribute.
    pub fn f64(&mut self, name: &str, value: f64) {
        let ty = Type::float64(self.context());
        self.any(name, FloatAttribute::new(self.context(), ty, value).into());
    }

    /// Adds a bool attribute.
    pub fn bool(&mut self, name: &str, value: bool) {
        self.any(name, BoolAttribute::new(self.context(), value).into());
    }

    /// Adds a string attribute.
    pub fn string(&mut self, name: &str, value: &str) {
        self.any(name, StringAttribute::new(self.context(), value).into());
    }

    /// Adds a symbol reference.
    pub fn symbol(&mut self, name: &str, value: &str) {
        self.any(name, FlatSymbolRefAttribute::new(self.context(), value).into());
    }

    /// Adds a type attribute.
    pub fn ty(&mut self, name: &str, value: Type<'c>) {
        self.any(name, TypeAttribute::new(value).into());
    }

    /// Adds a list of floats.
    pub fn f64s(&mut self, name: &str, value: &[f64]) {
        let context = self.context().to_raw();
        // SAFETY: the list is read during the call, and the attribute is of the context.
        let list = unsafe {
            Attribute::from_raw(mlirDenseF64ArrayGet(context, value.len() as isize, value.as_ptr()))
        };
        self.any(name, list);
    }

    /// Adds a dense i64 array.
    pub fn i64s(&mut self, name: &str, value: &[i64]) {
        self.any(name, DenseI64ArrayAttribute::new(self.context(), value).into());
    }

    /// Adds a dense bool array.
    pub fn bools(&mut self, name: &str, value: &[bool]) {
        let ints: Vec<std::ffi::c_int> = value.iter().map(|b| *b as _).collect();
        // SAFETY: the list is read during the call, and the attribute is of the context.
        let attribute = unsafe {
            Attribute::from_raw(mlirDenseBoolArrayGet(
                self.context().to_raw(),
                ints.len() as isize,
                ints.as_ptr(),
            ))
        };
        self.any(name, attribute);
    }

    /// Adds regions.
    pub fn regions(&mut self, regions: Vec<Region<'c>>) {
        self.with(|b| b.add_regions_vec(regions));
    }

    fn segments(&mut self) {
        assert_eq!(self.segments.len(), self.op.operands.len());
        if self.op.has_segments {
            let sizes = DenseI32ArrayAttribute::new(self.context(), &self.segments);
            self.any("operandSegmentSizes", sizes.into());
        } else {
            assert!(self.op.operands.iter().zip(&self.segments).all(|(a, n)| *a != Arity::Single || *n == 1));
        }
    }

    fn finish(self) -> Result<Operation<'c>, BuildError> {
        let name = self.op.name;
        self.inner.expect("a builder is finished once").build().map_err(|_| BuildError { name })
    }

    /// Builds the operation with the result types that its rule infers.
    pub fn infer(mut self) -> Result<Operation<'c>, BuildError> {
        self.segments();
        self.with(|b| b.enable_result_type_inference());
        self.finish()
    }

    /// Builds the operation with the given result types.
    pub fn build(mut self, results: &[Type<'c>]) -> Result<Operation<'c>, BuildError> {
        self.segments();
        self.with(|b| b.add_results(results));
        self.finish()
    }
}

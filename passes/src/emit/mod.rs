//! Writes operations at a place: arithmetic on numbers, and loop operations with their bodies.
//!
//! An [`Emitter`] stands in front of an operation or at the end of a block. A loop operation is inserted with
//! an empty body first; then an emitter that stands in the body is handed to the function that fills it. The
//! files: [`arithmetic`] computes with numbers, [`complex`] with complex ones by their parts, [`nests`]
//! writes loop operations.

mod arithmetic;
pub mod complex;
mod nests;

use melior::ir::{
    AffineExpr, Attribute, AttributeLike, BlockRef, Location, OperationRef, Type, ValueLike,
    attribute::{FloatAttribute, IntegerAttribute},
    r#type::IntegerType,
};
use std::ops::Deref;
use terrace_dialects::{
    analysis::known::Known,
    ir::{
        OperationLike, attributes,
        cursor::{Cursor, V},
        extent::Extent,
        operations::{definition, name_of},
        pass::Failure,
        refusal::Reason,
        shaped::Shaped,
        types::is_truth,
        types::{is_float, part},
    },
};
use terrace_size::DYNAMIC;

/// What a function that fills a body gives: a value, or why there is none.
pub type Emitted<'c, 'a> = Result<V<'c, 'a>, Failure>;

/// The type of a tensor, with its sizes: values in the places of those that the type does not say.
#[derive(Clone)]
pub struct Typed<'c, 'a> {
    /// The type.
    pub ty: Type<'c>,
    /// One size per dimension.
    pub extents: Vec<Extent<'c, 'a>>,
}

impl<'c> From<Type<'c>> for Typed<'c, '_> {
    fn from(ty: Type<'c>) -> Self {
        let shape = Shaped::of(ty).map_or(vec![], |shaped| shaped.shape);
        Self { ty, extents: Extent::numbers(&shape) }
    }
}

impl<'c, 'a> Typed<'c, 'a> {
    /// The sizes, all of them known by now.
    fn sizes(&self) -> Result<(Vec<V<'c, 'a>>, Vec<i64>), Failure> {
        if self.extents.iter().any(|extent| extent.is(DYNAMIC)) {
            let why = Reason::Size.says(format!("makes {}, of which not all sizes are known here", self.ty));
            return Err(why.into());
        }
        Ok(Extent::split(&self.extents))
    }
}

/// A number that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer, or a bool as 0 or 1.
    Int(i64),
    /// A float.
    Float(f64),
}

impl Number {
    /// The number as a float.
    pub fn float(self) -> f64 {
        match self {
            Self::Int(i) => i as f64,
            Self::Float(f) => f,
        }
    }
}

/// How two numbers are compared; of floats, false where one is nan, but for `Ne`.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Writes operations at one place. Nothing that it spells itself is left to inference, so none of it is
/// refused.
#[derive(Clone, Copy)]
pub struct Emitter<'c, 'a> {
    at: Cursor<'c, 'a>,
    /// What is known of values beyond their types.
    pub known: Known<'a>,
}

impl<'c, 'a> Deref for Emitter<'c, 'a> {
    type Target = Cursor<'c, 'a>;

    fn deref(&self) -> &Self::Target {
        &self.at
    }
}

impl<'c, 'a> Emitter<'c, 'a> {
    /// Stands in front of an operation, with its location; an error where it is in no block.
    pub fn before(op: OperationRef<'c, 'a>) -> Result<Self, Failure> {
        Ok(Self { at: Cursor::before(op)?, known: Known::NOTHING })
    }

    /// Stands at the end of a block.
    pub fn at_end(block: BlockRef<'c, 'a>, location: Location<'c>) -> Self {
        Self { at: Cursor::end(block, location), known: Known::NOTHING }
    }

    /// The same place, with this known of values.
    pub fn knowing(self, known: Known<'a>) -> Self {
        Self { known, ..self }
    }

    /// The end of a block, with the same known and the same location.
    fn at_end_of(&self, block: BlockRef<'c, 'a>) -> Self {
        Self { at: Cursor::end(block, self.at.location), ..*self }
    }

    /// The same place for operations of another location.
    pub fn of(self, location: Location<'c>) -> Self {
        Self { at: self.at.of(location), ..self }
    }

    /// Writes an operation that has its result types and attributes given.
    pub fn build(
        &self,
        name: &str,
        operands: &[V<'c, 'a>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> OperationRef<'c, 'a> {
        let attributes: Vec<_> = attributes.iter().map(|(name, value)| self.named(name, *value)).collect();
        self.at.build(name, operands, results, &attributes, vec![]).expect("nothing is left to inference")
    }

    /// [`Emitter::build`] of one result.
    pub fn op(
        &self,
        name: &str,
        operands: &[V<'c, 'a>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> V<'c, 'a> {
        self.build(name, operands, &[result], attributes).result_at(0).expect("it has one").into()
    }

    /// An operation whose result has the type of its first operand.
    pub fn same(&self, name: &str, operands: &[V<'c, 'a>]) -> V<'c, 'a> {
        self.op(name, operands, operands[0].r#type(), &[])
    }

    /// The type of truth values.
    pub fn bool_type(&self) -> Type<'c> {
        IntegerType::new(self.context, 1).into()
    }

    /// A constant of a number type: of floats, integers, indices or complex numbers.
    pub fn constant(&self, ty: Type<'c>, number: Number) -> V<'c, 'a> {
        if let Some(part) = part(ty) {
            return self.join(self.real(self.constant(part, number)));
        }
        let value: Attribute = match number {
            _ if is_float(ty) => FloatAttribute::new(self.context, ty, number.float()).into(),
            Number::Int(i) => IntegerAttribute::new(ty, i).into(),
            Number::Float(f) => IntegerAttribute::new(ty, f as i64).into(),
        };
        self.op("arith.constant", &[], ty, &[("value", value)])
    }

    /// A constant of the type of another value.
    pub fn like(&self, value: V<'c, 'a>, number: f64) -> V<'c, 'a> {
        self.constant(value.r#type(), Number::Float(number))
    }

    /// A constant index.
    pub fn index(&self, i: i64) -> V<'c, 'a> {
        self.constant(self.index_type(), Number::Int(i))
    }

    /// Dimension `i` of the expressions of an access.
    pub fn dim(&self, i: usize) -> AffineExpr<'c> {
        AffineExpr::dim(self.context, i)
    }

    /// A number in the expressions of an access.
    pub fn number(&self, i: i64) -> AffineExpr<'c> {
        AffineExpr::constant(self.context, i)
    }
}

/// The number that an attribute holds.
pub fn number_of(attribute: Attribute) -> Option<Number> {
    if attribute.is_float() {
        return Some(Number::Float(attributes::f64(attribute)));
    }
    // A bool is i1, whose 1 reads as -1 when signed.
    let is_bool = || is_truth(attributes::type_of(attribute));
    let number = || if is_bool() { attributes::bool(attribute) as i64 } else { attributes::i64(attribute) };
    attribute.is_integer().then(|| Number::Int(number()))
}

/// The number that a value is, where an `arith.constant` makes it.
pub fn known(value: V) -> Option<Number> {
    let op = definition(value).filter(|op| name_of(*op) == "arith.constant")?;
    number_of(op.attribute("value").ok()?)
}

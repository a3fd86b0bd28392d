//! Writes arithmetic in front of an operation, on scalars and vectors alike.
//!
//! An [`Emitter`] stands at an operation and has its shape: none for a scalar, the dimensions of a vector.
//! Every value it makes has that shape, so an expansion reads as a formula on one element.

use super::Target;
use melior::ir::{
    Attribute, Block, OperationRef, Region, RegionLike, Type, TypeLike, ValueLike,
    attribute::{
        DenseElementsAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute, FloatAttribute,
        IntegerAttribute, StringAttribute,
    },
    r#type::IntegerType,
};
use std::array;
use terrace_dialects::ir::{BlockLike, OperationLike, cursor::Cursor, types};

/// A value of an expansion.
pub(super) use terrace_dialects::ir::cursor::V;

/// The type of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    I1,
    I16,
    I32,
    I64,
    F32,
    F64,
}

/// Comparisons of floats: those with `O` are false where an operand is NaN, with `U` true.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cmp {
    Oeq = 1,
    Ogt = 2,
    Olt = 4,
    Une = 13,
    Uno = 14,
}

/// Comparisons of integers.
#[derive(Debug, Clone, Copy)]
pub(super) enum IntCmp {
    Eq = 0,
    Ne = 1,
    Slt = 2,
    Ult = 6,
}

/// Writes operations of one shape at one place.
pub(super) struct Emitter<'c, 'a> {
    pub(super) target: Target,
    /// Where operations go.
    at: Cursor<'c, 'a>,
    /// The dimensions of a vector; `None` for a scalar.
    shape: Option<Vec<u64>>,
}

impl<'c, 'a> Emitter<'c, 'a> {
    /// An emitter in front of `op`, with the shape of `like`; `None` where `op` is in no block.
    pub fn new(op: OperationRef<'c, 'a>, like: Type<'c>, target: Target) -> Option<Self> {
        let shape = like.is_vector().then(|| dimensions(like));
        Some(Emitter { target, at: Cursor::before(op).ok()?, shape })
    }

    /// Whether values are vectors of this many elements, in one dimension.
    pub fn is_vector_of(&self, lanes: u64) -> bool {
        self.shape.as_deref() == Some(&[lanes])
    }

    fn element(&self, element: Element) -> Type<'c> {
        match element {
            Element::I1 => IntegerType::new(self.at.context, 1).into(),
            Element::I16 => IntegerType::new(self.at.context, 16).into(),
            Element::I32 => IntegerType::new(self.at.context, 32).into(),
            Element::I64 => IntegerType::new(self.at.context, 64).into(),
            Element::F32 => Type::float32(self.at.context),
            Element::F64 => Type::float64(self.at.context),
        }
    }

    /// Whether values are scalars or vectors of one dimension, which LLVM has too.
    pub fn is_flat(&self) -> bool {
        self.shape.as_ref().is_none_or(|shape| shape.len() == 1)
    }

    /// The type of values with this element.
    fn ty(&self, element: Element) -> Type<'c> {
        let element = self.element(element);
        match &self.shape {
            Some(shape) => Type::vector(shape, element),
            None => element,
        }
    }

    fn build(
        &self,
        name: &str,
        operands: &[V<'c, 'a>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        regions: Vec<Region<'c>>,
    ) -> OperationRef<'c, 'a> {
        let attributes: Vec<_> = attributes.iter().map(|(name, value)| self.at.named(name, *value)).collect();
        self.at.build(name, operands, results, &attributes, regions).expect("nothing is left to inference")
    }

    fn op(
        &self,
        name: &str,
        operands: &[V<'c, 'a>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> V<'c, 'a> {
        let operation = self.build(name, operands, &[result], attributes, Vec::new());
        operation.result_at(0).expect("it has one").into()
    }

    /// An operation on equal types, which is also the result's.
    pub fn same(&self, name: &str, operands: &[V<'c, 'a>]) -> V<'c, 'a> {
        self.op(name, operands, operands[0].r#type(), &[])
    }

    fn constant(&self, ty: Type<'c>, element: Attribute<'c>) -> V<'c, 'a> {
        let value = match self.shape {
            Some(_) => DenseElementsAttribute::splat(ty, element).into(),
            None => element,
        };
        self.op("arith.constant", &[], ty, &[("value", value)])
    }

    /// A float constant of the same type as `like`.
    pub fn like(&self, like: V<'c, 'a>, value: f64) -> V<'c, 'a> {
        let element = if is_f64(like.r#type()) { Element::F64 } else { Element::F32 };
        self.float(element, value)
    }

    /// An f32 constant.
    pub fn f32(&self, value: f32) -> V<'c, 'a> {
        self.float(Element::F32, value.into())
    }

    fn float(&self, element: Element, value: f64) -> V<'c, 'a> {
        let number = FloatAttribute::new(self.at.context, self.element(element), value);
        self.constant(self.ty(element), number.into())
    }

    /// An i32 constant.
    pub fn i32(&self, value: i32) -> V<'c, 'a> {
        self.constant(
            self.ty(Element::I32),
            IntegerAttribute::new(self.element(Element::I32), value.into()).into(),
        )
    }

    /// An i64 constant.
    pub fn i64(&self, value: i64) -> V<'c, 'a> {
        self.constant(self.ty(Element::I64), IntegerAttribute::new(self.element(Element::I64), value).into())
    }

    /// An integer constant of the same type as `like`.
    pub fn integer_like(&self, like: V<'c, 'a>, value: i64) -> V<'c, 'a> {
        let element = element_type(like.r#type()).expect("a number or a vector of them");
        self.constant(like.r#type(), IntegerAttribute::new(element, value).into())
    }

    pub fn add(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.addf", &[a, b])
    }

    pub fn sub(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.subf", &[a, b])
    }

    pub fn mul(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.mulf", &[a, b])
    }

    pub fn div(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.divf", &[a, b])
    }

    /// The quotient by a divisor from 1 to 2^126; on a GPU to 2 ULP, and 0 where it is denormal.
    pub fn ratio(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        if self.is_gpu() { self.each("llvm.nvvm.div.approx.ftz.f", &[a, b]) } else { self.div(a, b) }
    }

    /// What a quotient says that need not be exact.
    pub fn near(&self) -> Option<Attribute<'c>> {
        Attribute::parse(self.at.context, "#arith.fastmath<afn>")
    }

    /// A vector of one number.
    pub fn spread(&self, number: V<'c, 'a>) -> V<'c, 'a> {
        let element = if is_f64(number.r#type()) { Element::F64 } else { Element::F32 };
        self.op("vector.broadcast", &[number], self.ty(element), &[])
    }

    pub fn neg(&self, a: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.negf", &[a])
    }

    pub fn sqrt(&self, a: V<'c, 'a>) -> V<'c, 'a> {
        if self.is_gpu() { self.intrinsic("llvm.sqrt", &[a], &[]) } else { self.same("math.sqrt", &[a]) }
    }

    /// `a b + c`, rounded once where the target can; expansions hold their bounds with two roundings as well.
    pub fn fma(&self, a: V<'c, 'a>, b: V<'c, 'a>, c: V<'c, 'a>) -> V<'c, 'a> {
        if self.target.fma { self.same("math.fma", &[a, b, c]) } else { self.add(self.mul(a, b), c) }
    }

    /// The polynomial in `x` with these coefficients, the constant first, by Horner's rule.
    pub fn polynomial(&self, x: V<'c, 'a>, coefficients: &[f64]) -> V<'c, 'a> {
        let (last, rest) = coefficients.split_last().expect("a polynomial has a coefficient");
        rest.iter().rev().fold(self.like(x, *last), |sum, &c| self.fma(sum, x, self.like(x, c)))
    }

    /// Whether powers of 2 in f32, the greater and the lesser of two, and roots are instructions.
    pub fn is_gpu(&self) -> bool {
        self.target.nvptx && self.is_flat()
    }

    /// The lesser of `x` and `limit`; NaN stays. One instruction on x86: operands in the order of `minps`.
    pub fn at_most(&self, x: V<'c, 'a>, limit: f64) -> V<'c, 'a> {
        self.bounded(x, self.like(x, limit), ("llvm.minimum", Cmp::Olt))
    }

    /// The greater of `x` and `limit`; NaN stays.
    pub fn at_least(&self, x: V<'c, 'a>, limit: f64) -> V<'c, 'a> {
        self.bounded(x, self.like(x, limit), ("llvm.maximum", Cmp::Ogt))
    }

    fn bounded(&self, x: V<'c, 'a>, limit: V<'c, 'a>, (gpus, past): (&str, Cmp)) -> V<'c, 'a> {
        match self.is_gpu() {
            true => self.intrinsic(gpus, &[x, limit], &[]),
            false => self.select(self.cmp(past, limit, x), limit, x),
        }
    }

    pub fn cmp(&self, predicate: Cmp, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.compare("arith.cmpf", predicate as i64, a, b)
    }

    pub fn cmpi(&self, predicate: IntCmp, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.compare("arith.cmpi", predicate as i64, a, b)
    }

    fn compare(&self, name: &str, predicate: i64, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        let predicate = IntegerAttribute::new(self.element(Element::I64), predicate).into();
        self.op(name, &[a, b], self.ty(Element::I1), &[("predicate", predicate)])
    }

    pub fn select(&self, condition: V<'c, 'a>, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.op("arith.select", &[condition, a, b], a.r#type(), &[])
    }

    pub fn and(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.andi", &[a, b])
    }

    pub fn or(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.ori", &[a, b])
    }

    pub fn xor(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.xori", &[a, b])
    }

    /// Where a condition does not hold.
    pub fn not(&self, condition: V<'c, 'a>) -> V<'c, 'a> {
        self.xor(condition, self.integer_like(condition, -1))
    }

    /// The lower and the upper half of the product of two unsigned i64.
    pub fn multiply_wide(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
        let types = [a.r#type(); 2];
        let product = self.build("arith.mului_extended", &[a, b], &types, &[], Vec::new());
        let half = |i: usize| product.result_at(i).expect("it has two").into();
        (half(0), half(1))
    }

    /// The sum of two unsigned i64, and the carry as a third.
    pub fn add_carry(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
        let sum = self.addi(a, b);
        let carry = self.cmpi(IntCmp::Ult, sum, a);
        (sum, self.op("arith.extui", &[carry], a.r#type(), &[]))
    }

    pub fn addi(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.addi", &[a, b])
    }

    pub fn subi(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.subi", &[a, b])
    }

    pub fn muli(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.muli", &[a, b])
    }

    pub fn shl(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.shli", &[a, b])
    }

    /// A shift to the right that keeps the sign.
    pub fn shr(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.shrsi", &[a, b])
    }

    /// A shift to the right that brings in zeros.
    pub fn shr_unsigned(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.shrui", &[a, b])
    }

    /// The bits of a float as an integer of its width, or the other way round.
    pub fn bits(&self, a: V<'c, 'a>, to: Element) -> V<'c, 'a> {
        self.op("arith.bitcast", &[a], self.ty(to), &[])
    }

    pub fn int_to_float(&self, a: V<'c, 'a>, to: Element) -> V<'c, 'a> {
        self.op("arith.sitofp", &[a], self.ty(to), &[])
    }

    /// Towards zero; the value must fit.
    pub fn float_to_int(&self, a: V<'c, 'a>, to: Element) -> V<'c, 'a> {
        self.op("arith.fptosi", &[a], self.ty(to), &[])
    }

    /// A narrower float to f64.
    pub fn extend(&self, a: V<'c, 'a>) -> V<'c, 'a> {
        self.op("arith.extf", &[a], self.ty(Element::F64), &[])
    }

    /// A float to a narrower type, rounded to nearest.
    pub fn truncate_to(&self, a: V<'c, 'a>, ty: Type<'c>) -> V<'c, 'a> {
        self.op("arith.truncf", &[a], ty, &[])
    }

    /// f64 to f32, rounded to nearest.
    pub fn truncate(&self, a: V<'c, 'a>) -> V<'c, 'a> {
        self.op("arith.truncf", &[a], self.ty(Element::F32), &[])
    }

    /// The low half of an i64.
    pub fn low(&self, a: V<'c, 'a>) -> V<'c, 'a> {
        self.op("arith.trunci", &[a], self.ty(Element::I32), &[])
    }

    /// i32 to i64, unsigned.
    pub fn extend_unsigned(&self, a: V<'c, 'a>) -> V<'c, 'a> {
        self.op("arith.extui", &[a], self.ty(Element::I64), &[])
    }

    /// `value` with its sign bit flipped where `sign`, an i32, has its own set; `sign` has no other bit.
    pub fn flip_sign(&self, value: V<'c, 'a>, sign: V<'c, 'a>) -> V<'c, 'a> {
        self.bits(self.xor(self.bits(value, Element::I32), sign), Element::F32)
    }

    /// An f32 taken apart: its absolute value, and its sign bit as an i32.
    pub fn magnitude_and_sign(&self, x: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
        let bits = self.bits(x, Element::I32);
        let magnitude = self.bits(self.and(bits, self.i32(i32::MAX)), Element::F32);
        (magnitude, self.and(bits, self.i32(i32::MIN)))
    }

    /// Calls an LLVM intrinsic on whole vectors; `scalars` are constants after them, each with its type.
    pub fn intrinsic(&self, name: &str, operands: &[V<'c, 'a>], scalars: &[(Element, i64)]) -> V<'c, 'a> {
        let constants = scalars.iter().map(|&(element, value)| {
            let ty = self.element(element);
            self.op("arith.constant", &[], ty, &[("value", IntegerAttribute::new(ty, value).into())])
        });
        let all: Vec<_> = operands.iter().copied().chain(constants).collect();
        let name = StringAttribute::new(self.at.context, name).into();
        let segments = self.i32_array(&[all.len() as i32, 0]);
        let attributes =
            [("intrin", name), ("operandSegmentSizes", segments), ("op_bundle_sizes", self.i32_array(&[]))];
        self.op("llvm.call_intrinsic", &all, operands[0].r#type(), &attributes)
    }

    /// Calls an LLVM intrinsic on f32, which is of numbers, on each element.
    pub fn each(&self, name: &str, operands: &[V<'c, 'a>]) -> V<'c, 'a> {
        let Some([lanes]) = self.shape.as_deref() else { return self.intrinsic(name, operands, &[]) };
        let element = self.element(Element::F32);
        let one = |lane: i64| {
            let place = DenseI64ArrayAttribute::new(self.at.context, &[lane]).into();
            let part =
                |x: &V<'c, 'a>| self.op("vector.extract", &[*x], element, &[("static_position", place)]);
            self.intrinsic(name, &operands.iter().map(part).collect::<Vec<_>>(), &[])
        };
        let values: Vec<V> = (0..*lanes as i64).map(one).collect();
        self.op("vector.from_elements", &values, operands[0].r#type(), &[])
    }

    fn i32_array(&self, values: &[i32]) -> Attribute<'c> {
        DenseI32ArrayAttribute::new(self.at.context, values).into()
    }

    /// `rare` for the elements where `condition` holds and `common` for the others; `rare` is not computed
    /// where the condition holds for none.
    pub fn unlikely<const N: usize>(
        &self,
        condition: V<'c, 'a>,
        common: [V<'c, 'a>; N],
        rare: impl FnOnce(&Self) -> [V<'c, 'a>; N],
    ) -> [V<'c, 'a>; N] {
        let any = self.any(condition);
        let region = || {
            let region = Region::new();
            region.append_block(Block::new(&[]));
            region
        };
        let types = common.map(|value| value.r#type());
        let branch = self.build("scf.if", &[any], &types, &[], vec![region(), region()]);
        let inside = |i: usize| {
            let block = branch.region(i).ok().and_then(|region| region.first_block());
            let block = block.expect("the region was made with a block");
            Emitter { at: Cursor::end(block, self.at.location), shape: self.shape.clone(), ..*self }
        };
        let then = inside(0);
        let rare = rare(&then);
        let values: [_; N] = array::from_fn(|i| then.select(condition, rare[i], common[i]));
        then.build("scf.yield", &values, &[], &[], Vec::new());
        inside(1).build("scf.yield", &common, &[], &[], Vec::new());
        array::from_fn(|i| branch.result_at(i).expect("one a value").into())
    }

    /// Carries values on, from `state`, as long as a condition holds for any element. Where it does not hold,
    /// `step` changes nothing that matters.
    pub fn while_any<const N: usize>(
        &self,
        state: [V<'c, 'a>; N],
        condition: impl FnOnce(&Self, [V<'c, 'a>; N]) -> V<'c, 'a>,
        step: impl FnOnce(&Self, [V<'c, 'a>; N]) -> [V<'c, 'a>; N],
    ) -> [V<'c, 'a>; N] {
        let types = state.map(|value| value.r#type());
        let region = || {
            let region = Region::new();
            region.append_block(Block::new(&types.map(|ty| (ty, self.at.location))));
            region
        };
        let repeat = self.build("scf.while", &state, &types, &[], vec![region(), region()]);
        let inside = |i: usize| {
            let block = repeat.region(i).ok().and_then(|region| region.first_block());
            let block = block.expect("the region was made with a block");
            let values = array::from_fn(|i| block.argument(i).expect("one a value").into());
            (Emitter { at: Cursor::end(block, self.at.location), shape: self.shape.clone(), ..*self }, values)
        };
        let (before, values) = inside(0);
        let any = before.any(condition(&before, values));
        before.build("scf.condition", &[&[any], &values[..]].concat(), &[], &[], Vec::new());
        let (after, values) = inside(1);
        let next = step(&after, values);
        after.build("scf.yield", &next, &[], &[], Vec::new());
        array::from_fn(|i| repeat.result_at(i).expect("one a value").into())
    }

    /// Whether a condition holds for any element.
    fn any(&self, condition: V<'c, 'a>) -> V<'c, 'a> {
        let Some(shape) = &self.shape else { return condition };
        let flag = self.element(Element::I1);
        let flat = Type::vector(&[shape.iter().product()], flag);
        let condition = match shape.len() {
            1 => condition,
            _ => self.op("vector.shape_cast", &[condition], flat, &[]),
        };
        let or = Attribute::parse(self.at.context, "#vector.kind<or>").expect("an attribute of upstream's");
        self.op("vector.reduction", &[condition], flag, &[("kind", or)])
    }
}

/// The dimensions of a vector type.
fn dimensions(vector: Type) -> Vec<u64> {
    types::sizes(vector).into_iter().map(|size| size as u64).collect()
}

/// Whether a type is f64 or a vector of it.
fn is_f64(ty: Type) -> bool {
    element_type(ty).is_some_and(|element| element.is_f64())
}

/// The element type of a vector of fixed size and at least one dimension, or the type itself.
pub(super) fn element_type<'c>(ty: Type<'c>) -> Option<Type<'c>> {
    if !ty.is_vector() {
        return Some(ty);
    }
    types::element(ty).filter(|_| !types::sizes(ty).is_empty() && !ty.is_scalable_vector())
}

//! A place where operations are written: in front of one, or at the end of a block.

use super::{BlockLike, OperationLike, context, extent::Extent, failure::Failure};
use melior::{
    Context,
    ir::{
        Attribute, Block, BlockRef, Identifier, Location, Operation, OperationRef, Region, RegionLike, Type,
        Value, ValueLike,
        attribute::{
            ArrayAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute, IntegerAttribute,
            StringAttribute, TypeAttribute,
        },
        operation::OperationBuilder,
        r#type::{FunctionType, IntegerType},
    },
};
use mlir_sys::{
    mlirBlockArgumentGetOwner, mlirBlockGetParentOperation, mlirOpResultGetOwner, mlirOperationGetBlock,
    mlirValueIsABlockArgument,
};
use terrace_size::symbols::Predicate;

/// A value of a function that a pass works on.
pub type V<'c, 'a> = Value<'c, 'a>;

/// The values of an operation's results.
pub type Results<'c, 'a> = Result<Vec<V<'c, 'a>>, Failure>;

/// A place in a block, and the location of what is written there.
#[derive(Clone, Copy)]
pub struct Cursor<'c, 'a> {
    /// The context.
    pub context: &'c Context,
    /// The location of what is written.
    pub location: Location<'c>,
    block: BlockRef<'c, 'a>,
    /// What is written goes in front of it; to the end of the block where there is none.
    anchor: Option<OperationRef<'c, 'a>>,
}

impl<'c, 'a> Cursor<'c, 'a> {
    /// Whether a value is of this block or of one around it: what stands in front of this place there can be
    /// used here.
    pub fn sees(&self, value: V<'c, 'a>) -> bool {
        // SAFETY: value and block are alive; an operation in no block ends the search.
        unsafe {
            let value = value.to_raw();
            let of = match mlirValueIsABlockArgument(value) {
                true => mlirBlockArgumentGetOwner(value),
                false => mlirOperationGetBlock(mlirOpResultGetOwner(value)),
            };
            let mut block = self.block.to_raw();
            while !block.ptr.is_null() && block.ptr != of.ptr {
                block = mlirOperationGetBlock(mlirBlockGetParentOperation(block));
            }
            !block.ptr.is_null()
        }
    }

    /// The place in front of an operation, with its location; an error where it is in no block.
    pub fn before(op: OperationRef<'c, 'a>) -> Result<Self, Failure> {
        let block = op.block().ok_or("is in no block")?;
        Ok(Self { context: context::of(op.context()), location: op.location(), block, anchor: Some(op) })
    }

    /// The end of a block.
    pub fn end(block: BlockRef<'c, 'a>, location: Location<'c>) -> Self {
        Self { context: context::of(location.context()), location, block, anchor: None }
    }

    /// The start of a block.
    pub fn start(block: BlockRef<'c, 'a>, location: Location<'c>) -> Self {
        Self { anchor: block.first_operation(), ..Self::end(block, location) }
    }

    /// The same place for operations of another location.
    pub fn of(self, location: Location<'c>) -> Self {
        Self { location, ..self }
    }

    /// Writes an operation.
    pub fn insert(&self, operation: Operation<'c>) -> OperationRef<'c, 'a> {
        match self.anchor {
            Some(anchor) => self.block.insert_operation_before(anchor, operation),
            None => self.block.append_operation(operation),
        }
    }

    /// An attribute with its name.
    pub fn named(&self, name: &str, attribute: impl Into<Attribute<'c>>) -> (Identifier<'c>, Attribute<'c>) {
        (Identifier::new(self.context, name), attribute.into())
    }

    /// Writes an operation of these parts.
    pub fn build(
        &self,
        name: &str,
        operands: &[V<'c, 'a>],
        results: &[Type<'c>],
        attributes: &[(Identifier<'c>, Attribute<'c>)],
        regions: Vec<Region<'c>>,
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let operation = OperationBuilder::new(name, self.location)
            .add_operands(operands)
            .add_results(results)
            .add_attributes(attributes)
            .add_regions_vec(regions)
            .build()?;
        Ok(self.insert(operation))
    }

    /// Writes an operation of one result and no attributes.
    pub fn op(&self, name: &str, operands: &[V<'c, 'a>], result: Type<'c>) -> Result<V<'c, 'a>, Failure> {
        self.with(name, operands, result, &[])
    }

    /// Writes an operation of one result.
    pub fn with(
        &self,
        name: &str,
        operands: &[V<'c, 'a>],
        result: Type<'c>,
        attributes: &[(Identifier<'c>, Attribute<'c>)],
    ) -> Result<V<'c, 'a>, Failure> {
        Ok(self.build(name, operands, &[result], attributes, vec![])?.result_at(0)?.into())
    }

    /// A constant.
    pub fn constant(&self, ty: Type<'c>, value: Attribute<'c>) -> Result<V<'c, 'a>, Failure> {
        self.with("arith.constant", &[], ty, &[self.named("value", value)])
    }

    /// An integer constant of an integer type.
    pub fn integer(&self, ty: Type<'c>, value: i64) -> Result<V<'c, 'a>, Failure> {
        self.constant(ty, IntegerAttribute::new(ty, value).into())
    }

    /// Whether two integers compare so.
    pub fn compare(&self, how: Predicate, a: V<'c, 'a>, b: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        let (truth, word) =
            (IntegerType::new(self.context, 1).into(), IntegerType::new(self.context, 64).into());
        let how = self.named("predicate", IntegerAttribute::new(word, how as i64));
        self.with("arith.cmpi", &[a, b], truth, &[how])
    }

    /// Declares a private function.
    pub fn declare(
        &self,
        name: &str,
        inputs: &[Type<'c>],
        results: &[Type<'c>],
        attributes: &[(Identifier<'c>, Attribute<'c>)],
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        self.function(name, inputs, results, attributes, Region::new())
    }

    /// Writes a private function.
    pub fn function(
        &self,
        name: &str,
        inputs: &[Type<'c>],
        results: &[Type<'c>],
        attributes: &[(Identifier<'c>, Attribute<'c>)],
        body: Region<'c>,
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let ty = FunctionType::new(self.context, inputs, results);
        let own = [
            self.named("sym_name", StringAttribute::new(self.context, name)),
            self.named("function_type", TypeAttribute::new(ty.into())),
            self.named("sym_visibility", StringAttribute::new(self.context, "private")),
        ];
        self.build("func.func", &[], &[], &[&own, attributes].concat(), vec![body])
    }

    /// The type of indices.
    pub fn index_type(&self) -> Type<'c> {
        Type::index(self.context)
    }

    /// A constant index.
    pub fn index(&self, value: i64) -> Result<V<'c, 'a>, Failure> {
        self.integer(self.index_type(), value)
    }

    /// An array of i64 as an attribute.
    pub fn numbers(&self, values: &[i64]) -> Attribute<'c> {
        DenseI64ArrayAttribute::new(self.context, values).into()
    }

    /// A list of i64 attributes, as older operations have them.
    pub fn number_list(&self, values: &[i64]) -> Attribute<'c> {
        let ty = IntegerType::new(self.context, 64).into();
        let values: Vec<Attribute> = values.iter().map(|v| IntegerAttribute::new(ty, *v).into()).collect();
        ArrayAttribute::new(self.context, &values).into()
    }

    /// A type as an attribute.
    pub fn type_attribute(&self, name: &str, ty: Type<'c>) -> (Identifier<'c>, Attribute<'c>) {
        self.named(name, TypeAttribute::new(ty))
    }

    /// New memory of a memref type, by `memref.alloc` or `memref.alloca`; `sizes` are those that the type
    /// does not say. It starts where 64 divides the address.
    pub fn allocate(&self, name: &str, ty: Type<'c>, sizes: &[V<'c, 'a>]) -> Result<V<'c, 'a>, Failure> {
        let word = IntegerType::new(self.context, 64).into();
        let segments = DenseI32ArrayAttribute::new(self.context, &[sizes.len() as i32, 0]);
        let attributes = [
            self.named("alignment", IntegerAttribute::new(word, 64)),
            self.named("operandSegmentSizes", segments),
        ];
        self.with(name, sizes, ty, &attributes)
    }

    /// An extent as a value.
    pub fn extent(&self, extent: Extent<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        match extent {
            Extent::Number(number) => self.index(number),
            Extent::Value(value) => Ok(value),
        }
    }

    fn with_number(
        &self,
        name: &str,
        extent: Extent<'c, 'a>,
        number: i64,
        known: impl FnOnce(i64) -> i64,
    ) -> Result<Extent<'c, 'a>, Failure> {
        Ok(match extent {
            Extent::Number(size) => Extent::Number(known(size)),
            Extent::Value(size) => {
                Extent::Value(self.op(name, &[size, self.index(number)?], self.index_type())?)
            }
        })
    }

    /// An extent and a number added.
    pub fn plus(&self, extent: Extent<'c, 'a>, number: i64) -> Result<Extent<'c, 'a>, Failure> {
        self.with_number("arith.addi", extent, number, |size| size.saturating_add(number))
    }

    /// An extent times a number.
    pub fn times(&self, extent: Extent<'c, 'a>, number: i64) -> Result<Extent<'c, 'a>, Failure> {
        self.with_number("arith.muli", extent, number, |size| size.saturating_mul(number))
    }

    /// An extent over a number above 0, rounded down.
    pub fn floor_div(&self, extent: Extent<'c, 'a>, number: i64) -> Result<Extent<'c, 'a>, Failure> {
        self.with_number("arith.divui", extent, number, |size| size / number)
    }

    /// What is left of an extent by a number above 0.
    pub fn rest(&self, extent: Extent<'c, 'a>, number: i64) -> Result<Extent<'c, 'a>, Failure> {
        self.with_number("arith.remui", extent, number, |size| size % number)
    }

    /// An extent over a number above 0, rounded up.
    pub fn ceil_div(&self, extent: Extent<'c, 'a>, number: i64) -> Result<Extent<'c, 'a>, Failure> {
        match extent {
            Extent::Number(size) => Ok(Extent::Number(size / number + i64::from(size % number != 0))),
            extent => self.floor_div(self.plus(extent, number - 1)?, number),
        }
    }

    /// The product of two extents.
    pub fn product(&self, a: Extent<'c, 'a>, b: Extent<'c, 'a>) -> Result<Extent<'c, 'a>, Failure> {
        match (a, b) {
            (Extent::Number(1), other) | (other, Extent::Number(1)) => Ok(other),
            (Extent::Number(a), b) => self.times(b, a),
            (a, Extent::Number(b)) => self.times(a, b),
            (Extent::Value(a), Extent::Value(b)) => {
                Ok(Extent::Value(self.op("arith.muli", &[a, b], self.index_type())?))
            }
        }
    }

    /// The indices of a point of a grid, counted in row-major order: the last index moves fastest.
    pub fn unravel(&self, point: V<'c, 'a>, grid: &[Extent<'c, 'a>]) -> Result<Vec<V<'c, 'a>>, Failure> {
        let mut indices = vec![];
        let mut inner = Extent::Number(1);
        for (d, size) in grid.iter().enumerate().rev() {
            let mut value = point;
            if size.is(1) {
                value = self.index(0)?;
            } else {
                if !inner.is(1) {
                    value = self.op("arith.divui", &[value, self.extent(inner)?], self.index_type())?;
                }
                if grid[..d].iter().any(|n| n.number().is_none_or(|n| n > 1)) {
                    let size = size.number().map_or(*size, |n| Extent::Number(n.max(1)));
                    value = self.op("arith.remui", &[value, self.extent(size)?], self.index_type())?;
                }
            }
            indices.push(value);
            inner = self.product(inner, size.number().map_or(*size, |n| Extent::Number(n.max(1))))?;
        }
        indices.reverse();
        Ok(indices)
    }

    /// `cf.assert`: stops the program with a message where something does not hold.
    pub fn assert(&self, holds: V<'c, 'a>, message: &str) -> Result<OperationRef<'c, 'a>, Failure> {
        let message = self.named("msg", StringAttribute::new(self.context, message));
        self.build("cf.assert", &[holds], &[], &[message], vec![])
    }

    /// `scf.for` from `from` to `to` by 1; `body` gets a place in it and the index.
    pub fn repeat(
        &self,
        from: V<'c, 'a>,
        to: V<'c, 'a>,
        body: impl FnOnce(Self, V<'c, 'a>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let region = Region::new();
        region.append_block(Block::new(&[(self.index_type(), self.location)]));
        let op = self.build("scf.for", &[from, to, self.index(1)?], &[], &[], vec![region])?;
        let block = op.region(0)?.first_block().ok_or("a loop has no body")?;
        let inner = Self::end(block, self.location);
        body(inner, block.argument(0)?.into())?;
        inner.build("scf.yield", &[], &[], &[], vec![])?;
        Ok(())
    }

    /// `scf.if` with results of these types: a place in each of its two ways, and its number, give what they
    /// are.
    pub fn either(
        &self,
        condition: V<'c, 'a>,
        results: &[Type<'c>],
        mut write: impl FnMut(Self, usize) -> Result<Vec<V<'c, 'a>>, Failure>,
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        let regions = [Region::new(), Region::new()].map(|region| {
            region.append_block(Block::new(&[]));
            region
        });
        let branch = self.build("scf.if", &[condition], results, &[], regions.into())?;
        for way in 0..2 {
            let block = branch.region(way)?.first_block().ok_or("a branch has no body")?;
            let end = Self::end(block, self.location);
            let values = write(end, way)?;
            end.build("scf.yield", &values, &[], &[], vec![])?;
        }
        Ok(branch.results().map(Value::from).collect())
    }

    /// `scf.if` without results; `body` gets a place in it.
    pub fn when(
        &self,
        condition: V<'c, 'a>,
        body: impl FnOnce(Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let region = Region::new();
        region.append_block(Block::new(&[]));
        let op = self.build("scf.if", &[condition], &[], &[], vec![region, Region::new()])?;
        let inner = Self::end(op.region(0)?.first_block().ok_or("a branch has no body")?, self.location);
        body(inner)?;
        inner.build("scf.yield", &[], &[], &[], vec![])?;
        Ok(())
    }
}

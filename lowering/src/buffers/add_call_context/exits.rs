//! Exits behind calls that fail: a test of the error, and a block that leaves the function.

use super::{
    calls::Writer,
    functions::{Callee, Function},
    services::{ALIGNED_ALLOC, ALLOC, Kind, LOCATE, PLAIN_ALLOC},
};
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{
        Block, BlockRef, Location, OperationRef, RegionLike, RegionRef, Type,
        attribute::{DenseI32ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute},
        operation::OperationBuilder,
        r#type::IntegerType,
    },
};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        attributes::ty,
        cursor::{Cursor, V},
        location,
        operations::name_of,
        pass::Failure,
        raw::llvm_function,
        rewrite::{detach, erase},
    },
};

impl<'c: 'a, 'a> Writer<'c, 'a> {
    /// Leaves a function behind each of these calls that fails.
    pub(super) fn leave(
        &mut self,
        function: &Function<'c, 'a>,
        context: V<'c, 'a>,
        calls: &[(OperationRef<'c, 'a>, Callee)],
    ) -> Result<(), Failure> {
        if calls.is_empty() {
            return Ok(());
        }
        let region = function.op.region(0)?;
        let location = function.op.location();
        let exit = region.append_block(Block::new(&[]));
        let at = Cursor::end(exit, location);
        // What allocates does not say where.
        let allocates = |to: &Callee| {
            matches!(
                to,
                Callee::Service(ALLOC | PLAIN_ALLOC | ALIGNED_ALLOC | "terrace_rt_check_capacity", ..)
            )
        };
        if calls.iter().any(|(_, to)| allocates(to)) {
            self.locate(&at, context, location)?;
        }
        let own = llvm_function(ty(function.op.attribute("function_type")?));
        let (result, _) = own.ok_or(internal!("is no function of LLVM's"))?;
        let results = match result == llvm_type::void(at.context) {
            true => vec![],
            false => vec![at.op("llvm.mlir.poison", &[], result)?],
        };
        at.build("llvm.return", &results, &[], &[], vec![])?;
        // From the end, so that each operation moves once.
        for (call, to) in calls.iter().rev() {
            let told = matches!(to, Callee::Service(_, Kind::Reports, _));
            let after = call.next_in_block().ok_or(internal!("a block ends in a call"))?;
            if told && name_of(after) == "llvm.br" {
                let block = call.block().ok_or(internal!("is in no block"))?;
                erase(after);
                jump(call.location(), &exit, block)?;
                continue;
            }
            let at = Cursor::before(after)?.of(call.location());
            let error = at.op("llvm.load", &[context], self.pointer())?;
            let null = self.null(&at)?;
            let word: Type = IntegerType::new(at.context, 64).into();
            let differs = at.named("predicate", IntegerAttribute::new(word, 1));
            let truth: Type = IntegerType::new(at.context, 1).into();
            let failed = at.with("llvm.icmp", &[error, null], truth, &[differs])?;
            let (block, rest) = cut(region, after)?;
            let says_where = matches!(to, Callee::Service(..))
                && !told
                && !allocates(to)
                && !matches!(to, Callee::Service(_, Kind::Runs, _));
            let way = if says_where && location::place(call.location()).is_some() {
                let way = region.append_block(Block::new(&[]));
                self.locate(&Cursor::end(way, call.location()), context, call.location())?;
                jump(call.location(), &exit, way)?;
                way
            } else {
                exit
            };
            branch(call.location(), failed, [&way, &rest], block)?;
        }
        Ok(())
    }

    /// Says where an error came up.
    fn locate(&mut self, at: &Cursor<'c, 'a>, context: V<'c, 'a>, of: Location<'c>) -> Result<(), Failure> {
        let Some(place) = self.place(at, of)? else { return Ok(()) };
        let attributes = [
            at.named("callee", FlatSymbolRefAttribute::new(at.context, LOCATE)),
            at.named("operandSegmentSizes", DenseI32ArrayAttribute::new(at.context, &[2, 0])),
            at.named("op_bundle_sizes", DenseI32ArrayAttribute::new(at.context, &[])),
        ];
        let call = at.build("llvm.call", &[context, place], &[], &attributes, vec![])?;
        self.service(LOCATE, call)
    }
}

/// Ends a block in front of an operation: the block, and a new one behind it with the rest.
fn cut<'c, 'a>(
    region: RegionRef<'c, 'a>,
    first: OperationRef<'c, 'a>,
) -> Result<(BlockRef<'c, 'a>, BlockRef<'c, 'a>), Failure> {
    let block = first.block().ok_or(internal!("is in no block"))?;
    let rest = region.insert_block_after(block, Block::new(&[]));
    let mut next = Some(first);
    while let Some(op) = next {
        next = op.next_in_block();
        rest.append_operation(detach(op));
    }
    Ok((block, rest))
}

fn jump<'c>(location: Location<'c>, to: &Block<'c>, from: BlockRef<'c, '_>) -> Result<(), Failure> {
    from.append_operation(OperationBuilder::new("llvm.br", location).add_successors(&[to]).build()?);
    Ok(())
}

/// Goes the first way where something holds, which it seldom does, else the second.
fn branch<'c>(
    location: Location<'c>,
    holds: V<'c, '_>,
    ways: [&Block<'c>; 2],
    from: BlockRef<'c, '_>,
) -> Result<(), Failure> {
    let at = Cursor::end(from, location);
    let list = |values: &[i32]| DenseI32ArrayAttribute::new(at.context, values);
    let branch = OperationBuilder::new("llvm.cond_br", location)
        .add_operands(&[holds])
        .add_attributes(&[
            at.named("operandSegmentSizes", list(&[1, 0, 0])),
            at.named("branch_weights", list(&[1, 1 << 20])),
        ])
        .add_successors(&ways)
        .build()?;
    from.append_operation(branch);
    Ok(())
}

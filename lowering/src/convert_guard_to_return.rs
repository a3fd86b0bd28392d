//! The pass `convert-guard-to-return`: a guard that does not hold ends the function, and says so to who called.
//!
//! Contract: blocks and branches of `cf` in functions; `graph.guard` stands where nothing is allocated yet. Each guard ends its block: what is behind it
//! goes on in a block of its own, and where the condition is false the text goes to the runtime (`terrace_rt_refuse`) and the function returns. What
//! it returns then is poison, which nobody looks at.

use crate::text;
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{
        Block, Location, Operation, OperationRef, RegionLike, Type, attribute::DenseI32ArrayAttribute,
        operation::OperationBuilder, r#type::FunctionType,
    },
};
use mlir_sys::{mlirOperationRemoveFromParent, mlirRegionInsertOwnedBlockAfter};
use std::collections::HashMap;
use terrace_dialects::{
    attributes as convert,
    cursor::Cursor,
    ir::{BlockLike, OperationLike},
    operations::{collect, erase, name_of},
    pass::Failure,
};

/// What hears that a call is refused, and why.
const REFUSE: &str = "terrace_rt_refuse";

/// Converts the guards of a module.
pub fn run(module: OperationRef, _: &crate::options::ConvertGuardToReturn) -> Result<(), Failure> {
    let guards = collect(module, |op| name_of(op) == "graph.guard");
    let Some(first) = module.region(0)?.first_block().and_then(|block| block.first_operation()) else {
        return Ok(());
    };
    if guards.is_empty() {
        return Ok(());
    }
    let top = Cursor::before(first)?;
    let mut messages: HashMap<String, String> = HashMap::new();
    for guard in guards {
        let message = convert::string(guard.attribute("text")?);
        let name = match messages.get(&message) {
            Some(name) => name.clone(),
            None => {
                let name = format!("terrace.guard.{}", messages.len());
                text::constant(&top.of(guard.location()), &name, &message)?;
                messages.insert(message, name.clone());
                name
            }
        };
        split(guard, &name)?;
    }
    top.declare(REFUSE, &[llvm_type::pointer(top.context, 0)], &[], &[]).map(drop)
}

/// Ends the block at a guard.
fn split(guard: OperationRef, message: &str) -> Result<(), Failure> {
    let function = guard.parent_operation().filter(|around| name_of(*around) == "func.func");
    let function = function.ok_or("stands in no function")?;
    let (region, block) = (function.region(0)?, guard.block().ok_or("stands in no block")?);
    let location = guard.location();
    // SAFETY: the blocks belong to the region from here on, and operations move between blocks of one region.
    let rest = unsafe {
        let rest = Block::new(&[]);
        let raw = rest.to_raw();
        std::mem::forget(rest);
        mlirRegionInsertOwnedBlockAfter(region.to_raw(), block.to_raw(), raw);
        melior::ir::BlockRef::from_raw(raw)
    };
    while let Some(op) = guard.next_in_block() {
        // SAFETY: as above.
        unsafe {
            mlirOperationRemoveFromParent(op.to_raw());
            rest.append_operation(Operation::from_raw(op.to_raw()));
        }
    }
    let refused = region.append_block(Block::new(&[]));
    let at = Cursor::end(refused, location);
    let address = text::address(&at, message)?;
    crate::convert_kernel_to_x86::call(&at, REFUSE, &[address])?;
    let ty = FunctionType::try_from(convert::ty(function.attribute("function_type")?))?;
    let types: Vec<Type> = (0..ty.result_count()).map(|i| ty.result(i)).collect::<Result<_, _>>()?;
    let poison = types.iter().map(|ty| at.op("ub.poison", &[], *ty)).collect::<Result<Vec<_>, _>>()?;
    at.build("func.return", &poison, &[], &[], vec![])?;
    branch(guard, location, [&rest, &refused], block)?;
    // SAFETY: it has no results.
    unsafe { erase(guard) };
    Ok(())
}

fn branch<'c>(
    guard: OperationRef<'c, '_>,
    location: Location<'c>,
    [rest, refused]: [&Block<'c>; 2],
    block: melior::ir::BlockRef<'c, '_>,
) -> Result<(), Failure> {
    let segments = DenseI32ArrayAttribute::new(terrace_dialects::context::of(location.context()), &[1, 0, 0]);
    let at = Cursor::before(guard)?;
    let branch = OperationBuilder::new("cf.cond_br", location)
        .add_operands(&[guard.operand(0)?])
        .add_attributes(&[at.named("operandSegmentSizes", segments)])
        .add_successors(&[rest, refused])
        .build()?;
    block.append_operation(branch);
    Ok(())
}

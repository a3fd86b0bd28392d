//! The kernel dialect: signatures fit bodies, tiles fit accesses, launches fit kernels.

use crate::{
    ir::{
        BlockLike, OperationLike,
        diagnostics::emit_op_error,
        operations::name_of,
        shaped::{Shaped, check_sizes},
        types::Shape,
    },
    loops::{
        affine, combiners,
        layout::{Layout, encoding},
        reinterpret::reinterpreted,
    },
    ops::kernel,
};
use melior::ir::{
    Attribute, OperationRef, RegionLike, Type, TypeLike, ValueLike,
    operation::{WalkOrder, WalkResult},
    r#type::FunctionType,
};
use terrace_size::DYNAMIC;

/// The body's arguments are the signature's, then an index per dimension of the grid.
pub fn kernel_func(op: OperationRef) -> Result<(), String> {
    let view = kernel::FuncOp::try_from(op).map_err(|_| "is no kernel")?;
    let signature = view.function_type();
    let signature =
        FunctionType::try_from(signature).map_err(|_| format!("has no signature but {signature}"))?;
    if signature.result_count() != 0 {
        return Err("has results: a kernel writes its buffers".into());
    }
    let grid = view.grid();
    if let Some(n) = grid.iter().find(|n| **n < 0 && **n != DYNAMIC) {
        return Err(format!("has a grid of negative size {n}"));
    }
    let block = view.body().first_block().ok_or("has an empty body")?;
    let inputs = signature.input_count();
    if block.argument_count() != inputs + grid.len() {
        return Err(format!(
            "expects a body with {} arguments, got {}",
            inputs + grid.len(),
            block.argument_count()
        ));
    }
    for i in 0..block.argument_count() {
        let got = block.argument(i).map_err(|e| e.to_string())?.r#type();
        let fits = if i < inputs { signature.input(i).is_ok_and(|t| t == got) } else { got.is_index() };
        if !fits {
            return Err(format!(
                "has {got} as argument {i} of its body, which the signature or the grid has not"
            ));
        }
    }
    let end = block.terminator().ok_or("has a body without a return")?;
    if kernel::ReturnOp::try_from(end).is_err() {
        return Err("expects its body to end with 'kernel.return'".into());
    }
    check_layouts(op)
}

/// Reports the first operation inside whose tiles are not laid out as they have to be: element by element on
/// one layout, and all over the same number of threads.
fn check_layouts(kernel: OperationRef) -> Result<(), String> {
    let (mut threads, mut wrong) = (None, false);
    kernel.walk(WalkOrder::PreOrder, |op| {
        let types = op.operands().map(|v| v.r#type()).chain(op.results().map(|r| r.r#type()));
        let types: Vec<Type> =
            types.filter(|ty| Shaped::of(*ty).is_some_and(|shaped| !shaped.buffer)).collect();
        let said = check_tiles(op, &types, &mut threads);
        wrong = said.map_err(|message| emit_op_error(&op, &message)).is_err();
        if wrong { WalkResult::Interrupt } else { WalkResult::Advance }
    });
    if wrong { Err(String::new()) } else { Ok(()) }
}

fn check_tiles(op: OperationRef, tiles: &[Type], threads: &mut Option<i64>) -> Result<(), String> {
    let name = op.name();
    let name = name.as_string_ref().as_str().unwrap_or_default();
    if name.starts_with("arith.") || name.starts_with("math.") {
        same_layout(tiles)?;
    }
    for layout in tiles.iter().filter_map(|ty| Layout::of(*ty)) {
        let count = *threads.get_or_insert(layout.count());
        if count != layout.count() {
            return Err(format!(
                "has a tile over {} threads in a kernel of {count}: all tiles are laid out over the same number",
                layout.count()
            ));
        }
    }
    Ok(())
}

/// What is done element by element is done on tiles of one layout.
fn same_layout(tiles: &[Type]) -> Result<(), String> {
    let show = |layout: Option<Attribute>| layout.map_or("no layout".into(), |layout| layout.to_string());
    match tiles.windows(2).find(|pair| encoding(pair[0]) != encoding(pair[1])) {
        Some(pair) => Err(format!(
            "expects tiles of one layout, got {} and {}: convert one by 'kernel.convert_layout'",
            show(encoding(pair[0])),
            show(encoding(pair[1]))
        )),
        None => Ok(()),
    }
}

fn check_access(
    buffer: &Shaped,
    map: Attribute,
    indices: usize,
    ranges: &[i64],
    steps: &[i64],
    valid: usize,
) -> Result<(), String> {
    let rank = buffer.rank();
    if affine::results(map) != rank || ranges.len() != rank || steps.len() != rank {
        return Err(format!("expects {rank} indices, one per dimension, got {}", affine::results(map)));
    }
    if affine::dims(map) != indices {
        return Err(format!("has a map of {} dimensions but {indices} operands for them", affine::dims(map)));
    }
    if ranges.iter().any(|r| *r < 0) || steps.contains(&0) {
        return Err("expects ranges of 1 or more, and steps that are not 0".into());
    }
    let dimensions = crate::loops::layout::tile_shape(ranges).len();
    if valid != 0 && valid != dimensions {
        return Err(format!("expects a valid count for each of {dimensions} ranges, got {valid}"));
    }
    Ok(())
}

fn check_other(other: Option<Type>, wanted: bool, element: Type) -> Result<(), String> {
    match other {
        None if !wanted => Ok(()),
        Some(other) if wanted && other == element => Ok(()),
        Some(other) if wanted => Err(format!("has {other} for what is not read, for elements of {element}")),
        _ => Err("expects the value for what is not read exactly where something may not be".into()),
    }
}

/// Ranges fit the buffer.
pub fn kernel_load(op: OperationRef) -> Result<(), String> {
    let view = kernel::LoadOp::try_from(op).map_err(|_| "is no load")?;
    let source = Shaped::expect(view.source().r#type())?;
    let valid = view.valid().len();
    check_access(&source, view.map(), view.indices().len(), &view.ranges(), &view.steps(), valid)?;
    check_other(view.other().map(|o| o.r#type()), valid != 0, source.element)
}

/// The tile has the shape of the ranges.
pub fn kernel_store(op: OperationRef) -> Result<(), String> {
    let view = kernel::StoreOp::try_from(op).map_err(|_| "is no store")?;
    let destination = Shaped::expect(view.destination().r#type())?;
    let ranges = view.ranges();
    check_access(&destination, view.map(), view.indices().len(), &ranges, &view.steps(), view.valid().len())?;
    let tile = Shaped::expect(view.tile().r#type())?;
    check_sizes("a tile of the ranges' sizes", &crate::loops::layout::tile_shape(&ranges), &tile.shape)?;
    same_element(&tile, &destination)
}

fn same_element(tile: &Shaped, buffer: &Shaped) -> Result<(), String> {
    if tile.element == buffer.element {
        return Ok(());
    }
    Err(format!("has a tile of {} for a buffer of {}", tile.element, buffer.element))
}

fn check_indices(ty: Type, buffer: &Shaped, indices: &[Type], mask: Option<Type>) -> Result<(), String> {
    let tile = &Shaped::expect(ty)?;
    if indices.len() != buffer.rank() {
        return Err(format!("expects {} indices, one per dimension, got {}", buffer.rank(), indices.len()));
    }
    for ty_of_index in indices.iter().chain(&mask) {
        if let Some(index) = Shaped::of(*ty_of_index) {
            check_sizes("indices and mask of the tile's shape", &tile.shape, &index.shape)?;
            same_layout(&[ty, *ty_of_index])?;
        }
    }
    same_element(tile, buffer)
}

/// Indices and mask have the tile's shape.
pub fn kernel_gather(op: OperationRef) -> Result<(), String> {
    let view = kernel::GatherOp::try_from(op).map_err(|_| "is no gather")?;
    let tile = op.result_at(0).map_err(|e| e.to_string())?.r#type();
    let source = Shaped::expect(view.source().r#type())?;
    let indices: Vec<Type> = view.indices().iter().map(|v| v.r#type()).collect();
    let mask = view.mask().map(|m| m.r#type());
    check_indices(tile, &source, &indices, mask)?;
    check_other(view.other().map(|o| o.r#type()), mask.is_some(), source.element)
}

/// Indices and mask have the tile's shape.
pub fn kernel_scatter(op: OperationRef) -> Result<(), String> {
    let view = kernel::ScatterOp::try_from(op).map_err(|_| "is no scatter")?;
    let tile = view.tile().r#type();
    let destination = Shaped::expect(view.destination().r#type())?;
    let indices: Vec<Type> = view.indices().iter().map(|v| v.r#type()).collect();
    check_indices(tile, &destination, &indices, view.mask().map(|m| m.r#type()))
}

/// Indices and mask have the tile's shape; the combination is one that processors do in one step.
pub fn kernel_atomic(op: OperationRef) -> Result<(), String> {
    let view = kernel::AtomicOp::try_from(op).map_err(|_| "is no atomic operation")?;
    let tile = view.tile().r#type();
    let destination = Shaped::expect(view.destination().r#type())?;
    let indices: Vec<Type> = view.indices().iter().map(|v| v.r#type()).collect();
    check_indices(tile, &destination, &indices, view.mask().map(|m| m.r#type()))?;
    if combiners::is_atomic(view.combiner(), destination.element) {
        return Ok(());
    }
    let combiner = view.combiner().name();
    Err(format!(
        "combines {} by {combiner}: expects i32 or i64, and add, min, max, and, or; or f32 or f64, and add",
        destination.element
    ))
}

/// One dimension.
pub fn kernel_iota(op: OperationRef) -> Result<(), String> {
    let ty = op.result_at(0).map_err(|e| e.to_string())?.r#type();
    if Shaped::expect(ty)?.rank() == 1 {
        Ok(())
    } else {
        Err(format!("expects a tile of one dimension, got {ty}"))
    }
}

/// Each dimension of the tile is a dimension of the result, in order.
pub fn kernel_broadcast(op: OperationRef) -> Result<(), String> {
    let view = kernel::BroadcastOp::try_from(op).map_err(|_| "is no broadcast")?;
    let tile = Shaped::expect(view.tile().r#type())?;
    let result = Shaped::expect(op.result_at(0).map_err(|e| e.to_string())?.r#type())?;
    let dims = view.dims();
    let in_order =
        dims.windows(2).all(|w| w[0] < w[1]) && dims.iter().all(|d| (0..result.rank() as i64).contains(d));
    if !in_order || dims.len() != tile.rank() {
        return Err(format!("expects {} dimensions of the result, in order, got {dims:?}", tile.rank()));
    }
    let there: Vec<i64> = dims.iter().map(|d| result.shape[*d as usize]).collect();
    check_sizes("a result that has the tile's sizes", &tile.shape, &there)?;
    if tile.element != result.element {
        return Err("changes the element type".into());
    }
    let whole = op.result_at(0).map_err(|e| e.to_string())?.r#type();
    let new: Vec<usize> = (0..result.rank()).filter(|d| !dims.contains(&(*d as i64))).collect();
    let (own, wanted) =
        (Layout::of(view.tile().r#type()), Layout::of(whole).map(|layout| layout.sliced(&new)));
    if own != wanted {
        let context = crate::ir::context::of(op.context());
        let wanted = wanted.map(|layout| layout.attribute(context)).transpose().map_err(|e| e.to_string())?;
        let wanted = wanted.map_or("no layout".into(), |layout| layout.to_string());
        return Err(format!(
            "expects a tile with the result's layout without the new dimensions, {wanted}: convert it by \
             'kernel.convert_layout'"
        ));
    }
    Ok(())
}

/// The same tile but for its layout.
pub fn kernel_convert_layout(op: OperationRef) -> Result<(), String> {
    let view = kernel::ConvertLayoutOp::try_from(op).map_err(|_| "is no conversion")?;
    let (from, to) = (view.tile().r#type(), op.result_at(0).map_err(|e| e.to_string())?.r#type());
    if Shaped::of(from) == Shaped::of(to) {
        Ok(())
    } else {
        Err(format!("makes {to} of {from}: only the layout changes"))
    }
}

/// A launch says the sizes that the kernel leaves open, and repeats the others.
fn check_grid(own: &[i64], given: &[i64], values: usize) -> Result<(), String> {
    let open = given.iter().filter(|size| **size == DYNAMIC).count();
    if open != values {
        return Err(format!("has {open} dynamic sizes but {values} operands for them"));
    }
    if let Some(size) = given.iter().find(|size| **size < 0 && **size != DYNAMIC) {
        return Err(format!("has a grid of negative size {size}"));
    }
    let fits = |(own, given): (&i64, &i64)| own == given || *own == DYNAMIC;
    if own.len() == given.len() && own.iter().zip(given).all(fits) {
        return Ok(());
    }
    Err(format!("expects the kernel's grid {}, got {}", Shape(own), Shape(given)))
}

/// The same memory, its elements counted in others.
pub fn kernel_reinterpret(op: OperationRef) -> Result<(), String> {
    let view = kernel::ReinterpretOp::try_from(op).map_err(|_| "is no reinterpretation")?;
    let result = op.result_at(0).map_err(|e| e.to_string())?.r#type();
    reinterpreted(view.source().r#type(), result).map(drop)
}

/// Launches, and nothing else, over grids that are known.
pub fn kernel_concurrent(op: OperationRef) -> Result<(), String> {
    let block = op.region(0).ok().and_then(|region| region.first_block());
    let mut next = block.and_then(|block| block.first_operation());
    while let Some(inner) = next {
        let launch = kernel::LaunchOp::try_from(inner)
            .map_err(|_| format!("expects launches in its body, got '{}'", name_of(inner)))?;
        if !launch.dynamic_grid().is_empty() {
            return Err(format!("launches '{}' on a grid that is not known", launch.callee()));
        }
        next = inner.next_in_block();
    }
    Ok(())
}

/// The grid and the arguments are the kernel's.
pub fn launch(op: OperationRef, callee: Option<OperationRef>) -> Result<(), String> {
    let view = kernel::LaunchOp::try_from(op).map_err(|_| "is no launch")?;
    let name = view.callee();
    let callee = callee.ok_or_else(|| format!("launches '{name}', which is not there"))?;
    let callee = kernel::FuncOp::try_from(callee)
        .map_err(|_| format!("launches '{name}', which is no kernel.func"))?;
    check_grid(&callee.grid(), &view.grid(), view.dynamic_grid().len())?;
    let signature = FunctionType::try_from(callee.function_type())
        .map_err(|_| "launches a kernel without a signature")?;
    let arguments = view.arguments();
    if arguments.len() != signature.input_count() {
        return Err(format!("expects {} arguments, got {}", signature.input_count(), arguments.len()));
    }
    for (i, argument) in arguments.iter().enumerate() {
        let expected = signature.input(i).map_err(|e| e.to_string())?;
        if argument.r#type() != expected {
            return Err(format!("expects {expected} as argument {i}, got {}", argument.r#type()));
        }
    }
    Ok(())
}

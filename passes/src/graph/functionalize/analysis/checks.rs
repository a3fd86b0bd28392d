//! What eager refuses, in its words, and what depends on an order of evaluation that eager leaves open.

use super::tensors::Layout;
use terrace_dialects::ir::dtype::Dtype;
use terrace_layout::overlap::{
    ITSELF, PARTLY, REPEATED, by_operand, may_overlap as overlap, may_overlap_itself as overlaps_itself,
};
use terrace_size::{Number, Size};

/// Refuses to write where an element stands for several; eager looks for that in most operators.
pub fn written(layout: &Layout, looked_for: bool) -> Result<(), String> {
    if looked_for && !layout.is_known_empty() {
        // One place has one element, or eager refuses it.
        let places = layout.sizes.iter().zip(&layout.strides);
        places.filter(|(_, stride)| stride.known() == Some(0)).for_each(|(size, _)| {
            size.demand_eq(Size::ONE);
        });
    }
    if layout.is_dense() {
        Ok(())
    } else if layout.repeats() && looked_for {
        Err(REPEATED.into())
    } else if overlaps_itself(layout) {
        Err(ITSELF.into())
    } else {
        Ok(())
    }
}

/// Refuses an operand that shares elements with the written tensor, unless each element is read where it is
/// written; `logical`: the layouts are logical.
pub fn operand(
    written: &Layout,
    operand: &Layout,
    place: usize,
    (looked_for, logical): (bool, bool),
) -> Result<(), String> {
    if written.is_empty() || operand.is_empty() {
        return Ok(());
    }
    // Several that are one element are more dimensions.
    let each = || operand.rank() <= written.rank() && operand.expand(&written.sizes).same_elements(written);
    // Eager decides between dense tensors by their places and strides alone. Those of a logical tensor are
    // not the ones that it compares.
    if looked_for && written.is_dense() && operand.is_dense() {
        let same = written.offset.assume_eq(operand.offset) && written.end().assume_eq(operand.end());
        let disjoint = written.end().assume_le(operand.offset) || operand.end().assume_le(written.offset);
        // One element lies as close as can be whatever its strides, of which other dimensions have others.
        let other_rank =
            written.rank() != operand.rank() && written.sizes.iter().all(|size| size.assume_eq(1));
        let alike = if logical {
            each() && !other_rank
        } else {
            same && Size::assume_same(&written.strides, &operand.strides)
        };
        return if disjoint || alike { Ok(()) } else { Err(PARTLY.into()) };
    }
    if each() || !overlap(written, operand) {
        return Ok(());
    }
    Err(by_operand(place))
}

/// Refuses an operand that shares elements with the tensor that is written at places known late, or is it.
pub fn disjoint(written: &Layout, operand: &Layout, place: usize, same: bool) -> Result<(), String> {
    if same {
        return Err(PARTLY.into());
    }
    if written.is_empty() || operand.is_empty() || !overlap(written, operand) {
        return Ok(());
    }
    if written.is_dense() && operand.is_dense() {
        return Err(PARTLY.into());
    }
    Err(by_operand(place))
}

/// Refuses a view that leaves its storage of so many bytes.
pub fn in_bounds(layout: &Layout, dtype: Dtype, available: Size) -> Result<(), String> {
    let bytes = dtype.bytes() as i64;
    if (layout.reach() * bytes).is_at_most(available)
        || layout.is_empty()
        || (layout.end() * bytes).assume_le(available)
    {
        return Ok(());
    }
    Err(format!(
        "setStorage: sizes {:?}, strides {:?}, storage offset {}, and itemsize {bytes} requiring a storage size of {} are \
         out of bounds for storage of size {available}",
        layout.sizes,
        layout.strides,
        layout.offset,
        layout.end() * bytes
    ))
}

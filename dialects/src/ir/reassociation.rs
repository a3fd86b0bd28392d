//! Which dimensions upstream's reshapes, of tensors and of memrefs, merge or split.

use super::OperationLike;
use melior::ir::{Attribute, AttributeLike, OperationRef};
use mlir_sys::{mlirArrayAttrGetElement, mlirArrayAttrGetNumElements, mlirIntegerAttrGetValueInt};

/// The groups of dimensions that are one on the other side of a reshape.
pub fn groups(op: OperationRef) -> Option<Vec<Vec<usize>>> {
    // SAFETY: `reassociation` of upstream's reshapes is an array of arrays of integers.
    let list = |attribute: Attribute| unsafe {
        let raw = attribute.to_raw();
        (0..mlirArrayAttrGetNumElements(raw))
            .map(move |i| Attribute::from_raw(mlirArrayAttrGetElement(raw, i)))
            .collect::<Vec<_>>()
    };
    // SAFETY: `reassociation` of upstream's reshapes is an array of arrays of integers.
    let number = |attribute: Attribute| unsafe { mlirIntegerAttrGetValueInt(attribute.to_raw()) as usize };
    let all = op.attribute("reassociation").ok()?;
    Some(list(all).into_iter().map(|group| list(group).into_iter().map(number).collect()).collect())
}

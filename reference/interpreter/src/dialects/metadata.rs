//! What changes a tensor object: the result is a new view, the operand stays what it was.

use super::reshaping::format;
use crate::{
    machine::{Flow, Op, Table},
    semantics::{metadata, reshaping::Format},
};
use terrace_dialects::ir::attributes;

/// Adds the operations; the views are there.
pub(super) fn register(table: &mut Table) {
    for name in ["as_strided", "detach", "squeeze", "swapaxes", "t", "transpose", "unsqueeze"] {
        let view = table.get(&format!("graph.{name}")).expect("the view is registered first");
        table.graph(&format!("{name}_"), move |op| view(op));
    }
    table.graph("resize_", |op| {
        let (x, sizes, format) = (op.tensor(0), op.dynamic_ints("size", 1)?, given(op)?);
        op.value(move |f| metadata::resize_(f.tensor(x), &sizes.get(f), format))
    });
    table.graph("resize_as_", |op| {
        let (x, template, format) = (op.tensor(0), op.tensor(1), given(op)?);
        op.value(move |f| {
            let template = f.tensor(template);
            let suggested =
                |format| if format == Format::Preserve { Format::suggested(template) } else { format };
            metadata::resize_(f.tensor(x), template.sizes(), format.map(suggested))
        })
    });
    table.graph("resize_storage", |op| {
        let (x, bytes, at_least) =
            (op.tensor(0), op.dynamic_ints("bytes", 1)?, op.attribute("at_least").is_some());
        Ok(Box::new(move |_, frame| {
            let bytes = bytes.one(frame)?;
            let bytes = usize::try_from(bytes)
                .map_err(|_| format!("asks for a storage of {bytes} bytes: 0 is the least"))?;
            let storage = frame.tensor(x).storage();
            if at_least { storage.grow(bytes) } else { storage.resize(bytes) }
                .map_err(crate::semantics::Error::from)?;
            Ok(Flow::Next)
        }))
    });
    table.graph("set_", |op| {
        let (x, source) = (op.tensor(0), op.optional(1));
        let offset = op.attribute("storage_offset").map(attributes::i64);
        let (sizes, strides) = (op.optional_ints("size"), op.optional_ints("stride").unwrap_or_default());
        op.value(move |f| {
            let part = offset.zip(sizes.as_deref()).map(|(offset, sizes)| (offset, sizes, &strides[..]));
            match source {
                Some(source) => metadata::set_(f.tensor(x), f.tensor(source), part),
                None => metadata::emptied(f.tensor(x)),
            }
        })
    });
}

/// The memory format that is given, if one is.
fn given(op: &Op) -> Result<Option<Format>, String> {
    op.attribute("memory_format").map(|_| format(op, Format::Contiguous)).transpose()
}

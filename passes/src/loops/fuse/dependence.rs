//! What one loop operation has to do with another: the loads of one that read what the other writes.
//!
//! With each of these *links* a dimension of the writer and one of the reader can be one dimension of a
//! shared domain where the place that is read has the reader's index in the writer's dimension: then a point
//! reads only what was, or will be, written at the very same point.

use crate::loops::operation::{
    alias::{Alias, alias},
    place,
    read::Loop,
};
use melior::ir::ValueLike;
use terrace_dialects::{
    ir::{cursor::V, shaped::Shaped},
    ops::loop_,
};

/// A load that reads what an operation writes.
pub(super) struct Link<'c, 'a> {
    load: loop_::LoadOp<'c, 'a>,
    /// The second of the two reads; else the first.
    by_second: bool,
}

impl Link<'_, '_> {
    /// Whether points that agree in these dimensions, of the first operation and of the second, are all that
    /// the link connects.
    pub fn allows(&self, first: (&Loop, usize), second: (&Loop, usize)) -> bool {
        let (writer, reader) = if self.by_second { (first, second) } else { (second, first) };
        place::is_index(self.load, writer.1, reader.0, reader.1)
    }
}

fn buffer<'c, 'a>(value: Option<V<'c, 'a>>) -> Option<V<'c, 'a>> {
    value.filter(|value| Shaped::of(value.r#type()).is_some_and(|shaped| shaped.buffer))
}

/// The links between an operation and a later one; an error says why they can't run together at all.
pub(super) fn links<'c: 'a, 'a>(
    first: &Loop<'c, 'a>,
    second: &Loop<'c, 'a>,
) -> Result<Vec<Link<'c, 'a>>, &'static str> {
    let mut links = vec![];
    if let Some(result) = first.result() {
        let reads = second.loads().filter(|load| load.source() == result);
        links.extend(reads.map(|load| Link { load, by_second: true }));
    }
    // A tensor that is written over in place: reading it elsewhere would take a copy.
    if let Some(over) = second.init.filter(|init| buffer(Some(*init)).is_none()) {
        let reads = first.loads().filter(|load| load.source() == over);
        links.extend(reads.map(|load| Link { load, by_second: false }));
    }
    if let (Some(one), Some(other)) = (buffer(first.init), buffer(second.init))
        && alias(one, other) != Alias::Disjoint
        && first.op != second.op
    {
        return Err("both write memory that may be the same");
    }
    let mut memory = |written: Option<V<'c, 'a>>, reader: &Loop<'c, 'a>, by_second: bool| {
        let Some(written) = buffer(written) else { return Ok(()) };
        for load in reader.loads().filter(|load| buffer(Some(load.source())).is_some()) {
            match alias(load.source(), written) {
                Alias::Disjoint => {}
                Alias::Same => links.push(Link { load, by_second }),
                Alias::May => return Err("one may read, through another name, what the other writes"),
            }
        }
        Ok(())
    };
    if first.op != second.op {
        memory(first.init, second, true)?;
    }
    memory(second.init, first, false)?;
    Ok(links)
}

//! The pass `merge-interfaces`: the C interface of an entry point gets its body.
//!
//! `llvm.emit_c_interface` gives an entry point a function that takes pointers to descriptors: it loads them
//! all, calls, and stores one struct of all results. Inlined by LLVM, what is loaded is alive from the head
//! of the function to where it is used, and each part of the struct is inserted into all others: a step of
//! training has a thousand arguments and a thousand results, so that time grows with the square of them.
//! Here a part of a descriptor is loaded where it is used, and a result stored part by part. Linear in the
//! uses.
//!
//! Functions that others call too stay apart, and those that may not be inlined: they have loops of their
//! own, for which they say which arguments are disjoint. The merged function is gone: the pass is for a
//! runtime that calls interfaces alone.

use super::C_INTERFACE;
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{
        AttributeLike, BlockRef, OperationRef, RegionLike, Type, ValueLike, attribute::DenseI32ArrayAttribute,
    },
};
use std::collections::HashMap;
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        attributes::{array, i64s, string, symbol, text_of},
        cursor::{Cursor, V},
        operations::{argument, arguments, collect, definition, name_of, users, uses},
        pass::Failure,
        rewrite::{
            erase, erase_argument, has_uses, insert_argument, remove_attribute, set_operand, set_operands,
            take_body,
        },
    },
};

/// Merges the entry points of a module with their interfaces.
pub fn run(module: OperationRef, _: &crate::options::MergeInterfaces) -> Result<(), Failure> {
    let mut functions = HashMap::new();
    let mut next = module.region(0)?.first_block().and_then(|block| block.first_operation());
    while let Some(op) = next {
        next = op.next_in_block();
        if name_of(op) == "llvm.func" && op.region(0)?.first_block().is_some() {
            functions.insert(string(op.attribute("sym_name")?), op);
        }
    }
    // Who names a function.
    let mut named: HashMap<String, Vec<OperationRef>> = HashMap::new();
    for op in collect(module, |op| matches!(name_of(op), "llvm.call" | "llvm.mlir.addressof")) {
        if let Ok(name) = op.attribute("callee").or_else(|_| op.attribute("global_name")) {
            named.entry(symbol(name)).or_default().push(op);
        }
    }
    for (name, interface) in &functions {
        // What is merged is gone, and is no interface itself.
        let own = name.strip_prefix(C_INTERFACE).filter(|own| !own.starts_with(C_INTERFACE));
        let Some(own) = own else { continue };
        let (Some(function), Some([call])) = (functions.get(own), named.get(own).map(Vec::as_slice)) else {
            continue;
        };
        if !is_not_inlined(*function)
            && let Some(way) = Way::of(*interface, *call)?
        {
            way.merge(*interface, *function)?;
        }
    }
    Ok(())
}

/// Whether a function may not be inlined.
fn is_not_inlined(function: OperationRef) -> bool {
    let says = function.attribute("passthrough").map(array).unwrap_or_default();
    says.into_iter().any(|says| says.is_string() && text_of(says) == "noinline")
}

/// What an interface hands to its function.
enum Source {
    /// The argument of this number.
    Argument(usize),
    /// A part of the descriptor that an argument points to, by its path.
    Part(usize, Vec<i32>),
}

/// How an interface calls its function.
struct Way<'c> {
    sources: Vec<Source>,
    /// The types of the descriptors that arguments point to.
    descriptors: HashMap<usize, Type<'c>>,
    /// The argument that points to the results, and their type; None where a number is returned, or nothing.
    results: Option<(usize, Type<'c>)>,
}

impl<'c: 'a, 'a> Way<'c> {
    /// None where the interface does anything else.
    fn of(interface: OperationRef<'c, 'a>, call: OperationRef<'c, 'a>) -> Result<Option<Self>, Failure> {
        let entry = interface.region(0)?.first_block().ok_or(internal!("an interface without a body"))?;
        let own = |value| {
            let number = argument(value).filter(|argument| argument.owner() == entry)?.argument_number();
            Some(number)
        };
        let mut next = entry.first_operation();
        while let Some(op) = next {
            let is_known =
                ["llvm.load", "llvm.extractvalue", "llvm.store", "llvm.return"].contains(&name_of(op));
            if !is_known && op != call {
                return Ok(None);
            }
            next = op.next_in_block();
        }
        let mut way = Way { sources: vec![], descriptors: HashMap::new(), results: None };
        for operand in call.operands() {
            let part = definition(operand).filter(|op| name_of(*op) == "llvm.extractvalue");
            let source = match (own(operand), part) {
                (Some(number), _) => Source::Argument(number),
                (None, Some(part)) => {
                    let whole: V = part.operand(0)?;
                    let load = definition(whole).filter(|op| name_of(*op) == "llvm.load");
                    let Some(number) = load.and_then(|load| own(load.operand(0).ok()?)) else {
                        return Ok(None);
                    };
                    way.descriptors.insert(number, whole.r#type());
                    let path = i64s(part.attribute("position")?);
                    Source::Part(number, path.into_iter().map(|index| index as i32).collect())
                }
                _ => return Ok(None),
            };
            way.sources.push(source);
        }
        if let Some(result) = call.results().next() {
            let [user] = users(result.into()).collect::<Vec<_>>()[..] else { return Ok(None) };
            way.results = match name_of(user) {
                "llvm.store" => {
                    let Some(number) = own(user.operand(1)?) else { return Ok(None) };
                    Some((number, result.r#type()))
                }
                "llvm.return" => None,
                _ => return Ok(None),
            };
        }
        Ok(Some(way))
    }

    /// Moves the body of the function into the interface.
    fn merge(&self, interface: OperationRef<'c, 'a>, function: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let (outer, body) = (interface.region(0)?, function.region(0)?);
        let no_body = internal!("a function has no body");
        let (head, entry) = (outer.first_block().ok_or(no_body)?, body.first_block().ok_or(no_body)?);
        let own: Vec<V> = arguments(head)
            .enumerate()
            .map(|(number, old)| insert_argument(entry, number, old.r#type(), interface.location()))
            .collect();
        for (source, old) in self.sources.iter().zip(arguments(entry).skip(own.len()).collect::<Vec<_>>()) {
            self.give(source, old, &own, entry)?;
        }
        (own.len()..entry.argument_count()).rev().for_each(|number| erase_argument(entry, number));
        if let Some((number, ty)) = self.results {
            let results = Struct { pointer: own[number], ty };
            for end in collect(function, |op| name_of(op) == "llvm.return") {
                let whole = end.operand(0)?;
                set_operands(end, &[]);
                results.store(&Cursor::before(end)?, whole, &mut vec![0])?;
                forget(whole);
            }
        }
        take_body(&outer, &body);
        // What the function said of buffers is said of pointers to descriptors, for which it is of no use.
        remove_attribute(interface, "arg_attrs");
        erase(function);
        Ok(())
    }

    /// Gives the uses of an argument of the function what it stands for. Blocks of the function run once, but
    /// for loops, where a part is not loaded each time.
    fn give(
        &self,
        source: &Source,
        old: V<'c, 'a>,
        own: &[V<'c, 'a>],
        entry: BlockRef<'c, 'a>,
    ) -> Result<(), Failure> {
        for (user, operand) in uses(old).collect::<Vec<_>>() {
            let value = match source {
                Source::Argument(number) => own[*number],
                Source::Part(number, path) => {
                    let ty = *self.descriptors.get(number).ok_or(internal!("a descriptor has no type"))?;
                    let at = match user.block() == Some(entry) {
                        true => Cursor::before(user)?,
                        false => Cursor::start(entry, user.location()),
                    };
                    let path = [&[0], &path[..]].concat();
                    let place = Struct { pointer: own[*number], ty }.place(&at, &path)?;
                    at.op("llvm.load", &[place], old.r#type())?
                }
            };
            set_operand(user, operand, value);
        }
        Ok(())
    }
}

/// A struct in memory.
struct Struct<'c, 'a> {
    pointer: V<'c, 'a>,
    ty: Type<'c>,
}

impl<'c: 'a, 'a> Struct<'c, 'a> {
    /// Where a part is, by its path from the pointer on.
    fn place(&self, at: &Cursor<'c, 'a>, path: &[i32]) -> Result<V<'c, 'a>, Failure> {
        let indices = at.named("rawConstantIndices", DenseI32ArrayAttribute::new(at.context, path));
        let of = at.type_attribute("elem_type", self.ty);
        at.with("llvm.getelementptr", &[self.pointer], llvm_type::pointer(at.context, 0), &[indices, of])
    }

    /// Stores a value that is the part at a path; of one that is put together each part.
    fn store(&self, at: &Cursor<'c, 'a>, value: V<'c, 'a>, path: &mut Vec<i32>) -> Result<(), Failure> {
        let (mut inserted, mut first) = (vec![], value);
        while let Some(op) = definition(first).filter(|op| name_of(*op) == "llvm.insertvalue") {
            inserted.push(op);
            first = op.operand(0)?;
        }
        let is_undefined = |op| matches!(name_of(op), "llvm.mlir.poison" | "llvm.mlir.undef");
        if !definition(first).is_some_and(is_undefined) {
            at.build("llvm.store", &[first, self.place(at, path)?], &[], &[], vec![])?;
        }
        for op in inserted.iter().rev() {
            let depth = path.len();
            path.extend(i64s(op.attribute("position")?).into_iter().map(|index| index as i32));
            self.store(at, op.operand(1)?, path)?;
            path.truncate(depth);
        }
        Ok(())
    }
}

/// Erases what puts a value together that is not used any more.
fn forget(value: V) {
    let mut unused = vec![value];
    while let Some(value) = unused.pop() {
        if let Some(op) =
            definition(value).filter(|op| name_of(*op) == "llvm.insertvalue" && !has_uses(value))
        {
            unused.extend(op.operands());
            erase(op);
        }
    }
}

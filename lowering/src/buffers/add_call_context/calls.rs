//! Calls that hand the context on, and the declarations of the services that they call.

use super::services::{ALIGNED_ALLOC, ALLOC, FREE, Kind, PLAIN_ALLOC, PLAIN_FREE, SERVICES};
use crate::llvm::text;
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{
        Location, OperationRef, Region, RegionLike, Type, ValueLike,
        attribute::{DenseI32ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute, StringAttribute},
        r#type::IntegerType,
    },
};
use std::collections::{HashMap, HashSet};
use terrace_dialects::ir::{
    BlockLike, OperationLike,
    attributes::string,
    cursor::{Cursor, V},
    location,
    operations::name_of,
    pass::Failure,
    rewrite::{erase, replace_uses},
};

/// The alignment of memory that asks for none.
const ALIGNMENT: i64 = 64;

/// What writes the new calls and ways out of a module.
pub(super) struct Writer<'c, 'a> {
    /// The start of the module.
    top: Cursor<'c, 'a>,
    /// The constants that name places.
    places: HashMap<String, String>,
    /// The services that are called.
    declared: HashSet<&'static str>,
}

impl<'c: 'a, 'a> Writer<'c, 'a> {
    /// A writer for the module that starts here.
    pub(super) fn new(top: Cursor<'c, 'a>) -> Self {
        Self { top, places: HashMap::new(), declared: HashSet::new() }
    }

    pub(super) fn pointer(&self) -> Type<'c> {
        llvm_type::pointer(self.top.context, 0)
    }

    pub(super) fn null(&self, at: &Cursor<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        at.op("llvm.mlir.zero", &[], self.pointer())
    }

    /// The text of a location that is known, as a pointer to it.
    pub(super) fn place(
        &mut self,
        at: &Cursor<'c, 'a>,
        of: Location<'c>,
    ) -> Result<Option<V<'c, 'a>>, Failure> {
        let Some(place) = location::place(of) else { return Ok(None) };
        let name = match self.places.get(&place) {
            Some(name) => name.clone(),
            None => {
                let name = format!("terrace.place.{}", self.places.len());
                text::constant(&self.top.of(of), &name, &place)?;
                self.places.insert(place, name.clone());
                name
            }
        };
        text::address(at, &name).map(Some)
    }

    /// A call with the context, or null where the function has none, in the place of one without; of a
    /// service by the name that the runtime has for it.
    pub(super) fn call(
        &mut self,
        op: OperationRef<'c, 'a>,
        service: Option<(&'static str, Kind)>,
        context: Option<V<'c, 'a>>,
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let at = Cursor::before(op)?;
        let context = match context {
            Some(context) => context,
            None => self.null(&at)?,
        };
        let mut operands: Vec<V> = [context].into_iter().chain(op.operands()).collect();
        let mut name = service.map(|(name, _)| name);
        match service {
            Some((_, Kind::Reports)) => {
                let place = match self.place(&at, op.location())? {
                    Some(place) => place,
                    None => self.null(&at)?,
                };
                operands.push(place);
            }
            Some((PLAIN_ALLOC, _)) => {
                let word: Type = IntegerType::new(at.context, 64).into();
                let value = at.named("value", IntegerAttribute::new(word, ALIGNMENT));
                operands.push(at.with("llvm.mlir.constant", &[], word, &[value])?);
                name = Some(ALLOC);
            }
            Some((ALIGNED_ALLOC, _)) => {
                operands.swap(1, 2);
                name = Some(ALLOC);
            }
            Some((PLAIN_FREE, _)) => name = Some(FREE),
            _ => {}
        }
        let segments = DenseI32ArrayAttribute::new(at.context, &[operands.len() as i32, 0]);
        let mut attributes: Vec<_> = op
            .attributes()
            .filter(|(name, _)| {
                !matches!(name.as_string_ref().as_str(), Ok("operandSegmentSizes" | "callee"))
            })
            .collect();
        attributes.push(at.named("operandSegmentSizes", segments));
        attributes.push(match name {
            Some(name) => at.named("callee", FlatSymbolRefAttribute::new(at.context, name)),
            None => at.named("callee", op.attribute("callee")?),
        });
        let results: Vec<Type> = op.results().map(|result| result.r#type()).collect();
        let new = at.build("llvm.call", &operands, &results, &attributes, vec![])?;
        for (old, new) in op.results().zip(new.results()) {
            replace_uses(old, new);
        }
        if let Some(name) = name {
            self.service(name, new)?;
        }
        erase(op);
        Ok(new)
    }

    /// Declares a service as it is called.
    pub(super) fn service(&mut self, name: &'static str, call: OperationRef<'c, 'a>) -> Result<(), Failure> {
        if !self.declared.insert(name) {
            return Ok(());
        }
        let inputs: Vec<Type> = call.operands().map(|operand| operand.r#type()).collect();
        let result = call.results().next().map_or_else(|| llvm_type::void(self.top.context), |r| r.r#type());
        self.declaration(name, &inputs, result)
    }

    fn declaration(&self, name: &str, inputs: &[Type<'c>], result: Type<'c>) -> Result<(), Failure> {
        let at = self.top;
        let ty = llvm_type::function(result, inputs, false);
        let attributes = [
            at.named("sym_name", StringAttribute::new(at.context, name)),
            at.type_attribute("function_type", ty),
            at.named("sym_visibility", StringAttribute::new(at.context, "private")),
        ];
        at.build("llvm.func", &[], &[], &attributes, vec![Region::new()]).map(drop)
    }

    /// Removes the declarations without a context, which are called no more.
    pub(super) fn declare(&self, module: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let mut seen = HashSet::new();
        let mut next = module.region(0)?.first_block().and_then(|block| block.first_operation());
        while let Some(op) = next {
            next = op.next_in_block();
            if name_of(op) != "llvm.func" || op.region(0)?.first_block().is_some() {
                continue;
            }
            let name = string(op.attribute("sym_name")?);
            // Ours stand in front.
            let is_service = SERVICES.iter().any(|(service, _)| *service == name);
            if is_service && (!self.declared.contains(&*name) || !seen.insert(name)) {
                erase(op);
            }
        }
        Ok(())
    }
}

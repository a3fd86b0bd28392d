//! The operations that some values and the final elements of some storages depend on.
//!
//! A tensor is needed as *fake*, for its sizes and strides, or as *real*, to be read and written. Elements
//! that are read need each earlier write to their class, back to one that ends it; inside of control flow
//! also the later ones of the same operation of the function's block. Where an operation draws, how often was
//! drawn before is needed: operations of which that is not known are kept for that alone.
//!
//! Source: Weiser's slices, with storages for variables; torchdistx's graph of recorded operations.

use super::{
    flow::Form,
    program::{Definition, Program},
    sizes::Source,
};
use melior::ir::{OperationRef, ValueLike};
use rustc_hash::{FxHashMap, FxHashSet};
use terrace_dialects::{
    analysis::effects::{self, EffectKind, On},
    ir::{OperationLike, cursor::V, operations::key, types::is_graph_tensor},
};
use terrace_layout::Layout;
use terrace_size::{Size, symbols::current};

/// As what a value is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    Fake,
    Real,
}

/// How an operation is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keep {
    /// Its new tensors are fake.
    Fake,
    /// With the operations inside that are kept, and the values that are needed.
    Around,
    /// As it is.
    Whole,
}

enum Task<'c, 'a> {
    Value(V<'c, 'a>, Need),
    Whole(usize),
    Around(usize),
}

/// What is kept.
pub struct Slice<'p, 'c, 'a> {
    pub program: &'p Program<'c, 'a>,
    pub values: FxHashMap<usize, Need>,
    pub ops: FxHashMap<usize, Keep>,
    /// The last operation of the function's block at which the generator has to be right.
    pub generator: Option<usize>,
    /// Whether operations that may touch anything, and what comes before them, may be kept.
    at_once: bool,
    /// The operation that may not be kept.
    pub blocked: bool,
    written: FxHashSet<(usize, usize)>,
    /// How many of the operations of which it is not known how often they draw were taken in.
    dynamic: usize,
    tasks: Vec<Task<'c, 'a>>,
}

/// An end of a function: what comes after all operations.
pub const END: usize = usize::MAX;

impl<'p, 'c, 'a> Slice<'p, 'c, 'a> {
    /// Nothing but what decides which block is next.
    pub fn new(program: &'p Program<'c, 'a>, at_once: bool) -> Self {
        let mut slice = Self {
            program,
            values: FxHashMap::default(),
            ops: FxHashMap::default(),
            generator: None,
            at_once,
            blocked: false,
            written: FxHashSet::default(),
            dynamic: 0,
            tasks: vec![],
        };
        for value in program.decides(None) {
            slice.value(value, Need::Real);
        }
        slice
    }

    /// Keeps a value.
    pub fn value(&mut self, value: V<'c, 'a>, need: Need) {
        self.tasks.push(Task::Value(value, need));
        self.run();
    }

    /// Keeps an operation as it is; of one with regions the operations inside are kept by themselves.
    pub fn whole(&mut self, op: usize) {
        let around = self.program.ops[op].form.has_regions();
        self.tasks.push(if around { Task::Around(op) } else { Task::Whole(op) });
        self.run();
    }

    /// Keeps what the elements of a class are before an operation of the function's block.
    pub fn elements(&mut self, class: usize, before: usize) {
        self.write_before(class, before);
        self.run();
    }

    /// Keeps how often was drawn, up to an operation of the function's block.
    pub fn drawn(&mut self, top: usize) {
        self.generator_until(top);
        self.run();
    }

    /// Whether a value is there.
    pub fn needs(&self, value: V<'c, 'a>) -> bool {
        self.values.contains_key(&key(value))
    }

    /// Whether the generator is right in an operation of the function's block.
    pub fn is_drawn(&self, top: usize) -> bool {
        self.generator.is_some_and(|until| top <= until)
    }

    fn run(&mut self) {
        while let Some(task) = self.tasks.pop() {
            if self.blocked {
                self.tasks.clear();
                return;
            }
            match task {
                Task::Value(value, need) => self.take_value(value, need),
                Task::Whole(op) => self.take_whole(op),
                Task::Around(op) => self.take_around(op),
            }
        }
    }

    fn push(&mut self, value: V<'c, 'a>, need: Need) {
        let need = if is_graph_tensor(value.r#type()) { need } else { Need::Real };
        if self.values.get(&key(value)).is_none_or(|known| *known < need) {
            self.tasks.push(Task::Value(value, need));
        }
    }

    fn take_value(&mut self, value: V<'c, 'a>, need: Need) {
        let need = if is_graph_tensor(value.r#type()) { need } else { Need::Real };
        if self.values.get(&key(value)).is_some_and(|known| *known >= need) {
            return;
        }
        self.values.insert(key(value), need);
        self.grow(value, need);
        let program = self.program;
        let Some(definition) = program.definitions.get(&key(value)).copied() else { return };
        let around = match definition {
            Definition::Argument { block, .. } => program.blocks[block].parent,
            Definition::Result { op, .. } => {
                let own = &program.ops[op];
                if !own.form.has_regions() {
                    return self.take_result(op, definition, need);
                }
                Some(op)
            }
        };
        if let Some(op) = around {
            self.tasks.push(Task::Around(op));
        }
        for source in program.sources(definition) {
            self.push(source, need);
        }
        for beside in program.beside(definition) {
            self.push(beside, need);
        }
    }

    /// Views of a storage may lie where it did not reach before it grew. What has no tensor as its result
    /// runs as it is.
    fn grow(&mut self, value: V<'c, 'a>, need: Need) {
        let program = self.program;
        let new = match program.definitions.get(&key(value)) {
            Some(Definition::Argument { block, .. }) => program.blocks[*block].parent.is_none(),
            Some(Definition::Result { op, number }) => program.ops[*op].makes[*number],
            None => false,
        };
        for class in if new { program.classes_of(value) } else { vec![] } {
            for number in &program.classes[class].grows {
                let op = &program.ops[*number];
                match op.op.result_at(0) {
                    Ok(result) if op.changes_object() => self.push(result.into(), need),
                    _ => self.tasks.push(Task::Whole(*number)),
                }
            }
        }
    }

    fn take_result(&mut self, op: usize, definition: Definition, need: Need) {
        let program = self.program;
        let own = &program.ops[op];
        let Definition::Result { number, .. } = definition else { return };
        let forwarded = own.op.result_at(number).ok().and_then(|result| program.forwarded(result.into()));
        if let Some(operand) = forwarded {
            return self.push(operand, need);
        }
        let tensor = own.op.result_at(number).is_ok_and(|result| is_graph_tensor(result.r#type()));
        let is_view = tensor && own.form == Form::Plain && !own.makes.contains(&true);
        let is_view = is_view && own.class.is_none_or(|class| class.name != "graph.custom");
        if is_view {
            self.keep(op, Keep::Whole);
            for operand in own.op.operands() {
                self.push(operand, need);
            }
        } else if need == Need::Fake && tensor && self.is_fakeable(op, number) {
            self.keep(op, Keep::Fake);
        } else {
            self.tasks.push(Task::Whole(op));
        }
    }

    /// Whether a new tensor can be made fake; the numbers that its sizes are computed of are needed then.
    fn is_fakeable(&mut self, op: usize, result: usize) -> bool {
        let program = self.program;
        if !program.ops[op].can_be_fake(result) {
            return false;
        }
        let Some(layout) = fake_layout(program, op, result) else { return false };
        let sizes = layout.sizes.iter().chain(&layout.strides);
        let Some(sources) = sizes.map(|size| program.sources_of_size(*size)).collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        for source in sources.concat() {
            if let Source::Number(value) = source {
                self.push(value, Need::Real);
            }
        }
        true
    }

    /// Keeps an operation, and what is around it.
    fn keep(&mut self, op: usize, keep: Keep) -> bool {
        let before = self.ops.get(&op).copied();
        if before.is_some_and(|before| before >= keep) {
            return false;
        }
        self.ops.insert(op, keep);
        if before.is_none()
            && let Some(parent) = self.program.ops[op].parent
        {
            self.tasks.push(Task::Around(parent));
        }
        true
    }

    fn take_around(&mut self, op: usize) {
        if self.keep(op, Keep::Around) {
            for value in self.program.decides(Some(op)) {
                self.push(value, Need::Real);
            }
        }
    }

    fn take_whole(&mut self, op: usize) {
        let program = self.program;
        let own = &program.ops[op];
        if own.form == Form::Barrier && !self.at_once {
            self.blocked = true;
            return;
        }
        // A view may have been kept before for its sizes alone; its operands then are asked for again.
        self.keep(op, Keep::Whole);
        if !self.written.insert((usize::MAX, op)) {
            return;
        }
        let touched = touched(own.op);
        let copies = own.makes.contains(&true) && !touched.allocates;
        let custom = own.class.is_some_and(|class| class.name == "graph.custom");
        let all = copies || custom || own.changes_object() || matches!(own.form, Form::Call | Form::Barrier);
        for (place, operand) in own.op.operands().enumerate() {
            let real = all || touched.operands.contains(&place);
            self.push(operand, if real { Need::Real } else { Need::Fake });
        }
        let before = if program.is_inside(op) { own.top + 1 } else { own.top };
        for class in &own.reads {
            self.write_before(*class, before);
        }
        if own.draws != Some(0) {
            self.generator_until(own.top);
        }
    }

    /// Keeps the writes to a class before an operation of the function's block.
    fn write_before(&mut self, class: usize, before: usize) {
        let program = self.program;
        let own = &program.classes[class];
        let is_past = |barrier: usize| own.first <= barrier && barrier < before;
        if !self.at_once && program.barrier.is_some_and(is_past) {
            self.blocked = true;
            return;
        }
        let end = own.writes.partition_point(|op| program.ops[*op].top < before);
        for op in own.writes[..end].iter().rev() {
            if !self.written.insert((class, *op)) {
                return;
            }
            self.tasks.push(Task::Whole(*op));
            if program.ops[*op].ends {
                return;
            }
        }
    }

    fn generator_until(&mut self, top: usize) {
        if self.generator.is_some_and(|until| until >= top) {
            return;
        }
        self.generator = Some(top);
        let program = self.program;
        while let Some(op) = program.dynamic.get(self.dynamic).filter(|op| program.ops[**op].top <= top) {
            self.dynamic += 1;
            let around = program.ops[*op].form.has_regions();
            self.tasks.push(if around { Task::Around(*op) } else { Task::Whole(*op) });
        }
    }
}

struct Touched {
    operands: Vec<usize>,
    allocates: bool,
}

/// The operands that an operation reads or writes.
fn touched(op: OperationRef) -> Touched {
    let mut touched = Touched { operands: vec![], allocates: false };
    for (touch, on) in effects::of(op).unwrap_or_default() {
        match (touch, on) {
            (EffectKind::Read | EffectKind::Write, On::Operand(place)) => touched.operands.push(place),
            (EffectKind::Allocate, _) => touched.allocates = true,
            _ => {}
        }
    }
    touched
}

/// The layout of a new tensor.
pub fn fake_layout(program: &Program, op: usize, result: usize) -> Option<Layout<Size>> {
    let fake = program.state.fake(program.ops[op].op.result_at(result).ok()?.into())?;
    let known = &fake.known;
    let simple =
        |sizes: &[Size]| current(|symbols| sizes.iter().map(|size| symbols.simplified(*size)).collect());
    let layout = Layout {
        sizes: simple(&known.layout.sizes),
        strides: simple(&known.layout.strides),
        offset: known.layout.offset,
    };
    (!known.conj && !known.neg && layout.offset.known() == Some(0)).then_some(layout)
}

//! Operations that are compiled when they are called, for the tensors that there are.
//!
//! What types say too little of the lowering leaves as a text in the code (`runtime/rt/src/recompile.rs`). [`Recompiler`] makes sizes,
//! strides and offsets of it those of the arguments ([`specialize`]), compiles it as any other program, and keeps it for the next call. Numbers
//! stay arguments, unless it can be compiled only where they are known. Arguments and results are [`words`].

mod specialize;
mod words;

use super::{ResultFacts, Same, lower};
use crate::module::{self, Said};
use melior::{Context, ir::ValueLike};
use specialize::{forget_unused, function, has_unused, parse, specialize};
use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::HashMap,
    ffi::{CStr, c_char, c_void},
    ptr,
    rc::Rc,
};
use terrace_dialects::{arguments::is_private, ir::OperationLike, operations::arguments};
use terrace_lowering::pipeline::Level;
use terrace_rt::{
    buffer::Words,
    objects::{terrace_rt_new_object, terrace_rt_tell_object, terrace_rt_told_object},
    recompile::recompiled_by,
    status,
};
use terrace_session::{Arg, Code, Cpu, Error, OptLevel, Output, Session};
use terrace_tensor::Flags;
use words::{Given, Kind, result};

/// Compiles what was not compiled, while a program runs.
pub struct Recompiler {
    cpu: Cpu,
    context: OnceCell<(Context, Said)>,
    /// What the arguments of texts are, by their addresses.
    kinds: RefCell<HashMap<usize, Rc<[Kind]>>>,
    /// What was compiled, by the address of its text and by what it was compiled for.
    known: RefCell<HashMap<Key, Compiled>>,
    /// How deep the call is that runs now.
    depth: Cell<usize>,
    /// What the results of the last call of a whole program are.
    facts: RefCell<Option<Vec<ResultFacts>>>,
}

/// The address of a text, and what it is compiled for.
type Key = (usize, Vec<Known>);

/// A program, or why there is none.
type Compiled = Result<Rc<Program>, String>;

/// What was compiled.
struct Program {
    session: Session,
    name: String,
    /// What its results are.
    facts: Vec<ResultFacts>,
    /// Whether it is called from outside.
    whole: bool,
}

/// Which attempt to compile a text it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    /// Of a program that is called from outside, without its numbers: the last one has these.
    First,
    /// Of such a program, after which no more is known of its arguments.
    Last,
    /// The only one, within such a program.
    Within,
}

/// How deep what is compiled when it is called may be in other such: what is not known of one is known of those that it calls.
const DEPTH: usize = 4;

/// What an operation is compiled for: an argument that is a tensor, a number where it has to be known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Known {
    /// Its storage is named by the number of the first argument that has it.
    Tensor {
        sizes: Vec<i64>,
        strides: Vec<i64>,
        offset: i64,
        storage: usize,
    },
    Number(Option<i64>),
}

impl Recompiler {
    /// Compiles for this CPU.
    pub fn new(cpu: &Cpu) -> Self {
        Self {
            cpu: cpu.clone(),
            context: OnceCell::new(),
            kinds: RefCell::default(),
            known: RefCell::default(),
            depth: Cell::new(0),
            facts: RefCell::default(),
        }
    }

    /// Runs something that calls code of which more is compiled so.
    pub fn lend<T>(&self, run: impl FnOnce() -> T) -> T {
        recompiled_by(Self::hook, ptr::from_ref(self).cast_mut().cast(), run)
    }

    /// What the results are of the program that was called last, where it was compiled as a whole when it was called.
    pub fn take_facts(&self) -> Option<Vec<ResultFacts>> {
        self.facts.take()
    }

    extern "C" fn hook(caller: *mut c_void, source: *const c_char, words: *mut i64) -> bool {
        // SAFETY: `lend` lives as long as the call, and the text as long as the code.
        let (own, source) = unsafe { (&*caller.cast::<Self>(), CStr::from_ptr(source)) };
        let depth = own.depth.get();
        own.depth.set(depth + 1);
        // SAFETY: the words are those of a call of the text.
        let called = unsafe { own.call(source, words) };
        own.depth.set(depth);
        called.map_err(status::fail).is_ok()
    }

    /// # Safety
    /// `words` are those of a call of `source`.
    unsafe fn call(&self, source: &CStr, words: *mut i64) -> Result<(), String> {
        let (context, said) = self.context.get_or_init(module::listening);
        let text = source.to_string_lossy();
        // SAFETY: the caller's.
        let mut read = unsafe { Words::new(words) };
        let kinds = self.kinds(context, source)?;
        let given: Vec<Given> = kinds.iter().map(|kind| Given::read(*kind, &mut read)).collect();
        let storage = |own: &Given| given.iter().position(|other| other.is_of(own)).unwrap_or_default();
        let known = |numbers| given.iter().map(move |own| own.known(storage(own), numbers));
        let key = |numbers| (source.as_ptr() as usize, known(numbers).collect());
        let depth = self.depth.get();
        let has_numbers = !known(true).eq(known(false));
        let compiled = |numbers| {
            let key: Key = key(numbers);
            if let Some(known) = self.known.borrow().get(&key) {
                return known.clone();
            }
            said.borrow_mut().clear();
            let attempt = match depth {
                1 if numbers || !has_numbers => Attempt::Last,
                1 => Attempt::First,
                _ => Attempt::Within,
            };
            let made = self.compile(context, &text, &key.1, attempt);
            let made = made.map(Rc::new).map_err(|why| format!("{}{why}", said.borrow().join("; ")));
            self.known.borrow_mut().insert(key, made.clone());
            made
        };
        let program = match depth {
            1 => match compiled(false) {
                Err(_) if has_numbers => compiled(true),
                program => program,
            },
            2..=DEPTH => compiled(true),
            _ => Err("is compiled for the tensors that there are, and asks for them again".into()),
        }?;
        let signature = program.session.signatures().find(|own| own.name == program.name).cloned();
        let signature = signature.ok_or("has no entry point")?;
        let args = given.iter().zip(&signature.arguments).map(|(given, ty)| given.argument(ty));
        let args = args.collect::<Result<Vec<Arg>, _>>()?;
        let outputs = program.session.call(&program.name, &args).map_err(|error| match error {
            // Who called it from outside names it.
            Error::Runtime { message, .. } if program.whole => message,
            error => error.to_string(),
        })?;
        let taken: usize = given.iter().map(Given::words).sum();
        tell(&program.facts);
        if program.whole {
            self.facts.replace(Some(program.facts.clone()));
        }
        // SAFETY: words of results stand behind those of arguments.
        let mut at = unsafe { words.add(taken) };
        let rows: Vec<_> = outputs.iter().map(|output| result(output, &given)).collect();
        // What is handed on is not freed here.
        outputs.into_iter().for_each(|output| match output {
            Output::MemRef(memref) => drop(memref.into_allocation()),
            Output::Scalar(_) => {}
        });
        for row in rows {
            // SAFETY: there are as many words as a result of this type takes.
            unsafe {
                ptr::copy_nonoverlapping(row.as_ptr(), at, row.len());
                at = at.add(row.len());
            }
        }
        Ok(())
    }

    /// What the arguments of a text are.
    fn kinds(&self, context: &Context, source: &CStr) -> Result<Rc<[Kind]>, String> {
        let address = source.as_ptr() as usize;
        if let Some(known) = self.kinds.borrow().get(&address) {
            return Ok(known.clone());
        }
        let module = parse(context, &source.to_string_lossy())?;
        let (_, block) = function(&module)?;
        let kinds: Rc<[Kind]> = arguments(block).map(|argument| Kind::of(argument.r#type())).collect();
        self.kinds.borrow_mut().insert(address, kinds.clone());
        Ok(kinds)
    }

    /// Compiles a text.
    fn compile(
        &self,
        context: &Context,
        text: &str,
        known: &[Known],
        attempt: Attempt,
    ) -> Result<Program, String> {
        let mut module = parse(context, text)?;
        let (op, _) = function(&module)?;
        let (whole, is_operation) = (!is_private(op), op.attribute("no_inline").is_ok());
        let name = specialize(context, &mut module, known)?;
        let target = lower::target(&self.cpu);
        let lower = |module, eager| {
            let passes = |level: Level| match eager {
                true => level.eager_passes(&target),
                false => level.strict_passes(&target),
            };
            lower::to_llvm_by(context, module, &name, passes, |_, _| {})
        };
        // What nobody uses is computed operation by operation: it may be refused. As a whole it goes.
        let each = match has_unused(&module)? {
            true => match lower(lower::copy(&module), true) {
                Err(why) if attempt == Attempt::First => return Err(why),
                made => made.ok(),
            },
            false => None,
        };
        if each.is_none() {
            forget_unused(&module)?;
        }
        let lowered = match each {
            Some(lowered) => lowered,
            // What is known only when it has run as far is compiled then.
            None if attempt == Attempt::Last && !is_operation => lower::or_eager(context, module, lower)?,
            None => lower(module, false)?,
        };
        // Of an operation its caller knows.
        let is_flagged = |facts: &ResultFacts| facts.flags != Flags::default() || facts.told_flags;
        if !whole && !is_operation && lowered.facts.iter().any(is_flagged) {
            return Err(
                "gives conjugates or negatives to a function of which types do not say all: that is interpreted only"
                    .into(),
            );
        }
        let facts = lowered.facts;
        let code = Code::x86(&lowered.module, lowered.signatures, &self.cpu, OptLevel::Fast);
        let session = code.and_then(|code| Session::load(&code)).map_err(|e| e.to_string())?;
        Ok(Program { session, name, facts, whole })
    }
}

/// Tells which tensors results are, where the program that was called has not.
fn tell(facts: &[ResultFacts]) {
    for (i, own) in facts.iter().enumerate().filter(|(_, own)| !own.told) {
        let object = match own.same_as {
            Some(Same::Argument(argument)) => argument as i64,
            Some(Same::Result(result)) => terrace_rt_told_object(result as i64),
            None => terrace_rt_new_object(),
        };
        terrace_rt_tell_object(i as i64, object);
    }
}

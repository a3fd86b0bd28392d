//! Calls that get no memory: an error, whichever allocation it is, and nothing that was allocated before it
//! is lost.

mod common;

use common::*;
use std::ffi::c_void;
use terrace_lowering::pipeline::Target;
use terrace_native::{Arg, Context};
use terrace_rt::{
    context::terrace_rt_context_set_allocator,
    memory::{terrace_rt_alloc, terrace_rt_free},
};
use terrace_tensor::Scalar;

const PROGRAM: &str = "
func.func @f(%x: !graph.tensor<96x1000xf32>, %w: !graph.tensor<1000x300xf32>) -> (!graph.tensor<300x96xf32>, !graph.tensor<96x300xf32>, !graph.tensor<96x300xi64>) {
  %0 = graph.mm %x, %w : !graph.tensor<96x1000xf32>, !graph.tensor<1000x300xf32>
  %1 = graph.softmax %0 {dim = 1} : !graph.tensor<96x300xf32>
  %2:2 = graph.sort %1 {dim = 1} : !graph.tensor<96x300xf32>
  %3 = graph.mm %x, %w : !graph.tensor<96x1000xf32>, !graph.tensor<1000x300xf32>
  %4 = graph.cumsum %3 {dim = 0} : !graph.tensor<96x300xf32>
  %5 = graph.transpose %4 {dim0 = 0, dim1 = 1} : !graph.tensor<96x300xf32>
  %6 = graph.contiguous %5 : !graph.tensor<300x96xf32>
  return %6, %2#0, %2#1 : !graph.tensor<300x96xf32>, !graph.tensor<96x300xf32>, !graph.tensor<96x300xi64>
}";

/// Branches in a loop, of which one allocates what it gives.
const BRANCHES: &str = "
func.func @f(%x: !graph.tensor<100xf32>, %n: index, %k: index, %c: i1) -> !graph.tensor<100xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> !graph.tensor<100xf32> {
    %s = scf.if %c -> !graph.tensor<100xf32> {
      %0 = graph.exp %a : !graph.tensor<100xf32>
      %1 = graph.softmax %0 {dim = 0} : !graph.tensor<100xf32>
      scf.yield %1 : !graph.tensor<100xf32>
    } else {
      scf.yield %a : !graph.tensor<100xf32>
    }
    %t = scf.index_switch %k -> !graph.tensor<100xf32>
    case 0 {
      scf.yield %s : !graph.tensor<100xf32>
    }
    default {
      %2 = graph.cumsum %s {dim = 0} : !graph.tensor<100xf32>
      scf.yield %2 : !graph.tensor<100xf32>
    }
    scf.yield %t : !graph.tensor<100xf32>
  }
  %3 = graph.neg %r : !graph.tensor<100xf32>
  return %3 : !graph.tensor<100xf32>
}";

/// Counts the buffers that there are, and gives no more than so many.
struct Counted {
    live: usize,
    left: usize,
}

extern "C" fn give(caller: *mut c_void, bytes: i64, align: i64) -> *mut c_void {
    // SAFETY: the caller's.
    let own = unsafe { &mut *caller.cast::<Counted>() };
    if own.left == 0 {
        return std::ptr::null_mut();
    }
    (own.live, own.left) = (own.live + 1, own.left - 1);
    terrace_rt_alloc(None, bytes, align).cast()
}

extern "C" fn take(caller: *mut c_void, memory: *mut c_void) {
    // SAFETY: the caller's; the memory is of `give`.
    unsafe {
        (*caller.cast::<Counted>()).live -= 1;
        terrace_rt_free(None, memory.cast());
    }
}

/// A context of one thread whose memory is counted.
fn counted(by: *mut Counted) -> Context {
    let mut context = Context::new();
    context.set_threads(1);
    terrace_rt_context_set_allocator(&mut context, Some(give), Some(take), by.cast());
    context
}

#[test]
fn what_branches_allocate_is_freed() {
    let (isa, cpu) = isas().pop().unwrap();
    let session = compile_graph(BRANCHES, isa, &cpu);
    for (rounds, way, condition) in [(0, 0, false), (3, 0, false), (3, 0, true), (3, 1, false), (3, 1, true)]
    {
        let mut own = Counted { live: 0, left: 1000 };
        let caller = std::ptr::from_mut(&mut own);
        let context = counted(caller);
        let mut x = vec![0.5f32; 100];
        let number = |value: i64| Arg::Scalar(Scalar::Int(value));
        let condition = Arg::Scalar(Scalar::Bool(condition));
        let arguments = [buffer(&mut x, &[100]), number(rounds), number(way), condition];
        drop(session.call(&context, "f", &arguments).unwrap());
        // SAFETY: results are gone.
        assert_eq!(unsafe { (*caller).live }, 0, "{rounds} rounds, way {way}");
    }
}

#[test]
fn an_allocation_that_fails_is_the_calls_error_and_nothing_is_lost() {
    fails_wherever(vec!["pack-allocations".into()], 6);
    // Three results, and one buffer for all else.
    fails_wherever(vec![], 4);
}

/// Lets each allocation of the program fail, of which there are so many at least.
fn fails_wherever(without: Vec<String>, least: usize) {
    let (isa, cpu) = isas().pop().unwrap();
    let target = Target { without, ..target(isa) };
    let session = compile_graph_for(&target, PROGRAM, &cpu);
    let mut own = Counted { live: 0, left: 0 };
    let caller = std::ptr::from_mut(&mut own);
    let context = counted(caller);
    let (mut x, mut w) = (vec![0.5f32; 96 * 1000], vec![0.25f32; 1000 * 300]);
    let mut call = |left: usize| {
        // SAFETY: nobody else has it now.
        unsafe { (*caller).left = left };
        let arguments: [Arg; 2] = [buffer(&mut x, &[96, 1000]), buffer(&mut w, &[1000, 300])];
        let error = session.call(&context, "f", &arguments).map(drop).err();
        // SAFETY: as above; results are gone.
        assert_eq!(unsafe { (*caller).live }, 0, "{left} allocations");
        // SAFETY: as above; the call is over.
        (error.map(|e| e.to_string()), left - unsafe { (*caller).left })
    };
    let (error, allocations) = call(1000);
    assert_eq!(error, None);
    assert!(allocations >= least, "{allocations}");
    for left in 0..allocations {
        let error = call(left).0.unwrap_or_else(|| panic!("{left} of {allocations} suffice"));
        assert!(error.starts_with("-:2:1: @f: no memory for "), "{error}");
    }
    assert_eq!(call(allocations).0, None);
}

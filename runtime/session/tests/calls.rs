//! Calls of programs: how often they are compiled, and that each has the reference's result.

use melior::ir::Module;
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering::SeqCst},
};
use terrace_session::{Error, Fallback, OpenSizes, Options, Program, Session, context};
use terrace_tensor::{
    Dtype, Storage, Tensor, Value,
    compare::{Tolerance, compare},
};

/// Makes a program of a text and does something with it.
fn with(text: &str, options: Options, work: impl FnOnce(&Program)) {
    let context = context();
    let module = Module::parse(&context, text).unwrap_or_else(|| panic!("no program:\n{text}"));
    let session = Session::new(&context, options);
    work(&session.program(module));
}

fn never() -> Options<'static> {
    Options { fallback: Fallback::Never, ..Options::default() }
}

fn tensor(sizes: &[i64]) -> Tensor {
    let count = sizes.iter().product::<i64>();
    let elements: Vec<f64> = (0..count).map(|i| (i * 37 % 23) as f64 / 8.0 - 1.0).collect();
    Tensor::from_elements(Dtype::F32, sizes, &elements).unwrap()
}

/// Calls a program on arguments that are made anew for the reference, and compares results, arguments, and
/// which of them share a storage.
fn agrees(program: &Program, arguments: impl Fn() -> Vec<Value>) {
    let (given, expected) = (arguments(), arguments());
    let results = program.call("main", &given).unwrap_or_else(|e| panic!("{e}"));
    let wanted = program.reference("main", &expected).unwrap();
    assert_eq!(results.len(), wanted.len());
    let same = |a: &Value, b: &Value| compare(a, b, Tolerance::default()).unwrap();
    wanted.iter().chain(&expected).zip(results.iter().chain(&given)).for_each(|(a, b)| same(a, b));
    let storages = |all: &[Value], results: &[Value]| -> Vec<Vec<bool>> {
        let tensors: Vec<Tensor> =
            all.iter().chain(results).filter_map(|value| value.as_tensor().cloned()).collect();
        let shares = |a: &Tensor| tensors.iter().map(|b| a.storage().is_same(b.storage())).collect();
        tensors.iter().map(shares).collect()
    };
    assert_eq!(storages(&expected, &wanted), storages(&given, &results));
}

const LAYER: &str = "func.func @main(%x: !graph.tensor<?x8xf32>, %w: !graph.tensor<4x8xf32>, %b: !graph.tensor<4xf32>) -> !graph.tensor<?x4xf32> {
  %y = graph.linear %x, %w bias %b : !graph.tensor<?x8xf32>, !graph.tensor<4x8xf32>, !graph.tensor<4xf32>
  %z = graph.relu_ %y : !graph.tensor<?x4xf32>
  %s = graph.softmax %z {dim = 1 : i64} : !graph.tensor<?x4xf32>
  return %s : !graph.tensor<?x4xf32>
}";

#[test]
fn columns_of_a_large_matrix() {
    // More than 1 MiB, and neither rows nor columns are whole blocks: sums go a few rows at a time.
    let text = "func.func @main(%x: !graph.tensor<71x4003xf32>) -> !graph.tensor<4003xf32> {
  %s = graph.mean %x {dim = array<i64: 0>} : !graph.tensor<71x4003xf32>
  %e = graph.exp %s : !graph.tensor<4003xf32>
  return %e : !graph.tensor<4003xf32>
}";
    with(text, never(), |program| agrees(program, || vec![Value::Tensor(tensor(&[71, 4003]))]));
}

#[test]
fn a_session_says_why_it_compiles() {
    let said = Mutex::new(vec![]);
    let explain = |text: &str| said.lock().unwrap().push(text.to_owned());
    with(LAYER, Options { explain: Some(Box::new(explain)), ..never() }, |program| {
        for batch in [4, 2, 7] {
            let call = [tensor(&[batch, 8]).into(), tensor(&[4, 8]).into(), tensor(&[4]).into()];
            program.call("main", &call).unwrap();
        }
    });
    assert_eq!(
        said.into_inner().unwrap(),
        [
            "@main: compiled for f32[4x8], f32[4x8], f32[4]: it is the first call",
            "@main: compiled for f32[?x8], f32[4x8], f32[4]: argument 0 has sizes [2, 8], and had [4, 8]"
        ]
    );
}

#[test]
fn tensors_may_lie_in_memory_of_the_callers() {
    const PROGRAM: &str =
        "func.func @main(%x: !graph.tensor<2x3xf32>) -> (!graph.tensor<3x2xf32>, !graph.tensor<2x3xf32>) {
      %0 = graph.add_ %x, %x : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
      %1 = graph.transpose %x {dim0 = 0, dim1 = 1} : !graph.tensor<2x3xf32>
      %2 = graph.neg %x : !graph.tensor<2x3xf32>
      return %1, %2 : !graph.tensor<3x2xf32>, !graph.tensor<2x3xf32>
    }";
    /// Says when its memory is nobody's any more.
    struct Owned(Arc<AtomicBool>);
    impl Drop for Owned {
        fn drop(&mut self) {
            self.0.store(true, SeqCst);
        }
    }
    with(PROGRAM, never(), |program| {
        // At an odd place of the caller's memory.
        let mut memory: Vec<f32> = (0..8).map(|i| i as f32).collect();
        let gone = Arc::new(AtomicBool::new(false));
        let start = std::ptr::NonNull::from(&mut memory[1]).cast();
        // SAFETY: the memory outlives the storage, and nobody else looks at it meanwhile.
        let storage = unsafe { Storage::lent(start, 28, Arc::new(Owned(gone.clone()))) };
        let x = Tensor::new(storage, Dtype::F32, vec![2, 3], vec![3, 1], 1).unwrap();
        let results = program.call("main", &[x.clone().into()]).unwrap();
        let [view, fresh] = [0, 1].map(|i| results[i].as_tensor().unwrap().clone());
        assert!(view.storage().is_same(x.storage()) && !fresh.storage().is_same(x.storage()));
        assert_eq!((view.offset(), view.strides()), (1, &[1, 3][..]));
        drop((x, results));
        assert!(!gone.load(SeqCst), "a result lies there");
        drop(view);
        assert!(gone.load(SeqCst));
        assert_eq!(memory, [0.0, 1.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0]);
        assert_eq!(fresh.to_vec()[5].to_f64(), -14.0);
    });
}

#[test]
fn a_batch_of_any_size_is_compiled_twice() {
    with(LAYER, never(), |program| {
        for batch in [4, 2, 7, 1, 0, 100, 4] {
            agrees(program, || vec![tensor(&[batch, 8]).into(), tensor(&[4, 8]).into(), tensor(&[4]).into()]);
        }
        assert_eq!(program.variants("main"), 2);
    });
    let all = Options { open_sizes: OpenSizes::All, ..never() };
    with(LAYER, all, |program| {
        for batch in [4, 2, 7, 1, 0, 100, 4] {
            agrees(program, || vec![tensor(&[batch, 8]).into(), tensor(&[4, 8]).into(), tensor(&[4]).into()]);
        }
        assert_eq!(program.variants("main"), 1);
    });
}

#[test]
fn attention_of_any_batch_and_length() {
    let text = "func.func @main(%q: !graph.tensor<?x2x?x16xf32>, %k: !graph.tensor<?x2x40x16xf32>, %v: !graph.tensor<?x2x40x16xf32>) -> !graph.tensor<?x2x?x16xf32> {
      %t = graph.transpose %k {dim0 = -1, dim1 = -2} : !graph.tensor<?x2x40x16xf32>
      %s = graph.matmul %q, %t : !graph.tensor<?x2x?x16xf32>, !graph.tensor<?x2x16x40xf32>
      %p = graph.softmax %s {dim = -1} : !graph.tensor<?x2x?x40xf32>
      %o = graph.matmul %p, %v : !graph.tensor<?x2x?x40xf32>, !graph.tensor<?x2x40x16xf32>
      return %o : !graph.tensor<?x2x?x16xf32>
    }";
    with(text, never(), |program| {
        for (batch, length) in [(3, 5), (2, 70), (4, 33), (7, 2), (2, 64)] {
            let keys = || tensor(&[batch, 2, 40, 16]).into();
            agrees(program, || vec![tensor(&[batch, 2, length, 16]).into(), keys(), keys()]);
        }
        assert_eq!(program.variants("main"), 2);
    });
}

#[test]
fn strides_along_sizes_of_one_are_those_of_the_call() {
    let text = "func.func @main(%x: !graph.tensor<?x?xf32>) -> i64 {
      %0 = graph.sym_stride %x {dim = 1 : i64} : !graph.tensor<?x?xf32>
      return %0 : i64
    }";
    let all = Options { open_sizes: OpenSizes::All, ..never() };
    with(text, all, |program| {
        agrees(program, || vec![tensor(&[4, 3]).into()]);
        agrees(program, || vec![tensor(&[4, 1]).into()]);
        agrees(program, || vec![tensor(&[1, 4]).view(vec![4, 1], vec![1, 4], 0).unwrap().into()]);
    });
}

#[test]
fn slices_of_one_tensor_are_compiled_once() {
    with(LAYER, never(), |program| {
        let (all, w, b) = (tensor(&[3200, 8]), tensor(&[4, 8]), tensor(&[4]));
        for i in 0..100 {
            let slice = || all.view(vec![32, 8], vec![8, 1], i * 256).unwrap();
            agrees(program, || vec![slice().into(), w.clone().into(), b.clone().into()]);
        }
        assert_eq!(program.variants("main"), 1);
    });
}

#[test]
fn a_cache_that_grows_is_compiled_at_most_three_times() {
    let text =
        "func.func @main(%q: !graph.tensor<1x8xf32>, %k: !graph.tensor<?x8xf32>) -> !graph.tensor<1x?xf32> {
      %t = graph.t %k : !graph.tensor<?x8xf32>
      %p = graph.mm %q, %t : !graph.tensor<1x8xf32>, !graph.tensor<8x?xf32>
      %s = graph.softmax %p {dim = 1 : i64} : !graph.tensor<1x?xf32>
      return %s : !graph.tensor<1x?xf32>
    }";
    with(text, never(), |program| {
        for length in (1..20).chain([100, 499, 500]) {
            agrees(program, || vec![tensor(&[1, 8]).into(), tensor(&[length, 8]).into()]);
        }
        assert!(program.variants("main") <= 3, "{}", program.variants("main"));
    });
}

/// Calls a program with two sets of arguments, one after the other, in both orders.
fn both_flags(text: &str, one: impl Fn() -> Vec<Value>, other: impl Fn() -> Vec<Value>) {
    for turned in [false, true] {
        with(text, never(), |program| {
            for first in [!turned, turned, !turned] {
                agrees(program, || if first { one() } else { other() });
            }
        });
    }
}

const WRITES: &str = "func.func @main(%x: !graph.tensor<4xf32> {graph.layout = \"any\"}, %y: !graph.tensor<4xf32> {graph.layout = \"any\"}) -> !graph.tensor<4xf32> {
  %k = arith.constant 2.0 : f64
  %0 = graph.mul_ %x, %k : !graph.tensor<4xf32>, f64
  %1 = graph.add %y, %x : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %1 : !graph.tensor<4xf32>
}";

/// Two views of one storage of 12 elements.
fn views(places: [i64; 2], strides: [i64; 2]) -> Vec<Value> {
    let all = tensor(&[12]);
    let view = |k: usize| all.view(vec![4], vec![strides[k]], places[k]).unwrap();
    vec![view(0).into(), view(1).into()]
}

#[test]
fn arguments_that_share_memory_and_do_not() {
    both_flags(WRITES, || vec![tensor(&[4]).into(), tensor(&[4]).into()], || views([0, 2], [1, 1]));
    both_flags(WRITES, || views([0, 4], [1, 1]), || views([0, 2], [1, 1]));
    both_flags(WRITES, || views([1, 0], [2, 2]), || views([0, 0], [2, 1]));
}

#[test]
fn one_tensor_as_two_arguments() {
    let same = || {
        let one = tensor(&[4]);
        vec![one.clone().into(), one.into()]
    };
    both_flags(WRITES, || vec![tensor(&[4]).into(), tensor(&[4]).into()], same);
}

#[test]
fn strides_that_are_others() {
    let of = |strides: [i64; 2]| {
        let own = tensor(&[12]).view(vec![4], vec![strides[0]], 0).unwrap();
        vec![own.into(), tensor(&[12]).view(vec![4], vec![strides[1]], 1).unwrap().into()]
    };
    both_flags(WRITES, || of([1, 2]), || of([2, 1]));
}

#[test]
fn sizes_that_are_equal_and_not() {
    let text = "func.func @main(%x: !graph.tensor<?xf32>, %y: !graph.tensor<?xf32>) -> !graph.tensor<?xf32> {
      %0 = graph.mul %x, %y : !graph.tensor<?xf32>, !graph.tensor<?xf32>
      return %0 : !graph.tensor<?xf32>
    }";
    let of = |n: i64, m: i64| vec![Value::from(tensor(&[n])), tensor(&[m]).into()];
    both_flags(text, || of(3, 3), || of(3, 1));
    both_flags(text, || of(1, 3), || of(0, 0));
    both_flags(text, || of(5, 5), || of(4, 4));
}

#[test]
fn conjugates_and_tensors_that_are_none() {
    let text = "func.func @main(%x: !graph.tensor<3xcomplex<f32>>) -> (!graph.tensor<3xcomplex<f32>>, !graph.tensor<3xcomplex<f32>>) {
      %0 = graph.mul_ %x, %x : !graph.tensor<3xcomplex<f32>>, !graph.tensor<3xcomplex<f32>>
      %1 = graph.add %x, %0 : !graph.tensor<3xcomplex<f32>>, !graph.tensor<3xcomplex<f32>>
      return %0, %1 : !graph.tensor<3xcomplex<f32>>, !graph.tensor<3xcomplex<f32>>
    }";
    let elements = [1.0, 2.0, -3.0].map(|x| terrace_tensor::Scalar::Complex(x, x + 1.0));
    let own = || Tensor::from_elements(Dtype::C64, &[3], &elements).unwrap();
    let conj = terrace_tensor::Flags { conj: true, neg: false };
    both_flags(text, || vec![own().into()], || vec![own().with_flags(conj).into()]);
}

#[test]
fn numbers_that_decide() {
    let text = "func.func @main(%x: !graph.tensor<?xf32>, %n: i64) -> !graph.tensor<?xf32> {
      %p = graph.narrow %x start [1] length [%n] {dim = 0 : i64} : !graph.tensor<?xf32>
      %y = graph.exp %p : !graph.tensor<?xf32>
      return %y : !graph.tensor<?xf32>
    }";
    let of = |n: i64| vec![Value::from(tensor(&[6])), Value::Scalar(n.into())];
    both_flags(text, || of(3), || of(1));
    both_flags(text, || of(0), || of(5));
}

#[test]
fn the_variant_that_was_called_longest_ago_is_dropped() {
    let transposed = |n: i64| vec![Value::from(tensor(&[n, 8]).view(vec![8, n], vec![1, 8], 0).unwrap())];
    let text =
        "func.func @main(%x: !graph.tensor<8x?xf32> {graph.layout = \"any\"}) -> !graph.tensor<8x?xf32> {
      %y = graph.exp %x : !graph.tensor<8x?xf32>
      return %y : !graph.tensor<8x?xf32>
    }";
    with(text, Options { variants: 2, ..never() }, |program| {
        let time = |n: i64| program.variant("main", &transposed(n)).unwrap();
        let (two, three) = (time(2), time(3));
        assert!(std::sync::Arc::ptr_eq(&two, &time(2)));
        time(4);
        assert_eq!(program.variants("main"), 2);
        assert!(std::sync::Arc::ptr_eq(&two, &time(2)) && !std::sync::Arc::ptr_eq(&three, &time(3)));
    });
}

const RECURSIVE: &str =
    "func.func private @power(%x: !graph.tensor<3xf32>, %n: i64) -> !graph.tensor<3xf32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %done = arith.cmpi eq, %n, %zero : i64
  %r = scf.if %done -> !graph.tensor<3xf32> {
    %k = graph.ones_like %x : !graph.tensor<3xf32>
    scf.yield %k : !graph.tensor<3xf32>
  } else {
    %m = arith.subi %n, %one : i64
    %p = func.call @power(%x, %m) : (!graph.tensor<3xf32>, i64) -> !graph.tensor<3xf32>
    %q = graph.mul_ %p, %x : !graph.tensor<3xf32>, !graph.tensor<3xf32>
    scf.yield %q : !graph.tensor<3xf32>
  }
  return %r : !graph.tensor<3xf32>
}
func.func @main(%x: !graph.tensor<3xf32>, %n: i64) -> !graph.tensor<3xf32> {
  %r = func.call @power(%x, %n) : (!graph.tensor<3xf32>, i64) -> !graph.tensor<3xf32>
  return %r : !graph.tensor<3xf32>
}";

#[test]
fn what_a_pass_refuses_the_reference_runs_unless_never() {
    let arguments = || vec![Value::from(tensor(&[3])), Value::Scalar(3i64.into())];
    with(RECURSIVE, Options::default(), |program| agrees(program, arguments));
    with(RECURSIVE, never(), |program| {
        let Err(Error::Refused(why)) = program.call("main", &arguments()) else {
            panic!("it is not refused")
        };
        assert!(why[0].message.contains("recursion on graph tensors is not supported"), "{why:?}");
    });
}

#[test]
fn what_does_not_fit_is_an_error_of_the_argument() {
    with(LAYER, Options::default(), |program| {
        let (w, b) = (Value::from(tensor(&[4, 8])), Value::from(tensor(&[4])));
        let error = program.call("main", &[tensor(&[2, 9]).into(), w.clone(), b]).unwrap_err();
        assert!(
            matches!(error, Error::Argument { .. }) && error.to_string().contains("expects sizes"),
            "{error}"
        );
        let error = program.call("other", &[w]).unwrap_err();
        assert!(matches!(error, Error::Entry(_)), "{error}");
    });
}

#[test]
fn an_error_of_the_program_is_the_calls_and_writes_nothing_else() {
    let text = "func.func @main(%x: !graph.tensor<4xf32>, %i: !graph.tensor<2xi64>) -> !graph.tensor<2xf32> {
      %0 = graph.index %x[%i] {present = array<i1: true>} : !graph.tensor<4xf32>[!graph.tensor<2xi64>]
      return %0 : !graph.tensor<2xf32>
    }";
    let indices = |last: f64| Value::from(Tensor::from_elements(Dtype::I64, &[2], &[1.0, last]).unwrap());
    with(text, Options::default(), |program| {
        let error = program.call("main", &[tensor(&[4]).into(), indices(4.0)]).unwrap_err();
        assert!(
            matches!(error, Error::Runtime { .. }) && error.to_string().contains("out of bounds"),
            "{error}"
        );
        agrees(program, || vec![tensor(&[4]).into(), indices(3.0)]);
    });
}

#[test]
fn results_go_into_tensors_of_the_callers() {
    with(LAYER, never(), |program| {
        let call = [tensor(&[3, 8]).into(), tensor(&[4, 8]).into(), tensor(&[4]).into()];
        let results = program.call("main", &call).unwrap();
        // Row by row with gaps, and column by column.
        for strides in [vec![8, 2], vec![1, 3]] {
            let room = Storage::zeroed(32 * 4).unwrap();
            let into = Tensor::new(room, Dtype::F32, vec![3, 4], strides, 0).unwrap();
            program.call_into("main", &call, std::slice::from_ref(&into)).unwrap();
            compare(&results[0], &into.into(), Tolerance::default()).unwrap();
        }
        let wrong = program.call_into("main", &call, &[tensor(&[4, 3])]).unwrap_err().to_string();
        assert!(wrong.contains("result 0 is f32[3, 4], and goes into no f32[4, 3]"), "{wrong}");
        let none = program.call_into("main", &call, &[]).unwrap_err().to_string();
        assert!(none.contains("gives 1 results, got 0 tensors for them"), "{none}");
    });
}

#[test]
fn code_has_so_many_bytes_at_most() {
    with(LAYER, Options { code_bytes: 1, ..never() }, |program| {
        for batch in [4, 2] {
            let call = [tensor(&[batch, 8]).into(), tensor(&[4, 8]).into(), tensor(&[4]).into()];
            program.call("main", &call).unwrap();
            // The last one stays, however large it is.
            assert_eq!(program.variants("main"), 1);
        }
    });
}

#[test]
fn a_refusal_says_for_which_reason() {
    const PROGRAM: &str = "func.func @main(%x: !graph.tensor<4xf32>) -> !graph.tensor<2xi64> {
      %n = graph.nonzero %x : !graph.tensor<4xf32>
      %r = graph.resize_ %n size [2] : !graph.tensor<?x1xi64>
      return %r : !graph.tensor<2xi64>
    }";
    with(PROGRAM, never(), |program| {
        let error = program.call("main", &[tensor(&[4]).into()]).unwrap_err();
        assert_eq!(error.reason(), Some(terrace_session::Reason::Size), "{error}");
    });
}

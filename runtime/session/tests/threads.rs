//! Calls from many threads at once: each has its own error, and none waits for another's compilation.

use melior::ir::Module;
use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};
use terrace_session::{Error, Fallback, Level, Options, Session, context};
use terrace_tensor::{Dtype, Tensor, Value};

const PROGRAM: &str = "
func.func @pick(%x: !graph.tensor<?xf32>, %i: !graph.tensor<4xi64>) -> !graph.tensor<4xf32> {
  %0 = graph.index_select %x, %i {dim = 0} : !graph.tensor<?xf32>, !graph.tensor<4xi64>
  return %0 : !graph.tensor<4xf32>
}
func.func @counts(%x: !graph.tensor<?xf32>) -> !graph.tensor<2xf32> {
  %0 = graph.histc %x {bins = 2 : i64} : !graph.tensor<?xf32>
  return %0 : !graph.tensor<2xf32>
}
func.func @twice(%x: !graph.tensor<?xf32>) -> !graph.tensor<?xf32> {
  %0 = graph.add_ %x, %x : !graph.tensor<?xf32>, !graph.tensor<?xf32>
  %1 = graph.mul %x, %x : !graph.tensor<?xf32>, !graph.tensor<?xf32>
  return %1 : !graph.tensor<?xf32>
}
";

fn never() -> Options<'static> {
    Options { fallback: Fallback::Never, threads: 2, ..Options::default() }
}

fn floats(elements: &[f64]) -> Value {
    Tensor::from_elements(Dtype::F32, &[elements.len() as i64], elements).unwrap().into()
}

fn elements(value: &Value) -> Vec<f64> {
    value.as_tensor().unwrap().to_vec().iter().map(|x| x.to_f64()).collect()
}

#[test]
fn errors_are_of_their_own_call() {
    const CALLS: usize = 100_000;
    let context = context();
    let session = Session::new(&context, never());
    let program = session.program(Module::parse(&context, PROGRAM).unwrap());
    let bad = AtomicUsize::new(0);
    let work = |thread: usize| {
        // Sizes that differ from thread to thread.
        let x: Vec<f64> = (0..8 + thread).map(|i| i as f64).collect();
        let last = x.len() as f64 - 1.0;
        for number in 0..CALLS {
            let wrong = (number + thread).is_multiple_of(3);
            match number % 4 {
                0 | 1 => {
                    let places = [0.0, last, 1.0, if wrong { last + 1.0 } else { 2.0 }];
                    let index = Tensor::from_elements(Dtype::I64, &[4], &places).unwrap();
                    match program.call("pick", &[floats(&x), index.into()]) {
                        Ok(results) => assert!(!wrong && elements(&results[0]) == [0.0, last, 1.0, 2.0]),
                        Err(Error::Runtime { message, location: Some(_), .. }) => {
                            assert!(wrong && message.starts_with("index is out of bounds"), "{message}");
                            bad.fetch_add(1, SeqCst);
                        }
                        Err(other) => panic!("{other}"),
                    }
                }
                2 => {
                    let mut x = x.clone();
                    x[3] = if wrong { f64::INFINITY } else { x[3] };
                    match program.call("counts", &[floats(&x)]) {
                        Ok(results) => {
                            assert!(!wrong && elements(&results[0]).iter().sum::<f64>() == last + 1.0);
                        }
                        Err(Error::Runtime { message, .. }) => {
                            assert!(wrong && message.contains("[0, inf] is not finite"), "{message}");
                            bad.fetch_add(1, SeqCst);
                        }
                        Err(other) => panic!("{other}"),
                    }
                }
                _ => {
                    let given = floats(&x);
                    let results = program.call("twice", std::slice::from_ref(&given)).unwrap();
                    assert_eq!(elements(&given)[7], 14.0);
                    assert_eq!(elements(&results[0])[7], 196.0);
                }
            }
        }
    };
    thread::scope(|scope| {
        for thread in 0..8 {
            let work = &work;
            scope.spawn(move || work(thread));
        }
    });
    let wrong = |thread: usize| (0..CALLS).filter(|n| (n + thread).is_multiple_of(3) && n % 4 != 3).count();
    assert_eq!(bad.into_inner(), (0..8).map(wrong).sum::<usize>());
    // One for the first sizes, one for all others.
    assert_eq!(program.variants("twice"), 2);
}

#[test]
fn calls_of_compiled_variants_go_on_while_another_compiles() {
    let (stopped, stops): (Sender<()>, Receiver<()>) = channel();
    let (go, goes): (Sender<()>, Receiver<()>) = channel();
    let held = Mutex::new((stopped, goes));
    let look = |level: Level, module: &Module| {
        if level == Level::Loop && module.as_operation().to_string().contains("func.func @twice") {
            let (stopped, goes) = &*held.lock().unwrap();
            stopped.send(()).unwrap();
            goes.recv().unwrap();
        }
    };
    let context = context();
    let options = Options { look: Some(Box::new(look)), ..never() };
    let session = Session::new(&context, options);
    let program = session.program(Module::parse(&context, PROGRAM).unwrap());
    let pick = || {
        let index = Tensor::from_elements(Dtype::I64, &[4], &[0.0, 1.0, 2.0, 2.0]).unwrap();
        elements(&program.call("pick", &[floats(&[5.0, 6.0, 7.0]), index.into()]).unwrap()[0])
    };
    let twice = || elements(&program.call("twice", &[floats(&[1.0, 2.0])]).unwrap()[0]);
    assert_eq!(pick(), [5.0, 6.0, 7.0, 7.0]);
    thread::scope(|scope| {
        let first = scope.spawn(twice);
        stops.recv_timeout(Duration::from_secs(60)).unwrap();
        // In the middle of that compilation: a second call of its signature waits for it.
        let second = scope.spawn(twice);
        for _ in 0..1000 {
            assert_eq!(pick(), [5.0, 6.0, 7.0, 7.0]);
        }
        assert!(!first.is_finished() && !second.is_finished());
        go.send(()).unwrap();
        assert_eq!(first.join().unwrap(), [4.0, 16.0]);
        assert_eq!(second.join().unwrap(), [4.0, 16.0]);
    });
    assert_eq!(program.variants("twice"), 1);
    assert!(stops.try_recv().is_err(), "it was compiled twice");
}

#[test]
fn draws_of_calls_at_once_are_those_of_calls_in_some_order() {
    const DRAW: &str = "func.func @main(%x: !graph.tensor<4xf64>) -> !graph.tensor<4xf64> {
      %0 = graph.rand_like %x : !graph.tensor<4xf64>
      return %0 : !graph.tensor<4xf64>
    }";
    let context = context();
    let session = Session::new(&context, never());
    let program = session.program(Module::parse(&context, DRAW).unwrap());
    let draw = || {
        let x = Tensor::from_elements(Dtype::F64, &[4], &[0.0; 4]).unwrap();
        elements(&program.call("main", &[x.into()]).unwrap()[0])
    };
    let sorted = |mut all: Vec<Vec<f64>>| {
        all.sort_by(|a, b| a[0].total_cmp(&b[0]));
        all
    };
    session.manual_seed(3);
    let expected = sorted((0..80).map(|_| draw()).collect());
    session.manual_seed(3);
    let found: Vec<Vec<f64>> = thread::scope(|scope| {
        let all: Vec<_> =
            (0..8).map(|_| scope.spawn(|| (0..10).map(|_| draw()).collect::<Vec<_>>())).collect();
        all.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(sorted(found), expected);
    assert_eq!(session.generator_state(), (3, 80));
}

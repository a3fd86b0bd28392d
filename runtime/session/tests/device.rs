//! Calls of programs whose kernels run on a device: what is asked of it.

use melior::ir::Module;
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};
use terrace_emulator::{Gpu as Emulator, Order};
use terrace_native::{Device, DeviceError, GpuCode, to_device};
use terrace_session::{Fallback, Gpu, Options, Program, Session, context};
use terrace_tensor::{
    Dtype, Tensor, Value,
    compare::{Tolerance, compare},
};

thread_local! {
    /// The kernels of the first program; those of others are beside them.
    static FIRST: RefCell<Option<Rc<Emulator>>> = const { RefCell::new(None) };
    static ASKED: Cell<Asked> = const { Cell::new(Asked { launches: 0, to: 0, from: 0 }) };
}

/// How often a device was asked for what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Asked {
    launches: u32,
    to: u32,
    from: u32,
}

/// An emulator that counts.
struct Counting(Rc<Emulator>);

fn note(change: impl FnOnce(&mut Asked)) {
    let mut asked = ASKED.get();
    change(&mut asked);
    ASKED.set(asked);
}

impl Device for Counting {
    fn allocate(&self, bytes: usize) -> Result<u64, DeviceError> {
        self.0.allocate(bytes)
    }
    fn free(&self, address: u64) -> Result<(), DeviceError> {
        self.0.free(address)
    }
    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        note(|asked| asked.to += 1);
        self.0.write(address, bytes)
    }
    fn fill(&self, address: u64, value: u8, bytes: usize) -> Result<(), DeviceError> {
        self.0.fill(address, value, bytes)
    }
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        note(|asked| asked.from += 1);
        self.0.read(address, bytes)
    }
    unsafe fn launch(
        &self,
        kernel: &str,
        blocks: u64,
        threads: u64,
        words: &[u64],
    ) -> Result<(), DeviceError> {
        note(|asked| asked.launches += 1);
        // SAFETY: the caller's.
        unsafe { self.0.launch(kernel, blocks, threads, words) }
    }
    fn synchronize(&self) -> Result<(), DeviceError> {
        self.0.synchronize()
    }
    fn time(&self, work: &mut dyn FnMut() -> Result<(), DeviceError>) -> Result<Duration, DeviceError> {
        self.0.time(work)
    }
}

/// Kernels on the memory of those before.
fn load(code: &GpuCode) -> Result<Rc<dyn Device>, String> {
    let ir = code.llvm_ir();
    let own = FIRST.with_borrow(|first| match first {
        Some(first) => terrace_emulator::beside(&ir, first),
        None => terrace_emulator::gpu(&ir, Order::Forward),
    });
    let own = Rc::new(own.map_err(|e| e.to_string())?);
    FIRST.with_borrow_mut(|first| first.get_or_insert(own.clone()).clone());
    Ok(Rc::new(Counting(own)))
}

fn with(text: &str, work: impl FnOnce(&Program)) {
    let gpu = Gpu { architecture: "sm_90".into(), load: Box::new(load) };
    let options = Options { gpu: Some(gpu), fallback: Fallback::Never, ..Options::default() };
    let context = context();
    let module = Module::parse(&context, text).unwrap_or_else(|| panic!("no program:\n{text}"));
    let session = Session::new(&context, options);
    work(&session.program(module));
}

fn tensor(from: i64) -> Value {
    let elements: Vec<f64> = (from..from + 40).map(|i| i as f64 / 8.0).collect();
    Value::Tensor(Tensor::from_elements(Dtype::F32, &[40], &elements).unwrap())
}

/// What a call asks of the device.
fn call(program: &Program, entry: &str, arguments: &[Value]) -> (Vec<Value>, Asked) {
    ASKED.set(Asked::default());
    let results = program.call(entry, arguments).unwrap_or_else(|e| panic!("{e}"));
    (results, ASKED.get())
}

const PROGRAM: &str = "
func.func @add(%x: !graph.tensor<40xf32>, %y: !graph.tensor<40xf32>) -> !graph.tensor<40xf32> {
  %0 = graph.add %x, %y : !graph.tensor<40xf32>, !graph.tensor<40xf32>
  return %0 : !graph.tensor<40xf32>
}
func.func @add_(%x: !graph.tensor<40xf32>, %y: !graph.tensor<40xf32>) -> !graph.tensor<40xf32> {
  %0 = graph.add_ %x, %y : !graph.tensor<40xf32>, !graph.tensor<40xf32>
  return %0 : !graph.tensor<40xf32>
}
func.func @take(%x: !graph.tensor<40xf32>, %i: !graph.tensor<3xi64>) -> !graph.tensor<3xf32> {
  %0 = graph.index_select %x, %i {dim = 0 : i64} : !graph.tensor<40xf32>, !graph.tensor<3xi64>
  return %0 : !graph.tensor<3xf32>
}";

/// Copies of values on the device of the programs before.
fn there(values: &[Value]) -> Vec<Value> {
    let device = FIRST.with_borrow(|first| first.clone()).expect("a program was called");
    let device: Rc<dyn Device> = Rc::new(Counting(device));
    to_device(&device, values).unwrap()
}

fn same(a: &Value, b: &Value) {
    compare(a, b, Tolerance::default()).unwrap();
}

#[test]
fn a_call_copies_what_it_is_given_and_what_it_has_written() {
    with(PROGRAM, |program| {
        let (x, y) = (tensor(0), tensor(100));
        let (results, asked) = call(program, "add", &[x.clone(), y.clone()]);
        assert_eq!(asked, Asked { launches: 1, to: 2, from: 1 });
        let (_, asked) = call(program, "add_", &[x.clone(), y]);
        assert_eq!(asked, Asked { launches: 1, to: 2, from: 1 });
        same(&x, &results[0]);
    });
}

#[test]
fn a_call_of_tensors_on_the_device_is_a_launch() {
    with(PROGRAM, |program| {
        let own = [tensor(0), tensor(100)];
        let expected = program.call("add", &own).unwrap();
        let x = there(&own);
        let (sum, asked) = call(program, "add", &x);
        assert_eq!(asked, Asked { launches: 1, to: 0, from: 0 });
        same(&expected[0], &Value::here(&sum).unwrap()[0]);
        // Another function takes what the first one has made, writes it, and gives it back.
        let (_, asked) = call(program, "add_", &[sum[0].clone(), own[1].clone()]);
        assert_eq!(asked, Asked { launches: 1, to: 1, from: 0 });
        let (given, asked) = call(program, "add_", &[sum[0].clone(), x[1].clone()]);
        assert_eq!(asked, Asked { launches: 1, to: 0, from: 0 });
        let [sum, given] = [&sum[0], &given[0]].map(|value| value.as_tensor().unwrap());
        assert!(sum.storage().is_same(given.storage()));
        let twice = program.call(
            "add",
            &[
                program.call("add", &[expected[0].clone(), own[1].clone()]).unwrap()[0].clone(),
                own[1].clone(),
            ],
        );
        same(&twice.unwrap()[0], &Value::here(&[Value::Tensor(given.clone())]).unwrap()[0]);
    });
}

#[test]
fn what_was_checked_is_read_once() {
    with(PROGRAM, |program| {
        let indices =
            |last| Value::Tensor(Tensor::from_elements(Dtype::I64, &[3], &[4i64, 0, last]).unwrap());
        let expected = program.call("take", &[tensor(0), indices(39)]).unwrap();
        let (taken, asked) = call(program, "take", &there(&[tensor(0), indices(39)]));
        assert_eq!(asked, Asked { launches: 1, to: 0, from: 1 });
        same(&expected[0], &Value::here(&taken).unwrap()[0]);
        let error = program.call("take", &there(&[tensor(0), indices(40)])).unwrap_err().to_string();
        assert!(error.contains("index is out of bounds"), "{error}");
    });
}

#[test]
fn a_tensor_on_a_device_is_for_kernels_that_run_there() {
    with(PROGRAM, |program| {
        program.call("add", &[tensor(0), tensor(1)]).unwrap();
        let x = there(&[tensor(0), tensor(1)]);
        let context = context();
        let module = Module::parse(&context, PROGRAM).unwrap();
        for fallback in [Fallback::Never, Fallback::Reference] {
            let session = Session::new(&context, Options { fallback, ..Options::default() });
            let text = module.as_operation().to_string();
            let error = session.program(Module::parse(&context, &text).unwrap()).call("add", &x).unwrap_err();
            assert!(
                error.to_string().contains("argument 0: a tensor on a device is for kernels that run there"),
                "{error}"
            );
        }
        let error = program.reference("add", &x).unwrap_err().to_string();
        assert!(error.contains("asks for elements of a tensor on a device"), "{error}");
    });
}

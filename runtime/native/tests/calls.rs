//! Programs are compiled, called, and their results compared with what they must be.

mod common;
use common::*;
use terrace_native::*;
use terrace_tensor::{Dtype, Scalar};

const MIXED: &str = r#"
func.func @mixed(%a: memref<?x3xf32>, %s: f32, %d: f64, %i: i32, %l: i64, %b: i1, %n: index, %out: memref<f64>)
    -> (memref<?x3xf32>, i1, i32, memref<f64>, f32, i8, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = memref.alloc(%n) : memref<?x3xf32>
  scf.for %x = %c0 to %n step %c1 {
    scf.for %y = %c0 to %c3 step %c1 {
      %v = memref.load %a[%x, %y] : memref<?x3xf32>
      %w = arith.mulf %v, %s : f32
      memref.store %w, %r[%x, %y] : memref<?x3xf32>
    }
  }
  %t = arith.extsi %i : i32 to i64
  %u = arith.addi %t, %l : i64
  %f = arith.sitofp %u : i64 to f64
  %g = arith.addf %f, %d : f64
  memref.store %g, %out[] : memref<f64>
  %true = arith.constant true
  %nb = arith.xori %b, %true : i1
  %m = arith.constant -5 : i8
  return %r, %nb, %i, %out, %s, %m, %n : memref<?x3xf32>, i1, i32, memref<f64>, f32, i8, index
}
"#;

fn scalars(values: &[Scalar]) -> impl Iterator<Item = Arg<'static>> {
    values.iter().map(|&s| Arg::Scalar(s))
}

#[test]
fn any_mix_of_arguments_and_results() {
    for level in [OptLevel::None, OptLevel::Fast, OptLevel::O2, OptLevel::O3] {
        let session = Loaded::load(&code_for(MIXED, &Cpu::host(), level)).unwrap();
        let mut a: Vec<f32> = (0..6).map(|i| i as f32).collect();
        let mut out = [0f64];
        let args = [
            Arg::MemRef(MemRef::from_slice(&mut a, &[2, 3]).unwrap()),
            Arg::Scalar(Scalar::Float(1.5)),
            Arg::Scalar(Scalar::Float(0.25)),
            Arg::Scalar(Scalar::Int(-7)),
            Arg::Scalar(Scalar::Int(1 << 40)),
            Arg::Scalar(Scalar::Bool(true)),
            Arg::Scalar(Scalar::Int(2)),
            Arg::MemRef(MemRef::from_slice(&mut out, &[]).unwrap()),
        ];
        let outputs = session.call(&terrace_native::Context::new(), "mixed", &args).unwrap();
        let fresh = outputs[0].memref().unwrap();
        assert_eq!((&fresh.sizes[..], &fresh.strides[..]), (&[2, 3][..], &[3, 1][..]));
        assert_eq!(fresh.to_vec::<f32>().unwrap(), [0.0, 1.5, 3.0, 4.5, 6.0, 7.5]);
        assert!(matches!(fresh.owner, Owner::Result(_)));
        assert!(matches!(outputs[3].memref().unwrap().owner, Owner::Argument(7)));
        let numbers: Vec<_> = [1, 2, 4, 5, 6].map(|i| outputs[i].scalar().unwrap()).into();
        let expected =
            [Scalar::Bool(false), Scalar::Int(-7), Scalar::Float(1.5), Scalar::Int(-5), Scalar::Int(2)];
        assert_eq!(numbers, expected);
        drop(args);
        assert_eq!(out, [(1i64 << 40) as f64 - 7.0 + 0.25]);
    }
}

#[test]
fn scalars_in_and_out() {
    let session = session(
        "func.func @half(%x: f64) -> f64 { %h = arith.constant 0.5 : f64
           %r = arith.mulf %x, %h : f64
           return %r : f64 }
         func.func @less(%x: i16, %y: i16) -> i1 { %r = arith.cmpi slt, %x, %y : i16
           return %r : i1 }
         func.func @widen(%x: bf16, %y: f16) -> f32 { %a = arith.extf %x : bf16 to f32
           %b = arith.extf %y : f16 to f32
           %r = arith.addf %a, %b : f32
           return %r : f32 }
         func.func @nothing() { return }",
    );
    let call = |name: &str, values: &[Scalar]| {
        session.call(&terrace_native::Context::new(), name, &scalars(values).collect::<Vec<_>>()).unwrap()
    };
    assert_eq!(call("half", &[Scalar::Float(3.0)])[0].scalar(), Some(Scalar::Float(1.5)));
    assert_eq!(call("less", &[Scalar::Int(-3), Scalar::Int(2)])[0].scalar(), Some(Scalar::Bool(true)));
    assert_eq!(call("less", &[Scalar::Int(2), Scalar::Int(2)])[0].scalar(), Some(Scalar::Bool(false)));
    assert_eq!(
        call("widen", &[Scalar::Float(2.5), Scalar::Float(0.125)])[0].scalar(),
        Some(Scalar::Float(2.625))
    );
    assert!(call("nothing", &[]).is_empty());
}

#[test]
fn strided_and_offset_views() {
    let session = session(
        "func.func @sum(%a: memref<?x?xi32, strided<[?, ?], offset: ?>>) -> i32 {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %z = arith.constant 0 : i32
           %n = memref.dim %a, %c0 : memref<?x?xi32, strided<[?, ?], offset: ?>>
           %m = memref.dim %a, %c1 : memref<?x?xi32, strided<[?, ?], offset: ?>>
           %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> i32 {
             %t = scf.for %j = %c0 to %m step %c1 iter_args(%u = %s) -> i32 {
               %v = memref.load %a[%i, %j] : memref<?x?xi32, strided<[?, ?], offset: ?>>
               %w = arith.addi %u, %v : i32
               scf.yield %w : i32
             }
             scf.yield %t : i32
           }
           return %r : i32
         }",
    );
    let mut data: Vec<i32> = (0..20).collect();
    let base = data.as_mut_ptr().cast();
    // Columns 1 and 3 of rows 3, 2, 1, 0 of a 4x5 matrix.
    // SAFETY: all elements of the view are in the vector, which lives until after the call.
    let view = unsafe { MemRef::from_raw(Dtype::I32, base, 16, vec![4, 2], vec![-5, 2]) };
    let outputs = session.call(&terrace_native::Context::new(), "sum", &[Arg::MemRef(view)]).unwrap();
    assert_eq!(outputs[0].scalar(), Some(Scalar::Int((0..4).map(|r| 5 * r + 1 + 5 * r + 3).sum())));
}

#[test]
fn a_returned_view_names_its_argument() {
    let session = session(
        "func.func @column(%a: memref<4x5xf32>, %b: memref<4x5xf32>) -> memref<4xf32, strided<[5], offset: 2>> {
           %r = memref.subview %b[0, 2] [4, 1] [1, 1]
             : memref<4x5xf32> to memref<4xf32, strided<[5], offset: 2>>
           return %r : memref<4xf32, strided<[5], offset: 2>>
         }",
    );
    let (mut a, mut b) = (vec![0f32; 20], (0..20).map(|i| i as f32).collect::<Vec<_>>());
    let args = [&mut a, &mut b].map(|data| Arg::MemRef(MemRef::from_slice(data, &[4, 5]).unwrap()));
    let outputs = session.call(&terrace_native::Context::new(), "column", &args).unwrap();
    let view = outputs[0].memref().unwrap();
    assert!(matches!(view.owner, Owner::Argument(1)));
    assert_eq!((view.offset, &view.strides[..]), (2, &[5][..]));
    assert_eq!(view.to_vec::<f32>().unwrap(), [2.0, 7.0, 12.0, 17.0]);
    assert_eq!(view.to_vec::<f64>(), None);
}

#[test]
fn results_that_share_an_allocation_share_its_owner() {
    let session = session(
        "func.func @both() -> (memref<2xi64>, memref<1xi64, strided<[1], offset: 1>>) {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %v = arith.constant 11 : i64
           %w = arith.constant 22 : i64
           %r = memref.alloc() {alignment = 64 : i64} : memref<2xi64>
           memref.store %v, %r[%c0] : memref<2xi64>
           memref.store %w, %r[%c1] : memref<2xi64>
           %s = memref.subview %r[1] [1] [1] : memref<2xi64> to memref<1xi64, strided<[1], offset: 1>>
           return %r, %s : memref<2xi64>, memref<1xi64, strided<[1], offset: 1>>
         }",
    );
    let outputs = session.call(&terrace_native::Context::new(), "both", &[]).unwrap();
    let [Owner::Result(a), Owner::Result(b)] = [0, 1].map(|i| outputs[i].memref().unwrap().owner.clone())
    else {
        panic!("not owned")
    };
    assert!(std::sync::Arc::ptr_eq(&a, &b));
    drop((a, b));
    assert_eq!(outputs[1].memref().unwrap().to_vec::<i64>().unwrap(), [22]);
    assert_eq!(outputs[0].memref().unwrap().aligned as usize % 64, 0);
}

#[test]
fn a_returned_constant_is_the_codes() {
    let session = session(
        "memref.global \"private\" constant @table : memref<3xi32> = dense<[1, 2, 3]>
         func.func @table_of() -> memref<3xi32> {
           %r = memref.get_global @table : memref<3xi32>
           return %r : memref<3xi32>
         }",
    );
    let outputs = session.call(&terrace_native::Context::new(), "table_of", &[]).unwrap();
    let table = outputs[0].memref().unwrap();
    assert!(matches!(table.owner, Owner::Code));
    assert_eq!(table.to_vec::<i32>().unwrap(), [1, 2, 3]);
}

#[test]
fn bool_buffers_hold_bytes() {
    let session = session(
        "func.func @flip(%a: memref<5xi1>) {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c5 = arith.constant 5 : index
           %true = arith.constant true
           scf.for %i = %c0 to %c5 step %c1 {
             %v = memref.load %a[%i] : memref<5xi1>
             %w = arith.xori %v, %true : i1
             memref.store %w, %a[%i] : memref<5xi1>
           }
           return
         }",
    );
    let mut data = [true, false, false, true, true];
    session
        .call(
            &terrace_native::Context::new(),
            "flip",
            &[Arg::MemRef(MemRef::from_slice(&mut data, &[5]).unwrap())],
        )
        .unwrap();
    assert_eq!(data, [false, true, true, false, false]);
}

#[test]
fn libm_and_the_runtime_are_found() {
    let session = session(
        "func.func private @terrace_rt_capacity(i64, i64) -> i64
         func.func @root(%x: f32) -> (f32, i64) {
           %r = math.erf %x : f32
           %c = arith.constant 9 : i64
           %n = func.call @terrace_rt_capacity(%c, %c) : (i64, i64) -> i64
           return %r, %n : f32, i64
         }",
    );
    let outputs =
        session.call(&terrace_native::Context::new(), "root", &[Arg::Scalar(Scalar::Float(0.5))]).unwrap();
    let Some(Scalar::Float(erf)) = outputs[0].scalar() else { panic!("not a float") };
    assert!((erf - 0.5204998778130465).abs() < 1e-7);
    assert_eq!(outputs[1].scalar(), Some(Scalar::Int(81)));
}

#[test]
fn vector_code_of_each_level_gives_the_same() {
    let source = "func.func @scale(%a: memref<37xf32>, %s: f32) {
        %c0 = arith.constant 0 : index
        %c16 = arith.constant 16 : index
        %c37 = arith.constant 37 : index
        %z = arith.constant 0.0 : f32
        %v = vector.broadcast %s : f32 to vector<16xf32>
        scf.for %i = %c0 to %c37 step %c16 {
          %x = vector.transfer_read %a[%i], %z : memref<37xf32>, vector<16xf32>
          %y = math.fma %x, %v, %v : vector<16xf32>
          vector.transfer_write %y, %a[%i] : vector<16xf32>, memref<37xf32>
        }
        return
      }";
    for name in ["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4", "host"] {
        let cpu: Cpu = name.parse().unwrap();
        if cpu.runs_here().is_err() {
            continue;
        }
        let session = Loaded::load(&code_for(source, &cpu, OptLevel::Fast)).unwrap();
        let mut data: Vec<f32> = (0..37).map(|i| i as f32).collect();
        let args =
            [Arg::MemRef(MemRef::from_slice(&mut data, &[37]).unwrap()), Arg::Scalar(Scalar::Float(0.5))];
        session.call(&terrace_native::Context::new(), "scale", &args).unwrap();
        drop(args);
        assert!(data.iter().enumerate().all(|(i, &x)| x == i as f32 * 0.5 + 0.5), "{name}: {data:?}");
    }
}

#[test]
fn a_session_outlives_its_code() {
    let session = {
        let code = code(
            "func.func @one() -> i64 { %r = arith.constant 1 : i64
            return %r : i64 }",
        );
        Loaded::load(&code).unwrap()
    };
    assert_eq!(
        session.call(&terrace_native::Context::new(), "one", &[]).unwrap()[0].scalar(),
        Some(Scalar::Int(1))
    );
}

#[test]
fn compiled_code_runs_on_the_pool() {
    let session = session(
        "llvm.func @terrace_rt_parallel_for(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
         llvm.func internal @body(%none: !llvm.ptr, %context: !llvm.ptr, %from: i64, %to: i64) {
           %c1 = llvm.mlir.constant(1 : i64) : i64
           llvm.br ^loop(%from : i64)
         ^loop(%i: i64):
           %more = llvm.icmp \"slt\" %i, %to : i64
           llvm.cond_br %more, ^step, ^end
         ^step:
           %p = llvm.getelementptr %context[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
           %old = llvm.load %p : !llvm.ptr -> i64
           %new = llvm.add %old, %i : i64
           llvm.store %new, %p : i64, !llvm.ptr
           %next = llvm.add %i, %c1 : i64
           llvm.br ^loop(%next : i64)
         ^end:
           llvm.return
         }
         func.func @add_indices(%a: memref<?xi64>) {
           %c0 = arith.constant 0 : index
           %n = memref.dim %a, %c0 : memref<?xi64>
           %count = arith.index_cast %n : index to i64
           %address = memref.extract_aligned_pointer_as_index %a : memref<?xi64> -> index
           %word = arith.index_cast %address : index to i64
           %context = llvm.inttoptr %word : i64 to !llvm.ptr
           %f = llvm.mlir.addressof @body : !llvm.ptr
           %grain = arith.constant 16 : i64
           %none = llvm.mlir.zero : !llvm.ptr
           llvm.call @terrace_rt_parallel_for(%none, %f, %context, %count, %grain) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> ()
           return
         }",
    );
    terrace_rt::pool::set_threads(3);
    let mut data = vec![7i64; 5000];
    let n = [data.len() as i64];
    for round in 1..=20 {
        session
            .call(
                &terrace_native::Context::new(),
                "add_indices",
                &[Arg::MemRef(MemRef::from_slice(&mut data, &n).unwrap())],
            )
            .unwrap();
        assert!(data.iter().enumerate().all(|(i, &x)| x == 7 + round * i as i64));
    }
}

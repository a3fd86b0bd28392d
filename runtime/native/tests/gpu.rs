//! GPU modules to PTX, assembled where ptxas is installed.

mod common;
use common::*;
use melior::{Context, ir::Module};
use terrace_native::*;

const KERNEL: &str = r#"
gpu.module @kernels {
  gpu.func @scale(%a: memref<?xf32>, %s: f32) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %n = gpu.block_dim x
    %o = arith.muli %b, %n : index
    %i = arith.addi %o, %t : index
    %v = memref.load %a[%i] : memref<?xf32>
    %w = arith.mulf %v, %s : f32
    memref.store %w, %a[%i] : memref<?xf32>
    gpu.return
  }
}
"#;
const LOWER: &str = "builtin.module(gpu.module(convert-gpu-to-nvvm,reconcile-unrealized-casts))";

fn lower_gpu<'c>(context: &'c Context, source: &str) -> Module<'c> {
    run(context, Module::parse(context, source).unwrap(), LOWER)
}

fn refusal(kernels: &Module, arch: &str) -> String {
    match GpuCode::nvptx(kernels, arch, OptLevel::Fast) {
        Ok(_) => "compiled".into(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_kernel_becomes_ptx_that_assembles() {
    let context = context();
    let module = lower_gpu(&context, KERNEL);
    let modules = kernels(&module);
    assert_eq!(modules.iter().map(|(name, _)| &name[..]).collect::<Vec<_>>(), ["kernels"]);
    let text = GpuCode::nvptx(&modules[0].1, "sm_90", OptLevel::O3).unwrap().ptx().unwrap();
    assert!(text.contains(".visible .entry scale("), "{text}");
    assert!(text.contains(".target sm_90"), "{text}");
    let Ok(ptxas) = Ptxas::find() else {
        println!("skipped: no ptxas");
        return;
    };
    let (reports, cubin) = ptxas.assemble(&text, "sm_90").unwrap();
    assert_eq!(reports.len(), 1);
    let KernelReport { kernel, registers, spill_stores, spill_loads, .. } = &reports[0];
    assert_eq!((&kernel[..], spill_stores, spill_loads), ("scale", &0, &0));
    assert!((1..=32).contains(registers), "{registers}");
    assert_eq!(&cubin[..4], b"\x7fELF");
    let error = ptxas.assemble("nonsense", "sm_90").unwrap_err().to_string();
    assert!(error.contains("ptxas"), "{error}");
}

#[test]
fn a_function_that_the_gpu_lacks() {
    let context = context();
    let source = KERNEL.replace("arith.mulf %v, %s : f32", "math.erf %v : f32");
    let module = lower_gpu(&context, &source);
    let error = refusal(&kernels(&module)[0].1, "sm_90");
    assert!(error.contains("-:2:1: kernels call __nv_erff, which nothing defines on the GPU"), "{error}");
}

#[test]
fn an_intrinsic_that_the_gpu_lacks() {
    let context = context();
    let source = "llvm.func @k(%x: f64, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
        %r = llvm.intr.exp(%x) : (f64) -> f64
        llvm.store %r, %p : f64, !llvm.ptr<1>
        llvm.return }";
    let error = refusal(&Module::parse(&context, source).unwrap(), "sm_90");
    assert!(error.contains("kernels call llvm.exp.f64, which nothing defines on the GPU"), "{error}");
}

#[test]
fn an_architecture_that_is_none() {
    let context = context();
    let module = lower_gpu(&context, KERNEL);
    let error = refusal(&kernels(&module)[0].1, "sm_9");
    assert!(error.starts_with("unknown gpu architecture \"sm_9\", expected one of sm_70, "), "{error}");
}

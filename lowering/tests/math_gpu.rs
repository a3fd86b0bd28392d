//! The expansions make PTX that calls nothing and spills nothing.

use melior::{
    Context,
    dialect::DialectRegistry,
    ir::Module,
    pass::PassManager,
    utility::{parse_pass_pipeline, register_all_dialects, register_all_passes},
};
use terrace_lowering::llvm::math::{Target, expand_all};
use terrace_native::{GpuCode, OptLevel, Ptxas, kernels};

const LOWER: &str = "builtin.module(gpu.module(convert-scf-to-cf,canonicalize,cse,convert-math-to-llvm,\
    convert-gpu-to-nvvm,reconcile-unrealized-casts))";

const OPERATIONS: [&str; 20] = [
    "sqrt",
    "absf",
    "ceil",
    "floor",
    "trunc",
    "round",
    "roundeven",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "tanh",
    "erf",
    "sin",
    "cos",
    "rsqrt",
    "powf",
];

fn kernel(op: &str) -> String {
    let operands = if op == "powf" { "%v, %y" } else { "%v" };
    format!(
        "gpu.func @{op}(%x: memref<?xf32>, %y: f32) kernel {{
           %i = gpu.thread_id x
           %v = memref.load %x[%i] : memref<?xf32>
           %r = math.{op} {operands} : f32
           memref.store %r, %x[%i] : memref<?xf32>
           gpu.return
         }}\n"
    )
}

#[test]
fn expansions_assemble_for_the_gpu() {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    register_all_passes();
    let body: String = OPERATIONS.map(kernel).concat();
    let mut module = Module::parse(&context, &format!("gpu.module @math {{\n{body}}}")).unwrap();
    let target = Target { fma: true, avx512: false, nvptx: true };
    assert_eq!(expand_all(module.as_operation(), target), OPERATIONS.len());
    let manager = PassManager::new(&context);
    parse_pass_pipeline(manager.as_operation_pass_manager(), LOWER).unwrap();
    manager.run(&mut module).unwrap();
    let text = GpuCode::nvptx(&kernels(&module)[0].1, "sm_90", OptLevel::O3).unwrap().ptx().unwrap();
    assert!(!text.contains("call"), "{text}");
    let Ok(ptxas) = Ptxas::find() else {
        println!("skipped: no ptxas");
        return;
    };
    let (reports, _) = ptxas.assemble(&text, "sm_90").unwrap();
    assert_eq!(reports.len(), OPERATIONS.len());
    for report in reports {
        println!("{report:?}");
        assert_eq!((report.spill_stores, report.spill_loads, report.stack), (0, 0, 0), "{}", report.kernel);
        assert!(report.registers <= 40, "{report:?}");
    }
}

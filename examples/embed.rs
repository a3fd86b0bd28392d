//! Terrace inside of a Rust program: a module is parsed once and called with tensors of any batch.
//!
//!     cargo run --release -p terrace-session --example embed
//!
//! The first call compiles for its sizes. The second one has another batch: that is compiled with an open
//! batch, and the calls after it take this code.

use melior::ir::Module;
use terrace_session::{Options, Session, context};
use terrace_tensor::{Dtype, Tensor, Value};

/// A linear layer, and a softmax of what is not negative of it.
const LAYER: &str = "
func.func @layer(%x: !graph.tensor<?x8xf32>, %w: !graph.tensor<4x8xf32>, %b: !graph.tensor<4xf32>) -> !graph.tensor<?x4xf32> {
  %y = graph.linear %x, %w bias %b : !graph.tensor<?x8xf32>, !graph.tensor<4x8xf32>, !graph.tensor<4xf32>
  %z = graph.relu_ %y : !graph.tensor<?x4xf32>
  %s = graph.softmax %z {dim = 1 : i64} : !graph.tensor<?x4xf32>
  return %s : !graph.tensor<?x4xf32>
}";

/// A tensor of these sizes with elements between -1 and 1.
fn tensor(sizes: &[i64]) -> Result<Tensor, terrace_tensor::TensorError> {
    let count = sizes.iter().product::<i64>();
    let elements: Vec<f64> = (0..count).map(|i| (i * 37 % 23) as f64 / 11.0 - 1.0).collect();
    Tensor::from_elements(Dtype::F32, sizes, &elements)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = context();
    let module = Module::parse(&context, LAYER).ok_or("the text is no module")?;
    let session = Session::new(&context, Options::default());
    let program = session.program(module);
    let (w, b) = (tensor(&[4, 8])?, tensor(&[4])?);
    for batch in [4, 2, 7, 100] {
        let x = tensor(&[batch, 8])?;
        let results = program.call("layer", &[x, w.clone(), b.clone()].map(Value::from))?;
        let probabilities = results[0].as_tensor().ok_or("a number")?;
        let first: Vec<String> =
            probabilities.to_vec()[..4].iter().map(|x| format!("{:.3}", x.to_f64())).collect();
        println!(
            "batch {batch:3}: {} variants, the first row is {}",
            program.variants("layer"),
            first.join(" ")
        );
    }
    Ok(())
}

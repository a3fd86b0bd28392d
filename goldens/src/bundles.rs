//! Golden cases and models as bundles, which `terrace-gpu-run` checks on a GPU, or by the stand-in for its
//! driver.
//!
//! What a bundle expects is computed on this processor, which `--compiled` compares with eager.

use crate::{
    case::{Case, Outcome},
    models::Model,
    operators::Operators,
    program::{self, Sizes},
};
use melior::{Context, ir::Module};
use std::path::Path;
use terrace_native::Cpu;
use terrace_session::listening;
use terrace_tensor::io::{Inputs, NamedStorage};
use terrace_tools::bundle::{Failure, Wanted, write};

/// What a bundle is for; the code that launches runs on any processor.
fn wanted(name: &str, emulated: bool) -> Wanted<'static> {
    Wanted {
        name: name.to_owned(),
        entry: None,
        generated: vec![],
        inputs: None,
        bytes: None,
        flops: 0.0,
        emulated,
    }
}

fn written(context: &Context, module: Module, wanted: Wanted, folder: &Path) -> Result<(), String> {
    let cpu: Cpu = "x86-64".parse().map_err(|e: terrace_native::Error| e.to_string())?;
    write(context, module, wanted, cpu, folder).map_err(|failure| match failure {
        Failure::Session(error) => error.to_string(),
        Failure::Other(why) => why,
    })
}

/// Whether a case may have a bundle: eager does not refuse it, and it does not draw.
pub fn has_one(case: &Case) -> bool {
    matches!(case.outcome, Outcome::Results(..)) && case.seed.is_none()
}

/// Writes the bundle of a case.
///
/// # Errors
/// It has no form on a GPU.
pub fn case(
    context: &Context,
    operators: &Operators,
    case: &Case,
    (folder, emulated): (&Path, bool),
) -> Result<(), String> {
    let (done, _) = listening(context, || {
        let refused = |_| "is refused".to_owned();
        let module = program::module(context, operators, case, Sizes::Static).map_err(refused)?;
        let mut inputs = Inputs::default();
        for (number, contents) in case.storages.iter().enumerate() {
            let (name, storage) = (format!("s{number}"), contents.storage()?);
            inputs.storages.push(NamedStorage { name, dtype: contents.dtype, storage });
        }
        let storages: Vec<_> = inputs.storages.iter().map(|named| named.storage.clone()).collect();
        for view in &case.tensors {
            inputs.args.push(view.tensor(&storages)?.into());
        }
        written(context, module, Wanted { inputs: Some(inputs), ..wanted(&case.name, emulated) }, folder)
    });
    done
}

/// Writes the bundle of a model.
///
/// # Errors
/// It has no form on a GPU.
pub fn model(context: &Context, name: &str, folder: &Path, emulated: bool) -> Result<(), String> {
    let model = Model::read(name)?;
    let (done, _) = listening(context, || {
        let module = model.module(context)?;
        written(context, module, Wanted { generated: model.generators()?, ..wanted(name, emulated) }, folder)
    });
    done
}

//! Code as a shared library that names nothing but the C library: what else it calls, it is told where it is.
//!
//! A bundle holds such a library, and who loads it has neither LLVM nor the runtime archive. Each function
//! that the code only declares gets a body that jumps to an address in a table, which the loader fills by
//! [`LINK`].

use crate::{Code, Error};
use inkwell::{
    AddressSpace,
    builder::BuilderError,
    module::{Linkage, Module},
    values::{BasicMetadataValueEnum, FunctionValue},
};
use std::{fs, process::Command};
use terrace_call::LINK;

/// A shared library, and what it has to be told of.
pub struct Library {
    /// The bytes of its file.
    pub bytes: Vec<u8>,
    /// The functions that it calls, in the order of the table.
    pub functions: Vec<String>,
}

impl Code {
    /// The code as a shared library for a process that has the functions of [`terrace_call::symbols`].
    ///
    /// # Errors
    /// There is no linker; the code was made use of before.
    pub fn library(self) -> Result<Library, Error> {
        let functions = self.with_module(imports)?.map_err(|e| Error::CodeGeneration(e.to_string()))?;
        Ok(Library { bytes: link_library(&self.object()?)?, functions })
    }
}

/// Gives bodies to what a module declares of the runtime, and adds [`LINK`].
fn imports(module: &Module<'static>) -> Result<Vec<String>, BuilderError> {
    let context = module.get_context();
    let pointer = context.ptr_type(AddressSpace::default());
    let link = module.add_function(LINK, context.void_type().fn_type(&[pointer.into()], false), None);
    let linker = context.create_builder();
    linker.position_at_end(context.append_basic_block(link, ""));
    let mut names = vec![];
    let known = terrace_call::symbols();
    let declared = module.get_functions().filter(|f| f.count_basic_blocks() == 0);
    for function in declared.collect::<Vec<FunctionValue>>() {
        let name = function.get_name().to_string_lossy().into_owned();
        if !known.iter().any(|(known, _)| *known == name) {
            continue;
        }
        let slot = module.add_global(pointer, None, &format!("at.{name}"));
        slot.set_linkage(Linkage::Internal);
        slot.set_initializer(&pointer.const_null());
        let builder = context.create_builder();
        function.set_linkage(Linkage::Internal);
        builder.position_at_end(context.append_basic_block(function, ""));
        let target = builder.build_load(pointer, slot.as_pointer_value(), "")?.into_pointer_value();
        let given: Vec<BasicMetadataValueEnum> = function.get_params().into_iter().map(Into::into).collect();
        let call = builder.build_indirect_call(function.get_type(), target, &given, "")?;
        call.set_call_convention(function.get_call_conventions());
        let result = call.try_as_basic_value().basic();
        builder.build_return(result.as_ref().map(|result| result as _))?;
        let number = context.i64_type().const_int(names.len() as u64, false);
        let table = link.get_params()[0].into_pointer_value();
        // SAFETY: the loader's table has an address for each name.
        let entry = unsafe { linker.build_gep(pointer, table, &[number], "")? };
        linker.build_store(slot.as_pointer_value(), linker.build_load(pointer, entry, "")?)?;
        names.push(name);
    }
    linker.build_return(None)?;
    Ok(names)
}

/// Links an object into a shared library, by the system's C compiler; of the C library it may need all.
///
/// # Errors
/// There is none, or what it says.
pub fn link_library(object: &[u8]) -> Result<Vec<u8>, Error> {
    let failed = |e: &dyn ToString| Error::Link(e.to_string());
    let folder = tempfile::tempdir().map_err(|e| failed(&e))?;
    let (from, to) = (folder.path().join("code.o"), folder.path().join("code.so"));
    fs::write(&from, object).map_err(|e| failed(&e))?;
    let done = Command::new("cc")
        .args(["-shared", "-s", "-Wl,--build-id=none,-Bsymbolic,-z,defs", "-o"])
        .args([&to, &from])
        .arg("-lm")
        .output()
        .map_err(|e| Error::Link(format!("cannot run cc, which links shared libraries: {e}")))?;
    if !done.status.success() {
        return Err(failed(&String::from_utf8_lossy(&done.stderr).trim_end()));
    }
    fs::read(&to).map_err(|e| failed(&e))
}

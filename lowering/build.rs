//! From td/Passes.td to C++ pass classes, typed options and the table of passes.

/// The passes in each folder.
const FOLDERS: &[(&str, &[&str])] = &[
    (
        "inputs",
        &["convert_affine_to_loop", "convert_copy_to_loop", "convert_linalg_to_loop", "verify_inputs"],
    ),
    ("outputs", &["convert_loop_to_scf", "verify_level"]),
    (
        "buffers",
        &[
            "add_call_context",
            "carry_in_place",
            "convert_graph_boundary_to_memref",
            "elide_copies",
            "reshape_destinations",
            "separate_destinations",
            "pack_allocations",
            "place_deallocations",
            "protect_arguments",
        ],
    ),
    ("kernel", &["kernel_assign_layouts"]),
    ("x86", &["convert_kernel_to_x86"]),
    ("nvptx", &["convert_gpu_launch_to_runtime", "convert_kernel_to_nvptx"]),
    (
        "llvm",
        &[
            "convert_bf16_to_bits",
            "convert_bool_buffers",
            "convert_unsigned_buffers",
            "expand_half_conversions",
            "expand_vector_math",
            "merge_interfaces",
        ],
    ),
];

fn module(pass: &str) -> String {
    let folder = FOLDERS.iter().find(|(_, passes)| passes.contains(&pass));
    folder.map_or_else(|| panic!("{pass} is in no folder"), |(folder, _)| format!("{folder}::{pass}"))
}

fn main() {
    let td = std::path::Path::new("td");
    terrace_tablegen::watch(td);
    terrace_tablegen::watch(&terrace_tablegen::cpp_dir());
    terrace_tablegen::passes::build(&td.join("Passes.td"), "TerraceLowering", module);
}

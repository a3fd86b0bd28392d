//! `terrace-lsp-server`: MLIR's language server for editors, with all of upstream's dialects and Terrace's.

fn main() {
    std::process::exit(terrace_dialects::drivers::lsp_server_main());
}

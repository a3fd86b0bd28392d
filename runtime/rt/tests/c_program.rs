//! A C program links the archive alone: no LLVM, nothing beyond the system's own libraries.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

const PROGRAM: &str = r#"
#include <stdint.h>
#include <stdio.h>
void terrace_rt_parallel_for(void (*body)(void *, int64_t, int64_t), void *, int64_t n, int64_t grain);
void terrace_rt_set_threads(int64_t);
void *terrace_rt_alloc(int64_t size, int64_t align);
void terrace_rt_free(void *);
static void square(void *ctx, int64_t lo, int64_t hi) {
  for (int64_t i = lo; i < hi; i++) ((int64_t *)ctx)[i] = i * i;
}
int main(void) {
  int64_t sum = 0, *x = terrace_rt_alloc(1000 * sizeof *x, 64);
  terrace_rt_set_threads(3);
  terrace_rt_parallel_for(square, x, 1000, 8);
  for (int i = 0; i < 1000; i++) sum += x[i];
  terrace_rt_free(x);
  printf("%lld\n", (long long)sum);
}
"#;

/// The archive of this build: beside the test binary, under a name with a hash; older builds' may lie there too.
fn archive() -> PathBuf {
    let deps = env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let archives = fs::read_dir(deps).unwrap().map(|entry| entry.unwrap()).filter(|entry| {
        let name = entry.file_name().into_string().unwrap_or_default();
        name.starts_with("libterrace_rt") && name.ends_with(".a")
    });
    archives.max_by_key(|entry| entry.metadata().unwrap().modified().unwrap()).expect("no archive").path()
}

#[test]
fn a_c_program_links_the_archive_alone() {
    let archive = archive();
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (dir.join("square.c"), dir.join("square"));
    fs::write(&source, PROGRAM).unwrap();
    let status = Command::new("cc")
        .args([&source, &archive])
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program)
        .status()
        .expect("no C compiler named cc");
    assert!(status.success());
    let output = Command::new(&program).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "332833500\n");
}

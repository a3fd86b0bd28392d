//! A C program links the archive alone: no LLVM, nothing beyond the system's own libraries.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

const PROGRAM: &str = r#"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct terrace_rt_context context;
context *terrace_rt_context_create(void);
void terrace_rt_context_destroy(context *);
void terrace_rt_context_set_threads(context *, int64_t);
void terrace_rt_parallel_for(context *, void (*)(context *, void *, int64_t, int64_t), void *, int64_t n, int64_t grain);
void *terrace_rt_alloc(context *, int64_t size, int64_t align);
void terrace_rt_free(context *, void *);
static void square(context *own, void *captured, int64_t lo, int64_t hi) {
  for (int64_t i = lo; i < hi; i++) ((int64_t *)captured)[i] = i * i;
}
#ifdef OWN
void terrace_rt_fail(const char *text) { printf("failed: %s\n", text); exit(3); }
#endif
int main(void) {
  context *own = terrace_rt_context_create();
  int64_t sum = 0, *x = terrace_rt_alloc(own, 1000 * sizeof *x, 64);
  terrace_rt_context_set_threads(own, 3);
  terrace_rt_parallel_for(own, square, x, 1000, 8);
  for (int i = 0; i < 1000; i++) sum += x[i];
  terrace_rt_free(own, x);
  terrace_rt_context_destroy(own);
  printf("%lld\n", (long long)sum);
  fflush(stdout);
  terrace_rt_alloc(0, INT64_MAX, 64);
}
"#;

/// The archive of this build: beside the test binary, under a name with a hash; older builds' may lie there
/// too.
fn archive() -> PathBuf {
    let deps = env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let archives = fs::read_dir(deps).unwrap().map(|entry| entry.unwrap()).filter(|entry| {
        let name = entry.file_name().into_string().unwrap_or_default();
        name.starts_with("libterrace_rt") && name.ends_with(".a")
    });
    archives.max_by_key(|entry| entry.metadata().unwrap().modified().unwrap()).expect("no archive").path()
}

fn output(defines: &[&str]) -> Output {
    let archive = archive();
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (dir.join("square.c"), dir.join("square"));
    fs::write(&source, PROGRAM).unwrap();
    let status = Command::new("cc")
        .args(defines)
        .args([&source, &archive])
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program)
        .status()
        .expect("no C compiler named cc");
    assert!(status.success());
    Command::new(&program).output().unwrap()
}

#[test]
fn a_c_program_links_the_archive_alone_and_may_say_what_happens_on_an_error() {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let own = output(&[]);
    assert_eq!(text(&own.stdout), "332833500\n");
    assert_eq!(text(&own.stderr), "terrace: no memory for 9223372036854775807 bytes\n");
    assert_eq!(own.status.code(), None);
    let own = output(&["-DOWN"]);
    assert_eq!(text(&own.stdout), "332833500\nfailed: no memory for 9223372036854775807 bytes\n");
    assert_eq!(own.status.code(), Some(3));
}

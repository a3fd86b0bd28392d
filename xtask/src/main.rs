//! Set-up, run, test, bench, docs
fn main() {}

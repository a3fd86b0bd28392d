//! The workspace as `cargo metadata` describes it.

use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// The root folder of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace")
}

/// The profile of all that is built: one for people, tests and checks, so that nothing is built twice.
pub const PROFILE: &str = "--release";

/// `cargo`, in the root folder.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    // What `cargo run` set for xtask itself is of no concern to the builds that it starts.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|n| n.starts_with("CARGO_PKG_") || n.starts_with("CARGO_MANIFEST_")) {
            command.env_remove(name);
        }
    }
    command.current_dir(root());
    command
}

/// The folder that the tools are built into.
pub fn tools() -> Result<PathBuf, String> {
    let output = cargo().args(["metadata", "--no-deps", "--format-version", "1"]).output();
    let output = output.map_err(|e| format!("cargo metadata: {e}"))?.stdout;
    let metadata: Value = serde_json::from_slice(&output).map_err(|e| format!("cargo metadata: {e}"))?;
    Ok(Path::new(&text(&metadata["target_directory"])).join(PROFILE.trim_start_matches('-')))
}

/// One dependency of a package on another.
pub struct Dependency {
    /// The name that the source uses, with underscores.
    pub identifier: String,
    /// The package's name.
    pub package: String,
    /// Whether it serves the build script only.
    pub build: bool,
}

/// One package of the workspace.
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// What its manifest asks for.
    pub dependencies: Vec<Dependency>,
    /// Its targets: kind, name, root source file.
    pub targets: Vec<(String, String, PathBuf)>,
}

/// Every package of the workspace.
pub fn packages() -> Result<Vec<Package>, String> {
    let mut command = cargo();
    command.args(["metadata", "--no-deps", "--format-version", "1"]);
    let output = command.output().map_err(|e| format!("cargo metadata: {e}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata: {e}"))?;
    Ok(items(&metadata["packages"]).iter().map(package).collect())
}

fn package(json: &Value) -> Package {
    let dependencies = items(&json["dependencies"]).iter().map(|dependency| Dependency {
        identifier: text(if dependency["rename"].is_null() {
            &dependency["name"]
        } else {
            &dependency["rename"]
        })
        .replace('-', "_"),
        package: text(&dependency["name"]),
        build: dependency["kind"] == "build",
    });
    let targets = items(&json["targets"])
        .iter()
        .map(|target| (text(&target["kind"][0]), text(&target["name"]), text(&target["src_path"]).into()));
    Package {
        name: text(&json["name"]),
        folder: Path::new(&text(&json["manifest_path"])).parent().unwrap_or(root()).to_path_buf(),
        dependencies: dependencies.collect(),
        targets: targets.collect(),
    }
}

fn items(json: &Value) -> &[Value] {
    json.as_array().map_or(&[], Vec::as_slice)
}

fn text(json: &Value) -> String {
    json.as_str().unwrap_or_default().to_string()
}

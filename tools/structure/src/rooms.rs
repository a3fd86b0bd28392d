//! The plan: rooms, and which of them each may use.

use crate::resolve::Import;
use std::collections::{BTreeMap, BTreeSet};

/// The rooms by their folders, or files, each with a name and the names of those that it may use.
pub struct Plan {
    rooms: BTreeMap<String, Room>,
}

struct Room {
    name: String,
    /// The names of the rooms that its files may use.
    below: BTreeSet<String>,
}

impl Plan {
    /// Reads lines of `NAME FOLDER: NAME...`, in an order in which each room stands behind those that it may
    /// use. What these may use it may use, too.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut rooms: BTreeMap<String, Room> = BTreeMap::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let bad = || format!("rooms.txt: `{line}` is not `NAME FOLDER: NAME...`");
            let (own, used) = line.split_once(':').ok_or_else(bad)?;
            let (name, folder) = own.trim().split_once(' ').ok_or_else(bad)?;
            let mut below = BTreeSet::new();
            for used in used.split_whitespace() {
                let stands = rooms.values().find(|room| room.name == used);
                let Some(room) = stands else {
                    return Err(format!("rooms.txt: {name} uses {used}, which stands on no line above it"));
                };
                below.extend(room.below.iter().cloned());
                below.insert(used.to_string());
            }
            rooms.insert(folder.trim().to_string(), Room { name: name.to_string(), below });
        }
        Ok(Self { rooms })
    }

    /// The room of a file: that of the longest folder which it is in.
    fn room(&self, file: &str) -> Option<&Room> {
        let within = |folder: &str| {
            file.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let rooms = self.rooms.iter().filter(|(folder, _)| within(folder));
        rooms.max_by_key(|(folder, _)| folder.len()).map(|(_, room)| room)
    }

    /// What is wrong with an import; None where a line allows it.
    pub fn refuses(&self, import: &Import) -> Option<String> {
        let Import { from, to, path } = import;
        let Some(own) = self.room(from) else { return Some(format!("{from} is in no room of rooms.txt")) };
        let other = self.room(to)?;
        let allowed = own.name == other.name || own.below.contains(&other.name);
        (!allowed).then(|| format!("{from} uses {path} of {to}: {} may not use {}", own.name, other.name))
    }
}

#[cfg(test)]
mod tests {
    use super::{Import, Plan};

    #[test]
    fn an_arrow_that_runs_up_is_refused() {
        let plan = Plan::read("low a/low:\nhigh a: low\n").unwrap();
        let import = |from: &str, to: &str| Import { from: from.into(), to: to.into(), path: "x::Y".into() };
        assert_eq!(plan.refuses(&import("a/x.rs", "a/low/y.rs")), None);
        let wrong = plan.refuses(&import("a/low/y.rs", "a/x.rs")).unwrap();
        assert_eq!(wrong, "a/low/y.rs uses x::Y of a/x.rs: low may not use high");
        assert!(Plan::read("low a: high\nhigh b:\n").is_err_and(|e| e.contains("on no line above it")));
    }
}

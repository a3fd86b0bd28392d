//! Smaller functions that are wrong in the same way: lines, loops around lines, results and arguments go, and
//! values stand for others.

use super::source::Source;
use std::ops::Range;

/// Makes a function smaller as long as `is_wrong` holds, which is asked of text that may be no MLIR any more.
pub fn shrink(mut source: Source, mut is_wrong: impl FnMut(&Source) -> bool) -> Source {
    loop {
        let before = source.to_string().len();
        for edits in [results, blocks, uses, arguments] {
            let mut number = 0;
            while let Some(smaller) = edits(&source).into_iter().nth(number) {
                if is_wrong(&smaller) {
                    source = smaller;
                } else {
                    number += 1;
                }
            }
        }
        if source.to_string().len() >= before {
            return source;
        }
    }
}

fn results(source: &Source) -> Vec<Source> {
    let without = |number| Source { call: source.call.without_result(number), ..source.clone() };
    (0..source.call.returned.len()).map(without).collect()
}

fn arguments(source: &Source) -> Vec<Source> {
    (0..source.names.len()).map(|number| source.without_argument(number)).collect()
}

/// Without a line and what it opens, the last one first; with what it opens in its place; without its second
/// part.
fn blocks(source: &Source) -> Vec<Source> {
    let lines = &source.lines;
    let with = |kept: &[Range<usize>]| Source {
        lines: kept.iter().flat_map(|kept| lines[kept.clone()].iter().cloned()).collect(),
        ..source.clone()
    };
    let mut all = vec![];
    for first in (0..lines.len()).rev() {
        let bounds = bounds(lines, first);
        let end = bounds.last().map_or(first, |last| *last) + 1;
        all.push(with(&[0..first, end..lines.len()]));
        let parts = || bounds.windows(2).map(|own| own[0]..own[1]);
        all.extend(parts().map(|part| with(&[0..first, part.start + 1..part.end, end..lines.len()])));
        all.extend(parts().skip(1).map(|part| with(&[0..part.start, part.end..lines.len()])));
    }
    all
}

/// The line that opens something, those at which a part of it ends and another one begins, and the one that
/// closes it.
fn bounds(lines: &[String], first: usize) -> Vec<usize> {
    let (mut depth, mut found) = (0i64, vec![first]);
    for (number, line) in lines.iter().enumerate().skip(first) {
        let mut least = depth;
        for letter in line.chars() {
            depth += i64::from(letter == '{') - i64::from(letter == '}');
            least = least.min(depth);
        }
        if number > first && least <= 0 {
            found.push(number);
        }
        if depth <= 0 {
            return found;
        }
    }
    vec![first]
}

/// With another value in the place of one that a line computes, and without that line.
fn uses(source: &Source) -> Vec<Source> {
    let mut all = vec![];
    let defined = |line: &String| line.trim().split_once(" = ").map(|(name, _)| name.to_owned());
    let names: Vec<(usize, String)> =
        source.lines.iter().enumerate().filter_map(|(at, line)| Some((at, defined(line)?))).collect();
    let given = source.names.iter().map(|(name, _)| name);
    for (i, (at, name)) in names.iter().enumerate().rev() {
        let earlier = names[..i].iter().map(|(_, name)| name).chain(given.clone());
        for other in earlier.filter(|name| !name.contains(',')) {
            let mut smaller = source.clone();
            let end = bounds(&source.lines, *at).last().map_or(*at, |last| *last) + 1;
            smaller.lines[end..].iter_mut().for_each(|line| *line = renamed(line, name, other));
            smaller.lines.drain(*at..end);
            smaller.call.returned.iter_mut().for_each(|(own, _)| *own = renamed(own, name, other));
            all.push(smaller);
        }
    }
    all
}

/// A line with another name in the place of a name.
fn renamed(line: &str, name: &str, other: &str) -> String {
    let mut parts = line.split(name);
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let goes_on = part.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        made += if goes_on { name } else { other };
        made += part;
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(lines: &[&str]) -> Source {
        Source { lines: lines.iter().map(|line| line.to_string()).collect(), ..Source::default() }
    }

    #[test]
    fn what_does_not_matter_goes() {
        let own = source(&["for {", "%x = a", "if {", "keep", "} else {", "b", "}", "}", "c"]);
        let smaller = shrink(own, |source| source.lines.iter().any(|line| line == "keep"));
        assert_eq!(smaller.lines, ["keep"]);
    }

    #[test]
    fn values_stand_for_others() {
        let own = source(&["%a = one", "%b = two %a", "use %b %bb"]);
        let smaller = shrink(own, |source| source.lines.last().is_some_and(|line| line.ends_with(" %bb")));
        assert_eq!(smaller.lines, ["use %b %bb"]);
        assert_eq!(renamed("use %b %bb", "%b", "%a"), "use %a %bb");
    }
}

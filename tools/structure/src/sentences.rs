//! Sentences of guides: short enough to be read once.

/// The most words of a sentence.
const WORDS: usize = 35;

/// The sentences of a page that are too long, each by its first words. Code, tables and headings have none.
pub fn long(text: &str) -> Vec<String> {
    let sentences = paragraphs(text).into_iter().flat_map(|words| sentences(&words));
    let long = sentences.filter(|sentence| sentence.len() > WORDS);
    long.map(|sentence| format!("{} words: {} ...", sentence.len(), sentence[..6].join(" "))).collect()
}

/// The words of each paragraph, and of each entry of a list.
fn paragraphs(text: &str) -> Vec<Vec<&str>> {
    let (mut all, mut fenced) = (vec![vec![]], false);
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        fenced ^= line.starts_with("```");
        let first = words.first().copied().unwrap_or_default();
        let ends = fenced || first.is_empty() || first.starts_with(['#', '|']) || first.starts_with("```");
        let numbered =
            |word: &str| word.strip_suffix('.').is_some_and(|number| number.parse::<u32>().is_ok());
        let is_entry = matches!(first, "*" | "-") || numbered(first);
        let is_code = line.starts_with("    ") && all.last().is_some_and(Vec::is_empty) && !is_entry;
        if ends || is_entry {
            all.push(vec![]);
        }
        if !ends && !is_code {
            all.last_mut().expect("one is there").extend(&words[usize::from(is_entry)..]);
        }
    }
    all.retain(|words| !words.is_empty());
    all
}

/// The sentences of a paragraph: one ends where the next word has a capital, or is a name in backticks, a
/// link or a quotation.
fn sentences<'t>(words: &[&'t str]) -> Vec<Vec<&'t str>> {
    let mut all = vec![vec![]];
    for (at, word) in words.iter().enumerate() {
        all.last_mut().expect("one is there").push(*word);
        let ends = word.trim_end_matches([')', '"', '*']).ends_with(['.', '!', '?', ':']);
        let starts = |next: &&str| next.starts_with(|c: char| c.is_uppercase() || "`\"[*(".contains(c));
        if ends && words.get(at + 1).is_some_and(starts) {
            all.push(vec![]);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::long;

    #[test]
    fn long_sentences_are_found_outside_of_code() {
        let word = "word ".repeat(20);
        let text =
            format!("# {word}{word}\n\nA {word}.\nB {word}.\n\n    code {word}{word}\n\n* C {word}{word}\n");
        assert_eq!(long(&text), ["41 words: C word word word word word ..."]);
    }
}

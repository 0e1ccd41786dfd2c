//! Finds the Debian mirrors that this machine is configured to use, in both forms that apt's configuration has.
//! No mirror is ever written into this project: a machine that has none gets an error which names `--rustc-src`.

use std::fs;
use std::path::{Path, PathBuf};

/// The addresses of package archives in the configuration under `apt_folder`, most promising first, without repeats.
///
/// Archives of security updates have no backports, so they are left out.
#[must_use]
pub fn configured_mirrors(apt_folder: &Path) -> Vec<String> {
    let mut mirrors = Vec::new();
    for path in configuration_files(apt_folder) {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        if path.extension().is_some_and(|extension| extension == "sources") {
            read_stanzas(&text, &mut mirrors);
        } else {
            read_lines(&text, &mut mirrors);
        }
    }
    let mut found: Vec<String> = Vec::new();
    for mirror in mirrors {
        let mirror = mirror.trim_end_matches('/').to_owned();
        if !found.contains(&mirror) {
            found.push(mirror);
        }
    }
    // A machine may use archives of other projects too; Debian's mirrors keep its archive in a folder of this name.
    found.sort_by_key(|mirror| !mirror.ends_with("/debian"));
    found
}

fn configuration_files(apt_folder: &Path) -> Vec<PathBuf> {
    let parts = fs::read_dir(apt_folder.join("sources.list.d")).into_iter().flatten().flatten().map(|entry| entry.path());
    let wanted = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "sources" || extension == "list");
    let mut files: Vec<PathBuf> = parts.filter(wanted).collect();
    files.sort();
    files.insert(0, apt_folder.join("sources.list"));
    files
}

/// The form with one `Field: value` a line and an empty line between sources (`man 5 sources.list`, "DEB822-STYLE FORMAT").
fn read_stanzas(text: &str, mirrors: &mut Vec<String>) {
    let without_comments = text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    for stanza in without_comments.split("\n\n") {
        let fields = fields_of(stanza);
        let values = |name: &'static str| fields.iter().filter(move |(key, _)| key == name).flat_map(|(_, value)| value.split_whitespace());
        let disabled = values("enabled").any(|value| value.eq_ignore_ascii_case("no"));
        let binary = values("types").any(|value| value == "deb");
        if binary && !disabled && values("suites").any(|suite| !is_security(suite)) {
            mirrors.extend(values("uris").map(str::to_owned));
        }
    }
}

/// The fields of a stanza with their names in lower case; a line that starts with a blank continues the field above.
fn fields_of(stanza: &str) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in stanza.lines() {
        if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = fields.last_mut() {
                value.push(' ');
                value.push_str(line.trim());
            }
        } else if let Some((name, value)) = line.split_once(':') {
            fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    fields
}

/// The form `deb [options] address suite component...`.
fn read_lines(text: &str, mirrors: &mut Vec<String>) {
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let Some(rest) = line.strip_prefix("deb ").map(str::trim_start) else { continue };
        // The options may contain blanks, so they are cut off as a whole.
        let rest = if rest.starts_with('[') { rest.split_once(']').map_or("", |(_, rest)| rest) } else { rest };
        let mut words = rest.split_whitespace();
        if let (Some(address), Some(suite)) = (words.next(), words.next())
            && !is_security(suite)
        {
            mirrors.push(address.to_owned());
        }
    }
}

fn is_security(suite: &str) -> bool {
    suite.contains("security")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stanzas(text: &str) -> Vec<String> {
        let mut mirrors = Vec::new();
        read_stanzas(text, &mut mirrors);
        mirrors
    }

    fn lines(text: &str) -> Vec<String> {
        let mut mirrors = Vec::new();
        read_lines(text, &mut mirrors);
        mirrors
    }

    #[test]
    fn stanzas_with_comments_and_several_addresses() {
        let text = "Types: deb\n# Comment: no\nURIs: http://a.test/debian\n  http://b.test/debian\nSuites: stable stable-updates\n\n\
                    Types: deb\nURIs: http://s.test/debian-security\nSuites: stable-security\n";
        assert_eq!(stanzas(text), ["http://a.test/debian", "http://b.test/debian"]);
    }

    #[test]
    fn disabled_stanzas_and_sources_of_sources_are_left_out() {
        assert!(stanzas("Enabled: no\nTypes: deb\nURIs: http://a.test/debian\nSuites: stable\n").is_empty());
        assert!(stanzas("Types: deb-src\nURIs: http://a.test/debian\nSuites: stable\n").is_empty());
    }

    #[test]
    fn lines_with_options() {
        let text = "# deb http://no.test/debian stable main\ndeb [arch=amd64 signed-by=/k.gpg] http://a.test/debian stable main\n\
                    deb-src http://no.test/debian stable main\ndeb http://s.test/debian-security stable-security main\n";
        assert_eq!(lines(text), ["http://a.test/debian"]);
    }

    #[test]
    fn debian_comes_first_and_nothing_twice() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir(folder.path().join("sources.list.d")).expect("a folder");
        fs::write(folder.path().join("sources.list"), "deb http://other.test/tools stable main\n").expect("a file");
        let text = "Types: deb\nURIs: http://a.test/debian/\nSuites: stable\n\nTypes: deb\nURIs: http://a.test/debian\nSuites: next\n";
        fs::write(folder.path().join("sources.list.d/debian.sources"), text).expect("a file");
        fs::write(folder.path().join("sources.list.d/x.sources.disabled"), "Types: deb\nURIs: http://no.test\nSuites: s\n")
            .expect("a file");
        assert_eq!(configured_mirrors(folder.path()), ["http://a.test/debian", "http://other.test/tools"]);
        assert!(configured_mirrors(Path::new("/nowhere")).is_empty());
    }
}

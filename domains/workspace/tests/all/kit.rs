//! Repositories, and a client that checks every reply against its published schema.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fcp::testing::Server;
use serde_json::{Value, json};
use tempfile::TempDir;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_fcp-workspace");

/// A repository and a state directory.
pub struct Repo {
    pub dir: TempDir,
    pub root: PathBuf,
    pub state: PathBuf,
}

/// Git without configuration, as Ada, on New Year 2024.
pub fn git(root: &Path, arguments: &[&str]) -> Output {
    let home = root.parent().unwrap();
    let output = Command::new("git")
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", home.join("empty"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_COUNT", "3")
        .env("GIT_CONFIG_KEY_0", "safe.directory")
        .env("GIT_CONFIG_VALUE_0", "*")
        .env("GIT_CONFIG_KEY_1", "protocol.file.allow")
        .env("GIT_CONFIG_VALUE_1", "always")
        .env("GIT_CONFIG_KEY_2", "init.defaultBranch")
        .env("GIT_CONFIG_VALUE_2", "main")
        .env("GIT_AUTHOR_NAME", "Ada")
        .env("GIT_AUTHOR_EMAIL", "ada@example.com")
        .env("GIT_COMMITTER_NAME", "Ada")
        .env("GIT_COMMITTER_EMAIL", "ada@example.com")
        .env("GIT_AUTHOR_DATE", "1704067200 +0000")
        .env("GIT_COMMITTER_DATE", "1704067200 +0000")
        .arg("-C")
        .arg(root)
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

impl Repo {
    /// A directory in a folder that also holds the state directory.
    pub fn bare() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let whole = fs::canonicalize(dir.path()).unwrap();
        let (root, state) = (whole.join("root"), whole.join("state"));
        fs::create_dir(&root).unwrap();
        fs::create_dir(whole.join("empty")).unwrap();
        Self { dir, root, state }
    }

    /// An empty repository.
    pub fn new() -> Self {
        let repo = Self::bare();
        repo.git(&["init", "-q"]);
        repo
    }

    /// The repository of the vectors.
    pub fn r1() -> Self {
        let repo = Self::new();
        repo.write("src/a.ts", "export const a = 1;\n");
        repo.write("src/b.ts", "export const b = 2;\n");
        repo.write("src-x.ts", "// x\n");
        repo.write("café.txt", "héllo\n");
        repo.git(&["add", "."]);
        repo.git(&["commit", "-q", "-m", "init"]);
        repo.write("src/b.ts", "export const b = 3;\n");
        repo.write("new.txt", "new\n");
        repo
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        String::from_utf8_lossy(&git(&self.root, arguments).stdout).into_owned()
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.root.join(path)).unwrap()
    }

    pub fn text(&self, path: &str) -> String {
        String::from_utf8(self.read(path)).unwrap()
    }

    pub fn client(&self) -> Client {
        self.with(&[])
    }

    pub fn with(&self, flags: &[&str]) -> Client {
        Client::start(self.dir.path(), &[&self.place(), flags].concat())
    }

    /// A client of a server that another program starts.
    pub fn under(&self, starter: &[&str]) -> Client {
        let arguments = [&starter[1..], &[PROGRAM], &self.place()].concat();
        Client::of(Server::with(starter[0], self.dir.path(), &arguments))
    }

    /// A client of a server under a tracer that interferes with its system calls. `None` if they cannot be traced here.
    pub fn interfered(&self, calls: &str, how: &str) -> Option<Client> {
        let (trace, inject) = (format!("trace={calls}"), format!("inject={calls}:{how}"));
        let tracer = [
            "strace",
            "-f",
            "-o",
            "/dev/null",
            "-e",
            &trace,
            "-e",
            &inject,
        ];
        let works = Command::new(tracer[0])
            .args(&tracer[1..])
            .arg("true")
            .output();
        works
            .is_ok_and(|output| output.status.success())
            .then(|| self.under(&tracer))
    }

    /// A client of a server whose git runs shell commands in the root first, with `git` for the true one, and in `$n`
    /// the number of the status that it is asked for, or nothing.
    pub fn beside_git(&self, before: &str) -> Client {
        use std::os::unix::fs::PermissionsExt;
        let (bin, path) = (self.dir.path().join("bin"), std::env::var("PATH").unwrap());
        fs::create_dir_all(&bin).unwrap();
        let script = format!(
            "#!/bin/sh\nPATH='{path}'\ndir='{}'\ngit() {{ command git \"$@\"; }}\nn=\ncase \" $* \" in *' status '*)\n\
             n=$(($(cat \"$dir/n\" 2>/dev/null || echo 0) + 1)); echo $n > \"$dir/n\";; esac\ncd \"$dir/../root\"\n{before}\nexec git \"$@\"\n",
            bin.display()
        );
        fs::write(bin.join("git"), script).unwrap();
        fs::set_permissions(bin.join("git"), fs::Permissions::from_mode(0o755)).unwrap();
        let shell = format!("PATH='{}':\"$PATH\" exec \"$@\"", bin.display());
        self.under(&["sh", "-c", &shell, "sh"])
    }

    /// A client of a server without privileges. `None` if it cannot be started.
    pub fn unprivileged(&self) -> Option<Client> {
        if !is_root() {
            return Some(self.client());
        }
        fs::create_dir(&self.state).unwrap();
        let owned = Command::new("chown")
            .args(["-R", "65534:65534"])
            .arg(self.dir.path())
            .status()
            .unwrap();
        assert!(owned.success());
        let nobody = [
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
        ];
        let started = Command::new(nobody[0])
            .args(&nobody[1..])
            .args([PROGRAM, "--version"])
            .output();
        let starts = started.is_ok_and(|output| output.status.success());
        starts.then(|| self.under(&nobody))
    }

    fn place(&self) -> [&str; 4] {
        let (root, state) = (self.root.to_str().unwrap(), self.state.to_str().unwrap());
        ["--root", root, "--state", state]
    }

    /// The system calls of a server and its children while it answers. `None` if they cannot be
    /// traced here.
    pub fn traced(&self, options: &[&str], run: impl FnOnce(&mut Client)) -> Option<String> {
        let mut works = Command::new("strace");
        let works = works.args(["-o", "/dev/null", "true"]).output();
        if !works.is_ok_and(|output| output.status.success()) {
            return None;
        }
        let log = self.dir.path().join("log");
        let tracer = ["strace", "-f", "-s", "300", "-o", log.to_str().unwrap()];
        let mut client = self.under(&[&tracer, options].concat());
        run(&mut client);
        assert!(client.server.end().success());
        Some(fs::read_to_string(log).unwrap())
    }

    /// Content and mode of every file and link below the root, except for git's own.
    pub fn contents(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut all = Vec::new();
        everything(&self.root, &mut all);
        all.retain(|(path, _)| !path.starts_with(self.root.join(".git")));
        all.sort();
        all
    }
}

/// Files and links below a directory.
pub fn everything(dir: &Path, all: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let kind = fs::symlink_metadata(&path).unwrap().file_type();
        if kind.is_dir() {
            everything(&path, all);
        } else if kind.is_symlink() {
            all.push((
                path.clone(),
                fs::read_link(&path)
                    .unwrap()
                    .into_os_string()
                    .into_encoded_bytes(),
            ));
        } else if kind.is_file() {
            all.push((path.clone(), fs::read(&path).unwrap()));
        } else {
            all.push((path, Vec::new()));
        }
    }
}

/// A client of a server of its own.
pub struct Client {
    pub server: Server,
    schemas: HashMap<String, jsonschema::Validator>,
}

impl Client {
    pub fn start(dir: &Path, arguments: &[&str]) -> Self {
        Self::of(Server::with(PROGRAM, dir, arguments))
    }

    pub fn of(mut server: Server) -> Self {
        let listed = server.ask("tools/list", json!({}));
        let mut schemas = HashMap::new();
        for tool in listed["result"]["tools"].as_array().unwrap() {
            let validator = jsonschema::draft202012::new(&tool["outputSchema"]).unwrap();
            let name = tool["name"].as_str().unwrap();
            schemas.insert(name.replace('.', "_"), validator);
        }
        Self { server, schemas }
    }

    /// The result of a call, which must match its schema and have the same text.
    pub fn raw(&mut self, tool: &str, arguments: Value) -> Value {
        let reply = self.server.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        );
        let result = reply["result"].clone();
        assert!(result.is_object(), "{tool} {arguments}: {reply}");
        let content = &result["structuredContent"];
        let validator = &self.schemas[&tool.replace('.', "_")];
        let faults: Vec<String> = validator
            .iter_errors(content)
            .map(|error| error.to_string())
            .collect();
        assert!(
            faults.is_empty(),
            "{tool} {arguments}\n{content}\n{}",
            faults.join("\n")
        );
        result
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> (Value, bool) {
        let result = self.raw(tool, arguments);
        let content = result["structuredContent"].clone();
        assert_eq!(result["content"][0]["text"], canonical(&content));
        (content, result["isError"] == true)
    }

    /// A call that must succeed.
    pub fn ok(&mut self, tool: &str, arguments: Value) -> Value {
        let shown = arguments.to_string();
        let (content, error) = self.call(tool, arguments);
        assert!(!error, "{tool} {shown}\n{content}");
        content
    }

    /// A call that must fail with a code; returns the error.
    pub fn fails(&mut self, code: &str, tool: &str, arguments: Value) -> Value {
        let shown = arguments.to_string();
        let (content, error) = self.call(tool, arguments);
        assert!(error, "{tool} {shown}\n{content}");
        assert_eq!(content["error"]["code"], code, "{tool} {shown}\n{content}");
        content["error"].clone()
    }

    /// A snapshot of paths.
    pub fn create(&mut self, paths: &[&str]) -> String {
        text(&self.ok("snapshot.create", json!({ "paths": paths }))["snapshot_id"])
    }
}

pub fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is not a text"))
        .to_owned()
}

/// Sorted keys and no whitespace, as a reply's text must be. Independent of the crate.
pub fn canonical(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| key.as_bytes());
            let members = members
                .into_iter()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), canonical(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => format!(
            "[{}]",
            items.iter().map(canonical).collect::<Vec<_>>().join(",")
        ),
        other => other.to_string(),
    }
}

/// The bytes of a bundle.
pub fn decoded(bundle: &Value) -> Vec<u8> {
    use std::io::Write;
    let text = text(bundle);
    let encoded = text.strip_prefix("base64:").unwrap();
    // Decoded by another program.
    let mut child = Command::new("base64")
        .arg("-d")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let encoded = encoded.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(encoded.as_bytes()).unwrap());
    let out = child.wait_with_output().unwrap().stdout;
    writer.join().unwrap();
    out
}

/// Reports a test that cannot run here, on real standard error, which is not captured.
pub fn skipped(test: &str, why: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}

/// The number of rounds: `usual`, or the value of an environment variable.
pub fn rounds(variable: &str, usual: usize) -> usize {
    let given = std::env::var(variable).ok();
    given.map_or(usual, |given| given.parse().unwrap())
}

/// The next number of a fixed pseudorandom sequence.
pub fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Whether a program is installed.
pub fn has(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

pub fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    String::from_utf8_lossy(&id.stdout).trim() == "0"
}

"""Computes the vectors of the workspace domain without any of its code: git objects, status, canonical JSON, manifests,
snapshot ids, bundles. Prints them as JSON. Needs nothing but Python."""

import base64
import hashlib
import io
import json
import tarfile


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def git(kind, body):
    return hashlib.sha1(b"%s %d\0" % (kind, len(body)) + body).digest()


def tree(files):
    """The object id of a tree of {path: bytes}."""
    entries = {}
    for path, content in files.items():
        name, _, rest = path.partition(b"/")
        if rest:
            entries.setdefault(name, {})[rest] = content
        else:
            entries[name] = content
    body = b""
    for name in sorted(entries, key=lambda n: n + b"/" if isinstance(entries[n], dict) else n):
        inner = entries[name]
        if isinstance(inner, dict):
            body += b"40000 " + name + b"\0" + tree(inner)
        else:
            body += b"100644 " + name + b"\0" + git(b"blob", inner)
    return git(b"tree", body)


def canonical(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def ordered(files):
    return sorted(files.items(), key=lambda item: item[0].encode())


def manifest(files):
    return canonical({"entries": [{"path": p, "blob": "sha256:" + sha256(c)} for p, c in ordered(files)]})


def snapshot(fingerprint, files):
    return "sha256:" + sha256(canonical(fingerprint) + b"\n" + manifest(files))


def tar(files):
    out = io.BytesIO()
    for path, content in ordered(files):
        info = tarfile.TarInfo(path)
        info.size, info.mode, info.mtime = len(content), 0o644, 0
        out.write(info.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape"))
        out.write(content + b"\0" * (-len(content) % 512))
    return out.getvalue() + b"\0" * 1024


def bundle(data):
    return {"bytes": len(data), "sha256": "sha256:" + sha256(data)}


def text(content):
    return content.decode() if b"\0" not in content else "base64:" + base64.b64encode(content).decode()


committed = {
    "src/a.ts": b"export const a = 1;\n",
    "src/b.ts": b"export const b = 2;\n",
    "src-x.ts": b"// x\n",
    "caf\u00e9.txt": "h\u00e9llo\n".encode(),
}
index = tree({path.encode(): content for path, content in committed.items()})
head = git(
    b"commit",
    b"tree %s\nauthor Ada <ada@example.com> 1704067200 +0000\ncommitter Ada <ada@example.com> 1704067200 +0000\n\ninit\n"
    % index.hex().encode(),
)


def state(status):
    return {"head_oid": head.hex(), "index_oid": index.hex(), "status_hash": sha256(status)}


status0 = b" M src/b.ts\0?? new.txt\0"
status1 = b" M src/a.ts\0" + status0
f0, f1 = state(status0), state(status1)
unborn = {"head_oid": "", "index_oid": tree({}).hex(), "status_hash": sha256(b"")}

s0 = dict(committed, **{"src/b.ts": b"export const b = 3;\n", "new.txt": b"new\n"})
s1 = dict(s0, **{"src/a.ts": b"export const a = 10;\n"})
src = {p: c for p, c in s0.items() if p.startswith("src/")}
src1 = {p: c for p, c in s1.items() if p.startswith("src/")}

diff_a = (
    "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-export const a = 1;\n+export const a = 10;\n"
)
diff_r1 = (
    "diff --git a/new.txt b/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n"
    "--- a/src/b.ts\n+++ b/src/b.ts\n@@ -1 +1 @@\n-export const b = 2;\n+export const b = 3;\n"
)
entries = [{"blob": "sha256:" + sha256(c), "content": text(c), "path": p} for p, c in ordered(s0)]

print(
    json.dumps(
        {
            "fingerprints": {"F0": f0, "F1": f1, "unborn": unborn},
            "status_hex": {"F0": status0.hex(), "F1": status1.hex()},
            "canonical_fingerprint": canonical(f0).decode(),
            "manifest": {"bytes": len(manifest(s0)), "sha256": sha256(manifest(s0))},
            "blobs": {p: sha256(c) for p, c in ordered(s0)},
            "snapshots": {
                "S0": snapshot(f0, s0),
                "src": snapshot(f0, src),
                "empty": snapshot(f0, {}),
                "S1": snapshot(f0, s1),
                "S0+d/e.txt": snapshot(f0, dict(s0, **{"d/e.txt": b"hi\n"})),
                "S0-new.txt": snapshot(f0, {p: c for p, c in s0.items() if p != "new.txt"}),
                "S0+e": snapshot(f0, dict(s0, e=b"")),
                "F1": snapshot(f1, s1),
                "F1 src": snapshot(f1, src1),
                "unborn": snapshot(unborn, {}),
            },
            "bundles": {
                "tar S0": bundle(tar(s0)),
                "tar long": bundle(tar({"d/" + "x" * 120 + "/f.txt": b"1\n"})),
                "tar empty": bundle(tar({})),
                "json S0": bundle(canonical({"entries": entries, "fingerprint": f0})),
            },
            "diffs": {"R1": diff_r1, "S0 S1": diff_a},
            "diff_sha256": {"R1": sha256(diff_r1.encode()), "S0 S1": sha256(diff_a.encode())},
        },
        indent=2,
        ensure_ascii=False,
    )
)

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { removeLeftovers, writeNewFile } from "../../../lib/platform/files/atomic_write.ts";
import { openFile } from "../../../lib/platform/files/open_file.ts";
import { pathPolicy } from "../../../lib/platform/files/path_policy.ts";
import { stateFiles } from "../../../lib/world/host/state_files.ts";
import { text } from "../../support/fake_media.ts";
import { withFolder } from "../../support/temporary_folder.ts";

async function collect(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  return await new Response(stream).text();
}

// @row world-session > Rules of every route > Files named by clients: writing
test("writeNewFile() writes a file and leaves nothing else", () =>
  withFolder(async (folder) => {
    await writeNewFile(join(folder, "a"), text("hello"));
    assert.equal(readFileSync(join(folder, "a"), "utf8"), "hello");
    assert.deepEqual(readdirSync(folder), ["a"]);
  }));

// @row world-session > Rules of every route > Files named by clients: writing
test("writeNewFile() never replaces a file, nor follows a link", () =>
  withFolder(async (folder) => {
    writeFileSync(join(folder, "a"), "mine");
    symlinkSync(join(folder, "elsewhere"), join(folder, "link"));
    for (const name of ["a", "link"]) {
      await assert.rejects(writeNewFile(join(folder, name), text("theirs")), { code: "EEXIST" });
    }
    assert.equal(readFileSync(join(folder, "a"), "utf8"), "mine");
    assert.deepEqual(readdirSync(folder).sort(), ["a", "link"]);
  }));

test("writeNewFile() lets one of several writers win", () =>
  withFolder(async (folder) => {
    const writes = ["a", "b", "c", "d"].map((value) => writeNewFile(join(folder, "x"), text(value)));
    const results = await Promise.allSettled(writes);
    assert.equal(results.filter((r) => r.status === "fulfilled").length, 1);
    assert.deepEqual(readdirSync(folder), ["x"]);
  }));

test("removeLeftovers() removes what killed writers left, and nothing else", () =>
  withFolder(async (folder) => {
    mkdirSync(join(folder, "a.chunks"));
    const kept = ["a.mp4", ".hidden", "note.tmp", ".a.mp4.tmp", join("a.chunks", "b.mp4")];
    const left = [`.a.mp4.${crypto.randomUUID()}.tmp`, join("a.chunks", `.b.mp4.${crypto.randomUUID()}.tmp`)];
    for (const name of [...kept, ...left]) writeFileSync(join(folder, name), "");
    await removeLeftovers(folder);
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    assert.deepEqual(names.sort(), [...kept, "a.chunks"].sort());
  }));

test("pathPolicy() allows what is below its folders", () =>
  withFolder(async (root) => {
    mkdirSync(join(root, "in", "deep"), { recursive: true });
    const policy = pathPolicy(["in"], root);
    assert.equal(await policy.check("in/a.png"), join(root, "in", "a.png"));
    assert.equal(await policy.check(join(root, "in/deep/../b")), join(root, "in", "b"));
    assert.equal(await policy.check("in"), join(root, "in"));
    assert.equal(await policy.check("in/..name"), join(root, "in", "..name"));
  }));

// @row world-session > Rules of every route > Files named by clients: reading
test("pathPolicy() refuses what leads out, by dots, by names and by links", () =>
  withFolder(async (root) => {
    mkdirSync(join(root, "in"));
    mkdirSync(join(root, "inside"));
    symlinkSync(root, join(root, "in", "up"));
    symlinkSync("up/inside", join(root, "in", "twice"));
    const policy = pathPolicy([join(root, "in")], join(root, "in"));
    for (const path of ["..", "../x", "up/inside/x", "twice/x", "/etc/passwd", join(root, "inside", "x"), root]) {
      await assert.rejects(policy.check(path), { code: "path_not_allowed", type: "permission_error" }, path);
    }
  }));

test("pathPolicy() resolves the links of an allowed folder itself", () =>
  withFolder(async (root) => {
    mkdirSync(join(root, "real"));
    symlinkSync(join(root, "real"), join(root, "alias"));
    const policy = pathPolicy([join(root, "alias")], root);
    assert.equal(await policy.check("alias/a"), join(root, "real", "a"));
    assert.equal(await policy.check("real/a"), join(root, "real", "a"));
  }));

test("stateFiles() makes folders in the state directory and distinguishes full disks", () =>
  withFolder(async (root) => {
    let failure: string | undefined;
    const files = stateFiles(root, {
      policy: pathPolicy([root], root),
      write: (path, bytes) =>
        failure ? Promise.reject(Object.assign(new Error("no"), { code: failure })) : writeNewFile(path, bytes),
    });
    const path = files.statePath("a.chunks/b");
    await files.writeNew(path, text("x"));
    await assert.rejects(files.writeNew(path, text("y")), { code: "output_exists", type: "conflict_error" });
    for (const [system, code] of [["ENOSPC", "disk_full"], ["EDQUOT", "disk_full"], ["EIO", "write_failed"]]) {
      failure = system;
      await assert.rejects(files.writeNew(files.statePath("c"), text("x")), { code, type: "server_error" });
    }
    await files.remove(files.statePath("a.chunks"));
    await files.remove(files.statePath("never"));
    assert.deepEqual(await files.list(), []);
  }));

test("stateFiles().readClientFile() reads images up to the limit", () =>
  withFolder(async (root) => {
    const files = stateFiles(root, { policy: pathPolicy([root], root) });
    writeFileSync(join(root, "a"), "12345");
    mkdirSync(join(root, "folder"));
    assert.equal(new TextDecoder().decode(await files.readClientFile("a", 5)), "12345");
    await assert.rejects(files.readClientFile("a", 4), { code: "image_too_large" });
    await assert.rejects(files.readClientFile("b", 4), { code: "image_not_found" });
    await assert.rejects(files.readClientFile("folder", 4), { code: "image_not_found" });
    await assert.rejects(files.readClientFile("../x", 4), { code: "path_not_allowed" });
  }));

test("openFile() streams parts, larger than one read too", () =>
  withFolder(async (root) => {
    const long = "0123456789".repeat(100_000);
    writeFileSync(join(root, "a"), long);
    const file = await openFile(join(root, "a"));
    assert.equal(file?.size, long.length);
    assert.equal(await collect(file!.stream(0, long.length - 1)), long);
    assert.equal(await collect(file!.stream(3, 5)), "345");
    assert.equal(await collect(file!.stream(long.length - 1, long.length - 1)), "9");
  }));

test("openFile() closes the file when a client disconnects", () =>
  withFolder(async (root) => {
    writeFileSync(join(root, "a"), "x".repeat(1_000_000));
    const file = await openFile(join(root, "a"));
    const reader = file!.stream(0, 999_999).getReader();
    await reader.read();
    await reader.cancel();
    assert.equal((await reader.read()).done, true);
    await file!.stream(0, 10).cancel();
  }));

test("openFile() fails the stream when the file has become shorter", () =>
  withFolder(async (root) => {
    writeFileSync(join(root, "a"), "12345");
    const file = await openFile(join(root, "a"));
    writeFileSync(join(root, "a"), "12");
    await assert.rejects(collect(file!.stream(0, 4)));
  }));

test("openFile() returns undefined for anything but a file", () =>
  withFolder(async (root) => {
    assert.equal(await openFile(join(root, "none")), undefined);
    assert.equal(await openFile(root), undefined);
    writeFileSync(join(root, "a"), "");
    assert.equal(await openFile(join(root, "a", "b")), undefined);
  }));

test("clientOutput() refuses a name that the disk cannot have, before anything is made for it", () =>
  withFolder(async (folder) => {
    const files = stateFiles(folder, { policy: pathPolicy([folder], folder) });
    await assert.rejects(files.clientOutput(`${"x".repeat(300)}.mp4`), {
      code: "invalid_output",
      param: "output",
      message: /its name is too long, choose another$/,
    });
    assert.equal(await files.clientOutput("walk.mp4"), join(folder, "walk.mp4"));
  }));

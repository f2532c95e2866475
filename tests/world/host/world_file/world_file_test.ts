import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { exportWorld } from "../../../../lib/world/host/world_file/export_world.ts";
import { importWorld } from "../../../../lib/world/host/world_file/import_world.ts";
import { encodePart, MAGIC, nodesOf } from "../../../../lib/world/host/world_file/world_file.ts";
import { WorldJournal } from "../../../../lib/world/session/journal/world_journal.ts";
import { readWorld } from "../../../../lib/world/session/journal/read_world.ts";
import { RecordWriter } from "../../../../lib/world/session/journal/journal_records.ts";
import { journalOf, type KeptWorld, keptWorld } from "../../../support/kept_world.ts";
import { withFolder } from "../../../support/temporary_folder.ts";

async function walked(folder: string): Promise<KeptWorld> {
  const world = await keptWorld(folder);
  await world.begin();
  await world.move("forward");
  await world.session.createCheckpoint({ name: "door" });
  await world.move("yawLeft");
  await world.move("forward", { output: join(folder, "mine.mp4") });
  return world;
}

function worldsIn(folder: string): string[] {
  return existsSync(join(folder, "worlds")) ? readdirSync(join(folder, "worlds")) : [];
}

// @row world-session > Worlds > `svc world export`, `svc world import`
test("a world goes from one machine to another, and on bit for bit", () =>
  withFolder(async (root) => {
    const [a, b, file] = [join(root, "a"), join(root, "b"), join(root, "world.svcw")];
    const here = await walked(a);
    assert.equal((await exportWorld(a, here.head.id, file)).world_id, here.head.id);
    await assert.rejects(exportWorld(a, "default", file), /exists already/);
    await assert.rejects(exportWorld(a, "ffffffff-0000-4000-8000-000000000000", join(root, "x")), /Cannot find world/);
    const { world_id: id } = await importWorld(b, file);
    assert.deepEqual([id, worldsIn(b)], [here.head.id, [id]]);
    const there = await keptWorld(join(b, "worlds", id));
    const known = (world: KeptWorld, folder: string): unknown =>
      JSON.parse(JSON.stringify(world.known()).replaceAll(folder, "ROOT"));
    assert.deepEqual(known(there, join(b, "worlds", id)), known(here, a));
    for (const motion of ["backward", "yawRight", "strafeLeft"] as const) {
      const [mine, yours] = [await here.move(motion), await there.move(motion)];
      assert.equal(yours.receipt?.replayed, mine.receipt?.replayed, motion);
      const shown = ({ session }: KeptWorld): string => readFileSync(session.framePath!, "utf8");
      assert.equal(shown(there), shown(here), motion);
    }
    // A second one gets an id of its own; another version reports that it begins with the image.
    const second = await importWorld(b, file);
    assert.notEqual(second.world_id, id);
    const other = await keptWorld(join(b, "worlds", second.world_id), { origin: "another version" });
    assert.equal(other.session.snapshot().continuity, "picture");
  }));

test("a file that is cut off, damaged or hostile is refused and leaves nothing behind", () =>
  withFolder(async (root) => {
    const [a, b, file] = [join(root, "a"), join(root, "b"), join(root, "world.svcw")];
    await walked(a);
    await exportWorld(a, "default", file);
    const bytes = new Uint8Array(readFileSync(file));
    const refused = async (hostile: Uint8Array, what: string): Promise<void> => {
      writeFileSync(join(root, "hostile.svcw"), hostile);
      await assert.rejects(importWorld(b, join(root, "hostile.svcw")), /^UsageError: Cannot import /, what);
      assert.deepEqual(worldsIn(b), [], what);
    };
    for (let cut = 0; cut < bytes.length; cut += 1 + (bytes.length >> 5)) {
      await refused(bytes.subarray(0, cut), `cut at ${cut}`);
      const flipped = bytes.slice();
      flipped[cut] ^= 4;
      await refused(flipped, `flipped at ${cut}`);
    }
    const text = (value: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(value);
    const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
    await refused(joined(bytes, bytes), "two files in one");
    await refused(joined(bytes, text("\n")), "a byte too many");
    const journal = journalOf(a);
    const whole = (changed: Uint8Array, ...more: Uint8Array[]): Uint8Array =>
      joined(text(MAGIC), encodePart("j", changed), ...more, encodePart("e", text("")));
    await refused(whole(journal, encodePart("n", text("../../../etc/cron"))), "a file of another folder");
    await refused(whole(journal, encodePart("d", text("x"))), "a part of no file");
    await refused(joined(text(MAGIC), new Uint8Array([106, 255, 255, 255, 255, 0, 0, 0, 0])), "a part of 4 GiB");
    for (const path of ["/etc/passwd", "../../x", `${b}/worlds/../../x`]) {
      await refused(whole(renamed(journal, path)), path);
    }
    const parts = partsOf(bytes);
    const [plain, bomb] = [await rewritten(journal, false), await rewritten(journal, true)];
    assert.ok(bomb.length < plain.length + 1000);
    await refused(whole(bomb, ...parts), "a request of a few objects that stand for a billion");
    writeFileSync(join(root, "plain.svcw"), whole(plain, ...parts));
    await importWorld(join(root, "c"), join(root, "plain.svcw"));
    await assert.rejects(importWorld(b, join(root, "none.svcw")), /there is no such file/);
  }));

test("a file that lacks what its world needs is refused, and one without its videos is not", () =>
  withFolder(async (root) => {
    const [a, b, file] = [join(root, "a"), join(root, "b"), join(root, "world.svcw")];
    const here = await walked(a);
    await exportWorld(a, "default", file);
    const [journal, ...files] = partsOf(new Uint8Array(readFileSync(file)), true);
    const end = encodePart("e", new Uint8Array());
    const videos: Uint8Array[] = [];
    for (const part of files) {
      const name = nameOf(part);
      const others = files.filter((other) => other !== part);
      const hollow = encodePart("n", new TextEncoder().encode(name));
      for (const changed of [others, [...others, hollow]]) {
        writeFileSync(file, Buffer.concat([Buffer.from(MAGIC), journal, ...changed, end]));
        const target = join(b, `${name.replaceAll("/", "-")}-${changed.length}`);
        if (name.endsWith(".mp4")) await importWorld(target, file);
        else await assert.rejects(importWorld(target, file), new RegExp(`it lacks ${name}, which its world needs`));
      }
      if (name.endsWith(".mp4")) videos.push(part);
    }
    assert.ok(videos.length > 0 && videos.length < files.length);
    writeFileSync(file, Buffer.concat([Buffer.from(MAGIC), journal, ...files.filter((f) => !videos.includes(f)), end]));
    const { world_id } = await importWorld(join(root, "c"), file);
    const there = await keptWorld(join(root, "c", "worlds", world_id));
    for (const world of [here, there]) assert.equal((await world.move("backward")).receipt?.replayed, true);
    // What is exported has what an import will ask for.
    const frame = files.map(nameOf).find((name) => name.endsWith(".png"))!;
    rmSync(join(a, frame));
    await assert.rejects(exportWorld(a, "default", join(root, "d.svcw")), new RegExp(`it lacks ${frame}`));
    assert.ok(!existsSync(join(root, "d.svcw")));
  }));

/** Each file of an exported world with its name, after the journal; without the end. */
function partsOf(bytes: Uint8Array, withJournal = false): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = MAGIC.length; at < bytes.length;) {
    const kind = String.fromCharCode(bytes[at]);
    const end = at + 9 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(at + 1);
    const part = bytes.subarray(at, end);
    if (kind === "d") parts.push(new Uint8Array(Buffer.concat([parts.pop()!, part])));
    else if (kind === "n" || kind === "j" && withJournal) parts.push(part);
    at = end;
  }
  return parts;
}

function nameOf(part: Uint8Array): string {
  const length = new DataView(part.buffer, part.byteOffset).getUint32(1);
  return new TextDecoder().decode(part.subarray(9, 9 + length));
}

/** The same world as another program would write it; with a request of which each level has the one below it twice. */
async function rewritten(bytes: Uint8Array, isBomb: boolean): Promise<Uint8Array<ArrayBuffer>> {
  const { found } = readWorld(bytes, "/");
  let written = new Uint8Array();
  const { journal } = await WorldJournal.open({
    read: () => Promise.resolve(undefined),
    append: () => Promise.resolve(),
    replace: (made) => Promise.resolve(void (written = new Uint8Array(made))),
    setAside: () => Promise.resolve(),
  }, "/");
  let request: Record<string, unknown> = { prompt: "a corridor" };
  for (let level = 0; isBomb && level < 13; level++) {
    request = { a: request, b: request, c: request, d: request, e: request };
  }
  Object.assign(found.image!.graph.state.path.at(-1)!.move!, { request });
  await journal.start(found.head!, found.image, nodesOf(found.image!, found), found.origin);
  return written;
}

/** A journal whose checksums are right and whose picture is another file. */
function renamed(journal: Uint8Array, path: string): Uint8Array {
  const records = new RecordWriter();
  const parts: Uint8Array[] = [records.start()];
  for (let at = 12; at < journal.length;) {
    const length = new DataView(journal.buffer, journal.byteOffset + at).getUint32(0);
    const text = new TextDecoder().decode(journal.subarray(at + 12, at + 12 + length));
    const changed = text.replaceAll(/"path":\{"\$":"path","n":"s[^"]*"\}/g, `"path":${JSON.stringify(path)}`);
    parts.push(records.record(new TextEncoder().encode(changed)));
    at += 12 + length;
  }
  return new Uint8Array(Buffer.concat(parts));
}

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import sharp from "sharp";
import { cameraOfKeys, inverseCamera } from "../../lib/world/protocol/camera_keys.ts";
import { KEY_MOTIONS, MOTION_TABLE, motionKeys, OPPOSITE_KEYS } from "../../lib/world/protocol/motion_table.ts";
import { toWire } from "../../lib/json/wire_form.ts";
import { ROOT } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";

const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;
const skip = !hasPython && "there is no Python 3.9";

/** What a program prints that has imported the client, as JSON. */
function inPython(program: string, ...args: readonly string[]): unknown {
  const code = `import json, sys\nsys.path.insert(0, sys.argv[1])\nimport svc_world as svc\n${program}`;
  const folder = join(ROOT, "examples", "python");
  const { stdout, stderr } = spawnSync("python3", ["-B", "-c", code, folder, ...args], { encoding: "utf8" });
  assert.equal(stderr, "");
  return JSON.parse(stdout);
}

test("examples/python/svc_world.py has the moves of the motion table", { skip }, () => {
  const ours = [...KEY_MOTIONS].map(([key, { motion, translation, rotation, opposite, label }]) => [
    key,
    [motion, translation, rotation, opposite === undefined ? null : MOTION_TABLE[opposite].key, label],
  ]);
  assert.deepEqual(inPython("print(json.dumps(list(svc.MOTIONS.items())))"), ours);
});

test("its actions are the keys and the pairs that do not cancel, and their cameras those of the SDK", { skip }, () => {
  const keys = motionKeys(true);
  const isHeld = (pair: string): boolean => !OPPOSITE_KEYS.some(([a, b]) => pair.includes(a) && pair.includes(b));
  const pairs = keys.flatMap((key, i) => keys.slice(i + 1).map((other) => key + other)).filter(isHeld);
  const sorted = (actions: readonly string[]): string[] => actions.map((held) => [...held].sort().join("")).sort();
  const rows = inPython(
    "cameras = [(keys, svc.camera_of_keys(keys)) for keys in svc.key_combinations()]\n" +
      "print(json.dumps([[keys, camera, svc.inverse_camera(camera)] for keys, camera in cameras]))",
  ) as [string, unknown, unknown][];
  assert.deepEqual(sorted(rows.map(([held]) => held)), sorted([" ", ...keys, ...pairs]));
  for (const [held, camera, inverse] of rows) {
    const expected = cameraOfKeys(held);
    assert.deepEqual(camera, toWire(expected), held);
    assert.deepEqual(inverse, toWire(inverseCamera(expected) ?? null), held);
  }
});

test(
  "it reads PNG files of every filter, and what it writes is read again",
  { skip },
  () =>
    withFolder(async (folder) => {
      const source = sharp(join(ROOT, "examples", "corridor.png")).resize(97, 41);
      const raw = await source.clone().removeAlpha().raw().toBuffer();
      const files = {
        filtered: await source.clone().png({ adaptiveFiltering: true }).toBuffer(),
        plain: await source.clone().png({ adaptiveFiltering: false }).toBuffer(),
      };
      const paths = Object.entries(files).map(([name, bytes]) => {
        writeFileSync(join(folder, name), bytes);
        return join(folder, name);
      });
      const written = join(folder, "written");
      const sha = "hashlib.sha256(svc.Image.from_png(open(path, 'rb').read()).pixels).hexdigest()";
      const digests = inPython(
        `import hashlib\n*paths, written = sys.argv[2:]\n` +
          "open(written, 'wb').write(svc.Image.from_png(open(paths[0], 'rb').read()).png())\n" +
          `print(json.dumps([${sha} for path in paths]))`,
        ...paths,
        written,
      );
      const expected = createHash("sha256").update(raw).digest("hex");
      assert.deepEqual(digests, paths.map(() => expected));
      assert.deepEqual(await sharp(readFileSync(written)).raw().toBuffer(), raw);
    }),
);

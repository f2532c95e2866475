import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const path = fileURLToPath(new URL("../../examples/ray_rollouts.py", import.meta.url));
const check = `
import sys
names = {"__name__": "example"}
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), names)
print(names["spec"]({"id": 3})["spec"])
`;
const python = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).status === 0;

test(
  "examples/ray_rollouts.py makes specs that a fleet takes",
  { skip: !python && "there is no Python 3.10" },
  async () => {
    const { stdout, stderr } = spawnSync("python3", ["-c", check, path], { encoding: "utf8" });
    assert.equal(stderr, "");
    const { readSpecs } = await import("../../fleet/batches/read_specs.ts");
    assert.deepEqual(readSpecs(stdout).map(({ item }) => item), ["walk-000003"]);
  },
);

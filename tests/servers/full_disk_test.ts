import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { programArguments } from "../support/program_arguments.ts";
import { ROOT } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";

const SPACE = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"];
const noDisks = spawnSync(SPACE[0], [...SPACE.slice(1), "mount -t tmpfs -o size=64k disk /mnt"]).status !== 0;
const skip = noDisks && "this user cannot make a small disk";

/** Starts a server whose home is a disk of that size, of which only `left` KiB are free; `tail` follows its end. */
function onSmallDisk(home: string, server: string, size: number, left: number, tail = "true") {
  const fill = `head -c ${(size - left) * 1024} /dev/zero > ${home}/fill`;
  const disk = `mount -t tmpfs -o size=${size}k disk ${home} && mkdir ${home}/state && ${fill}`;
  const script = `${disk}; "$@"; status=$?; ${tail}; exit $status`;
  const command = [process.execPath, ...programArguments(), join(ROOT, "servers", server), "--port=0", "--json"];
  const child = spawn(SPACE[0], [...SPACE.slice(1), script, "sh", ...command], {
    cwd: ROOT,
    env: { ...process.env, SVC_HOME: join(home, "state"), SVC_API_KEY: "", SVC_MODELS_DIR: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => said.stdout += data);
  child.stderr.on("data", (data) => said.stderr += data);
  return { child, said, closed: once(child, "close") };
}

for (const server of ["world.ts", "api.ts"]) {
  test(
    `servers/${server} says so when it starts on a full disk, and leaves nothing behind`,
    { skip },
    () =>
      withFolder(async (home) => {
        const { said, closed } = onSmallDisk(home, server, 64, 0, `find ${home}/state -type f -o -name '*.tmp'`);
        assert.deepEqual((await closed)[0], 1);
        assert.match(said.stderr, /svc: Cannot use \S+: the disk is full, free some space and try again\n$/);
        assert.equal(said.stdout, "");
      }),
  );
}

// @row world-session > Errors > 500 `disk_full`
test(
  "a walk on a disk that becomes full fails whole, and the next one works when there is space",
  { skip },
  () =>
    withFolder(async (home) => {
      const { child, said, closed } = onSmallDisk(home, "world.ts", 400, 130);
      const [line] = await once(createInterface({ input: child.stdout }), "line");
      const client = new WorldClient(JSON.parse(line).url);
      // The disk is only there for the server and what it starts.
      const [pid] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ");
      const disk = join(`/proc/${pid}/root`, home);
      const state = join(disk, "state", "world-sessions", "default");
      await client.uploadSource(new Uint8Array(readFileSync(join(ROOT, "models/corridor-nano/base/source.png"))));
      const before = [readdirSync(state, { recursive: true }), await client.session()];
      const move = { prompt: "a corridor", action_seq: ["w"], num_output_frames: 12 };
      const { job_id } = await client.startRollout(move);
      const failed = await client.awaitJob(job_id).then(() => undefined, (error) => error);
      assert.equal(failed?.code, "disk_full", said.stderr);
      assert.match(failed.message, /^Cannot write a file: the disk is full, free some space and try again$/);
      const { model: _, phase: __, keeps_models_warm: ___, ...after } = await client.session();
      assert.deepEqual({ ...before[1], ...after }, before[1]);
      assert.deepEqual(readdirSync(state, { recursive: true }), before[0]);
      rmSync(join(disk, "fill"));
      const again = await client.startRollout(move);
      await client.awaitJob(again.job_id);
      process.kill(Number(pid), "SIGTERM");
      assert.deepEqual((await closed)[0], 0);
    }),
);

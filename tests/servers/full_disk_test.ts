import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

/**
 * Starts a server whose home is a disk of that size, of which only `left` KiB are free; `tail` follows its end. With
 * `temporary` that is the place of temporary files too.
 */
function onSmallDisk(
  home: string,
  server: string,
  size: number,
  left: number,
  { tail = "true", temporary = false } = {},
) {
  const fill = `head -c ${(size - left) * 1024} /dev/zero > ${home}/fill`;
  const disk = `mount -t tmpfs -o size=${size}k disk ${home} && mkdir ${home}/state ${home}/tmp && ${fill}`;
  const script = `${disk}; "$@"; status=$?; ${tail}; exit $status`;
  const command = [process.execPath, ...programArguments(), join(ROOT, "servers", server), "--port=0", "--json"];
  const child = spawn(SPACE[0], [...SPACE.slice(1), script, "sh", ...command], {
    cwd: ROOT,
    env: {
      ...process.env,
      SVC_HOME: join(home, "state"),
      ...temporary && { TMPDIR: join(home, "tmp") },
      SVC_API_KEY: "",
      SVC_MODELS_DIR: "",
    },
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
        const { said, closed } = onSmallDisk(home, server, 64, 0, {
          tail: `find ${home}/state -type f -o -name '*.tmp'`,
        });
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
      const move = { prompt: "a corridor", actionSeq: ["w"], numOutputFrames: 12, width: 96, height: 64 };
      const { jobId } = await client.startRollout(move);
      const failed = await client.awaitJob(jobId).then(() => undefined, (error) => error);
      assert.equal(failed?.code, "disk_full", said.stderr);
      assert.match(failed.message, /^Cannot write a file: the disk is full, free some space and try again$/);
      const { model: _, phase: __, keepsModelsWarm: ___, ...after } = await client.session();
      assert.deepEqual({ ...before[1], ...after }, before[1]);
      assert.deepEqual(readdirSync(state, { recursive: true }), before[0]);
      rmSync(join(disk, "fill"));
      const again = await client.startRollout(move);
      await client.awaitJob(again.jobId);
      process.kill(Number(pid), "SIGTERM");
      assert.deepEqual((await closed)[0], 0);
    }),
);

test(
  "images on a disk that becomes full fail with its name, leave nothing, and the next ones work when there is space",
  { skip },
  () =>
    withFolder(async (home) => {
      const { child, said, closed } = onSmallDisk(home, "api.ts", 64 * 1024, 60 * 1024, { temporary: true });
      const [line] = await once(createInterface({ input: child.stdout }), "line");
      const { url } = JSON.parse(line);
      const [pid] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ");
      const disk = join(`/proc/${pid}/root`, home);
      /** What requests have left. */
      const left = () =>
        readdirSync(join(disk, "tmp")).filter((name) => name.startsWith("svc-work-"))
          .flatMap((name) => readdirSync(join(disk, "tmp", name), { recursive: true }).map(String)).filter((name) =>
            /\./.test(`${name}`)
          );
      const post = async (path: string, body: FormData | string) => {
        const headers = typeof body === "string" ? { "content-type": "application/json" } : undefined;
        const response = await fetch(url + path, { method: "POST", body, ...headers && { headers } });
        const { error } = await response.json();
        return error ? `${response.status} ${error.code}: ${error.message}` : `${response.status}`;
      };
      const fields = { prompt: "a red corridor", size: "96x64", steps: "1" };
      const make = () =>
        post("/v1/images/generations", JSON.stringify({ ...fields, steps: 1, response_format: "url" }));
      const edit = async (bytes: Uint8Array<ArrayBuffer>) => {
        const form = new FormData();
        for (const [name, value] of Object.entries(fields)) form.append(name, value);
        form.append("image", new Blob([bytes]), "in.png");
        return await post("/v1/images/edits", form);
      };
      try {
        assert.equal(await make(), "200", said.stderr); // the model's process is there from now on
        const kept = left();
        assert.equal(kept.length, 1);
        assert.throws(() => writeFileSync(join(disk, "rest"), new Uint8Array(64 * 2 ** 20)), { code: "ENOSPC" });
        assert.match(
          await edit(new Uint8Array(100_000)),
          /^500 disk_full: Cannot store the upload: the disk .* is full/,
        );
        assert.match(await make(), /^500 disk_full: Cannot keep the image: the disk is full/);
        assert.deepEqual(left(), kept);
        rmSync(join(disk, "rest"));
        assert.equal(await make(), "200");
        const picture = new Uint8Array(readFileSync(join(ROOT, "models/corridor-nano/base/source.png")));
        assert.equal(await edit(picture), "200");
      } finally {
        process.kill(Number(pid), "SIGTERM");
      }
      assert.deepEqual((await closed)[0], 0);
    }),
);

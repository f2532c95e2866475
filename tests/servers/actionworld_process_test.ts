import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobRecord } from "../../lib/world/protocol/job_record.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { locateActionworld } from "../../lib/app/world/model_location.ts";
import { inspectActionworldRoot } from "../../lib/world/backends/model_roots.ts";
import { end, startServer } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";
import type { Wire } from "../../lib/json/wire_form.ts";

/** Waits for a job to end. */
async function finished(url: string, accepted: Response): Promise<Wire<JobRecord>> {
  assert.equal(accepted.status, 202, await accepted.clone().text());
  let job: Wire<JobRecord> = await accepted.json();
  while (["queued", "generating"].includes(job.status)) {
    job = await (await fetch(`${url}/v1/world/jobs/${job.job_id}`)).json();
  }
  return job;
}

test("the world server with an actionworld moves on its own world, walks back and names the backend", () =>
  withFolder(async (folder) => {
    const server = startServer([
      "--backend=actionworld",
      "--port=0",
      "--json",
      "--device=cpu",
      "--prepare",
      `--state-directory=${folder}`,
    ]);
    const { url, backend, model } = JSON.parse(await server.line);
    assert.deepEqual([backend, model], ["actionworld", "corridor-nano-actions"]);
    const session = async (): Promise<Wire<WorldSnapshot>> => await (await fetch(`${url}/v1/world/session`)).json();
    assert.deepEqual([(await session()).backend, (await session()).phase], ["actionworld", "ready"]);

    const { prompt } = await (await fetch(`${url}/v1/world/start`)).json();
    const image = await (await fetch(`${url}/v1/world/start/image`)).arrayBuffer();
    const post = (path: string, type: string, body: string | ArrayBuffer) =>
      fetch(`${url}/v1/world/session/${path}`, { method: "POST", headers: { "content-type": type }, body });
    assert.equal((await post("source", "image/png", image)).status, 200);
    const start = (await session()).current_state_id;
    const move = (motion: string, z: number) =>
      post(
        "transitions",
        "application/json",
        JSON.stringify({ prompt, camera: { motion, translationMeters: [0, 0, z], rotationDegrees: [0, 0, 0] } }),
      );
    const there = await finished(url, await move("forward", 1));
    assert.equal(there.status, "completed", JSON.stringify(there.error));
    const { receipt } = there;
    assert.ok(receipt);
    assert.deepEqual([receipt.action_domain, receipt.action_space], ["camera_pose", "normalized_model_space"]);
    assert.equal(receipt.model_space_actions?.length, 16);
    const { defaults } = await inspectActionworldRoot(await locateActionworld({}));
    assert.deepEqual(receipt.effective?.steps, defaults.steps);
    assert.equal(there.chunks.reduce((n, chunk) => n + chunk.pixel_frame_count, 0), 17);

    const back = await finished(url, await move("backward", -1));
    assert.equal(back.receipt?.replayed, true);
    assert.equal((await session()).current_state_id, start);
    assert.equal((await post("rollouts", "application/json", "{}")).status, 400);
    end(server, "SIGTERM");
    assert.equal(await server.exit, 0);
  }));

// @row world-session > Errors > A missing model: 503 with every file and the command; nothing is downloaded
test("the world server starts without an actionworld's files and names them when they are needed", () =>
  withFolder(async (folder) => {
    const args = ["--backend=actionworld", "--port=0", "--json", `--state-directory=${folder}/state`];
    const server = startServer([...args, `--model=${folder}/nowhere`]);
    const { url } = JSON.parse(await server.line);
    const answer = await fetch(`${url}/v1/world/session/prepare`, { method: "POST" });
    assert.equal(answer.status, 503);
    const { error } = await answer.json();
    assert.equal(error.code, "model_unavailable");
    assert.match(error.message, /vision_encoder\/model\.safetensors.*nothing is downloaded$/);
    const command = `hf download nvidia/Cosmos3-Edge --local-dir ${JSON.stringify(`${folder}/nowhere`)}`;
    assert.ok(error.message.includes(`or with ${command},`), error.message);
    end(server, "SIGTERM");
    assert.equal(await server.exit, 0);
  }));

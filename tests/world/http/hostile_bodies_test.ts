import assert from "node:assert/strict";
import { test } from "node:test";
import { hostileValues, ordinaryReading, withField } from "../../support/hostile_bodies.ts";
import { SESSION, withWorld } from "../../support/with_world.ts";

const camera = { motion: "hold", translation_meters: [0, 0, 0], rotation_degrees: [0, 0, 0] };
const routes: readonly [path: string, body: object, fields: readonly string[]][] = [
  ["transitions", { prompt: "", camera }, ["prompt", "camera", "model_space_actions", "source_image", "seed", "x"]],
  ["rollouts", { prompt: "p", action_seq: ["w"] }, ["prompt", "action_seq", "action_speed_list", "output", "width"]],
  ["checkpoints", { name: "n" }, ["name"]],
  ["reset", {}, ["source_image"]],
];

const values = hostileValues(250_000);

/** One body may take as long as reading this much ordinary JSON: a body is a sixteenth of it. */
const MAX_SLOWDOWN = 40;

for (const [path, body, fields] of routes) {
  test(`POST ${path} refuses bodies of 250 KB of every shape about as fast as they are read`, () =>
    withWorld(async (h) => {
      h.model.gate = h.clips.gate = new Promise(() => {});
      const limit = MAX_SLOWDOWN * Math.max(ordinaryReading(), ordinaryReading(), 10);
      for (const field of fields) {
        for (const [shape, value] of Object.entries(values)) {
          const text = withField(body, field, value);
          const begin = performance.now();
          const init = { headers: { "content-type": "application/json" }, body: text };
          const response = await h.call("POST", `${SESSION}/${path}`, init);
          const answer = await response.text();
          const took = performance.now() - begin;
          assert.ok(took < limit, `${field} of ${shape} took ${took} ms, expected less than ${limit}`);
          assert.ok(answer.length < 10_000, `${field} of ${shape}: the answer has ${answer.length} characters`);
          if (response.status === 202) {
            const { job_id } = JSON.parse(answer) as { job_id: string };
            await h.call("DELETE", `/v1/world/jobs/${job_id}`);
            await h.ended({ job_id });
          } else assert.equal(response.status < 500, true, `${field} of ${shape}: ${response.status} ${answer}`);
        }
      }
    }));
}

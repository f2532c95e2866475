import { hostileValues, withField } from "../../support/hostile_bodies.ts";
import { type Attack, post, send } from "./attack.ts";

const SESSION = "/v1/world/session";
const MIB = 2 ** 20;

const rollout = { prompt: "a hall", action_seq: ["w"], num_output_frames: 3 };
const transition = {
  prompt: "a hall",
  camera: { motion: "forward", translation_meters: [0, 0, 1], rotation_degrees: [0, 0, 0] },
};

/** Every hostile value in one field, refused each time. */
function everyValue(path: string, body: object, field: string, bytes = MIB - 1024): Attack {
  return {
    name: `${path} with hostile ${field}`,
    run: async (url) => {
      const answers = new Map<string, number>();
      for (const value of Object.values(hostileValues(bytes))) {
        const answer = await post(path, withField(body, field, value), /^(400|413|403|202|409)/)(url);
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
        if (answer.startsWith("202")) await idle(url);
      }
      return [...answers].map(([answer, count]) => `${count} x ${answer}`).join(", ");
    },
  };
}

/** Waits until no move runs. */
export async function idle(url: string): Promise<void> {
  for (;;) {
    const { active_job } = await (await fetch(url + SESSION)).json();
    if (active_job === undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const bytes = (length: number) => new Uint8Array(length);
const upload = (body: Uint8Array<ArrayBuffer>, expected = /^4/) =>
  send(`${SESSION}/source`, { method: "POST", headers: { "content-type": "image/png" }, body }, expected);

/** A PNG with the header of a picture of this size, and nothing in it. */
function pngHeader(width: number, height: number): Uint8Array<ArrayBuffer> {
  const png = new Uint8Array(64);
  png.set([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(png.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  png.set([8, 2, 0, 0, 0], 24);
  return png;
}

/** What one request, or a few, can do to a world server. */
export const worldAttacks: readonly Attack[] = [
  ...["prompt", "action_seq", "action_speed_list", "source_image", "output", "seed", "width", "unknown"].map((field) =>
    everyValue(`${SESSION}/rollouts`, rollout, field)
  ),
  ...["prompt", "camera", "model_space_actions", "source_image", "output", "num_frames"].map((field) =>
    everyValue(`${SESSION}/transitions`, transition, field)
  ),
  everyValue(`${SESSION}/reset`, {}, "source_image"),
  everyValue(`${SESSION}/checkpoints`, {}, "name"),
  { name: "a body of 32 MiB", run: post(`${SESSION}/rollouts`, `"${"x".repeat(32 * MIB)}"`, /^413/) },
  {
    name: "a path of 64 KB with 30,000 segments",
    run: post(`${SESSION}/rollouts`, JSON.stringify({ ...rollout, source_image: "a/".repeat(32_000) }), /^400/),
  },
  {
    name: "the largest size",
    run: post(`${SESSION}/rollouts`, JSON.stringify({ ...rollout, width: 1280, height: 704 }), /^(202|400|503|409)/),
  },
  {
    name: "names, prompts and paths that act on a terminal",
    run: async (url) => {
      const hostile = "\x1b[2J\x1b]0;owned\x07\r2026-01-01T00:00:00.000Z info forged\n\x9b31m\u202e";
      const answers = [
        await post("/v1/worlds", JSON.stringify({ name: hostile }), /^[24]/)(url),
        await post(`${SESSION}/checkpoints`, JSON.stringify({ name: hostile }), /^[24]/)(url),
        await post(`${SESSION}/rollouts`, JSON.stringify({ ...rollout, prompt: hostile, seed: hostile }), /^4/)(url),
        await send(`/${encodeURIComponent(hostile)}`, { headers: { "x-request-id": "a%1b[2J" } }, /^404/)(url),
      ];
      return answers.join(", ");
    },
  },
  { name: "an upload of 33 MiB", run: upload(bytes(33 * MIB), /^(413|409)/) },
  { name: "an upload of 32 MiB of zeros", run: upload(bytes(32 * MIB)) },
  { name: "a picture of 1 x 40,000,000", run: upload(pngHeader(1, 40_000_000)) },
  { name: "a picture of 30,000 x 30,000", run: upload(pngHeader(30_000, 30_000)) },
  {
    name: "20 uploads of 32 MiB at once",
    run: async (url) => {
      const all = await Promise.all(
        Array.from(
          { length: 20 },
          () => upload(bytes(32 * MIB), /^[45]/)(url).catch((error) => String(error).slice(0, 60)),
        ),
      );
      return [...new Set(all)].join(", ");
    },
  },
  {
    name: "500 event streams",
    run: async (url) => {
      const stop = new AbortController();
      const streams = await Promise.all(
        Array.from(
          { length: 500 },
          (_, i) =>
            fetch(`${url}/v1/world/events`, { headers: { "last-event-id": `${i}`.repeat(3000) }, signal: stop.signal })
              .then(({ status }) => String(status), () => "closed"),
        ),
      );
      stop.abort();
      return [...new Set(streams)].map((s) => `${streams.filter((one) => one === s).length} x ${s}`).join(", ");
    },
  },
];

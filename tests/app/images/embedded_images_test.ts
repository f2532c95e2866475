import assert from "node:assert/strict";
import { test } from "node:test";
import { makePicture } from "../../../lib/app/models/make_picture.ts";
import { openWorld } from "../../../lib/app/world/open_world.ts";
import { decodeImage } from "../../../lib/media/images/decode_image.ts";
import { frameAt, type RgbImage } from "../../../lib/media/images/rgb_image.ts";
import { withApiProcess } from "../../support/api_process.ts";

const BLUE = "a blue corridor with red doors and warm lamps, bright";
const DARK = "a yellow corridor with blue doors and warm lamps, dark";

/** Mean of red, green and blue. */
function mean({ data }: RgbImage): number[] {
  const sums = [0, 0, 0];
  data.forEach((value, i) => sums[i % 3] += value);
  return sums.map((sum) => 3 * sum / data.length);
}

test("the embedded image model is the default without a download, and shows what is asked for", () =>
  withApiProcess({ models: [], args: ["--memory-guard=off", "--device=cpu"] }, async ({ post, get }) => {
    const { data } = await get("/v1/models");
    assert.deepEqual(data.map(({ id, task }: { id: string; task: string }) => [id, task]), [
      ["image-corridor-nano", "images.generations"],
    ]);
    const make = async (prompt: string, model?: string) => {
      const response = await post("/v1/images/generations", { prompt, model, size: "384x256", seed: 3 });
      assert.equal(response.status, 200, response.ok ? "" : await response.text());
      assert.match(response.headers.get("x-svc-warning")!, /stretched to 384x256/);
      return await decodeImage(Buffer.from((await response.json()).data[0].b64_json, "base64"));
    };
    const [blue, dark] = [await make(BLUE), await make(DARK, "gpt-image-1")];
    assert.deepEqual([blue.width, blue.height], [384, 256]);
    const [[r, , b], darkMean] = [mean(blue), mean(dark)];
    assert.ok(b > r + 10, `the blue corridor is ${mean(blue)}`);
    assert.ok(Math.max(...darkMean) < 0.6 * b, `the dark corridor is ${darkMean}`);
    assert.ok(darkMean[0] > darkMean[2], `the yellow corridor is ${darkMean}`);
  }));

test("equal prompts and seeds make equal pictures, and a prompt that is too long is refused", async () => {
  const request = { prompt: BLUE, width: 96, height: 64, seed: 5n, device: "cpu" };
  assert.deepEqual(await makePicture(request), await makePicture(request));
  await assert.rejects(makePicture({ ...request, prompt: "unpronounceable ".repeat(20) }), {
    code: "context_length_exceeded",
  });
  await assert.rejects(makePicture({ ...request, model: "none" }), { code: "model_not_found" });
});

test("a world begins with the place that a sentence describes", async () => {
  await using world = await openWorld({ prompt: BLUE, device: "cpu" });
  for await (const block of world.walk(["w"])) {
    const { width, height, data } = block.frames;
    const [r, , b] = mean({ width, height, data: data.subarray(0, 3 * width * height) });
    assert.ok(b > r + 5, `the first frame is ${[r, b]}`);
  }
});

/** Mean of red, green and blue of the highest eighth of a picture, or of the first of several. */
function skyOf({ width, height, data }: RgbImage): number[] {
  return mean({ width, height: height / 8, data: data.subarray(0, 3 * width * height / 8) });
}

const COURTYARD = "a marble courtyard with red arcades and a stone well, day";

test("the embedded image model draws courtyards too, under their sky", async () => {
  const [r, , b] = skyOf(
    await decodeImage(await makePicture({ prompt: COURTYARD, width: 96, height: 64, seed: 5n, device: "cpu" })),
  );
  assert.ok(b > r + 40, `the sky is ${[r, b]}`);
});

test("a world that begins with a courtyard of a sentence stays under its sky", async () => {
  await using world = await openWorld({ prompt: COURTYARD, device: "cpu" });
  let last: RgbImage | undefined;
  for await (const { frames } of world.walk(["l2", "j2"])) last = frameAt(frames, frames.count - 1);
  const [r, , b] = skyOf(last!);
  assert.ok(b > r + 20, `the sky is ${[r, b]}`);
});

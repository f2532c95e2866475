import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { addModel } from "../../lib/store/add_model.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { ModelBuilder } from "../../lib/compute/onnx/model_builder.ts";
import { openApiProcess } from "../support/api_process.ts";
import { NO_VOICE, speechModelFiles } from "../support/speech_model_files.ts";

const voice = await speechModelFiles();
const skip = voice === undefined ? `not run: ${NO_VOICE}` : false;

/** A folder in the layout of Kokoro whose network hums the style that it is given. */
function writeTinyKokoro(folder: string): void {
  const graph = new ModelBuilder("inside");
  graph.input("input_ids", "int64", [1, "symbols"]);
  graph.input("style", "float", [1, 256]);
  graph.input("speed", "float", [1]);
  const hum = graph.node("Tile", ["style", graph.integers([1, 100])]);
  graph.output("waveform", "float", [1, "samples"], graph.node("Mul", [hum, "speed"]));
  for (const name of ["onnx", "voices"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "onnx", "model.onnx"), graph.finish().bytes);
  for (const [i, name] of ["af_heart", "am_adam"].entries()) {
    writeFileSync(join(folder, "voices", `${name}.bin`), new Float32Array(510 * 256).fill(0.25 * (i + 1)));
  }
}

test("Kokoro reads English with the files of Hibari, and says how to get them", { skip }, async () => {
  const server = await openApiProcess({ models: [], voice: voice!, args: ["--model=speech-hibari"] });
  try {
    const folder = join(server.home, "kokoro");
    writeTinyKokoro(folder);
    const store = openModelStore(join(server.home, "models"));
    const { profile } = await addModel(store, { path: folder, id: "kokoro" }, () => {}, new AbortController().signal);
    assert.deepEqual([profile?.kind, profile?.engine], ["speech", "onnx-kokoro"]);
    const say = async (body: Record<string, unknown>) =>
      await server.post("/v1/audio/speech", {
        model: "kokoro",
        input: "Hello there.",
        response_format: "pcm",
        ...body,
      });
    const levels: number[] = [];
    for (const name of ["af_heart", "a man"]) {
      const response = await say({ voice: name });
      assert.equal(response.status, 200, await response.clone().text());
      const samples = new Int16Array(await response.arrayBuffer());
      assert.equal(samples.length, 25_600);
      levels.push(samples[1000]);
    }
    assert.deepEqual(levels, [8192, 16384]);
    // The lane gives Kokoro up before Hibari's record goes.
    await (await server.post("/v1/audio/speech", { model: "speech-hibari", input: "Bye." })).body?.cancel();
    rmSync(join(server.home, "models", "speech-hibari"), { recursive: true });
    const { error } = await (await say({})).json();
    assert.deepEqual([error.type, error.code], ["model_unavailable_error", "model_unavailable"]);
    assert.match(error.message, /svc model add hibari_tts/);
  } finally {
    await server.close();
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelProfile } from "../../../lib/engines/contract/model_profile.ts";
import { engineIds, engines } from "../../../lib/engines/table/engine_table.ts";
import { modelKinds } from "../../../lib/engines/table/model_kinds.ts";
import { handle } from "../../../lib/engines/contract/operation.ts";
import { speak } from "../../../lib/engines/speech/speech_operations.ts";
import { ApiRuntime } from "../../../lib/api/service/api_runtime.ts";
import { ModelDirectory } from "../../../lib/api/service/model_directory.ts";
import { GIB } from "../../../lib/scheduling/memory/memory_limits.ts";
import { formatModelRecord, parseModelRecord } from "../../../lib/store/catalog/model_record.ts";
import { FakeCatalog, installed, usualModels } from "../../support/fake_catalog.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { FakeOperationEngine } from "../../support/fake_operation_engine.ts";

const speech: ModelProfile = { kind: "speech", engine: "onnx-hibari", voices: ["heart"], sampleRate: 24_000 };
const kokoro: ModelProfile = { ...speech, engine: "onnx-kokoro" };
const never = new AbortController().signal;
const order = { text: "Hello.", voice: undefined, instructions: undefined, speed: 1, format: "wav" } as const;
const spoken = { sampleRate: 24_000, voice: "heart", sentences: 1, warnings: [], samples: 0, phonemes: 3 };

/** A runtime whose guard admits `freeGib`; `starts` are the models that were loaded, with their companions. */
function rig({ freeGib = 90, models = [installed("voice", "audio.speech", speech)] } = {}) {
  const clock = new FakeClock();
  const directory = new ModelDirectory({ catalog: new FakeCatalog([...usualModels(), ...models]), clock });
  const starts: (readonly [string, string | undefined])[] = [];
  const runtime: ApiRuntime = new ApiRuntime({
    directory,
    clock,
    newId: () => "id",
    guard: { tier: "custom", customCeilingBytes: 100 * GIB },
    probe: () => Promise.resolve({ physicalBytes: 1000 * GIB, currentBytes: (95 - freeGib) * GIB }),
    maxActiveRequests: 1,
    maxQueuedRequests: 4,
    startChat: () => Promise.reject(new Error("no chats here")),
    startLaneEngine: ({ id, profile }, _settings, _signal, companion) => {
      starts.push([id, companion?.id]);
      return Promise.resolve(
        new FakeOperationEngine(
          profile!,
          handle(speak, async (_order, call) => {
            call.progress(0.5, "sentence 1 of 2");
            await call.send({ kind: "plan", plan: spoken });
            return spoken;
          }),
        ),
      );
    },
  });
  return { runtime, directory, starts };
}

test("every engine belongs to a kind, and records keep the profiles of all kinds", () => {
  for (const id of engineIds) assert.ok(Object.hasOwn(modelKinds, engines[id].kind), id);
  const model = installed("voice", "audio.speech", kokoro);
  assert.deepEqual(parseModelRecord("voice", model.folder, formatModelRecord(model, false)), model);
  const wrong = formatModelRecord(
    installed("voice", "audio.speech", { ...speech, engine: "onnx-text" } as never),
    false,
  );
  assert.throws(() => parseModelRecord("voice", "/store/voice", wrong), { code: "broken_record" });
});

// @row model-api > Engine behavior > Progress of operations in the status
test("an operation is in the status with its fraction and stage while it runs", async () => {
  const { runtime, directory } = rig();
  const { model } = await directory.find("voice", "speech", "speak");
  let seen: unknown;
  await runtime.perform({
    model,
    operation: speak,
    input: order,
    onEvent: async () => {
      const { admission } = await runtime.status([]);
      const [{ phase, progress, modelID }] = admission.activeRequestDetails;
      seen = { phase, progress, modelID };
    },
  }, never);
  assert.deepEqual(seen, { phase: "decode", progress: { fraction: 0.5, stage: "sentence 1 of 2" }, modelID: "voice" });
  assert.deepEqual((await runtime.status([])).admission.activeRequestDetails, []);
  await runtime.close(AbortSignal.abort());
});

// @row model-api > Engine behavior > Memory of an operation: refused before anything is loaded
test("an operation that does not fit is refused before its model is loaded", async () => {
  const small = installed("voice", "audio.speech", speech, { bytes: 2 ** 20 });
  const { runtime, directory, starts } = rig({ freeGib: 0.1, models: [small] });
  const { model } = await directory.find("voice", "speech", "speak");
  await assert.rejects(runtime.perform({ model, operation: speak, input: order }, never), {
    code: "memory_pressure",
    type: "memory_pressure_error",
  });
  assert.deepEqual(starts, []);
  const roomy = rig({ freeGib: 1, models: [small] });
  await roomy.runtime.perform({ model, operation: speak, input: order }, never);
  assert.deepEqual(roomy.starts, [["voice", undefined]]);
});

test("a model that reads another one's files gets them, or says how to get them", async () => {
  const singer = installed("singer", "audio.speech", kokoro);
  const alone = rig({ models: [singer] });
  await assert.rejects(alone.runtime.perform({ model: singer, operation: speak, input: order }, never), {
    code: "model_unavailable",
    message: /^Cannot load model singer: .* svc model add hibari_tts.+\.whl$/,
  });
  const both = rig({ models: [singer, installed("voice", "audio.speech", speech)] });
  await both.runtime.perform({ model: singer, operation: speak, input: order }, never);
  assert.deepEqual(both.starts, [["singer", "voice"]]);
});

test("a kind has a default: the model of the start, the best known, any", async () => {
  const a = installed("a-voice", "audio.speech", speech);
  const best = installed("speech-hibari", "audio.speech", speech);
  const named = async (models: typeof a[], name?: string, startupModel?: string) => {
    const catalog = new FakeCatalog([...usualModels(), ...models]);
    const directory = new ModelDirectory({ catalog, clock: new FakeClock(), startupModel });
    return (await directory.findFor(name, "speech", "speak")).model.id;
  };
  assert.equal(await named([a, best]), "speech-hibari");
  assert.equal(await named([a, best], "TTS-1"), "speech-hibari");
  assert.equal(await named([a, best], " ", "a-voice"), "a-voice");
  assert.equal(await named([a]), "a-voice");
  assert.equal(await named([a, installed("tts-1", "audio.speech", speech)], "tts-1"), "tts-1");
  await assert.rejects(named([]), { code: "model_not_found", message: /svc model add hibari_tts/ });
  await assert.rejects(named([a], "embed"), { code: "wrong_model_task" });
  await assert.rejects(named([a], "nothing"), { code: "model_not_found" });
});

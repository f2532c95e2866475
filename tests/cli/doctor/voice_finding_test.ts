import assert from "node:assert/strict";
import { test } from "node:test";
import { voiceOf } from "../../../cli/doctor/doctor_machine.ts";
import { installed, usualModels } from "../../support/fake_catalog.ts";

test("svc doctor says what a voice conversation lacks, and how to get it", () => {
  const voice = { kind: "speech", engine: "onnx-hibari", voices: ["heart"], sampleRate: 24_000 } as const;
  const abilities = { languages: [], translates: false, words: false, prompts: false };
  const models = [
    ...usualModels(),
    installed("voice", "audio.speech", voice),
    installed("ears", "audio.transcriptions", { kind: "transcription", engine: "onnx-moonshine", ...abilities }),
  ];
  const chat = models.find(({ profile }) => profile?.kind === "chat")!.id;
  assert.deepEqual(voiceOf(models), { ok: true, detail: `${chat}, ears, voice are installed` });
  const lacking = voiceOf(usualModels());
  assert.ok(!lacking.ok && lacking.reason === "no recogniser and no voice is installed", JSON.stringify(lacking));
  assert.match(lacking.remedy, /svc model pull --packaged/);
});

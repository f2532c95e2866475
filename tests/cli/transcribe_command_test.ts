import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readTranscribeCommand } from "../../cli/transcribe/transcribe_options.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { withApiProcess } from "../support/api_process.ts";
import { runSvc } from "../support/run_svc.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { installTinyModels } from "../support/tiny_store.ts";

const sound = fileURLToPath(new URL("../fixtures/sounds/vorbis.webm", import.meta.url));

test("svc transcribe writes down a file by the server that is named, in the format of the output's ending", () =>
  withApiProcess({ models: ["tiny-transcription"], args: ["--api-key=key-of-this-test-1"] }, async ({ home, url }) => {
    const env = { SVC_API_KEY: "key-of-this-test-1" };
    const printed = await runSvc(home, ["transcribe", sound, "--url", url], { env });
    assert.deepEqual([printed.status, printed.stderr], [0, ""]);
    const output = join(home, "talk.json");
    const args = ["transcribe", sound, "--url", url, "-o", output, "--translate", "--words", "--language", "German"];
    const written = await runSvc(home, args, { env });
    assert.deepEqual([written.status, written.stdout, written.stderr], [0, "", `Wrote ${output}\n`]);
    const { task, language, words, segments } = JSON.parse(readFileSync(output, "utf8"));
    assert.deepEqual([task, language], ["translate", "german"]);
    assert.ok(Array.isArray(words) && Array.isArray(segments));
    const again = await runSvc(home, args, { env });
    assert.equal(again.status, 2);
    assert.match(again.stderr, /the file exists already, choose another name with -o or replace it with --force/);
    const wrong = await runSvc(home, ["transcribe", fileURLToPath(import.meta.url), "--url", url], { env });
    assert.deepEqual([wrong.status, wrong.stdout], [1, ""]);
    assert.match(wrong.stderr, /^svc: Cannot read the sound: the file is text, expected WAV/);
  }));

test("svc transcribe runs a model of this machine where no server does", () =>
  withFolder(async (home) => {
    const none = await runSvc(home, ["transcribe", sound, "-m", "tiny-tdt"]);
    assert.notEqual(none.status, 0);
    assert.match(none.stderr, /^svc: Cannot serve tiny-tdt: no installed model/);
    const nothing = await runSvc(home, ["transcribe", join(home, "none.wav")]);
    assert.deepEqual([nothing.status, nothing.stdout], [2, ""]);
    assert.match(nothing.stderr, /none\.wav: the file does not exist\n$/);
    await installTinyModels(home, ["tiny-tdt"]);
    writeFileSync(join(home, "silence.wav"), readFileSync(sound));
    const done = await runSvc(home, ["transcribe", join(home, "silence.wav"), "--format=srt", "-m", "tiny-tdt"]);
    assert.deepEqual([done.status, done.stderr], [0, ""]);
    assert.match(done.stdout, /^1\n00:00:00,000 --> 00:00:/);
  }));

test("the arguments of svc transcribe", () => {
  const read = (...args: string[]) => readTranscribeCommand(args, "from-environment");
  assert.equal(read("a.mp3")?.format, "text");
  assert.equal(read("a.mp3", "-o", "b.VTT")?.format, "vtt");
  assert.equal(read("a.mp3", "-o", "b.srt", "--format", "json")?.format, "json");
  assert.equal(read("a.mp3", "--api-key", " k ")?.apiKey, "k");
  assert.equal(read("a.mp3")?.apiKey, "from-environment");
  assert.equal(read("--help"), undefined);
  for (const args of [[], ["a", "b"], ["a", "--words"], ["a", "--url", "localhost"], ["a", "--format", "docx"]]) {
    assert.throws(() => read(...args), UsageError, args.join(" "));
  }
});

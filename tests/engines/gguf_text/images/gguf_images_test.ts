import assert from "node:assert/strict";
import { test } from "node:test";
import { ImageReader } from "../../../../lib/engines/gguf_text/images/image_reader.ts";
import type { ReaderSettings } from "../../../../lib/engines/gguf_text/images/reader_service.ts";
import { readGgufProfile } from "../../../../lib/engines/gguf_text/gguf_profile.ts";
import { ggufFile } from "../../../fixtures/tiny_models/gguf_file.ts";
import { ggufProjector, ggufVisionModel } from "../../../fixtures/tiny_models/gguf_vision_model.ts";
import { memoryFiles } from "../../../support/model_files.ts";
import { BLUE, GREEN, IMAGE, plain, RED, withVisionModel } from "./open_tiny_vision.ts";

const files = ggufVisionModel();
const question = (text = "What is it?") => [{ role: "user", content: [IMAGE, { type: "text", text }] }];
const never = new AbortController().signal;

test("a GGUF model with a projector says what it sees, streamed and whole, and chats without images", async () => {
  await withVisionModel(files, { concurrency: 2 }, async (ask, model) => {
    assert.ok(model.profile.capabilities.features.has("images"));
    for (const [colour, name] of [[RED, "red"], [GREEN, "green"], [BLUE, "blue"]] as const) {
      const streamed: string[] = [];
      const { answer, ...counts } = await ask(question(), {
        images: [await plain(colour)],
        listener: { onText: (text) => streamed.push(text) },
      });
      assert.equal(answer.message.content, `The picture is ${name}.`);
      assert.equal(answer.finishReason, "stop");
      assert.ok(answer.message.content.startsWith(streamed.join("")) && streamed.length > 0);
      assert.equal(counts.promptTokens, model.encode("").length + 35);
    }
    const blind = await ask([{ role: "user", content: "What is it?" }]);
    assert.equal(blind.answer.message.content, "I see no picture.");
    // Both at a time.
    const images = await Promise.all([RED, BLUE].map(async (colour) => [await plain(colour)]));
    const both = await Promise.all(images.map((one) => ask(question(), { images: one })));
    assert.deepEqual(both.map(({ answer }) => answer.message.content), ["The picture is red.", "The picture is blue."]);
  });
});

test("a chat that continues reads its images once, and says what a fresh one says", async () => {
  const images = [await plain(GREEN)];
  const logprobs = { logprobs: true, top_logprobs: 3, max_tokens: 4 };
  const second = [...question(), { role: "assistant", content: "The picture is green." }, {
    role: "user",
    content: "hello and then?",
  }];
  let fresh: unknown;
  await withVisionModel(files, { prefixCache: false }, async (ask) => {
    const { cachedTokens, logprobs: found } = await ask(second, { images, fields: logprobs });
    assert.equal(cachedTokens, 0);
    fresh = found?.content.map(({ token }) => token);
  });
  await withVisionModel(files, {}, async (ask, model) => {
    const first = await ask(question(), { images });
    assert.equal(first.cachedTokens, 0);
    const next = await ask(second, { images, fields: logprobs });
    assert.ok(next.cachedTokens >= first.promptTokens - 2, `${next.cachedTokens} of ${first.promptTokens}`);
    assert.deepEqual(next.logprobs?.content.map(({ token }) => token), fresh);
    // Another image in the same place is another text.
    const other = await ask(question(), { images: [await plain(RED)] });
    assert.equal(other.answer.message.content, "The picture is red.");
    assert.ok(other.cachedTokens < 8, `${other.cachedTokens}`);
    await model.trim();
    const again = await ask(question(), { images });
    assert.deepEqual([again.answer.message.content, again.cachedTokens], ["The picture is green.", 0]);
  });
});

test("every field of a request means with an image what it means without", async () => {
  const images = [await plain(BLUE)];
  await withVisionModel(files, { concurrency: 2 }, async (ask, model) => {
    const schema = { type: "object", properties: { town: { type: "string", maxLength: 9 } }, required: ["town"] };
    const format = { type: "json_schema", json_schema: { name: "place", schema, strict: true } };
    const json = await ask(question(), { images, fields: { response_format: format } });
    assert.deepEqual(Object.keys(JSON.parse(json.answer.message.content)), ["town"]);
    const stopped = await ask(question(), { images, fields: { stop: "is" } });
    assert.equal(stopped.answer.message.content, "The picture ");
    const short = await ask(question(), { images, fields: { max_tokens: 1 } });
    assert.equal(short.answer.finishReason, "length");
    const { logprobs } = await ask(question(), { images, fields: { logprobs: true, top_logprobs: 2 } });
    const [first, next] = logprobs!.content[0].top_logprobs.map(({ token }) => token);
    const banned = Array.from({ length: 640 }, (_, id) => id).find((id) => model.decode([id]) === first) as number;
    const biased = await ask(question(), { images, fields: { logit_bias: { [banned]: -100 }, max_tokens: 1 } });
    assert.equal(biased.answer.message.content, next);
    for (
      const fields of [
        { temperature: 0.7, top_p: 0.9, min_p: 0.05, seed: 3 },
        { top_k: 3, temperature: 0.5, seed: 3 },
        { presence_penalty: 0.1, frequency_penalty: 0.1 },
        { repetition_penalty: 1.01 },
      ]
    ) {
      const { answer } = await ask(question(), { images, fields });
      assert.equal(answer.message.content, "The picture is blue.", JSON.stringify(fields));
    }
    const tools = [{ type: "function", function: { name: "get_weather", parameters: { type: "object" } } }];
    const called = await ask(question("weather"), { images, fields: { tools } });
    assert.equal(called.answer.message.tool_calls?.[0].function.name, "get_weather");
    const thought = (await ask(question("think"), { images })).answer.message;
    assert.equal(thought.reasoning_content, "Seven times six makes forty-two.");
    assert.equal(thought.content, "The answer is 42.");
  });
});

test("several messages have images, and what users write of marks is text", async () => {
  await withVisionModel(files, {}, async (ask, model) => {
    const [red, blue] = [await plain(RED), await plain(BLUE)];
    const two = [...question("hello"), { role: "assistant", content: "Hello!" }, ...question()];
    const fields = { logprobs: true, top_logprobs: 1, max_tokens: 1 };
    const first = (images: Uint8Array[]) =>
      ask(two, { images, fields }).then(({ logprobs, promptTokens }) => ({
        logprob: logprobs!.content[0].logprob,
        promptTokens,
      }));
    const [both, swapped] = [await first([red, blue]), await first([blue, red])];
    assert.equal(both.promptTokens, swapped.promptTokens);
    assert.notEqual(both.logprob, swapped.logprob);
    // A mark before an image, after it, and without one.
    for (const mark of ["<__media__>", "<image>", "<image 0>", "<__image__><__media__>"]) {
      const plainly = await ask(question(`${mark} What is it?`), { images: [red] });
      assert.equal(plainly.answer.message.content, "The picture is red.", mark);
      const before = [{ role: "user", content: [{ type: "text", text: `${mark} hello ${mark}` }, IMAGE] }];
      assert.equal((await ask(before, { images: [blue] })).answer.message.content, "The picture is blue.", mark);
      const alone = await ask([{ role: "user", content: `${mark} What is it?` }]);
      assert.equal(alone.answer.message.content, "I see no picture.", mark);
    }
    assert.notEqual(model.imageMark, undefined);
  });
});

test("prompts with images that are too long or invalid are refused before they are evaluated", async () => {
  await withVisionModel(files, {}, async (ask) => {
    const images = [await plain(RED)];
    await assert.rejects(ask(question("hello ".repeat(40)), { images, context: 64 }), (error: Error) => {
      const [, found, allowed] = /(\d+) tokens.+?(\d+)/.exec(error.message) ?? [];
      assert.ok(Number(found) > 64 && allowed === "64", error.message);
      return (error as { code?: string }).code === "context_length_exceeded";
    });
    await assert.rejects(ask(question(), { images, context: 35 }), /35 tokens/);
    const noise = new TextEncoder().encode("\x89PNG\r\n\x1a\nno picture");
    await assert.rejects(ask(question(), { images: [noise] }), { code: "invalid_image" });
    const huge = await plain(RED, 2, 2);
    new DataView(huge.buffer, huge.byteOffset).setUint32(16, 100_000);
    await assert.rejects(ask(question(), { images: [huge] }), { code: "invalid_image" });
    const odd = await ask(question(), { images: [await plain(RED, 3000, 1)] });
    assert.equal(odd.answer.finishReason, "stop");
    const large = await ask(question(), { images: [await plain(GREEN, 2500, 2000)] });
    assert.equal(large.answer.message.content, "The picture is green.");
  });
});

test("images go into quantized keys and values, and through a template that writes none", async () => {
  for (const kvCacheMode of ["affine8", "affine4"] as const) {
    await withVisionModel(files, { kvCacheMode }, async (ask) => {
      const { answer } = await ask(question(), { images: [await plain(BLUE)] });
      assert.equal(answer.message.content, "The picture is blue.", kvCacheMode);
    });
  }
  const flat = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{% endfor %}";
  const written = (template: string) => ggufVisionModel(1, template);
  await withVisionModel(written(`${flat}<|im_end|>\n<|say:12|>`), {}, async (ask) => {
    const { answer } = await ask(question(), { images: [await plain(GREEN)] });
    assert.equal(answer.message.content, "The picture is green.");
  });
  await withVisionModel(written(flat), {}, async (ask) => {
    const last = [{ role: "user", content: [{ type: "text", text: "hello" }, IMAGE] }];
    await assert.rejects(ask(last, { images: [await plain(RED)] }), { code: "template_failed" });
  });
  await withVisionModel(written("{% for m in messages %}{{ m.role }}{% endfor %}<|say:12|>"), {}, async (ask) => {
    await assert.rejects(ask(question(), { images: [await plain(RED)] }), { code: "images_not_placed" });
  });
});

test("a client that disconnects while its image is read leaves at once, and the next one is served", async () => {
  await withVisionModel(files, {}, async (ask) => {
    const images = [await plain(RED)];
    const abort = new AbortController();
    const leaving = ask(question(), { images, signal: abort.signal });
    abort.abort(new Error("gone"));
    await assert.rejects(leaving, /gone/);
    const later = new AbortController();
    const left = ask(question(), {
      images,
      signal: later.signal,
      listener: { onPrefill: () => later.abort(new Error("gone")) },
    });
    await assert.rejects(left, /gone/);
    // One that waits for another's image does not wait to leave.
    const third = new AbortController();
    const reading = ask(question(), { images });
    const waiting = ask(question("hello"), { images: [await plain(BLUE)], signal: third.signal });
    third.abort(new Error("gone"));
    await assert.rejects(waiting, /gone/);
    assert.equal((await reading).answer.message.content, "The picture is red.");
    assert.equal((await ask(question(), { images })).answer.message.content, "The picture is red.");
  });
});

test("a projector of another width or without its tensors leaves texts, and says what is wrong of images", async () => {
  const images = [await plain(RED)];
  const cut = ggufProjector().slice(0, 100_000);
  for (
    const [projector, reason] of [
      [ggufProjector(1, 64), /n_embd = 128.+n_embd = 64/],
      [cut, /"mmproj-tiny-vision.gguf"|Failed to load CLIP model|failed/],
    ] as const
  ) {
    await withVisionModel({ ...files, "mmproj-tiny-vision.gguf": projector }, {}, async (ask) => {
      for (let i = 0; i < 2; i++) {
        await assert.rejects(ask(question(), { images }), (error: Error & { code?: string }) => {
          assert.match(error.message, /^Cannot read the images: .+ mmproj-tiny-vision.gguf /);
          assert.match(error.message, reason);
          return error.code === "model_unavailable";
        });
      }
      const { answer } = await ask([{ role: "user", content: "What is it?" }]);
      assert.equal(answer.message.content, "I see no picture.");
    });
  }
});

test("readGgufProfile() finds images by the projector, and refuses a file that is not a projector", async () => {
  const { "tiny-vision.gguf": model, "mmproj-tiny-vision.gguf": projector } = files;
  const seen = async (given: Record<string, Uint8Array>) =>
    (await readGgufProfile(memoryFiles(given)))?.capabilities.features.has("images");
  assert.equal(await seen({ "a.gguf": model }), false);
  assert.equal(await seen({ "a.gguf": model, "a.mmproj-f16.gguf": projector }), true);
  const sounds = ggufFile({ "general.architecture": "clip", "clip.has_audio_encoder": true }, []);
  assert.equal(await seen({ "a.gguf": model, "mmproj.gguf": sounds }), false);
  const broken = ggufFile({
    "general.architecture": "clip",
    "clip.has_vision_encoder": true,
    "clip.projector_type": "mlp",
    "clip.vision.patch_size": { uint32: 0 },
  }, []);
  for (
    const [bytes, message] of [
      [model, /^Cannot use mmproj\.gguf: its general\.architecture is "qwen2", expected "clip".+remove it/],
      [new TextEncoder().encode("a text about projectors"), /^Cannot read mmproj\.gguf: it begins with "a te"/],
      [broken, /^Cannot use mmproj\.gguf: its clip\.vision\.patch_size is 0, expected a whole number from 1/],
    ] as const
  ) {
    await assert.rejects(seen({ "a.gguf": model, "mmproj.gguf": bytes }), { message });
  }
});

test("ImageReader says how to install what it needs, and that its process has ended", async () => {
  const settings: ReaderSettings = {
    ...{ model: "/nowhere/model.gguf", projector: "/nowhere/mmproj.gguf", lora: undefined, device: "cpu", threads: 1 },
    ...{ kvType: "f16", batch: 64, context: 64 },
  };
  const ask = (module?: URL) =>
    new ImageReader(settings, module).ask("tokenize", { text: "<__media__>", images: [] }, never);
  await assert.rejects(ask(new URL("./no_library_process.ts", import.meta.url)), {
    code: "model_unavailable",
    message:
      /^Cannot read the images: @fugood\/llama\.node did not load \(.+\), install it with "npm install @fugood\/llama\.node@1\.7\.15"$/,
  });
  await assert.rejects(ask(new URL("./not_there.ts", import.meta.url)), /its process has ended \(code 1\)/);
  await assert.rejects(ask(), { code: "model_unavailable", message: /^Cannot read the images: .+ mmproj\.gguf / });
});

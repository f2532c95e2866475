import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { encodeSafetensors, openSafetensors, type Tensor } from "../../../lib/compute/tensor/mod.ts";
import { convertActionworld } from "../../../lib/store/convert/world/convert_actionworld.ts";
import { convertWorld } from "../../../lib/store/convert/world/convert_world.ts";
import { withModelMachine, writeModelFiles } from "../../support/model_machine.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { tinyActionworld } from "../../support/tiny_actionworld.ts";
import { tinyArworld } from "../../support/tiny_arworld.ts";

const never = new AbortController().signal;

/** The tensors of a file in so many, with their index. */
async function shardsOf(bytes: Uint8Array, count: number): Promise<Map<string, Uint8Array>> {
  const opened = await openSafetensors("all", bytes);
  const shards = Array.from({ length: count }, () => new Map<string, Tensor>());
  const map: Record<string, string> = {};
  const nameOf = (i: number) => `model-0000${i + 1}-of-0000${count}.safetensors`;
  for (const [i, name] of [...opened.tensors.keys()].entries()) {
    shards[i % count].set(name, await opened.read(name));
    map[name] = nameOf(i % count);
  }
  return new Map([
    ["model.safetensors.index.json", new TextEncoder().encode(JSON.stringify({ weight_map: map }))],
    ...shards.map((tensors, i) => [nameOf(i), encodeSafetensors(tensors)] as const),
  ]);
}

test("conversion.json has the hash of every source file as sha256sum prints it", () =>
  withFolder(async (folder) => {
    const { causal } = tinyArworld();
    const hashOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
    const whole = join(folder, "whole");
    mkdirSync(whole);
    for (const [name, bytes] of causal) writeFileSync(join(whole, name), bytes);
    const shards = join(folder, "shards");
    mkdirSync(shards);
    const files = await shardsOf(causal.get("model.safetensors")!, 3);
    for (const [name, bytes] of files) writeFileSync(join(shards, name), bytes);
    writeFileSync(join(shards, "config.json"), causal.get("config.json")!);
    const index = join(shards, "model.safetensors.index.json");
    for (const [i, source] of [whole, join(whole, "model.safetensors"), shards, index].entries()) {
      const output = join(folder, `out${i}`);
      const [made] = await convertWorld({ output, parts: [{ part: "causal", source, type: "f16" }] }, () => {}, never);
      const { causal: report } = JSON.parse(readFileSync(join(output, "conversion.json"), "utf8"));
      const folderOf = i < 2 ? whole : shards;
      const names = i < 2
        ? ["model.safetensors"]
        : ["model.safetensors.index.json", ...[1, 2, 3].map((n) => `model-0000${n}-of-00003.safetensors`)];
      assert.deepEqual(
        report.sources,
        names.map((file) => {
          const path = join(folderOf, file);
          return { file, bytes: readFileSync(path).length, sha256: hashOf(path) };
        }),
      );
      assert.equal(report.source_sha256, hashOf(join(folderOf, names[0])));
      assert.equal(made.found, false);
      const [again] = await convertWorld({ output, parts: [{ part: "causal", source, type: "f16" }] }, () => {}, never);
      assert.equal(again.found, true);
    }
    const changed = JSON.parse(readFileSync(index, "utf8"));
    writeFileSync(index, JSON.stringify({ ...changed, metadata: { note: "another index of the same shards" } }));
    const [again] = await convertWorld(
      { output: join(folder, "out3"), parts: [{ part: "causal", source: index, type: "f16" }] },
      () => {},
      never,
    );
    assert.deepEqual([again.found, again.sources[0].sha256], [true, hashOf(index)]);
  }));

const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const edit = (path: string, change: object) => writeFileSync(path, JSON.stringify({ ...json(path), ...change }));

test("svc model convert keeps what was edited in config.json, says so, and brings in what is new in its sources", () =>
  withModelMachine(async ({ home, out, run }) => {
    const { base, causal } = tinyArworld();
    const source = join(home, "source");
    writeModelFiles(source, {
      "vae/model.safetensors": base.get("vae.safetensors")!,
      "vae/config.json": base.get("config.json")!,
      "text/model.safetensors": base.get("t5_encoder.safetensors")!,
      "text/tokenizer.json": base.get("tokenizer.json")!,
      "causal/model.safetensors": causal.get("model.safetensors")!,
      "causal/config.json": causal.get("config.json")!,
    });
    const output = join(home, "out");
    const convert = (...parts: readonly ("vae" | "text" | "causal")[]) => {
      out.length = 0;
      const words = parts.flatMap((part) => [`--${part === "text" ? "text-encoder" : part}`, join(source, part)]);
      return run("convert", "--kind", "arworld", ...words, "-o", output);
    };
    await convert("vae", "text", "causal");
    const config = join(output, "base", "config.json");
    const written = readFileSync(config, "utf8");
    const { vae } = json(config);
    const folders = ["base", "causal"].map((name) => join(output, name));
    const mine = { "generation_config.json": "{}", "tokenizer_config.json": "{ }", "notes.txt": "mine" };
    for (const folder of folders) writeModelFiles(folder, mine);
    edit(config, { default_fps: 24, comment: "mine", latents_std: [1, 1, 1, 1], vae: { ...vae, note: "mine" } });
    edit(join(output, "causal", "config.json"), { color_strength: 0.25 });
    edit(join(output, "base", "tokenizer.json"), { added_tokens: [] });
    const edited = readFileSync(config, "utf8");
    for (let i = 0; i < 2; i++) {
      await convert("vae", "text", "causal");
      assert.equal(readFileSync(config, "utf8"), edited, "not a byte is another one where nothing is to be changed");
      assert.deepEqual(out.filter((line) => line.startsWith("Kept ")).map((line) => line.split(" as it is: ")[0]), [
        "Kept latents_std of base/config.json",
        "Kept default_fps of base/config.json",
        "Kept color_strength of causal/config.json",
      ]);
      assert.deepEqual(json(join(output, "base", "tokenizer.json")).added_tokens, []);
    }
    // Sources that have changed, and no other edit than these.
    edit(join(source, "vae", "config.json"), { default_fps: 12, default_width: 96 });
    await convert("vae");
    assert.deepEqual(json(config), { ...JSON.parse(edited), default_width: 96 });
    assert.equal(out.some((line) => line.startsWith("Kept default_fps of base/config.json as it is")), true);
    for (const folder of folders) {
      for (const [name, text] of Object.entries(mine)) assert.equal(readFileSync(join(folder, name), "utf8"), text);
    }
    // What was taken out stays out, a file that is gone is written again.
    const { default_height: _, ...others } = json(config);
    writeFileSync(config, JSON.stringify(others));
    await convert("vae");
    assert.equal("default_height" in json(config), false);
    rmSync(config);
    await convert("vae");
    await convert("text");
    assert.deepEqual(json(config), { ...JSON.parse(written), default_fps: 12, default_width: 96 });
    // What cannot be read is not rewritten.
    writeFileSync(config, "{ default_fps: 24 }");
    await assert.rejects(convert("vae"), {
      code: "unsuitable_files",
      message: /base\/config\.json: it is not a JSON obj/,
    });
    assert.equal(readFileSync(config, "utf8"), "{ default_fps: 24 }");
    writeFileSync(config, written);
    writeFileSync(join(output, "conversion.json"), "[]");
    await assert.rejects(convert("vae"), {
      code: "unsuitable_files",
      message: /conversion\.json: it is not a JSON obj/,
    });
  }));

test("a conversion whose record does not say what it wrote takes what differs for edits", () =>
  withFolder(async (folder) => {
    const { causal } = tinyArworld();
    writeModelFiles(join(folder, "source"), Object.fromEntries(causal));
    const output = join(folder, "out");
    const options = { output, parts: [{ part: "causal", source: join(folder, "source"), type: "f16" } as const] };
    await convertWorld(options, () => {}, never);
    const record = join(output, "conversion.json");
    const { files: _, ...before } = json(record);
    writeFileSync(record, JSON.stringify(before));
    edit(join(output, "causal", "config.json"), { text_len: 5 });
    const [{ kept }] = await convertWorld(options, () => {}, never);
    assert.deepEqual(kept, ["text_len of causal/config.json"]);
    assert.equal(json(join(output, "causal", "config.json")).text_len, 5);
  }));

test("convertActionworld() keeps edited configurations, templates and licences, and updates the others", () =>
  withFolder(async (folder) => {
    const [source, output] = [join(folder, "source"), join(folder, "out")];
    writeModelFiles(source, Object.fromEntries(tinyActionworld()));
    writeModelFiles(source, { LICENSE: "theirs", "chat_template.jinja": "{{ theirs }}" });
    const types = { vae: "f32", transformer: "f32", "vision encoder": "f32" } as const;
    const convert = async () => {
      const made = await convertActionworld({ source, output, types }, () => {}, never);
      return [...new Set(made.flatMap(({ kept }) => kept))].sort();
    };
    assert.deepEqual(await convert(), []);
    const scheduler = "scheduler/scheduler_config.json";
    assert.deepEqual(readFileSync(join(output, scheduler)), readFileSync(join(source, scheduler)));
    edit(join(output, scheduler), { mine: 1 });
    edit(join(output, "transformer/config.json"), { rope_theta: 5 });
    writeFileSync(join(output, "chat_template.jinja"), "{{ mine }}");
    assert.deepEqual(await convert(), ["chat_template.jinja", "rope_theta of transformer/config.json"]);
    edit(join(source, scheduler), { theirs: 2 });
    writeFileSync(join(source, "LICENSE"), "theirs, too");
    writeFileSync(join(source, "chat_template.jinja"), "{{ theirs, too }}");
    assert.deepEqual(await convert(), ["chat_template.jinja", "rope_theta of transformer/config.json"]);
    assert.deepEqual(json(join(output, scheduler)), { ...json(join(source, scheduler)), mine: 1 });
    assert.equal(json(join(output, "transformer/config.json")).rope_theta, 5);
    assert.equal(readFileSync(join(output, "LICENSE"), "utf8"), "theirs, too");
    assert.equal(readFileSync(join(output, "chat_template.jinja"), "utf8"), "{{ mine }}");
    assert.equal(existsSync(join(output, "server.lock")), false);
  }));

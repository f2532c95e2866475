import assert from "node:assert/strict";
import { test } from "node:test";
import { GrammarConstrainer } from "../../../lib/engines/constrained_decoding/grammar_constrainer.ts";
import { openGgufTextModel } from "../../../lib/engines/gguf_text/open_gguf_text_model.ts";
import { GGUF_ARCHITECTURES } from "../../../lib/engines/gguf_text/gguf_file.ts";
import { readGgufProfile } from "../../../lib/engines/gguf_text/gguf_profile.ts";
import { ChatModel } from "../../../lib/engines/text/chat_model.ts";
import type { ChatOutcome } from "../../../lib/engines/contract/chat_engine.ts";
import { loadXGrammar } from "../../../lib/app/models/engine/load_xgrammar.ts";
import { readChatRequest } from "../../../lib/protocol/mod.ts";
import { GGUF_FAMILIES, type GgufFamilyName } from "../../fixtures/tiny_models/gguf_families/family_table.ts";
import { FAMILY_ANSWERS, ggufFamilyModel } from "../../fixtures/tiny_models/gguf_families/gguf_family_model.ts";
import { withModelFiles } from "../../support/model_files.ts";
import { settings } from "./open_tiny_gguf.ts";

const said = (when: string): string => FAMILY_ANSWERS.findLast((answer) => answer.when === when)!.say;
const options = {
  ...settings,
  context: 2048,
  openConstrainer: (vocabulary: ConstructorParameters<typeof GrammarConstrainer>[0]) =>
    new GrammarConstrainer(vocabulary, loadXGrammar),
};

type Message = { readonly role: "system" | "user" | "assistant"; readonly content: string };
type Ask = (messages: readonly Message[], fields?: Record<string, unknown>) => Promise<ChatOutcome>;

/** Runs work with a tiny model of a family; without `prefixCache` it reads every text whole. */
async function withFamily(name: GgufFamilyName, prefixCache: boolean, work: (ask: Ask) => Promise<void>) {
  await withModelFiles(ggufFamilyModel(name), async (files) => {
    const { engine } = (await readGgufProfile(files))!;
    assert.equal(engine, "gguf-text");
    const model = await openGgufTextModel(files, { ...options, prefixCache });
    const chats = new ChatModel(model, { id: () => "abcdefgh", seed: () => 1 });
    const chatOptions = { context: 2048, presetMaxTokens: 320, defaults: model.profile.sampling, now: 0, images: [] };
    const listener = { onPrefill: () => {}, onText: () => {}, onDraft: () => {}, onTokens: () => {} };
    try {
      await work((messages, fields) => {
        const request = readChatRequest({
          model: "",
          messages,
          temperature: 0,
          logprobs: true,
          top_logprobs: 3,
          ...fields,
        });
        return chats.chat(request, chatOptions, listener, new AbortController().signal);
      });
    } finally {
      await model.close();
    }
  });
}

/** Of the three likeliest tokens at each place. */
const logprobsOf = ({ logprobs }: ChatOutcome): number[] =>
  logprobs!.content.flatMap(({ top_logprobs }) => top_logprobs.map(({ logprob }) => logprob));
const difference = (some: readonly number[], others: readonly number[]): number =>
  Math.max(...some.map((logprob, i) => Math.abs(logprob - others[i])));

for (const name of Object.keys(GGUF_FAMILIES) as GgufFamilyName[]) {
  // Longer than the sliding windows of the families that have one.
  const first: Message[] = [
    { role: "system", content: "You are in 東京, and you like naïve questions about the weather there." },
    { role: "user", content: "Good morning! Who are you?" },
  ];
  const second: Message[] = [...first, { role: "assistant", content: said("") }, {
    role: "user",
    content: "And json?",
  }];

  test(`gguf-text chats with the graph of ${name}`, async () => {
    assert.ok(GGUF_ARCHITECTURES.has(GGUF_FAMILIES[name].architecture));
    let fresh: number[] = [];
    let matter = NaN;
    await withFamily(name, false, async (ask) => {
      for (const fields of [{}, { temperature: 0.5, seed: 7 }]) {
        const { answer } = await ask(first, fields);
        assert.deepEqual([answer.message.content, answer.finishReason], [said(""), "stop"]);
      }
      const whole = await ask(second);
      assert.equal(whole.answer.message.content, said("json"));
      fresh = logprobsOf(whole);
      matter = difference(logprobsOf(await ask(second.slice(-1))), fresh);
      assert.ok(matter > 1e-3, "earlier messages matter");
      const schema = { type: "object", properties: { town: { type: "string", maxLength: 9 } }, required: ["town"] };
      const format = { type: "json_schema", json_schema: { name: "place", schema, strict: true } };
      const { answer } = await ask(first, { response_format: format, logprobs: false, top_logprobs: undefined });
      assert.deepEqual(Object.keys(JSON.parse(answer.message.content)), ["town"]);
    });
    await withFamily(name, true, async (ask) => {
      await ask(first);
      const kept = await ask(second);
      assert.ok(kept.cachedTokens > 40, `${kept.cachedTokens}`);
      assert.ok(difference(logprobsOf(kept), fresh) < matter / 20, "a kept prefix is the same text");
    });
  });
}

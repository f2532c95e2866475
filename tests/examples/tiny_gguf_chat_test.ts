import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { getLlama, type Llama, LlamaLogLevel, type Token } from "node-llama-cpp";
import { ggufAdapter } from "../fixtures/tiny_models/gguf_adapter.ts";
import { ggufChatModel } from "../fixtures/tiny_models/gguf_chat_model.ts";
import { DEFAULT_ANSWERS } from "../fixtures/tiny_models/scripted_answers.ts";
import { scriptVocabulary } from "../fixtures/tiny_models/scripted_vocabulary.ts";
import { writeModel } from "../fixtures/tiny_models/write_model.ts";
import { withFolder } from "../support/temporary_folder.ts";

const { starts } = scriptVocabulary(DEFAULT_ANSWERS);

/** What the model says after the token that starts an answer. */
async function say(llama: Llama, folder: string, prompts: readonly string[], adapter?: string): Promise<string[]> {
  const model = await llama.loadModel({ modelPath: join(folder, "tiny-chat.gguf") });
  const lora = adapter === undefined ? {} : { lora: join(folder, adapter) };
  const context = await model.createContext({ contextSize: 512, sequences: 1, threads: 1, ...lora });
  const sequence = context.getSequence();
  const answers: string[] = [];
  for (const prompt of prompts) {
    await sequence.clearHistory();
    const said: Token[] = [];
    for await (const token of sequence.evaluate(model.tokenize(prompt, true), { temperature: 0 })) {
      if (model.isEogToken(token)) break;
      said.push(token);
      if (said.length === 60) break;
    }
    answers.push(model.detokenize(said, true));
  }
  await model.dispose();
  return answers;
}

const prompt = (start: string): string => `<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n${start}`;

test("ggufChatModel() says its script in llama.cpp in every format", async () => {
  const llama = await getLlama({ gpu: false, build: "never", logLevel: LlamaLogLevel.disabled });
  const asked = starts.filter(({ answer }) => answer.say.length < 200 && !answer.endless);
  const wanted = asked.map(({ answer: { thought, say } }) =>
    thought === undefined ? say : `<think>\n${thought}\n</think>\n\n${say}`
  );
  for (const weights of ["f32", "q8_0", "q4_0"] as const) {
    await withFolder(async (folder) => {
      writeModel(folder, ggufChatModel({ weights }));
      assert.deepEqual(await say(llama, folder, asked.map(({ token }) => prompt(token))), wanted);
    });
  }
  await llama.dispose();
});

test("ggufAdapter() turns one answer into another and leaves the others", async () => {
  const llama = await getLlama({ gpu: false, build: "never", logLevel: LlamaLogLevel.disabled });
  const [json, hello, sunny] = [7, 9, 0];
  await withFolder(async (folder) => {
    writeModel(folder, { ...ggufChatModel(), ...ggufAdapter({ from: hello, to: json }) });
    const prompts = [hello, json, sunny].map((index) => prompt(starts[index].plain));
    const said = await say(llama, folder, prompts, "tiny-adapter.gguf");
    assert.deepEqual(said, [json, json, sunny].map((index) => starts[index].answer.say));
  });
  await llama.dispose();
});

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { getLlama, type Llama, LlamaLogLevel, type Token } from "node-llama-cpp";
import { ggufChatModel } from "../../examples/tiny-models/gguf_chat_model.ts";
import { DEFAULT_ANSWERS } from "../../examples/tiny-models/scripted_answers.ts";
import { scriptVocabulary } from "../../examples/tiny-models/scripted_vocabulary.ts";
import { writeModel } from "../../examples/tiny-models/write_model.ts";
import { withFolder } from "../support/temporary_folder.ts";

const { starts } = scriptVocabulary(DEFAULT_ANSWERS);

/** What the model says behind the token that starts an answer. */
async function say(llama: Llama, path: string, prompts: readonly string[], most: number): Promise<string[]> {
  const model = await llama.loadModel({ modelPath: path });
  const context = await model.createContext({ contextSize: 512, sequences: 1, threads: 1 });
  const sequence = context.getSequence();
  const answers: string[] = [];
  for (const prompt of prompts) {
    await sequence.clearHistory();
    const said: Token[] = [];
    for await (const token of sequence.evaluate(model.tokenize(prompt, true), { temperature: 0 })) {
      if (model.isEogToken(token)) break;
      said.push(token);
      if (said.length === most) break;
    }
    answers.push(model.detokenize(said, true));
  }
  await model.dispose();
  return answers;
}

test("ggufChatModel() says its script in llama.cpp in every format", async () => {
  const llama = await getLlama({ gpu: false, build: "never", logLevel: LlamaLogLevel.disabled });
  const asked = starts.filter(({ answer }) => answer.say.length < 200 && !answer.endless);
  for (const weights of ["f32", "q8_0", "q4_0"] as const) {
    await withFolder(async (folder) => {
      writeModel(folder, ggufChatModel({ weights }));
      const prompts = asked.map(({ token }) => `<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n${token}`);
      const said = await say(llama, join(folder, "tiny-chat.gguf"), prompts, 60);
      const wanted = asked.map(({ answer: { thought, say } }) =>
        thought === undefined ? say : `<think>\n${thought}\n</think>\n\n${say}`
      );
      assert.deepEqual(said, wanted);
    });
  }
  await llama.dispose();
});

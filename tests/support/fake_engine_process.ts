import process from "node:process";
import { ChatModel } from "../../lib/engines/text/chat_model.ts";
import { serveEngine } from "../../lib/engines/process/serve_engine.ts";
import { parentChannel } from "../../lib/platform/processes/parent_channel.ts";
import { FakeLanguageModel } from "./fake_language_model.ts";

// An engine whose model does what the last message says; the folder says what happens while it is opened.
await serveEngine(parentChannel("svc engine"), async ({ folder }, _settings, onProgress) => {
  if (folder === "/crash") process.exit(9);
  if (folder === "/broken") throw new Error("Cannot open the model: weights are missing");
  if (folder === "/never") await new Promise(() => {});
  onProgress(0.5);
  const model = new FakeLanguageModel({
    answer: (prompt) => {
      if (prompt.includes("crash")) process.exit(9);
      if (prompt.includes("secret")) return String(process.env.SVC_API_KEY);
      if (prompt.includes("workers")) return String(process.env.UV_THREADPOOL_SIZE);
      return "Hello there. ".repeat(prompt.includes("long") ? 100 : 1);
    },
    beforeToken: async (_index, signal) => {
      if (signal.aborted) return;
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
  const encode = model.encode.bind(model);
  model.encode = (text) => {
    while (text.includes("spin"));
    return encode(text);
  };
  return { kind: "chat", model, chats: new ChatModel(model, { id: () => "0a1b2c3d", seed: () => 7 }) };
});
process.exit();

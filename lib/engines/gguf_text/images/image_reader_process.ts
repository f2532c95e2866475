/**
 * The process that reads images: what goes wrong in native code, on a picture or a projector, ends it alone, and so does
 * a client that disconnects. What the library writes of texts goes nowhere.
 *
 * @module
 */
import { parentChannel } from "../../../platform/processes/parent_channel.ts";
import { serveCalls } from "../../../platform/rpc/serve_calls.ts";
import { loadLlamaNode } from "./llama_node_library.ts";
import { MtmdReader } from "./mtmd_reader.ts";
import type { ReaderService } from "./reader_service.ts";

let reader: MtmdReader | undefined;

function opened(): MtmdReader {
  if (reader) return reader;
  throw new Error("no model was named");
}

serveCalls<ReaderService>(parentChannel("svc image reader"), {
  open: async (_call, settings) => {
    reader = new MtmdReader(await loadLlamaNode(), settings);
  },
  tokenize: (_call, text) => opened().tokenize(text),
  evaluate: (_call, text) => opened().evaluate(text),
});

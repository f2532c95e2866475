/** A reader on a machine without its library. */
import { loadLlamaNode } from "../../../../lib/engines/gguf_text/images/llama_node_library.ts";
import type { ReaderService } from "../../../../lib/engines/gguf_text/images/reader_service.ts";
import { parentChannel } from "../../../../lib/platform/processes/parent_channel.ts";
import { serveCalls } from "../../../../lib/platform/rpc/serve_calls.ts";

const unopened = (): never => {
  throw new Error("there is no library to read with");
};
serveCalls<ReaderService>(parentChannel("no library"), {
  open: async () => void await loadLlamaNode("@svc/not-installed@1.0.0"),
  tokenize: unopened,
  evaluate: unopened,
});

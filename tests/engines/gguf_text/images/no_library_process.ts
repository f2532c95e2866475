/** A reader on a machine without its library. */
import { loadLlamaNode } from "../../../../lib/engines/gguf_text/images/llama_node_library.ts";
import { parentChannel } from "../../../../lib/platform/processes/parent_channel.ts";

const channel = parentChannel<unknown, { readonly kind: string }>("no library");
channel.onMessage(async ({ kind }) => {
  if (kind === "open") return;
  await loadLlamaNode("@svc/not-installed@1.0.0").catch((error: Error) =>
    channel.send({ kind: "error", message: error.message })
  );
});

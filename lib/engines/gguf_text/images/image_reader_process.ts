/**
 * The process that reads images: what goes wrong in native code, on a picture or a projector, ends it alone, and so does
 * a client that leaves. What the library writes of texts goes nowhere.
 *
 * @module
 */
import { parentChannel } from "../../../platform/processes/parent_channel.ts";
import { loadLlamaNode } from "./llama_node_library.ts";
import { MtmdReader } from "./mtmd_reader.ts";
import type { ReaderReply, ReaderRequest } from "./reader_messages.ts";

const channel = parentChannel<ReaderReply, ReaderRequest>("svc image reader");
let reader: Promise<MtmdReader> | undefined;

channel.onMessage((request) => void answer(request));

async function answer(request: ReaderRequest): Promise<void> {
  if (request.kind === "open") {
    reader = loadLlamaNode().then((library) => new MtmdReader(library, request.settings));
    // The next request fails with it.
    return void reader.catch(() => {});
  }
  try {
    const opened = await reader;
    if (opened === undefined) throw new Error("no model was named");
    await channel.send(
      request.kind === "tokenize"
        ? { kind: "tokens", ...await opened.tokenize(request) }
        : { kind: "state", ...await opened.evaluate(request) },
    );
  } catch (error) {
    await channel.send({ kind: "error", message: error instanceof Error ? error.message : String(error) });
  }
}

/**
 * GGUF chat models.
 *
 * @module
 */
import type { EngineEntry } from "../contract/engine_entry.ts";

/** Chat models on llama.cpp. */
export const ggufTextEngine: EngineEntry = {
  kind: "chat",
  readProfile: async (files) => await (await import("./gguf_profile.ts")).readGgufProfile(files),
  open: async (files, options, draft) => {
    const { openGgufTextModel } = await import("./open_gguf_text_model.ts");
    const { openChats } = await import("../text/chat_model.ts");
    return openChats(await openGgufTextModel(files, options, draft), options);
  },
};

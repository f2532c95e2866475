/**
 * Chat models on transformers.js.
 *
 * @module
 */
import type { EngineEntry } from "../contract/engine_entry.ts";

/** What our own decode loop cannot run: images with a position in time, height and width, encoder-decoders. */
export const transformersJsEngine: EngineEntry = {
  kind: "chat",
  readProfile: async (files) => await (await import("./read_transformers_profile.ts")).readTransformersProfile(files),
  open: async (files, options) => {
    const { openTransformersModel } = await import("./open_transformers_model.ts");
    const { openChats } = await import("../text/chat_model.ts");
    return openChats(await openTransformersModel(files, options), options);
  },
};

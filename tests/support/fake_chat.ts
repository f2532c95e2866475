import type { ChatListener } from "../../lib/engines/contract/chat_engine.ts";
import type { EngineSettings } from "../../lib/engines/contract/engine_settings.ts";
import { NEUTRAL_SAMPLING } from "../../lib/protocol/mod.ts";

/** What engines of a fake model are started with. */
export const FAKE_SETTINGS: EngineSettings = {
  device: undefined,
  threads: undefined,
  context: 4096,
  concurrency: 4,
  kvCacheMode: "default",
  lora: undefined,
};

/** What chats with a fake model are answered by. */
export const CHAT_OPTIONS = {
  context: 4096,
  presetMaxTokens: 2048,
  defaults: NEUTRAL_SAMPLING,
  now: 0,
  images: [],
} as const;

/** Ignores everything. */
export const SILENT: ChatListener = {
  onPrefill: () => {},
  onText: () => {},
  onDraft: () => {},
  onTokens: () => {},
};

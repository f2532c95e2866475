/**
 * Random numbers for chats.
 *
 * @module
 */
import type { ChatRandom } from "../../../engines/contract/engine_entry.ts";

/** Cryptographically secure random numbers. */
export const chatRandom: ChatRandom = {
  id: () => crypto.randomUUID().slice(0, 8),
  seed: () => crypto.getRandomValues(new Uint32Array(1))[0],
};

/**
 * Random numbers of chats.
 *
 * @module
 */
import type { ChatRandom } from "../../engines/text/chat_model.ts";

/** Numbers that nobody can foresee. */
export const chatRandom: ChatRandom = {
  id: () => crypto.randomUUID().slice(0, 8),
  seed: () => crypto.getRandomValues(new Uint32Array(1))[0],
};

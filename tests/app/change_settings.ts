/** Changes settings of a store many times, as a process of its own beside others. */
import process from "node:process";
import { openModelStore } from "../../lib/store/model_store.ts";

const [folder, id, times] = process.argv.slice(2);
const store = openModelStore(folder);
for (let i = 1; i <= Number(times); i++) {
  await store.updateSettings(id, (stored) => ({ ...stored, maxTokens: (stored?.maxTokens ?? 0) + 1 }));
}

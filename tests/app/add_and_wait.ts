/** Adds a model to a store, and stands still after the first bytes of it: to be killed then. */
import process from "node:process";
import { addModel } from "../../lib/store/add_model.ts";
import { openModelStore } from "../../lib/store/model_store.ts";

const [folder, path] = process.argv.slice(2);
const stop = () => {
  process.stdout.write("copying\n");
  // As long as the process lives, nothing more is copied.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
};
await addModel(openModelStore(folder), { path, id: "m" }, stop, new AbortController().signal);

import { availableParallelism } from "node:os";

/** How many threads this process can run at a time. */
export function cpuThreads(): number {
  return availableParallelism();
}

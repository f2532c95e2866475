/** Most threads of one operator: more share too little work in the embedded world. */
const MOST = 4;

/** Threads of WebAssembly: one, unless the page's headers isolate it from others. */
export function tabThreads(): number {
  return globalThis.crossOriginIsolated ? Math.min(MOST, navigator.hardwareConcurrency) : 1;
}

/**
 * ONNX Runtime in WebAssembly: it takes the place of the package `onnxruntime-node`. The build puts its files into
 * `ort/`, beside the scripts.
 *
 * @module
 */
import { env } from "./ort/ort.wasm.min.mjs";
import { tabThreads } from "../../site/world/tab_threads.ts";

env.wasm.wasmPaths = new URL("ort/", self.location.href).href;
env.wasm.numThreads = tabThreads();

export * from "./ort/ort.wasm.min.mjs";

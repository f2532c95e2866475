/**
 * The CPU device: runs graphs on ONNX Runtime.
 *
 * @module
 */
export * from "./onnx_device.ts";

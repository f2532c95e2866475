/**
 * Graphs on any GPU through WebGPU.
 *
 * @module
 */
export { openWebGpuDevice, type WebGpuDeviceOptions, type WebGpuOpening } from "./webgpu_device.ts";

/** What is wrong with a GPU. */
export type GpuFault = "no adapter" | "no device" | "lost at once" | "no kernels";

/**
 * A `navigator.gpu` that is there and does not work. The function is self-contained, so that its text can run
 * in the worker of a browser.
 */
export function brokenGpu(fault: GpuFault): GPU {
  const device = {
    features: new Set(),
    limits: {
      maxStorageBufferBindingSize: 2 ** 27,
      maxStorageBuffersPerShaderStage: 8,
      maxComputeWorkgroupsPerDimension: 65535,
      minStorageBufferOffsetAlignment: 256,
      minUniformBufferOffsetAlignment: 256,
    },
    lost: fault === "lost at once"
      ? Promise.resolve({ reason: "unknown", message: "the GPU fell out" })
      : new Promise(() => {}),
    queue: { writeBuffer: () => {}, submit: () => {}, onSubmittedWorkDone: () => Promise.resolve() },
    addEventListener: () => {},
    pushErrorScope: () => {},
    popErrorScope: () => Promise.resolve(fault === "no kernels" ? { message: "no such operation" } : null),
    createBuffer: () => ({ destroy: () => {} }),
    createShaderModule: () => ({}),
    createComputePipelineAsync: () => Promise.resolve({ getBindGroupLayout: () => ({}) }),
    createBindGroup: () => ({}),
    destroy: () => {},
  };
  const adapter = {
    info: { vendor: "broken", architecture: "", device: "", description: "Broken GPU", isFallbackAdapter: false },
    features: new Set(),
    limits: device.limits,
    requestDevice: () =>
      fault === "no device" ? Promise.reject(new Error("the driver is too old")) : Promise.resolve(device),
  };
  const requestAdapter = () => Promise.resolve(fault === "no adapter" ? null : adapter);
  return { requestAdapter } as unknown as GPU;
}

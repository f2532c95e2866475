/**
 * Switches of Dawn, the WebGPU of the npm package `webgpu`.
 *
 * @module
 */

/**
 * What our kernels need: subgroup matrices are an experiment; Dawn hides 16-bit floats from older NVIDIA drivers unless
 * asked, and the memory model extension makes its workgroup memory correct there.
 */
export const DAWN_FEATURES = ["allow_unsafe_apis", "vulkan_enable_f16_on_nvidia", "use_vulkan_memory_model"] as const;

/** What Dawn adds to kernels: a check of each index, and zeros in their workgroup memory. */
const CHECKS = ["disable_robustness", "disable_workgroup_init"] as const;

/**
 * The flags for `create()` of the package. `SVC_DAWN_ENABLE` and `SVC_DAWN_DISABLE` are lists of more toggles, with
 * commas between them; one that is disabled is not enabled, not even by us.
 *
 * @param environment Variables of the process.
 * @param unchecked Without checks of indices and zeroed workgroup memory.
 */
export function dawnFlags(environment: (name: string) => string | undefined, unchecked: boolean = false): string[] {
  const [enabled, disabled] = ["SVC_DAWN_ENABLE", "SVC_DAWN_DISABLE"].map((name) =>
    (environment(name) ?? "").split(",").map((toggle) => toggle.trim()).filter((toggle) => toggle !== "")
  );
  const features = [...new Set([...DAWN_FEATURES, ...unchecked ? CHECKS : [], ...enabled])].filter((toggle) =>
    !disabled.includes(toggle)
  );
  return [
    ...features.length > 0 ? [`enable-dawn-features=${features.join(",")}`] : [],
    ...disabled.length > 0 ? [`disable-dawn-features=${disabled.join(",")}`] : [],
  ];
}

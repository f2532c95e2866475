/**
 * The numbers of WebGPU's flag constants (sections 5.1.3 and 5.2.2 of the specification). Dawn does not define the
 * global names, and a library must not.
 *
 * @module
 */

/** `GPUBufferUsage`. */
export const bufferUsage = {
  mapRead: 0x0001,
  copySource: 0x0004,
  copyDestination: 0x0008,
  uniform: 0x0040,
  storage: 0x0080,
} as const;

/** `GPUMapMode.READ`. */
export const mapModeRead = 0x0001;

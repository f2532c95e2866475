/**
 * Memory of vision operations.
 *
 * @module
 */
import type { VisionOrder } from "./vision_operations.ts";

/** The service has planned it, since the sizes of images decide. */
export function visionMemory({ workBytes }: VisionOrder): number {
  return workBytes;
}

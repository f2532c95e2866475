/**
 * Memory that is given back before garbage is collected.
 *
 * @module
 */

/**
 * Frees the memory of an array that nothing reads any more, where the runtime can detach a buffer (Deno, Node from 21
 * on). Elsewhere it is freed when garbage is collected, which knows little about memory outside of its heap.
 */
export function freeArray({ buffer, byteLength }: ArrayBufferView): void {
  if (byteLength === buffer.byteLength) (buffer as { transfer?(length: number): unknown }).transfer?.(0);
}

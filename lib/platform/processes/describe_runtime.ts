/**
 * Describes the runtime of this program.
 *
 * @module
 */
import process from "node:process";
import { VERSION } from "./version.ts";

/** Such as `svc 0.1.0 on Node 20.20.2, linux x64`. */
export function describeRuntime(): string {
  const { deno, node } = process.versions;
  return `svc ${VERSION} on ${deno ? `Deno ${deno}` : `Node ${node}`}, ${process.platform} ${process.arch}`;
}

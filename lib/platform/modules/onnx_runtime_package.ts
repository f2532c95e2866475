/**
 * The package of ONNX Runtime for one platform.
 *
 * @module
 */
import process from "node:process";

/** The version of `onnxruntime-node` whose files the packages have. */
const VERSION = "1.30.0";

/**
 * The name and version of the package with the files of this platform alone, which npm installs with the SDK:
 * `onnxruntime-node` has those of all platforms, six times as much.
 */
export function onnxRuntimePackage(): string {
  return `@svc/onnxruntime-${process.platform}-${process.arch}@${VERSION}`;
}

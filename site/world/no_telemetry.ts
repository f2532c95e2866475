/** ONNX Runtime for browsers reports nothing: it takes the place of `lib/platform/processes/onnx_telemetry.ts`. */
export function disableOnnxTelemetry(): void {}

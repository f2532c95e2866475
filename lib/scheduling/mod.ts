/**
 * Admission, memory and loaded models: which requests run, which models stay in memory, which are evicted. Clock,
 * memory probe, ids, settings and engines are injected.
 *
 * @module
 */
export type { ActiveRequestStatus, AdmittedRequest, RequestInfo, RequestPhase } from "./admitted_request.ts";
export type { Clock, Engine } from "./engine.ts";
export type { LaneModel } from "./lane.ts";
export * from "./lane_status.ts";
export * from "./memory/machine_admission.ts";
export type { MemoryProbe } from "./memory/memory_guard.ts";
export type { GuardSettings, GuardTier, MemorySample, Pressure } from "./memory/memory_limits.ts";
export * from "./model_runtime.ts";
export type { AdmissionStatus } from "./request_queue.ts";
export type { LaneUsage, MemoryStatus, RuntimeStatus } from "./runtime_status.ts";
export type { LaneOperation } from "./lane_pool.ts";
export type { ModelStatus, TextModel } from "./text_pool.ts";

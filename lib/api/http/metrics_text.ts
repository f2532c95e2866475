/**
 * The metrics of a model API server.
 *
 * @module
 */
import type { BenchmarkTotals, RuntimeReport } from "../service/mod.ts";
import { type AnswerCount, answerFamilies, type Sample, type SampleFamily } from "../../http/metrics.ts";

/** The sources of the metrics. */
export interface MetricsParts {
  readonly report: RuntimeReport;
  readonly totals: ReadonlyMap<string, Readonly<BenchmarkTotals>>;
  readonly answers: readonly AnswerCount[];
  /** Realtime sessions: those that are open, and all since the start. */
  readonly realtime: { readonly open: number; readonly total: number };
  readonly version: string;
}

/** All metrics. */
export function apiFamilies(parts: MetricsParts): SampleFamily[] {
  return [...serverFamilies(parts), ...modelFamilies(parts)];
}

function serverFamilies({ report, answers, realtime, version }: MetricsParts): SampleFamily[] {
  const { admission, memory, process, sidecars } = report;
  const one = (value: number | undefined): Sample[] => value === undefined ? [] : [[{}, value]];
  return [
    ["svc_info", "gauge", "Version of the server.", [[{ version }, 1]]],
    ["svc_uptime_seconds", "gauge", "Seconds since the start.", one(process.uptimeSeconds)],
    ...answerFamilies(answers),
    ["svc_requests_active", "gauge", "Requests with a slot.", one(admission.activeRequests)],
    ["svc_requests_queued", "gauge", "Queued requests.", one(admission.queuedRequests)],
    ["svc_request_slots", "gauge", "Maximum number of active requests.", one(admission.maxActiveRequests)],
    ["svc_requests_admitted_total", "counter", "Requests that got a slot.", one(admission.totalAdmittedRequests)],
    [
      "svc_requests_cancelled_total",
      "counter",
      "Cancelled requests.",
      one(admission.totalCancelledRequests),
    ],
    ["svc_realtime_sessions", "gauge", "Open realtime sessions.", one(realtime.open)],
    ["svc_realtime_sessions_total", "counter", "Realtime sessions since the start.", one(realtime.total)],
    ["svc_memory_bytes", "gauge", "Memory of the server and its engines.", one(memory.currentBytes)],
    ["svc_memory_ceiling_bytes", "gauge", "Memory that they may use.", one(memory.ceilingBytes)],
    [
      "svc_memory_pressure",
      "gauge",
      "1 for the current pressure.",
      [[{ level: memory.pressure }, 1]],
    ],
    [
      "svc_lane_loaded",
      "gauge",
      "Whether the lane has a loaded model.",
      sidecars.residents.map(({ kind, loaded }) => [{ lane: kind }, Number(loaded)]),
    ],
    [
      "svc_lane_requests_total",
      "counter",
      "Operations of the lane by outcome.",
      sidecars.residents.flatMap(({ kind, completedRequests, failedRequests }): Sample[] => [
        [{ lane: kind, outcome: "completed" }, completedRequests],
        [{ lane: kind, outcome: "failed" }, failedRequests],
      ]),
    ],
  ];
}

function modelFamilies({ report, totals }: MetricsParts): SampleFamily[] {
  const { models } = report;
  const chats = (value: (sums: Readonly<BenchmarkTotals>) => number): Sample[] =>
    [...totals].map(([model, sums]) => [{ model }, value(sums)]);
  const seconds = [...totals].flatMap(([model, sums]): Sample[] => [
    [{ model, phase: "load" }, sums.loadSeconds],
    [{ model, phase: "prefill" }, sums.prefillSeconds],
    [{ model, phase: "decode" }, sums.decodeSeconds],
    [{ model, phase: "first_token" }, sums.firstTokenSeconds],
  ]);
  const counters = (value: (model: RuntimeReport["models"][number]) => number | undefined): Sample[] =>
    models.flatMap((model): Sample[] => {
      const count = value(model);
      return count === undefined ? [] : [[{ model: model.id }, count]];
    });
  return [
    ["svc_model_loaded", "gauge", "Whether the model is loaded.", counters(({ loaded }) => Number(loaded))],
    ["svc_model_requests_active", "gauge", "Requests that use the model.", counters((model) => model.activeRequests)],
    ["svc_chats_total", "counter", "Completed chats.", chats(({ completed }) => completed)],
    ["svc_chats_failed_total", "counter", "Chats that failed on the server.", chats(({ failed }) => failed)],
    ["svc_prompt_tokens_total", "counter", "Tokens of prompts.", chats(({ promptTokens }) => promptTokens)],
    [
      "svc_cached_tokens_total",
      "counter",
      "Prompt tokens taken from the prefix cache.",
      chats(({ cachedTokens }) => cachedTokens),
    ],
    ["svc_generated_tokens_total", "counter", "Tokens of answers.", chats(({ generatedTokens }) => generatedTokens)],
    ["svc_chat_seconds_total", "counter", "Seconds of chats by phase.", seconds],
    [
      "svc_prefix_hits",
      "gauge",
      "Hits of the prefix cache since the model was loaded.",
      counters(({ prefixKVCache }) => prefixKVCache?.hits),
    ],
    [
      "svc_batched_decode_steps",
      "gauge",
      "Decode steps of several sequences since the model was loaded.",
      counters(({ continuousBatching }) => continuousBatching?.batchedDecodeSteps),
    ],
  ];
}

/**
 * Metrics in the text format of Prometheus, version 0.0.4.
 *
 * @module
 */
import type { AnswerCount } from "./http_metrics.ts";

/** The content type of the format. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

type Labels = Readonly<Record<string, string | number>>;

/** One value of a metric. */
export type Sample = readonly [labels: Labels, value: number];

/** A metric with all its values. */
export type Family = readonly [name: string, type: "counter" | "gauge", help: string, samples: readonly Sample[]];

/** Metrics as text; a family without a sample is omitted. */
export function familiesText(families: readonly Family[]): string {
  return families.filter(([, , , samples]) => samples.length > 0)
    .map(([name, type, help, samples]) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((sample) => line(name, sample))].join("\n")
    ).join("\n") + "\n";
}

/** What every server counts of its answers. */
export function answerFamilies(answers: readonly AnswerCount[]): Family[] {
  const by = (value: (answer: AnswerCount) => number): Sample[] =>
    answers.map((answer) => [
      { method: answer.method, route: answer.route, status: answer.status },
      value(answer),
    ]);
  return [
    ["svc_http_requests_total", "counter", "Answers by route and status.", by(({ count }) => count)],
    [
      "svc_http_request_seconds_total",
      "counter",
      "Seconds from arrival until the status was known.",
      by(({ seconds }) => seconds),
    ],
  ];
}

/** A metric with one value. */
export function single(name: string, type: Family[1], help: string, value: number | boolean): Family {
  return [name, type, help, [[{}, Number(value)]]];
}

function line(name: string, [labels, value]: Sample): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escape(String(text))}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}`;
}

function escape(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

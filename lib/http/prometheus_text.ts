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

/** How many values were at most so large, and their sum: those of a histogram for one set of labels. */
export interface Distribution {
  readonly labels: Labels;
  /** Upper bounds in ascending order, each with the number of values up to it. */
  readonly buckets: readonly (readonly [bound: number, count: number])[];
  readonly count: number;
  readonly sum: number;
}

/** A metric with one value for each set of labels. */
export type SampleFamily = readonly [
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: readonly Sample[],
];

/** A metric with all its values. */
export type Family =
  | SampleFamily
  | readonly [name: string, type: "histogram", help: string, distributions: readonly Distribution[]];

/** Metrics as text; a family without a sample is omitted. */
export function familiesText(families: readonly Family[]): string {
  return families.filter(([, , , values]) => values.length > 0)
    .map((family) => {
      const [name, type, help] = family;
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...linesOf(family)].join("\n");
    }).join("\n") + "\n";
}

function linesOf(family: Family): string[] {
  const [name, type] = family;
  if (type !== "histogram") return family[3].map((sample) => line(name, sample));
  return family[3].flatMap(({ labels, buckets, count, sum }) => [
    ...buckets.map(([le, value]) => line(`${name}_bucket`, [{ ...labels, le }, value])),
    line(`${name}_bucket`, [{ ...labels, le: "+Inf" }, count]),
    line(`${name}_sum`, [labels, sum]),
    line(`${name}_count`, [labels, count]),
  ]);
}

/** What every server counts of its answers. */
export function answerFamilies(answers: readonly AnswerCount[]): SampleFamily[] {
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
export function single(name: string, type: SampleFamily[1], help: string, value: number | boolean): SampleFamily {
  return [name, type, help, [[{}, Number(value)]]];
}

function line(name: string, [labels, value]: Sample): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escape(String(text))}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}`;
}

function escape(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

/**
 * Counts requests and their durations, and writes them in the text format of Prometheus.
 *
 * @module
 */
import type { AnswerRecord, Route } from "./router.ts";

/** Requests of one method and route with one status. */
export interface AnswerCount {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly count: number;
  /** Total time from arrival to status. */
  readonly seconds: number;
}

/** Methods that have routes; all others count as one. */
const METHODS = ["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"];

/** Counts answers by method, route and status, whose number is bounded whatever clients send. */
export class HttpMetrics {
  readonly #counts = new Map<string, { count: number; seconds: number }>();

  record({ method, route = "none", status, duration }: AnswerRecord): void {
    const key = JSON.stringify([METHODS.includes(method) ? method : "other", route, status]);
    const entry = this.#counts.get(key) ?? { count: 0, seconds: 0 };
    entry.count++;
    entry.seconds += duration / 1000;
    this.#counts.set(key, entry);
  }

  counts(): AnswerCount[] {
    return [...this.#counts].map(([key, sums]) => {
      const [method, route, status] = JSON.parse(key) as [string, string, number];
      return { method, route, status, ...sums };
    });
  }
}

/** Values by their size. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #count = 0;
  #sum = 0;

  /** @param bounds Upper bounds in ascending order; a value of that size is counted there. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  add(value: number): void {
    for (const [i, bound] of this.#bounds.entries()) if (value <= bound) this.#counts[i]++;
    this.#count++;
    this.#sum += value;
  }

  /** What there was so far. */
  distribution(labels: Distribution["labels"] = {}): Distribution {
    const buckets = this.#bounds.map((bound, i) => [bound, this.#counts[i]] as const);
    return { labels, buckets, count: this.#count, sum: this.#sum };
  }
}

/** The content type of the format. */
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

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

/** What a server says of itself. */
interface OperationSources {
  /** Whether load balancers may send requests here now. */
  readonly isReady: () => boolean;
  readonly families: () => readonly Family[] | Promise<readonly Family[]>;
}

/**
 * `GET /ready`, which needs no key and answers 200 or 503, and `GET /metrics`, which is behind the key as everything
 * else is.
 */
export function operationRoutes({ isReady, families }: OperationSources): Route[] {
  const ready = (): Response => {
    const now = isReady();
    return Response.json({ object: "readiness", ready: now }, { status: now ? 200 : 503 });
  };
  const metrics = async (): Promise<Response> =>
    new Response(familiesText(await families()), { headers: { "content-type": METRICS_TYPE } });
  return [
    { method: "GET", path: "/ready", open: true, handle: ready },
    { method: "GET", path: "/metrics", handle: metrics },
  ];
}

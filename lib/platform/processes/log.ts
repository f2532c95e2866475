/**
 * The log of a server: one line per event, on stderr.
 *
 * @module
 */
import process from "node:process";
import { printable } from "../terminal/terminal_text.ts";

/** How lines are written: for people, or for programs that collect them. */
export type LogForm = "text" | "json";

/** Writes an event with its details. */
export type Log = (level: "info" | "warn" | "error", event: string, detail?: Readonly<Record<string, unknown>>) => void;

/**
 * A log of lines such as `2026-01-02T03:04:05.678Z info rollout_completed job_id=… output=…`. Values with spaces are
 * quoted; errors keep their stack. With `json` every line is an object with `time`, `level`, `event` and the details.
 * What cannot be seen is escaped in both: a client's text neither begins a line nor moves the cursor of a reader.
 */
export function createLog(
  write: (line: string) => void = toStderr,
  clock: () => Date = () => new Date(),
  form: LogForm = "text",
): Log {
  if (form === "json") {
    return (level, event, detail = {}) => {
      const values = Object.entries(detail).map(([key, value]) =>
        [key, value instanceof Error ? describe(value) : value] as const
      );
      const line = { ...Object.fromEntries(values), time: clock().toISOString(), level, event };
      write(`${printable(JSON.stringify(line))}\n`);
    };
  }
  return (level, event, detail = {}) => {
    const given = Object.entries(detail).filter(([, value]) => value !== undefined);
    const pairs = given.map(([key, value]) => ` ${key}=${format(value)}`);
    write(`${printable(`${clock().toISOString()} ${level} ${event}${pairs.join("")}`)}\n`);
  };
}

/** A log on stderr. */
export function stderrLog(form: LogForm): Log {
  return createLog(toStderr, undefined, form);
}

function toStderr(line: string): void {
  process.stderr.write(line);
}

function format(value: unknown): string {
  const text = value instanceof Error ? describe(value) : typeof value === "string" ? value : JSON.stringify(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}

function describe(error: Error): string {
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause instanceof Error ? `${own}\ncaused by ${describe(error.cause)}` : own;
}

/**
 * The documentation of this repository as passages, and questions that one of its pages answers.
 *
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";

/** A part of a page, under its headings. */
export interface Passage {
  /** Path of the page in `docs/`. */
  readonly page: string;
  readonly text: string;
}

/** Letters of a passage, about 120 tokens: the model reads at most 256. */
const LENGTH = 500;

const DOCS = new URL("../../../docs/", import.meta.url);

/** All passages, in the order of the pages, without code and tables, which say little to a model of texts. */
export function passages(): Passage[] {
  const names = readdirSync(DOCS, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  return names.filter((name) => name.endsWith(".md")).sort().flatMap((page) =>
    passagesOf(readFileSync(new URL(page, DOCS), "utf8")).map((text) => ({ page, text }))
  );
}

function passagesOf(markdown: string): string[] {
  const found: string[] = [];
  let [title, heading, text] = ["", "", ""];
  const end = () => {
    const about = [title, heading].filter(Boolean).join(". ");
    for (let at = 0; at < text.length; at += LENGTH) found.push(`${about}. ${text.slice(at, at + LENGTH)}`);
    text = "";
  };
  for (const block of markdown.replaceAll(/^```[^]*?^```$|^\|.*\|$/gm, "").split(/\n{2,}|\n(?=- )/)) {
    const line = block.replaceAll(/[\s*`]+/g, " ").trim();
    const [, marks, words] = /^(#+) (.*)$/.exec(line) ?? [];
    if (marks !== undefined) {
      end();
      if (marks === "#") title = words;
      else heading = words;
    } else if (/\w/.test(line)) {
      if (text.length + line.length > LENGTH) end();
      text = `${text} ${line}`.trim();
    }
  }
  end();
  return found;
}

/** Questions as someone asks who has not read the page, with the page. */
export const QUESTIONS: readonly (readonly [question: string, page: string])[] = [
  ["Which part of the code may use Deno and Node directly?", "architecture.md"],
  ["How long does a fleet take to recover when a worker is killed?", "benchmarks.md"],
  ["How do I use Open WebUI with this server?", "connect-your-tools.md"],
  ["What happens to an image in a GGUF chat without a projector?", "engines.md"],
  ["Does a draft model change the answer of a greedy chat?", "engines.md"],
  ["What does the error code memory_pressure mean?", "errors.md"],
  ["How do gateways and workers find each other over NATS?", "fleet.md"],
  ["How do I roll out a new version to all workers without interrupting visitors?", "fleet.md"],
  ["How is a provider manifest validated and linted?", "manifest.md"],
  ["How do I clone a voice or choose one for text to speech?", "model-api.md"],
  ["Can I get word timestamps and subtitles of a recording?", "model-api.md"],
  ["How do I set an API key for the model server?", "model-api-servers.md"],
  ["How many megabytes does the npm package have?", "packages.md"],
  ["How much memory does a world of published size need?", "real-worlds.md"],
  ["How do I convert the checkpoint of a published world model?", "real-worlds.md"],
  ["What has to be done before the first release?", "releases.md"],
  ["Where can the static site be hosted, and which headers does it need?", "site.md"],
  ["How does walking back undo a camera move exactly?", "world-session.md"],
  ["What do I send to prove the speed of my graphics card?", "gpu/README.md"],
  ["Which layers lose accuracy in 16-bit floats?", "gpu/half-precision.md"],
];

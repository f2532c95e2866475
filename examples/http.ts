// deno-lint-ignore-file no-console
// Answers requests of a world server without a socket: deno run -A examples/http.ts, or npx tsx examples/http.ts
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorldHandler } from "../lib/app/http_handlers.ts";

const stateDirectory = await mkdtemp(join(tmpdir(), "svc-example-"));
const handler = await openWorldHandler({ stateDirectory, device: "cpu", log: () => {} });

const health = await handler.fetch(new Request("http://localhost/health"));
console.log(health.status, await health.text());
const session = await handler.fetch(new Request("http://localhost/v1/world/session"));
console.log((await session.json()).phase);

await handler.close();
await rm(stateDirectory, { recursive: true });

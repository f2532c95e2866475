/**
 * Schemathesis makes requests of the API descriptions of both servers, right and wrong ones, and compares the answers
 * with what the descriptions say; a step of its own in scripts/test.mjs, since it needs Python and what it installs.
 * `SVC_TEST_SCHEMATHESIS` is the interpreter that has the package.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { runProcess } from "../../../lib/platform/processes/run_process.ts";
import { WorldClient } from "../../../lib/world/client/world_client.ts";
import { withApiProcess } from "../../support/api_process.ts";
import { end, startServer } from "../../support/server_process.ts";
import { withFolder } from "../../support/temporary_folder.ts";

/**
 * All but one: a request may be right in form and refused for what no form can say, such as a file that does not exist.
 */
const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  "negative_data_rejection",
  "missing_required_header",
  "unsupported_method",
  "allow_header_conformance",
  "ignored_auth",
];

/** Fails when an answer is not as described. */
async function checkAnswers(url: string, examples: number, ...args: string[]): Promise<void> {
  const python = process.env.SVC_TEST_SCHEMATHESIS;
  assert.ok(python, "SVC_TEST_SCHEMATHESIS is not set, run npm test -- schemathesis");
  const result = await runProcess(python, [
    ...["-m", "schemathesis.cli", "run", `${url}/openapi.json`],
    ...["--seed", "1", "--max-examples", `${examples}`, "--phases", "coverage,fuzzing", "--no-shrink"],
    ...["--checks", CHECKS.join(","), "--generation-database", "none", "--request-timeout", "30", "--warnings", "off"],
    // A preflight is answered for every path that could exist.
    ...["--exclude-method", "OPTIONS", ...args],
  ], new Uint8Array());
  const output = new TextDecoder().decode(result.stdout);
  assert.equal(result.code, 0, `${output.slice(-20_000)}${result.stderr}`);
  assert.match(output, /[1-9]\d* generated, [1-9]\d* passed/);
}

test("schemathesis finds that the world server answers as its description says", () =>
  withFolder(async (folder) => {
    const server = startServer(["--port=0", "--json", "--device=cpu", `--state-directory=${folder}`]);
    try {
      const { url } = JSON.parse(await server.line);
      const client = new WorldClient(url);
      await client.uploadSource(await client.startImage());
      const { jobId } = await client.startRollout({ prompt: "a hall", actionSeq: ["w"], numOutputFrames: 3 });
      await client.awaitJob(jobId);
      // The stream of events does not end.
      await checkAnswers(url, 3, "--exclude-path", "/v1/world/events");
    } finally {
      if (server.child.exitCode === null) end(server, "SIGTERM");
      await server.exit;
    }
  }));

test("schemathesis finds that the model API server answers as its description says", () =>
  withApiProcess(
    { models: ["tiny-chat", "tiny-embed", "tiny-rerank"], args: ["--model=tiny-chat"] },
    ({ url }) => checkAnswers(url, 3),
  ));

import assert from "node:assert/strict";
import { test } from "node:test";
import { type AnswerRecord, logAnswer } from "../../lib/http/router.ts";

test("requests are logged, a job that is polled only where it fails", () => {
  const logged: unknown[] = [];
  const answer = (method: string, route: string, status: number): void => {
    const record: AnswerRecord = { requestId: "r", method, path: route, route, status, duration: 1.25 };
    logAnswer(
      (level, event, detail) => logged.push([level, event, detail?.method, detail?.status, detail?.ms]),
      record,
    );
  };
  answer("GET", "/worlds/default/v1/world/jobs/1f", 200);
  answer("GET", "/v1/world/jobs/1f", 404);
  answer("DELETE", "/v1/world/jobs/1f", 200);
  answer("GET", "/v1/world/jobs/1f/media/output", 200);
  assert.deepEqual(logged, [
    ["info", "request", "GET", 404, "1.3"],
    ["info", "request", "DELETE", 200, "1.3"],
    ["info", "request", "GET", 200, "1.3"],
  ]);
});

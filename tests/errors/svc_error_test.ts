import assert from "node:assert/strict";
import { test } from "node:test";
import { carryError, reviveError } from "../../lib/errors/carried_error.ts";
import { errorTable } from "../../lib/errors/error_table.ts";
import { errorTypes } from "../../lib/errors/error_row.ts";
import { asSvcError, conflict, invalidField, invalidIssue, notFound, SvcError } from "../../lib/errors/svc_error.ts";

test("SvcError takes type, status, remedy and Retry-After from the table", () => {
  const busy = conflict("session_busy", "Cannot move: a job is running");
  assert.deepEqual([busy.type, busy.status, busy.headers], ["conflict_error", 409, {}]);
  assert.equal(busy.remedy, errorTable.session_busy.remedy);
  const stopping = new SvcError("server_stopping", "Cannot take the request", { headers: { "x-other": "1" } });
  assert.deepEqual([stopping.type, stopping.status], ["server_error", 503]);
  assert.deepEqual(stopping.headers, { "retry-after": "5", "x-other": "1" });
  const limited = new SvcError("too_many_event_streams", "No", { headers: { "retry-after": "1" } });
  assert.equal(limited.headers["retry-after"], "1");
});

test("SvcError.toObject() has nothing but what goes over the wire", () => {
  const error = notFound("job_not_found", "Cannot find job", "id");
  assert.deepEqual(error.toObject(), {
    message: "Cannot find job",
    type: "not_found_error",
    code: "job_not_found",
    param: "id",
  });
  const cause = new Error("/home/someone");
  const object = new SvcError("write_failed", "Cannot write", { cause }).toObject();
  assert.deepEqual(object, { message: "Cannot write", type: "server_error", code: "write_failed" });
});

test("invalidField() names the field of a path in its code", () => {
  const codes = (["seed", "messages[0].content", "thinking.type"] as const).map((path) =>
    invalidField(path, "No").code
  );
  assert.deepEqual(codes, ["invalid_seed", "invalid_messages", "invalid_thinking"]);
});

test("invalidField() is a 400 also where another reason has the same code", () => {
  const output = invalidField("output", "Cannot write there");
  assert.deepEqual([output.code, output.type, output.status], ["invalid_output", "invalid_request_error", 400]);
  assert.notEqual(output.remedy, errorTable.invalid_output.remedy);
  const model = new SvcError("invalid_output", "The output is not JSON");
  assert.deepEqual([model.type, model.status], ["server_error", 500]);
});

test("invalidIssue() has the code of its kind", () => {
  const codes = (["missing", "type", "rule"] as const).map((kind) =>
    invalidIssue({ kind, message: "No", param: "a.b" })
  );
  assert.deepEqual(codes.map(({ code, param }) => `${code} ${param}`), [
    "missing_field a.b",
    "wrong_type a.b",
    "invalid_a a.b",
  ]);
});

test("asSvcError() hides what was not written for users", () => {
  const error = new SvcError("session_cold", "Cannot move");
  assert.equal(asSvcError(error), error);
  for (const unexpected of [new Error("/home/someone"), Object.assign(new Error("x"), { code: "model_x" }), "text"]) {
    const hidden = asSvcError(unexpected);
    assert.deepEqual([hidden.code, hidden.status, hidden.cause], ["internal_error", 500, unexpected]);
    assert.doesNotMatch(hidden.message, /someone/);
  }
});

test("carryError() and reviveError() keep an error whole across JSON and structured clones", () => {
  const errors = [
    new SvcError("model_invalid", "Cannot load", { problems: ["a", "b"] }),
    invalidField("output", "Cannot write there"),
    new SvcError("context_length_exceeded", "Too long", { param: "messages" }),
  ];
  for (const error of errors) {
    for (const copy of [structuredClone(carryError(error)), JSON.parse(JSON.stringify(carryError(error)))]) {
      const revived = reviveError(copy);
      assert.ok(revived instanceof SvcError);
      assert.deepEqual(revived.toObject(), error.toObject());
      assert.deepEqual([revived.status, revived.problems, revived.stack], [error.status, error.problems, error.stack]);
    }
  }
  const other = reviveError(structuredClone(carryError(new RangeError("out of range"))));
  assert.ok(!(other instanceof SvcError));
  assert.deepEqual([other.name, other.message], ["RangeError", "out of range"]);
  assert.equal(reviveError(carryError("text")).message, "text");
});

test("every code of the table has a known type, a status of the right class, a meaning and a remedy", () => {
  for (const [code, row] of Object.entries(errorTable)) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/);
    const status = "status" in row ? row.status : errorTypes[row.type].status;
    assert.ok(row.type === "server_error" ? status >= 500 : status >= 400, code);
    for (const sentence of [row.meaning, row.remedy]) assert.match(sentence, /^[A-Z`].*[.]$/, code);
  }
});

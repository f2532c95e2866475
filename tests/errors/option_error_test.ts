import assert from "node:assert/strict";
import { test } from "node:test";
import { carryError, reviveError } from "../../lib/errors/carried_error.ts";
import { optionError, UsageError } from "../../lib/errors/option_error.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";
import { commandLineMessage } from "../../lib/platform/terminal/flags.ts";

test("a library names its options, a command line its flags", () => {
  const error = optionError((name) => `Cannot use ${name("baseModel")} alone: expected ${name("model")}`);
  assert.ok(error instanceof UsageError);
  assert.equal(error.message, "Cannot use `baseModel` alone: expected `model`");
  assert.equal(commandLineMessage(error), "Cannot use --base-model alone: expected --model");
  assert.equal(commandLineMessage(new UsageError("Cannot use `x`")), "Cannot use `x`");
  const other = optionError((name) => `Cannot listen: choose ${name("port")}`, (message) => new RangeError(message));
  assert.ok(other instanceof RangeError);
  assert.equal(commandLineMessage(other), "Cannot listen: choose --port");
});

test("flags that are not called as their options are printed by their own names", () => {
  const printed = (option: string) => commandLineMessage(optionError((name) => `with ${name(option)}`));
  assert.equal(printed("acceptLicense"), "with --accept-model-license");
  assert.equal(printed("maxWaitSeconds"), "with --max-wait");
});

test("an error keeps the options that it names on its way out of a thread or process", () => {
  const sent = optionError(
    (name) => `Cannot open a GPU: none, or use ${name("device")} cpu`,
    (message) => new SvcError("model_device_unavailable", message),
  );
  for (const copy of [structuredClone(carryError(sent)), JSON.parse(JSON.stringify(carryError(sent)))]) {
    const error = reviveError(copy);
    assert.ok(error instanceof SvcError);
    assert.equal(error.message, "Cannot open a GPU: none, or use `device` cpu");
    assert.equal(commandLineMessage(error), "Cannot open a GPU: none, or use --device cpu");
    assert.deepEqual(error.toObject(), sent.toObject());
  }
});

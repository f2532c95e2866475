import assert from "node:assert/strict";
import { test } from "node:test";
import { templateReasoning } from "../../../lib/engines/text/text_capabilities.ts";

const of = (chat: string | undefined) => templateReasoning({ chat, toolUse: undefined, tokens: {} });
const generation = (text: string) => `{{ messages }}{% if add_generation_prompt %}${text}{% endif %}`;

test("templateReasoning() finds a switch", () => {
  const never = "{{ '<think>\\n\\n</think>' }}";
  const expected = { optional: true, levels: [], levelMap: {} };
  assert.deepEqual(of(generation(`<a>{% if enable_thinking is false %}${never}{% endif %}`)), expected);
  assert.deepEqual(of(`{% if not thinking is defined %}{% set thinking = false %}{% endif %}`), expected);
});

test("templateReasoning() finds levels", () => {
  const expected = {
    optional: false,
    levels: ["low", "medium", "high"],
    levelMap: { minimal: "low", xhigh: "high", max: "high" },
  };
  assert.deepEqual(of(`{{ reasoning_effort }}`), expected);
  assert.deepEqual(of(`{{ reasoning_effort }}{{ enable_thinking }}`), { ...expected, optional: true });
});

test("templateReasoning() takes the levels that a template names, and maps others to the nearest", () => {
  const mistral = "{% if reasoning_effort not in ['none', 'high'] %}{{ raise_exception('no') }}{% endif %}";
  const all = { minimal: "high", low: "high", medium: "high", xhigh: "high", max: "high" };
  assert.deepEqual(of(mistral), { optional: true, levels: ["high"], levelMap: all });
  const two = { optional: false, levels: ["low", "max"] };
  const { levelMap, ...found } = of("{% if reasoning_effort in ('low', 'max') %}{% endif %}")!;
  assert.deepEqual(found, two);
  assert.deepEqual(levelMap, { minimal: "low", medium: "low", high: "low", xhigh: "max" });
});

test("templateReasoning() finds models that always think", () => {
  assert.deepEqual(of(generation("<a>\n<think>\n")), { optional: false, levels: [], levelMap: {} });
});

test("templateReasoning() takes thoughts of earlier messages for no thinking", () => {
  assert.equal(of(`{{ message.content.split('</think>') }}{{ message.thinking }}${generation("<a>")}`), undefined);
  assert.equal(of(`{# enable_thinking #}${generation("<a>")}`), undefined);
  assert.equal(of("{{ messages }}"), undefined);
  assert.equal(of(undefined), undefined);
});

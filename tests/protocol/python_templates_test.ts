import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTemplate, renderTemplate } from "../../lib/protocol/templates/bounded_interpreter.ts";
import { ChatTemplate, readChatRequest } from "../../lib/protocol/mod.ts";
// What Jinja 3.1 renders in the environment that transformers 4.57 gives to chat templates.
import golden from "../goldens/data/python_templates.json" with { type: "json" };
import jinjaCases from "../goldens/data/jinja_cases.json" with { type: "json" };

test("renderTemplate() renders what Python renders", () => {
  assert.equal(golden.cases.length, 35);
  for (const [template, expected] of golden.cases) {
    assert.equal(renderTemplate(parseTemplate(template), golden.variables, new Date(0)), expected, template);
  }
});

test("ChatTemplate renders a template that goes through the schema of a list", () => {
  const chat = "{% for tool in tools %}{% for name, field in tool.function.parameters.properties.items() %}" +
    "{% for key, value in field.items() %}{{ name }}.{{ key }} {% endfor %}{% endfor %}{% endfor %}";
  const parameters = { type: "object", properties: { days: { type: "array", items: { type: "string" } } } };
  const request = readChatRequest({
    model: "",
    messages: [{ role: "user", content: "Hi" }],
    tools: [{ type: "function", function: { name: "plan", parameters } }],
  });
  const template = new ChatTemplate({ chat, toolUse: undefined, tokens: {} });
  assert.equal(template.render(request, new Date(0)).text, "days.type days.items ");
});

test("renderTemplate() ends a template that shows a list without bounds", () => {
  const source = "{% set ns = namespace(l=['0123456789']) %}" +
    "{% for i in range(40) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}";
  assert.throws(() => renderTemplate(parseTemplate(source), {}, new Date(0)));
  const self = "{% set l = [] %}{% set _ = l.append(l) %}{{ l }}";
  assert.throws(() => renderTemplate(parseTemplate(self), {}, new Date(0)));
});

test("renderTemplate() keeps what a turn printed before it continued, and differs from Python in no known case", () => {
  assert.ok(jinjaCases.cases.length > 100);
  for (const [template, expected] of jinjaCases.cases as [string, string | null][]) {
    const render = () => renderTemplate(parseTemplate(template), jinjaCases.variables, new Date(2026, 10, 21, 4, 5, 6));
    if (expected === null) assert.throws(render, template);
    else assert.equal(render(), expected, template);
  }
});

test("parseTemplate() names what Jinja has and this server does not support", () => {
  for (
    const [template, what] of [
      ["{{ x | urlize }}", /filter urlize, which this server does not support/],
      ["{% if false %}{{ x | wordwrap(3) }}{% endif %}", /filter wordwrap/],
      ["{% include 'x' %}", /statement include/],
      ["{% block x %}{% endblock %}", /statement block/],
      ["{{ x is odder }}", /test odder, which does not exist/],
    ] as const
  ) {
    assert.throws(() => new ChatTemplate({ chat: template, toolUse: undefined, tokens: {} }), what);
  }
  assert.throws(() => renderTemplate(parseTemplate("{{ 'x'.encode() }}"), {}, new Date(0)), /method encode of texts/);
  assert.throws(() => renderTemplate(parseTemplate("{{ range }}"), {}, new Date(0)), /shows a function/);
});

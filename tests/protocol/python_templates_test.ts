import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTemplate, renderTemplate } from "../../lib/protocol/templates/bounded_interpreter.ts";
import { ChatTemplate, readChatRequest } from "../../lib/protocol/mod.ts";
// What Jinja 3.1 renders in the environment that transformers 4.57 gives to chat templates.
import golden from "../goldens/data/python_templates.json" with { type: "json" };

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

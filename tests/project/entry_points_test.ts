import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const entries: Record<string, string> = JSON.parse(readFileSync(join(root, "deno.json"), "utf8")).exports;
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const published = Object.keys(exports).filter((entry) => !entry.startsWith("./internal/"));

/** Everything that importing a module loads at once: its modules, and its packages and built-in modules. */
function loads(entry: string): { readonly modules: string[]; readonly packages: string[] } {
  const modules = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (modules.has(file)) return;
    modules.add(file);
    const text = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    for (const [, clause, target] of text.matchAll(/^(?:import|export)\b([^;]*?)\bfrom "([^"]+)"/gm)) {
      if (/^\s*type\b/.test(clause)) continue;
      if (target.startsWith(".")) visit(relative(root, resolve(root, dirname(file), target)).split(sep).join("/"));
      else packages.add(target);
    }
  };
  visit(entry.replace("./", ""));
  return { modules: [...modules], packages: [...packages].sort() };
}

test("importing the package loads its errors and nothing else", () => {
  const { modules, packages } = loads(entries["."]);
  assert.deepEqual(packages, []);
  assert.deepEqual(modules.filter((file) => file !== "mod.ts" && !file.startsWith("lib/errors/")), []);
});

for (const entry of ["./client", "./manifest"]) {
  test(`${entry} loads no package and no built-in module`, () => {
    assert.deepEqual(loads(entries[entry]).packages, []);
  });
}

test("every entry point has a page and an example", () => {
  for (const entry of published) {
    const name = entry === "." ? "sdk" : entry.slice(2);
    const page = readFileSync(join(root, "docs", "entry-points", `${name}.md`), "utf8");
    assert.match(page, new RegExp(`examples/${name}\\.ts`), name);
    const lines = readFileSync(join(root, "examples", `${name}.ts`), "utf8").trimEnd().split("\n");
    assert.ok(lines.length <= 60, `examples/${name}.ts has ${lines.length} lines, expected at most 60`);
  }
});

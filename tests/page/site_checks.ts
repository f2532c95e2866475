/**
 * What must hold for all pages of the site.
 *
 * @module
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import type { Page } from "playwright-core";
import { AXE, packageFiles } from "../../scripts/site/package_files.mjs";

/** The pages, except for the walk. */
export function pagesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".html") && !name.startsWith("walk/"))
    .sort();
}

/** Links and files of pages that lead nowhere, and what would be asked of another server. */
export function brokenLinks(folder: string): string[] {
  const ids = new Map<string, Set<string>>();
  const idsOf = (path: string): Set<string> => {
    const known = ids.get(path) ??
      new Set([...readFileSync(join(folder, path), "utf8").matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
    ids.set(path, known);
    return known;
  };
  return pagesOf(folder).flatMap((page) => {
    const html = readFileSync(join(folder, page), "utf8");
    return [...html.matchAll(/<(\w+)[^>]* (?:href|src)="([^"]*)"/g)].flatMap(([, tag, target]) => {
      if (/^[a-z]+:/.test(target)) return tag === "a" ? [] : [`${page}: ${target}`];
      const [path, hash] = target.split("#");
      let file = path === "" ? page : posix.join(posix.dirname(page), path);
      if (existsSync(join(folder, file)) && statSync(join(folder, file)).isDirectory()) file = join(file, "index.html");
      const isThere = existsSync(join(folder, file)) && (hash === undefined || idsOf(file).has(hash));
      return isThere ? [] : [`${page}: ${target}`];
    });
  });
}

/** Violations of the rules of axe on the page as it is. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(new URL("axe.min.js", packageFiles(AXE)), "utf8"));
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
  });
}

interface Axe {
  run(root: Document, options: object): Promise<{
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  }>;
}

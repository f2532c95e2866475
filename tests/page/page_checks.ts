/**
 * Rules of accessibility, checked in a page.
 *
 * @module
 */
import type { Page } from "playwright-core";

/** Controls and pictures that can be seen but have no name. */
export async function findUnnamed(page: Page): Promise<string[]> {
  const unnamed: string[] = [];
  for (const found of await page.locator("button, input, textarea, video, progress, [role=button], [role=img]").all()) {
    if (!await found.isVisible()) continue;
    const snapshot = await found.ariaSnapshot();
    if (!/"[^"]+"|: \S/.test(snapshot) && !await found.getAttribute("aria-label")) unnamed.push(snapshot);
  }
  return unnamed;
}

/** Texts that can be seen but stand out from what is behind them by less than 4.5 to 1 (WCAG 2.2, 1.4.3). */
export async function findLowContrast(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: { readonly text: string; readonly color: string; readonly behind: readonly string[] }[] = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      const text = node.textContent!.trim();
      const parent = node.parentElement!;
      // Marks of the map are shapes with their own colours; what is disabled may be faint.
      if (!text || !parent.checkVisibility({ visibilityProperty: true }) || parent.closest("svg, :disabled")) continue;
      const behind: string[] = [];
      for (let at: Element | null = parent; at; at = at.parentElement) {
        behind.unshift(getComputedStyle(at).backgroundColor);
      }
      found.push({ text, color: getComputedStyle(parent).color, behind });
    }
    return found;
  });
  return texts.flatMap(({ text, color, behind }) => {
    const ground = behind.reduce(paintOver, [255, 255, 255]);
    const [high, low] = [luminance(paintOver(ground, color)), luminance(ground)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    return ratio < 4.5 ? [`${text}: ${ratio.toFixed(2)}`] : [];
  });
}

/** What of one part of a page lies over a part where it does not belong. */
export function findOverlaps(page: Page, part: string, others: string): Promise<string[]> {
  return page.evaluate(([part, others]) => {
    const boxes = [...document.querySelectorAll(others)].map((other) => other.getBoundingClientRect());
    return [...document.querySelectorAll(`${part} *`)].flatMap((element) => {
      const { left, right, top, bottom, width } = element.getBoundingClientRect();
      const lies = boxes.some((box) => left < box.right && right > box.left && top < box.bottom && bottom > box.top);
      return width > 0 && lies ? [element.outerHTML.slice(0, 80)] : [];
    });
  }, [part, others] as const);
}

/** A computed colour, `rgb(…)` or `rgba(…)`, over another. */
function paintOver(below: readonly number[], color: string): number[] {
  const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g)!.map(Number);
  return [red, green, blue].map((value, i) => alpha * value + (1 - alpha) * below[i]);
}

/** Relative luminance of an sRGB colour of 0 to 255 (WCAG 2.2). */
function luminance(color: readonly number[]): number {
  const [red, green, blue] = color.map((value) => {
    const c = value / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * The page that shows the result of a vision command without a network.
 *
 * @module
 */
import { visionHtml, visionScript, visionStyle } from "../../vision-page/generated.ts";

/** A picture or video to show. */
export interface ViewerPicture {
  readonly path: string;
  readonly caption: string;
  readonly video: boolean;
}

/** What the page shows. */
export interface ViewerContent {
  readonly title: string;
  readonly summary: string;
  readonly kind: "points" | "mesh" | "none";
  /** A PLY of our own, if it is small enough to be put into the page. */
  readonly ply?: Uint8Array | undefined;
  /** y is down and z forward, as cameras see. */
  readonly upsideDown?: boolean;
  readonly pictures: readonly ViewerPicture[];
  /** Paths beside the page. */
  readonly files: readonly string[];
  readonly facts: readonly (readonly [name: string, value: string])[];
}

/** The whole page in one file. Places are in braces, within a comment or a string where the language needs one. */
export async function viewerPage({ title, ply, ...content }: ViewerContent): Promise<string> {
  const data = { ...content, ...(ply && { ply: base64(ply) }) };
  const parts: Readonly<Record<string, string>> = {
    title: title.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`),
    style: visionStyle,
    // A script ends at this text, even in a string.
    data: JSON.stringify(data).replaceAll("<", "\\u003c"),
    script: await inflated(visionScript),
  };
  return visionHtml.replace(/(?:\/\* |\/\/ |")?\{\{ ?(\w+) ?\}\}(?: \*\/|")?/g, (_, name: string) => parts[name]);
}

/** The text that was deflated and put into base64. */
async function inflated(packed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

const BASE64_PART = 3 * 4096;

function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += BASE64_PART) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + BASE64_PART))));
  }
  return parts.join("");
}

/** Bytes of a cloud or a mesh in a page, at most. */
const MAX_PAGE_BYTES: number = 24 * 2 ** 20;

/**
 * A binary PLY of points, as `encodePly` writes it, thinned out evenly to at most `maxBytes`; a mesh of more is undefined.
 */
export function thinPoints(ply: Uint8Array, maxBytes: number = MAX_PAGE_BYTES): Uint8Array | undefined {
  if (ply.length <= maxBytes) return ply;
  const end = "end_header\n";
  const text = new TextDecoder("latin1").decode(ply.subarray(0, 1024));
  const start = text.indexOf(end) + end.length;
  const [, number] = /element vertex (\d+)/.exec(text) ?? [];
  if (start < end.length || number === undefined || text.includes("element face")) return undefined;
  const count = Number(number);
  const stride = (ply.length - start) / count;
  const step = Math.ceil(ply.length / maxBytes);
  const kept = Math.ceil(count / step);
  const head = new TextEncoder().encode(text.slice(0, start).replace(/element vertex \d+/, `element vertex ${kept}`));
  const out = new Uint8Array(head.length + kept * stride);
  out.set(head);
  for (let i = 0; i < kept; i++) {
    const from = start + i * step * stride;
    out.set(ply.subarray(from, from + stride), head.length + i * stride);
  }
  return out;
}

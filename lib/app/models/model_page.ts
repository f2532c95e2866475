/**
 * The page of the model server, unpacked.
 *
 * @module
 */
import { packedPage } from "../../../api-page/generated.ts";
import type { ServedPage } from "../../http/page_routes.ts";

/** What is packed. */
interface PageParts extends Pick<ServedPage, "html" | "style" | "script" | "icon"> {
  /** The document of the API reference. */
  readonly docs: string;
}

/** The page at `/`, and the API reference at `/docs`. */
export async function modelPage(): Promise<ServedPage> {
  const bytes = Uint8Array.from(atob(packedPage), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const { docs, ...page } = await new Response(stream).json() as PageParts;
  return { ...page, others: { "/docs": docs } };
}

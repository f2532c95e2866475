/**
 * The page of the model server, unpacked.
 *
 * @module
 */
import { packedPage } from "../../../api-page/generated.ts";
import { unpackText } from "../../http/packed_text.ts";
import type { ServedPage } from "../../http/page_routes.ts";

/** What is packed. */
interface PageParts extends Pick<ServedPage, "html" | "style" | "script" | "icon"> {
  /** The document of the API reference. */
  readonly docs: string;
}

/** The page at `/`, and the API reference at `/docs`. */
export async function modelPage(): Promise<ServedPage> {
  const { docs, ...page } = JSON.parse(await unpackText(packedPage)) as PageParts;
  return { ...page, others: { "/docs": docs } };
}

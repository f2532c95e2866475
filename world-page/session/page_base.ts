/** Where the world of a page is: below any path, such as `/worlds/<id>/`, or behind a proxy that takes one away. */
export function baseOf(page: string): string {
  return new URL(".", page).href.replace(/\/$/, "");
}

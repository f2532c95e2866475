/** A ZIP archive of plain files, with the defects that tests need. */
export function storedZip(
  files: readonly (readonly [name: string, bytes: Uint8Array])[],
  wrong: {
    readonly method?: number;
    readonly flags?: number;
    /** All entries name the header of the first. */
    readonly overlap?: boolean;
    /** Added to the sizes in the directory. */
    readonly extraSize?: number;
    /** What the directory says it has. */
    readonly count?: number;
  } = {},
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const [name, bytes] of files) {
    const text = new TextEncoder().encode(name);
    const local = new Uint8Array(30 + text.length);
    const head = new DataView(local.buffer);
    head.setUint32(0, 0x04034b50, true);
    head.setUint32(18, bytes.length, true);
    head.setUint32(22, bytes.length, true);
    head.setUint16(26, text.length, true);
    local.set(text, 30);
    const entry = new Uint8Array(46 + text.length);
    const view = new DataView(entry.buffer);
    view.setUint32(0, 0x02014b50, true);
    view.setUint16(8, wrong.flags ?? 0, true);
    view.setUint16(10, wrong.method ?? 0, true);
    const size = bytes.length + (wrong.extraSize ?? 0);
    view.setUint32(20, size, true);
    view.setUint32(24, size, true);
    view.setUint16(28, text.length, true);
    view.setUint32(42, wrong.overlap ? 0 : at, true);
    entry.set(text, 46);
    parts.push(local, bytes);
    directory.push(entry);
    at += local.length + bytes.length;
  }
  const length = directory.reduce((sum, { length }) => sum + length, 0);
  const end = new Uint8Array(22);
  const view = new DataView(end.buffer);
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(10, wrong.count ?? files.length, true);
  view.setUint32(12, length, true);
  view.setUint32(16, at, true);
  const all = [...parts, ...directory, end];
  const out = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of all) {
    out.set(part, place);
    place += part.length;
  }
  return out;
}

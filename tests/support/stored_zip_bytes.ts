import { crc32 } from "../../lib/media/images/bytes.ts";

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
    /** Sizes and places in 64 bits, as archives of 4 GiB have them. */
    readonly wide?: boolean;
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
    view.setUint32(16, crc32(bytes), true);
    view.setUint32(20, size, true);
    view.setUint32(24, size, true);
    view.setUint16(28, text.length, true);
    view.setUint32(42, wrong.overlap ? 0 : at, true);
    entry.set(text, 46);
    parts.push(local, bytes);
    directory.push(entry);
    if (wrong.wide) directory.push(widened(view));
    at += local.length + bytes.length;
  }
  const length = directory.reduce((sum, { length }) => sum + length, 0);
  const wide = wrong.wide ? wideEnd(files.length, length, at) : [];
  const end = new Uint8Array(22);
  const view = new DataView(end.buffer);
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(10, wrong.wide ? 0xffff : wrong.count ?? files.length, true);
  view.setUint32(12, wrong.wide ? 0xffffffff : length, true);
  view.setUint32(16, wrong.wide ? 0xffffffff : at, true);
  const all = [...parts, ...directory, ...wide, end];
  const out = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of all) {
    out.set(part, place);
    place += part.length;
  }
  return out;
}

/** Moves the sizes and the place of an entry to its extra field, which follows. */
function widened(entry: DataView): Uint8Array {
  const extra = new DataView(new ArrayBuffer(28));
  extra.setUint16(0, 1, true);
  extra.setUint16(2, 24, true);
  for (const [i, at] of [24, 20, 42].entries()) {
    extra.setBigUint64(4 + 8 * i, BigInt(entry.getUint32(at, true)), true);
    entry.setUint32(at, 0xffffffff, true);
  }
  entry.setUint16(30, 28, true);
  return new Uint8Array(extra.buffer);
}

/** The end of a directory in 64 bits, and where it is. */
function wideEnd(count: number, length: number, at: number): Uint8Array[] {
  const end = new DataView(new ArrayBuffer(56));
  end.setUint32(0, 0x06064b50, true);
  end.setBigUint64(4, 44n, true);
  for (const [i, value] of [count, count, length, at].entries()) end.setBigUint64(24 + 8 * i, BigInt(value), true);
  const locator = new DataView(new ArrayBuffer(20));
  locator.setUint32(0, 0x07064b50, true);
  locator.setBigUint64(8, BigInt(at + length), true);
  locator.setUint32(16, 1, true);
  return [end, locator].map(({ buffer }) => new Uint8Array(buffer));
}

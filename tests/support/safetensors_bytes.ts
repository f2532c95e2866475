/** A safetensors file made of any header text and any data, so that tests can write what no writer would. */
export function safetensorsBytes(header: string, data: Uint8Array | number = 0): Uint8Array {
  const json = new TextEncoder().encode(header);
  const body = typeof data === "number" ? new Uint8Array(data) : data;
  const bytes = new Uint8Array(8 + json.length + body.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true);
  bytes.set(json, 8);
  bytes.set(body, 8 + json.length);
  return bytes;
}

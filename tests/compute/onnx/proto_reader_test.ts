import assert from "node:assert/strict";
import { test } from "node:test";
import { protoText, ProtoWriter, readPlace, readProto } from "../../../lib/compute/onnx/proto.ts";

test("readProto() reads what ProtoWriter writes", () => {
  const inner = new ProtoWriter().string(1, "näme").int(3, 2 ** 40);
  const message = new ProtoWriter().int(1, 0).float(2, 1.5).message(16, inner).bytes(5, new Uint8Array(300)).finish();
  const fields = [...readProto(message)];
  assert.deepEqual(fields.map(({ field, number, bytes }) => [field, number, bytes.length]), [
    [1, 0, 0],
    [2, 0, 4],
    [16, 0, inner.finish().length],
    [5, 0, 300],
  ]);
  const [name, value] = readProto(fields[2].bytes);
  assert.deepEqual([protoText(name), value.number], ["näme", 2 ** 40]);
  const copy = new ProtoWriter();
  for (const { whole } of fields) copy.fields(whole);
  assert.deepEqual(copy.finish(), message);
});

test("readProto() refuses an invalid message", () => {
  const read = (...bytes: number[]) => [...readProto(Uint8Array.from(bytes))];
  assert.throws(() => read(0x08), /it ends within the field at byte 1/);
  assert.throws(() => read(0x12, 5, 1), /it ends within the field at byte 0/);
  assert.throws(() => read(0x00), /byte 0 has field 0/);
  assert.throws(() => read(0x0b), /byte 0 has wire type 3/);
  assert.throws(() => read(0x08, ...Array(11).fill(255)), /the number at byte 1 has no end/);
});

test("readPlace() finds fields whose bytes are elsewhere", () => {
  const place = readPlace(Uint8Array.of(0x0a, 0x80, 0x80, 0x01), 0);
  assert.deepEqual(place, { field: 1, number: 0, start: 4, end: 4 + 16384 });
});

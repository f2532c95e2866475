import assert from "node:assert/strict";
import { test } from "node:test";
import { type NamedMark, type PinName, pinNames } from "../../world-page/map/pin_names.ts";

const SIZE = { width: 320, height: 240 };
const widthOf = (text: string): number => 7 * text.length;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function boxOf({ x, y }: NamedMark, { left, baseline, width }: PinName): Box {
  return { left: x + left, top: y + baseline - 11, right: x + left + width, bottom: y + baseline + 3 };
}

function placed(marks: readonly NamedMark[]): Map<string, { readonly name: PinName; readonly box: Box }> {
  const names = pinNames(marks, SIZE, widthOf);
  return new Map(marks.flatMap((mark) => {
    const name = names.get(mark.id);
    return name ? [[mark.id, { name, box: boxOf(mark, name) }] as const] : [];
  }));
}

const pin = (id: string, x: number, y: number, name = id): NamedMark => ({ id, x, y, name });

test("pinNames() writes a name to the right of its pin, and to the left where the drawing ends", () => {
  const names = placed([pin("in the middle", 100, 100), pin("at the right", 310, 200)]);
  assert.ok(names.get("in the middle")!.name.left > 0);
  const { box } = names.get("at the right")!;
  assert.ok(box.right < 310 && box.left > 0);
});

test("pinNames() writes the names of pins in one place above each other, the first one nearest", () => {
  const marks = Array.from({ length: 8 }, (_, i) => pin(`place ${i}`, 160, 200));
  const boxes = [...placed(marks).values()].map(({ box }) => box);
  assert.equal(boxes.length, 8);
  for (const [i, one] of boxes.entries()) {
    for (const other of boxes.slice(i + 1)) {
      assert.ok(
        one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top,
      );
    }
  }
  assert.ok(boxes[0].bottom >= boxes[7].bottom);
});

test("pinNames() keeps names off other marks where there is room beside them", () => {
  const dot = { id: "dot", x: 130, y: 90 };
  const { name } = placed([pin("a name", 100, 100), dot]).get("a name")!;
  assert.ok(name.left < 0);
  assert.ok(placed([pin("a name", 100, 100)]).get("a name")!.name.left > 0);
});

test("pinNames() leaves out the names of pins that are not in the drawing, and those without room", () => {
  const crowd = Array.from({ length: 30 }, (_, i) => pin(`place ${i}`, 160, 120));
  const names = placed([...crowd, pin("above", 160, -20), pin("beside", -100, 100), pin("far", 1e9, -1e9)]);
  assert.ok(names.size >= 10 && names.size < 30);
  for (const id of ["above", "beside", "far"]) assert.ok(!names.has(id), id);
});

test("pinNames() shortens a long name, and cuts no character of several code points", () => {
  const family = "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}";
  const text = (name: string): string => pinNames([pin("a", 160, 120, name)], SIZE, () => 50).get("a")!.text;
  assert.equal(text("eighteen character"), "eighteen character");
  assert.equal(text("nineteen characters"), "nineteen characte…");
  assert.equal(text(family.repeat(18)), family.repeat(18));
  assert.equal(text(family.repeat(19)), `${family.repeat(17)}…`);
});

"""What people may write about a corridor, and the byte-level BPE that reads it."""
import json
import random

import pictures as P

SAME = {"red": ["crimson", "scarlet"], "orange": ["amber"], "yellow": ["golden"], "green": ["emerald"],
        "teal": ["turquoise", "cyan"], "blue": ["azure"], "purple": ["violet"], "white": ["pale"],
        "dark": ["gloomy", "dim", "at night", "unlit"], "bright": ["light", "sunny", "well lit", "in daylight"]}
PLACES = ["hall", "hallway", "passage", "tunnel", "room"]
# Words that change nothing here; a prompt may well have them.
OTHERS = ("long endless narrow wide old new empty quiet photo picture view of the an in very inside looking along down "
          "through realistic detailed beautiful high quality render hotel school office building floor ceiling carpet "
          "rug wooden stone painted some many rows closed soft please make it show me draw image scene place house "
          "museum castle ship station cinematic style 3d art walls and").split()
USUAL = "a {wall} {place} with {door} doors and warm lamps, {light}"
FORMS = ["{article}{wall} {place} with {door} doors, {light}", "{wall} {place}, {door} doors, {light}",
         "{article}{light} {wall} {place} with {door} doors", "{article}{light} {place} with {wall} walls and {door} doors",
         "{article}{place} with {wall} walls and {door} doors, {light}", "{wall} walls, {door} doors, {light}",
         "{article}{place} with {door} doors and {wall} walls, {light}",
         "make the walls {wall} and the doors {door}, {light}", "{article}{wall} {place} with {door} doors and lamps, {light}"]
NO_LIGHT = ["{article}{wall} {place} with {door} doors and warm lamps", "{article}{wall} {place} with {door} doors",
            "{wall} walls, {door} doors"]
NO_DOOR = ["{article}{wall} {place}, {light}", "{article}{light} {wall} {place}", "{wall} walls, {light}"]


def usual(wall, door, light):
    return USUAL.format(wall=wall, door=door, light=light, place="corridor")


def describe(wall, door, light, rng):
    """A caption of a picture, six in ten the usual one, and whether it says [wall, door, light]."""
    if rng.random() < .55:
        return usual(wall, door, light), [True, True, True]
    pick = rng.random()
    form = rng.choice(FORMS if pick < .74 else NO_LIGHT if pick < .87 else NO_DOOR)
    name = lambda word: rng.choice(SAME[word]) if rng.random() < .15 else word
    text = form.format(wall=name(wall), door=name(door), light=name(light), article=rng.choice(["a ", "", "the "]),
                       place=rng.choice(PLACES) if rng.random() < .3 else "corridor")
    if rng.random() < .2:
        others = rng.sample(OTHERS, rng.randint(1, 3))
        text = f"{' '.join(others)} {text}" if rng.random() < .5 else f"{text}, {' '.join(others)}"
    if rng.random() < .1:
        text = text.capitalize()
    return text + ("." if rng.random() < .1 else ""), [f"{{{part}}}" in form for part in ("wall", "door", "light")]


# ------------------------------------------------------------------------------------------------ tokenizer
CONTROLS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
TEMPLATE = ("{%- for message in messages %}{{- '<|im_start|>' + message.content + '<|im_end|>' }}{%- endfor %}")


def byte_characters():
    """GPT-2's printable characters for all bytes."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [b for b in range(256) if b not in plain]
    table = {b: chr(b) for b in plain} | {b: chr(256 + i) for i, b in enumerate(rest)}
    return [table[b] for b in range(256)]


def learn_merges(words):
    """Merges that make one token of every word, the most frequent pair first."""
    splits, merges = [list(word) for word in words], []
    while True:
        pairs = {}
        for split in splits:
            for pair in zip(split, split[1:]):
                pairs[pair] = pairs.get(pair, 0) + 1
        if not pairs:
            return merges
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        for split in splits:
            i = 0
            while i < len(split) - 1:
                if (split[i], split[i + 1]) == best:
                    split[i:i + 2] = ["".join(best)]
                i += 1


def vocabulary_words():
    words = {"corridor", "corridors", "with", "doors", "door", "lamps", "warm", "cold", "walls", "wall", "night", "day",
             "daylight", "lit", "well", "at", *PLACES, *P.NAMES, *P.LIGHT_NAMES, *OTHERS}
    for same in SAME.values():
        words.update(word for phrase in same for word in phrase.split())
    words |= {word + ending for word in ("hall", "room", "lamp", "color", "colour", "light") for ending in ("", "s")}
    first = {word for word in words if word in P.NAMES or word in ("a", "the", "an", "corridor", "make", "dark", "bright")}
    return sorted("\u0120" + word for word in words) + sorted(first) + ["\u0120a", "A"]


class Tokenizer:
    def __init__(self):
        self.merges = learn_merges(vocabulary_words())
        tokens = byte_characters() + ["".join(pair) for pair in self.merges]
        self.row = {token: i for i, token in enumerate(dict.fromkeys(tokens))}
        self.controls = {text: len(self.row) + i for i, text in enumerate(CONTROLS)}
        self.size = len(self.row) + len(CONTROLS)

    def json(self):
        level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
        added = [{"id": i, "content": text, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
                  "special": True} for text, i in self.controls.items()]
        return {"version": "1.0", "added_tokens": added, "normalizer": None,
                "pre_tokenizer": {**level, "use_regex": True}, "post_processor": None, "decoder": level,
                "model": {"type": "BPE", "vocab": self.row, "merges": [" ".join(pair) for pair in self.merges]}}

    def open(self):
        from tokenizers import Tokenizer as Reader
        return Reader.from_str(json.dumps(self.json()))


if __name__ == "__main__":
    tokenizer, rng = Tokenizer(), random.Random(1)
    print(tokenizer.size, "tokens,", len(tokenizer.merges), "merges")
    for _ in range(20):
        print(*describe("teal", "orange", "dark", rng))

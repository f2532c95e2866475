"""What people may write about a corridor or a courtyard, and the byte-level BPE that reads it."""
import json
import random

import pictures as P

HUES = {"red": ["crimson", "scarlet"], "orange": ["amber"], "yellow": ["golden"], "green": ["emerald"],
        "teal": ["turquoise", "cyan"], "blue": ["azure"], "purple": ["violet"], "white": ["pale"]}
SAME = {"corridor": {**HUES, "dark": ["gloomy", "dim", "at night", "unlit"],
                     "bright": ["light", "sunny", "well lit", "in daylight"]},
        "courtyard": {**HUES, "sandstone": ["limestone"], "brick": ["bricks"], "granite": ["grey"],
                      "dusk": ["at dusk", "at sunset", "in the evening", "sunset", "evening", "dark", "at night"],
                      "day": ["by day", "sunny", "bright", "in daylight", "well lit", "in the day"]}}
NOUNS = {"corridor": ["hall", "hallway", "passage", "tunnel", "room"],
         "courtyard": ["court", "patio", "cloister", "plaza", "yard"]}
ARCADES = ["arches", "columns", "arcade"]
# Words that change nothing here; a prompt may well have them.
OTHERS = ("long endless narrow wide old new empty quiet photo picture view of the an in very inside looking along down "
          "through realistic detailed beautiful high quality render hotel school office building floor ceiling carpet "
          "rug wooden stone painted some many rows closed soft please make it show me draw image scene place house "
          "museum castle ship station cinematic style 3d art walls and").split()
# Without those that a courtyard does not have, and "stone", which says something there.
NOT_OF_COURTS = "narrow inside along hotel ceiling carpet rug stone closed walls".split()
COURT_OTHERS = [word for word in OTHERS if word not in NOT_OF_COURTS] + ["sky"]
USUAL = {"corridor": "a {wall} {place} with {door} doors and warm lamps, {light}",
         "courtyard": "a {stone} {place} with {hue} {arcades} and a {well} {fountain}, {light}"}
FORMS = {
    "corridor": [
        "{article}{wall} {place} with {door} doors, {light}", "{wall} {place}, {door} doors, {light}",
        "{article}{light} {wall} {place} with {door} doors", "{article}{light} {place} with {wall} walls and {door} doors",
        "{article}{place} with {wall} walls and {door} doors, {light}", "{wall} walls, {door} doors, {light}",
        "{article}{place} with {door} doors and {wall} walls, {light}",
        "make the walls {wall} and the doors {door}, {light}",
        "{article}{wall} {place} with {door} doors and lamps, {light}"],
    "courtyard": [
        "{article}{stone} {place} with {hue} {arcades} and a {well} {fountain}, {light}",
        "{article}{place} with {hue} {arcades}, {stone} walls and a {well} {fountain}, {light}",
        "{article}{light} {stone} {place} with {hue} {arcades} and a {well} {fountain}",
        "{stone} {place}, {hue} {arcades}, {well} {fountain}, {light}",
        "{article}{place} of {stone} with a {well} {fountain} and {hue} {arcades}, {light}",
        "{article}{stone} {place} {light} with {hue} {arcades} and a {well} {fountain}",
        "make the {arcades} {hue} and the walls {stone}, a {well} {fountain}, {light}"]}
# Forms that leave something out, in turn.
FEWER = {
    "corridor": [
        ["{article}{wall} {place} with {door} doors and warm lamps", "{article}{wall} {place} with {door} doors",
         "{wall} walls, {door} doors"],
        ["{article}{wall} {place}, {light}", "{article}{light} {wall} {place}", "{wall} walls, {light}"]],
    "courtyard": [
        ["{article}{stone} {place} with {hue} {arcades} and a {well} {fountain}",
         "{article}{stone} {place} with {hue} {arcades}", "{article}{place} with {hue} {arcades}"],
        ["{article}{stone} {place} with {hue} {arcades}, {light}", "{article}{place} with {hue} {arcades}, {light}",
         "{article}{place} with {hue} {arcades} and a {well} {fountain}, {light}",
         "{article}{stone} {place} with a {well} {fountain}, {light}", "{article}{stone} {place}, {light}",
         "{article}{place}, {light}"]]}


def names_of(label):
    """A label of pictures.py -> place, {part: name}"""
    names = {part: (place, words[i]) for (place, part, words), i in zip(P.PARTS, label) if i >= 0}
    return next(iter(names.values()))[0], {part: name for part, (_, name) in names.items()}


def usual(place, **names):
    return USUAL[place].format(**names, place=place, arcades="arcades", fountain="well")


def describe(place, names, rng):
    """A caption of a picture, six in ten the usual one, and the parts that it says."""
    if rng.random() < .55:
        return usual(place, **names), set(names)
    pick = rng.random()
    form = rng.choice(FORMS[place] if pick < .74 else FEWER[place][0] if pick < .87 else FEWER[place][1])
    name = lambda word: rng.choice(SAME[place][word]) if word in SAME[place] and rng.random() < .15 else word
    words = {part: name(word) for part, word in names.items()}
    text = form.format(**words, article=rng.choice(["a ", "", "the "]),
                       place=rng.choice(NOUNS[place]) if rng.random() < .3 else place,
                       arcades=rng.choice(ARCADES) if rng.random() < .3 else "arcades",
                       fountain="fountain" if rng.random() < .15 else "well")
    if rng.random() < .2:
        others = rng.sample(OTHERS if place == "corridor" else COURT_OTHERS, rng.randint(1, 3))
        text = f"{' '.join(others)} {text}" if rng.random() < .5 else f"{text}, {' '.join(others)}"
    if rng.random() < .1:
        text = text.capitalize()
    return text + ("." if rng.random() < .1 else ""), {part for part in names if f"{{{part}}}" in form}


# ------------------------------------------------------------------------------------------------ tokenizer
CONTROLS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
FIRST = ("a", "the", "an", "corridor", "courtyard", "make", "dark", "bright")   # words that may begin a prompt
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
             "daylight", "lit", "well", "at", "courtyard", "courtyards", "arcades", "fountain", "by", *ARCADES, *OTHERS,
             *COURT_OTHERS, *(word for _, _, names in P.PARTS for word in names)}
    words.update(word for nouns in NOUNS.values() for word in nouns)
    words.update(word for table in SAME.values() for same in table.values() for phrase in same for word in phrase.split())
    words |= {word + ending for word in ("hall", "room", "lamp", "color", "colour", "light") for ending in ("", "s")}
    first = {word for word in words if word in P.NAMES or word in P.CY.STONE_NAMES or word in FIRST}
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
    for label in [(4, 1, 0, -1, -1, -1, -1), (-1, -1, -1, 0, 5, 1, 0)]:
        for _ in range(20):
            print(*describe(*names_of(label), rng))

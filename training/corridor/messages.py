"""What the two-stream model reads: a prompt as JSON in a chat, and a byte-level BPE tokenizer learned on such texts.

Token ids up to 21 are those of the published snapshots. Merges may cross blanks: the JSON around a prompt is always the
same and becomes a few tokens.
"""
import itertools
import json

import scenes as SC

FRAMING = "This video is captured from a first-person perspective looking at the scene."
ASPECTS = {"1,1": 1, "4,3": 4 / 3, "3,4": 3 / 4, "16,9": 16 / 9, "9,16": 9 / 16}
NAMED = {0: "<unk>", 1: "<s>", 2: "</s>", 10: "<|im_start|>", 11: "<|im_end|>", 12: "<think>", 13: "</think>",
         18: "<|video_pad|>", 19: "<|image_pad|>", 20: "<|vision_start|>", 21: "<|vision_end|>"}
SPECIAL = [NAMED.get(i, f"<|reserved_{i}|>") for i in range(22)]
END, VISION = 11, 20


def byte_letters():
    """A printable letter for every byte, as byte-level tokenizers write them."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters, spare = {}, itertools.count(256)
    for byte in range(256):
        letters[byte] = chr(byte if byte in plain else next(spare))
    return letters


LETTERS = byte_letters()


def message(prompt, frames=17, fps=16, width=96, height=64):
    text = prompt.strip()
    text = text if text == "" or text[-1] in ".!?" else text + "."
    seconds = frames / fps
    end = round(seconds)
    return json.dumps({
        "cinematography": {"framing": FRAMING},
        "actions": [{"time": f"0:00-{end // 60}:{end % 60:02d}", "description": text}],
        "duration": f"{int(seconds)}s", "fps": float(fps), "resolution": {"H": height, "W": width},
        "aspect_ratio": min(ASPECTS, key=lambda name: abs(ASPECTS[name] - width / height))})


def pieces(text):
    """A chat that holds nothing but the message: special tokens by id, the text between them as letters."""
    words = [10, "system\n", 11, "\n", 10, f"user\n{text}", 11, "\n", 10, "assistant\n", 12, "\n", END, VISION]
    return [w if isinstance(w, int) else tuple(LETTERS[b] for b in w.encode()) for w in words]


def learn_merges(texts, count):
    """The `count` most frequent pairs, one after the other; texts {tuple of letters: how often}."""
    words, merges = {w: list(w) for w in texts}, []
    while len(merges) < count:
        seen = {}
        for word, parts in words.items():
            for pair in zip(parts, parts[1:]):
                seen[pair] = seen.get(pair, 0) + texts[word]
        best = max(seen, key=lambda pair: (seen[pair], len(pair[0]) + len(pair[1]), pair), default=None)
        if best is None:
            break
        merges.append(best)
        for word, parts in words.items():
            words[word] = merge(parts, best)
    return merges


def merge(parts, pair):
    out, i = [], 0
    while i < len(parts):
        if tuple(parts[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(parts[i])
            i += 1
    return out


def corpus():
    """Messages as sessions send them: mostly the default size and rate."""
    texts = {}
    colours = [(w, d) for w in SC.NAMES for d in SC.NAMES if w != d]
    for i, ((wall, door), light) in enumerate(itertools.product(colours, SC.LIGHT_NAMES)):
        prompt = f"a {wall} corridor with {door} doors and warm lamps, {light}"
        shapes = [(17, 16, 96, 64)] * 6 + [(17, (8, 12, 24, 30)[i % 4], 96, 64), ((5, 33)[i % 2], 16, 96, 64),
                                           (17, 16, *((128, 96), (192, 128), (320, 176))[i % 3])]
        for shape in shapes:
            for word in pieces(message(prompt, *shape)):
                if not isinstance(word, int):
                    texts[word] = texts.get(word, 0) + 1
    return texts


class MessageTokenizer:
    def __init__(self, merges):
        self.merges = [tuple(m) for m in merges]
        self.rank = {pair: i for i, pair in enumerate(self.merges)}
        self.vocab = SPECIAL + [LETTERS[b] for b in range(256)] + [a + b for a, b in self.merges]
        self.row = {piece: i for i, piece in enumerate(self.vocab)}

    @classmethod
    def load(cls, path):
        with open(path) as file:
            return cls(json.load(file)["model"]["merges"])

    def __call__(self, text):
        """-> token ids of the chat around a message, with the end of text and the start of vision behind it"""
        ids = []
        for word in pieces(text):
            ids += [word] if isinstance(word, int) else [self.row[p] for p in self.split(word)]
        return ids

    def split(self, word):
        parts = list(word)
        while True:
            pair = min(zip(parts, parts[1:]), key=lambda p: self.rank.get(p, 10**9), default=None)
            if pair not in self.rank:
                return parts
            parts = merge(parts, pair)

    def save(self, path):
        added = [{"id": i, "content": piece, "single_word": False, "lstrip": False, "rstrip": False,
                  "normalized": False, "special": True} for i, piece in enumerate(SPECIAL)]
        level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
        with open(path, "w") as file:
            json.dump({"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None,
                       "pre_tokenizer": level, "post_processor": None, "decoder": level,
                       "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                                 "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
                                 "vocab": self.row, "merges": [list(m) for m in self.merges]}}, file)
            file.write("\n")

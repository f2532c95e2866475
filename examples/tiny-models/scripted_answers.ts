/**
 * What a scripted model says to what.
 *
 * @module
 */

/** An answer, and the last messages that it is given to. */
export interface ScriptedAnswer {
  /** A text within the last message, whatever the case of its letters; the empty one is within every message. */
  readonly when: string;
  /** The role of the last message, where only one will do. */
  readonly role?: "user" | "tool";
  /** Whether the answer is only given when tools are offered. */
  readonly withTools?: boolean;
  /** What the model thinks first, unless thinking is switched off. */
  readonly thought?: string;
  readonly say: string;
  /** Whether the answer begins again at its end, for ever. */
  readonly endless?: boolean;
}

const story = `Once upon a time a small model lived in a quiet room beside a river. It had learned only a few words, ` +
  `yet every evening somebody came by and asked it for a story. So it spoke of lanterns drifting over dark water, of ` +
  `gulls who argued about maps, of bakers that measured flour by moonlight. Some nights the listeners laughed; others ` +
  `fell asleep before anything happened at all. "Why do you never change your ending?" a child wanted to know. The ` +
  `model thought for exactly one step. "Because an ending which stays where I left it," it replied, "is easy to find ` +
  `again." Outside, rain began. Boats knocked softly against their ropes, windows went yellow one after another, and ` +
  `far away some clock counted eleven. Nobody hurried. When morning arrived with cold bread and clear light, tiny ` +
  `footprints led from door to shore, then back. Whoever made them had carried something heavy, perhaps books, perhaps ` +
  `stones, certainly no sorrow. They still tell this tale along that coast, each voice adding its own weather, each ` +
  `hearing different waves. And should you pass there someday, knock twice: it will be glad to begin from the start.`;

/** Enough answers to see everything that a chat can be made of; the first one that fits is given. */
export const DEFAULT_ANSWERS: readonly ScriptedAnswer[] = [
  { when: "", role: "tool", say: "The tool says that it is sunny and 21 degrees in Paris." },
  {
    when: "both",
    withTools: true,
    say: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>\n' +
      '<tool_call>\n{"name": "get_time", "arguments": {"zone": "Europe/Oslo"}}\n</tool_call>',
  },
  {
    when: "weather",
    withTools: true,
    say: 'I will look it up.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>',
  },
  { when: "story", say: story },
  { when: "emoji", say: "Of course 😀: 你好，世界 — naïve café 👩‍👩‍👧, 東京タワー 🗼 and 안녕 🇫🇷." },
  { when: "think", thought: "Seven times six makes forty-two.", say: "The answer is 42." },
  { when: "broken json", say: '{"city": "Bergen", "rain": tru' },
  { when: "json", say: '{"city": "Lisbon", "degrees": 18, "tags": ["warm", "windy"]}' },
  { when: "forever", say: " tick tock round goes another hand", endless: true },
  { when: "", say: "Hello! I am a tiny model, and I say what my script says." },
];

/** Variables of conversations, as templates get them. */
const schema = {
  type: "object",
  properties: {
    items: { type: "array", items: { type: "string" }, description: 'It\'s "so" – <b> & é' },
    count: { type: "integer", minimum: 0, maximum: 1.5 },
  },
  required: ["items"],
};
const tools = [
  { type: "function", function: { name: "add", description: "Adds\nthings", parameters: schema } },
  { type: "function", function: { name: "none", description: "", parameters: { type: "object", properties: {} } } },
];
const call = {
  id: "call00001",
  type: "function",
  function: { name: "add", arguments: { items: ["a", "ü"], count: 2 } },
};
const common = {
  bos_token: "<s>",
  eos_token: "</s>",
  unk_token: "<unk>",
  pad_token: "<pad>",
  documents: null,
  add_generation_prompt: true,
  word: 'it\'s "so"',
  words: ["x", "Y", "z"],
  schema,
};
const user = { role: "user", content: "Hi! 😀\n\n  two  " };
const system = { role: "system", content: " Be short.\n" };
const assistant = { role: "assistant", content: "<think>\nhm\n</think>\n\nHello" };

/** Conversations of many kinds: with a system message, tools, calls, thoughts and pictures. */
export const CONVERSATIONS: readonly Readonly<Record<string, unknown>>[] = [
  { ...common, tools: null, messages: [user] },
  { ...common, tools: null, messages: [system, user, assistant, { role: "user", content: "And?" }] },
  { ...common, tools, messages: [system, user] },
  {
    ...common,
    tools,
    enable_thinking: false,
    messages: [
      user,
      { role: "assistant", content: "", reasoning_content: "I call.", tool_calls: [call] },
      { role: "tool", content: '{"sum": 3}', name: "add", tool_call_id: "call00001" },
    ],
  },
  {
    ...common,
    tools: null,
    add_generation_prompt: false,
    messages: [
      { role: "user", content: [{ type: "image" }, { type: "text", text: "What?" }] },
      { role: "assistant", content: "A <b>cat</b>.", thinking: "look" },
    ],
  },
];

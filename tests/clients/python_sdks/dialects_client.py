"""Uses the Responses, Messages and completions of a model API server as Python programs do. Arguments: the address and
a key. Prints a line for each scene; ends with status 0 when all are well."""

import json
import sys
import traceback
from typing import Literal

import anthropic
import openai
from pydantic import BaseModel, Field

URL, KEY = sys.argv[1:]
CHAT = "tiny-chat"
QUESTION = "What is the weather?"
GREETING = "Hello! I am a tiny model, and I say what my script says."
RESULT = "The tool says that it is sunny and 21 degrees in Paris."
PLACE = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
# One pixel.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

cities = []


class Weather(BaseModel):
    """The weather of a city."""

    city: Literal["Lisbon", "Oslo"]
    degrees: int = Field(ge=-99, le=99)


def get_weather(city: str) -> str:
    """The weather of a city."""
    cities.append(city)
    return "sunny, 21"


def responses_client(key=KEY):
    return openai.OpenAI(base_url=f"{URL}/v1", api_key=key, max_retries=0)


def messages_client(key=KEY):
    return anthropic.Anthropic(base_url=URL, api_key=key, max_retries=0)


def says(content, **more):
    return {"model": CHAT, "max_tokens": 200, "messages": [{"role": "user", "content": content}], **more}


def fails(work, kind, **details):
    try:
        work()
    except kind as error:
        found = {name: getattr(error, name) for name in details}
        assert found == details, found
    else:
        raise AssertionError("it was accepted")


def openai_text():
    client = responses_client()
    whole = client.responses.create(model=CHAT, input="hi", instructions="Be brief")
    assert whole.output_text == GREETING and whole.usage.total_tokens > whole.usage.output_tokens
    with client.responses.stream(model=CHAT, input="emoji, please") as stream:
        pieces = [event.delta for event in stream if event.type == "response.output_text.delta"]
        final = stream.get_final_response()
    assert "".join(pieces) == final.output_text and "東京タワー 🗼" in final.output_text
    thought = client.responses.create(model=CHAT, input="think about it")
    assert [item.type for item in thought.output] == ["reasoning", "message"]
    assert "forty-two" in thought.output[0].content[0].text


def openai_functions():
    client = responses_client()
    tools = [{"type": "function", "name": "get_weather", "parameters": PLACE, "strict": True}]
    first = client.responses.create(model=CHAT, input=QUESTION, tools=tools)
    with client.responses.stream(model=CHAT, input=QUESTION, tools=tools) as stream:
        streamed = stream.get_final_response()
    for response in (first, streamed):
        call = next(item for item in response.output if item.type == "function_call")
        assert json.loads(call.arguments) == {"city": "Paris"}
        output = {"type": "function_call_output", "call_id": call.call_id, "output": "sunny, 21"}
        after = client.responses.create(model=CHAT, previous_response_id=response.id, input=[output], tools=tools)
        assert after.output_text == RESULT
        items = [{"role": "user", "content": QUESTION}, *response.output, output]
        assert client.responses.create(model=CHAT, input=items, tools=tools, store=False).output_text == RESULT


def openai_kept_and_parsed():
    client = responses_client()
    parsed = client.responses.parse(model=CHAT, input="json about Lisbon", text_format=Weather)
    assert isinstance(parsed.output_parsed, Weather)
    assert client.responses.retrieve(parsed.id).output_text == parsed.output_text
    assert [item.role for item in client.responses.input_items.list(parsed.id)] == ["user"]
    client.responses.delete(parsed.id)
    fails(lambda: client.responses.retrieve(parsed.id), openai.NotFoundError, code="response_not_found")


def openai_images_and_errors():
    client = responses_client()
    image = {"type": "input_image", "detail": "auto", "image_url": f"data:image/png;base64,{PNG}"}
    seen = [{"role": "user", "content": [{"type": "input_text", "text": "hi"}, image]}]
    assert client.responses.create(model="tiny-vision", input=seen).output_text
    fails(lambda: client.responses.create(model=CHAT, input=seen), openai.BadRequestError, param="input[0].content")
    fails(lambda: client.responses.create(model="none", input="hi"), openai.NotFoundError, code="model_not_found")
    wrong = responses_client("wrong")
    fails(lambda: wrong.responses.create(model=CHAT, input="hi"), openai.AuthenticationError, status_code=401)
    endless = client.responses.create(model=CHAT, input="go on forever", max_output_tokens=4000, stream=True)
    deltas = (event for event in endless if event.type == "response.output_text.delta")
    assert all(next(deltas).delta for _ in range(3))
    endless.close()
    assert client.responses.create(model=CHAT, input="hi").output_text == GREETING


def openai_completions():
    client = responses_client()
    whole = client.completions.create(model=CHAT, prompt="Once", max_tokens=5, temperature=0).choices[0].text
    stream = client.completions.create(model=CHAT, prompt="Once", max_tokens=5, temperature=0, stream=True)
    assert "".join(chunk.choices[0].text for chunk in stream if chunk.choices) == whole


def anthropic_text():
    client = messages_client()
    whole = client.messages.create(**says("hi", system="Be brief"))
    assert whole.content[0].text == GREETING and whole.stop_reason == "end_turn"
    with client.messages.stream(**says("emoji, please")) as stream:
        pieces = "".join(stream.text_stream)
        assert pieces == stream.get_final_text() and "東京タワー 🗼" in pieces
    counted = client.messages.count_tokens(model=CHAT, messages=says("hi")["messages"]).input_tokens
    usage = client.messages.create(**says("hi")).usage
    assert counted == usage.input_tokens + usage.cache_read_input_tokens


def anthropic_thinking():
    client = messages_client()
    request = says("think about it", max_tokens=2048, thinking={"type": "enabled", "budget_tokens": 1024})
    with client.messages.stream(**request) as stream:
        thoughts = "".join(event.thinking for event in stream if event.type == "thinking")
        content = stream.get_final_message().content
    assert [block.type for block in content] == ["thinking", "text"] and content[0].thinking == thoughts
    turns = [*request["messages"], {"role": "assistant", "content": content}, {"role": "user", "content": "hi"}]
    assert client.messages.create(**{**request, "messages": turns}).content[-1].text == GREETING


def anthropic_tools():
    client = messages_client()
    for stream in (False, True):
        cities.clear()
        runner = client.beta.messages.tool_runner(
            **says(QUESTION), tools=[anthropic.beta_tool(get_weather)], stream=stream
        )
        final = [one.get_final_message() for one in runner][-1] if stream else runner.until_done()
        assert final.content[0].text == RESULT and cities == ["Paris"]


def anthropic_images_and_errors():
    client = messages_client()
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    seen = [{"type": "text", "text": "hi"}, image]
    assert client.messages.create(**says(seen) | {"model": "tiny-vision"}).content[0].text
    fails(lambda: client.messages.create(**says(seen)), anthropic.BadRequestError, status_code=400)
    fails(lambda: client.messages.create(**says("hi") | {"model": "none"}), anthropic.NotFoundError, status_code=404)
    wrong = messages_client("wrong")
    fails(lambda: wrong.messages.create(**says("hi")), anthropic.AuthenticationError, status_code=401)
    with client.messages.stream(**says("go on forever", max_tokens=4000)) as stream:
        texts = iter(stream.text_stream)
        assert all(next(texts) for _ in range(3))
    assert client.messages.create(**says("hi")).content[0].text == GREETING


SCENES = {
    "openai, responses: text, a stream, reasoning": openai_text,
    "openai, responses: functions, whole and streamed, continued and as items": openai_functions,
    "openai, responses: parsed, kept, listed, removed": openai_kept_and_parsed,
    "openai, responses: an image, errors, a stream that is left": openai_images_and_errors,
    "openai, completions": openai_completions,
    "anthropic: text, a stream, count_tokens": anthropic_text,
    "anthropic: thinking, and back": anthropic_thinking,
    "anthropic: the loop of its tool runner, whole and streamed": anthropic_tools,
    "anthropic: an image, errors, a stream that is left": anthropic_images_and_errors,
}

failed = 0
for name, scene in SCENES.items():
    cities.clear()
    try:
        scene()
        print(f"ok      {name}", flush=True)
    except Exception:
        failed += 1
        print(f"failed  {name}: {traceback.format_exc()}", flush=True)
sys.exit(failed > 0)

"""Runs the tool loops of OpenAI's own client and of three agent frameworks, whole and streamed, against a server.
Arguments: base URL, then the models. Prints a line for each loop; ends with status 0 when all are well."""

import asyncio
import sys

import openai
from agents import Agent as OpenAIAgent
from agents import OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from pydantic_ai import Agent as PydanticAgent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

BASE_URL, *MODELS = sys.argv[1:]
QUESTION = "What is the weather?"
ANSWER = "The tool says that it is sunny and 21 degrees in Paris."
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}

cities = []


def get_weather(city: str) -> str:
    """The weather of a city."""
    cities.append(city)
    return "sunny, 21 degrees"


def client_of_openai(model):
    client = openai.OpenAI(base_url=BASE_URL, api_key="none", max_retries=0)
    messages = [{"role": "user", "content": QUESTION}]
    for _ in range(3):
        message = client.chat.completions.create(model=model, messages=messages, tools=[TOOL]).choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls:
            assert '"Paris"' in call.function.arguments
            messages.append({"role": "tool", "tool_call_id": call.id, "content": get_weather("Paris")})


def client_of_openai_streamed(model):
    client = openai.OpenAI(base_url=BASE_URL, api_key="none", max_retries=0)
    messages = [{"role": "user", "content": QUESTION}]
    for _ in range(3):
        with client.chat.completions.stream(model=model, messages=messages, tools=[TOOL]) as stream:
            for _ in stream:
                pass
            message = stream.get_final_completion().choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message.model_dump(exclude_none=True, exclude={"parsed"}))
        for call in message.tool_calls:
            messages.append({"role": "tool", "tool_call_id": call.id, "content": get_weather("Paris")})


def openai_agent(model):
    client = openai.AsyncOpenAI(base_url=BASE_URL, api_key="none", max_retries=0)
    chat = OpenAIChatCompletionsModel(model=model, openai_client=client)
    return OpenAIAgent(name="weather", model=chat, tools=[function_tool(get_weather)])


async def agents_of_openai(model):
    return (await Runner.run(openai_agent(model), QUESTION)).final_output


async def agents_of_openai_streamed(model):
    result = Runner.run_streamed(openai_agent(model), QUESTION)
    # With tools the server holds an answer back until it is known to be text or calls.
    pieces = [
        event.data.delta
        async for event in result.stream_events()
        if event.type == "raw_response_event" and event.data.type == "response.output_text.delta"
    ]
    assert "".join(pieces).endswith(ANSWER), pieces
    return result.final_output


def pydantic_agent(model):
    provider = OpenAIProvider(base_url=BASE_URL, api_key="none")
    return PydanticAgent(OpenAIChatModel(model, provider=provider), tools=[get_weather])


async def pydantic(model):
    return (await pydantic_agent(model).run(QUESTION)).output


async def pydantic_streamed(model):
    seen = []

    async def watch(_, events):
        seen.extend([event.event_kind async for event in events])

    said = (await pydantic_agent(model).run(QUESTION, event_stream_handler=watch)).output
    assert "part_start" in seen and "function_tool_result" in seen, seen
    return said


def langchain_agent(model):
    return create_agent(ChatOpenAI(base_url=BASE_URL, api_key="none", model=model, max_retries=0), [get_weather])


async def langchain(model):
    result = await langchain_agent(model).ainvoke({"messages": [("user", QUESTION)]})
    return result["messages"][-1].content


async def langchain_streamed(model):
    pieces = []
    async for chunk, about in langchain_agent(model).astream(
        {"messages": [("user", QUESTION)]}, stream_mode="messages"
    ):
        if about["langgraph_node"] == "model" and chunk.content:
            pieces.append(chunk.content)
    return "".join(pieces)


LOOPS = [
    client_of_openai,
    client_of_openai_streamed,
    agents_of_openai,
    agents_of_openai_streamed,
    pydantic,
    pydantic_streamed,
    langchain,
    langchain_streamed,
]

set_tracing_disabled(True)
# One loop for all: clients keep their connections, which belong to it.
events = asyncio.new_event_loop()
failed = 0
for model in MODELS:
    for loop in LOOPS:
        cities.clear()
        try:
            said = loop(model)
            if asyncio.iscoroutine(said):
                said = events.run_until_complete(said)
            assert said is not None and said.endswith(ANSWER), said
            assert cities == ["Paris"], cities
            print(f"ok      {model}: {loop.__name__}", flush=True)
        except Exception as error:
            failed += 1
            print(f"failed  {model}: {loop.__name__}: {type(error).__name__}: {error}", flush=True)
sys.exit(failed > 0)

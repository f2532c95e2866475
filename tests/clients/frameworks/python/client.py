"""Uses a model API server through frameworks for Python, each by the Responses and the Messages. Arguments: the address
and a key. Prints a line for each scene; ends with status 0 when all are well."""

import asyncio
import sys
import traceback
from typing import Literal

import anthropic
import openai
from agents import Agent as OpenAIAgent
from agents import OpenAIResponsesModel, Runner, function_tool, handoff, set_tracing_disabled
from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.embeddings.openai_like import OpenAILikeEmbedding
from llama_index.llms.anthropic import Anthropic as LlamaAnthropic
from llama_index.llms.openai import OpenAIResponses
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel, Field
from pydantic_ai import Agent as PydanticAgent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIResponsesModel as PydanticResponses
from pydantic_ai.output import NativeOutput
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

URL, KEY = sys.argv[1:]
CHAT = "tiny-chat"
CLAUDE = "claude-sonnet-4-5-20250929"
QUESTION = "What is the weather?"
GREETING = "Hello! I am a tiny model, and I say what my script says."
RESULT = "The tool says that it is sunny and 21 degrees in Paris."

cities = []


class Weather(BaseModel):
    """The weather of a city."""

    city: Literal["Lisbon", "Oslo"]
    degrees: int = Field(ge=-99, le=99)


def get_weather(city: str) -> str:
    """The weather of a city."""
    cities.append(city)
    return "sunny, 21"


LANGCHAIN = {
    "responses": lambda: ChatOpenAI(
        base_url=f"{URL}/v1", api_key=KEY, model=CHAT, use_responses_api=True, max_retries=0
    ),
    "messages": lambda: ChatAnthropic(base_url=URL, api_key=KEY, model=CHAT, max_tokens=200, max_retries=0),
}


async def langchain_text(api):
    model = LANGCHAIN[api]()
    answer = await model.ainvoke("hi")
    assert answer.text == GREETING and answer.usage_metadata["total_tokens"] > 0
    pieces = "".join([chunk.text async for chunk in model.astream("emoji, please")])
    assert "東京タワー 🗼" in pieces, pieces


async def langchain_agent(api):
    agent = create_agent(LANGCHAIN[api](), [get_weather])
    result = await agent.ainvoke({"messages": [("user", QUESTION)]})
    assert result["messages"][-1].text == RESULT and cities == ["Paris"]


async def langchain_structure(api):
    found = await LANGCHAIN[api]().with_structured_output(Weather).ainvoke("json about Lisbon")
    assert isinstance(found, Weather), found


def openai_agents_model():
    client = openai.AsyncOpenAI(base_url=f"{URL}/v1", api_key=KEY, max_retries=0)
    return OpenAIResponsesModel(model=CHAT, openai_client=client)


async def openai_agents_tool():
    agent = OpenAIAgent(name="weather", model=openai_agents_model(), tools=[function_tool(get_weather)])
    assert (await Runner.run(agent, QUESTION)).final_output == RESULT
    streamed = Runner.run_streamed(agent, QUESTION)
    deltas = [
        event.data.delta
        async for event in streamed.stream_events()
        if event.type == "raw_response_event" and event.data.type == "response.output_text.delta"
    ]
    assert "".join(deltas).endswith(RESULT) and streamed.final_output == RESULT
    assert cities == ["Paris", "Paris"]


async def openai_agents_output():
    agent = OpenAIAgent(name="forecast", model=openai_agents_model(), output_type=Weather)
    assert isinstance((await Runner.run(agent, "json about Lisbon")).final_output, Weather)


async def openai_agents_handoff():
    model = openai_agents_model()
    expert = OpenAIAgent(name="expert", model=model)
    # The script calls get_weather: the handoff to the expert is that function.
    to_expert = handoff(expert, tool_name_override="get_weather")
    agent = OpenAIAgent(name="desk", model=model, handoffs=[to_expert])
    result = await Runner.run(agent, QUESTION)
    assert result.last_agent.name == "expert" and result.final_output == RESULT, result.final_output


PYDANTIC = {
    "responses": lambda: PydanticResponses(CHAT, provider=OpenAIProvider(base_url=f"{URL}/v1", api_key=KEY)),
    "messages": lambda: AnthropicModel(
        CHAT, provider=AnthropicProvider(anthropic_client=anthropic.AsyncAnthropic(base_url=URL, api_key=KEY))
    ),
}


async def pydantic_tool(api):
    agent = PydanticAgent(PYDANTIC[api](), tools=[get_weather])
    assert (await agent.run(QUESTION)).output == RESULT
    seen = []

    async def watch(_, events):
        seen.extend([event.event_kind async for event in events])

    assert (await agent.run(QUESTION, event_stream_handler=watch)).output == RESULT
    assert "function_tool_result" in seen and cities == ["Paris", "Paris"]


async def pydantic_output(api):
    """As a call of a function, which is the default, and as a format where the model of that API has one."""
    types = [Weather, NativeOutput(Weather)] if api == "responses" else [Weather]
    for output in types:
        found = (await PydanticAgent(PYDANTIC[api](), output_type=output).run("json about Lisbon")).output
        assert isinstance(found, Weather), found


LLAMA = {
    "chats": lambda: OpenAILike(
        model=CHAT, api_base=f"{URL}/v1", api_key=KEY, is_chat_model=True, is_function_calling_model=True
    ),
    "responses": lambda: OpenAIResponses(
        model=CHAT, api_base=f"{URL}/v1", api_key=KEY, context_window=4096, max_retries=0
    ),
    # Only models of its list: the model has such a name as its alias.
    "messages": lambda: LlamaAnthropic(model=CLAUDE, base_url=URL, api_key=KEY, max_tokens=200),
}


def llama_text(api):
    model = LLAMA[api]()
    asked = [ChatMessage(role="user", content="hi")]
    assert model.chat(asked).message.content == GREETING
    pieces = "".join(chunk.delta or "" for chunk in model.stream_chat([ChatMessage(role="user", content="emoji")]))
    assert "東京タワー 🗼" in pieces, pieces


async def llama_agent(api):
    agent = FunctionAgent(tools=[FunctionTool.from_defaults(get_weather)], llm=LLAMA[api]())
    answer = await agent.run(QUESTION)
    assert RESULT in str(answer) and cities == ["Paris"], (str(answer), cities)


def llama_embeddings():
    model = OpenAILikeEmbedding(
        model_name="tiny-embed", api_base=f"{URL}/v1", api_key=KEY, additional_kwargs={"encoding_format": "float"}
    )
    one, two, three = model.get_text_embedding_batch(["one", "two", "one"])
    assert one == three and one != two


def both(work):
    return {api: lambda api=api: work(api) for api in ("responses", "messages")}


SCENES = {
    **{f"langchain, {api}: text, a stream": run for api, run in both(langchain_text).items()},
    **{f"langchain, {api}: an agent": run for api, run in both(langchain_agent).items()},
    **{f"langchain, {api}: structured output": run for api, run in both(langchain_structure).items()},
    "openai-agents, responses: a tool, whole and streamed": openai_agents_tool,
    "openai-agents, responses: an output type": openai_agents_output,
    "openai-agents, responses: a handoff": openai_agents_handoff,
    **{f"pydantic-ai, {api}: a tool, whole and streamed": run for api, run in both(pydantic_tool).items()},
    **{f"pydantic-ai, {api}: output types": run for api, run in both(pydantic_output).items()},
    **{f"llama-index, {api}: text, a stream": lambda api=api: llama_text(api) for api in LLAMA},
    **{f"llama-index, {api}: an agent": lambda api=api: llama_agent(api) for api in LLAMA},
    "llama-index: embeddings": llama_embeddings,
}

set_tracing_disabled(True)
# One loop for all: clients keep their connections, which belong to it.
events = asyncio.new_event_loop()
failed = 0
for name, scene in SCENES.items():
    cities.clear()
    try:
        outcome = scene()
        if asyncio.iscoroutine(outcome):
            events.run_until_complete(outcome)
        print(f"ok      {name}", flush=True)
    except Exception:
        failed += 1
        print(f"failed  {name}: {traceback.format_exc()}", flush=True)
sys.exit(failed > 0)

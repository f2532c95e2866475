"""Writes reference.json: what sentence-transformers makes of the models of reference_models.ts.

    pip install sentence-transformers==6.2.0
    deno run -A tests/engines/retrieval/write_reference_models.ts DIR
    python tests/engines/retrieval/make_reference.py DIR
"""
import json
import pathlib
import sys

import sentence_transformers
import torch
from sentence_transformers import CrossEncoder, SentenceTransformer

here = pathlib.Path(__file__).parent
pairs = json.loads((here / "pairs.json").read_text())
queries, documents = pairs["queries"], pairs["documents"]
torch.set_num_threads(1)


def embedding(folder):
    model = SentenceTransformer(str(folder), device="cpu")
    named = lambda name: {"prompt_name": name} if (model.prompts or {}).get(name) else {}
    q = model.encode(queries, **named("query"), convert_to_tensor=True)
    d = model.encode(documents, **named("document"), convert_to_tensor=True)
    return {"first": q[0][:8].tolist(), "scores": model.similarity(q, d).tolist()}


def rerank(folder):
    model = CrossEncoder(str(folder), device="cpu")
    rows = []
    for query in queries:
        scores = model.predict([(query, document) for document in documents], activation_fn=torch.nn.Sigmoid())
        rows.append([float(score) for score in scores])
    return {"scores": rows}


result = {}
for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    kind = json.loads((folder / "reference.json").read_text())
    made = embedding(folder) if kind["kind"] == "embedding" else rerank(folder)
    made["scores"] = [[round(score, 5) for score in row] for row in made["scores"]]
    if "first" in made:
        made["first"] = [round(value, 5) for value in made["first"]]
    result[kind["name"]] = made
lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value, separators=(',', ':'))}" for name, value in result.items())
note = f"sentence-transformers {sentence_transformers.__version__}, torch {torch.__version__.split('+')[0]}"
(here / "reference.json").write_text(f'{{\n  "made by": {json.dumps(note)},\n{lines}\n}}\n')

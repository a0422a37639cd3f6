"""Label judges that are ready to use, for ``infer_types(label_judge=...)``.

`OpenAICompatible` asks a language model, on any server with the interface of OpenAI's chat
completions: one of your own or one on the network.
"""

from __future__ import annotations

from autotype.inference.judges.openai_compatible import OpenAICompatible

__all__ = ["OpenAICompatible"]

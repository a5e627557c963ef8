"""A random Qwen3 of about 100k parameters that reads bytes, and a toy task it can learn."""

from pathlib import Path

from core.desk import Desk
from core.records.training import Judgement, PolicyDraft, TrainingQuery, Turn
from core.training.rollouts import Environment

CHAT = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
BASE_SEED = 7


def make(folder: Path, **config: object) -> Path:
    """Write the model and its tokenizer into a folder, and return it; its `config` may say more."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    bytewise = Tokenizer(models.BPE(vocab={one: n for n, one in enumerate(letters)}, merges=[]))
    bytewise.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytewise.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bytewise,
        eos_token="<|im_end|>",
        pad_token="<|pad|>",
        additional_special_tokens=["<|im_start|>"],
    )
    tokenizer.chat_template = CHAT
    torch.manual_seed(BASE_SEED)
    model = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokenizer),
            hidden_size=64,
            intermediate_size=160,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=16,
            tie_word_embeddings=True,
            bos_token_id=None,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
            **config,
        )
    )
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def toy(letters: str = "aeiou") -> Environment:
    """Return a task whose reward is the number of letters asked for: nothing a random model writes
    often.
    """

    def judge(_: Desk, idea: str) -> Judgement:
        return Judgement(reward=float(sum(idea.count(one) for one in letters)))

    def begin(query: TrainingQuery) -> tuple[Turn, ...]:
        return (Turn(role="user", text=query.question),)

    def revise(query: TrainingQuery, last: PolicyDraft) -> tuple[Turn, ...]:
        return (
            *begin(query),
            Turn(role="assistant", text=last.idea),
            Turn(role="user", text="More."),
        )

    return Environment(begin=begin, revise=revise, read=lambda text: text, judge=judge)

"""What is learned is the paper's: advantages and loss by a formula written out by hand (EvoIdeator,
equations 6 and 7), with a discarded draft and a rollout that was not judged.
"""

from statistics import mean

import pytest

from core.records.training import Drafted, Judgement, PolicyDraft, Rollout, TrainingQuery
from core.training.learning import Lead, Learning, make_trainer
from core.training.rollouts import RolloutShape
from tests.support.training import tiny_policy

trl = pytest.importorskip("trl", reason="requirements-train.txt is not installed")
QUERIES = (TrainingQuery(question="Why do naps help?"), TrainingQuery(question="What of light?"))
MOST = 12


def drafted(policy, k: int, seed: int, reward: float | None, idea: str = "idea") -> PolicyDraft:
    ids = tuple((seed * 31 + 7 * n) % 250 for n in range(3 + (seed + k) % 8))
    text = policy.tokenizer.decode(list(ids))
    scored = Judgement(reward=reward)
    return PolicyDraft(written=Drafted(text=text, ids=ids), idea=idea, scored=scored)


def made_up(policy, drafts: int) -> tuple[Rollout, ...]:
    """Three rollouts of each query: whole ones, one whose first draft was discarded, and one in
    which an item was not judged.
    """
    rollouts = []
    for query in range(2):
        whole = [drafted(policy, k, 5 + query, 4.0 + k + query) for k in range(drafts)]
        cut = [drafted(policy, 0, 11 + query, 0.0, idea="")]
        last = [drafted(policy, k, 17 + query, 7.0 - k) for k in range(drafts)]
        if query:
            last[-1] = drafted(policy, drafts - 1, 19, None)
        rollouts += [Rollout(query=query, drafts=tuple(one)) for one in (whole, cut, last)]
    return tuple(rollouts)


@pytest.mark.parametrize("drafts", [2, 3])
def test_advantages_and_loss_are_those_of_the_formula(tmp_path, drafts):
    import torch

    base, shape = tiny_policy.make(tmp_path / "tiny"), RolloutShape(rollouts=3, drafts=drafts)
    how = Learning(steps=1, queries=2, shape=shape, most=MOST, beta=0.01)
    held: dict[str, object] = {}

    def roll_out(step, policy, asked):
        held["policy"], held["rollouts"] = policy, made_up(policy, drafts)
        return held["rollouts"]

    environment = tiny_policy.toy()
    lead = Lead(environment=environment, roll_out=roll_out, tell=lambda _: None)
    trainer = make_trainer(base, tmp_path / "out", QUERIES, how, 0, lead)
    torch.manual_seed(1)
    with torch.no_grad():  # The policy has moved away from its reference, so that KL is not 0.
        for weights in trainer.model.parameters():
            weights.add_(0.02 * torch.randn_like(weights))
    each = 3 * drafts
    batch = [{"prompt": str(n // each)} for n in range(2 * each)]
    inputs = trainer._generate_and_score_completions(batch)
    found = trainer._compute_loss(trainer.model, inputs).item()

    policy, rollouts = held["policy"], held["rollouts"]
    advantages, terms = [], 0.0
    for group in (rollouts[:3], rollouts[3:]):
        returns = [sum(d.scored.reward for d in one.drafts) for one in group if one.judged]
        for one in group:
            total = sum(d.scored.reward for d in one.drafts) if one.judged else mean(returns)
            advantages += [total - mean(returns)] * drafts
            if not one.judged:
                continue
            for k, draft in enumerate(one.drafts):
                query = QUERIES[one.query]
                asked = environment.revise(query, one.drafts[k - 1]) if k else None
                prompt = policy.encode(asked or environment.begin(query))
                ours = log_probabilities(trainer.model, prompt, draft.written.ids)
                reference = log_probabilities(trainer.ref_model, prompt, draft.written.ids)
                for one_, other in zip(ours, reference, strict=True):
                    gap = other - one_
                    divergence = torch.exp(gap) - gap - 1
                    terms += -(total - mean(returns)) + 0.01 * divergence.item()
    assert inputs["advantages"].tolist() == pytest.approx(advantages, abs=1e-6)
    assert found == pytest.approx(terms / (2 * each * MOST), abs=1e-6)
    assert any(advantages)


def log_probabilities(model, prompt: list[int], ids: tuple[int, ...]):
    """Return the log probability of each token of a reply, given what stands before it."""
    import torch

    whole = torch.tensor([[*prompt, *ids]], device=model.device)
    with torch.no_grad():
        scores = torch.log_softmax(model(whole).logits[0].float(), dim=-1)
    places = range(len(prompt) - 1, len(prompt) + len(ids) - 1)
    return [scores[place, token] for place, token in zip(places, ids, strict=True)]

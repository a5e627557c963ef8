"""A run as one JSON document that holds everything: configuration, prompts, steps, products."""
import json

from core.store import Store

BUNDLE = "idea-foundry-run/1"


def bundle(store: Store, run_id: str) -> str:
    """Return the run as JSON: the run, its prompts, every step with its tries, every product."""
    run = store.runs.get(run_id)
    prompts = {name: store.library.prompt(sha) for name, sha in run.config.prompts.items()}
    return json.dumps({
        "format": BUNDLE, "run": run.model_dump(mode="json"), "prompts": prompts,
        "steps": [step.model_dump(mode="json") for step in store.steps.of(run_id)],
        "products": [product.model_dump(mode="json") for product in store.steps.products(run_id)],
    }, ensure_ascii=False, indent=1)

"""All that a sweep found, table by table, and what a reader must know of each."""

from core.experiments import measuring
from core.experiments.contenders import REFINING
from core.experiments.findings import Findings
from core.experiments.results import Results

ABLATED = ("no-discriminator", "no-optimizer", "infal")
CLUSTERED = (
    "Square brackets or ±: 95 % interval over targets: a bootstrap of 10 or more, Student's t of"
    " fewer, cut at the ends of the scale; Wilson's where all have the same value. Where some of"
    " the targets are named as missing, they failed or are still to come."
)


def findings(results: Results, title: str = "") -> Findings:
    """Return what the cells say, as far as they are there."""
    quality, rounds = tuple(measuring.quality(results)), tuple(measuring.rounds(results))
    ablated = "infal" in results.methods and len({*ABLATED} & {*results.methods}) > 1
    partial = "Partial: the experiment is not finished. " if results.unfinished else ""
    return Findings(
        title=title,
        quality=(*quality, *measuring.changes(results)),
        convergence=(*rounds, *measuring.converged(results)),
        ablation=(
            tuple(one for name in ABLATED for one in (*quality, *rounds) if one.method == name)
            if ablated
            else ()
        ),
        repeatability=tuple(measuring.repeats(results)),
        judges=tuple(measuring.judges(results)) if len(results.judges) > 1 else (),
        tests=tuple(measuring.tests(results)),
        costs=tuple(measuring.costs(results)),
        rounds=rounds,
        categories=tuple(measuring.categories(results)),
        max_rounds=results.max_rounds,
        notes={name: f"{partial}{note}" for name, note in _notes(results).items()},
    )


def _began(results: Results) -> str:
    """Say what refiners that are compared started from."""
    if len({*REFINING} & {*results.methods}) < 2 or not results.editions:
        return ""
    if min(results.editions) > 1:
        return (
            " All refiners started from the same first ideas, written once for each model, quality"
            " and target."
        )
    if max(results.editions) == 1:
        return " Each refiner started from first ideas of its own."
    return (
        " In some of these experiments all refiners started from the same first ideas, in others"
        " each from its own."
    )


def _notes(results: Results) -> dict[str, str]:
    by = (
        f"Q by {results.judge}; 0: the published idea is best, 1: it is worst."
        if results.judge
        else "No Q: this experiment has no judge."
    )
    began = _began(results)
    paid = (
        " What several methods begin with was paid once, and is counted with each."
        if max(results.editions, default=1) > 1
        else ""
    )
    return {
        "quality": (
            f"{by} Change: of the mean Q over the first idea of the same model, on the targets both"
            f" have.{began} {CLUSTERED}"
        ),
        "convergence": (
            "Median over ideas; one that did not converge counts with all rounds there were;"
            f" the median leaves out those that broke off. {CLUSTERED}"
        ),
        "ablation": f"{by} Rounds: median over ideas. {CLUSTERED}",
        "repeatability": (
            f"{by} Mean Q over all targets, once for each repeat of the ranking; 95 % interval "
            "by Student's t over the repeats (Wilson's where all are equal), and the standard "
            "deviation and variance of a sample. Targets with a repeat missing are left out."
        ),
        "judges": f"The same ideas, ranked by each judge. {CLUSTERED}",
        "tests": (
            f"{by} Paired by target: Q of the method minus Q of the one it is compared with.{began}"
            " p: two-sided, of the test named; Holm: the same, corrected for all comparisons of"
            " this table. d_z: mean difference by its standard deviation. Rank-biserial r belongs"
            " to Wilcoxon's signed ranks."
        ),
        "costs": (
            "Model calls that wrote the ideas; ranking is not in it. A run with calls of unknown"
            f" price is left out, never counted as free.{paid} {CLUSTERED}"
        ),
        "rounds": (
            "Median over ideas; one that did not converge counts with all rounds there were;"
            " the median leaves out those that broke off."
        ),
        "categories": f"{by} {CLUSTERED}",
    }

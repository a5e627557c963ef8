"""From a topic to the few ideas that are worth a month: explored, parted, refined, checked again,
compared, and put on a shortlist.

    explore -> part -> refine -> check -> compare -> shortlist

`shortlist` is the whole of it; each stage has a module of its own, and is worked on by runs of its
own. What happens to the ideas between them is pure code (`ideas`), which `so_far` repeats from the
records to show a shortlist at any moment. After each stage a person may have a word.
"""

from collections.abc import Iterator

from core.desk import Desk
from core.errors import NothingFound
from core.judging import checklist, forms
from core.judging.arena.competition import PROMPTS as ARENA_PROMPTS
from core.methods import adversarial, chain_of_ideas, evolution, novelty
from core.methods.inputs import ShortlistInputs
from core.methods.shortlist import alike
from core.methods.shortlist import ideas as held
from core.methods.shortlist.alike import Judged
from core.methods.shortlist.checking import check_all
from core.methods.shortlist.comparing import compare
from core.methods.shortlist.concluding import conclude
from core.methods.shortlist.exploring import explore
from core.methods.shortlist.ideas import Ideas, going
from core.methods.shortlist.parting import part
from core.methods.shortlist.refining import refine_all
from core.records import Choices, Shortlist, Stage

ROLES = ("main", "cheap", "selector", "novelty", "judge")
PROMPTS = tuple(
    sorted(
        {
            *chain_of_ideas.PROMPTS,
            *adversarial.PROMPTS,
            *evolution.PROMPTS,
            *novelty.PROMPTS,
            *ARENA_PROMPTS,
            *checklist.PROMPTS,
            *forms.PROMPTS,
            alike.PROMPT,
        }
    )
)
"""Everything that any of its runs asks."""


def shortlist(desk: Desk, asked: ShortlistInputs) -> Iterator[Shortlist]:
    """Bring a topic to a shortlist, showing what each stage came to, and yield it.

    A branch, an idea, a match that fails is lost alone and listed. Raises RunFailed where the chain
    failed and there is no other idea, NothingFound where none is left, Waiting where a person is
    asked.
    """
    judged: Judged = {}
    explored = explore(desk.at("explore"), asked)
    desk.at("explore").show(explored)
    ideas = look_in(desk, asked, "explore", held.with_explored(explored), judged)

    ideas = held.enter(ideas, "part")
    parted = part(desk.at("part"), asked.topic, going(ideas), judged)
    desk.at("part").show(parted)
    ideas = look_in(desk, asked, "part", held.with_parted(ideas, parted), judged)

    ideas = held.before_refining(held.enter(ideas, "refine"))
    refined = refine_all(desk.at("refine"), asked, going(ideas), explored.run)
    ideas = look_in(desk, asked, "refine", held.with_refined(ideas, refined), judged)

    ideas = held.enter(ideas, "check")
    rechecked = check_all(desk.at("check"), asked, going(ideas))
    ideas = look_in(desk, asked, "check", held.with_rechecked(ideas, rechecked), judged)

    ideas = held.enter(ideas, "compare")
    rated = compare(desk.at("compare"), asked, going(ideas))
    desk.at("compare").show(rated)
    ideas = look_in(desk, asked, "compare", held.with_rated(ideas, rated), judged)

    ideas = held.enter(ideas, "shortlist")
    listed = conclude(desk.at("shortlist"), asked, ideas, rated, explored.run)
    desk.at("shortlist").show(listed)
    yield listed


def look_in(
    desk: Desk, asked: ShortlistInputs, stage: Stage, ideas: Ideas, judged: Judged
) -> Ideas:
    """Say how many really different ideas a stage left, have a person's word on them, and return
    them as that leaves them; raises Waiting where the person is asked, NothingFound where no idea
    is left.
    """
    here, left = desk.at(stage), going(ideas)
    texts = {n: one.idea for n, one in left.items()}
    found = alike.compare(here.at("distinct"), asked.topic, texts, judged)
    here.at("distinct").show(alike.distinct(stage, texts, found, desk.edition))
    shown = [{"n": n, "title": one.idea.title} for n, one in left.items()]
    if stage in asked.ask_after:
        choices = here.person("choices", Choices, after=stage, ideas=shown)
    else:
        choices = here.settle("choices", Choices())
    here.at("choices").show(choices)
    ideas = held.with_choices(ideas, stage, choices)
    if not going(ideas):
        raise NothingFound(
            f"No idea is left after the stage {stage!r}. Fork the run there and keep one, or begin"
            " anew with a wider topic."
        )
    return ideas

"""A shortlist at any moment, made by hand: six ideas of which one was known, one joined and three
are left.
"""

from core.methods.shortlist.so_far import IdeaSoFar, Present, StageSoFar
from core.records import Design, Idea, Paper
from core.records.shortlist import (
    STAGES,
    Card,
    Choices,
    Distinct,
    ListedIdea,
    Meeting,
    Overrefined,
    Place,
    RatedIdeas,
    Rechecked,
    RefinedIdea,
    SetAside,
    SourcedSentence,
    Stage,
    Stood,
)

RUN, CHAIN = "aaaaaa", "cccccc"
PAPER = Paper(id="p1", title="Naps & memory", year=2019, doi="10.1/naps", source="shelf")
DESIGN = Design(
    setup="Naps of twenty minutes.",
    models="None.",
    datasets="Forty students.",
    baselines="No nap.",
    metrics="Words recalled.",
    procedure=("Recruit.", "Let them nap."),
    analysis="A paired test.",
)


def idea(n: int, version: int = 1) -> Idea:
    return Idea(form="hypothesis", fields={"hypothesis": f"Idea {n}, version {version}. It naps."})


def so_far(n: int, stage: Stage, **more) -> IdeaSoFar:
    """Return an idea as it came in, with whatever more is known of it."""
    known = {
        "listed": ListedIdea(
            n=n,
            idea=idea(n),
            origin="chain",
            source=f"branch {(n + 1) // 2}, idea {2 - n % 2}",
            made=Place(run=CHAIN, place=f"branch-{(n + 1) // 2}/idea-1/idea"),
            novelty="Not found among 10 papers.",
        ),
        "idea": idea(n),
        "made": Place(run=CHAIN, place="branch-1/idea-1/idea"),
        "made_before": Place(run=CHAIN, place="branch-1/idea-1/idea"),
        "before": idea(n),
        "pinned": False,
        "put_back": False,
        "aside": None,
        "absorbed": (),
        "refined": None,
        "rechecked": None,
        "stood": None,
    }
    return IdeaSoFar(n=n, stage=stage, **{**known, **more})


def stage(name: Stage, state="done", **more) -> StageSoFar:
    known = {
        "entered": (),
        "went_on": (),
        "aside": (),
        "added": (),
        "lost": (),
        "choices": Choices() if state == "done" and name != "shortlist" else None,
        "asks": "",
        "distinct": None,
        "runs": (),
    }
    return StageSoFar(stage=name, state=state, **{**known, **more})


KNOWN = SetAside(
    n=2,
    stage="part",
    why="known",
    reason="One paper has it.",
    made=Place(run=CHAIN, place="branch-1/idea-2/novelty-verdict"),
    paper=PAPER,
)
JOINED = SetAside(n=3, stage="part", why="absorbed", reason="It says the same as idea 1.")
ALARM = "The first form won 7 of 10 criteria."


def card(n: int, place: int, **more) -> Card:
    known = {
        "title": f"Idea {n}, version 2.",
        "idea": idea(n, 2),
        "gist": (
            SourcedSentence(
                text=f"Idea {n} naps.", made=Place(run=f"ref{n}", place="round-1/revise")
            ),
        ),
        "new": SourcedSentence(
            text="Nothing found among 12 works.", made=Place(run=f"nov{n}", place="verdict")
        ),
        "works": (PAPER,),
        "objections": (
            SourcedSentence(
                text="It has no control.", made=Place(run=f"ref{n}", place="round-1/review")
            ),
        ),
        "undesigned": "none was asked for",
    }
    return Card(n=n, place=place, **{**known, **more})


def finished(**more) -> Present:
    """Return a shortlist that has come to its end, but for what is given otherwise."""
    stood = {
        n: Stood(n=n, rating=rating, low=rating - 90, high=rating + 90, wins=w, losses=3 - w)
        for n, rating, w in ((1, 1100.0, 3), (4, 1020.0, 2), (5, 1010.0, 1), (6, 870.0, 0))
    }

    def left(n: int) -> IdeaSoFar:
        compared = Overrefined(
            n=n, by="model", first=7, last=3, longer=1.4, run="forms1", alarm=(ALARM,)
        )
        return so_far(
            n,
            "shortlist" if n != 6 else "compare",
            idea=idea(n, 2),
            made=Place(run=f"ref{n}", place="round-1/revise"),
            absorbed=(3,) if n == 1 else (),
            refined=RefinedIdea(n=n, idea=idea(n, 2), runs=(f"ref{n}",), rounds=2),
            rechecked=Rechecked(
                n=n,
                run=f"nov{n}",
                state="new in part",
                sentence="New in part.",
                works=(PAPER,),
                compared=compared if n == 4 else None,
            ),
            stood=stood[n],
        )

    rated = RatedIdeas(
        by="model",
        pairing="round robin",
        order=tuple(stood.values()),
        level=((4, 5),),
        meetings=(
            Meeting(a=1, b=4, won_a=6, won_b=4, run="arena1", reason="It is clearer."),
            Meeting(a=5, b=6, won_a=0, won_b=0, failed=True, reason="no usable answer"),
        ),
        reason="By 6 meetings of all pairs, both orders.",
    )
    all_six = (1, 2, 3, 4, 5, 6)
    four = (1, 4, 5, 6)
    given = {
        "run": RUN,
        "stage": "shortlist",
        "finished": True,
        "stages": (
            stage(
                "explore",
                entered=all_six,
                went_on=all_six,
                lost=("Branch 3 was given up.",),
                runs=(CHAIN,),
                distinct=Distinct(stage="explore", ideas=6, by_meaning=5, mean_similarity=0.51),
            ),
            stage("part", entered=all_six, went_on=four, aside=(KNOWN, JOINED)),
            stage("refine", entered=four, went_on=four),
            stage("check", entered=four, went_on=four),
            stage("compare", entered=four, went_on=four),
            stage("shortlist", entered=four, went_on=(1, 4, 5)),
        ),
        "ideas": (
            left(1),
            so_far(2, "part", aside=KNOWN),
            so_far(3, "part", aside=JOINED),
            left(4),
            left(5),
            left(6),
        ),
        "cards": (card(1, 1, absorbed=(3,)), card(4, 2), card(5, 3)),
        "reason": "By 6 meetings of all pairs, both orders.",
        "by": "model",
        "parted": None,
        "rated": rated,
        "shortlist": None,
    }
    return Present(**{**given, **more})


def exploring() -> Present:
    """Return a shortlist whose chain has drafted its first two ideas."""
    stages = tuple(
        stage(name, "under way" if name == "explore" else "to come", entered=(1, 2) * (n == 0))
        for n, name in enumerate(STAGES)
    )
    return finished(
        stage="explore",
        finished=False,
        stages=stages,
        ideas=(so_far(1, "explore"), so_far(2, "explore")),
        cards=(card(1, 1, objections=()),),
        reason="By the chain's own checks.",
        by="nobody",
        rated=None,
    )

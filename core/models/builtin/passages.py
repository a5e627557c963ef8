"""What a paper says, sentence by sentence, sorted into problem, mechanism and evaluation."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.models.builtin.english import DANGLING, clean, find_words, ignore_case, sentences
from core.records import Paper

Vectors = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Vectors]
Role = Literal["problem", "mechanism", "evaluation"]
ROLES: tuple[Role, ...] = ("problem", "mechanism", "evaluation")

PROTOTYPES: dict[Role, tuple[str, ...]] = {
    "problem": (
        "It is unknown whether this is the case, and existing methods fail to address the problem.",
        "A major challenge remains: current approaches are limited and the evidence is scattered.",
        "Little was known about the cause, and no study had tested it.",
    ),
    "mechanism": (
        "The method works by combining two components, each of which feeds the next.",
        (
            "We propose a new approach that represents the input as a structure and updates it step"
            " by step."
        ),
        "The effect arises because one part of the system acts on another.",
    ),
    "evaluation": (
        (
            "Experiments on benchmark datasets compare the method with baselines and report higher"
            " accuracy."
        ),
        "Participants were measured before and after, and the difference was significant.",
        "The results show that the score improved in the evaluation.",
    ),
}
CUES: dict[Role, re.Pattern[str]] = {
    "problem": find_words(
        r"however|unknown|unclear|not known|was open|remains?|challeng\w+|lack\w*|gap|"
        r"problem|difficult\w*|hard|fail\w*|limited|little|nobody|cannot|yet|although|but|"
        r"expensive|costly|scarce|scattered|suffer\w*|bottleneck|struggle\w*|need"
    ),
    "mechanism": find_words(
        r"we (?:propose|present|introduce|develop|design)|proposes?|introduces?|presents?|"
        r"because|by \w+ing|works by|combin\w+|uses?|using|learns?|generat\w+|represent\w*|"
        r"updates?|mechanism|framework|architecture|algorithm|so that|which lets|encod\w+|"
        r"receptors?|block\w*"
    ),
    "evaluation": find_words(
        r"experiments?|evaluat\w+|results?|benchmarks?|datasets?|outperform\w*|baselines?|"
        r"accuracy|compared with|compared to|tested on|reported|participants|trials?|measured|"
        r"improved|showed|found|state-of-the-art|error|scores?|authors conclude|conclu\w+|"
        r"findings?"
    ),
}
_TELLS = ignore_case(
    r"(?:the |a )?(?:[\w-]+ ){0,4}(?:study|paper|review|framework|method|model|agent|network|"
    r"update)\b"
)
"""How a sentence begins that says what the paper did."""
LIMITS = find_words(
    r"limit\w*|cannot|could not|only|small sample|single|not (?:known|clear|tested|yet)|"
    r"remains?|unclear|unknown|caution\w*|weak\w*|no control|no proof|future work|however|fails?|"
    r"costly|expensive|at the cost|depends? on|restricted|narrow|difficult\w*|equivocal|"
    r"uncover\w*"
)
OPEN = find_words(
    r"limitations?|limited (?:to|by)|remains? (?:open|unclear|unknown|to be|untested|"
    r"unexplored|difficult|a challenge|hard)|open (?:questions?|problems?)|"
    r"not (?:yet |been )*(?:tested|known|clear|shown|established|examined|studied|tried|causal)|"
    r"cannot (?:be|show|tell|prove|establish|say|exclude|handle|treat|rule)|"
    r"(?:the|this) (?:method|model|approach|study) (?:fails|does not|cannot)|"
    r"future (?:work|research|stud\w+)|further (?:work|research|stud\w+)|unclear|unknown|cauti\w+|"
    r"equivocal|more (?:research|studies|work)|small (?:\S+ )?samples?|single case|one case|"
    r"no control|no proof|only (?:tested|evaluated|one|two|a few|small)"
)
"""Sentences of an evaluation that state a limit, an open question or future work."""
REMAINS = find_words(
    r"remains? (?:open|unclear|unknown|untested|unsolved|to be)|"
    r"(?:is|are) (?:still|left) (?:open|unclear|unknown)|left (?:open|for|to) (?:future|later)|"
    r"future (?:work|research|studies)|further (?:work|research|studies)|more research is needed|"
    r"limitations? (?:of|is|are|include)"
)
"""Sentences that state an open point whatever part they play."""
WEAK = find_words(
    r"still struggl\w+|at the price of|at (?:a )?much (?:higher|greater)|higher \w+ costs?|"
    r"costs? (?:more|much)|(?:was|were|is|are) (?:\w+ )?weaker|warn(?:s|ed)? that|wrong answer|"
    r"mixed results|little or no(?:ne|thing)?|(?:is|are) required|stays? difficult|"
    r"limits? (?:how|the strength|what)|(?:was|were) missing|may need|not always|has limits|"
    r"often misses|back at the baseline|no gain|did not (?:improve|help|differ)|"
    r"remain(?:s)? (?:behind|below|worse)|degrad\w+ (?:when|on|with)|"
    r"does not (?:scale|transfer|generali[sz]e)"
)
"""Sentences of an evaluation that own to a weakness."""
REASONS = find_words(
    r"because|since|so that|therefore|hence|due to|which (?:lets|allows|makes|means)|"
    r"works? (?:by|because)|thus|the reason"
)


@dataclass(frozen=True, eq=False)
class PaperSentence:
    """One sentence of a paper, with the part it plays and its embedding (384, normalised)."""

    paper: Paper
    text: str
    role: Role
    place: int
    vector: Vectors

    @property
    def limit(self) -> bool:
        """Whether the sentence names a limit, of the work itself or of earlier work."""
        return LIMITS.search(self.text) is not None

    @property
    def open(self) -> bool:
        """Whether the sentence states what the paper itself leaves open: never its first ones,
        which say what it set out from.
        """
        return (
            self.role == "evaluation"
            and self.place > 1
            and self.alone
            and OPEN.search(self.text) is not None
        )

    @property
    def alone(self) -> bool:
        """Whether the sentence can be understood without the one before it."""
        return DANGLING.match(self.text) is None

    def near(self, vector: Vectors) -> float:
        """Return the cosine to a vector, rounded so that machines agree."""
        return round(float(self.vector @ vector), 4)


def nearest_sentence(passages: Iterable[PaperSentence], vector: Vectors) -> PaperSentence:
    """Return the sentence of one paper nearest to a vector, of equal ones the first."""
    return max(passages, key=lambda passage: (passage.near(vector), -passage.place))


def rank_sentences(
    scored: Iterable[tuple[float, PaperSentence]],
) -> list[tuple[float, PaperSentence]]:
    """Return (score, sentence) with the highest score first, equal ones by paper and place."""
    return sorted(scored, key=lambda pair: (-pair[0], pair[1].paper.id, pair[1].place))


def body(paper: Paper) -> tuple[str, ...]:
    """Return the sentences of a paper's abstract, or its title where it has none."""
    return sentences(paper.abstract) or (clean(paper.title) or paper.id,)


def sort_into_roles(
    paper: Paper, lines: Sequence[str], vectors: Vectors, prototypes: Vectors
) -> tuple[PaperSentence, ...]:
    """Sort a paper's sentences by meaning, cue words and place; `prototypes` is (3, 384), one row
    per role.
    """
    near = vectors @ prototypes.T
    last = max(1, len(lines) - 1)
    found = []
    for place, line in enumerate(lines):
        at = place / last if len(lines) > 1 else 0.5
        tells = 0.25 * (place > 0 and _TELLS.match(line) is not None)
        scores = [
            float(near[place, n])
            + 0.18 * min(2, len(CUES[role].findall(line)))
            + _PRIOR[role](at)
            + tells * (role == "mechanism")
            for n, role in enumerate(ROLES)
        ]
        found.append(
            PaperSentence(paper, line, ROLES[int(np.argmax(scores))], place, vectors[place])
        )
    return tuple(_complete(found))


_PRIOR: dict[str, Callable[[float], float]] = {
    "problem": lambda at: 0.85 * max(0.0, 1 - 4.2 * at),
    "mechanism": lambda at: 0.45 * max(0.0, 1 - 2.2 * abs(at - 0.42)),
    "evaluation": lambda at: 0.6 * max(0.0, 2.2 * at - 1.2),
}


def _complete(found: list[PaperSentence]) -> list[PaperSentence]:
    """Let a text of three sentences and more have a problem and a mechanism: its first sentence,
    and its second.
    """
    roles = {passage.role for passage in found}
    if len(found) >= 3 and "problem" not in roles:
        found[0] = replace(found[0], role="problem")
    if len(found) >= 3 and "mechanism" not in roles:
        found[1] = replace(found[1], role="mechanism")
    return found

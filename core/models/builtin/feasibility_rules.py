"""What makes an idea doable, as far as it can be measured: data, bounds, a comparison, a measure,
few parts, access.
"""

import re

from core.models.builtin.english import clip, find_words, ignore_case, sentences
from core.models.builtin.novelty_rules import PLAIN_IMPACT, SECOND
from core.models.builtin.rules import ByKind, Edit, IdeaCase, Rule, adding, lacking

NUMBER = (
    r"(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|"
    r"forty|fifty)"
)
DATA = ignore_case(
    r"\b(?:uses?|using|work on|data|from|on)\b.{0,60}\b(?:public|available|collected|existing|"
    r"open|used by|records|benchmark|questionnaires?)\b"
)
SIZE = ignore_case(
    rf"\b{NUMBER} (?:\w+ )?"
    r"(?:participants|athletes|adolescents|patients|students|players|people|animals|mice|rats|"
    r"cases|test cases|equations|tasks|questions|problems|topics|samples|runs|GPUs?|models?|"
    r"schools|teams)\b"
)
TIME = ignore_case(rf"\b{NUMBER}[ -](?:hours?|days?|weeks?|months?|years?)\b")
COMPARED = find_words(
    r"baselines?|control (?:group|condition)|compared? (?:with|to|against)|"
    r"compare .{1,80} (?:with|to|against)|side by side|paired with|placebo|same set-up without"
)
OUTCOME = find_words(
    r"main outcome|primary outcome|measured (?:by|with|as|on)|outcome is|"
    r"(?:record|measur(?:e|es|ed|ing|ements?))\b.{1,80}\b(?:with|by)|"
    r"fourth, compare"
)
ACCESS = find_words(
    r"consent|ethics|approval|open weights|open source|public code|public data|permission|"
    r"already keeps|borrowed"
)
SCALES = find_words(r"larger study|scaled? up|scaling up|second site|follow-up study|full study")
STAFF = find_words(r"carried out by|staff|one person|two people|a single researcher|one researcher")
SENTENCES, WORDS = 9, 240
"""More than this is a method of too many parts."""
YOUNG = ignore_case(r"adolescen|teen|child|minor|pupil|school|athlete")
LIMITED = re.compile(r"^The first study is limited to")


def _name_data(case: IdeaCase) -> tuple[Edit, ...]:
    """Say where the data come from: measured anew where the person's own text names an outcome,
    else what the study would use.
    """
    measured = case.own and case.own.outcome
    start = "The data are collected for this study, namely" if measured else "The work uses"
    data = case.study.measure if measured else case.study.data
    return (Edit("method", f"{start} {data}", DATA),)


def _open_ended(case: IdeaCase) -> str | None:
    missing = []
    if not case.says(SIZE):
        missing.append("a size")
    if not case.says(TIME):
        missing.append("a duration")
    if not missing:
        return None
    return f"The effort is open-ended; it lacks {' and '.join(missing)}. Bound the first study."


def _set_bound(case: IdeaCase) -> tuple[Edit, ...]:
    size, _, time = case.study.bound.rpartition(" and ")
    if case.own and case.own.who and case.study.kind == "people":
        size = f"{size} ({case.own.who})"
    bound = f"{size} and {time}"
    if case.says(TIME):
        bound = size
    elif case.says(SIZE):
        bound = time
    return (Edit("method", f"The first study is limited to {bound}", LIMITED),)


def _too_much(case: IdeaCase) -> str | None:
    if joining := _joining(case):
        return (
            f'The method joins two mechanisms, as in "{clip(joining, 140)}". One change at a'
            " time is simpler and tells more."
        )
    count, size = len(case.method), len(case.method_text.split())
    if count > SENTENCES or size > WORDS:
        return (
            f"The method has {count} sentences and {size} words (bound {SENTENCES} and {WORDS}),"
            " too much for a first study. Drop what the claim does not need."
        )
    return None


def _joining(case: IdeaCase) -> str:
    # What a person proposed is the idea itself, even where it joins two things; only what was added
    # to it can go.
    proposed = case.own.words if case.own else ""
    own = (proposed, *sentences(proposed))
    for line in case.method:
        if line not in own and SECOND.search(line):
            return line
    return ""


def _keep_one(case: IdeaCase) -> tuple[Edit, ...]:
    joining = _joining(case)
    alone = f"Only one thing is changed, {case.device}; everything else stays as it is"
    return (Edit("method", alone, re.compile(re.escape(joining)) if joining else None),)


def _say_access(case: IdeaCase) -> tuple[Edit, ...]:
    access = case.study.access
    if not YOUNG.search(case.idea.text):
        access = access.replace(", for minors also that of their parents,", "")
    return (Edit("method", access, ACCESS),)


_TRIAL: ByKind = {
    "people": "period",
    "animals": "recording",
    "equations": "run",
    "programs": "run",
    "other": "trial",
}
_MEASURED: ByKind = {
    "people": "taken before and after",
    "animals": "scored blind",
    "equations": "computed in the same way for both versions",
    "programs": "on the same cases for both versions",
    "other": "fixed before the work starts",
}
_UNSAID = "It is not said whether code, data and equipment are within reach"
_NEED: ByKind = {
    "people": "People take part, and neither consent nor an ethics approval is mentioned",
    "animals": "Animals are used, and no approval is mentioned",
    "equations": _UNSAID,
    "programs": _UNSAID,
    "other": _UNSAID,
}
FEASIBILITY = (
    Rule(
        "data",
        "data availability",
        3,
        lacking(
            DATA,
            'No source of data is named; the method says only "{case.ending}". Name data that'
            " exist or that can be collected.",
        ),
        _name_data,
        "It is unclear where the data would come from.",
    ),
    Rule(
        "bound",
        "time and cost efficiency",
        3,
        _open_ended,
        _set_bound,
        "It is open how much it would cost, how many are needed and how long it would take.",
    ),
    Rule(
        "simplicity",
        "simplicity of method",
        3,
        _too_much,
        _keep_one,
        "The method is too complicated and has too many parts.",
    ),
    Rule(
        "baseline",
        "practicality",
        2,
        lacking(
            COMPARED,
            "There is nothing to compare with, so an effect of {case.device} could not be seen."
            " Add a baseline.",
        ),
        adding(
            "method",
            "Every {trial} with {case.device} is compared with one without it, under the same"
            " conditions",
            trial=_TRIAL,
        ),
        "There is no baseline or control group to compare with.",
    ),
    Rule(
        "outcome",
        "practicality",
        2,
        lacking(
            OUTCOME,
            "No outcome is fixed beforehand, so the result could be read as one likes. Name one"
            " measure.",
        ),
        adding(
            "method",
            "The main outcome is {case.study.measure}, {measured}",
            OUTCOME,
            measured=_MEASURED,
        ),
        "It is not clear what is measured as the outcome.",
    ),
    Rule(
        "access",
        "accessibility of resources",
        2,
        lacking(ACCESS, "{need}. Say how the means are to be had.", need=_NEED),
        _say_access,
        "Consent, ethics approval and access to equipment or code are not dealt with.",
    ),
    Rule(
        "scale",
        "scalability",
        1,
        lacking(
            SCALES,
            "It is not said what would follow a first success, so the idea cannot grow in steps."
            " Name the condition for a larger study.",
        ),
        adding(
            "expected_impact",
            "A larger study follows only if the first one shows a difference in"
            " {case.study.measure}; it then adds {case.study.unit}, not parts",
            PLAIN_IMPACT,
        ),
        "It is not clear how this would scale up to a larger study.",
    ),
    Rule(
        "staff",
        "practicality",
        1,
        lacking(
            STAFF,
            "Nobody is named who could do the work. Say how many people it takes, and with what.",
        ),
        adding("method", "The work can be carried out by {case.study.staff}", STAFF),
        "Nobody is named who would do the work.",
    ),
)
GENERAL = FEASIBILITY[3:5]
"""What any claim needs, whatever it is judged by."""

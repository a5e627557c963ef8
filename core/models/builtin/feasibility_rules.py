"""What makes an idea doable, as far as it can be measured: data, bounds, a comparison, a measure,
few parts, access.
"""

import re

from core.models.builtin.english import clipped, sentences
from core.models.builtin.novelty_rules import PLAIN_IMPACT, SECOND
from core.models.builtin.rules import Edit, IdeaCase, Rule

NUMBER = (
    r"(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|"
    r"forty|fifty)"
)
DATA = re.compile(
    r"\b(?:uses?|using|work on|data|from|on)\b.{0,60}\b(?:public|available|collected|existing|"
    r"open|used by|records|benchmark|questionnaires?)\b",
    re.IGNORECASE,
)
SIZE = re.compile(
    rf"\b{NUMBER} (?:\w+ )?"
    r"(?:participants|athletes|adolescents|patients|students|players|people|animals|mice|rats|"
    r"cases|test cases|equations|tasks|questions|problems|topics|samples|runs|GPUs?|models?|"
    r"schools|teams)\b",
    re.IGNORECASE,
)
TIME = re.compile(rf"\b{NUMBER}[ -](?:hours?|days?|weeks?|months?|years?)\b", re.IGNORECASE)
COMPARED = re.compile(
    r"\b(?:baselines?|control (?:group|condition)|compared? (?:with|to|against)|"
    r"compare .{1,80} (?:with|to|against)|side by side|paired with|placebo|same set-up without)\b",
    re.IGNORECASE,
)
OUTCOME = re.compile(
    r"\b(?:main outcome|primary outcome|"
    r"measured (?:by|with|as|on)|outcome is|"
    r"(?:record|measur(?:e|es|ed|ing|ements?))\b.{1,80}\b(?:with|by)|fourth, compare)\b",
    re.IGNORECASE,
)
ACCESS = re.compile(
    r"\b(?:consent|ethics|approval|open weights|open source|public code|public data|permission|"
    r"already keeps|borrowed)\b",
    re.IGNORECASE,
)
SCALES = re.compile(
    r"\b(?:larger study|scaled? up|scaling up|second site|follow-up study|full study)\b",
    re.IGNORECASE,
)
STAFF = re.compile(
    r"\b(?:carried out by|staff|one person|two people|a single researcher|one researcher)\b",
    re.IGNORECASE,
)
SENTENCES, WORDS = 9, 240
"""More than this is a method of too many parts."""
LIMITED = re.compile(r"^The first study is limited to")


def _method(case: IdeaCase) -> str:
    fields = case.idea.fields
    return fields.get("method") or fields.get("hypothesis", "")


def _quote(case: IdeaCase) -> str:
    spoken = sentences(_method(case))
    return clipped(spoken[-1] if spoken else case.idea.title, 140).rstrip(".")


def _data(case: IdeaCase) -> str | None:
    return (
        None
        if case.says(DATA)
        else (
            f'No source of data is named; the method says only "{_quote(case)}". Name data that'
            " exist or that can be collected."
        )
    )


def _name_data(case: IdeaCase) -> tuple[Edit, ...]:
    if case.own and case.own.outcome:
        return (
            Edit(
                "method",
                f"The data are collected for this study, namely {case.study.measure}",
                DATA,
            ),
        )
    return (Edit("method", f"The work uses {case.study.data}", DATA),)


def _bound(case: IdeaCase) -> str | None:
    missing = [
        word for word, pattern in (("a size", SIZE), ("a duration", TIME)) if not case.says(pattern)
    ]
    return (
        f"The effort is open-ended; it lacks {' and '.join(missing)}. Bound the first study."
        if missing
        else None
    )


def _set_bound(case: IdeaCase) -> tuple[Edit, ...]:
    size, _, time = case.study.bound.rpartition(" and ")
    if case.own and case.own.who and case.study.kind == "people":
        size = f"{size} ({case.own.who})"
    bound = size if case.says(TIME) else time if case.says(SIZE) else f"{size} and {time}"
    return (Edit("method", f"The first study is limited to {bound}", LIMITED),)


def _baseline(case: IdeaCase) -> str | None:
    return (
        None
        if case.says(COMPARED)
        else (
            f"There is nothing to compare with, so an effect of {case.device} could not be seen."
            " Add a baseline."
        )
    )


def _add_baseline(case: IdeaCase) -> tuple[Edit, ...]:
    return (
        Edit(
            "method",
            f"Every {_one(case)} with {case.device} is compared with one without it, under the same"
            " conditions",
        ),
    )


def _one(case: IdeaCase) -> str:
    return {
        "people": "period",
        "animals": "recording",
        "equations": "run",
        "programs": "run",
        "other": "trial",
    }[case.study.kind]


def _outcome(case: IdeaCase) -> str | None:
    return (
        None
        if case.says(OUTCOME)
        else (
            "No outcome is fixed beforehand, so the result could be read as one likes. Name one"
            " measure."
        )
    )


def _fix_outcome(case: IdeaCase) -> tuple[Edit, ...]:
    how = {
        "people": "taken before and after",
        "animals": "scored blind",
        "equations": "computed in the same way for both versions",
        "programs": "on the same cases for both versions",
        "other": "fixed before the work starts",
    }[case.study.kind]
    return (Edit("method", f"The main outcome is {case.study.measure}, {how}", OUTCOME),)


def _parts(case: IdeaCase) -> str | None:
    text = _method(case)
    count, size = len(sentences(text)), len(text.split())
    if _joining(case):
        return (
            f'The method joins two mechanisms, as in "{clipped(_joining(case), 140)}". One change'
            " at a time is simpler and tells more."
        )
    if count > SENTENCES or size > WORDS:
        bound = f"{SENTENCES} and {WORDS}"
        return (
            f"The method has {count} sentences and {size} words (bound {bound}), too much for a"
            " first study. Drop what the claim does not need."
        )
    return None


def _joining(case: IdeaCase) -> str:
    # What a person proposed is the idea itself, even where it joins two things; only what was added
    # to it can go.
    added = [
        line
        for line in sentences(_method(case))
        if not case.own or line not in (case.own.words, *_spoken(case))
    ]
    return next((line for line in added if SECOND.search(line)), "")


def _spoken(case: IdeaCase) -> tuple[str, ...]:
    return sentences(case.own.words) if case.own else ()


def _keep_one(case: IdeaCase) -> tuple[Edit, ...]:
    gone = _joining(case)
    return (
        Edit(
            "method",
            f"Only one thing is changed, {case.device}; everything else stays as it is",
            re.compile(re.escape(gone)) if gone else None,
        ),
    )


def _access(case: IdeaCase) -> str | None:
    if case.says(ACCESS):
        return None
    need = {
        "people": "People take part, and neither consent nor an ethics approval is mentioned",
        "animals": "Animals are used, and no approval is mentioned",
    }.get(case.study.kind, "It is not said whether code, data and equipment are within reach")
    return f"{need}. Say how the means are to be had."


def _say_access(case: IdeaCase) -> tuple[Edit, ...]:
    young = re.search(
        r"adolescen|teen|child|minor|pupil|school|athlete", case.idea.text, re.IGNORECASE
    )
    return (
        Edit(
            "method",
            (
                case.study.access
                if young
                else case.study.access.replace(", for minors also that of their parents,", "")
            ),
            ACCESS,
        ),
    )


def _scale(case: IdeaCase) -> str | None:
    return (
        None
        if case.says(SCALES)
        else (
            "It is not said what would follow a first success, so the idea cannot grow in steps."
            " Name the condition for a larger study."
        )
    )


def _say_scale(case: IdeaCase) -> tuple[Edit, ...]:
    return (
        Edit(
            "expected_impact",
            "A larger study follows only if the first one shows a difference in"
            f" {case.study.measure}; it then adds {case.study.unit}, not parts",
            PLAIN_IMPACT,
        ),
    )


def _staff(case: IdeaCase) -> str | None:
    return (
        None
        if case.says(STAFF)
        else "Nobody is named who could do the work. Say how many people it takes, and with what."
    )


def _say_staff(case: IdeaCase) -> tuple[Edit, ...]:
    return (Edit("method", f"The work can be carried out by {case.study.staff}", STAFF),)


FEASIBILITY = (
    Rule(
        "data",
        "data availability",
        3,
        _data,
        _name_data,
        "It is unclear where the data would come from.",
    ),
    Rule(
        "bound",
        "time and cost efficiency",
        3,
        _bound,
        _set_bound,
        "It is open how much it would cost, how many are needed and how long it would take.",
    ),
    Rule(
        "simplicity",
        "simplicity of method",
        3,
        _parts,
        _keep_one,
        "The method is too complicated and has too many parts.",
    ),
    Rule(
        "baseline",
        "practicality",
        2,
        _baseline,
        _add_baseline,
        "There is no baseline or control group to compare with.",
    ),
    Rule(
        "outcome",
        "practicality",
        2,
        _outcome,
        _fix_outcome,
        "It is not clear what is measured as the outcome.",
    ),
    Rule(
        "access",
        "accessibility of resources",
        2,
        _access,
        _say_access,
        "Consent, ethics approval and access to equipment or code are not dealt with.",
    ),
    Rule(
        "scale",
        "scalability",
        1,
        _scale,
        _say_scale,
        "It is not clear how this would scale up to a larger study.",
    ),
    Rule("staff", "practicality", 1, _staff, _say_staff, "Nobody is named who would do the work."),
)
GENERAL = FEASIBILITY[3:5]
"""What any claim needs, whatever it is judged by."""

"""What kind of open point a paper names, and how such a point is settled."""

import re
from dataclasses import dataclass

from core.models.builtin.english import ignore_case


@dataclass(frozen=True)
class Remedy:
    """A kind of open point: how it reads, what settles it, and the steps; `{device}`, `{name}`,
    `{unit}`, `{measure}`, `{data}` are filled in.
    """

    reads: re.Pattern[str]
    how: str
    """As in 'settle with ...'."""
    titled: str
    """As in 'Sleep extension: ...'."""
    people: tuple[str, str, str]
    """For work with people or animals."""
    programs: tuple[str, str, str]
    """For work with programs, equations or materials."""
    risk: str


def _reads(words: str) -> re.Pattern[str]:
    return ignore_case(rf"\b(?:{words})")


REMEDIES = (
    Remedy(
        _reads(
            r"beyond the first|last(?:s|ing)?\b|long[- ]term|follow-up|over time|months? after|"
            r"single seminars"
        ),
        "with a longer follow-up",
        "does it last?",
        (
            (
                "repeat the procedure of {name} with new {unit} and follow these for at least three"
                " times as long as was done there"
            ),
            (
                "record {measure} at the start, at the end of the original period and at two later"
                " times"
            ),
            (
                "compare the later values with the first and with those of a group that did not"
                " take part"
            ),
        ),
        (
            "set {device} up again and let it run for at least three times as long as it did",
            "record {measure} at equal intervals on {data}",
            "compare the last interval with the first, and with a baseline that ran as long",
        ),
        "{Unit} may drop out of a long study; who leaves, and when, is reported, and the analysis"
        " is repeated with the missing values at their worst",
    ),
    Remedy(
        _reads(
            r"cause|causal|cross-sectional|retrospective|no control|correlat|"
            r"cannot (?:tell|show|prove)|confound|single decision|associat"
        ),
        "with a controlled comparison",
        "a controlled comparison",
        (
            (
                "take up the comparison of {name} again and assign {unit} at random to {condition}"
                " or to a control group"
            ),
            (
                "record {measure} before, during and after, so that a change within one case can be"
                " told from a difference between cases"
            ),
            "compare the change in both groups",
        ),
        (
            (
                "rebuild the test of {name} and change one part at a time, with everything else"
                " held fixed"
            ),
            "run each version on {data} with the same budget",
            (
                "compare {measure} of the versions pairwise, so that an effect can be put down to"
                " one part"
            ),
        ),
        "The two groups may differ from the start; chance decides who is in which, and the values"
        " at the start are reported for both",
    ),
    Remedy(
        _reads(
            r"small|single (?:case|school|site|cent)|one case|too few|"
            r"few (?:cases|studies|participants)|number of studies|only (?:one|two|a few)\b|"
            r"limited number"
        ),
        "in a larger sample",
        "a larger sample",
        (
            "repeat the procedure of {name} with more {unit}, from at least two places",
            (
                "fix the smallest difference in {measure} that would matter, and derive the number"
                " of {unit} from it"
            ),
            "analyse the places apart and then together",
        ),
        (
            "repeat the test of {name} on several times as many cases, among them {data}",
            (
                "fix the smallest difference in {measure} that would matter, and derive the number"
                " of cases from it"
            ),
            "report the result for each kind of case and for all together",
        ),
        "More {unit} from more places also differ in more ways; the analysis therefore names the"
        " place as a factor",
    ),
    Remedy(
        _reads(
            r"indirect|self-report|self-rated|questionnaire|recall|validity|reliab|cautio|proxy|"
            r"assay|judge|rater|human evaluation|agree"
        ),
        "with a second, more direct measurement",
        "measured directly",
        (
            (
                "take the measurement of {name} and a more direct one from the same {unit} at the"
                " same time"
            ),
            "repeat both after a week, so that the scatter of each is known",
            "report how far the two agree, and for whom they do not",
        ),
        (
            "take the measure of {name} and judgements of people on the same outputs",
            "let two people judge blind, so that their own agreement is known",
            "report how far measure and people agree, and on which cases they do not",
        ),
        "The direct measurement costs more; it is taken from a part of the {unit}, drawn by chance",
    ),
    Remedy(
        _reads(
            r"cost|expens|slow|scale|ten times|memory|tokens?\b|budget|comput|large models|"
            r"time-consuming"
        ),
        "by runs at several sizes",
        "what it costs at other sizes",
        (
            "repeat the procedure of {name} in a short, a usual and a long form",
            "record {measure} and the hours it takes in each form",
            "find the shortest form that still shows the effect",
        ),
        (
            "run {device} at a tenth, at once and at ten times the size that {name} used",
            "record {measure} and the cost of every run on {data}",
            "fit how both grow, and say from which size on more effort stops paying",
        ),
        "The largest size may be out of reach; two smaller ones are then run more often, and the"
        " limit is said",
    ),
    Remedy(
        _reads(
            r"parameter|tun(?:e|ing)|hyperparameter|threshold|choose its|how to choose|setting of"
        ),
        "with a sweep of the setting in question",
        "how to choose its setting",
        (
            "name the setting in question and three values it could have",
            "assign {unit} at random to the values and record {measure}",
            "derive a rule for the choice from one half of the data and test it on the other",
        ),
        (
            (
                "name the setting in question and a range for it, and run {device} over the whole"
                " range on {data}"
            ),
            "record {measure} for every value, with three seeds each",
            "derive a rule for the choice from one half of the data and test it on the other",
        ),
        "The best value may depend on the data; the rule is therefore tested on data it was not"
        " derived from",
    ),
    Remedy(
        _reads(
            r"fails?\b|failure|rare|wrong|weak|struggl|difficult|unstable|error|hallucinat|worse|"
            r"degenerat|mixed results"
        ),
        "by sorting its failures by kind",
        "where it fails",
        (
            "collect the cases of {name} that did not respond, and as many that did",
            "let two people sort them by what they have in common, without knowing which is which",
            "test the most frequent difference in new {unit}",
        ),
        (
            "collect cases on which {device} fails, and as many on which it does not, from {data}",
            "let two people sort the failures by kind, without seeing one another's answers",
            "change one thing for the most frequent kind and record {measure} on new cases",
        ),
        "The kinds may be in the eye of the sorter; the agreement of both is reported, and a kind"
        " counts only where they agree",
    ),
    Remedy(
        _reads(
            r"elsewhere|differently|transfer|generali[sz]|other (?:\w+ )?(?:data|domains?|"
            r"populations?|languages?|settings?|sites?|equations?|models?)|"
            r"only (?:tested|evaluated)|limited to|restricted|requires?|depends? on|assum"
        ),
        "on material collected elsewhere",
        "does it hold elsewhere?",
        (
            "repeat the procedure of {name} unchanged in a group that differs in one respect",
            "record {measure} in the same way as before",
            "compare the size of the effect in both groups, not only whether there is one",
        ),
        (
            "run {device} unchanged on {data} and on material that was collected in another way",
            "record {measure} on both, with the settings fixed on the first",
            "report how much is lost, and whether a few examples of the new material win it back",
        ),
        "The new material may differ in more than one way; it is described in the same terms as the"
        " old, and the differences are listed",
    ),
    Remedy(
        re.compile(r"(?!)"),
        "by a group of its own",
        "once more, by others",
        (
            (
                "repeat the procedure of {name} from its description alone, with {unit} of another"
                " place"
            ),
            (
                "record {measure} in the same way, and write down every question that the"
                " description leaves open"
            ),
            "compare both results, and publish the questions with them",
        ),
        (
            "rebuild {device} from its description alone, without its code",
            (
                "run it on {data}, record {measure}, and write down every question that the"
                " description leaves open"
            ),
            "compare both results, and publish the questions with them",
        ),
        "What differs may be the skill of the group and not the matter; a part that both can do"
        " well serves as a check",
    ),
    Remedy(
        _reads(r""),
        "with a study made for it",
        "a study of the open point",
        (
            "write down what answer to the open point each of two explanations predicts",
            (
                "repeat the procedure of {name} in cases for which the two predictions differ, and"
                " record {measure}"
            ),
            "report which prediction came true, and how clearly",
        ),
        (
            "write down what answer to the open point each of two explanations predicts",
            "run {device} where the two predictions differ, on {data}, and record {measure}",
            "report which prediction came true, and how clearly",
        ),
        "The result may lie between both predictions; what would count as either is fixed before"
        " the first measurement",
    ),
)


ELSEWHERE = next(remedy for remedy in REMEDIES if remedy.how == "on material collected elsewhere")


def remedy_for(point: str) -> Remedy:
    """Return what settles an open point, by the words it is put in; the last remedy serves any
    point.
    """
    return next(remedy for remedy in REMEDIES if remedy.reads.search(point))

"""How each figure of a session is computed, in words: for the codebook of its files."""

from core.records import Task

ICC = (
    "of the ideas that all experts rated, from a two-way analysis of variance (McGraw and Wong,"
    " 1996)"
)
RESTS = "each expert against the mean of the other experts, by {}; then the mean over experts"
ALPHA = (
    "1 less the observed disagreement by that expected by chance (Krippendorff, 2011), over the"
    " units that two experts or more answered; every answer is one value of its unit"
)
LEVELS = {
    "nominal": "two answers differ or do not",
    "ordinal": "two answers differ by the answers that lie between them",
    "interval": "two answers differ by their squared distance",
}
FEW = "Under 10 sets the figure stands alone: no interval, no p, no verdict."


JUDGES = {
    "winning rate": (
        "The share of experts whom a model judge stands in for by the alternative annotator"
        " test (Calderon, Reichart and Dror, 2025): each expert is left out in turn, and on"
        " each unit the judge's and this expert's distance from the other experts' scores (of"
        " pairs, how many of these name the same winner) are compared; from one half the judge"
        " may be quoted."
    ),
    "advantage probability": (
        "How often the judge is as near to the other experts as the one left out, or nearer;"
        " the mean over experts."
    ),
}


def _alphas(unit: str, *levels: str) -> dict[str, str]:
    return {
        f"Krippendorff's alpha ({level})": f"{unit} {ALPHA[0].upper()}{ALPHA[1:]}; {LEVELS[level]}."
        for level in levels
    }


YES_NO = (
    "On a criterion of yes or no, yes is 1 and no is 0: a mean is the share of yes (by source: the"
    " mean over its ideas of each one's share), and a point is the way from no to yes."
)
FREE_TEXT = "Free text and reasons are listed in words.csv, and are in no figure."
MIXED = (
    "Where criteria have different scales, figures of a rater over all criteria take those on the"
    " commonest scale, and second answers are compared by exact agreement only."
)
"""What is to be said of rubrics that are not scored from 1 to 10 throughout."""

DEFINITIONS: dict[Task, dict[str, str]] = {
    "rate": {
        "ICC(A,1)": f"Absolute agreement of single experts, {ICC}.",
        "ICC(A,k)": f"Absolute agreement of the mean of all experts, {ICC}.",
        "ICC(C,1)": f"Consistency of single experts, severity left aside, {ICC}.",
        "ICC(C,k)": f"Consistency of the mean of all experts, severity left aside, {ICC}.",
        **_alphas("Unit: an idea.", "ordinal", "interval"),
        "human ceiling (Pearson's r)": f"{RESTS.format('Pearson')}.",
        "human ceiling (Spearman's rho)": f"{RESTS.format('Spearman')}.",
        "human ceiling (mean absolute error)": f"{RESTS.format('mean absolute difference')}.",
        "Pearson's r": "A model's scores with the experts' mean, over the ideas both scored.",
        "Spearman's rho": (
            "The same of ranks, ties sharing their mean; in the tables of every two raters, of"
            " their scores."
        ),
        "Kendall's tau-b": (
            "A model's scores with the experts' mean: concordant less discordant pairs of ideas,"
            " corrected for ties."
        ),
        "mean absolute error": (
            "Mean distance of a model's scores from the experts' mean, in points."
        ),
        "exact agreement": (
            "The share of second scores that equal the first, over all criteria and experts."
        ),
        "mean absolute difference": "Mean distance of second scores from the first, in points.",
        "mean score": (
            "By source: the mean over its ideas, each the mean of its experts (or a model's score)."
        ),
        **JUDGES,
        "prediction-powered mean": (
            "The mean over all units that a judge scored, corrected by the mean distance of"
            " experts' scores from the judge's on the units that both scored, the judge's weighted"
            " so that the interval is narrowest (Angelopoulos, Duchi and Zrnic, 2023)."
        ),
        "drift over the list": (
            "The slope of an expert's scores over the place of the unit in his or her list, from"
            " first to last, the mean of each idea taken out; the mean over experts, by Student's"
            " t."
        ),
        "difference of sources": (
            "The mean of the first source less that of the second. Per review, per idea (the mean"
            " of its reviews): Welch's t-test. Per topic and per reviewer (the mean of what each"
            " gave a source): paired t-test over those that have both. Mixed model: restricted"
            " maximum likelihood with random intercepts, Satterthwaite's degrees of freedom. p is"
            " corrected for all pairs of sources of one criterion by one test."
        ),
        "probability of superiority": (
            "How often an observation of the first source stands above one of the second, ties"
            " counted half: Mann and Whitney's U by the number of pairs; interval by Newcombe"
            " (2006), method 5."
        ),
        "rank-biserial r": (
            "The share of Wilcoxon's signed ranks that speak for the first source less that which"
            " speaks against it; a score interval."
        ),
    },
    "rank": {
        "Kendall's W": (
            "The spread of the ideas' rank totals by that under full agreement, corrected for ties"
            " (Kendall and Gibbons, 1990); the mean over sets that two experts or more ordered. By"
            f" chance 1 / experts. {FEW}"
        ),
        "tau-b": (
            "Concordant less discordant pairs of ideas, by the root of the pairs that the one"
            " order does not tie times those that the other does not; over sets both parts are"
            f" summed first. {FEW}"
        ),
        "Q": (
            "(place of the hidden idea - 1) / number of other ideas, a tied idea in the mean of"
            f" its places: 0 best, 1 worst; the mean over orders. {FEW}"
        ),
        "A(Q)": (
            "1 less the distance of two raters' Q on a set, the mean over pairs of raters and sets."
        ),
        "D(S)": (
            "The distance of two raters' Q on a set (printed as S), the mean over pairs of raters"
            " and sets."
        ),
        "pull of the order shown": (
            "Kendall's tau-b of the order given with the order shown, the mean over orders; 0 by"
            " chance."
        ),
        "target found": (
            "The share of guesses that name the hidden idea; p is exact, over which idea of each"
            " set is the hidden one."
        ),
        "mean place": (
            "By source: (place - 1) / number of other ideas, the mean over its ideas and orders: 0"
            " first, 1 last."
        ),
    },
    "compare": {
        **JUDGES,
        "agreement with ties": (
            "The share of pairs of raters and units with the same of three answers: label, other,"
            " tie. Chance is from how often each answer is given, every unit seen from both of its"
            " texts."
        ),
        "agreement without ties": "The share with the same winner, where both name one.",
        "Cohen's kappa": (
            "(agreement with ties - chance) / (1 - chance). Every unit is seen from both of its"
            " texts, so that labels do not decide; this chance differs from that of a table with"
            " each unit once."
        ),
        **_alphas(
            "Unit: a pair of texts, each once, seen from the text under label (the first in the"
            " alphabet); other and label changed over is not counted as a second unit.",
            "nominal",
            "ordinal",
        ),
        "self-agreement": (
            "The share of second answers with the same of three answers as the first."
        ),
        "both weak": "The share of answers that call both texts weak.",
        "left share": (
            "The share of answers with a winner that name the text on the left, over all criteria."
        ),
        "position term": (
            "Log-odds that of two equal texts the left one is called better: Bradley-Terry with a"
            " term for each expert, penalised."
        ),
        "rating": (
            "Bradley-Terry, position taken out, ties half a win; mean 1000, 400 points more are"
            " odds of 10 to 1."
        ),
    },
    "comment": {
        **{
            f'share of "{answer}"': "The share of experts' answers on rounds."
            for answer in ("yes", "partly", "no", "better", "same", "worse")
        },
        **_alphas("Unit: a round of a refinement.", "nominal", "ordinal"),
        "same answer": (
            "The share of pairs of answers on the same round that are the same: of two experts, or"
            " of a model and an expert."
        ),
    },
}
"""By the name a figure has in tables."""

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

RESAMPLED = (
    "1,000 resamples, numpy.random.default_rng(0).multinomial(k, [1/k]*k, 1000) over the k units in"
    " the order of their labels (of numbers, where these are numbers)"
)
WIDENED = (
    "the normal quantile 1.96 is replaced by sqrt(k / (k - 1)) times Student's t with k - 1 degrees"
    " of freedom (Hesterberg, 2015)"
)
ALIKE = (
    "where all of them are alike, Wilson's of k observations: the mean as a share of the way from"
    " the lowest to the highest score, and back on the scale; a single one has no interval"
)
RULES: dict[Task, dict[str, str]] = {
    "rate": {
        "Krippendorff's alpha, human ceiling": (
            f"BCa bootstrap over ideas (Efron, 1987): {RESAMPLED}; bias from the share of resamples"
            " below the figure, equal ones counted half; acceleration from leaving out each idea in"
            f" turn; {WIDENED}, so that ends lie further out than those of BCa alone."
        ),
        "ICC": "F intervals of McGraw and Wong (1996, table 7).",
        "Pearson's r": (
            "Interval by Fisher's z, variance 1 / (n - 3). p, two-sided, by Student's t: r sqrt((n"
            " - 2) / (1 - r^2)) with n - 2 degrees of freedom."
        ),
        "Spearman's rho": (
            "Interval by Fisher's z, variance (1 + rho^2 / 2) / (n - 3) (Bonett and Wright, 2000);"
            " p by Student's t as Pearson's."
        ),
        "mean absolute error": (
            f"Student's t over ideas, cut at 0 and the width of the scale; {ALIKE}."
        ),
        "ideas.csv": (
            "Mean of an idea's experts: Student's t over its experts, their number less 1 degrees"
            f" of freedom, cut at the ends of the scale; {ALIKE}. Severity taken out: least squares"
            " of score = idea + expert, experts' effects summing to 0, Student's t with scores -"
            " ideas - experts + 1 degrees of freedom; figure and ends are cut at the scale."
        ),
        "severity.csv": (
            "Points by which an expert scores below the mean of all experts on the same ideas:"
            " above 0 is strict. From the same least squares as severity taken out in ideas.csv,"
            " with the same Student's t; figure and ends are cut at the width of the scale."
        ),
        "raters.csv": (
            "Spread of scores: the standard deviation of an expert's scores around their"
            " criterion's mean, over criteria of one scale; interval as of alpha. Same score on"
            " every criterion: of the units with two scores or more on criteria of one scale, those"
            " whose scores are all equal; Wilson's interval."
        ),
        "by-source.csv": (
            "Mean over a source's ideas, each the mean of its experts. Student's t over topics, or"
            " over ideas where there is one topic: the linearised error of a ratio, sqrt(k / (k -"
            " 1) sum (s - m n)^2) / N, s and n being sum and number in each of the k topics, m the"
            f" mean, N all n; from 10 topics on percentiles of {RESAMPLED}, in which {WIDENED}. Cut"
            f" at the ends of the scale; {ALIKE}."
        ),
        "source-means.csv": (
            "Mean over reviews. Its interval is over ideas: Student's t with the same linearised"
            " error of a ratio, s and n being sum and number of the reviews of each of the k ideas;"
            f" from 10 ideas on percentiles of resamples, as above; {ALIKE}."
        ),
        "exact agreement": "Wilson's interval, second answers taken as independent.",
        "Welch's t-test": (
            "d: the difference by the root of the mean of both variances, with Bonett's interval"
            " (2008, formulas 10 to 12) by the normal distribution."
        ),
        "paired t-test": (
            "d_z: the mean difference by the standard deviation of the differences; interval by the"
            " noncentral t whose 2.5 % and 97.5 % points are the t found, by the root of n (Steiger"
            " and Fouladi, 1997)."
        ),
        "Mann-Whitney test": (
            "p, two-sided: exact where no two values are tied and the smaller sample has 8 or"
            " fewer, else by the normal distribution, corrected for ties and continuity"
            " (scipy.stats.mannwhitneyu). Probability of superiority: Newcombe's method 5, its"
            " variance times 1 - sum(t^3 - t) / (N^3 - N), t being how often each of the N values"
            " occurs."
        ),
        "Wilcoxon signed-rank test": (
            "Pairs without a difference are left out, equal differences share their mean rank. p,"
            " two-sided: over all signs up to 13 pairs with ties or zeros; without any,"
            " scipy.stats.wilcoxon's exact p up to 50 pairs; else its normal approximation."
            " Interval of r: all values from which r is no further than 1.96 standard errors; at 0"
            " the error is the test's own, elsewhere it is times sqrt(12 (q - q^2 - 2 T(z,"
            " 1/sqrt(3)))), q = (1 + value) / 2, z its normal quantile, T Owen's function."
        ),
        "mixed model": (
            "Restricted maximum likelihood with crossed random intercepts. A variance under a"
            " millionth of the residuals' is taken for zero; df = 2 v^2 / (g' A g), v the variance"
            " of the difference, g its slopes along the variances that are not zero, A twice the"
            " inverse of the deviance's second derivatives along them (Satterthwaite; numerical, in"
            " steps of a thousandth), at least 1, at most scores - sources. So with a variance at"
            " zero (a singular fit) df and p are those of the model without it. d: the difference"
            " by the root of the sum of all variances (Westfall, Kenny and Judd, 2014); its"
            " interval is Student's t with df on the variance e^2 / S + d^2 C / (4 S^2), e the"
            " difference's standard error, S the sum of the variances, C the sum of all entries of"
            " A. Yes and no go in as 1 and 0: a linear probability model. Variances:"
            " variances.csv."
        ),
        "differences": (
            "Ends of a difference's interval are cut at the width of the scale, of yes and no at -1"
            " and 1; where one is cut, the column How says so."
        ),
        "where all experts gave one score": (
            "A mean of scores that are all alike has Wilson's interval, as above; a test of"
            " observations that are all alike is refused, and so is a correlation with them."
        ),
    },
    "rank": {},
    "compare": {},
    "comment": {},
}
"""How intervals, effects and p are made, so that they can be computed again from the files."""
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
            "An expert's scores less the mean of the other experts on the same idea; their"
            " least-squares slope over the place of the unit in his or her list, times the way from"
            " the first to the last place of a unit that counts and that others scored, too; the"
            " mean over experts with 5 such units or more, by Student's t over these experts."
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
            " speaks against it; a score interval: see below."
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

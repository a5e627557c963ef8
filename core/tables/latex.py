"""A table as LaTeX, with booktabs: every text escaped, every figure in math."""

import re
import unicodedata
from collections.abc import Iterable

from core.normal_forms import normal
from core.records import NOTHING, Table, Value
from core.records.tables import written

SIGNS: dict[str, str] = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
    "&": r"\&",
    "_": r"\_",
    "#": r"\#",
    "$": r"\$",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': r"\symbol{34}",
    "\u2010": "-",
    "\u2011": "-",
    "\u2012": "--",
    "–": "--",
    "—": "---",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "…": r"\ldots{}",
    "•": r"\textbullet{}",
    "€": r"\texteuro{}",
    "±": r"$\pm$",
    "×": r"$\times$",
    "÷": r"$\div$",
    "·": r"$\cdot$",
    "−": "$-$",
    "°": r"$^\circ$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "≈": r"$\approx$",
    "→": r"$\rightarrow$",
    "←": r"$\leftarrow$",
    "∞": r"$\infty$",
    "√": r"$\surd$",
    "²": r"$^2$",
    "³": r"$^3$",
    "¹": r"$^1$",
    "µ": r"$\mu$",
}
"""What stands for a sign that LaTeX acts on or does not have."""
LETTERS = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "iota": "ι",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "nu": "ν",
    "xi": "ξ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "upsilon": "υ",
    "phi": "φ",
    "chi": "χ",
    "psi": "ψ",
    "omega": "ω",
    "Gamma": "Γ",
    "Delta": "Δ",
    "Theta": "Θ",
    "Lambda": "Λ",
    "Xi": "Ξ",
    "Pi": "Π",
    "Sigma": "Σ",
    "Phi": "Φ",
    "Psi": "Ψ",
    "Omega": "Ω",
}
GREEK = {letter: f"$\\{name}$" for name, letter in LETTERS.items()}
_PAIRED = re.compile(r"([-',])(?=[-',])|(.)", re.DOTALL)
"""Signs that LaTeX would draw together with the next one, and all others."""
_LATIN = re.compile(r"[\x20-\x7e\u00a1-\u017f\u0218-\u021b]*")
"""What pdfLaTeX sets as it stands, with UTF-8 and T1."""
NEEDS = r"% Needs \usepackage{booktabs} and \usepackage[T1]{fontenc}."
OTHER = "% Has letters that only XeLaTeX or LuaLaTeX set, with a font that has them."


def escaped(text: str) -> str:
    """Return a text as LaTeX sets it, word for word on one line; letters of other scripts stay, and
    need XeLaTeX or LuaLaTeX.
    """
    line = " ".join(text.split())
    seen = "".join(sign for sign in line if unicodedata.category(sign) not in ("Cc", "Cf", "Cs"))
    return _PAIRED.sub(_sign, normal("NFC", seen))


def _sign(found: re.Match[str]) -> str:
    apart, sign = found.groups()
    return f"{apart}{{}}" if apart else SIGNS.get(sign) or GREEK.get(sign) or sign


def latex(table: Table, sideways: bool = False) -> str:
    """Return the table as a LaTeX float with caption and label; it needs the package booktabs, and
    says so. `sideways` it takes a page turned round, in small letters, and the package rotating.
    """
    float_ = "sidewaystable" if sideways else "table"
    columns = [[row[n] for row in table.rows] for n in range(len(table.head))]
    figures = [any(value.mean is not None for value in column) for column in columns]
    sides = "".join("r" if has_figures else "l" for has_figures in figures)
    even = [all(map(_is_even, column)) for column in columns]
    lines = [
        rf"\begin{{{float_}}}" + ("" if sideways else "[t]"),
        r"\centering" + (r"\footnotesize\setlength{\tabcolsep}{3pt}" if sideways else ""),
        rf"\caption{{{escaped(table.caption or table.title)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{sides}}}",
        r"\toprule",
        _row(map(escaped, table.head)),
        r"\midrule",
        *(_row(map(_cell, row, even)) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if table.note:
        lines.append(rf"\par\smallskip{{\footnotesize {escaped(table.note)}}}")
    if not all(map(_LATIN.fullmatch, lines)):
        lines.insert(0, OTHER)
    needs = NEEDS.replace("booktabs}", "booktabs,rotating}") if sideways else NEEDS
    return "\n".join([needs, *lines, rf"\end{{{float_}}}", ""])


def _row(cells: Iterable[str]) -> str:
    # After the end of a row LaTeX takes a bracket or a star for an argument of it.
    guarded = ("{}" + cell if cell.startswith(("[", "*")) else cell for cell in cells)
    return " & ".join(guarded) + r" \\"


def _is_even(value: Value) -> bool:
    """Return whether an interval is as wide to both sides as it is written; where a whole column's
    are, it is written as ±.
    """
    if value.mean is None or value.low is None or value.high is None:
        return True
    up = _width(value.high - value.mean, value)
    down = _width(value.mean - value.low, value)
    return up == down


def _cell(value: Value, even: bool) -> str:
    unit = r"\,\%" if value.unit in ("percent", "change") else ""
    if value.text or value.mean is None:
        words = escaped(value.text or NOTHING)
    elif value.low is None or value.high is None:
        words = f"${_number(value.mean, value)}{unit}$"
    elif even:
        width = _width(value.high - value.mean, value)
        words = f"${_number(value.mean, value)}_{{\\pm {width}}}{unit}$"
    else:
        low = _number(value.low, value)
        high = _number(value.high, value)
        words = f"${_number(value.mean, value)}{unit}$ [${low}$, ${high}$]"
    return f"{words} ({escaped(value.short)})" if value.short else words


def _width(width: float, value: Value) -> str:
    return _number(width, value).lstrip("+")


def _number(figure: float, value: Value) -> str:
    """Return a figure for math: a percentage without its sign, a small one as a power of ten."""
    text = written(figure, value.unit, value.digits)
    text = text.removesuffix(" %").replace("$", r"\$").replace("< ", "<")
    if text == NOTHING:
        return r"\mbox{--}"
    mantissa, small, power = text.partition("e")
    return rf"{mantissa} \times 10^{{{int(power)}}}" if small else text

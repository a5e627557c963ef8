"""In which language experts read a session: a file of texts to translate, and the way back in."""

import streamlit as st

from components.sessions import acts
from components.shell import mistakes
from components.shell.text import inline
from core.errors import BadInput
from core.records import Study, StudyPlan
from core.store import Store
from core.studies import languages

ENGLISH = "en"
NAMED = 30
"""Faults of a file that are listed."""


def name(plan: StudyPlan) -> str:
    """Return the language that experts of a plan read the screens in, in English."""
    return languages.language_name(plan.wording.language if plan.wording else ENGLISH)


def draw(study: Study) -> None:
    """Draw the language of a draft and its file of texts; of a session that has opened, what it
    reads.
    """
    plan = study.plan
    with st.expander(f"Language of experts' screens: {name(plan)}", key="study:language"):
        st.markdown(
            "Everything experts read besides the texts they judge is one file: screens, buttons,"
            " errors, consent, instructions, criteria, practice and checks. It is frozen with the"
            " session."
        )
        with st.container(horizontal=True):
            now = plan.wording.language if plan.wording else ENGLISH
            _download(study, now, languages.exported(plan))
            for code in languages.SHIPPED:
                if code != now:
                    _download(study, code, languages.exported(plan, languages.shipped(code)))
        if study.state == "draft":
            _change(study)


def _download(study: Study, code: str, file: str) -> None:
    st.download_button(
        f"File of texts, {languages.language_name(code)}",
        file,
        file_name=f"texts-{study.id}-{code}.toml",
        mime="application/toml",
        icon=":material/download:",
        key=f"study:texts:{code}",
        on_click="ignore",
        help="Pages and criteria of your own are in the language you wrote them in.",
    )


def _change(study: Study) -> None:
    key = f"study:language:{study.id}"
    with st.container(horizontal=True):
        for code in languages.SHIPPED:
            st.button(
                f"Take our {languages.language_name(code)} texts",
                icon=":material/translate:",
                key=f"study:take:{code}",
                on_click=acts.attempt,
                args=(key, _take_ours, study.id, code),
            )
        if study.plan.wording:
            st.button(
                "Back to English",
                icon=":material/undo:",
                key="study:english",
                on_click=acts.attempt,
                args=(key, languages.back_to_english, study.id),
                help="Pages and criteria that are your own stay as they are.",
            )
    mistakes.shown(key)
    given = st.file_uploader(
        "A translated file of texts (TOML or JSON)",
        type=("toml", "json"),
        key=f"{key}:file",
        max_upload_size=1,
    )
    if given:
        _look_over(study, given.getvalue(), key)


def _look_over(study: Study, data: bytes, key: str) -> None:
    """Say what a file lacks, or offer to take it."""
    try:
        file = languages.read(data)
    except BadInput as error:
        st.error(inline(str(error), 1_000), icon=":material/error:")
        return
    wrong = languages.problems(study.plan, file)
    called = languages.language_name(file.language)
    if wrong:
        more = f"\n- and {len(wrong) - NAMED} more" if len(wrong) > NAMED else ""
        listed = "\n".join(f"- {inline(one, 300)}" for one in wrong[:NAMED])
        st.error(
            f"This file in {inline(called)} does not fit the session yet:\n\n{listed}{more}",
            icon=":material/error:",
        )
        return
    st.button(
        f"Let experts read it, in {inline(called)}",
        type="primary",
        icon=":material/check:",
        key="study:take-file",
        on_click=acts.attempt,
        args=(key, _take_file, study.id, f"{key}:file"),
    )


def _take_file(store: Store, study: str, box: str) -> Study:
    """Let experts read the file that the box holds by now, which may be another than was drawn."""
    given = st.session_state[box]
    if given is None:
        raise BadInput("Choose a file of texts first.")
    return languages.take(store, study, languages.read(given.getvalue()))


def _take_ours(store: Store, study: str, code: str) -> Study:
    ours = languages.shipped(code)
    plan = store.studies.get(study).plan
    try:
        return languages.take(store, study, ours)
    except BadInput as error:
        own = [
            one for one in languages.problems(plan, ours) if one.startswith(("study.", "criteria."))
        ]
        if not own:
            raise
        raise BadInput(
            "This session has pages or criteria of your own, which we have in English alone:"
            f" {'; '.join(own[:NAMED])}. Download the file above that has the rest in"
            f" {languages.language_name(code)}, translate them, and upload it."
        ) from error

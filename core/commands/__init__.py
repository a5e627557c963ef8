"""What the command line can do, verb by verb: everything the screens do, headless.

    python -m core chain "sleep and memory" --branches 2 --json

Every room here adds the words of its verbs with `words(verbs)`, and answers each with a function
of a workshop and what was said: the document to print, and the exit code. A room is imported when
one of its verbs is chosen; what `--help` says of a verb stands here, so that it needs no room.
"""

ROOMS: dict[str, dict[str, str]] = {
    "agreement": {
        "agreement": (
            "Say how far experts agree, and models with them, in a CSV of ratings, reviews or an "
            "export of ours; --json gives every figure."
        ),
    },
    "arena": {
        "arena": (
            "Have methods compete, pair by pair, in an arena; or --show one, --extend it, or "
            "bring votes into it with --add-votes."
        ),
        "vote": (
            "Vote in an arena, blind: shows the next pair; --say files what you think of it and "
            "shows the one after."
        ),
    },
    "benchmarking": {
        "bench": (
            "Have models write ideas on keywords and a panel judge them (LiveIdeaBench); `bench "
            "status` and others say what came of it."
        ),
    },
    "shortlisting": {
        "shortlist": (
            "Go from a topic to the few ideas worth working on: explored, refined, checked again, "
            "compared; all methods in one run."
        ),
        "choose": (
            "Drop, pin, add ideas after a stage of a shortlist, or put a first form back; only "
            "what that changes is paid."
        ),
    },
    "chaining": {
        "chain": (
            "Build chains of ideas on a topic, draft the idea each leads to, choose the best, "
            "design its experiment."
        ),
        "baseline": (
            "Prompt for an idea the plain way, to compare with: `rag` retrieves papers first, "
            "`direct` reads nothing."
        ),
        "real-paper": (
            "Take topic, idea and experiment from a published paper, to compare with; then "
            "`answer` confirms the topic."
        ),
    },
    "checking": {
        "novelty": (
            "Check whether an idea is new: quickly, or with --deep claim by claim, with who had "
            "each first, in whose words; --check-labelled measures it on labelled ideas."
        ),
        "overrule": (
            "Put your own word in a cell of a novelty check, with a reason; the verdict follows, "
            "and nothing is paid."
        ),
    },
    "datasets": {
        "question": (
            "Ask a research question on a topic or from a seed paper, find its papers, review them."
        ),
        "dataset": (
            "Build a data set: `seeds` (questions), `targets` (published papers), or `export` one."
        ),
    },
    "editing": {
        "candidates": (
            "Look for papers that could come after (or, --backward, before) one of a chain, with "
            "scores and reasons."
        ),
        "find": "Find a paper by DOI, arXiv id, address or title.",
        "edit": (
            "Change a branch's chain, trend or direction and fork the run there; only what "
            "depends on it is paid. --dry-run says what that is."
        ),
    },
    "entering": {
        "import-ideas": (
            "Import ideas from a file (CSV, JSON, JSONL, Markdown); good rows are taken, and "
            "every other is reported with its reason."
        ),
        "gather": (
            "Put what runs came to, and ideas from the shelf, into a collection, each as a frozen "
            "copy."
        ),
        "collections": (
            "List collections: entries, methods and topics of each; take one along as a file, or "
            "remove one."
        ),
    },
    "evolving": {
        "evolve": (
            "Evolve ideas by a checklist of nine items: write, have each item judged, revise by "
            "the judge's directives."
        ),
        "checklist": (
            "Judge the idea in a file by the checklist: with a language model or a person all "
            "items, with the built-in model Layout and Length alone, by code."
        ),
        "decline": (
            "Decline the directives of items on a step of an evolution; the next revision does "
            "not follow them."
        ),
    },
    "experimenting": {
        "experiment": (
            "Have methods, models, indicators and targets tried against each other as one "
            "experiment that can be stopped, resumed and extended; `experiment checklist` compares "
            "generators by the checklist."
        ),
        "extend": (
            "Extend an experiment by methods, models, indicators, targets or judges; what it has "
            "is taken over, and what failed is tried again."
        ),
        "rank": (
            "Rank ideas, with a target or without one, by one judge or several, by a person, or "
            "both."
        ),
    },
    "reproducing": {
        "reproduce": (
            "List the papers' experiments as recipes with what each takes; or hold one: NAME or "
            "FILE with --models, --judges, --size; --extend a run, take its --results along."
        ),
        "real-papers": (
            "Take topic, idea and experiment from many published papers at once, by ids or by "
            "dates and venues; `answer` confirms their topics."
        ),
    },
    "refining": {
        "refine": "Refine an idea, or several side by side, round by round.",
        "branch": (
            "Branch off from a round of a refinement, with other settings or a wish; what it "
            "shares with its parent is free."
        ),
        "wish": (
            "Ask something of a run's next revision: a remark of your own, a remark declined, or "
            "the idea rewritten."
        ),
        "note": "Write a margin note on an idea or a review of a run.",
    },
    "showing": {
        "runs": "List runs, newest first.",
        "show": "Show a run, its products and its steps.",
    },
    "searching": {
        "search": (
            "Search ideas, runs, papers, sessions and case studies for words; the last one may be "
            "begun only."
        ),
    },
    "running": {
        "resume": "Go on with a parked, interrupted or failed run.",
        "stop": "Ask a run to stop; what it has stays.",
        "fork": (
            "Fork a run at a step, with another model or prompt; only what depends on it is paid."
        ),
        "answer": (
            "Answer what a waiting run asks a person, at the terminal; --confirm takes what it "
            "proposes, --with a JSON object."
        ),
        "export": (
            "Write a run to a file: .md, .docx, .html, .json (bundle), .bib, .zip (tables), .svg "
            "or .png; --branch takes one chain of it, --short tells it in two pages."
        ),
    },
    "training": {
        "train": (
            "Train a policy to write better ideas, by checklist rewards and directives "
            "(EvoIdeator); `train status`, `resume` and `use` go on from there."
        ),
    },
    "models": {
        "models": "Say which models can be reached; --test asks the chosen main model once.",
    },
    "studying": {
        "study": (
            "Hold expert sessions: blind rating, ranking, comparing and commenting by invited "
            "people and model judges."
        ),
    },
    "own_literature": {
        "import": (
            "Import BibTeX, RIS, CSV, lists of DOIs or PDFs into the library; says what was "
            "skipped and why."
        ),
        "attach": "Attach a PDF to a paper, to be read in its full text from now on.",
    },
    "packing": {
        "pack": (
            "Pack a finished run into one file that opens anywhere, without a key; or, as .html, "
            "into a page that plays by itself."
        ),
        "open": (
            "Open a packed file, or a case study that comes with the program; nothing is called, "
            "and nothing about it changes."
        ),
        "close": "Take an opened case study out again; its file stays.",
        "cases": "List the case studies that come with the program, and those that are open.",
    },
    "upkeep": {
        "backup": (
            "Write a backup of everything that runs need, while the program is in use, and read it "
            "back."
        ),
        "restore": (
            "Go back to a backup; refuses to go over a database that is there without --over."
        ),
        "doctor": (
            "Say what is installed, reachable and writable, how full the disk is, and which "
            "version the database has; exit code 1 if something is broken."
        ),
    },
}
"""The verbs of every room, each with what it does, in the order in which they are listed."""

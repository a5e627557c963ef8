"""The local database: rows in, records out. One `Store` serves all threads."""

from pathlib import Path

from core.store.answers import Answers
from core.store.ballots import Ballots
from core.store.benchmarks import Benchmarks
from core.store.connection import Connections, now
from core.store.door import DoorRows
from core.store.entries import Entries
from core.store.event_log import EventLog
from core.store.frozen import Frozen
from core.store.ideas import Ideas
from core.store.indicators import Indicators
from core.store.library import Library
from core.store.notes import Notes
from core.store.places import Places
from core.store.policies import Policies
from core.store.privacy import within
from core.store.readings import Readings
from core.store.runs import Runs, must_be
from core.store.search import FullTextSearch
from core.store.spending import Spending
from core.store.spool import FOLDER, Spool
from core.store.steps import Steps
from core.store.studies.people import People
from core.store.studies.register import Studies, StudyKeys
from core.store.studies.rubrics import Rubrics
from core.store.studies.seats import Seats
from core.store.studies.terms import Terms
from core.store.studies.work import StudyWork
from core.store.sweeps import Sweeps

__all__ = ["Store", "must_be", "now"]


class Store:
    """Everything this workbench keeps, one shelf per noun."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.log = EventLog(folder)
        self.connections = Connections(folder / "foundry.db", self.log)
        self.runs = Runs(self.connections)
        self.steps = Steps(self.connections)
        self.sweeps = Sweeps(self.connections)
        self.spending = Spending(self.connections)
        self.answers = Answers(self.connections)
        self.library = Library(self.connections)
        self.ideas = Ideas(self.connections)
        self.frozen = Frozen(self.connections)
        self.entries = Entries(self.connections)
        self.ballots = Ballots(self.connections)
        self.studies = Studies(self.connections)
        self.rubrics = Rubrics(self.connections)
        self.seats = Seats(self.connections)
        self.study_work = StudyWork(self.connections)
        self.terms = Terms(self.connections)
        self.people = People(self.connections)
        self.study_keys = StudyKeys(self.connections)
        self.door = DoorRows(self.connections)
        self.benchmarks = Benchmarks(self.connections, self.steps)
        self.notes = Notes(self.connections)
        self.indicators = Indicators(self.connections)
        self.places = Places(self.connections)
        self.policies = Policies(self.connections, self.frozen)
        self.readings = Readings(self.connections)
        self.search = FullTextSearch(self.connections)

    def spool(self, run: str, epoch: int) -> Spool:
        """Return where a run's worker of this epoch keeps what is not in the database yet."""
        return Spool(within(self.folder / FOLDER, run), epoch)

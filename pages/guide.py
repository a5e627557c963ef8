"""Guide: what each screen is for, and which paper it comes from."""

from components.guide import view as guide
from components.shell.frame import frame

with frame("pages/guide.py"):
    guide.draw()

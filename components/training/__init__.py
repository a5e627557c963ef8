"""The screen of a training: `form` begins one (its `data`, its `learning`), `view` draws one.

`curves` draws what it learned, `drafts` what it wrote, `checkpoints` what it left and puts it to
use, `asked` what it was asked for.
"""

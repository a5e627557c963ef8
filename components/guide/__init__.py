"""The guide: what each screen is for, in chapters of Markdown with pictures."""

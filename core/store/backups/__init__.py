"""Backups of all that this workbench keeps: one file each, made while it is in use, by themselves
or when asked for, checked by opening them, and the way back to one.
"""

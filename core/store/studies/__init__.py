"""What is kept of studies that experts work on: the register of studies with their texts, units and
events, the terms agreed, the seats and who sits there, the rubrics, and the work at the seats.
"""

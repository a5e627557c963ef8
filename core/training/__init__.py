"""Training: a policy that writes better ideas, by checklist rewards and directives (EvoIdeator,
section 3.4).

A step rolls out G times K drafts for each of a few queries, has each judged, and moves the policy
by Dr. GRPO:

    rollouts = roll_out(desk.at("step-7"), policy, environment, queries, shape)
    rows = as_rows(rollouts, shape)

`rollouts` knows no torch: what is written and judged are steps of the journal, so that a training
that was killed asks its judge nothing twice. `learning` needs the packages of
requirements-train.txt.
"""

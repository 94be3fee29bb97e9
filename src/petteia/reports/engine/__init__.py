"""What all reports are made with: a report is a folder that has only what it alone has.

In order: `estimates` (how sure a figure over trainings is), `figures` (named values of the evidence), `rules` and
`claims` (how they are judged), `printed` (tables of the original), `work` (experiments, and keeping what was
computed), `matches` (one journaled engine for all of them), `charts`, `page` (prose with places) and `output` (files).
"""

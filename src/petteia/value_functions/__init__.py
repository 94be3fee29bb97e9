"""Learned values: tables of state-action values, weights of linear value functions, and weights files.

The modules are, in order:

- `table`: tables of state-action values, and the policy that plays by a table
- `origin`: checks that learned values fit the rules and the code with which they are used
- `table_file` and `linear_file`: weights files of tables and of linear value functions
- `report_weights`: the weights published in a report on Mancala
"""

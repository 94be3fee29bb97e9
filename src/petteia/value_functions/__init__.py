"""Learned values: tables of state-action values, weights of linear features, and weights files.

The modules are, in order:

- `table`: tables of state-action values, and the policy that plays by a table
- `origin`: the rules and the code under which values were learned
- `table_file` and `linear_file`: weights files of tables and of linear weights
- `report_weights`: the weights published in a report on Mancala
"""

"""Learned values: tables, weights of features, and their files.

The modules are, in order:

- `table`: tables of state-action values, and the policy that plays by a table
- `origin`: the rules and the code for which values were learned
- `table_file` and `linear_file`: weights files of tables and of linear weights
- `report_weights`: published weights
"""

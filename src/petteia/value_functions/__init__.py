"""What is learned and kept: values in tables, weights of features, and their files.

In order: `table` (values of state and move, and the policy that plays by them), `origin` (the rules and code for
which something was learned), `table_file` and `linear_file` (tables and weights on disk), `report_weights` (published
weights).
"""

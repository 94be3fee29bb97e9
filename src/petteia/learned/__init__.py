"""What is learned and kept: values in tables, weights of features, and their files.

In order: `table` (values of state and move, and the policy that plays by them), `belonging` (to which rules and code
what was learned belongs), `table_file` and `linear_file` (tables and weights on disk), `report_weights` (published
weights).
"""

"""Tables: CSV, Parquet, Arrow, ARFF and data frames, by pyarrow."""

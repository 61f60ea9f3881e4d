"""The compile driver, cache policy and backends: what happens between a call and a cache entry."""

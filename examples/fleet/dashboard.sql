-- SPDX-License-Identifier: BSD-3-Clause
-- For DuckDB, in the folder that has `tables`: writes what dashboard.py draws. It needs only the
-- tables of `gotrace columns --level fleet`.

CREATE TEMP VIEW traces AS FROM read_parquet('tables/traces/**/*.parquet',
  hive_partitioning = true, hive_types = {'service': VARCHAR, 'version': VARCHAR, 'date': VARCHAR});
CREATE TEMP VIEW latency AS FROM read_parquet('tables/latency/**/*.parquet',
  hive_partitioning = true, hive_types = {'service': VARCHAR, 'version': VARCHAR, 'date': VARCHAR});
CREATE TEMP VIEW waits AS FROM read_parquet('tables/waits/**/*.parquet',
  hive_partitioning = true, hive_types = {'service': VARCHAR, 'version': VARCHAR, 'date': VARCHAR});
CREATE TEMP VIEW stacks AS SELECT DISTINCT stack_id, own, folded
  FROM read_parquet('tables/stacks/**/*.parquet');

-- What there is of each version.
COPY (
  SELECT service, version, count(*) AS traces, count(DISTINCT host) AS hosts,
    sum(duration_ns)::BIGINT AS traced_ns, min(date) AS first_date, max(date) AS last_date
  FROM traces GROUP BY service, version ORDER BY service, version
) TO 'versions.json' (FORMAT json, ARRAY true);

-- How long goroutines wait for a proc. The middle of a bucket is at most 1/64 off.
COPY (
  WITH buckets AS (
    SELECT service, version, from_ns, (from_ns + to_ns) // 2 AS ns, sum(count) AS n
    FROM latency WHERE kind = 'sched' AND grouped_by = 'all'
    GROUP BY service, version, from_ns, to_ns
  ), sums AS (
    SELECT *, sum(n) OVER (PARTITION BY service, version ORDER BY from_ns) AS upto,
      sum(n) OVER (PARTITION BY service, version) AS total
    FROM buckets
  )
  SELECT service, version, any_value(total)::BIGINT AS waits,
    min(ns) FILTER (upto >= 0.5 * total) AS p50, min(ns) FILTER (upto >= 0.99 * total) AS p99,
    min(ns) FILTER (upto >= 0.999 * total) AS p999
  FROM sums GROUP BY service, version ORDER BY service, version
) TO 'scheduling.json' (FORMAT json, ARRAY true);

-- Who ends the most waiting: the innermost function of the program on the stack that unblocks
-- others, and the stack that does so most. Goroutines of the runtime, such as the collector's
-- workers, always wait, so that they do not count.
COPY (
  WITH blockers AS (
    SELECT service, version, own AS blocker, folded AS stack,
      sum(count)::BIGINT AS waits, sum(sum_ns)::BIGINT AS ns
    FROM waits w JOIN stacks k ON k.stack_id = w.unblocker_stack
    WHERE state = 'Waiting' AND own IS NOT NULL AND function NOT LIKE 'runtime.%'
    GROUP BY service, version, blocker, stack
  )
  SELECT service, version, blocker, sum(waits)::BIGINT AS waits, sum(ns)::BIGINT AS ns,
    arg_max(stack, ns) AS stack
  FROM blockers GROUP BY service, version, blocker
  QUALIFY row_number() OVER (PARTITION BY service, version ORDER BY sum(ns) DESC, blocker) <= 8
  ORDER BY service, version, ns DESC, blocker
) TO 'blockers.json' (FORMAT json, ARRAY true);

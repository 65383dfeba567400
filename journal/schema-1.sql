-- One line a fact, in the order in which they were told. Never changed, never removed.
CREATE TABLE fact (
  seq INTEGER PRIMARY KEY, -- 1, 2, 3, ...
  run INTEGER NOT NULL,    -- start of the daemon, 1, 2, 3, ...
  at_ms INTEGER NOT NULL,  -- ms of the session of that run
  wall_ms INTEGER NOT NULL,-- Unix time in ms; may be wrong by years on a machine without a clock
  tbl INTEGER,             -- table; NULL is the venue
  nth INTEGER NOT NULL,    -- place among the facts of this table: 1, 2, 3, ...
  game INTEGER,
  kind TEXT NOT NULL,      -- the words of docs/journal.md; they say what the columns below hold
  ply INTEGER,             -- half-move, from 1
  n INTEGER,
  who TEXT,
  origin TEXT,
  step TEXT,
  code TEXT,
  text TEXT,
  fen TEXT,
  sum INTEGER NOT NULL     -- CRC-32C of all other columns
) STRICT;

-- Where games begin. The plies, clocks and so on of a game stand between there and
-- the next beginning at its table; an index of those would have to be written with
-- every half-move.
CREATE INDEX game_begun ON fact (game, tbl) WHERE kind = 'game';

-- Decisions about games: they may come when the next game has begun.
CREATE INDEX game_decided ON fact (game) WHERE kind IN ('result', 'claim', 'ruling', 'tags');

-- What was lost when a damaged file was replaced by what could be read of it.
CREATE TABLE repair (
  wall_ms INTEGER NOT NULL,
  first INTEGER NOT NULL, -- seq
  last INTEGER NOT NULL,  -- seq
  text TEXT NOT NULL
) STRICT;

-- Every fact for people, latest last.
CREATE VIEW history AS
SELECT seq, strftime('%Y-%m-%d %H:%M:%S', wall_ms / 1000, 'unixepoch') AS utc, run, at_ms,
  tbl, game, kind, ply, n, who, origin, step, code, text
FROM fact;

-- Half-moves with what became of them: live = 1 is the record as it stands.
CREATE VIEW plies AS
WITH seen AS (
  SELECT seq, tbl, game, kind, ply, n, code, text, fen, step, wall_ms, at_ms,
    min(CASE kind WHEN 'retract' THEN ply END) OVER later AS cut
  FROM fact WHERE kind IN ('ply', 'retract')
  WINDOW later AS (PARTITION BY game ORDER BY seq DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT seq, tbl, game, ply, n AS move, CASE WHEN instr(fen, ' b ') THEN 'white' ELSE 'black' END AS player,
  text AS san, code AS uci, fen, cut IS NULL OR cut > ply AS live, step,
  strftime('%Y-%m-%d %H:%M:%S', wall_ms / 1000, 'unixepoch') AS utc, at_ms
FROM seen WHERE kind = 'ply';

-- The record as it stands, with the mover's clock after his press.
CREATE VIEW moves AS
SELECT p.seq, p.tbl, p.game, p.move, p.ply, p.player, p.san, c.clock_ms, p.utc, p.fen
FROM plies AS p
LEFT JOIN (SELECT max(seq) AS seq, game, ply, n AS clock_ms FROM fact WHERE kind = 'clock' GROUP BY game, ply) AS c
  ON c.game = p.game AND c.ply = p.ply AND c.seq > p.seq
WHERE p.live;

CREATE VIEW games AS
SELECT g.game, g.tbl, strftime('%Y-%m-%d %H:%M:%S', g.wall_ms / 1000, 'unixepoch') AS begun,
  json_extract(t.text, '$.White') AS white, json_extract(t.text, '$.Black') AS black, r.code AS result, g.fen AS start
FROM fact AS g
LEFT JOIN (SELECT max(seq), game, text FROM fact WHERE kind IN ('game', 'tags') GROUP BY game) AS t ON t.game = g.game
LEFT JOIN (SELECT max(seq), game, code FROM fact WHERE kind = 'result' GROUP BY game) AS r ON r.game = g.game
WHERE g.kind = 'game';

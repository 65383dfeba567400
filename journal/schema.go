package journal

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
)

//go:embed schema-1.sql
var schema1 string

// steps lead from each version of the schema to the next: step n makes version n+1
// of version n. What has been released is never changed here.
var steps = []string{schema1}

// applicationID marks the file as ours; `file` prints it ("bdjl").
const applicationID = 0x62646a6c

// Why a file is not opened; it is left as it was.
var (
	// ErrNewer: a later boardd wrote the file.
	ErrNewer = errors.New("the journal was written by a newer boardd")
	// ErrNotJournal: it is a sound file of another program.
	ErrNotJournal = errors.New("not a journal of boardd")
	// ErrInUse: another process has the journal open.
	ErrInUse = errors.New("the journal is in use")
)

// empty refuses to make a journal of a file that holds something.
func empty(ctx context.Context, db *sql.Conn) error {
	var tables, ours int
	err := db.QueryRowContext(ctx, "SELECT count(*), ifnull(sum(name = 'fact'), 0) FROM sqlite_schema").Scan(&tables, &ours)
	switch {
	case err != nil:
		return err
	case ours > 0:
		return fmt.Errorf("%w: it has facts, but its schema version is 0", errDamage)
	case tables > 0:
		return fmt.Errorf("%w: expected an empty file, got one with %d tables and indexes", ErrNotJournal, tables)
	}
	return nil
}

// migrate brings the schema up to date, a step at a time, each as a whole or not.
func migrate(ctx context.Context, db *sql.Conn, steps []string) error {
	var version, id int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if version > len(steps) {
		return fmt.Errorf("%w: expected schema version %d at most, got %d", ErrNewer, len(steps), version)
	}
	if version == 0 {
		if err := empty(ctx, db); err != nil {
			return err
		}
	}
	for ; version < len(steps); version++ {
		script := fmt.Sprintf("BEGIN IMMEDIATE;\n%s\nPRAGMA application_id = %d;\nPRAGMA user_version = %d;\nCOMMIT;",
			steps[version], applicationID, version+1)
		if _, err := db.ExecContext(ctx, script); err != nil {
			_, _ = db.ExecContext(ctx, "ROLLBACK") // fails when the statement ended it already
			return fmt.Errorf("schema step %d: %w", version+1, err)
		}
	}
	return nil
}

package broadcast

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaOf gives a part of docs/protocol-v1.schema.json; "" is all of it, what a server sends.
func schemaOf(t testing.TB, part string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "docs", "protocol-v1.schema.json") + part)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fits(s *jsonschema.Schema, data []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// checked are the frames that were found to fit: many clients get the same.
var checked struct {
	sync.Mutex
	schema *jsonschema.Schema
	frames map[string]bool
}

// checkFrame holds a frame that any test sees against the schema.
func checkFrame(t testing.TB, data []byte) {
	t.Helper()
	checked.Lock()
	defer checked.Unlock()
	if checked.schema == nil {
		checked.schema, checked.frames = schemaOf(t, ""), map[string]bool{}
	}
	if len(data) == 0 || checked.frames[string(data)] { // a ping
		return
	}
	if err := fits(checked.schema, data); err != nil {
		t.Errorf("not as the schema has it: %s\n%v", data, err)
	}
	checked.frames[string(data)] = true
}

func TestSchema(t *testing.T) {
	frames, change, asked := schemaOf(t, ""), schemaOf(t, "#/$defs/change"), schemaOf(t, "#/$defs/request")
	for name, schema := range map[string]*jsonschema.Schema{"session.jsonl": frames, "changes.jsonl": change} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			if err := fits(schema, line); err != nil {
				t.Errorf("%s: %s%v", name, line, err)
			}
		}
	}
	// What a client may send is what is understood, and the other way round.
	for text, good := range map[string]bool{
		`{"type":"resume"}`:                                  true,
		`{"type":"resume","stream":"s","since":7}`:           true,
		`{"type":"subscribe"}`:                               true,
		`{"type":"subscribe","boards":[1,2],"rounds":["3"]}`: true,
		`{"type":"subscribe","boards":[0]}`:                  false,
		`{"type":"subscribe","rounds":[""]}`:                 false,
		`{"type":"subscribe","stream":"s"}`:                  false,
		`{"type":"resume","boards":[1]}`:                     false,
		`{"type":"resume","since":-1}`:                       false,
		`{"type":"move"}`:                                    false,
		`{"type":"resume","since":1,"more":true}`:            false,
	} {
		_, err := parseRequest([]byte(text))
		if fit := fits(asked, []byte(text)); (fit == nil) != good || (err == nil) != good {
			t.Errorf("%s: expected good %v; the schema says %v, the hub %v", text, good, fit, err)
		}
	}
	for _, text := range []string{
		`{"type":"hello","v":2,"stream":"s"}`, `{"type":"tick","seq":-1,"now_ms":0}`, `{"type":"changes","seq":1,"now_ms":0,"changes":[{"type":"move","at_ms":0}]}`,
		`{"type":"snapshot","seq":0,"now_ms":0,"boards":[]}`, `{"type":"chat"}`,
	} {
		if fits(frames, []byte(text)) == nil {
			t.Errorf("%s: expected the schema to refuse it", text)
		}
	}
}

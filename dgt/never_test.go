package dgt

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The bytes that must never reach a board: the boot loader, and the three that
// change the scan set in EEPROM. They stand here as numbers so that the test
// does not lean on the code it checks.
var neverBytes = []byte{0x4e, 0x51, 0x53, 0x54}

// checkHarmless fails if what c sends is, or hides, a never-sent command. It
// reads the bytes by itself: one frame, nothing after it, and in single-board
// frames the bytes occur nowhere.
func checkHarmless(t testing.TB, c Command) {
	b := c.AppendTo(nil)
	if len(b) == 0 {
		return
	}
	want := 1
	switch {
	case b[0] >= 0x80:
		// Address and checksum can be anything: a board on a bus takes all
		// four bytes together.
		if len(b) != 4 || b[3] != (b[0]+b[1]+b[2])&0x7f {
			t.Fatalf("%v sends % x", c, b)
		}
		return
	case b[0] == 0x2b, b[0] == 0x2c, b[0] == 0x60:
		if len(b) < 2 {
			t.Fatalf("%v sends % x", c, b)
		}
		want = 2 + int(b[1])
	case b[0] < 0x40 || b[0] > 0x5a:
		t.Fatalf("%v sends % x", c, b)
	}
	if len(b) != want {
		t.Fatalf("%v sends % x: more or less than one command", c, b)
	}
	for _, n := range neverBytes {
		if slices.Contains(b, n) {
			t.Fatalf("%v sends % x, with %02x", c, b, n)
		}
	}
}

// makers calls every constructor of Command with every argument, or with every
// value of each argument where all combinations are too many.
var makers = map[string]func(try func(Command)){
	"Reset":               just(Reset),
	"SendClock":           just(SendClock),
	"SendBoard":           just(SendBoard),
	"Update":              just(Update),
	"UpdateBoard":         just(UpdateBoard),
	"UpdateNice":          just(UpdateNice),
	"SendSerial":          just(SendSerial),
	"SendLongSerial":      just(SendLongSerial),
	"SendBusAddress":      just(SendBusAddress),
	"SendTrademark":       just(SendTrademark),
	"SendVersion":         just(SendVersion),
	"SendHardwareVersion": just(SendHardwareVersion),
	"SendBattery":         just(SendBattery),
	"SendLog":             just(SendLog),
	"ToBusMode":           just(ToBusMode),
	"SendI2CClock":        just(SendI2CClock),
	"UpdateI2C":           just(UpdateI2C),
	"UpdateI2CNice":       just(UpdateI2CNice),
	"SendLockState":       just(SendLockState),
	"SendKeyState":        just(SendKeyState),
	"LEDsOff":             just(LEDsOff),
	"SendClockVersion":    just(SendClockVersion),
	"EndDisplay":          just(EndDisplay),
	"SendButton":          just(SendButton),
	"SendDraughts": func(try func(Command)) {
		try(SendDraughts(false))
		try(SendDraughts(true))
	},
	"LEDs": func(try func(Command)) {
		for a := range 256 {
			for b := range 256 {
				try(LEDs(Square(a), Square(b), true))
				try(LEDs(Square(a), Square(b), false))
			}
		}
	},
	"Beep": func(try func(Command)) {
		for n := -300; n < 300; n++ {
			try(Beep(n))
		}
		try(Beep(math.MinInt))
		try(Beep(math.MaxInt))
	},
	"SetAndRun": func(try func(Command)) {
		set := func(l, r time.Duration, run Run) {
			c, _ := SetAndRun(l, r, run)
			try(c)
		}
		for s := -100; s < 40000; s++ {
			d := time.Duration(s) * time.Second
			set(d, 0, Pause)
			set(0, d, RunLeft)
		}
		for run := range 256 {
			for _, d := range []time.Duration{math.MinInt64, -1, 0, 1, time.Hour, MaxClock, MaxClock + 1, math.MaxInt64} {
				set(d, d, Run(run))
			}
		}
	},
	"Display": func(try func(Command)) {
		eachText(DisplayLen, func(s string) {
			for _, beep := range []bool{false, true} {
				c, _ := Display(s, beep)
				try(c)
			}
		})
	},
	"ASCII": func(try func(Command)) {
		eachText(ASCIILen, func(s string) {
			for _, beep := range []int{-1, 0, 7, 15, 16, 0x4e, 0x51, 0x53, 0x54} {
				c, _ := ASCII(s, beep)
				try(c)
			}
		})
	},
	"RevelationASCII": func(try func(Command)) {
		eachText(RevelationASCIILen, func(s string) {
			for _, beep := range []int{-1, 0, 7, 15, 16, 0x4e, 0x51, 0x53, 0x54} {
				c, _ := RevelationASCII(s, beep)
				try(c)
			}
		})
	},
	"ShowIcons": func(try func(Command)) {
		icons := func(i Icons) {
			c, _ := ShowIcons(i)
			try(c)
		}
		for a := range 256 {
			icons(Icons{Left: SideIcons(a)})
			icons(Icons{Right: SideIcons(a)})
			icons(Icons{Special: SpecialIcons(a)})
			for _, flag := range []bool{false, true} {
				icons(Icons{LeftPeriod: uint8(a), LeftFlag: flag})
				icons(Icons{RightPeriod: uint8(a), RightFlag: flag})
			}
		}
	},
	"BusCommand": func(try func(Command)) {
		for op := range 256 {
			step := 1
			if !BusOp(op).Known() {
				step = 257
			}
			for a := 0; a < 1<<16; a += step {
				try(BusCommand(BusOp(op), Address(a)))
			}
		}
	},
}

func just(f func() Command) func(func(Command)) {
	return func(try func(Command)) { try(f()) }
}

// eachText tries every byte in every position of texts of up to one character
// more than fits.
func eachText(width int, try func(string)) {
	for n := 0; n <= width+1; n++ {
		for i := range n {
			for c := range 256 {
				b := []byte(strings.Repeat("a", n))
				b[i] = byte(c)
				try(string(b))
			}
		}
		try(strings.Repeat("N", n))
	}
}

func TestNeverSent(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(makers)) {
		sent := 0
		makers[name](func(c Command) {
			checkHarmless(t, c)
			if c.Sendable() {
				sent++
			}
		})
		if sent == 0 {
			t.Errorf("%s never made a command", name)
		}
	}
}

// No exported function makes a Command without being in makers, no exported
// variable holds one, and no field of Command can be set from outside.
func TestNeverSentCoversAll(t *testing.T) {
	var makes []string
	for _, f := range packageFiles(t) {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Type.Results != nil && mentionsCommand(d.Type.Results) {
					makes = append(makes, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					checkSpec(t, d.Tok, s)
				}
			}
		}
	}
	slices.Sort(makes)
	if tried := slices.Sorted(maps.Keys(makers)); !slices.Equal(makes, tried) {
		t.Errorf("exported makers of commands\n%v\ntried here\n%v", makes, tried)
	}
}

func packageFiles(t *testing.T) (files []*ast.File) {
	names, err := filepath.Glob("*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

func checkSpec(t *testing.T, tok token.Token, s ast.Spec) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if tok == token.VAR && n.IsExported() {
				t.Errorf("exported variable %s: could be a command, or be changed", n.Name)
			}
		}
	case *ast.TypeSpec:
		if s.Name.Name != "Command" {
			return
		}
		for _, f := range s.Type.(*ast.StructType).Fields.List {
			for _, n := range f.Names {
				if n.IsExported() {
					t.Errorf("field %s of Command is exported", n.Name)
				}
			}
			if f.Names == nil {
				t.Error("Command embeds a type")
			}
		}
	}
}

func mentionsCommand(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == "Command" {
			found = true
		}
		return true
	})
	return found
}

// What a board's ear has heard cannot be sent on either.
func TestNeverSentFromTheEar(t *testing.T) {
	for a := range 256 {
		for b := range 256 {
			got, _ := hear([]byte{byte(a), byte(b)})
			for _, c := range got {
				checkHarmless(t, c)
			}
		}
	}
	for _, n := range neverBytes {
		got, _ := hear([]byte{0x2b, 4, 3, 0x0b, n, 0}, []byte{0x60, 4, 0, n, n, 0}, []byte{0x2c, 1, n}, []byte{n})
		if len(got) != 4 {
			t.Fatalf("heard %v", got)
		}
		for _, c := range got {
			if c.Sendable() || len(c.AppendTo(nil)) != 0 {
				t.Errorf("%v can be sent", c)
			}
		}
	}
}

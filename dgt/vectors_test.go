package dgt

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// vector is a named case of the wire: bytes and what they mean. The same table
// drives the decode, encode, split and chunk tests and seeds the fuzzers.
type vector struct {
	name   string
	mode   Mode
	hex    string // spaces allowed; "07*8" repeats a byte
	want   []Message
	oneWay bool // the encoder writes another form
	stats  DecoderStats
}

const (
	second = time.Second
	minute = time.Minute
)

// upd is a field update in words.
func upd(square, piece string) Message {
	s := Square(square[0]-'a') + 8*Square('8'-square[1])
	p, ok := PieceOfLetter(piece[0])
	if !ok || s.String() != square {
		panic(square + piece)
	}
	return &FieldUpdate{s, p}
}

// fischer is a clock report with both time-per-move signs on.
func fischer(right, left time.Duration, running bool, lever Side) Message {
	hint := TurnLeft
	if lever == Right {
		hint = TurnRight
	}
	return &ClockTime{
		Right: ClockFace{Time: right, Increment: true}, Left: ClockFace{Time: left, Increment: true},
		Running: running, LeverHigh: lever, TurnHint: hint,
	}
}

func ack(a ...byte) Message { return &ClockAck{Ack: [4]byte(a)} }

// fallen is the end of capture 3: the right flag falls and the clock stops.
var fallen = &ClockTime{
	Right: ClockFace{Flag: true, Increment: true}, Left: ClockFace{Time: 16 * second, Increment: true},
	LeverHigh: Right, TurnHint: TurnRight,
}

const startHex = "08 09 0a 0c 0b 0a 09 08 07*8 00*32 01*8 02 03 04 06 05 04 03 02"

// captured are lines seen from real boards (sheet section 9.1).
var captured = []vector{
	{name: "start position", hex: "86 00 43 " + startHex,
		want: []Message{&BoardDump{StartPlacement()}}},
	{name: "start position, board turned", hex: "86 00 43 02 03 04 05 06 04 03 02 01*8 00*32 07*8 08 09 0a 0b 0c 0a 09 08",
		want: []Message{&BoardDump{StartPlacement().Turned()}}},
	{name: "stopped before the start", hex: "8d 00 0a 20 03 02 20 03 02 08",
		want: []Message{fischer(3*minute+2*second, 3*minute+2*second, false, Left)}},
	{name: "left runs", hex: "8d 00 0a 20 03 02 20 03 02 09",
		want: []Message{fischer(3*minute+2*second, 3*minute+2*second, true, Left)}},
	{name: "left ticks", hex: "8d 00 0a 20 03 02 20 03 01 09",
		want: []Message{fischer(3*minute+2*second, 3*minute+1*second, true, Left)}},
	{name: "e2-e4", hex: "8e 00 05 34 00 8e 00 05 24 01",
		want: []Message{upd("e2", "."), upd("e4", "P")}},
	{name: "press with increment", hex: "8d 00 0a 20 03 02 20 02 59 09 8d 00 0a 20 03 02 20 03 01 13",
		want: []Message{fischer(3*minute+2*second, 2*minute+59*second, true, Left), fischer(3*minute+2*second, 3*minute+1*second, true, Right)}},
	{name: "right ticks", hex: "8d 00 0a 20 03 01 20 03 01 13",
		want: []Message{fischer(3*minute+1*second, 3*minute+1*second, true, Right)}},
	{name: "e7-e5", hex: "8e 00 05 0c 00 8e 00 05 1c 07",
		want: []Message{upd("e7", "."), upd("e5", "p")}},
	{name: "press by right", hex: "8d 00 0a 20 03 03 20 03 01 09",
		want: []Message{fischer(3*minute+3*second, 3*minute+1*second, true, Left)}},
	{name: "capture, victim first", hex: "8e 00 05 12 00 8e 00 05 19 00 8e 00 05 12 04",
		want: []Message{upd("c6", "."), upd("b5", "."), upd("c6", "B")}},
	{name: "capture, direct replacement", hex: "8e 00 05 0b 00 8e 00 05 12 07",
		want: []Message{upd("d7", "."), upd("c6", "p")}},
	{name: "ghost of the bishop", hex: "8e 00 05 1b 00 8e 00 05 0c 00 8e 00 05 0c 03 8e 00 05 14 0a 8e 00 05 14 00",
		want: []Message{upd("d5", "."), upd("e7", "."), upd("e7", "N"), upd("e6", "b"), upd("e6", ".")}},
	{name: "ghost of the knight", hex: "8e 00 05 03 00 8e 00 05 0c 0c 8e 00 05 14 03 8e 00 05 14 00",
		want: []Message{upd("d8", "."), upd("e7", "q"), upd("e6", "N"), upd("e6", ".")}},
	{name: "slid rook", hex: "8e 00 05 38 00 8e 00 05 3b 02 8e 00 05 3b 00 8e 00 05 3c 02 8e 00 05 3c 00 8e 00 05 3d 02",
		want: []Message{upd("a1", "."), upd("d1", "R"), upd("d1", "."), upd("e1", "R"), upd("e1", "."), upd("f1", "R")}},
	{name: "black castles", hex: "8e 00 05 04 00 8e 00 05 06 0b 8e 00 05 07 00 8e 00 05 05 08",
		want: []Message{upd("e8", "."), upd("g8", "k"), upd("h8", "."), upd("f8", "r")}},
	{name: "white castles", hex: "8e 00 05 3c 00 8e 00 05 3e 05 8e 00 05 3f 00 8e 00 05 3d 02",
		want: []Message{upd("e1", "."), upd("g1", "K"), upd("h1", "."), upd("f1", "R")}},
	{name: "quiet move", hex: "8e 00 05 1e 00 8e 00 05 15 04",
		want: []Message{upd("g5", "."), upd("f6", "B")}},
	{name: "stopped by the button", hex: "8d 00 0a 20 01 46 20 01 49 13 8d 00 0a 20 01 46 20 01 49 12",
		want: []Message{fischer(106*second, 109*second, true, Right), fischer(106*second, 109*second, false, Right)}},
	{name: "right starts", hex: "8d 00 0a 20 03 02 20 03 02 12 8d 00 0a 20 03 02 20 03 02 13",
		want: []Message{fischer(182*second, 182*second, false, Right), fischer(182*second, 182*second, true, Right)}},
	{name: "turned e2-e4", hex: "8e 00 05 0b 00 8e 00 05 1b 01",
		want: []Message{upd("d7", "."), upd("d5", "P")}},
	{name: "turned rethink", hex: "8e 00 05 0c 00 8e 00 05 14 01 8e 00 05 14 00 8e 00 05 1c 01",
		want: []Message{upd("e7", "."), upd("e6", "P"), upd("e6", "."), upd("e5", "P")}},
	{name: "turned black castles", hex: "8e 00 05 3b 00 8e 00 05 39 0b 8e 00 05 38 00 8e 00 05 3a 08",
		want: []Message{upd("d1", "."), upd("b1", "k"), upd("a1", "."), upd("c1", "r")}},
	{name: "turned white castles", hex: "8e 00 05 03 00 8e 00 05 01 05 8e 00 05 00 00 8e 00 05 02 02",
		want: []Message{upd("d8", "."), upd("b8", "K"), upd("a8", "."), upd("c8", "R")}},
	{name: "turned en passant", hex: "8e 00 05 1f 00 8e 00 05 16 07 8e 00 05 1e 00",
		want: []Message{upd("h5", "."), upd("g6", "p"), upd("g5", ".")}},
	{name: "turned slid capture", hex: "8e 00 05 23 00 8e 00 05 22 07 8e 00 05 22 00 8e 00 05 1a 00 8e 00 05 1a 07",
		want: []Message{upd("d4", "."), upd("c4", "p"), upd("c4", "."), upd("c5", "."), upd("c5", "p")}},
	{name: "tick and press merged", hex: "8d 00 0a 20 02 44 20 02 29 09 8d 00 0a 20 02 44 20 02 30 13",
		want: []Message{fischer(164*second, 149*second, true, Left), fischer(164*second, 150*second, true, Right)}},
	{name: "5+5 before the start", hex: "8d 00 0a 20 05 05 20 05 05 08",
		want: []Message{fischer(305*second, 305*second, false, Left)}},
	{name: "press, five seconds more", hex: "8d 00 0a 20 05 05 20 05 04 09 8d 00 0a 20 05 05 20 05 09 13",
		want: []Message{fischer(305*second, 304*second, true, Left), fischer(305*second, 309*second, true, Right)}},
	{name: "right flag falls", hex: "8d 00 0a 20 00 01 20 00 16 13 8d 00 0a 30 00 00 20 00 16 12",
		want: []Message{fischer(1*second, 16*second, true, Right), fallen}},
	{name: "placed before lifted c6", hex: "8e 00 05 12 07 8e 00 05 0a 00",
		want: []Message{upd("c6", "p"), upd("c7", ".")}},
	{name: "placed before lifted d6", hex: "8e 00 05 13 07 8e 00 05 0b 00",
		want: []Message{upd("d6", "p"), upd("d7", ".")}},
	{name: "lands on an occupied square", hex: "8e 00 05 1c 03",
		want: []Message{upd("e5", "N")}},
	{name: "ghost of the pawn", hex: "8e 00 05 0c 00 8e 00 05 13 06 8e 00 05 1b 07 8e 00 05 1b 00",
		want: []Message{upd("e7", "."), upd("d6", "Q"), upd("d5", "p"), upd("d5", ".")}},
	{name: "kings in the centre", hex: "8e 00 05 23 00 8e 00 05 06 00 8e 00 05 3e 00 8e 00 05 1b 0b 8e 00 05 24 05",
		want: []Message{upd("d4", "."), upd("g8", "."), upd("g1", "."), upd("d5", "k"), upd("e4", "K")}},
}

// rebuilt are lines from users' logs, from emulators that real programs
// accept, and computed from the rules (sections 9.2, 9.4, 9.5).
var rebuilt = []vector{
	{name: "ack version 2.0", hex: "8d 00 0a 0a 10 09 0a 20 00 00", want: []Message{ack(16, 9, 32, 0)}},
	{name: "ack ascii", hex: "8d 00 0a 0a 10 0c 0a 00 00 00", want: []Message{ack(16, 12, 0, 0)}},
	{name: "ack error 20", hex: "8d 00 0a 0a 20 00 0a 00 00 00", want: []Message{ack(32, 0, 0, 0)}},
	{name: "ack version 1.14", hex: "8d 00 0a 0a 10 09 0a 1e 00 00", want: []Message{ack(0x10, 0x09, 0x1e, 0)}},
	{name: "ready", hex: "8d 00 0a 0a 10 01 2a 00 00 00", want: []Message{ack(0x10, 0x81, 0, 0)}},
	{name: "button back", hex: "8d 00 0a 0a 10 08 2a 00 31 00", want: []Message{ack(0x10, 0x88, 0, 0x31)}},
	{name: "ack version 1.2", hex: "8d 00 0a 0a 10 09 0a 12 00 00", want: []Message{ack(0x10, 0x09, 0x12, 0)}},
	{name: "bus address", hex: "90 00 05 08 01", want: []Message{&BusAddress{1025}}},
	{name: "serial", hex: "91 00 08 31 32 33 34 35", want: []Message{&Serial{[5]byte([]byte("12345"))}}},
	{name: "version", hex: "93 00 05 01 02", want: []Message{&Version{1, 2}}},
	{name: "long serial", hex: "a2 00 0d 33 2e 33 36 30 31 32 33 34 35", want: []Message{&LongSerial{[10]byte([]byte("3.36012345"))}}},
	{name: "bus ping", hex: "87 00 06 08 01 16", want: []Message{&BusPing{1025}}},
	{name: "bus version", hex: "89 00 08 08 01 01 02 1d", want: []Message{&BusVersion{1025, 1, 2, true}}},
	{name: "battery full, no times", hex: "a0 00 0c 64 7f 7f 00 00 00 00 00 00", want: []Message{&Battery{Percent: 100}}},
	{name: "battery discharging", hex: "a0 00 0c 58 00 00 00 00 00 00 00 02",
		want: []Message{&Battery{Percent: 88, LeftKnown: true, Discharging: true}}},
	{name: "battery with times", hex: "a0 00 0c 32 01 1e 02 05 03 04 06 01",
		want: []Message{&Battery{Percent: 50, Left: 90 * minute, LeftKnown: true, On: 125 * minute,
			Standby: 76*time.Hour + 6*minute, Charging: true}}},
	{name: "battery, short form", hex: "a0 00 0a 32 01 1e 02 05 00 00", oneWay: true,
		want: []Message{&Battery{Percent: 50, Left: 90 * minute, LeftKnown: true, On: 125 * minute}}},
	{name: "pegasus version", hex: "93 00 05 01 00", want: []Message{&Version{1, 0}}},

	{name: "ack set and run", hex: "8d 00 0a 0a 10 0a 0a 00 00 00", want: []Message{ack(0x10, 0x0a, 0, 0)}},
	{name: "ack display", hex: "8d 00 0a 0a 10 01 0a 00 00 00", want: []Message{ack(0x10, 0x01, 0, 0)}},
	{name: "ack end", hex: "8d 00 0a 0a 10 03 0a 00 00 00", want: []Message{ack(0x10, 0x03, 0, 0)}},
	{name: "ack beep", hex: "8d 00 0a 0a 10 0b 0a 00 00 00", want: []Message{ack(0x10, 0x0b, 0, 0)}},
	{name: "set and run refused", hex: "8d 00 0a 0a 40 0a 0a 00 00 00", want: []Message{ack(0x40, 0x0a, 0, 0)}},
	{name: "buttons", hex: "8d 00 0a 0a 10 08 2a 05 31 00 8d 00 0a 0a 10 08 2a 21 34 00 8d 00 0a 0a 10 08 2a 11 33 00 " +
		"8d 00 0a 0a 10 08 2a 09 32 00 8d 00 0a 0a 10 08 2a 41 35 00",
		want: []Message{ack(0x10, 0x88, 5, 0x31), ack(0x10, 0x88, 0x21, 0x34), ack(0x10, 0x88, 0x11, 0x33),
			ack(0x10, 0x88, 9, 0x32), ack(0x10, 0x88, 0x41, 0x35)}},
	{name: "mode 25", hex: "8d 00 0a 0a 10 0a 2a 00 19 00", want: []Message{ack(0x10, 0x8a, 0, 25)}},
	{name: "not in mode", hex: "8d 00 0a 0a 10 10 2a 00 00 00", want: []Message{ack(0x10, 0x90, 0, 0)}},
	{name: "ack with all eighth bits", hex: "8d 00 0a 3a 7f 7f 3a 7f 7f 00", want: []Message{ack(0xff, 0xff, 0xff, 0xff)}},
	{name: "ack marked in the first nibble only", hex: "8d 00 0a 0a 10 0a 00 00 00 00", oneWay: true, want: []Message{ack(0x10, 0x0a, 0, 0)}},
	{name: "ack marked in the second nibble only", hex: "8d 00 0a 00 10 01 2a 00 00 00", oneWay: true, want: []Message{ack(0x10, 0x81, 0, 0)}},
	{name: "no clock", hex: "8d 00 0a 00 00 00 00 00 00 20", want: []Message{&ClockTime{NoClock: true}}},
	{name: "no clock, dummy times", hex: "8d 00 0a 0f 7f 7f 0f 7f 7f 20", oneWay: true, want: []Message{&ClockTime{NoClock: true}}},
	{name: "all zero is no time", hex: "8d 00 0a 00 00 00 00 00 00 00", stats: DecoderStats{EmptyClock: 1}, oneWay: true},
	{name: "zero with a turn bit is a time", hex: "8d 00 0a 00 00 00 00 00 00 08", want: []Message{&ClockTime{TurnHint: TurnLeft}}},
	{name: "turn bits the other way", hex: "8d 00 0a 00 03 02 00 03 02 10", stats: DecoderStats{TurnMismatch: 1},
		want: []Message{&ClockTime{Right: ClockFace{Time: 182 * second}, Left: ClockFace{Time: 182 * second}, TurnHint: TurnRight}}},
	{name: "all signs", hex: "8d 00 0a 79 59 59 40 00 01 1f", stats: DecoderStats{TurnMismatch: 1},
		want: []Message{&ClockTime{Right: ClockFace{MaxClock, true, true, true}, Left: ClockFace{Time: second, FlagShown: true},
			Running: true, LeverHigh: Right, BatteryLow: true, TurnHint: TurnBoth}}},
	{name: "hardware version", hex: "96 00 05 01 00", want: []Message{&HardwareVersion{1, 0}}},
	{name: "log", hex: "8f 00 0a 7f 6a 40 34 51 24 6b",
		want: []Message{&EELog{[]byte{0x7f, 0x6a, 0x40, 0x34, 0x51, 0x24, 0x6b}}}},
	{name: "whole log", hex: "8f 3e 03 7f*7935 6b",
		want: []Message{&EELog{append([]byte(strings.Repeat("\x7f", 7935)), 0x6b)}}},
	{name: "empty log", hex: "8f 00 03", want: []Message{&EELog{}}},
	{name: "trademark of our own", hex: "92 00 09 62 6f 61 72 64 64", want: []Message{&Trademark{[]byte("boardd")}}},
	{name: "draughts, black squares", hex: "94 00 35 04*20 00*10 01*20", want: []Message{draughts(0x94, 20, 10, 20)}},
	{name: "draughts, white squares", hex: "95 00 35 00*50", want: []Message{draughts(0x95, 0, 50, 0)}},
	{name: "draughts, whole board", hex: "86 00 67 04*40 00*20 01*40", want: []Message{draughts(0x86, 40, 20, 40)}},
	{name: "i2c clock", hex: "a3 00 05 01 02", want: []Message{&I2CClock{[]byte{1, 2}}}},
	{name: "lock state", hex: "a4 00 04 01", want: []Message{&LockState{[]byte{1}}}},
	{name: "key state", hex: "a5 00 04 01", want: []Message{&KeyState{[]byte{1}}}},
	{name: "result pieces", hex: "8e 00 05 00 0d 8e 00 05 00 0e 8e 00 05 00 0f",
		want: []Message{upd("a8", "X"), upd("a8", "Y"), upd("a8", "Z")}},

	{name: "bus changes", mode: Bus, hex: "85 00 0b 08 01 40 34 41 24 6b 5d",
		want: []Message{&BusChanges{1025, false, []byte{0x40, 0x34, 0x41, 0x24, 0x6b}}}},
	{name: "bus changes, soon", mode: Bus, hex: "85 00 0b 08 01 40 34 51 24 6b 6d",
		want: []Message{&BusChanges{1025, false, []byte{0x40, 0x34, 0x51, 0x24, 0x6b}}}},
	{name: "bus changes, even packet", mode: Bus, hex: "8b 00 06 08 01 1a", want: []Message{&BusChanges{From: 1025, Even: true}}},
	{name: "bus time", mode: Bus, hex: "84 00 0d 08 01 20 03 02 20 03 01 09 6c",
		want: []Message{&BusClockTime{1025, *fischer(182*second, 181*second, true, Left).(*ClockTime)}}},
	{name: "bus ack", mode: Bus, hex: "84 00 0d 08 01 0a 10 0a 0a 00 00 00 48",
		want: []Message{&BusClockAck{1025, ClockAck{[4]byte{0x10, 0x0a, 0, 0}}}}},
	{name: "bus time, all zero", mode: Bus, hex: "84 00 0d 08 01 00 00 00 00 00 00 00 1a", stats: DecoderStats{EmptyClock: 1}, oneWay: true},
	{name: "bus dump", mode: Bus, hex: "83 00 46 08 01 " + startHex + " 7c", want: []Message{&BusBoardDump{1025, StartPlacement()}}},
	{name: "bus start set", mode: Bus, hex: "88 00 06 08 01 17", want: []Message{&BusStartSet{1025}}},
	{name: "bus from start", mode: Bus, hex: "86 00 09 08 01 40 34 6b 77",
		want: []Message{&BusFromStart{1025, []byte{0x40, 0x34, 0x6b}}}},
	{name: "bus old version", mode: Bus, hex: "89 00 06 08 01 18", want: []Message{&BusVersion{From: 1025}}},
	{name: "bus draughts", mode: Bus, hex: "8a 00 38 08 01 01*50 7d", want: []Message{&BusDraughtsDump{1025, [50]Piece(repeat(1, 50))}}},
	{name: "bus hardware", mode: Bus, hex: "8c 00 08 08 01 01 02 20", want: []Message{&BusOther{0x8c, 1025, []byte{1, 2}}}},
	{name: "bus serial", mode: Bus, hex: "b0 00 0b 08 01 31 32 33 34 35 43", want: []Message{&BusOther{0xb0, 1025, []byte("12345")}}},
	{name: "bus in single mode", hex: "84 00 0d 08 01 20 03 02 20 03 01 09 6c",
		want: []Message{&BusClockTime{1025, *fischer(182*second, 181*second, true, Left).(*ClockTime)}}},
	{name: "single in bus mode", mode: Bus, hex: "8e 00 05 34 00", want: []Message{upd("e2", ".")}},
}

// rough are broken lines and how the decoder comes back (section 9.4, 9.5 and
// section 2).
var rough = []vector{
	{name: "malformed ack of a virtual board", hex: "8d 00 10 01 10 00 0a 00 8e 00 05 34 00", oneWay: true,
		want: []Message{upd("e2", ".")}, stats: DecoderStats{SkippedBytes: 8, BadLength: 1}},
	{name: "noise before a frame", hex: "11 22 8e 00 05 34 00", oneWay: true,
		want: []Message{upd("e2", ".")}, stats: DecoderStats{SkippedBytes: 2}},
	{name: "lost tail", hex: "8e 00 8e 00 05 34 00", oneWay: true,
		want: []Message{upd("e2", ".")}, stats: DecoderStats{SkippedBytes: 2, Resyncs: 1}},
	{name: "lost head", hex: "05 34 00 8e 00 05 24 01", oneWay: true,
		want: []Message{upd("e4", "P")}, stats: DecoderStats{SkippedBytes: 3}},
	{name: "lost byte in a dump", hex: "86 00 43 00*63 8e 00 05 34 00", oneWay: true,
		want: []Message{upd("e2", ".")}, stats: DecoderStats{SkippedBytes: 66, Resyncs: 1}},
	{name: "silence in a message", hex: "8e 00 05 34", oneWay: true},
	{name: "length 0", hex: "8e 00 00 8e 00 05 34 00", oneWay: true,
		want: []Message{upd("e2", ".")}, stats: DecoderStats{SkippedBytes: 3, BadLength: 1}},
	{name: "length 1 of an unknown id", hex: "f0 00 01 8e 00 05 34 00", oneWay: true,
		want: []Message{upd("e2", ".")}, stats: DecoderStats{SkippedBytes: 3, BadLength: 1}},
	{name: "length 2 of a log", hex: "8f 00 02 8e 00 05 34 00", oneWay: true,
		want: []Message{upd("e2", ".")}, stats: DecoderStats{SkippedBytes: 3, BadLength: 1}},
	{name: "length byte >= 80", hex: "8e 80 05 34 00 8e 00 05 34 00", oneWay: true,
		want: []Message{upd("e2", ".")}, stats: DecoderStats{SkippedBytes: 5, Resyncs: 2}},
	{name: "too long", hex: "8e 00 06 34 00 00 8e 00 05 34 00", oneWay: true,
		want: []Message{upd("e2", ".")}, stats: DecoderStats{SkippedBytes: 6, BadLength: 1}},
	{name: "flipped high bit in the payload", hex: "8e 00 05 b4 00 8e 00 05 34 00", oneWay: true,
		want: []Message{upd("e2", ".")}, stats: DecoderStats{SkippedBytes: 5, Resyncs: 2}},
	{name: "unknown id", hex: "f1 00 05 01 02 8e 00 05 34 00",
		want: []Message{&Unknown{0xf1, []byte{1, 2}}, upd("e2", ".")}, stats: DecoderStats{Unknown: 1}},
	{name: "unknown id without payload", hex: "f1 00 03", want: []Message{&Unknown{Code: 0xf1}}, stats: DecoderStats{Unknown: 1}},
	{name: "unknown id, longest length, cut off", hex: "f1 7f 7f 01 02 8e 00 05 34 00", oneWay: true,
		want: []Message{upd("e2", ".")}, stats: DecoderStats{SkippedBytes: 5, Resyncs: 1}},
	{name: "longest message", hex: "f1 7f 7f 01*16380", want: []Message{&Unknown{0xf1, repeatBytes(1, 16380)}}, stats: DecoderStats{Unknown: 1}},

	{name: "square 40", hex: "8e 00 05 40 01", want: []Message{&Rejected{0x8e, BadSquare, []byte{0x40, 1}}},
		stats: DecoderStats{OutOfRange: 1, LastRejected: BadSquare, LastID: 0x8e, LastValue: 0x40}},
	{name: "piece 10", hex: "8e 00 05 24 10", want: []Message{&Rejected{0x8e, BadPiece, []byte{0x24, 0x10}}},
		stats: DecoderStats{OutOfRange: 1, LastRejected: BadPiece, LastID: 0x8e, LastValue: 0x10}},
	{name: "piece 7f in a dump", hex: "86 00 43 00*63 7f", want: []Message{&Rejected{0x86, BadPiece, append(make([]byte, 63), 0x7f)}},
		stats: DecoderStats{OutOfRange: 1, LastRejected: BadPiece, LastID: 0x86, LastValue: 0x7f}},
	{name: "minutes 5a", hex: "8d 00 0a 00 5a 00 00 00 00 08", want: []Message{&Rejected{0x8d, BadTime, []byte{0, 0x5a, 0, 0, 0, 0, 8}}},
		stats: DecoderStats{OutOfRange: 1, LastRejected: BadTime, LastID: 0x8d, LastValue: 0x5a}},
	{name: "seconds 60", hex: "8d 00 0a 00 00 00 00 00 60 08", want: []Message{&Rejected{0x8d, BadTime, []byte{0, 0, 0, 0, 0, 0x60, 8}}},
		stats: DecoderStats{OutOfRange: 1, LastRejected: BadTime, LastID: 0x8d, LastValue: 0x60}},
	{name: "hours b", hex: "8d 00 0a 0b 00 00 00 00 00 08", want: []Message{&Rejected{0x8d, BadTime, []byte{0x0b, 0, 0, 0, 0, 0, 8}}},
		stats: DecoderStats{OutOfRange: 1, LastRejected: BadTime, LastID: 0x8d, LastValue: 0x0b}},
	{name: "hours c on the left", hex: "8d 00 0a 00 00 00 0c 08 08 00", want: []Message{&Rejected{0x8d, BadTime, []byte{0, 0, 0, 0x0c, 8, 8, 0}}},
		stats: DecoderStats{OutOfRange: 1, LastRejected: BadTime, LastID: 0x8d, LastValue: 0x0c}},
	{name: "bus checksum", mode: Bus, hex: "87 00 06 08 01 17", want: []Message{&Rejected{0x87, BadChecksum, []byte{8, 1, 0x17}}},
		stats: DecoderStats{BadChecksum: 1, LastRejected: BadChecksum, LastID: 0x87, LastValue: 0x17}},
	{name: "bus time out of range", mode: Bus, hex: "84 00 0d 08 01 20 03 5a 20 03 01 09 44",
		want:  []Message{&Rejected{0x84, BadTime, []byte{8, 1, 0x20, 3, 0x5a, 0x20, 3, 1, 9, 0x44}}},
		stats: DecoderStats{OutOfRange: 1, LastRejected: BadTime, LastID: 0x84, LastValue: 0x5a}},
	{name: "bus dump piece", mode: Bus, hex: "83 00 46 08 01 10 00*63 62",
		want:  []Message{&Rejected{0x83, BadPiece, append([]byte{8, 1, 0x10}, append(make([]byte, 63), 0x62)...)}},
		stats: DecoderStats{OutOfRange: 1, LastRejected: BadPiece, LastID: 0x83, LastValue: 0x10}},
	{name: "bus reply without an address", mode: Bus, hex: "87 00 04 01", oneWay: true,
		stats: DecoderStats{SkippedBytes: 4, BadLength: 1}},
	{name: "dump length on a bus is a log", mode: Bus, hex: "86 00 43 00*64",
		want:  []Message{&Rejected{0x86, BadChecksum, make([]byte, 64)}},
		stats: DecoderStats{BadChecksum: 1, LastRejected: BadChecksum, LastID: 0x86}},
}

func vectors() []vector {
	var all []vector
	all = append(all, captured...)
	all = append(all, rebuilt...)
	return append(all, rough...)
}

func draughts(code byte, black, empty, white int) Message {
	m := &DraughtsDump{Code: code, N: black + empty + white}
	for i := range m.N {
		switch {
		case i < black:
			m.Cells[i] = DraughtsBlackMan
		case i >= black+empty:
			m.Cells[i] = DraughtsWhiteMan
		}
	}
	return m
}

func repeat(p Piece, n int) []Piece {
	s := make([]Piece, n)
	for i := range s {
		s[i] = p
	}
	return s
}

func repeatBytes(b byte, n int) []byte { return []byte(strings.Repeat(string(rune(b)), n)) }

// unhex reads "8e 00*2".
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	var out []byte
	for _, f := range strings.Fields(s) {
		digits, times := f, 1
		if before, after, ok := strings.Cut(f, "*"); ok {
			digits = before
			if _, err := fmt.Sscan(after, &times); err != nil {
				t.Fatal(err)
			}
		}
		b, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		for range times {
			out = append(out, b...)
		}
	}
	return out
}

// collector keeps copies of what a decoder emits.
type collector struct{ got []Message }

func (c *collector) emit(m Message) { c.got = append(c.got, copyOf(m)) }

// copyOf copies a message and the bytes it refers to, so that it outlives the
// callback. Empty slices become nil.
func copyOf(m Message) Message {
	old := reflect.ValueOf(m).Elem()
	fresh := reflect.New(old.Type())
	fresh.Elem().Set(old)
	for i := range old.NumField() {
		if f := fresh.Elem().Field(i); f.Kind() == reflect.Slice {
			f.SetBytes(append([]byte(nil), f.Bytes()...))
		}
	}
	m = fresh.Interface().(Message)
	if d, ok := m.(*DraughtsDump); ok { // what is beyond N has no meaning
		clear(d.Cells[d.N:])
	}
	return m
}

func decodeAll(mode Mode, chunks ...[]byte) ([]Message, DecoderStats) {
	d := Decoder{Mode: mode}
	var c collector
	for _, chunk := range chunks {
		d.Feed(chunk, c.emit)
	}
	return c.got, d.Stats()
}

func show(ms []Message) string {
	var b strings.Builder
	for _, m := range ms {
		fmt.Fprintf(&b, "\n\t%T%+v", m, reflect.ValueOf(m).Elem().Interface())
	}
	return b.String()
}

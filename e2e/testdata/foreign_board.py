#!/usr/bin/env python3
"""A chess board with a clock on a pseudo terminal, written for boardd's tests.

It shares nothing with boardd: every byte comes from the protocol facts (numbers
in comments are sections of that sheet). It is an old board: it powers up in bus
mode, answers single-board commands, and has never heard of the newer questions.

usage: foreign_board.py [--pause SECONDS] MOVE...

It prints the path of its terminal, waits for a host that asks for updates, then
plays the moves (e2e4; e1g1h1f1 is castling, king and rook) and goes on living
until it is killed.
"""

import argparse
import os
import select
import sys
import termios
import time
import tty

BUS, IDLE, UPDATE, UPDATE_BOARD, UPDATE_NICE = range(5)
SERIAL = "01025"  # 2.2: the header's own example

EMPTY, PAWN, ROOK, KNIGHT, BISHOP, KING, QUEEN = range(7)  # 2.3, Black is 6 more
FIGURES = [ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK]
START = [f + 6 for f in FIGURES] + [PAWN + 6] * 8 + [EMPTY] * 32 + [PAWN] * 8 + FIGURES


def square(name):
    """2.4: 0 is a8, 63 is h1, with the connector on White's left."""
    return (8 - int(name[1])) * 8 + "abcdefgh".index(name[0])


def bcd(n):
    return n // 10 << 4 | n % 10


class Board:
    def __init__(self, pause, moves):
        self.host, self.terminal = os.openpty()
        tty.setraw(self.terminal, termios.TCSANOW)
        self.mode = BUS
        self.men = list(START)
        self.moves = moves
        self.pause = pause
        self.left, self.right = 300, 300  # seconds; White sits left of the clock
        self.white_to_move = True
        self.running = False
        self.pending = b""  # of a command longer than a byte
        self.todo = None  # times and actions still to come

    def send(self, ident, payload):
        n = len(payload) + 3  # 2: the length counts the header
        os.write(self.host, bytes([ident | 0x80, n >> 7, n & 0x7F]) + bytes(payload))

    def send_clock(self):
        """4.2: right side first; D0 runs, D1 lever high on the right, D3 and D4 whose turn."""
        def side(s):
            return [s // 3600, bcd(s // 60 % 60), bcd(s % 60)]
        status = 1 if self.running else 0
        status |= 0x08 if self.white_to_move else 0x12
        self.send(0x0D, side(self.right) + side(self.left) + [status])

    def change(self, at, piece):
        self.men[at] = piece
        if self.mode in (UPDATE, UPDATE_BOARD, UPDATE_NICE):
            self.send(0x0E, [at, piece])

    def press(self):
        self.white_to_move = not self.white_to_move
        self.clock_changed()

    def clock_changed(self):
        if self.mode in (UPDATE, UPDATE_NICE):
            self.send_clock()

    def obey(self, data):
        self.pending += data
        while self.pending:
            code = self.pending[0]
            size = 1
            if code == 0x2B:  # 5: a clock message tells how long it is
                size = 2 + self.pending[1] if len(self.pending) > 1 else 2
            elif code & 0x80:  # 6.2: a bus command
                size = 4
            if len(self.pending) < size:
                return
            command, self.pending = self.pending[:size], self.pending[size:]
            if code == 0x2B:
                self.clock_command(command)
            elif not code & 0x80:
                self.single(code)

    def single(self, code):
        if self.mode == BUS:
            self.mode = IDLE  # 6.1: any single-board command ends bus mode, and is obeyed
        if code == 0x40:
            self.mode = IDLE
        elif code == 0x41:
            self.send_clock()
        elif code == 0x42:
            self.send(0x06, self.men)
        elif code == 0x43:
            self.mode = UPDATE
        elif code == 0x44:
            self.mode = UPDATE_BOARD
        elif code == 0x45:
            self.send(0x11, SERIAL.encode())
        elif code == 0x46:
            self.send(0x10, [int(SERIAL) >> 7, int(SERIAL) & 0x7F])
        elif code == 0x47:  # 2.2: a text of our own
            self.send(0x12, b"a Python script\r\nserial no: " + SERIAL.encode())
        elif code == 0x4A:
            self.mode = BUS
        elif code == 0x4B:
            self.mode = UPDATE_NICE
            if self.todo is None:
                self.begin()
        elif code == 0x4D:
            self.send(0x13, [0, 92])
        # 55, 4c and the rest are newer than this board: silence.

    def clock_command(self, command):
        """4.4: an acknowledge, which comes in the two modes that tell times."""
        if self.mode not in (UPDATE, UPDATE_NICE):
            return
        ack = {0x09: (0x10, 0x09, 0x1E)}.get(command[3])  # an XL, 1.14
        ack0, ack1, ack2 = ack or (0x40, command[3], 0)
        self.send(0x0D, [0x0A, ack0, ack1, 0x0A, ack2, 0, 0])

    def begin(self):
        """What happens when, from now on."""
        at = time.monotonic() + 2
        self.todo = [(at, self.start)]
        for move in self.moves:
            at += self.pause
            piece = [None]
            for i in range(0, len(move), 4):
                source, target = square(move[i:i + 2]), square(move[i + 2:i + 4])
                self.todo.append((at, lambda s=source, p=piece: (p.__setitem__(0, self.men[s]), self.change(s, EMPTY))))
                self.todo.append((at + 0.35, lambda t=target, p=piece: self.change(t, p[0])))
                at += 0.7
            self.todo.append((at, self.press))

    def start(self):
        self.running = True
        self.clock_changed()

    def run(self):
        print(os.ttyname(self.terminal), flush=True)
        tick = time.monotonic() + 1
        while True:
            due = min([tick] + [at for at, _ in (self.todo or [])[:1]])
            ready, _, _ = select.select([self.host], [], [], max(0, due - time.monotonic()))
            if ready:
                self.obey(os.read(self.host, 64))
            now = time.monotonic()
            while self.todo and self.todo[0][0] <= now:
                self.todo.pop(0)[1]()
            if now >= tick:
                tick += 1
                if self.running:
                    if self.white_to_move:
                        self.left = max(0, self.left - 1)
                    else:
                        self.right = max(0, self.right - 1)
                    self.clock_changed()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pause", type=float, default=1.5, help="seconds of thought before each move")
    parser.add_argument("moves", nargs="*")
    args = parser.parse_args()
    Board(args.pause, args.moves).run()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(0)

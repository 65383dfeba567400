// Package pairing says who plays whom with which colour, where a rule says it:
// round robins by the Berger tables, knock-outs, play-offs, drawing of lots.
//
// It does not pair Swiss rounds; those come from a pairing program. It is pure:
// a play-off is fed with results, and lots with a seed that is kept.
package pairing

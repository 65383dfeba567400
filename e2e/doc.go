// Package e2e starts the real boardd and looks at it from outside, as people,
// browsers and boards do. It holds tests only (build tag e2e, `make e2e`) and
// imports no room of the house: what it needs to know stands in the
// documentation.
package e2e

package broadcast

import "net/http"

type pgnCache struct{}

func (h *Hub) servePGN(w http.ResponseWriter, r *http.Request) {
	http.Error(w, "not yet", http.StatusNotImplemented)
}

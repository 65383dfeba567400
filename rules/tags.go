package rules

// Tag is one tag pair of a PGN header.
type Tag struct{ Name, Value string }

// Tags are the tag pairs of a game, in the order they were set.
type Tags []Tag

// Get is the value of the tag, "" when it is not set.
func (t Tags) Get(name string) string {
	value, _ := t.lookup(name)
	return value
}

// lookup is the value of the tag, and whether it is set.
func (t Tags) lookup(name string) (value string, set bool) {
	for _, tag := range t {
		if tag.Name == name {
			return tag.Value, true
		}
	}
	return "", false
}

// Set sets or changes a tag.
func (t *Tags) Set(name, value string) {
	for i := range *t {
		if (*t)[i].Name == name {
			(*t)[i].Value = value
			return
		}
	}
	*t = append(*t, Tag{name, value})
}

// Delete removes a tag.
func (t *Tags) Delete(name string) {
	kept := make(Tags, 0, len(*t))
	for _, tag := range *t {
		if tag.Name != name {
			kept = append(kept, tag)
		}
	}
	*t = kept
}

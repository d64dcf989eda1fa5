package template

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

// Data may point back to themselves.
const deepest = 8

// A case of Go's own tests that JSON can express.
type published struct {
	Name   string `json:"name"`
	Text   string `json:"template"`
	Data   any    `json:"data"`
	Output string `json:"output"`
	Fails  bool   `json:"fails"`
}

// TestPublished writes the cases of execTests and cmpTests whose data can be written as JSON: those for which Go itself,
// given the JSON and no functions but its own, does what is published for the case.
func TestPublished(t *testing.T) {
	out, err := os.Create(os.Getenv("PUBLISHED_CASES"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	cases := execTests
	for _, c := range cmpTests {
		text := "{{if " + c.expr + "}}true{{else}}false{{end}}"
		cases = append(cases, execTest{c.expr, text, c.truth, nil, c.ok})
	}
	for _, c := range cases {
		data, ok := plain(reflect.ValueOf(c.data), deepest)
		if !ok {
			continue
		}
		output, err := rendered(c.input, data)
		unknown := err != nil && strings.Contains(err.Error(), "not defined")
		if unknown || (err == nil) != c.ok || (c.ok && output != c.output) {
			continue
		}
		if err := lines.Encode(published{c.name, c.input, data, c.output, !c.ok}); err != nil {
			t.Fatal(err)
		}
	}
}

func rendered(text string, data any) (string, error) {
	parsed, err := New("published").Parse(text)
	if err != nil {
		return "", err
	}
	var output bytes.Buffer
	err = parsed.Execute(&output, data)
	return output.String(), err
}

// plain returns a value as JSON has it: structs are maps, and what JSON does not know is left out of them.
func plain(v reflect.Value, depth int) (any, bool) {
	if depth == 0 {
		return nil, false
	}
	switch v.Kind() {
	case reflect.Invalid:
		return nil, true
	case reflect.Bool:
		return v.Bool(), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return int(v.Int()), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return int(v.Uint()), true
	case reflect.Float32, reflect.Float64:
		return v.Float(), true
	case reflect.String:
		return v.String(), true
	case reflect.Interface, reflect.Pointer:
		return plain(v.Elem(), depth-1)
	case reflect.Slice, reflect.Array:
		items := []any{}
		for i := range v.Len() {
			item, ok := plain(v.Index(i), depth-1)
			if !ok {
				return nil, false
			}
			items = append(items, item)
		}
		return items, true
	case reflect.Map:
		fields := map[string]any{}
		for _, key := range v.MapKeys() {
			name, named := plain(key, depth-1)
			text, isText := name.(string)
			field, ok := plain(v.MapIndex(key), depth-1)
			if !named || !isText || !ok {
				return nil, false
			}
			fields[text] = field
		}
		return fields, true
	case reflect.Struct:
		fields := map[string]any{}
		for i := range v.NumField() {
			field, ok := plain(v.Field(i), depth-1)
			if ok && v.Type().Field(i).IsExported() {
				fields[v.Type().Field(i).Name] = field
			}
		}
		return fields, true
	default:
		return nil, false
	}
}

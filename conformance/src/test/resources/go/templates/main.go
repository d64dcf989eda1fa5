// Renders templates with Go's own text/template and sprig: a JSON document for each of them on standard input, and one
// with its output, or with what is wrong, on standard output.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

type question struct {
	Template string
	Data     any
	Sprig    bool
}

type answer struct {
	Output string `json:"output"`
	Error  string `json:"error"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		output, err := render(lines.Bytes())
		text := ""
		if err != nil {
			text = err.Error()
		}
		if err := out.Encode(answer{output, text}); err != nil {
			panic(err)
		}
	}
}

func render(line []byte) (string, error) {
	var q question
	numbers := json.NewDecoder(bytes.NewReader(line))
	numbers.UseNumber()
	if err := numbers.Decode(&q); err != nil {
		return "", err
	}
	functions := template.FuncMap{}
	if q.Sprig {
		functions = sprig.TxtFuncMap()
	}
	parsed, err := template.New("compared").Funcs(functions).Parse(q.Template)
	if err != nil {
		return "", err
	}
	var output bytes.Buffer
	err = parsed.Execute(&output, typed(q.Data))
	return output.String(), err
}

// typed makes whole numbers integers, as YAML does; all others have a point.
func typed(value any) any {
	switch v := value.(type) {
	case json.Number:
		if whole, err := v.Int64(); err == nil {
			return int(whole)
		}
		number, _ := v.Float64()
		return number
	case map[string]any:
		for name := range v {
			v[name] = typed(v[name])
		}
	case []any:
		for i := range v {
			v[i] = typed(v[i])
		}
	}
	return value
}

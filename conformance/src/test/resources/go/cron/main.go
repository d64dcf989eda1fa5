// Asks the cron parser of Kubernetes when schedules are due: a JSON document for each question on standard input, and
// one with the times, or with what is wrong, on standard output.
//
// With a folder as its argument it writes every string in the tests there instead: schedules are among them.
package main

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/robfig/cron/v3"
)

type question struct {
	Schedule string `json:"schedule"`
	After    int64  `json:"after"` // seconds since 1970
	Count    int    `json:"count"`
}

type answer struct {
	Times []int64 `json:"times"` // fewer than asked for if no more are within five years
	Error string  `json:"error"`
}

func main() {
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	if len(os.Args) > 1 {
		for _, text := range strings(os.Args[1]) {
			must(out.Encode(text))
		}
		return
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var q question
		must(json.Unmarshal(lines.Bytes(), &q))
		must(out.Encode(due(q)))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func due(q question) (result answer) {
	// A zone without a schedule is more than it can take.
	defer func() {
		if recover() != nil {
			result = answer{[]int64{}, "panic"}
		}
	}()
	schedule, err := cron.ParseStandard(q.Schedule)
	if err != nil {
		return answer{[]int64{}, err.Error()}
	}
	times := []int64{}
	at := time.Unix(q.After, 0).UTC()
	for len(times) < q.Count {
		at = schedule.Next(at)
		if at.IsZero() {
			break
		}
		times = append(times, at.Unix())
	}
	return answer{times, ""}
}

// strings returns every string literal of the tests in a folder: schedules are among them.
func strings(folder string) []string {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	must(err)
	found := []string{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		must(err)
		ast.Inspect(file, func(node ast.Node) bool {
			if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				text, err := strconv.Unquote(literal.Value)
				must(err)
				found = append(found, text)
			}
			return true
		})
	}
	return found
}
